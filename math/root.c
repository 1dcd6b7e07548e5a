/* SPDX-License-Identifier: Apache-2.0 */
/* root.c - cube roots, and the length of a vector of two. */
#include <math.h>

#include "parts.h"
#include "polynomials.h"
#include <slipway/slip_math.h>

/*
 * |x| = a * 8^k with 1 <= a < 8. A polynomial's value of the root is made better by Halley's step,
 * which triples the digits, then by Newton's with an exact remainder.
 */
f32 slip_cbrtf(f32 x)
{
    const f32 size = abs_f32(x);
    const bool tiny = size < 0x1p-126f;
    const u32 bits = slip_f32_bits(tiny ? size * 0x1p+24f : size);
    const i32 exponent = (i32)(bits >> 23) - 127 + 384; /* a multiple of 3 more, and positive */
    const i32 third = (i32)((u32)exponent * 43691u >> 17), left = exponent - 3 * third;
    const f32 m = slip_bits_f32((bits & 0x7fffffu) | 0x3f800000u);
    const f32 a = left == 0 ? m : left == 1 ? 2.0f * m : 4.0f * m;
    const f32 c = left == 0 ? 1.0f : left == 1 ? 0x1.428a3p+0f : 0x1.965feap+0f;
    const f32 first = cbrt_poly_f32(m) * c, cube = first * first * first;
    const f32 y = first + first * ((a - cube) / (2.0f * cube + a));
    const f32 p = y * y, p_rest = product_rest_f32(y, y, p);
    const f32 q = p * y, q_rest = product_rest_f32(p, y, q) + p_rest * y;
    const f32 root = y + ((a - q) - q_rest) / (3.0f * p);
    const f32 value = root * power_f32(third - 128 - (tiny ? 8 : 0));

    return size > 0.0f && size < SLIP_INF_F32 ? with_sign_f32(value, x) : x;
}

f64 slip_cbrt(f64 x)
{
    const f64 size = abs_f64(x);
    const bool tiny = size < 0x1p-1022;
    const u64 bits = slip_f64_bits(tiny ? size * 0x1p+54 : size);
    const i32 exponent = (i32)(bits >> 52) - 1023 + 3072;
    const i32 third = (i32)((u32)exponent * 43691u >> 17), left = exponent - 3 * third;
    const f64 m = slip_bits_f64((bits & 0xfffffffffffffu) | 0x3ff0000000000000u);
    const f64 a = left == 0 ? m : left == 1 ? 2.0 * m : 4.0 * m;
    const f64 c = left == 0 ? 1.0 : left == 1 ? 0x1.428a2f98d728bp+0 : 0x1.965fea53d6e3dp+0;
    const f64 first = cbrt_poly_f64(m) * c, cube = first * first * first;
    const f64 y = first + first * ((a - cube) / (2.0 * cube + a));
    const f64 p = y * y, p_rest = product_rest_f64(y, y, p);
    const f64 q = p * y, q_rest = product_rest_f64(p, y, q) + p_rest * y;
    const f64 root = y + ((a - q) - q_rest) / (3.0 * p);
    const f64 value = root * power_f64(third - 1024 - (tiny ? 18 : 0));

    return size > 0.0 && size < SLIP_INF_F64 ? with_sign_f64(value, x) : x;
}

/* sqrt(x^2 + y^2), with what squares, sum and root lose put back; scaled so that no square is lost.
 */
f32 slip_hypotf(f32 x, f32 y)
{
    const f32 ax = abs_f32(x), ay = abs_f32(y);
    const f32 most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    const f32 k = most > 0x1p+60f ? 0x1p-70f : most < 0x1p-30f ? 0x1p+90f : 1.0f;
    const f32 back = most > 0x1p+60f ? 0x1p+70f : most < 0x1p-30f ? 0x1p-90f : 1.0f;
    const f32 a = most * k, b = least * k, aa = a * a, bb = b * b, sum = aa + bb;
    const f32 rest =
        sum_rest_f32(aa, bb, sum) + (product_rest_f32(a, a, aa) + product_rest_f32(b, b, bb));
    const f32 root = sqrtf(sum), p = root * root;
    const f32 left = ((sum - p) - product_rest_f32(root, root, p)) + rest;
    const f32 value = (root + (root > 0.0f ? left / (2.0f * root) : 0.0f)) * back;

    if (ax == SLIP_INF_F32 || ay == SLIP_INF_F32)
        return SLIP_INF_F32;
    return ax != ax || ay != ay ? SLIP_NAN_F32 : value;
}

f64 slip_hypot(f64 x, f64 y)
{
    const f64 ax = abs_f64(x), ay = abs_f64(y);
    const f64 most = ax > ay ? ax : ay, least = ax > ay ? ay : ax;
    const f64 k = most > 0x1p+500 ? 0x1p-600 : most < 0x1p-400 ? 0x1p+700 : 1.0;
    const f64 back = most > 0x1p+500 ? 0x1p+600 : most < 0x1p-400 ? 0x1p-700 : 1.0;
    const f64 a = most * k, b = least * k, aa = a * a, bb = b * b, sum = aa + bb;
    const f64 rest =
        sum_rest_f64(aa, bb, sum) + (product_rest_f64(a, a, aa) + product_rest_f64(b, b, bb));
    const f64 root = sqrt(sum), p = root * root;
    const f64 left = ((sum - p) - product_rest_f64(root, root, p)) + rest;
    const f64 value = (root + (root > 0.0 ? left / (2.0 * root) : 0.0)) * back;

    if (ax == SLIP_INF_F64 || ay == SLIP_INF_F64)
        return SLIP_INF_F64;
    return ax != ax || ay != ay ? SLIP_NAN_F64 : value;
}
