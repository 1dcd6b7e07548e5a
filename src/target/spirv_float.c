/* SPDX-License-Identifier: Apache-2.0 */
/* spirv_float.c - see spirv_float.h. */
#include "target/spirv_float.h"

spirv_float spirv_float_of(spirv_emit *e, scalar_type type)
{
    const bool narrow = type == SCALAR_f32;
    const uint32_t fraction = narrow ? 23 : 52;
    const uint64_t bias = narrow ? 127 : 1023;

    return (spirv_float){
        .scalar = type,
        .type = spirv_type(e, narrow ? SPIRV_F32 : SPIRV_F64),
        .whole = spirv_type(e, narrow ? SPIRV_U32 : SPIRV_U64),
        .width = narrow ? 32 : 64,
        .sign = narrow ? UINT64_C(1) << 31 : UINT64_C(1) << 63,
        .infinity = (2 * bias + 1) << fraction,
        .least = UINT64_C(1) << fraction,
        .one = bias << fraction,
        .nan = (2 * bias + 1) << fraction | UINT64_C(1) << (fraction - 1),
        .scale = (bias + 64) << fraction,
    };
}

spirv_id spirv_whole(spirv_emit *e, const spirv_float *f, uint64_t value)
{
    return f->width == 64 ? spirv_u64(e, value) : spirv_u32(e, (uint32_t)value);
}

spirv_id spirv_whole2(spirv_emit *e, const spirv_float *f, spirv_op op, spirv_id a, spirv_id b)
{
    return spirv_make2(e, op, f->whole, a, b);
}

spirv_id spirv_masked(spirv_emit *e, const spirv_float *f, spirv_id whole, uint64_t mask)
{
    return spirv_whole2(e, f, SPIRV_BitwiseAnd, whole, spirv_whole(e, f, mask));
}

spirv_id spirv_whole_is_nan(spirv_emit *e, const spirv_float *f, spirv_id whole)
{
    return spirv_make2(e, SPIRV_UGreaterThan, spirv_type(e, SPIRV_BOOL),
                       spirv_masked(e, f, whole, f->sign - 1), spirv_whole(e, f, f->infinity));
}

spirv_id spirv_to_whole(spirv_emit *e, const spirv_float *f, spirv_id a)
{
    return spirv_make1(e, SPIRV_Bitcast, f->whole, a);
}

spirv_id spirv_to_float(spirv_emit *e, const spirv_float *f, spirv_id whole)
{
    return spirv_make1(e, SPIRV_Bitcast, f->type, whole);
}

spirv_id spirv_is_nan(spirv_emit *e, scalar_type type, spirv_id value)
{
    const spirv_float f = spirv_float_of(e, type);

    return spirv_whole_is_nan(e, &f, spirv_to_whole(e, &f, value));
}

spirv_id spirv_to_bits(spirv_emit *e, scalar_type type, spirv_id value)
{
    if (type == SCALAR_bool)
        return spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_U32), value, spirv_u32(e, 1),
                           spirv_u32(e, 0));
    if (!scalar_types[type].is_float)
        return value;
    return spirv_make1(e, SPIRV_Bitcast, spirv_type(e, spirv_bits_base(type)), value);
}

spirv_id spirv_from_bits(spirv_emit *e, scalar_type type, spirv_id bits)
{
    if (type == SCALAR_bool)
        return spirv_make2(e, SPIRV_INotEqual, spirv_type(e, SPIRV_BOOL), bits, spirv_u32(e, 0));
    if (!scalar_types[type].is_float)
        return bits;
    return spirv_make1(e, SPIRV_Bitcast, spirv_type(e, spirv_base_of(type)), bits);
}

spirv_id spirv_rounded(spirv_emit *e, spirv_op op, spirv_id type, spirv_id a, spirv_id b)
{
    spirv_id value = spirv_make2(e, op, type, a, b);

    spirv_decorate(e, value, SPIRV_DECORATE_NO_CONTRACTION, 0);
    return value;
}
