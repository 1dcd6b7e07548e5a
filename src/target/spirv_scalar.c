/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_scalar.c - floats, with the language's exact values (base/scalar.h, LANGUAGE rule 20), and
 * the one way into every scalar operation.
 *
 * Each arithmetic result is NoContraction (SPIR-V 1.5, 3.20), so that no two are fused. What NaNs,
 * zeros' signs or denormals decide is decided by integers, or where the device's self-test has
 * found its own operation right by that: comparisons are in spirv_order.c, zeros in spirv_zero.c,
 * division, square root, fma and remainder in spirv_native.c.
 */
#include "target/spirv_native.h"

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

/* Of floor and ceil: what a denormal gives, which a device may take for a zero. */
static spirv_id of_denormal(spirv_emit *e, enum spirv_glsl which, const spirv_float *f,
                            spirv_id bits, spirv_id result)
{
    const uint64_t sign = which == SPIRV_GLSL_FLOOR ? f->sign : 0;
    spirv_id above = spirv_whole2(e, f, SPIRV_ISub, bits, spirv_whole(e, f, sign + 1));
    spirv_id is_one = spirv_make2(e, SPIRV_ULessThan, spirv_type(e, SPIRV_BOOL), above,
                                  spirv_whole(e, f, f->least - 1));

    return spirv_make3(e, SPIRV_Select, f->whole, is_one, spirv_whole(e, f, sign | f->one), result);
}

/* GLSL.std.450's results are exact but for the sign of a zero, which C takes from the operand. */
static spirv_id whole_number(spirv_emit *e, enum spirv_glsl which, const spirv_float *f, spirv_id a)
{
    spirv_id own = spirv_glsl(e, which, f->type, &a, 1), bits = spirv_to_whole(e, f, a);
    spirv_id is_right = spirv_numeric(e, f->width == 32 ? NUMERIC_WHOLE_F32 : NUMERIC_WHOLE_F64);
    spirv_id size = spirv_masked(e, f, spirv_to_whole(e, f, own), f->sign - 1);
    spirv_id result = spirv_whole2(e, f, SPIRV_BitwiseOr, size, spirv_masked(e, f, bits, f->sign));

    if (which == SPIRV_GLSL_FLOOR || which == SPIRV_GLSL_CEIL)
        result = of_denormal(e, which, f, bits, result);
    return spirv_make3(e, SPIRV_Select, f->type, is_right, own, spirv_to_float(e, f, result));
}

static spirv_id float_op(spirv_emit *e, scalar_op op, scalar_type type, const spirv_id *in)
{
    const spirv_float f = spirv_float_of(e, type);
    spirv_id known = spirv_with_zero(e, op, &f, in), product;

    if (known)
        return known;
    switch (op) {
    case SCALAR_OP_add:
        return spirv_rounded(e, SPIRV_FAdd, f.type, in[0], in[1]);
    case SCALAR_OP_sub:
        return spirv_rounded(e, SPIRV_FSub, f.type, in[0], in[1]);
    case SCALAR_OP_mul:
        product = spirv_rounded(e, SPIRV_FMul, f.type, in[0], in[1]);
        spirv_guess_product(e, product, in[0], in[1]);
        return product;
    case SCALAR_OP_div:
    case SCALAR_OP_rem:
    case SCALAR_OP_sqrt:
    case SCALAR_OP_fma:
        return spirv_native(e, op, type, in);
    case SCALAR_OP_min:
    case SCALAR_OP_max:
        return spirv_min_max(e, op, &f, in[0], in[1]);
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
        return spirv_compare(e, op, &f, in[0], in[1]);
    case SCALAR_OP_neg:
        return spirv_to_float(e, &f,
                              spirv_whole2(e, &f, SPIRV_BitwiseXor, spirv_to_whole(e, &f, in[0]),
                                           spirv_whole(e, &f, f.sign)));
    case SCALAR_OP_abs:
        return spirv_to_float(e, &f, spirv_masked(e, &f, spirv_to_whole(e, &f, in[0]), f.sign - 1));
    case SCALAR_OP_floor:
        return whole_number(e, SPIRV_GLSL_FLOOR, &f, in[0]);
    case SCALAR_OP_ceil:
        return whole_number(e, SPIRV_GLSL_CEIL, &f, in[0]);
    case SCALAR_OP_trunc:
        return whole_number(e, SPIRV_GLSL_TRUNC, &f, in[0]);
    case SCALAR_OP_rint:
        return whole_number(e, SPIRV_GLSL_ROUND_EVEN, &f, in[0]);
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
