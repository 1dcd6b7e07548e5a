/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_place.c - lvalues and struct values as (base, offset).
 *
 * Arrays are flat: a subscript adds its index times the elements below it. No IR pointer is made
 * before it is loaded from, stored to or passed on.
 */
#include "front/lower.h"

spot lower_temp(lower *l, const ftype *t, const char *name)
{
    spot p = { .type = t,
               .base = ir_var(&l->b, front_storage(l->f, t), name),
               .in_array = t->kind == FT_ARRAY };
    return p;
}

spot lower_bad_place(lower *l, const ftype *t)
{
    lower_need_error(l);
    const ftype *scalar = front_scalar(l->f, SCALAR_i32);
    bool pointer =
        t->kind == FT_POINTER || t->kind == FT_VOID || t->kind == FT_FUNC || t->kind == FT_BAD;
    return lower_temp(l,
                      pointer                             ? scalar
                      : t->kind == FT_ARRAY && t->runtime ? ftype_inner(t)
                                                          : t,
                      "bad");
}

ir_op *lower_address(lower *l, spot p)
{
    if (p.in_array)
        return ir_index(&l->b, p.base, p.offset ? p.offset : ir_const_i64(&l->b, 0));
    if (!p.offset || lower_is_const(p.offset, 0))
        return p.base;
    return ir_offset(&l->b, p.base, p.offset);
}

ir_op *lower_load(lower *l, spot p)
{
    return ir_load(&l->b, lower_address(l, p));
}

void lower_store(lower *l, spot p, ir_op *value)
{
    ir_op *at = lower_address(l, p);
    if (at->type->elem == value->type)
        ir_store(&l->b, at, value);
}

void lower_copy(lower *l, spot to, spot from)
{
    ir_op *target = lower_address(l, to);
    ir_op *source = lower_address(l, from);
    if (target->type->elem == source->type->elem && target != source)
        ir_copy(&l->b, target, source);
}

bool lower_updates(const spot *p)
{
    return p->base->type->space == IR_GLOBAL || p->shared;
}

static void add_offset(lower *l, spot *p, ir_op *by)
{
    p->offset = p->offset ? lower_binary(l, SCALAR_OP_add, p->offset, by) : by;
}

spot lower_advanced(lower *l, spot p, const ftype *type, ir_op *index_i64)
{
    spot out = p;
    out.type = type;
    if (lower_is_const(index_i64, 0))
        return out;
    ir_op *flat = type->kind == FT_ARRAY ? lower_flat(l, type) : NULL;
    add_offset(l, &out, flat ? lower_binary(l, SCALAR_OP_mul, index_i64, flat) : index_i64);
    return out;
}

spot lower_element(lower *l, spot array, ir_op *index_i64)
{
    return lower_advanced(l, array, array.type->elem, index_i64);
}

spot lower_field(lower *l, spot object, const fdecl *field)
{
    spot out = { .type = field->type, .shared = object.shared, .into = object.into };
    out.base = ir_field_ref(&l->b, lower_address(l, object), field->index);
    out.in_array = field->type->kind == FT_ARRAY;
    return out;
}

/* ---- variables ---- */

bool lower_is_table(const fdecl *d)
{
    return d->kind == D_VAR && d->is_const && (!d->func || d->is_static || d->as_table);
}

spot lower_variable(lower *l, fdecl *d, ir_place at)
{
    binding *b = &d->bind;

    if (lower_is_table(d)) {
        const ir_table *table = constant_table(l->f, d);
        if (!table)
            return lower_bad_place(l, d->type);
        return (spot){ .type = d->type,
                       .base = ir_table_ref(&l->b, table),
                       .into = d,
                       .in_array = d->type->kind == FT_ARRAY };
    }
    if (b->stamp != l->f->stamp) {
        front_error(l->f, at, NULL, "`%s` cannot be used here", d->name);
        return lower_bad_place(l, d->type);
    }
    if (b->value) { /* a parameter that is never written, where an object is wanted */
        spot p = lower_temp(l, d->type, d->name);
        ir_store(&l->b, p.base, b->value);
        return p;
    }
    spot p = { .type = b->type, .base = b->base, .into = d, .in_array = b->in_array };
    if (!b->base)
        return lower_bad_place(l, d->type);
    p.shared = l->kernel_level && l->task && b->task != l->task && b->base->type->space == IR_LOCAL;
    return p;
}

/* ---- places ---- */

static spot struct_choice(lower *l, node *n)
{
    spot out = lower_temp(l, n->type, ".choice");
    ir_op *chosen = ir_if(&l->b, lower_condition(l, n->kids[0]), ir_type_void(l->f->m));

    for (uint32_t side = 0; side < 2; side++) {
        ir_enter(&l->b, chosen, side);
        lower_copy(l, out, lower_place(l, n->kids[side + 1]));
    }
    ir_leave(&l->b, chosen);
    return out;
}

static spot element(lower *l, node *n)
{
    spot p = lower_pointer(l, n->kids[0]);
    ir_op *index = lower_index(l, n->kids[1]);
    l->b.place = n->place;
    return lower_advanced(l, p, p.type, index);
}

spot lower_place(lower *l, node *n)
{
    l->b.place = n->place;
    switch ((int)n->kind) { /* those that have a place */
    case N_REF:
        if (n->decl->kind != D_FUNC)
            return lower_variable(l, n->decl, n->place);
        break;
    case N_MEMBER: {
        spot object = n->arrow ? lower_pointer(l, n->kids[0]) : lower_place(l, n->kids[0]);
        if (object.type->kind != FT_STRUCT)
            break;
        return lower_field(l, object, n->decl);
    }
    case N_INDEX:
        return element(l, n);
    case N_UNARY:
        if (n->op == CXUnaryOperator_Deref)
            return lower_pointer(l, n->kids[0]);
        break;
    case N_CAST:
        return lower_place(l, n->kids[0]);
    case N_LITERAL: {
        spot p = lower_temp(l, n->type, ".literal");
        lower_init(l, p, n->kids[0]);
        return p;
    }
    case N_CALL: {
        spot p = lower_temp(l, n->type, arena_text(l->f->arena, ".%s", n->decl->name));
        lower_call(l, n, &p);
        return p;
    }
    case N_ASSIGN:
        return lower_struct_assign(l, n);
    case N_COND:
        return struct_choice(l, n);
    case N_BINARY:
        if (n->op != CXBinaryOperator_Comma)
            break;
        lower_effect(l, n->kids[0]);
        return lower_place(l, n->kids[1]);
    case N_STRING:
        front_error(l->f, n->place, "text can only be the format of printf",
                    "a string literal stands outside printf and assert");
        break;
    default: /* an error has been given */
        break;
    }
    return lower_bad_place(l, n->type);
}
