/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_integer.c - integers and bools, with the language's exact values (base/scalar.h).
 *
 * 8-bit and 16-bit integers are computed in words and made canonical again. No shift, division or
 * remainder reaches the device with operands for which SPIR-V leaves its value open (SPIR-V 1.5,
 * 3.32.13 and 3.32.14: a count of the width or more, a divisor of 0).
 */
#include "target/spirv_emit.h"

static uint32_t width_of(scalar_type type)
{
    return 8u * scalar_types[type].bytes;
}

/* A constant of the type that values of `type` have. */
static spirv_id number(spirv_emit *e, scalar_type type, uint64_t value)
{
    return width_of(type) == 64 ? spirv_u64(e, value) : spirv_u32(e, (uint32_t)value);
}

spirv_id spirv_narrow(spirv_emit *e, scalar_type type, spirv_id word)
{
    uint32_t width = width_of(type);
    spirv_id u32 = spirv_type(e, SPIRV_U32);

    if (width >= 32)
        return word;
    if (!scalar_types[type].is_signed)
        return spirv_make2(e, SPIRV_BitwiseAnd, u32, word, spirv_u32(e, (1u << width) - 1));
    return spirv_make3(e, SPIRV_BitFieldSExtract, u32, word, spirv_u32(e, 0), spirv_u32(e, width));
}

static spirv_id is(spirv_emit *e, spirv_op compare, spirv_id a, spirv_id b)
{
    return spirv_make2(e, compare, spirv_type(e, SPIRV_BOOL), a, b);
}

/*
 * Numbers of 64 bits that are moved by 2^63 are ordered without a sign as they were with one. A
 * constant, and what was sign-extended, is compared so: Mesa 22.3 finds
 * `i < 10` false for every i of 64 bits that was sign-extended from fewer.
 */
static bool move_wide(spirv_emit *e, scalar_type type, spirv_id *a, spirv_id *b)
{
    const uint64_t by = UINT64_C(1) << 63;
    spirv_id *in[2] = { a, b };
    uint64_t known[2];
    bool is_known[2];

    if (type != SCALAR_i64)
        return false;
    for (int k = 0; k < 2; k++)
        is_known[k] = spirv_const_bits(e, *in[k], &known[k]);
    if (!is_known[0] && !is_known[1] && !spirv_is_widened(e, *a) && !spirv_is_widened(e, *b))
        return false;
    for (int k = 0; k < 2; k++)
        *in[k] = is_known[k] ? spirv_const(e, type, known[k] ^ by)
                             : spirv_make2(e, SPIRV_BitwiseXor, spirv_type(e, SPIRV_U64), *in[k],
                                           spirv_const(e, type, by));
    return true;
}

/* `a < b`, or `a <= b`. */
static spirv_id ordered(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    bool is_signed = scalar_types[type].is_signed && !move_wide(e, type, &a, &b);

    if (op == SCALAR_OP_lt)
        return is(e, is_signed ? SPIRV_SLessThan : SPIRV_ULessThan, a, b);
    return is(e, is_signed ? SPIRV_SLessThanEqual : SPIRV_ULessThanEqual, a, b);
}

static spirv_id less(spirv_emit *e, scalar_type type, spirv_id a, spirv_id b)
{
    return ordered(e, SCALAR_OP_lt, type, a, b);
}

static spirv_id shift(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));
    spirv_id count = spirv_make2(e, SPIRV_BitwiseAnd, held, b, number(e, type, width_of(type) - 1));

    if (op == SCALAR_OP_shl)
        return spirv_narrow(e, type, spirv_make2(e, SPIRV_ShiftLeftLogical, held, a, count));
    return spirv_make2(
        e, scalar_types[type].is_signed ? SPIRV_ShiftRightArithmetic : SPIRV_ShiftRightLogical,
        held, a, count);
}

static spirv_id bool_op(spirv_emit *e, scalar_op op, spirv_id a, spirv_id b)
{
    spirv_id type = spirv_type(e, SPIRV_BOOL);

    switch ((int)op) {
    case SCALAR_OP_and:
    case SCALAR_OP_mul: /* as reductions have them */
    case SCALAR_OP_min:
        return spirv_make2(e, SPIRV_LogicalAnd, type, a, b);
    case SCALAR_OP_or:
    case SCALAR_OP_add:
    case SCALAR_OP_max:
        return spirv_make2(e, SPIRV_LogicalOr, type, a, b);
    case SCALAR_OP_xor:
    case SCALAR_OP_ne:
        return spirv_make2(e, SPIRV_LogicalNotEqual, type, a, b);
    case SCALAR_OP_eq:
        return spirv_make2(e, SPIRV_LogicalEqual, type, a, b);
    case SCALAR_OP_not:
        return spirv_make1(e, SPIRV_LogicalNot, type, a);
    }
    spirv_wrong(e, "an operation that bool does not have");
    return a;
}

/* All ones where a signed number is negative, else 0. */
static spirv_id sign_of(spirv_emit *e, scalar_type type, spirv_id a)
{
    uint32_t top = width_of(type) == 64 ? 63 : 31;

    return spirv_make2(e, SPIRV_ShiftRightArithmetic, spirv_type(e, spirv_base_of(type)), a,
                       spirv_u32(e, top));
}

/* a, or -a where the sign is all ones. A choice between the two would say the same, but Mesa 22.3
 * takes that for an absolute value, which llvmpipe has wrong in 64 bits. */
static spirv_id with_sign(spirv_emit *e, scalar_type type, spirv_id a, spirv_id sign)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));

    return spirv_make2(e, SPIRV_ISub, held, spirv_make2(e, SPIRV_BitwiseXor, held, a, sign), sign);
}

/* a / b of unsigned numbers; where `known` b is not 0. */
static spirv_id quotient(spirv_emit *e, scalar_type type, spirv_id a, spirv_id b, bool known)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));

    if (known)
        return spirv_make2(e, SPIRV_UDiv, held, a, b);
    spirv_id none = is(e, SPIRV_IEqual, b, number(e, type, 0));
    spirv_id safe = spirv_make3(e, SPIRV_Select, held, none, number(e, type, 1), b);
    spirv_id raw = spirv_make2(e, SPIRV_UDiv, held, a, safe);
    return spirv_make3(e, SPIRV_Select, held, none, number(e, type, 0), raw);
}

/*
 * On magnitudes, which both have unsigned divisions for: MIN / -1 wraps by itself, and x % b is
 * x - b * (x / b), which is x where b is 0 because x / 0 is 0.
 */
spirv_id spirv_divide(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b,
                      const ir_op *divisor)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));
    bool known = divisor && divisor->code == IR_const && divisor->bits != 0;
    bool is_signed = scalar_types[type].is_signed;
    spirv_id q;

    if (!is_signed) {
        q = quotient(e, type, a, b, known);
    } else {
        spirv_id a_sign = sign_of(e, type, a), b_sign = sign_of(e, type, b);
        spirv_id raw =
            quotient(e, type, with_sign(e, type, a, a_sign), with_sign(e, type, b, b_sign), known);
        q = with_sign(e, type, raw, spirv_make2(e, SPIRV_BitwiseXor, held, a_sign, b_sign));
    }
    if (op == SCALAR_OP_div)
        return is_signed ? spirv_narrow(e, type, q) : q;
    return spirv_make2(e, SPIRV_ISub, held, a, spirv_make2(e, SPIRV_IMul, held, b, q));
}

spirv_id spirv_integer(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    spirv_id held = spirv_type(e, spirv_base_of(type));

    if (type == SCALAR_bool)
        return bool_op(e, op, a, b);
    switch (op) {
    case SCALAR_OP_add:
        return spirv_narrow(e, type, spirv_make2(e, SPIRV_IAdd, held, a, b));
    case SCALAR_OP_sub:
        return spirv_narrow(e, type, spirv_make2(e, SPIRV_ISub, held, a, b));
    case SCALAR_OP_mul:
        return spirv_narrow(e, type, spirv_make2(e, SPIRV_IMul, held, a, b));
    case SCALAR_OP_div:
    case SCALAR_OP_rem:
        return spirv_divide(e, op, type, a, b, NULL);
    case SCALAR_OP_min:
        return spirv_make3(e, SPIRV_Select, held, less(e, type, b, a), b, a);
    case SCALAR_OP_max:
        return spirv_make3(e, SPIRV_Select, held, less(e, type, a, b), b, a);
    case SCALAR_OP_and:
        return spirv_make2(e, SPIRV_BitwiseAnd, held, a, b);
    case SCALAR_OP_or:
        return spirv_make2(e, SPIRV_BitwiseOr, held, a, b);
    case SCALAR_OP_xor:
        return spirv_make2(e, SPIRV_BitwiseXor, held, a, b);
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
        return shift(e, op, type, a, b);
    case SCALAR_OP_eq:
        return is(e, SPIRV_IEqual, a, b);
    case SCALAR_OP_ne:
        return is(e, SPIRV_INotEqual, a, b);
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
        return ordered(e, op, type, a, b);
    case SCALAR_OP_neg:
        return spirv_narrow(e, type, spirv_make2(e, SPIRV_ISub, held, number(e, type, 0), a));
    case SCALAR_OP_not:
        return spirv_narrow(e, type, spirv_make1(e, SPIRV_Not, held, a));
    case SCALAR_OP_abs:
        if (!scalar_types[type].is_signed)
            return a;
        return spirv_narrow(e, type, with_sign(e, type, a, sign_of(e, type, a)));
    case SCALAR_OP_sqrt:
    case SCALAR_OP_floor:
    case SCALAR_OP_ceil:
    case SCALAR_OP_trunc:
    case SCALAR_OP_rint:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_fma:
    case SCALAR_OP_COUNT:
        break;
    }
    spirv_wrong(e, "an operation that integers do not have");
    return a;
}
