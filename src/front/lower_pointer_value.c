/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_pointer_value.c - expressions of pointer type as what they point to: (base, offset).
 * Pointer variables are lower_pointer.c's.
 */
#include "front/lower.h"

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
    return lower_advanced(l, p, p.type, k);
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
    return lower_bad_place(l, n->type);
}

static spot pointer_step(lower *l, node *n)
{
    fdecl *d = n->kids[0]->kind == N_REF ? n->kids[0]->decl : NULL;
    if (!d)
        return lower_bad_place(l, n->type);
    bool down = n->op == CXUnaryOperator_PreDec || n->op == CXUnaryOperator_PostDec;
    spot old = lower_pointed(l, d, n->place);
    spot new = lower_advanced(l, old, old.type, ir_const_i64(&l->b, down ? -1 : 1));
    lower_point(l, d, new, n->place);
    return n->post ? old : new;
}

static spot pointer_assign(lower *l, node *n)
{
    fdecl *d = n->kids[0]->kind == N_REF ? n->kids[0]->decl : NULL;
    if (!d)
        return lower_bad_place(l, n->type);
    spot to;
    if (n->kind == N_COMPOUND) {
        ir_op *k;
        to = lower_pointed(l, d, n->place);
        k = lower_index(l, n->kids[1]);
        if (n->op == CXBinaryOperator_Sub)
            k = lower_binary(l, SCALAR_OP_sub, ir_const_i64(&l->b, 0), k);
        to = lower_advanced(l, to, to.type, k);
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
    return lower_bad_place(l, n->type->kind == FT_POINTER ? n->type->elem : n->type);
}
