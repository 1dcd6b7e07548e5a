/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_split.c - kernel-level structs become one variable per member.
 *
 *     %s = var struct span;  store field %s 0, %a;  copy %p, %s
 * becomes
 *     %lo = var i32 as s.lo;  store %lo, %a;  store field %p 0, load %lo; ...
 *
 * So each member is a launch or a device variable of its own, and may be reduced. A struct whose
 * address goes to a call, or that is indexed at run time, stays whole.
 */
#include "ir/launch_parts.h"

enum { MOST_LEAVES = 64 };

typedef struct leaf_var {
    uint64_t offset;
    const ir_type *type;
    ir_op *var;
} leaf_var;

typedef struct splitting {
    ir_module *m;
    ir_func *kernel;
    ir_op *var;
    leaf_var leaves[MOST_LEAVES];
    uint32_t leaf_count;
    bool whole; /* it cannot be split */
    ir_op **uses, **places;
    uint32_t use_count, use_capacity, place_count, place_capacity;
} splitting;

static bool is_plain(const ir_type *type)
{
    return type->kind == IR_SCALAR || type->kind == IR_PTR;
}

static void find_leaves(splitting *s, const ir_type *type, uint64_t offset, const char *name)
{
    mem_arena *arena = s->m->arena;

    if (s->leaf_count == MOST_LEAVES || (type->kind == IR_ARRAY && type->count > MOST_LEAVES)) {
        s->whole = true;
    } else if (is_plain(type)) {
        ir_builder b = { .module = s->m,
                         .func = s->kernel,
                         .region = s->var->parent,
                         .before = s->var,
                         .place = s->var->place };
        s->leaves[s->leaf_count++] =
            (leaf_var){ .offset = offset, .type = type, .var = ir_var(&b, type, name) };
    } else if (type->kind == IR_ARRAY) {
        for (uint64_t i = 0; i < type->count && !s->whole; i++)
            find_leaves(s, type->elem, offset + i * type->elem->size,
                        arena_text(arena, "%s[%u]", name, (unsigned)i));
    } else {
        for (uint32_t i = 0; i < type->field_count && !s->whole; i++)
            find_leaves(s, type->fields[i].type, offset + type->fields[i].offset,
                        arena_text(arena, "%s.%s", name,
                                   type->fields[i].name ? type->fields[i].name : "?"));
    }
}

static bool is_constant_step(const ir_op *op)
{
    return op->code == IR_field || (op->code == IR_index && op->in[1]->code == IR_const);
}

/* Does a fill stay within the struct, and set no part of a member? */
static bool fills_leaves(const splitting *s, const ir_op *op)
{
    uint64_t at;

    return launch_constant_path(op->in[0], s->var, &at) && op->bytes == op->in[0]->type->elem->size;
}

static bool may_use(const splitting *s, const ir_op *op, uint32_t i)
{
    switch ((int)op->code) {
    case IR_load:
        return true;
    case IR_store:
    case IR_update:
    case IR_atomic:
    case IR_cas:
        return i == 0 && is_plain(op->in[0]->type->elem);
    case IR_copy:
        return true;
    case IR_fill:
        return i == 0 && op->in[1]->code == IR_const && fills_leaves(s, op);
    case IR_return:
        return op->in[0] == s->var;
    default: /* not one of the few ways that have a form without the struct */
        return false;
    }
}

static void keep(ir_module *m, ir_op ***list, uint32_t *count, uint32_t *capacity, ir_op *op)
{
    *list = arena_grow(m->arena, *list, capacity, *count + 1, sizeof **list);
    (*list)[(*count)++] = op;
}

static bool find_use(ir_op *op, void *user)
{
    splitting *s = user;

    for (uint32_t i = 0; i < op->in_count; i++) {
        if (launch_root(op->in[i]) != s->var)
            continue;
        if (launch_is_place(op)) {
            s->whole |= !is_constant_step(op) || i > 0;
            keep(s->m, &s->places, &s->place_count, &s->place_capacity, op);
        } else {
            s->whole |= !may_use(s, op, i);
            keep(s->m, &s->uses, &s->use_count, &s->use_capacity, op);
        }
    }
    return !s->whole;
}

static leaf_var *leaf_at(splitting *s, uint64_t offset)
{
    for (uint32_t i = 0; i < s->leaf_count; i++)
        if (s->leaves[i].offset == offset)
            return &s->leaves[i];
    return NULL;
}

/* The place of the plain thing at `offset` inside what ptr points to. */
static ir_op *place_at(ir_builder *b, ir_op *ptr, uint64_t offset)
{
    while (!is_plain(ptr->type->elem)) {
        const ir_type *type = ptr->type->elem;
        if (type->kind == IR_ARRAY) {
            ptr = ir_index(b, ptr, ir_const_i64(b, (int64_t)(offset / type->elem->size)));
            offset %= type->elem->size;
            continue;
        }
        uint32_t f = type->field_count;
        while (f > 0 &&
               (type->fields[f - 1].offset > offset || type->fields[f - 1].type->size == 0))
            f--;
        offset -= type->fields[f - 1].offset;
        ptr = ir_field_ref(b, ptr, f - 1);
    }
    return ptr;
}

/* copy between the struct (or a part of it) and other memory, leaf by leaf. */
static void split_copy(splitting *s, ir_op *copy)
{
    ir_builder b = { .module = s->m,
                     .func = s->kernel,
                     .region = copy->parent,
                     .before = copy,
                     .place = copy->place };
    uint64_t at[2] = { 0, 0 }, bytes = copy->in[0]->type->elem->size;
    bool mine[2];

    for (uint32_t i = 0; i < 2; i++) {
        mine[i] = launch_root(copy->in[i]) == s->var;
        if (mine[i])
            launch_constant_path(copy->in[i], s->var, &at[i]);
    }
    uint64_t from = mine[0] ? at[0] : at[1];
    for (uint32_t i = 0; i < s->leaf_count; i++) {
        const leaf_var *leaf = &s->leaves[i];
        if (leaf->offset < from || leaf->offset >= from + bytes)
            continue;
        uint64_t inner = leaf->offset - from;
        ir_op *source = mine[1] ? leaf_at(s, at[1] + inner)->var : place_at(&b, copy->in[1], inner);
        ir_op *value = ir_load(&b, source);
        ir_op *to = mine[0] ? leaf->var : place_at(&b, copy->in[0], inner);
        ir_store(&b, to, value);
    }
    ir_remove(copy);
}

static void split_fill(splitting *s, ir_op *fill)
{
    ir_builder b = { .module = s->m,
                     .func = s->kernel,
                     .region = fill->parent,
                     .before = fill,
                     .place = fill->place };
    uint64_t from = 0, bits = fill->in[1]->bits * UINT64_C(0x0101010101010101);

    launch_constant_path(fill->in[0], s->var, &from);
    for (uint32_t i = 0; i < s->leaf_count; i++) {
        const leaf_var *leaf = &s->leaves[i];
        if (leaf->offset < from || leaf->offset >= from + fill->bytes)
            continue;
        uint64_t low =
            leaf->type->size == 8 ? bits : bits & ((UINT64_C(1) << 8 * leaf->type->size) - 1);
        if (leaf->type->kind == IR_SCALAR)
            ir_store(&b, leaf->var, ir_const(&b, leaf->type->scalar, low));
    }
    ir_remove(fill);
}

static void split_return(splitting *s, ir_op *exit)
{
    ir_builder b = { .module = s->m,
                     .func = s->kernel,
                     .region = exit->parent,
                     .before = exit,
                     .place = exit->place };
    ir_op *whole = ir_var(&b, s->var->type->elem, ".result");

    for (uint32_t i = 0; i < s->leaf_count; i++)
        ir_store(&b, place_at(&b, whole, s->leaves[i].offset), ir_load(&b, s->leaves[i].var));
    exit->in[0] = whole;
}

static void split_use(splitting *s, ir_op *op)
{
    uint64_t at = 0;

    if (!op->parent)
        return; /* a copy from one part to another, met twice */
    if (op->code == IR_copy) {
        split_copy(s, op);
    } else if (op->code == IR_fill) {
        split_fill(s, op);
    } else if (op->code == IR_return) {
        split_return(s, op);
    } else {
        launch_constant_path(op->in[0], s->var, &at);
        op->in[0] = leaf_at(s, at)->var;
    }
}

static void split_variable(ir_module *m, ir_func *kernel, ir_op *var)
{
    splitting s = { .m = m, .kernel = kernel, .var = var };

    ir_walk(kernel->body, find_use, &s);
    if (!s.whole)
        find_leaves(&s, var->type->elem, 0, var->name ? var->name : ".struct");
    if (s.whole) {
        for (uint32_t i = 0; i < s.leaf_count; i++)
            ir_remove(s.leaves[i].var);
        return;
    }
    for (uint32_t i = 0; i < s.use_count; i++)
        split_use(&s, s.uses[i]);
    for (uint32_t i = 0; i < s.place_count; i++)
        ir_remove(s.places[i]);
    ir_remove(var);
}

typedef struct var_list {
    mem_arena *arena;
    ir_op **vars;
    uint32_t count, capacity;
} var_list;

/* Splitting makes variables of its own, so all are found before the first is split. */
static void find_structs(var_list *list, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_var && !is_plain(op->type->elem)) {
            list->vars = arena_grow(list->arena, list->vars, &list->capacity, list->count + 1,
                                    sizeof *list->vars);
            list->vars[list->count++] = op;
        }
        for (uint32_t i = 0; op->code != IR_task && i < op->region_count; i++)
            find_structs(list, op->regions[i]);
    }
}

void launch_split(ir_module *m, ir_func *kernel)
{
    var_list list = { .arena = m->arena };

    find_structs(&list, kernel->body);
    for (uint32_t i = 0; i < list.count; i++)
        split_variable(m, kernel, list.vars[i]);
}
