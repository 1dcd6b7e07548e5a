/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float_bits.h - floats and their bits, for the tests of scalar operations.
 */
#ifndef SLIPWAY_TESTS_BASE_FLOAT_BITS_H
#define SLIPWAY_TESTS_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

#define F32_NAN 0x7fc00000u
#define F64_NAN 0x7ff8000000000000u
#define F32_INF 0x7f800000u
#define F64_INF 0x7ff0000000000000u

static inline uint64_t f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float as_f32(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline double as_f64(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
