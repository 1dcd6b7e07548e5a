/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower.c - functions: one IR function per entry point and per choice of pointer spaces.
 *
 * Bodies are lowered one after another, never nested: a call only makes the callee's signature
 * and queues its body. So a declaration's binding belongs to one instance at a time.
 */
#include "front/lower.h"

#include <string.h>

static const char space_letters[] = { 'g', 'l', 's', 'p', 't' };

static ir_space space_of(uint8_t to)
{
    switch ((pointee)to) {
    case TO_GLOBAL:
        return IR_GLOBAL;
    case TO_LOCAL:
    case TO_SHARED:
        return IR_LOCAL;
    case TO_PARAM:
        return IR_PARAM_SPACE;
    case TO_TABLE:
        return IR_TABLE_SPACE;
    }
    return IR_GLOBAL;
}

/* A helper's name: `put`, or `put.lg` where a pointer is not global. Kernels called: `heat.call`.
 */
static const char *instance_name(front *f, fdecl *func, const uint8_t *spaces)
{
    char letters[66] = "";
    uint32_t n = 0;
    bool plain = true;

    for (uint32_t i = 0; i < func->param_count && n < 64; i++) {
        if (func->params[i]->type->kind != FT_POINTER)
            continue;
        letters[n++] = space_letters[spaces[i]];
        plain = plain && spaces[i] == TO_GLOBAL;
    }
    const char *base = func->is_kernel ? arena_text(f->arena, "%s.call", func->name) : func->name;
    return plain ? base : arena_text(f->arena, "%s.%s", base, letters);
}

static const ir_type *param_type(front *f, const fdecl *p, uint8_t space, bool entry)
{
    const ftype *t = p->type;
    if (t->kind == FT_POINTER)
        return ir_type_ptr(f->m, space_of(space), ftype_inner(t->elem)->ir);
    if (t->kind == FT_STRUCT)
        return ir_type_ptr(f->m, entry ? IR_PARAM_SPACE : IR_LOCAL, t->ir);
    return t->ir;
}

static instance *find_instance(fdecl *func, const uint8_t *spaces, bool entry)
{
    for (instance *i = func->instances; i; i = i->next) {
        if (i->entry == entry &&
            (func->param_count == 0 || memcmp(i->spaces, spaces, func->param_count) == 0))
            return i;
    }
    return NULL;
}

instance *lower_instance(front *f, fdecl *func, const uint8_t *given, bool entry)
{
    uint8_t *spaces = arena_new(f->arena, func->param_count + 1);
    if (given)
        memcpy(spaces, given, func->param_count);
    instance *found = find_instance(func, spaces, entry);
    if (found)
        return found;

    instance *made = arena_new(f->arena, sizeof *made);
    *made = (instance){ .next = func->instances, .decl = func, .spaces = spaces, .entry = entry };
    func->instances = made;
    const char *name = entry ? func->name : instance_name(f, func, spaces);
    made->func = ir_func_new(f->m, entry ? IR_KERNEL : IR_HELPER, name, func->result->ir);
    made->func->place = func->place;
    for (uint32_t i = 0; i < func->param_count; i++) {
        const fdecl *p = func->params[i];
        ir_param_add(f->m, made->func, p->name, param_type(f, p, spaces[i], entry));
    }
    if (func->result->kind == FT_STRUCT && !entry)
        ir_param_add(f->m, made->func, "slip_result",
                     ir_type_ptr(f->m, IR_LOCAL, func->result->ir));
    if (f->last_pending)
        f->last_pending->next_pending = made;
    else
        f->pending = made;
    f->last_pending = made;
    return made;
}

/* ---- extents -----------------------------------------------------------------------------------
 */

ir_op *lower_flat(lower *l, const ftype *t)
{
    if (t->kind == FT_ARRAY && t->runtime)
        return t->flat;
    return ir_const_i64(&l->b, (int64_t)ftype_flat(t));
}

const ftype *lower_runtime_type(lower *l, const ftype *t, node **dims, uint32_t count)
{
    if (t->kind == FT_POINTER && t->elem->kind == FT_ARRAY && t->elem->runtime) {
        ftype *made = arena_new(l->f->arena, sizeof *made);
        *made = *t;
        made->elem = lower_runtime_type(l, t->elem, dims, count);
        return made;
    }
    if (t->kind != FT_ARRAY || !t->runtime)
        return t;
    ftype *made = arena_new(l->f->arena, sizeof *made);
    *made = *t;
    if (count && dims[0])
        made->extent = lower_index(l, dims[0]);
    else if (t->count)
        made->extent = ir_const_i64(&l->b, (int64_t)t->count);
    made->elem = lower_runtime_type(l, t->elem, count ? dims + 1 : dims, count ? count - 1 : 0);
    if (made->extent) {
        bool single = made->elem->kind != FT_ARRAY;
        made->flat = single
                         ? made->extent
                         : lower_binary(l, SCALAR_OP_mul, made->extent, lower_flat(l, made->elem));
    }
    return made;
}

/* ---- entry
 * --------------------------------------------------------------------------------------- */

static void bind_scalar(lower *l, fdecl *p, ir_op *value)
{
    if (!p->written) {
        p->bind.value = value;
        return;
    }
    p->bind.base = ir_var(&l->b, p->type->ir, p->name);
    ir_store(&l->b, p->bind.base, value);
}

static void bind_struct(lower *l, fdecl *p, ir_op *value)
{
    p->bind.base = value;
    if (p->written && value->type->space == IR_PARAM_SPACE) {
        p->bind.base = ir_var(&l->b, p->type->ir, p->name);
        ir_copy(&l->b, p->bind.base, value);
    }
}

static void bind_pointer(lower *l, fdecl *p, ir_op *value, uint8_t space)
{
    /* The outermost extent of a parameter is never needed to find an element. */
    const ftype *t = p->type;
    uint32_t skip = p->array ? 1 : 0;
    t = lower_runtime_type(l, t, p->dims + skip, p->dim_count > skip ? p->dim_count - skip : 0);
    p->bind.type = t;
    spot to = { .type = t->elem, .base = value, .shared = space == TO_SHARED, .into = p };
    if (!p->written) {
        p->bind.base = value;
        p->bind.shared = to.shared;
        p->bind.bound = true;
        return;
    }
    lower_declare_pointer(l, p);
    lower_point(l, p, to, p->place);
}

static void bind_params(lower *l)
{
    fdecl *d = l->inst->decl;

    for (uint32_t i = 0; i < d->param_count; i++) {
        fdecl *p = d->params[i];
        ir_op *value = l->inst->func->params[i].op;
        p->bind = (binding){ .stamp = l->f->stamp, .type = p->type };
        l->b.place = p->place;
        if (p->type->kind == FT_POINTER)
            bind_pointer(l, p, value, l->inst->spaces[i]);
        else if (p->type->kind == FT_STRUCT)
            bind_struct(l, p, value);
        else if (p->type->kind == FT_SCALAR)
            bind_scalar(l, p, value);
    }
    if (d->result->kind == FT_STRUCT && !l->inst->entry)
        l->result = l->inst->func->params[d->param_count].op;
}

static void check_result(lower *l)
{
    const fdecl *d = l->inst->decl;
    const ftype *r = d->result;

    if (r->kind == FT_POINTER)
        front_error(l->f, d->place, "return an index, or let the caller pass the array",
                    "`%s` returns a pointer", d->name);
    else if (r->kind != FT_VOID)
        ftype_usable(l->f, r, d->place, arena_text(l->f->arena, "the result of `%s`", d->name));
    if (d->is_kernel && r->kind == FT_STRUCT && r->ir->size > 64)
        front_error(l->f, d->place, "give the kernel a slip_out array for it",
                    "the result of kernel `%s` has %u bytes; at most 64 can be returned", d->name,
                    (unsigned)r->ir->size);
}

static void lower_body(front *f, instance *inst)
{
    fdecl *d = inst->decl;
    lower l = { .f = f, .inst = inst, .kernel_level = inst->entry || d->has_task };
    l.b = (ir_builder){
        .module = f->m, .func = inst->func, .region = inst->func->body, .place = d->place
    };
    f->stamp++;
    check_result(&l);
    if (inst->entry)
        lower_kernel_params(&l);
    bind_params(&l);
    lower_stmt(&l, d->body);
    if (ir_region_ended(l.b.region))
        return;
    if (d->result->kind != FT_VOID) {
        front_error(f, d->place, "return a value on every path",
                    "`%s` can end without returning a value", d->name);
        return;
    }
    l.b.place = d->place;
    ir_return(&l.b, NULL);
}

void lower_pending(front *f)
{
    while (f->pending && !f->full) {
        instance *i = f->pending;
        f->pending = i->next_pending;
        if (!f->pending)
            f->last_pending = NULL;
        if (i->decl->body)
            lower_body(f, i);
    }
}
