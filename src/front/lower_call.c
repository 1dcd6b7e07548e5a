/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_call.c - calls of the file's own functions. Each choice of pointer spaces is an instance of
 * its own, so one helper serves local and device arrays.
 */
#include "front/lower.h"

static uint8_t pointee_of(const spot *p)
{
    switch (p->base->type->space) {
    case IR_GLOBAL:
        return TO_GLOBAL;
    case IR_LOCAL:
        return p->shared ? TO_SHARED : TO_LOCAL;
    case IR_PARAM_SPACE:
        return TO_PARAM;
    case IR_TABLE_SPACE:
        return TO_TABLE;
    }
    return TO_GLOBAL;
}

/* The callee may write its copy; a fresh object needs no second one. */
static ir_op *struct_argument(lower *l, node *n)
{
    node *from = n;
    while (from->kind == N_CAST)
        from = from->kids[0];
    spot p = lower_place(l, from);
    if (from->kind == N_CALL || from->kind == N_LITERAL)
        return lower_address(l, p);
    spot copy = lower_temp(l, n->type, ".argument");
    lower_copy(l, copy, p);
    return copy.base;
}

static ir_op *pointer_argument(lower *l, const fdecl *param, node *n, uint8_t *space)
{
    spot p = lower_pointer(l, n);
    const ftype *want = ftype_inner(param->type->elem), *have = ftype_inner(p.type);

    if (want->kind != FT_SCALAR && want->kind != FT_STRUCT) {
        front_error(l->f, n->place, "name the elements: f32 *x", "`%s` of `%s` is a pointer to %s",
                    param->name, param->func->name, ftype_text(l->f, want));
        return lower_undef(l, n->type);
    }
    if (have->ir != want->ir) {
        front_error(l->f, n->place, "pass an array of that type",
                    "`%s` of `%s` points to %s, not to %s", param->name, param->func->name,
                    ftype_text(l->f, want), ftype_text(l->f, have));
        return lower_undef(l, n->type);
    }
    *space = pointee_of(&p);
    return lower_address(l, p);
}

static ir_op *argument(lower *l, const fdecl *param, node *n, uint8_t *space)
{
    *space = TO_GLOBAL;
    if (param->type->kind == FT_POINTER)
        return pointer_argument(l, param, n, space);
    if (param->type->kind == FT_STRUCT)
        return struct_argument(l, n);
    return lower_value(l, n);
}

static bool callable(lower *l, const node *n)
{
    const fdecl *d = n->decl;

    if (d->has_task && l->task) {
        front_error(l->f, n->place, "call it outside the slip_for",
                    "`%s` contains a slip_for and is called inside one", d->name);
        return false;
    }
    if (n->count < d->param_count) {
        front_error(l->f, n->place, NULL, "`%s` takes %u arguments", d->name, d->param_count);
        return false;
    }
    return d->body != NULL;
}

ir_op *lower_call(lower *l, node *n, spot *result)
{
    fdecl *d = n->decl;

    if (d->is_builtin)
        return lower_builtin(l, n);
    if (!callable(l, n))
        return n->type->kind == FT_SCALAR ? lower_undef(l, n->type) : NULL;
    ir_op **in = arena_new(l->f->arena, (d->param_count + 2) * sizeof *in);
    uint8_t *spaces = arena_new(l->f->arena, d->param_count + 1);
    uint32_t count = d->param_count;

    for (uint32_t i = 0; i < count; i++) {
        if (!ftype_usable(l->f, d->params[i]->type, d->params[i]->place,
                          arena_text(l->f->arena, "parameter `%s`", d->params[i]->name)))
            return n->type->kind == FT_SCALAR ? lower_undef(l, n->type) : NULL;
        in[i] = argument(l, d->params[i], n->kids[i], &spaces[i]);
    }
    instance *callee = lower_instance(l->f, d, spaces, false);
    if (d->result->kind == FT_STRUCT) {
        spot fresh = result ? *result : lower_temp(l, d->result, ".ignored");
        in[count++] = lower_address(l, fresh);
    }
    l->b.place = n->place;
    return ir_call(&l->b, callee->func, in, count);
}
