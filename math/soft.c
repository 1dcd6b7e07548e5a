/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soft.c - division and square root, correctly rounded, for devices whose own are not.
 *
 * An iteration in floats comes within a few units of the digits wanted; the exact remainder, as an
 * integer, then settles them and tells whether anything is left.
 */
#include "digits.h"
#include "polynomials.h"
#include <slipway/slip_math.h>

/* floor(q) and whether it was cut: q * b + rest = a, one unit at a time. */
static inline u64 settle_quotient(u64 q, i64 rest, u64 b)
{
    for (i32 i = 0; i < 3; ++i) {
        if (rest < 0) {
            q -= 1;
            rest += (i64)b;
        } else if (rest >= (i64)b) {
            q += 1;
            rest -= (i64)b;
        }
    }
    return q << 1 | (rest != 0 ? 1 : 0);
}

f32 slip_soft_divf(f32 x, f32 y)
{
    const u32 sign = (slip_f32_bits(x) ^ slip_f32_bits(y)) & SLIP_SIGN_F32;
    const f32 ax = abs_f32(x), ay = abs_f32(y);
    const u32 bx = slip_f32_bits(ax), by = slip_f32_bits(ay);

    if (bx > 0x7f800000u || by > 0x7f800000u || (bx == by && (bx == 0 || bx == 0x7f800000u)))
        return SLIP_NAN_F32;
    if (bx == 0x7f800000u || by == 0)
        return slip_bits_f32(sign | 0x7f800000u);
    if (bx == 0 || by == 0x7f800000u)
        return slip_bits_f32(sign);

    const digits a = digits_of_f32(x), b = digits_of_f32(y);
    const f32 d = (f32)(i32)b.digits * 0x1p-23f;
    f32 r = inverse_poly_f32(d);
    r += r * (1.0f - d * r);
    r += r * (1.0f - d * r);
    r += r * (1.0f - d * r);
    const u64 near = (u64)(i64)((f32)(i32)a.digits * r * 4.0f); /* of a 2^25 / b */
    const i64 rest = (i64)(a.digits << 25) - (i64)(near * b.digits);
    const i64 step = (i64)((f32)rest * r * 0x1p-23f);
    digits q;

    q.digits = settle_quotient(near + (u64)step, rest - step * (i64)b.digits, b.digits);
    q.exponent = a.exponent - b.exponent - 26;
    return number_f32(sign, q);
}

f64 slip_soft_div(f64 x, f64 y)
{
    const u64 sign = (slip_f64_bits(x) ^ slip_f64_bits(y)) & SLIP_SIGN_F64;
    const u64 bx = slip_f64_bits(abs_f64(x)), by = slip_f64_bits(abs_f64(y));
    const u64 infinite = 0x7ff0000000000000u;

    if (bx > infinite || by > infinite || (bx == by && (bx == 0 || bx == infinite)))
        return SLIP_NAN_F64;
    if (bx == infinite || by == 0)
        return slip_bits_f64(sign | infinite);
    if (bx == 0 || by == infinite)
        return slip_bits_f64(sign);

    const digits a = digits_of_f64(x), b = digits_of_f64(y);
    const f64 d = (f64)(i64)b.digits * 0x1p-52;
    f64 r = inverse_poly_f64(d);
    r += r * (1.0 - d * r);
    r += r * (1.0 - d * r);
    r += r * (1.0 - d * r);
    r += r * (1.0 - d * r);
    const u64 near = (u64)(i64)((f64)(i64)a.digits * r * 4.0);  /* of a 2^54 / b */
    const i64 rest = (i64)((a.digits << 54) - near * b.digits); /* small: right modulo 2^64 */
    const i64 step = (i64)((f64)rest * r * 0x1p-52);
    digits q;

    q.digits = settle_quotient(near + (u64)step, rest - step * (i64)b.digits, b.digits);
    q.exponent = a.exponent - b.exponent - 55;
    return number_f64(sign, q);
}

/* The root of a, near it: s * s + rest = a. */
static inline u64 settle_root(u64 s, i64 rest)
{
    for (i32 i = 0; i < 3; ++i) {
        if (rest < 0) {
            s -= 1;
            rest += (i64)(2 * s + 1);
        } else if (rest > (i64)(2 * s)) {
            rest -= (i64)(2 * s + 1);
            s += 1;
        }
    }
    return s << 1 | (rest != 0 ? 1 : 0);
}

f32 slip_soft_sqrtf(f32 x)
{
    const u32 bits = slip_f32_bits(x);

    if ((bits & 0x7fffffffu) == 0 || bits == 0x7f800000u)
        return x;
    if (bits > 0x7f800000u)
        return SLIP_NAN_F32;

    digits a = digits_of_f32(x);
    const bool odd = (a.exponent & 1) == 0; /* 23 digits after the point: the value's is odd then */
    const u64 m = a.digits << (odd ? 26 : 25); /* a root of 25 digits */
    const f32 v = (f32)(i32)a.digits * (odd ? 0x1p-22f : 0x1p-23f), h = 0.5f * v;
    f32 r = inverse_root_poly_f32(v);
    r += r * (0.5f - h * r * r);
    r += r * (0.5f - h * r * r);
    r += r * (0.5f - h * r * r);
    const u64 near = (u64)(i64)(v * r * 0x1p+24f);
    const i64 rest = (i64)(m - near * near), step = (i64)((f32)rest * r * 0x1p-25f);
    const u64 s = near + (u64)step;
    digits root;

    root.digits = settle_root(s, (i64)(m - s * s));
    root.exponent = (a.exponent - (odd ? 26 : 25)) / 2 - 1;
    return number_f32(0, root);
}

f64 slip_soft_sqrt(f64 x)
{
    const u64 bits = slip_f64_bits(x);

    if ((bits & 0x7fffffffffffffffu) == 0 || bits == 0x7ff0000000000000u)
        return x;
    if (bits > 0x7ff0000000000000u)
        return SLIP_NAN_F64;

    digits a = digits_of_f64(x);
    const bool odd = (a.exponent & 1) != 0;    /* 52 digits after the point */
    const u64 m = a.digits << (odd ? 55 : 54); /* modulo 2^64; a root of 54 digits */
    const f64 v = (f64)(i64)a.digits * (odd ? 0x1p-51 : 0x1p-52), h = 0.5 * v;
    f64 r = inverse_root_poly_f64(v);
    r += r * (0.5 - h * r * r);
    r += r * (0.5 - h * r * r);
    r += r * (0.5 - h * r * r);
    r += r * (0.5 - h * r * r);
    const u64 near = (u64)(i64)(v * r * 0x1p+53);
    const i64 rest = (i64)(m - near * near), step = (i64)((f64)rest * r * 0x1p-54);
    const u64 s = near + (u64)step;
    digits root;

    root.digits = settle_root(s, (i64)(m - s * s));
    root.exponent = (a.exponent - (odd ? 55 : 54)) / 2 - 1;
    return number_f64(0, root);
}
