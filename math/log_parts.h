/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_parts.h - ln(1 + f) = f - log_tail(f) for sqrt(1/2) <= 1 + f < sqrt 2, and what comes of it.
 */
#ifndef SLIP_MATH_LOG_PARTS_H
#define SLIP_MATH_LOG_PARTS_H

#include "parts.h"
#include "polynomials.h"

#define SLIP_LN2_HIGH_F32 0x1.62ep-1f /* times an exponent: exact */
#define SLIP_LN2_LOW_F32 0x1.0bfbe8p-15f
#define SLIP_LN2_HIGH_F64 0x1.62e42fefa3p-1
#define SLIP_LN2_LOW_F64 0x1.3de6af278ece6p-42

static inline f32 log_tail_f32(f32 f)
{
    const f32 ff = f * f;

    return 0.5f * ff - f * ff * log_poly_f32(f);
}

/* With s = f / (2 + f): ln(1 + f) = 2 atanh s, and 2 s = f - s f. */
static inline f64 log_tail_f64(f64 f)
{
    const f64 s = f / (2.0 + f), z = s * s;

    return s * (f - z * atanh_poly_f64(z));
}

/* k ln 2 + f - tail + rest, the first two added exactly. */
static inline f32 log_join_f32(i32 k, f32 f, f32 rest)
{
    const f32 n = (f32)k, whole = n * SLIP_LN2_HIGH_F32, sum = whole + f;
    const f32 lost = any_sum_rest_f32(whole, f, sum) + n * SLIP_LN2_LOW_F32;

    return sum - (log_tail_f32(f) - (lost + rest));
}

static inline f64 log_join_f64(i32 k, f64 f, f64 rest)
{
    const f64 n = (f64)k, whole = n * SLIP_LN2_HIGH_F64, sum = whole + f;
    const f64 lost = any_sum_rest_f64(whole, f, sum) + n * SLIP_LN2_LOW_F64;

    return sum - (log_tail_f64(f) - (lost + rest));
}

/* ln(1 + (x + rest)) for a finite x > -1 and a far smaller rest. */
static inline f32 log1p_sum_f32(f32 x, f32 rest)
{
    const f32 u = 1.0f + x, lost = any_sum_rest_f32(1.0f, x, u);
    i32 k;
    const f32 m = split_f32(u, &k);

    return log_join_f32(k, k == 0 ? x : m - 1.0f, ((k == 0 ? 0.0f : lost) + rest) / u);
}

static inline f64 log1p_sum_f64(f64 x, f64 rest)
{
    const f64 u = 1.0 + x, lost = any_sum_rest_f64(1.0, x, u);
    i32 k;
    const f64 m = split_f64(u, &k);

    return log_join_f64(k, k == 0 ? x : m - 1.0, ((k == 0 ? 0.0 : lost) + rest) / u);
}

#endif
