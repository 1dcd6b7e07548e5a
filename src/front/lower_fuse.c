/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_fuse.c - the two places where the front changes how a float expression is computed.
 *
 * --fma: an addition or subtraction whose left, else right, operand is (through unary minus, comma
 * and casts that change nothing) a multiplication of its own type. Narrowing: (f32)(a op b)
 * computed in f64 from values that f32 holds exactly gives the same bits in f32 (53 >= 2 * 24 + 2).
 */
#include <string.h>

#include "front/lower.h"

/* The multiplication behind n, if there is one. */
bool fuse_factor(const node *n, scalar_type s, const node **mul, bool *negated)
{
    *negated = false;
    for (;;) {
        if (n->type->kind != FT_SCALAR || n->type->scalar != s)
            return false;
        if (n->kind == N_UNARY && n->op == CXUnaryOperator_Minus) {
            *negated = !*negated;
            n = n->kids[0];
        } else if (n->kind == N_BINARY && n->op == CXBinaryOperator_Comma) {
            n = n->kids[1];
        } else {
            *mul = n;
            return n->kind == N_BINARY && n->op == CXBinaryOperator_Mul;
        }
    }
}

static void comma_effects(lower *l, node *n)
{
    for (;;) {
        if (n->kind == N_BINARY && n->op == CXBinaryOperator_Comma) {
            lower_effect(l, n->kids[0]);
            n = n->kids[1];
        } else if (n->kind == N_UNARY && n->op == CXUnaryOperator_Minus) {
            n = n->kids[0];
        } else {
            return;
        }
    }
}

ir_op *lower_fused(lower *l, node *n)
{
    scalar_type s = n->type->scalar;
    const node *mul = NULL;
    bool negated = false;
    bool minus = n->op == CXBinaryOperator_Sub;

    if ((n->op != CXBinaryOperator_Add && !minus) || !scalar_types[s].is_float)
        return NULL;
    bool left = fuse_factor(n->kids[0], s, &mul, &negated);
    if (!left && !fuse_factor(n->kids[1], s, &mul, &negated))
        return NULL;

    ir_op *in[3];
    if (!left)
        in[2] = lower_value(l, n->kids[0]);
    comma_effects(l, n->kids[left ? 0 : 1]);
    in[0] = lower_value(l, mul->kids[0]);
    in[1] = lower_value(l, mul->kids[1]);
    if (left)
        in[2] = lower_value(l, n->kids[1]);
    bool negate_product = left ? negated : negated != minus;
    if (negate_product)
        in[0] = ir_unary(&l->b, SCALAR_OP_neg, in[0]);
    if (left && minus)
        in[2] = ir_unary(&l->b, SCALAR_OP_neg, in[2]);
    l->b.place = n->place;
    return ir_build(&l->b, IR_fma, n->type->ir, in, 3);
}

/* ---- narrowing ----------------------------------------------------------------------------------
 */

static bool fits_f32(scalar_type s, uint64_t bits)
{
    uint64_t narrow = scalar_eval(SCALAR_OP_convert, SCALAR_f32, s, bits, 0, 0);
    uint64_t wide = scalar_eval(SCALAR_OP_convert, SCALAR_f64, SCALAR_f32, narrow, 0, 0);
    uint64_t exact = scalar_eval(SCALAR_OP_convert, SCALAR_f64, s, bits, 0, 0);
    return wide == exact;
}

bool narrow_exact(const node *n)
{
    if (n->type->kind != FT_SCALAR)
        return false;
    if (n->kind == N_UNARY && n->op == CXUnaryOperator_Minus)
        return narrow_exact(n->kids[0]);
    if (n->kind == N_FLOAT)
        return fits_f32(n->type->scalar, n->bits);
    if (n->type->scalar == SCALAR_f32)
        return true;
    if (n->kind != N_CAST || n->type->scalar != SCALAR_f64 || n->kids[0]->type->kind != FT_SCALAR)
        return false;
    const node *from = n->kids[0];
    if (from->kind == N_INT)
        return fits_f32(from->type->scalar, from->bits) &&
               scalar_types[from->type->scalar].bytes <= 4;
    return from->type->scalar == SCALAR_f32 || (!scalar_types[from->type->scalar].is_float &&
                                                scalar_types[from->type->scalar].bytes <= 2);
}

ir_op *narrow_value(lower *l, node *n)
{
    if (n->kind == N_UNARY && n->op == CXUnaryOperator_Minus && n->type->scalar != SCALAR_f32)
        return ir_unary(&l->b, SCALAR_OP_neg, narrow_value(l, n->kids[0]));
    if (n->kind == N_CAST && n->type->scalar == SCALAR_f64)
        return lower_convert(l, SCALAR_f32, lower_value(l, n->kids[0]));
    return lower_convert(l, SCALAR_f32, lower_value(l, n));
}

static bool is_sqrt(const node *n)
{
    return n->kind == N_CALL && n->decl->is_builtin && strcmp(n->decl->name, "sqrt") == 0 &&
           n->count == 1;
}

ir_op *lower_narrowed(lower *l, node *n)
{
    node *from = n->kids[0];

    if (n->type->scalar != SCALAR_f32 || from->type->kind != FT_SCALAR ||
        from->type->scalar != SCALAR_f64)
        return NULL;
    if (is_sqrt(from) && narrow_exact(from->kids[0]))
        return ir_unary(&l->b, SCALAR_OP_sqrt, narrow_value(l, from->kids[0]));
    bool op = from->kind == N_BINARY &&
              (from->op == CXBinaryOperator_Add || from->op == CXBinaryOperator_Sub ||
               from->op == CXBinaryOperator_Mul || from->op == CXBinaryOperator_Div);
    if (!op || !narrow_exact(from->kids[0]) || !narrow_exact(from->kids[1]))
        return NULL;
    ir_op *a = narrow_value(l, from->kids[0]);
    ir_op *b = narrow_value(l, from->kids[1]);
    return lower_arith(l, from->op, a, b);
}
