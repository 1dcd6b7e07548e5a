/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_place.c - lvalues, struct values and pointer values, all as (base, offset).
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

/* A place that stands for one that was refused; never without an error, since code would be made of it. */
static spot bad_place(lower *l, const ftype *t)
{
    ir_place at = l->b.place;

    if (l->f->diags->errors == 0)
        diag_add(l->f->diags, DIAG_ERROR, at.line ? l->f->m->files[at.file] : NULL, at.line, at.column,
                 "please report it with this line", "slipc does not know this form of an expression");
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

/* The index-th `type` behind p. */
static spot advanced(lower *l, spot p, const ftype *type, ir_op *index_i64)
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
    return advanced(l, array, array.type->elem, index_i64);
}

spot lower_field(lower *l, spot object, const fdecl *field)
{
    spot out = { .type = field->type, .shared = object.shared, .into = object.into };
    out.base = ir_field_ref(&l->b, lower_address(l, object), field->index);
    out.in_array = field->type->kind == FT_ARRAY;
    return out;
}

/* ---- variables
 * ------------------------------------------------------------------------------------- */

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
            return bad_place(l, d->type);
        return (spot){ .type = d->type,
                       .base = ir_table_ref(&l->b, table),
                       .into = d,
                       .in_array = d->type->kind == FT_ARRAY };
    }
    if (b->stamp != l->f->stamp) {
        front_error(l->f, at, NULL, "`%s` cannot be used here", d->name);
        return bad_place(l, d->type);
    }
    if (b->value) { /* a parameter that is never written, where an object is wanted */
        spot p = lower_temp(l, d->type, d->name);
        ir_store(&l->b, p.base, b->value);
        return p;
    }
    spot p = { .type = b->type, .base = b->base, .into = d, .in_array = b->in_array };
    if (!b->base)
        return bad_place(l, d->type);
    p.shared = l->kernel_level && l->task && b->task != l->task && b->base->type->space == IR_LOCAL;
    return p;
}

/* ---- places
 * ----------------------------------------------------------------------------------------- */

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
    return advanced(l, p, p.type, index);
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
    return bad_place(l, n->type);
}

/* ---- pointers
 * --------------------------------------------------------------------------------------- */

/* p + k, p - k; the pointer may stand on either side of +. */
static spot pointer_sum(lower *l, node *n)
{
    bool left = n->kids[0]->type->kind == FT_POINTER;
    spot p = { 0 };
    ir_op *k;

    if (left) {
        p = lower_pointer(l, n->kids[0]);
        k = lower_index(l, n->kids[1]);
    } else {
        k = lower_index(l, n->kids[0]);
        p = lower_pointer(l, n->kids[1]);
    }
    if (n->op == CXBinaryOperator_Sub)
        k = lower_binary(l, SCALAR_OP_sub, ir_const_i64(&l->b, 0), k);
    return advanced(l, p, p.type, k);
}

/* Reshapes to the same element type only; (f32 (*)[m])x takes its extents along. */
static spot pointer_cast(lower *l, node *n)
{
    spot p = lower_pointer(l, n->kids[0]);
    const ftype *to = n->type->elem;
    const ftype *from = ftype_inner(p.type), *inner = ftype_inner(to);

    if (to->kind == FT_VOID || n->kids[0]->type->kind == FT_ARRAY)
        return p;
    bool same = from == inner || (from->kind == FT_SCALAR && inner->kind == FT_SCALAR &&
                                  from->scalar == inner->scalar);
    if (!same) {
        front_error(l->f, n->place,
                    "index the array as what it is; slip_f32_bits and memcpy show a number's bits",
                    "a pointer to %s is cast to a pointer to %s", ftype_text(l->f, from),
                    ftype_text(l->f, inner));
        return p;
    }
    if (to->kind == FT_ARRAY && (!n->implicit || !to->runtime)) {
        uint32_t dims = n->count - 1; /* innermost first, as clang gives them */
        node **ordered = arena_new(l->f->arena, (dims + 1) * sizeof *ordered);
        for (uint32_t i = 0; i < dims; i++)
            ordered[i] = n->kids[n->count - 1 - i];
        const ftype *shaped = lower_runtime_type(l, n->type, ordered, dims);
        p.type = shaped->elem;
    } else if (to->kind != FT_ARRAY) {
        p.type = to;
    }
    return p;
}

static spot pointer_choice(lower *l, node *n)
{
    ir_op *c = lower_condition(l, n->kids[0]);
    ir_op *chosen = ir_if(&l->b, c, ir_type_void(l->f->m));
    spot sides[2];

    for (uint32_t side = 0; side < 2; side++) {
        ir_enter(&l->b, chosen, side);
        sides[side] = lower_pointer(l, n->kids[side + 1]);
        if (sides[side].base->type->space == IR_GLOBAL) {
            ir_op *address = lower_address(l, sides[side]);
            chosen->type = address->type;
            ir_yield(&l->b, address);
        }
    }
    ir_leave(&l->b, chosen);
    bool globals =
        sides[0].base->type->space == IR_GLOBAL && sides[1].base->type->space == IR_GLOBAL;
    if (globals) {
        spot out = { .type = sides[0].type, .base = chosen };
        return out;
    }
    front_error(
        l->f, n->place, "choose an index instead, or copy into one array",
        "this pointer could be `%s` or `%s`; only arrays in device memory can be chosen between",
        sides[0].into ? sides[0].into->name : "local memory",
        sides[1].into ? sides[1].into->name : "local memory");
    ir_remove(chosen);
    return bad_place(l, n->type);
}

static spot pointer_step(lower *l, node *n)
{
    fdecl *d = n->kids[0]->kind == N_REF ? n->kids[0]->decl : NULL;
    if (!d)
        return bad_place(l, n->type);
    bool down = n->op == CXUnaryOperator_PreDec || n->op == CXUnaryOperator_PostDec;
    spot old = lower_pointed(l, d, n->place);
    spot new = advanced(l, old, old.type, ir_const_i64(&l->b, down ? -1 : 1));
    lower_point(l, d, new, n->place);
    return n->post ? old : new;
}

static spot pointer_assign(lower *l, node *n)
{
    fdecl *d = n->kids[0]->kind == N_REF ? n->kids[0]->decl : NULL;
    if (!d)
        return bad_place(l, n->type);
    spot to;
    if (n->kind == N_COMPOUND) {
        ir_op *k;
        to = lower_pointed(l, d, n->place);
        k = lower_index(l, n->kids[1]);
        if (n->op == CXBinaryOperator_Sub)
            k = lower_binary(l, SCALAR_OP_sub, ir_const_i64(&l->b, 0), k);
        to = advanced(l, to, to.type, k);
    } else {
        to = lower_pointer(l, n->kids[1]);
    }
    lower_point(l, d, to, n->place);
    return lower_pointed(l, d, n->place);
}

static spot null_pointer(lower *l, node *n)
{
    spot p = { .type = n->type->elem };
    const ftype *inner = ftype_inner(n->type->elem);
    const ir_type *type =
        ir_type_ptr(l->f->m, IR_GLOBAL,
                    inner->kind == FT_VOID ? ir_type_scalar(l->f->m, SCALAR_u8) : inner->ir);
    ir_op *zero = ir_const(&l->b, SCALAR_u64, 0);
    p.base = ir_build(&l->b, IR_bitcast, type, &zero, 1);
    return p;
}

static spot decayed(lower *l, node *n)
{
    spot p = lower_place(l, n->kids[0]);
    if (p.type->kind == FT_ARRAY)
        p.type = p.type->elem;
    return p;
}

spot lower_pointer(lower *l, node *n)
{
    l->b.place = n->place;
    if (lower_is_null(n))
        return null_pointer(l, n);
    switch ((int)n->kind) { /* those that make pointers */
    case N_REF:
        if (n->decl->type->kind == FT_POINTER)
            return lower_pointed(l, n->decl, n->place);
        break;
    case N_CAST:
        if (n->kids[0]->type->kind == FT_ARRAY)
            return decayed(l, n);
        if (n->kids[0]->type->kind == FT_POINTER)
            return pointer_cast(l, n);
        front_error(l->f, n->place, "pass the array as a parameter",
                    "an integer is turned into a pointer");
        break;
    case N_UNARY:
        if (n->op == CXUnaryOperator_AddrOf)
            return lower_place(l, n->kids[0]);
        if (n->op >= CXUnaryOperator_PostInc && n->op <= CXUnaryOperator_PreDec)
            return pointer_step(l, n);
        break;
    case N_BINARY:
        if (n->op == CXBinaryOperator_Comma) {
            lower_effect(l, n->kids[0]);
            return lower_pointer(l, n->kids[1]);
        }
        if (n->op == CXBinaryOperator_Add || n->op == CXBinaryOperator_Sub)
            return pointer_sum(l, n);
        break;
    case N_COND:
        return pointer_choice(l, n);
    case N_ASSIGN:
    case N_COMPOUND:
        return pointer_assign(l, n);
    case N_CALL:
        front_error(l->f, n->place, "return an index, or let the caller pass the array",
                    "`%s` returns a pointer", n->decl->name);
        break;
    default: /* an error has been given */
        break;
    }
    return bad_place(l, n->type->kind == FT_POINTER ? n->type->elem : n->type);
}
