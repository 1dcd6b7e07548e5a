/* SPDX-License-Identifier: Apache-2.0 */
/*
 * power.c - x^y = 2^(y log2 |x|), the logarithm and the product with digits to spare.
 *
 * f32: the logarithm of 1 + f is f times a polynomial in 64-bit fixed point. f64: 2 atanh(f / (2 +
 * f)) in sums of two numbers. y is clamped to where every |x| but 1 has overflowed.
 */
#include "exp_parts.h"
#include <slipway/slip_math.h>

/* x is 0, infinite or NaN, or y is not finite; `odd`: y is an odd integer. */
static inline f32 power_edge_f32(f32 x, f32 y, bool odd)
{
    const f32 a = abs_f32(x);

    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (x != x || y != y)
        return SLIP_NAN_F32;
    if (abs_f32(y) == SLIP_INF_F32)
        return a == 1.0f ? 1.0f : (a > 1.0f) == (y > 0.0f) ? SLIP_INF_F32 : 0.0f;
    return with_sign_f32((a == 0.0f) == (y < 0.0f) ? SLIP_INF_F32 : 0.0f, odd ? x : 1.0f);
}

static inline f64 power_edge_f64(f64 x, f64 y, bool odd)
{
    const f64 a = abs_f64(x);

    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return SLIP_NAN_F64;
    if (abs_f64(y) == SLIP_INF_F64)
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? SLIP_INF_F64 : 0.0;
    return with_sign_f64((a == 0.0) == (y < 0.0) ? SLIP_INF_F64 : 0.0, odd ? x : 1.0);
}

/* 2^(p + rest) */
static inline f32 power_of_two_f32(f32 p, f32 rest)
{
    const bool over = p > 200.0f, under = p < -200.0f;
    const f32 in = over ? 200.0f : under ? -200.0f : p, shifted = in + SLIP_ROUNDER_F32;
    const f32 left = in - (shifted - SLIP_ROUNDER_F32), add = over || under ? 0.0f : rest;
    const f32 r = left + add;

    return scale_f32(exp2_sum_f32(r, any_sum_rest_f32(left, add, r)), rounded_i32_f32(shifted));
}

static inline f64 power_of_two_f64(f64 p, f64 rest)
{
    const bool over = p > 1200.0, under = p < -1200.0;
    const f64 in = over ? 1200.0 : under ? -1200.0 : p, shifted = in + SLIP_ROUNDER_F64;
    const f64 left = in - (shifted - SLIP_ROUNDER_F64), add = over || under ? 0.0 : rest;
    const f64 r = left + add;

    return scale_f64(exp2_sum_f64(r, any_sum_rest_f64(left, add, r)), rounded_i32_f64(shifted));
}

/* log2 of 1 + f, as high + *low. */
static inline f32 log2_pair_f32(f32 f, f32 *low)
{
    const f32 d = 2.0f + f, d_rest = sum_rest_f32(2.0f, f, d), inverse = 1.0f / d;
    const f32 s = f * inverse, sd = s * d;
    const f32 s_rest = (((f - sd) - product_rest_f32(s, d, sd)) - s * d_rest) * inverse;
    const f32 z = s * s, z_rest = product_rest_f32(s, s, z) + 2.0f * s * s_rest;
    const f32 tail = -0x1.e2fe02p-28f + z * log2_tail_poly_f32(z);
    const f32 in = 0x1.ec709ep-1f + tail; /* 2 / (3 ln 2) and what follows */
    const f32 in_rest = sum_rest_f32(0x1.ec709ep-1f, tail, in);
    const f32 u = z * in, u_rest = product_rest_f32(z, in, u) + (z * in_rest + z_rest * in);
    const f32 v = 0x1.715476p+1f + u; /* 2 / ln 2 */
    const f32 v_rest = sum_rest_f32(0x1.715476p+1f, u, v) + (0x1.4ae0cp-25f + u_rest);
    const f32 w = s * v;

    *low = product_rest_f32(s, v, w) + (s * v_rest + s_rest * v);
    return w;
}

/* log2 of 1 + f, as high + *low. */
static inline f64 log2_pair_f64(f64 f, f64 *low)
{
    const f64 d = 2.0 + f, d_rest = sum_rest_f64(2.0, f, d), inverse = 1.0 / d;
    const f64 s = f * inverse, sd = s * d;
    const f64 s_rest = (((f - sd) - product_rest_f64(s, d, sd)) - s * d_rest) * inverse;
    const f64 z = s * s, z_rest = product_rest_f64(s, s, z) + 2.0 * s * s_rest;
    const f64 tail = 0x1.d27f05548af0cp-55 + z * log2_tail_poly_f64(z);
    const f64 in = 0x1.ec709dc3a03fdp-1 + tail; /* 2 / (3 ln 2) and what follows */
    const f64 in_rest = sum_rest_f64(0x1.ec709dc3a03fdp-1, tail, in);
    const f64 u = z * in, u_rest = product_rest_f64(z, in, u) + (z * in_rest + z_rest * in);
    const f64 v = 0x1.71547652b82fep+1 + u; /* 2 / ln 2 */
    const f64 v_rest = sum_rest_f64(0x1.71547652b82fep+1, u, v) + (0x1.777d0ffda0d24p-55 + u_rest);
    const f64 w = s * v;

    *low = product_rest_f64(s, v, w) + (s * v_rest + s_rest * v);
    return w;
}

f32 slip_powf(f32 x, f32 y)
{
    const f32 a = abs_f32(x), size = abs_f32(y);
    const i32 as_integer = size < 0x1p+24f ? (i32)y : 0;
    const bool whole = size >= 0x1p+24f || (f32)as_integer == y;
    const bool odd = whole && (as_integer & 1) != 0;
    i32 k;
    f32 part_rest;
    const f32 f = split_f32(a, &k) - 1.0f, part = log2_pair_f32(f, &part_rest), n = (f32)k;
    const f32 sum = n + part, sum_rest = sum_rest_f32(n, part, sum) + part_rest;
    const f32 high = sum + sum_rest, low = sum_rest_f32(sum, sum_rest, high);
    const f32 by = size > 0x1p+40f ? with_sign_f32(0x1p+40f, y) : y;
    const f32 p = by * high, rest = product_rest_f32(by, high, p) + by * low;
    const f32 value = power_of_two_f32(p, rest);

    if (!(a > 0.0f && a < SLIP_INF_F32 && size < SLIP_INF_F32))
        return power_edge_f32(x, y, odd);
    return x < 0.0f ? (!whole ? SLIP_NAN_F32 : odd ? -value : value) : value;
}

f64 slip_pow(f64 x, f64 y)
{
    const f64 a = abs_f64(x), size = abs_f64(y);
    const i64 as_integer = size < 0x1p+53 ? (i64)y : 0;
    const bool whole = size >= 0x1p+53 || (f64)as_integer == y;
    const bool odd = whole && (as_integer & 1) != 0;
    i32 k;
    f64 part_rest;
    const f64 f = split_f64(a, &k) - 1.0, part = log2_pair_f64(f, &part_rest), n = (f64)k;
    const f64 sum = n + part, sum_rest = sum_rest_f64(n, part, sum) + part_rest;
    const f64 high = sum + sum_rest, low = sum_rest_f64(sum, sum_rest, high);
    const f64 by = size > 0x1p+70 ? with_sign_f64(0x1p+70, y) : y;
    const f64 p = by * high, rest = product_rest_f64(by, high, p) + by * low;
    const f64 value = power_of_two_f64(p, rest);

    if (!(a > 0.0 && a < SLIP_INF_F64 && size < SLIP_INF_F64))
        return power_edge_f64(x, y, odd);
    return x < 0.0 ? (!whole ? SLIP_NAN_F64 : odd ? -value : value) : value;
}
