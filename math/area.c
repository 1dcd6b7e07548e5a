/* SPDX-License-Identifier: Apache-2.0 */
/*
 * area.c - asinh, acosh, atanh: logarithms of 1 + a, with a as a sum of two parts.
 *
 *     asinh x = ln(1 + (x + x^2 / (1 + sqrt(1 + x^2))))
 *     acosh x = ln(1 + (t + sqrt(2 t + t^2)))            t = x - 1
 *     atanh x = ln(1 + 2 x / (1 - x)) / 2
 */
#include <math.h>

#include "log_parts.h"
#include <slipway/slip_math.h>

f32 slip_asinhf(f32 x)
{
    const f32 a = abs_f32(x);
    const bool large = a > 0x1p+30f;
    const f32 b = large ? 0.0f : a, square = b * b;
    const f32 more = square / (1.0f + sqrtf(1.0f + square)), sum = b + more;
    i32 k;
    const f32 m = split_f32(a, &k);
    const f32 value = large ? log_join_f32(k + 1, m - 1.0f, 0.0f)
                            : log1p_sum_f32(sum, sum_rest_f32(b, more, sum));

    return with_sign_f32(a < SLIP_INF_F32 ? value : a, x);
}

f64 slip_asinh(f64 x)
{
    const f64 a = abs_f64(x);
    const bool large = a > 0x1p+60;
    const f64 b = large ? 0.0 : a, square = b * b;
    const f64 more = square / (1.0 + sqrt(1.0 + square)), sum = b + more;
    i32 k;
    const f64 m = split_f64(a, &k);
    const f64 value =
        large ? log_join_f64(k + 1, m - 1.0, 0.0) : log1p_sum_f64(sum, sum_rest_f64(b, more, sum));

    return with_sign_f64(a < SLIP_INF_F64 ? value : a, x);
}

f32 slip_acoshf(f32 x)
{
    const bool large = x > 0x1p+30f;
    const f32 t = large ? 1.0f : x - 1.0f, square = t * t, twice = 2.0f * t;
    const f32 q = twice + square;
    const f32 q_rest = any_sum_rest_f32(twice, square, q) + product_rest_f32(t, t, square);
    const f32 root = sqrtf(q), p = root * root;
    const f32 left = ((q - p) - product_rest_f32(root, root, p)) + q_rest;
    const f32 root_rest = root > 0.0f ? left / (2.0f * root) : 0.0f;
    const f32 sum = root + t, rest = any_sum_rest_f32(root, t, sum) + root_rest;
    i32 k;
    const f32 m = split_f32(x, &k);
    const f32 value = large ? log_join_f32(k + 1, m - 1.0f, 0.0f) : log1p_sum_f32(sum, rest);

    return x >= 1.0f ? (x == SLIP_INF_F32 ? x : value) : SLIP_NAN_F32;
}

f64 slip_acosh(f64 x)
{
    const bool large = x > 0x1p+60;
    const f64 t = large ? 1.0 : x - 1.0, square = t * t, twice = 2.0 * t;
    const f64 q = twice + square;
    const f64 q_rest = any_sum_rest_f64(twice, square, q) + product_rest_f64(t, t, square);
    const f64 root = sqrt(q), p = root * root;
    const f64 left = ((q - p) - product_rest_f64(root, root, p)) + q_rest;
    const f64 root_rest = root > 0.0 ? left / (2.0 * root) : 0.0;
    const f64 sum = root + t, rest = any_sum_rest_f64(root, t, sum) + root_rest;
    i32 k;
    const f64 m = split_f64(x, &k);
    const f64 value = large ? log_join_f64(k + 1, m - 1.0, 0.0) : log1p_sum_f64(sum, rest);

    return x >= 1.0 ? (x == SLIP_INF_F64 ? x : value) : SLIP_NAN_F64;
}

f32 slip_atanhf(f32 x)
{
    const f32 a = abs_f32(x), twice = 2.0f * a, d = 1.0f - a, lost = sum_rest_f32(1.0f, -a, d);
    const f32 q = twice / d, p = q * d;
    const f32 left = ((twice - p) - product_rest_f32(q, d, p)) - q * lost;
    const bool tiny = a < 0x1p-40f;
    const f32 value = tiny ? a : 0.5f * log1p_sum_f32(q, left / d);

    return with_sign_f32(a < 1.0f ? value : a == 1.0f ? SLIP_INF_F32 : SLIP_NAN_F32, x);
}

f64 slip_atanh(f64 x)
{
    const f64 a = abs_f64(x), twice = 2.0 * a, d = 1.0 - a, lost = sum_rest_f64(1.0, -a, d);
    const f64 q = twice / d, p = q * d;
    const f64 left = ((twice - p) - product_rest_f64(q, d, p)) - q * lost;
    const bool tiny = a < 0x1p-80;
    const f64 value = tiny ? a : 0.5 * log1p_sum_f64(q, left / d);

    return with_sign_f64(a < 1.0 ? value : a == 1.0 ? SLIP_INF_F64 : SLIP_NAN_F64, x);
}
