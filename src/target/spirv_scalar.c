/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_scalar.c - floats, with the language's exact values (base/scalar.h, LANGUAGE rule 20), and
 * the one way into every scalar operation.
 *
 * Each arithmetic result is NoContraction (SPIR-V 1.5, 3.20), so that no two are fused. What NaNs,
 * zeros' signs or denormals decide is decided by integers: a driver may treat floats as if there
 * were none of these. Division, square root, fma and remainder are in spirv_native.c.
 */
#include "target/spirv_emit.h"

typedef struct float_bits {
    spirv_id type, whole; /* the float's, and of the integer as wide */
    uint64_t sign, infinity;
    uint32_t width;
} float_bits;

static float_bits bits_of(spirv_emit *e, scalar_type type)
{
    bool narrow = type == SCALAR_f32;

    return (float_bits){
        .type = spirv_type(e, narrow ? SPIRV_F32 : SPIRV_F64),
        .whole = spirv_type(e, narrow ? SPIRV_U32 : SPIRV_U64),
        .sign = narrow ? UINT64_C(1) << 31 : UINT64_C(1) << 63,
        .infinity = narrow ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000),
        .width = narrow ? 32 : 64,
    };
}

static spirv_id whole_const(spirv_emit *e, float_bits f, uint64_t value)
{
    return f.width == 64 ? spirv_u64(e, value) : spirv_u32(e, (uint32_t)value);
}

static spirv_id to_whole(spirv_emit *e, float_bits f, spirv_id a)
{
    return spirv_make1(e, SPIRV_Bitcast, f.whole, a);
}

static spirv_id to_float(spirv_emit *e, float_bits f, spirv_id a)
{
    return spirv_make1(e, SPIRV_Bitcast, f.type, a);
}

static spirv_id masked(spirv_emit *e, float_bits f, spirv_id whole, uint64_t mask)
{
    return spirv_make2(e, SPIRV_BitwiseAnd, f.whole, whole, whole_const(e, f, mask));
}

static spirv_id whole_is_nan(spirv_emit *e, float_bits f, spirv_id whole)
{
    return spirv_make2(e, SPIRV_UGreaterThan, spirv_type(e, SPIRV_BOOL),
                       masked(e, f, whole, f.sign - 1), whole_const(e, f, f.infinity));
}

spirv_id spirv_is_nan(spirv_emit *e, scalar_type type, spirv_id value)
{
    float_bits f = bits_of(e, type);

    return whole_is_nan(e, f, to_whole(e, f, value));
}

spirv_id spirv_to_bits(spirv_emit *e, scalar_type type, spirv_id value)
{
    if (type == SCALAR_bool)
        return spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_U32), value, spirv_u32(e, 1),
                           spirv_u32(e, 0));
    if (scalar_types[type].is_float)
        return to_whole(e, bits_of(e, type), value);
    return value;
}

spirv_id spirv_from_bits(spirv_emit *e, scalar_type type, spirv_id bits)
{
    if (type == SCALAR_bool)
        return spirv_make2(e, SPIRV_INotEqual, spirv_type(e, SPIRV_BOOL), bits, spirv_u32(e, 0));
    if (scalar_types[type].is_float)
        return to_float(e, bits_of(e, type), bits);
    return bits;
}

uint64_t spirv_identity(scalar_op op, scalar_type type)
{
    bool is_float = scalar_types[type].is_float, is_signed = scalar_types[type].is_signed;
    uint32_t width = 8u * scalar_types[type].bytes;
    uint64_t highest = UINT64_MAX >> (64 - width + (is_signed ? 1 : 0));

    if (type == SCALAR_bool)
        return op == SCALAR_OP_and || op == SCALAR_OP_mul || op == SCALAR_OP_min;
    if (is_float) {
        uint64_t nan = type == SCALAR_f32 ? 0x7fc00000 : 0x7ff8000000000000;
        uint64_t one = type == SCALAR_f32 ? 0x3f800000 : 0x3ff0000000000000;
        uint64_t minus_zero = type == SCALAR_f32 ? 0x80000000 : 0x8000000000000000;
        return op == SCALAR_OP_add ? minus_zero : op == SCALAR_OP_mul ? one : nan;
    }
    if (op == SCALAR_OP_mul)
        return 1;
    if (op == SCALAR_OP_and)
        return scalar_canonical(type, UINT64_MAX);
    if (op == SCALAR_OP_min)
        return highest;
    if (op == SCALAR_OP_max)
        return is_signed ? ~highest : 0;
    return 0; /* add, or, xor */
}

/* ---- floats ---- */

spirv_id spirv_rounded(spirv_emit *e, spirv_op op, spirv_id type, spirv_id a, spirv_id b)
{
    spirv_id value = spirv_make2(e, op, type, a, b);

    spirv_decorate(e, value, SPIRV_DECORATE_NO_CONTRACTION, 0);
    return value;
}

/* 0 or -0, known when the shader is made. */
static bool is_zero_const(spirv_emit *e, scalar_type type, float_bits f, spirv_id id, bool *minus)
{
    *minus = id == spirv_const(e, type, f.sign);
    return *minus || id == spirv_const(e, type, 0);
}

/* A zero times a, or divided by a: of the sign of both, or a NaN. */
static spirv_id signed_zero(spirv_emit *e, scalar_type type, float_bits f, spirv_id a, bool minus,
                            bool divides)
{
    spirv_id flag = spirv_type(e, SPIRV_BOOL), bits = to_whole(e, f, a);
    spirv_id size = masked(e, f, bits, f.sign - 1), none;
    spirv_id zero = masked(e, f, bits, f.sign);

    if (minus)
        zero = spirv_make2(e, SPIRV_BitwiseXor, f.whole, zero, whole_const(e, f, f.sign));
    if (divides)
        none = spirv_make2(e, SPIRV_LogicalOr, flag, whole_is_nan(e, f, bits),
                           spirv_make2(e, SPIRV_IEqual, flag, size, whole_const(e, f, 0)));
    else
        none = spirv_make2(e, SPIRV_UGreaterThanEqual, flag, size, whole_const(e, f, f.infinity));
    uint64_t nan = type == SCALAR_f32 ? 0x7fc00000 : 0x7ff8000000000000;
    return to_float(e, f,
                    spirv_make3(e, SPIRV_Select, f.whole, none, whole_const(e, f, nan), zero));
}

/* x + 0, which is x but for -0. */
static spirv_id plus_zero(spirv_emit *e, scalar_type type, float_bits f, spirv_id x)
{
    spirv_id odd = spirv_make2(e, SPIRV_IEqual, spirv_type(e, SPIRV_BOOL), to_whole(e, f, x),
                               whole_const(e, f, f.sign));

    return spirv_make3(e, SPIRV_Select, f.type, odd, spirv_const(e, type, 0), x);
}

static spirv_id negated(spirv_emit *e, float_bits f, spirv_id x)
{
    return to_float(
        e, f,
        spirv_make2(e, SPIRV_BitwiseXor, f.whole, to_whole(e, f, x), whole_const(e, f, f.sign)));
}

/*
 * Operations with a zero that is known here are done by integers: drivers are fond of dropping
 * them. (Mesa 22.3's llvmpipe takes x + 0 for x, 0 - x for -x and x * 0 for 0, whatever
 * NoContraction says.) 0 where there is no such operand.
 */
static spirv_id with_zero(spirv_emit *e, scalar_op op, scalar_type type, float_bits f,
                          const spirv_id *in)
{
    bool minus;

    for (int k = 0; k < 2; k++) {
        spirv_id other = in[1 - k];
        if (!is_zero_const(e, type, f, in[k], &minus))
            continue;
        switch ((int)op) {
        case SCALAR_OP_add:
            return minus ? other : plus_zero(e, type, f, other);
        case SCALAR_OP_sub:
            if (k == 1)
                return minus ? plus_zero(e, type, f, other) : other;
            other = negated(e, f, other);
            return minus ? other : plus_zero(e, type, f, other);
        case SCALAR_OP_mul:
            return signed_zero(e, type, f, other, minus, false);
        case SCALAR_OP_div:
            return k == 0 ? signed_zero(e, type, f, other, minus, true) : 0;
        }
    }
    return 0;
}

/*
 * By integers that are ordered as floats are, -0 below +0: the bits, or for negative numbers all
 * of them but the sign inverted. A NaN in b loses, then one in a.
 */
static spirv_id min_max(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    float_bits f = bits_of(e, type);
    spirv_id flag = spirv_type(e, SPIRV_BOOL), keys[2],
             wholes[2] = { to_whole(e, f, a), to_whole(e, f, b) };

    for (int k = 0; k < 2; k++) {
        spirv_id fill = spirv_make2(e, SPIRV_ShiftRightArithmetic, f.whole, wholes[k],
                                    whole_const(e, f, f.width - 1));
        keys[k] =
            spirv_make2(e, SPIRV_BitwiseXor, f.whole, wholes[k], masked(e, f, fill, f.sign - 1));
    }
    spirv_id first = spirv_make2(e, op == SCALAR_OP_min ? SPIRV_SLessThan : SPIRV_SGreaterThan,
                                 flag, keys[0], keys[1]);
    spirv_id picked = spirv_make3(e, SPIRV_Select, f.whole, first, wholes[0], wholes[1]);
    spirv_id kept =
        spirv_make3(e, SPIRV_Select, f.whole, whole_is_nan(e, f, wholes[1]), wholes[0], picked);
    return to_float(
        e, f,
        spirv_make3(e, SPIRV_Select, f.whole, whole_is_nan(e, f, wholes[0]), wholes[1], kept));
}

/* GLSL.std.450's results are exact but for the sign of a zero, which C takes from the operand. */
static spirv_id whole_number(spirv_emit *e, enum spirv_glsl which, scalar_type type, spirv_id a)
{
    float_bits f = bits_of(e, type);
    spirv_id raw = to_whole(e, f, spirv_glsl(e, which, f.type, &a, 1));
    spirv_id sign = masked(e, f, to_whole(e, f, a), f.sign);

    return to_float(e, f,
                    spirv_make2(e, SPIRV_BitwiseOr, f.whole, masked(e, f, raw, f.sign - 1), sign));
}

static spirv_id compare(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b)
{
    spirv_id flag = spirv_type(e, SPIRV_BOOL);

    if (a == b && op == SCALAR_OP_ne)
        return spirv_is_nan(e, type, a);
    if (a == b && op == SCALAR_OP_eq)
        return spirv_make1(e, SPIRV_LogicalNot, flag, spirv_is_nan(e, type, a));
    return spirv_make2(e,
                       op == SCALAR_OP_eq   ? SPIRV_FOrdEqual
                       : op == SCALAR_OP_ne ? SPIRV_FUnordNotEqual
                       : op == SCALAR_OP_lt ? SPIRV_FOrdLessThan
                                            : SPIRV_FOrdLessThanEqual,
                       flag, a, b);
}

static spirv_id float_op(spirv_emit *e, scalar_op op, scalar_type type, const spirv_id *in)
{
    float_bits f = bits_of(e, type);
    spirv_id known = 0;

    if (op == SCALAR_OP_add || op == SCALAR_OP_sub || op == SCALAR_OP_mul || op == SCALAR_OP_div)
        known = with_zero(e, op, type, f, in);
    if (known)
        return known;
    switch (op) {
    case SCALAR_OP_add:
        return spirv_rounded(e, SPIRV_FAdd, f.type, in[0], in[1]);
    case SCALAR_OP_sub:
        return spirv_rounded(e, SPIRV_FSub, f.type, in[0], in[1]);
    case SCALAR_OP_mul:
        return spirv_rounded(e, SPIRV_FMul, f.type, in[0], in[1]);
    case SCALAR_OP_div:
    case SCALAR_OP_rem:
    case SCALAR_OP_sqrt:
    case SCALAR_OP_fma:
        return spirv_native(e, op, type, in);
    case SCALAR_OP_min:
    case SCALAR_OP_max:
        return min_max(e, op, type, in[0], in[1]);
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
        return compare(e, op, type, in[0], in[1]);
    case SCALAR_OP_neg:
        return to_float(e, f,
                        spirv_make2(e, SPIRV_BitwiseXor, f.whole, to_whole(e, f, in[0]),
                                    whole_const(e, f, f.sign)));
    case SCALAR_OP_abs:
        return to_float(e, f, masked(e, f, to_whole(e, f, in[0]), f.sign - 1));
    case SCALAR_OP_floor:
        return whole_number(e, SPIRV_GLSL_FLOOR, type, in[0]);
    case SCALAR_OP_ceil:
        return whole_number(e, SPIRV_GLSL_CEIL, type, in[0]);
    case SCALAR_OP_trunc:
        return whole_number(e, SPIRV_GLSL_TRUNC, type, in[0]);
    case SCALAR_OP_rint:
        return whole_number(e, SPIRV_GLSL_ROUND_EVEN, type, in[0]);
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
    case SCALAR_OP_not:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_COUNT:
        break;
    }
    spirv_wrong(e, "an operation that floats do not have");
    return in[0];
}

spirv_id spirv_scalar(spirv_emit *e, scalar_op op, scalar_type type, scalar_type from, spirv_id a,
                      spirv_id b, spirv_id c)
{
    bool compares = op >= SCALAR_OP_eq && op <= SCALAR_OP_le;
    scalar_type of = compares ? from : type;
    spirv_id in[3] = { a, b, c };

    if (op == SCALAR_OP_convert)
        return spirv_convert(e, type, from, a);
    if (op == SCALAR_OP_bitcast)
        return spirv_narrow(e, type, spirv_from_bits(e, type, spirv_to_bits(e, from, a)));
    if (op == SCALAR_OP_select)
        return spirv_make3(e, SPIRV_Select, spirv_type(e, spirv_base_of(type)), a, b, c);
    return scalar_types[of].is_float ? float_op(e, op, of, in) : spirv_integer(e, op, of, a, b);
}
