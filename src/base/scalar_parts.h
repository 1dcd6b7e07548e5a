/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_parts.h - what the files about scalar values share: the range of an integer type, and the
 * number that a float's bits stand for.
 */
#ifndef SLIPWAY_BASE_SCALAR_PARTS_H
#define SLIPWAY_BASE_SCALAR_PARTS_H

#include "base/scalar.h"

static inline uint64_t scalar_mask(scalar_type type)
{
    return UINT64_MAX >> (64 - 8 * scalar_types[type].bytes);
}

static inline uint32_t scalar_width(scalar_type type)
{
    return 8u * scalar_types[type].bytes;
}

static inline uint64_t scalar_highest(scalar_type type)
{
    return scalar_types[type].is_signed ? scalar_mask(type) >> 1 : scalar_mask(type);
}

static inline uint64_t scalar_lowest(scalar_type type)
{
    return scalar_types[type].is_signed ? ~(scalar_mask(type) >> 1) : 0;
}

/* scalar_eval.c: the value of a float of either type. */
double scalar_float(scalar_type type, uint64_t bits);

#endif
