/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_math.c - math functions that are a few exact operations.
 *
 * Those of the library (mathlib/) are calls before a target sees them. GLSL.std.450 promises few
 * bits of sin, exp and their like, so none of them is used: a function that the library does not
 * have leaves the shader out, and the need names the call's place.
 */
#include "target/spirv_emit.h"

static spirv_id op1(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a)
{
    return spirv_scalar(e, op, type, type, a, 0, 0);
}

static spirv_id op2(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    return spirv_scalar(e, op, type, type, a, b, 0);
}

static spirv_id one(spirv_emit *e, scalar_type type)
{
    return spirv_const(e, type, type == SCALAR_f32 ? 0x3f800000 : 0x3ff0000000000000);
}

static spirv_id copysign_of(spirv_emit *e, scalar_type type, spirv_id x, spirv_id y)
{
    scalar_type whole = type == SCALAR_f32 ? SCALAR_u32 : SCALAR_u64;
    spirv_id sign =
        spirv_const(e, whole, type == SCALAR_f32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63);
    spirv_id size = spirv_to_bits(e, type, op1(e, SCALAR_OP_abs, type, x));
    spirv_id of_y = op2(e, SCALAR_OP_and, whole, spirv_to_bits(e, type, y), sign);

    return spirv_from_bits(e, type, op2(e, SCALAR_OP_or, whole, size, of_y));
}

/* x > y ? x - y : 0, a NaN if either is one */
static spirv_id positive_difference(spirv_emit *e, scalar_type type, spirv_id x, spirv_id y)
{
    spirv_id none = spirv_scalar(e, SCALAR_OP_le, SCALAR_bool, type, x, y, 0);

    return spirv_scalar(e, SCALAR_OP_select, type, type, none, spirv_const(e, type, 0),
                        op2(e, SCALAR_OP_sub, type, x, y));
}

/* Halves go away from zero: x - trunc(x) is exact, and tells whether one more is due. */
static spirv_id round_of(spirv_emit *e, scalar_type type, spirv_id x)
{
    spirv_id whole = op1(e, SCALAR_OP_trunc, type, x);
    spirv_id rest = op1(e, SCALAR_OP_abs, type, op2(e, SCALAR_OP_sub, type, x, whole));
    spirv_id half = spirv_const(e, type, type == SCALAR_f32 ? 0x3f000000 : 0x3fe0000000000000);
    spirv_id due = spirv_scalar(e, SCALAR_OP_le, SCALAR_bool, type, half, rest, 0);
    spirv_id more = op2(e, SCALAR_OP_add, type, whole, copysign_of(e, type, one(e, type), x));

    return spirv_scalar(e, SCALAR_OP_select, type, type, due, more, whole);
}

spirv_id spirv_math(spirv_emit *e, const ir_op *op)
{
    scalar_type type = op->type->scalar;
    spirv_id x = spirv_value(e, op->in[0]);

    switch ((int)op->math) {
    case IR_MATH_round:
        return round_of(e, type, x);
    case IR_MATH_nearbyint:
        return op1(e, SCALAR_OP_rint, type, x);
    case IR_MATH_rsqrt:
        return op2(e, SCALAR_OP_div, type, one(e, type), op1(e, SCALAR_OP_sqrt, type, x));
    case IR_MATH_copysign:
        return copysign_of(e, type, x, spirv_value(e, op->in[1]));
    case IR_MATH_fdim:
        return positive_difference(e, type, x, spirv_value(e, op->in[1]));
    case IR_MATH_fmod:
        return op2(e, SCALAR_OP_rem, type, x, spirv_value(e, op->in[1]));
    }
    spirv_need(e, MOD_NEED_MATH); /* the library's are calls by now */
    return x;
}
