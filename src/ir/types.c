/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - the module's lists: interned types, constant tables, file names, functions.
 *
 * Everything lives in the module's arena. Types are compared by pointer elsewhere, so a type must
 * never be made but through the functions of this file. Lists keep the order of making, which is
 * the order in which they are printed.
 */
#include <string.h>

#include "ir/ir.h"

ir_module *ir_module_new(mem_arena *arena)
{
    ir_module *m = arena_new(arena, sizeof *m);

    m->arena = arena;
    return m;
}

static const char *copy_name(ir_module *m, const char *name)
{
    return name ? arena_copy(m->arena, name, strlen(name)) : NULL;
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Adds a copy of `like` at the end of the module's list. */
static const ir_type *add_type(ir_module *m, const ir_type *last, const ir_type *like)
{
    ir_type *made = arena_new(m->arena, sizeof *made);

    *made = *like;
    made->next = NULL;
    if (last)
        ((ir_type *)last)->next = made;
    else
        m->types = made;
    return made;
}

/* The interned type that equals `like` in all but name and fields, which structs compare apart. */
static const ir_type *intern(ir_module *m, const ir_type *like)
{
    const ir_type *last = NULL;

    for (const ir_type *t = m->types; t; last = t, t = t->next)
        if (t->kind == like->kind && t->scalar == like->scalar && t->space == like->space &&
            t->elem == like->elem && t->count == like->count && t->kind != IR_STRUCT)
            return t;
    return add_type(m, last, like);
}

const ir_type *ir_type_void(ir_module *m)
{
    return intern(m, &(ir_type){ .kind = IR_VOID, .align = 1 });
}

const ir_type *ir_type_scalar(ir_module *m, scalar_type scalar)
{
    uint64_t bytes = scalar_types[scalar].bytes;

    return intern(m, &(ir_type){ .kind = IR_SCALAR, .scalar = scalar, .size = bytes,
                                 .align = bytes });
}

const ir_type *ir_type_ptr(ir_module *m, ir_space space, const ir_type *elem)
{
    return intern(m, &(ir_type){ .kind = IR_PTR, .space = space, .elem = elem, .size = 8,
                                 .align = 8 });
}

const ir_type *ir_type_array(ir_module *m, const ir_type *elem, uint64_t count)
{
    ir_type like = { .kind = IR_ARRAY, .elem = elem, .count = count, .align = elem->align };

    if (!mem_mul(elem->size, count, &like.size))
        like.size = UINT64_MAX; /* no memory is that large: whoever makes one is refused */
    return intern(m, &like);
}

static bool same_fields(const ir_type *t, const ir_field *fields, uint32_t field_count)
{
    if (t->field_count != field_count)
        return false;
    for (uint32_t i = 0; i < field_count; i++)
        if (t->fields[i].type != fields[i].type || t->fields[i].offset != fields[i].offset ||
            !same_name(t->fields[i].name, fields[i].name))
            return false;
    return true;
}

const ir_type *ir_type_struct(ir_module *m, const char *name, const ir_field *fields,
                              uint32_t field_count, uint64_t size, uint64_t align)
{
    const ir_type *last = NULL;
    ir_field *kept;

    for (const ir_type *t = m->types; t; last = t, t = t->next)
        if (t->kind == IR_STRUCT && same_name(t->name, name))
            return same_fields(t, fields, field_count) && t->size == size && t->align == align
                       ? t
                       : NULL;
    kept = arena_new(m->arena, (field_count ? field_count : 1) * sizeof *kept);
    for (uint32_t i = 0; i < field_count; i++) {
        kept[i] = fields[i];
        kept[i].name = copy_name(m, fields[i].name);
    }
    return add_type(m, last, &(ir_type){ .kind = IR_STRUCT, .name = copy_name(m, name),
                                         .fields = kept, .field_count = field_count,
                                         .size = size, .align = align });
}

uint32_t ir_file(ir_module *m, const char *path)
{
    for (uint32_t i = 0; i < m->file_count; i++)
        if (strcmp(m->files[i], path) == 0)
            return i;
    m->files = arena_grow(m->arena, (void *)m->files, &m->file_capacity, m->file_count + 1,
                          sizeof *m->files);
    m->files[m->file_count] = copy_name(m, path);
    return m->file_count++;
}

void ir_header_add(ir_module *m, const char *name, const char *lines)
{
    ir_header_item *items = arena_grow(m->arena, (void *)m->header_items,
                                       &m->header_item_capacity, m->header_item_count + 1,
                                       sizeof *items);

    items[m->header_item_count++] =
        (ir_header_item){ .text = copy_name(m, lines), .name = copy_name(m, name) };
    m->header_items = items;
}

const ir_table *ir_table_new(ir_module *m, const char *name, const ir_type *type, const void *data)
{
    ir_table *made = arena_new(m->arena, sizeof *made);
    const ir_table *last = m->tables;

    *made = (ir_table){ .name = copy_name(m, name), .type = type,
                        .data = (uint8_t *)arena_copy(m->arena, data, type->size) };
    while (last && last->next)
        last = last->next;
    if (last)
        ((ir_table *)last)->next = made;
    else
        m->tables = made;
    return made;
}

ir_func *ir_func_new(ir_module *m, ir_func_kind kind, const char *name, const ir_type *result)
{
    ir_func *f = arena_new(m->arena, sizeof *f);

    *f = (ir_func){ .name = copy_name(m, name), .kind = kind, .result = result,
                    .body = ir_region_new(m, NULL) };
    if (m->last_func)
        m->last_func->next = f;
    else
        m->funcs = f;
    m->last_func = f;
    return f;
}

void ir_func_remove(ir_module *m, ir_func *f)
{
    ir_func *before = NULL;

    for (ir_func *g = m->funcs; g && g != f; g = g->next)
        before = g;
    if (before)
        before->next = f->next;
    else
        m->funcs = f->next;
    if (m->last_func == f)
        m->last_func = before;
    f->next = NULL;
}

ir_param *ir_param_add(ir_module *m, ir_func *f, const char *name, const ir_type *type)
{
    uint32_t count = f->param_count;
    ir_param *params = arena_new(m->arena, (count + 1) * sizeof *params);
    ir_op *op = arena_new(m->arena, sizeof *op);

    *op = (ir_op){ .code = IR_param, .type = type, .name = copy_name(m, name), .index = count };
    if (count)
        memcpy(params, f->params, count * sizeof *params);
    params[count] = (ir_param){ .op = op, .name = op->name };
    f->params = params;
    f->param_count = count + 1;
    return &params[count];
}
