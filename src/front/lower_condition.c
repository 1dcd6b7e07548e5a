/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_condition.c - conditions as bools: what C computes as an int and asks whether it is 0. The
 * right side of && and || is computed only where the left one asks for it, unless it is cheap.
 */
#include "front/lower.h"

static uint32_t cheap_cost(const node *n)
{
    enum { DEAR = 1000 };
    uint32_t cost = 1;

    if (n->kind == N_INT || n->kind == N_FLOAT)
        return 0;
    if (n->kind == N_REF)
        return n->type->kind == FT_SCALAR ? 1 : DEAR;
    bool allowed =
        n->kind == N_CAST || n->kind == N_COND ||
        (n->kind == N_UNARY && (n->op == CXUnaryOperator_Minus || n->op == CXUnaryOperator_Not ||
                                n->op == CXUnaryOperator_LNot)) ||
        (n->kind == N_BINARY && n->op != CXBinaryOperator_Div && n->op != CXBinaryOperator_Rem &&
         n->op != CXBinaryOperator_Comma);
    if (!allowed || n->type->kind != FT_SCALAR)
        return DEAR;
    for (uint32_t i = 0; i < n->count; i++)
        cost += cheap_cost(n->kids[i]);
    return cost;
}

bool lower_cheap(const node *n)
{
    return cheap_cost(n) <= 8;
}

static ir_op *to_bool(lower *l, ir_op *a)
{
    if (a->type->kind == IR_SCALAR)
        return lower_convert(l, SCALAR_bool, a);
    return a;
}

/* a && b, a || b: the right side only where the left one asks for it. */
static ir_op *logical(lower *l, node *n)
{
    bool is_and = n->op == CXBinaryOperator_LAnd;
    ir_op *a = lower_condition(l, n->kids[0]);

    if (lower_cheap(n->kids[1])) {
        ir_op *b = lower_condition(l, n->kids[1]);
        return lower_binary(l, is_and ? SCALAR_OP_and : SCALAR_OP_or, a, b);
    }
    ir_op *chosen = ir_if(&l->b, a, ir_type_scalar(l->f->m, SCALAR_bool));
    for (uint32_t side = 0; side < 2; side++) {
        ir_enter(&l->b, chosen, side);
        bool asks = (side == 0) == is_and;
        ir_yield(&l->b,
                 asks ? lower_condition(l, n->kids[1]) : ir_const(&l->b, SCALAR_bool, !is_and));
    }
    ir_leave(&l->b, chosen);
    return chosen;
}

static bool compares(const node *n)
{
    return n->kind == N_BINARY && n->op >= CXBinaryOperator_LT && n->op <= CXBinaryOperator_NE;
}

static bool is_logical(const node *n)
{
    return n->kind == N_BINARY && (n->op == CXBinaryOperator_LAnd || n->op == CXBinaryOperator_LOr);
}

bool lower_is_condition(const node *n)
{
    return compares(n) || is_logical(n);
}

static ir_op *comparison(lower *l, node *n)
{
    if (n->kids[0]->type->kind == FT_POINTER || n->kids[1]->type->kind == FT_POINTER)
        return lower_pointer_compare(l, n);
    ir_op *a = lower_value(l, n->kids[0]);
    ir_op *b = lower_value(l, n->kids[1]);
    return lower_arith(l, n->op, a, b);
}

ir_op *lower_condition(lower *l, node *n)
{
    l->b.place = n->place;
    if (compares(n))
        return comparison(l, n);
    if (is_logical(n))
        return logical(l, n);
    if (n->kind == N_UNARY && n->op == CXUnaryOperator_LNot)
        return lower_unary(l, SCALAR_OP_not, lower_condition(l, n->kids[0]));
    if (n->kind == N_CAST && n->type->kind == FT_SCALAR && n->kids[0]->type->kind == FT_SCALAR &&
        (n->type->scalar == SCALAR_bool || scalar_types[n->type->scalar].is_integer)) {
        bool widens =
            n->type->scalar == SCALAR_bool ||
            (scalar_types[n->kids[0]->type->scalar].bytes <= scalar_types[n->type->scalar].bytes &&
             !scalar_types[n->kids[0]->type->scalar].is_float);
        if (widens)
            return lower_condition(l, n->kids[0]);
    }
    if (n->type->kind == FT_POINTER) {
        spot p = lower_pointer(l, n);
        if (p.base->type->kind == IR_PTR && p.base->type->space == IR_GLOBAL) {
            ir_op *bits = ir_bitcast(&l->b, SCALAR_u64, lower_address(l, p));
            return ir_binary(&l->b, SCALAR_OP_ne, bits, ir_const(&l->b, SCALAR_u64, 0));
        }
        return ir_const(&l->b, SCALAR_bool, 1);
    }
    return to_bool(l, lower_value(l, n));
}
