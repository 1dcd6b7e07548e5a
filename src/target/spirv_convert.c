/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_convert.c - conversions between scalar types; float to integer truncates, saturates and
 * turns NaN into 0 (LANGUAGE rules 3 and 20).
 *
 * SPIR-V leaves a conversion of a float out of the integer's range undefined (SPIR-V 1.5, 3.32.11,
 * OpConvertFToS), so no such value ever reaches one. A device may flush denormals in conversions
 * between floats: where its self-test found that (base/numerics.h, NARROW, WIDEN), those are made
 * from integers.
 */
#include "target/spirv_float.h"

#include <math.h>
#include <string.h>

static spirv_id float_const(spirv_emit *e, scalar_type type, double value)
{
    float narrow = (float)value;
    uint32_t low;
    uint64_t bits;

    if (type == SCALAR_f32) {
        memcpy(&low, &narrow, sizeof low);
        return spirv_const(e, type, low);
    }
    memcpy(&bits, &value, sizeof bits);
    return spirv_const(e, type, bits);
}

/* The bounds are powers of two (or 0), exact in either float: below or at `bottom` is the lowest
 * integer, at `limit` and above the highest. */
static spirv_id float_to_int(spirv_emit *e, scalar_type to, scalar_type from, spirv_id a)
{
    bool is_signed = scalar_types[to].is_signed;
    int power = 8 * scalar_types[to].bytes - (is_signed ? 1 : 0);
    uint64_t highest = UINT64_MAX >> (64 - power);
    spirv_id flag = spirv_type(e, SPIRV_BOOL), held = spirv_type(e, spirv_base_of(to));
    spirv_id bottom = float_const(e, from, is_signed ? -ldexp(1, power) : 0.0);
    spirv_id limit = float_const(e, from, ldexp(1, power)), zero = float_const(e, from, 0);
    spirv_id above = spirv_make2(e, SPIRV_FOrdGreaterThan, flag, a, bottom);
    spirv_id below = spirv_make2(e, SPIRV_FOrdLessThan, flag, a, limit);
    spirv_id fits = spirv_make2(e, SPIRV_LogicalAnd, flag, above, below);
    spirv_id safe = spirv_make3(e, SPIRV_Select, spirv_type(e, spirv_base_of(from)), fits, a, zero);
    spirv_id value = spirv_make1(e, is_signed ? SPIRV_ConvertFToS : SPIRV_ConvertFToU, held, safe);

    spirv_id over = spirv_make2(e, SPIRV_FOrdGreaterThanEqual, flag, a, limit);
    value = spirv_make3(e, SPIRV_Select, held, over, spirv_const(e, to, highest), value);
    if (is_signed) {
        spirv_id under = spirv_make2(e, SPIRV_FOrdLessThanEqual, flag, a, bottom);
        value = spirv_make3(e, SPIRV_Select, held, under, spirv_const(e, to, ~highest), value);
    }
    return spirv_make3(e, SPIRV_Select, held, spirv_is_nan(e, from, a), spirv_const(e, to, 0),
                       value);
}

spirv_id spirv_widen(spirv_emit *e, spirv_id a)
{
    spirv_id id = spirv_make1(e, SPIRV_SConvert, spirv_type(e, SPIRV_U64), a);

    e->widened = arena_grow(e->arena, e->widened, &e->widened_capacity, e->widened_count + 1,
                            sizeof *e->widened);
    e->widened[e->widened_count++] = id;
    return id;
}

bool spirv_is_widened(const spirv_emit *e, spirv_id id)
{
    uint32_t low = 0, high = e->widened_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (e->widened[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->widened_count && e->widened[low] == id;
}

static spirv_id int_to_int(spirv_emit *e, scalar_type to, scalar_type from, spirv_id a)
{
    uint32_t to_bytes = scalar_types[to].bytes, from_bytes = scalar_types[from].bytes;
    bool from_signed = scalar_types[from].is_signed;

    if (to_bytes == 8 && from_bytes == 8)
        return a;
    if (to_bytes == 8)
        return from_signed ? spirv_widen(e, a)
                           : spirv_make1(e, SPIRV_UConvert, spirv_type(e, SPIRV_U64), a);
    if (from_bytes == 8)
        return spirv_narrow(e, to, spirv_make1(e, SPIRV_UConvert, spirv_type(e, SPIRV_U32), a));
    if (to_bytes > from_bytes && (!from_signed || scalar_types[to].is_signed))
        return a; /* the word holds it already */
    return spirv_narrow(e, to, a);
}

/* ---- float to float ---- */

/* Below the smallest normal f32, |a| + 2^-97 is rounded to a multiple of 2^-149, and its fraction
 * says which: the bits of the denormal. */
static spirv_id narrowed_small(spirv_emit *e, const spirv_float *wide, spirv_id size, spirv_id bits)
{
    const spirv_id word = spirv_type(e, SPIRV_U32);
    spirv_id sum = spirv_rounded(e, SPIRV_FAdd, wide->type, spirv_to_float(e, wide, size),
                                 float_const(e, SCALAR_f64, 0x1p-97));
    spirv_id low = spirv_make1(e, SPIRV_UConvert, word, spirv_to_whole(e, wide, sum));
    spirv_id high = spirv_whole2(e, wide, SPIRV_ShiftRightLogical, bits, spirv_u32(e, 32));
    spirv_id sign =
        spirv_make2(e, SPIRV_BitwiseAnd, word, spirv_make1(e, SPIRV_UConvert, word, high),
                    spirv_u32(e, UINT32_C(1) << 31));

    return spirv_from_bits(e, SCALAR_f32, spirv_make2(e, SPIRV_BitwiseOr, word, low, sign));
}

/* The fraction is a number of 2^-149. */
static spirv_id widened_small(spirv_emit *e, const spirv_float *wide, spirv_id size, spirv_id bits)
{
    const spirv_id word = spirv_type(e, SPIRV_U32);
    spirv_id number = spirv_make1(e, SPIRV_ConvertUToF, wide->type, size);
    spirv_id value =
        spirv_rounded(e, SPIRV_FMul, wide->type, number, float_const(e, SCALAR_f64, 0x1p-149));
    spirv_id sign = spirv_make2(e, SPIRV_BitwiseAnd, word, bits, spirv_u32(e, UINT32_C(1) << 31));

    sign = spirv_whole2(e, wide, SPIRV_ShiftLeftLogical,
                        spirv_make1(e, SPIRV_UConvert, wide->whole, sign), spirv_u32(e, 32));
    return spirv_to_float(
        e, wide, spirv_whole2(e, wide, SPIRV_BitwiseOr, spirv_to_whole(e, wide, value), sign));
}

static spirv_id float_to_float(spirv_emit *e, scalar_type to, scalar_type from, spirv_id a)
{
    const bool narrows = to == SCALAR_f32;
    const spirv_float f = spirv_float_of(e, from), wide = spirv_float_of(e, SCALAR_f64);
    const spirv_id flag = spirv_type(e, SPIRV_BOOL), type = spirv_type(e, spirv_base_of(to));
    spirv_id own = spirv_make1(e, SPIRV_FConvert, type, a);
    spirv_id bits = spirv_to_whole(e, &f, a), size = spirv_masked(e, &f, bits, f.sign - 1);
    /* the bits of the smallest normal f32 */
    spirv_id least = spirv_whole(e, &f, narrows ? UINT64_C(0x3810000000000000) : f.least);
    spirv_id is_right = spirv_numeric(e, narrows ? NUMERIC_NARROW : NUMERIC_WIDEN);
    spirv_id is_small =
        spirv_make2(e, SPIRV_LogicalAnd, flag, spirv_make1(e, SPIRV_LogicalNot, flag, is_right),
                    spirv_make2(e, SPIRV_ULessThan, flag, size, least));
    spirv_id small = spirv_new(e), merge = spirv_new(e);
    uint32_t join[4] = { own, e->block, 0, 0 };

    spirv_branch_rarely(e, is_small, small, merge);
    spirv_block_begin(e, small);
    join[2] = (narrows ? narrowed_small : widened_small)(e, &wide, size, bits);
    join[3] = e->block;
    spirv_block_begin(e, merge);
    return spirv_make(e, SPIRV_Phi, type, join, 4);
}

spirv_id spirv_convert(spirv_emit *e, scalar_type to, scalar_type from, spirv_id a)
{
    bool from_float = scalar_types[from].is_float, to_float = scalar_types[to].is_float;
    spirv_id type = spirv_type(e, spirv_base_of(to));

    if (to == from)
        return a;
    if (to == SCALAR_bool && from_float) {
        const spirv_float f = spirv_float_of(e, from);
        return spirv_compare(e, SCALAR_OP_ne, &f, a, float_const(e, from, 0));
    }
    if (to == SCALAR_bool)
        return spirv_make2(e, SPIRV_INotEqual, type, a, spirv_const(e, from, 0));
    if (from == SCALAR_bool && to_float)
        return spirv_make3(e, SPIRV_Select, type, a, float_const(e, to, 1), float_const(e, to, 0));
    if (from == SCALAR_bool)
        return spirv_make3(e, SPIRV_Select, type, a, spirv_const(e, to, 1), spirv_const(e, to, 0));
    if (from_float && to_float)
        return float_to_float(e, to, from, a);
    if (from_float)
        return float_to_int(e, to, from, a);
    if (to_float)
        return spirv_make1(e, scalar_types[from].is_signed ? SPIRV_ConvertSToF : SPIRV_ConvertUToF,
                           type, a);
    return int_to_int(e, to, from, a);
}
