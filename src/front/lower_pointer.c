/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_pointer.c - pointer variables. One points into one local array for its whole life (then it
 * is an element count), or at any number of arrays in device memory (then it is an address). It can
 * never be either: local pointers are not stored, chosen or merged.
 */
#include "front/lower.h"

void lower_declare_pointer(lower *l, fdecl *d)
{
    binding *b = &d->bind;
    b->anchor = ir_var(&l->b, ir_type_scalar(l->f->m, SCALAR_i64),
                       arena_text(l->f->arena, ".%s.at", d->name));
    b->offset = b->anchor;
    b->task = l->task;
}

static bool region_holds(const ir_region *outer, const ir_region *r)
{
    while (r && r != outer)
        r = r->owner ? r->owner->parent : NULL;
    return r == outer;
}

static const char *target_name(lower *l, const ir_op *base, const fdecl *into)
{
    if (into)
        return into->name;
    if (base->name)
        return base->name;
    return base->type->space == IR_GLOBAL ? "an array in device memory"
                                          : arena_text(l->f->arena, "a local array");
}

static void refuse_mix(lower *l, const fdecl *d, const spot *to, ir_place at)
{
    const binding *b = &d->bind;
    front_error(l->f, at, "use one pointer for each, or an index",
                "`%s` would point into `%s` here and into `%s` (line %u); a pointer has one local "
                "array, or "
                "any number of arrays in device memory",
                d->name, target_name(l, to->base, to->into),
                b->into ? b->into->name : "another array", b->place.line);
}

static void bind_base(lower *l, fdecl *d, const spot *to, ir_place at)
{
    binding *b = &d->bind;

    b->bound = true;
    b->into = to->into;
    b->place = at;
    if (to->base->type->space == IR_GLOBAL) {
        ir_builder at_decl = l->b;
        at_decl.region = b->anchor->parent;
        at_decl.before = b->anchor;
        b->global = ir_var(&at_decl, to->base->type, d->name);
        ir_remove(b->anchor);
        b->offset = NULL;
        return;
    }
    b->base = to->base;
    b->in_array = to->in_array;
    b->shared = to->shared;
    const ir_region *home = to->base->parent;
    if (home && !region_holds(home, b->anchor->parent))
        front_error(l->f, at, "declare the pointer where it gets its array",
                    "`%s` is declared outside the block in which `%s` can be named", d->name,
                    target_name(l, to->base, to->into));
}

/* The same local object: the same op, the same table, or the same member or element of such. */
static bool same_base(const ir_op *a, const ir_op *b)
{
    if (a == b)
        return true;
    if (a->code != b->code || a->in_count != b->in_count)
        return false;
    if (a->code == IR_table)
        return a->table == b->table;
    if (a->code == IR_const)
        return a->type == b->type && a->bits == b->bits;
    if ((a->code != IR_field && a->code != IR_index) || a->index != b->index)
        return false;
    for (uint32_t i = 0; i < a->in_count; i++) {
        if (!same_base(a->in[i], b->in[i]))
            return false;
    }
    return true;
}

void lower_point(lower *l, fdecl *d, spot to, ir_place at)
{
    binding *b = &d->bind;

    if (b->stamp != l->f->stamp || !b->anchor)
        return;
    if (l->kernel_level && l->task && b->task != l->task) {
        front_error(l->f, at, "declare the pointer inside the slip_for",
                    "`%s` is assigned inside a task, and every iteration shares it", d->name);
        return;
    }
    if (!b->bound)
        bind_base(l, d, &to, at);
    bool global = to.base->type->space == IR_GLOBAL;
    if (global != (b->global != NULL) || (!global && !same_base(b->base, to.base))) {
        refuse_mix(l, d, &to, at);
        return;
    }
    if (!global && !to.in_array && to.offset && !lower_is_const(to.offset, 0) &&
        to.base->code == IR_var) {
        front_error(l->f, at, "point into an array", "`%s` points at one variable and is moved",
                    d->name);
        return;
    }
    l->b.place = at;
    if (b->global) {
        ir_op *address = lower_address(l, to);
        if (address->type == b->global->type->elem)
            ir_store(&l->b, b->global, address);
        else
            refuse_mix(l, d, &to, at);
        return;
    }
    ir_store(&l->b, b->offset, to.offset ? to.offset : ir_const_i64(&l->b, 0));
}

spot lower_pointed(lower *l, fdecl *d, ir_place at)
{
    binding *b = &d->bind;
    spot p = { .type = d->type->elem, .into = d };

    if (b->stamp != l->f->stamp || !b->bound) {
        front_error(l->f, at, "give it an array where it is declared",
                    "`%s` is read before it points at anything", d->name);
        p.base =
            ir_var(&l->b,
                   ftype_inner(p.type)->kind == FT_SCALAR ? ftype_inner(p.type)->ir
                                                          : ir_type_scalar(l->f->m, SCALAR_i32),
                   "bad");
        return p;
    }
    p.type = b->type->elem;
    if (b->global) {
        p.base = ir_load(&l->b, b->global);
        return p;
    }
    p.base = b->base;
    p.in_array = b->in_array;
    p.shared = b->shared;
    if (b->anchor) {
        p.into = b->into;
        bool single = !b->in_array && b->base->code == IR_var;
        p.offset = single ? NULL : ir_load(&l->b, b->offset);
    }
    if (b->base->type->space == IR_LOCAL && l->kernel_level && l->task && b->task != l->task)
        p.shared = true;
    return p;
}

/* ---- comparison and difference: addresses in device memory only
 * -------------------------------------- */

bool lower_is_null(const node *n)
{
    while (n->kind == N_CAST && n->type->kind == FT_POINTER)
        n = n->kids[0];
    return n->kind == N_INT && n->bits == 0;
}

static ir_op *address_bits(lower *l, node *n, const node *whole)
{
    if (lower_is_null(n))
        return ir_const(&l->b, SCALAR_u64, 0);
    spot p = lower_pointer(l, n);
    if (p.base->type->kind != IR_PTR || p.base->type->space != IR_GLOBAL) {
        front_error(l->f, whole->place, "compare or subtract indices",
                    "`%s` is in local memory; only pointers into device memory can be compared or "
                    "subtracted",
                    target_name(l, p.base, p.into));
        return ir_const(&l->b, SCALAR_u64, 0);
    }
    return ir_bitcast(&l->b, SCALAR_u64, lower_address(l, p));
}

ir_op *lower_pointer_compare(lower *l, node *n)
{
    ir_op *a = address_bits(l, n->kids[0], n);
    ir_op *b = address_bits(l, n->kids[1], n);
    return lower_arith(l, n->op, a, b);
}

ir_op *lower_pointer_difference(lower *l, node *n)
{
    ir_op *a = ir_bitcast(&l->b, SCALAR_i64, address_bits(l, n->kids[0], n));
    ir_op *b = ir_bitcast(&l->b, SCALAR_i64, address_bits(l, n->kids[1], n));
    const ftype *elem = n->kids[0]->type->elem;
    const ftype *inner = ftype_inner(elem);
    uint64_t bytes = inner->kind == FT_SCALAR || inner->kind == FT_STRUCT ? inner->ir->size : 1;
    if (elem->kind == FT_ARRAY && elem->runtime) {
        front_error(l->f, n->place, "subtract indices",
                    "the difference of pointers to rows whose length is found at run time");
        return lower_undef(l, n->type);
    }
    bytes *= ftype_flat(elem);
    ir_op *difference = lower_binary(l, SCALAR_OP_sub, a, b);
    return lower_binary(l, SCALAR_OP_div, difference,
                        ir_const_i64(&l->b, (int64_t)(bytes ? bytes : 1)));
}
