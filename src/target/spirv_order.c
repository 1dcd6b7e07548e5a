/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_order.c - comparisons of floats, minimum and maximum: the device's own where its self-test
 * found them right (base/numerics.h), else exact all the same.
 *
 * A device may take denormals for zeros in a comparison though it keeps them in sums and products
 * (SPIR-V 1.5, 3.6, DenormPreserve: of an entry point; Vulkan 1.3, "Precision of Core SPIR-V
 * Instructions" promises a right comparison, and says that denormals may be flushed first). Then
 * one of two denormals or zeros goes wrong, and no other: a denormal lies on the same side of a
 * normal number as 0 does. Multiplied by 2^64, which is exact but where it overflows, numbers keep
 * their order, or become equal infinities, and no denormal is left. So
 *     a < b   is  a < b || 2^64 a < 2^64 b        a <= b  is  a <= b && 2^64 a <= 2^64 b
 * and = as <=, != as <. With a constant that is a denormal or 0 the product alone is right, with
 * any other constant the comparison alone.
 *
 * A driver may also make a minimum or maximum of a comparison and what it chooses, x > 1 ? 1 : x,
 * and that may flush x. Where the self-test found so (CLAMP), one operand of the comparison is
 * hidden: what is chosen is then another value than what was compared.
 */
#include "target/spirv_float.h"

static spirv_id compare(spirv_emit *e, scalar_op op, spirv_id a, spirv_id b)
{
    return spirv_make2(e,
                       op == SCALAR_OP_eq   ? SPIRV_FOrdEqual
                       : op == SCALAR_OP_ne ? SPIRV_FUnordNotEqual
                       : op == SCALAR_OP_lt ? SPIRV_FOrdLessThan
                                            : SPIRV_FOrdLessThanEqual,
                       spirv_type(e, SPIRV_BOOL), a, b);
}

/* The same, of numbers that a choice may follow. */
static spirv_id native(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a, spirv_id b)
{
    const numeric clamp = f->width == 32 ? NUMERIC_CLAMP_F32 : NUMERIC_CLAMP_F64;
    const bool orders = op == SCALAR_OP_lt || op == SCALAR_OP_le;
    uint64_t bits;

    if (orders && spirv_const_bits(e, a, &bits))
        b = spirv_unseen(e, f->scalar, clamp, b);
    else if (orders)
        a = spirv_unseen(e, f->scalar, clamp, a);
    return compare(e, op, a, b);
}

static spirv_id own_is_right(spirv_emit *e, const spirv_float *f)
{
    return spirv_numeric(e, f->width == 32 ? NUMERIC_COMPARE_F32 : NUMERIC_COMPARE_F64);
}

static spirv_id scaled(spirv_emit *e, const spirv_float *f, spirv_id a)
{
    uint64_t bits;

    if (spirv_const_bits(e, a, &bits))
        return spirv_const(e, f->scalar,
                           scalar_eval(SCALAR_OP_mul, f->scalar, f->scalar, bits, f->scale, 0));
    return spirv_rounded(e, SPIRV_FMul, f->type, a, spirv_const(e, f->scalar, f->scale));
}

/* Is one of them a constant, and its size? */
static bool constant_size(const spirv_emit *e, const spirv_float *f, spirv_id a, spirv_id b,
                          uint64_t *out)
{
    if (!spirv_const_bits(e, a, out) && !spirv_const_bits(e, b, out))
        return false;
    *out &= f->sign - 1;
    return true;
}

/* With a constant that is a denormal or 0. */
static spirv_id compare_to_small(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a,
                                 spirv_id b)
{
    spirv_id in[2] = { a, b }, is_right = own_is_right(e, f);

    for (int k = 0; k < 2; k++)
        in[k] = spirv_make3(e, SPIRV_Select, f->type, is_right, in[k], scaled(e, f, in[k]));
    return native(e, op, f, in[0], in[1]);
}

static spirv_id is_zero(spirv_emit *e, const spirv_float *f, spirv_id a, bool wanted)
{
    spirv_id size = spirv_masked(e, f, spirv_to_whole(e, f, a), f->sign - 1);

    return spirv_make2(e, wanted ? SPIRV_IEqual : SPIRV_INotEqual, spirv_type(e, SPIRV_BOOL), size,
                       spirv_whole(e, f, 0));
}

spirv_id spirv_compare(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a, spirv_id b)
{
    const spirv_id flag = spirv_type(e, SPIRV_BOOL);
    const bool equals = op == SCALAR_OP_eq || op == SCALAR_OP_ne;
    uint64_t size = 0;

    if (a == b && op == SCALAR_OP_ne)
        return spirv_is_nan(e, f->scalar, a);
    if (a == b && op == SCALAR_OP_eq)
        return spirv_make1(e, SPIRV_LogicalNot, flag, spirv_is_nan(e, f->scalar, a));
    const bool is_constant = constant_size(e, f, a, b, &size);
    if (is_constant && size == 0 && equals) /* a NaN is not 0 either */
        return is_zero(e, f, spirv_const_bits(e, a, &size) ? b : a, op == SCALAR_OP_eq);
    if (is_constant && size < f->least)
        return compare_to_small(e, op, f, a, b);
    spirv_id own = native(e, op, f, a, b);
    if (is_constant)
        return own;
    spirv_id too = compare(e, op, scaled(e, f, a), scaled(e, f, b)), is_right = own_is_right(e, f);
    if (op == SCALAR_OP_eq || op == SCALAR_OP_le)
        return spirv_make2(e, SPIRV_LogicalAnd, flag, own,
                           spirv_make2(e, SPIRV_LogicalOr, flag, is_right, too));
    spirv_id is_wrong = spirv_make1(e, SPIRV_LogicalNot, flag, is_right);
    return spirv_make2(e, SPIRV_LogicalOr, flag, own,
                       spirv_make2(e, SPIRV_LogicalAnd, flag, is_wrong, too));
}

/*
 * By integers that are ordered as floats are, -0 below +0: the bits, or for negative numbers all
 * of them but the sign inverted. A NaN in b loses, then one in a.
 */
static spirv_id by_integers(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a,
                            spirv_id b)
{
    spirv_id keys[2], wholes[2] = { spirv_to_whole(e, f, a), spirv_to_whole(e, f, b) };

    for (int k = 0; k < 2; k++) {
        spirv_id fill = spirv_whole2(e, f, SPIRV_ShiftRightArithmetic, wholes[k],
                                     spirv_whole(e, f, f->width - 1));
        keys[k] =
            spirv_whole2(e, f, SPIRV_BitwiseXor, wholes[k], spirv_masked(e, f, fill, f->sign - 1));
    }
    spirv_id first = spirv_make2(e, op == SCALAR_OP_min ? SPIRV_SLessThan : SPIRV_SGreaterThan,
                                 spirv_type(e, SPIRV_BOOL), keys[0], keys[1]);
    spirv_id picked = spirv_make3(e, SPIRV_Select, f->whole, first, wholes[0], wholes[1]);
    spirv_id kept = spirv_make3(e, SPIRV_Select, f->whole, spirv_whole_is_nan(e, f, wholes[1]),
                                wholes[0], picked);
    return spirv_to_float(e, f,
                          spirv_make3(e, SPIRV_Select, f->whole,
                                      spirv_whole_is_nan(e, f, wholes[0]), wholes[1], kept));
}

/* NMin and NMax drop a NaN, as the language does; -0 and +0 may be equal to them (GLSL.std.450). */
spirv_id spirv_min_max(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a, spirv_id b)
{
    const spirv_id in[2] = { a, b };
    spirv_id own =
        spirv_glsl(e, op == SCALAR_OP_min ? SPIRV_GLSL_NMIN : SPIRV_GLSL_NMAX, f->type, in, 2);
    spirv_id is_right = spirv_numeric(e, f->width == 32 ? NUMERIC_MINMAX_F32 : NUMERIC_MINMAX_F64);

    return spirv_make3(e, SPIRV_Select, f->type, is_right, own, by_integers(e, op, f, a, b));
}
