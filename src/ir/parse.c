/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parse.c - the text form read back: files, headers, structs, tables, functions.
 *
 * Refuses what cannot be held (an unknown struct, a table too large, fields out of order); whether
 * ops make sense is for ir_verify. Must never crash or loop on any text.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "ir/form.h"

enum { MOST_TABLE_BYTES = 1 << 26, MOST_STRUCT_BYTES = 1 << 30 };

static void read_file(form_reader *r)
{
    const char *path = form_read_name(r);
    uint32_t before = r->module->file_count;

    if (ir_file(r->module, path) != before && r->status == SLIP_OK)
        form_fail(r, "file %s stands here twice", path);
}

static void read_header(form_reader *r)
{
    const char *lines = form_read_name(r);

    ir_header_add(r->module, form_take(r, "as") ? form_read_name(r) : NULL, lines);
}

/* Fields lie in order and within the size, so that a value has no more scalars than bytes. */
static void check_field(form_reader *r, const ir_field *f, uint64_t from, uint64_t size)
{
    uint64_t end;

    if (f->type->size == 0 || f->offset < from || !mem_add(f->offset, f->type->size, &end) ||
        end > size)
        form_fail(r,
                  "a field of %" PRIu64 " bytes at %" PRIu64 " is not within %" PRIu64
                  " to %" PRIu64,
                  f->type->size, f->offset, from, size);
}

static void read_struct(form_reader *r)
{
    const char *name = form_read_name(r);
    ir_field *fields = NULL;
    uint32_t count = 0, capacity = 0;
    uint64_t size, align, from = 0;

    form_want(r, "size");
    size = form_read_number(r, MOST_STRUCT_BYTES);
    form_want(r, "align");
    align = form_read_number(r, 4096);
    if (size == 0 || align == 0 || (align & (align - 1)) != 0 || size % align != 0)
        form_fail(r, "a struct of %" PRIu64 " bytes aligned to %" PRIu64, size, align);
    form_want(r, "{");
    form_line_end(r);
    while (form_take(r, "at")) {
        fields = arena_grow(r->arena, fields, &capacity, count + 1, sizeof *fields);
        ir_field *f = &fields[count++];
        f->offset = form_read_number(r, MOST_STRUCT_BYTES);
        f->type = form_read_type(r);
        f->name = form_take(r, "as") ? form_read_name(r) : NULL;
        check_field(r, f, from, size);
        from = f->offset + f->type->size;
        form_line_end(r);
    }
    form_want(r, "}");
    for (const ir_type *t = r->module->types; t; t = t->next)
        if (t->kind == IR_STRUCT && strcmp(t->name, name) == 0)
            form_fail(r, "struct %s is defined twice", name);
    if (r->status == SLIP_OK)
        ir_type_struct(r->module, name, fields, count, size, align);
}

static void read_data(form_reader *r, const ir_type *type, uint8_t *data)
{
    if (type->kind == IR_SCALAR) {
        form_skip_lines(r);
        scalar_store(type->scalar, data, form_read_scalar(r, type->scalar));
    } else if (type->kind == IR_PTR) {
        form_fail(r, "a table holds no pointers");
    }
    for (uint64_t i = 0; type->kind == IR_ARRAY && i < type->count && r->status == SLIP_OK; i++)
        read_data(r, type->elem, data + i * type->elem->size);
    for (uint32_t i = 0; i < type->field_count; i++)
        read_data(r, type->fields[i].type, data + type->fields[i].offset);
}

static void read_table(form_reader *r)
{
    const char *name = form_read_name(r);
    const ir_type *type = form_read_type(r);
    uint8_t *data;

    if (type->size == 0 || type->size > MOST_TABLE_BYTES)
        form_fail(r, "a table of %" PRIu64 " bytes; at least 1 and at most %d", type->size,
                  MOST_TABLE_BYTES);
    for (const ir_table *t = r->module->tables; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            form_fail(r, "table %s is defined twice", name);
    form_want(r, "{");
    if (r->status != SLIP_OK)
        return;
    data = arena_new(r->arena, type->size);
    read_data(r, type, data);
    form_skip_lines(r);
    form_want(r, "}");
    if (r->status == SLIP_OK)
        ir_table_new(r->module, name, type, data);
}

static void read_func(form_reader *r, ir_func_kind kind)
{
    const ir_type *result = form_read_type(r);
    const char *name = form_read_name(r);
    ir_func *f = ir_func_new(r->module, kind, name, result);

    f->place = form_read_place(r);
    form_read_body(r, f);
}

static void read_item(form_reader *r)
{
    if (form_take(r, "file"))
        read_file(r);
    else if (form_take(r, "header"))
        read_header(r);
    else if (form_take(r, "struct"))
        read_struct(r);
    else if (form_take(r, "table"))
        read_table(r);
    else if (form_take(r, "kernel"))
        read_func(r, IR_KERNEL);
    else if (form_take(r, "helper"))
        read_func(r, IR_HELPER);
    else if (form_take(r, "task"))
        read_func(r, IR_TASK);
    else
        form_fail(r, "a module holds file, header, struct, table, kernel, helper and task");
    form_line_end(r);
}

/* A task's name is its place, which two tasks may share; nothing calls a task. */
static void bind_calls(form_reader *r)
{
    for (form_call *c = r->calls; c; c = c->next) {
        for (ir_func *f = r->module->funcs; f; f = f->next)
            if (f->kind != IR_TASK && strcmp(f->name, c->name) == 0)
                c->op->func = f;
        r->line = c->line;
        if (!c->op->func)
            form_fail(r, "function %s is not defined", c->name);
    }
}

static void bind_finish(form_reader *r, ir_finish_call *call)
{
    for (ir_func *f = r->module->funcs; f && call->name; f = f->next)
        if (f->kind == IR_HELPER && strcmp(f->name, call->name) == 0)
            call->func = f;
    if (call->name && !call->func)
        form_fail(r, "function %s is not defined", call->name);
}

static void bind_finishes(form_reader *r)
{
    for (ir_func *f = r->module->funcs; f; f = f->next)
        for (int k = 0; f->kind == IR_TASK && f->task && k < IR_FINISH_CALLS; k++)
            bind_finish(r, &f->task->calls[k]);
}

static slip_status read_items(form_reader *r)
{
    while (r->token.kind != FORM_END)
        read_item(r);
    if (r->status == SLIP_OK)
        bind_calls(r);
    if (r->status == SLIP_OK)
        bind_finishes(r);
    return r->status;
}

slip_status ir_parse_into(ir_module *m, const char *source)
{
    form_reader r = { .arena = m->arena, .module = m, .at = source, .at_line = 1 };

    form_next(&r);
    form_skip_lines(&r);
    return read_items(&r);
}

slip_status ir_parse(mem_arena *arena, const char *source, ir_module **out)
{
    form_reader r = { .arena = arena, .module = ir_module_new(arena), .at = source, .at_line = 1 };

    form_next(&r);
    form_skip_lines(&r);
    form_want(&r, "module");
    r.module->fma = form_take(&r, "fma");
    form_line_end(&r);
    SLIP_TRY(read_items(&r));
    *out = r.module;
    return SLIP_OK;
}
