/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_float.h - floats as the integers of their bits: what the files share that must not leave
 * zeros' signs, NaNs or denormals to a driver.
 */
#ifndef SLIPWAY_TARGET_SPIRV_FLOAT_H
#define SLIPWAY_TARGET_SPIRV_FLOAT_H

#include "target/spirv_emit.h"

typedef struct spirv_float {
    scalar_type scalar;
    spirv_id type, whole; /* the float's, and of the integer as wide */
    uint32_t width;
    /* bits: the sign alone; infinity; the smallest normal number; 1; a NaN; 2^64 */
    uint64_t sign, infinity, least, one, nan, scale;
} spirv_float;

spirv_float spirv_float_of(spirv_emit *e, scalar_type type);
/* Constants and operations of the integer type. */
spirv_id spirv_whole(spirv_emit *e, const spirv_float *f, uint64_t value);
spirv_id spirv_whole2(spirv_emit *e, const spirv_float *f, spirv_op op, spirv_id a, spirv_id b);
spirv_id spirv_masked(spirv_emit *e, const spirv_float *f, spirv_id whole, uint64_t mask);
spirv_id spirv_whole_is_nan(spirv_emit *e, const spirv_float *f, spirv_id whole);
spirv_id spirv_to_whole(spirv_emit *e, const spirv_float *f, spirv_id a);
spirv_id spirv_to_float(spirv_emit *e, const spirv_float *f, spirv_id whole);

/* spirv_order.c: eq, ne, lt, le; min, max */
spirv_id spirv_compare(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a, spirv_id b);
spirv_id spirv_min_max(spirv_emit *e, scalar_op op, const spirv_float *f, spirv_id a, spirv_id b);

/* spirv_zero.c: the value of add, sub, mul or div with an operand that is a zero known here; 0
 * where there is none */
spirv_id spirv_with_zero(spirv_emit *e, scalar_op op, const spirv_float *f, const spirv_id *in);

#endif
