/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the functions of math/ are made of: exact errors of sums and products, powers of
 * two, rounding to integers. For files of math/ only.
 *
 * All of it is strict C without fma; f32 code uses f32 and integers alone.
 */
#ifndef SLIP_MATH_PARTS_H
#define SLIP_MATH_PARTS_H

#include <slipway/kernel.h>

#define SLIP_NAN_F32 slip_bits_f32(0x7fc00000u)
#define SLIP_INF_F32 slip_bits_f32(0x7f800000u)
#define SLIP_NAN_F64 slip_bits_f64(0x7ff8000000000000u)
#define SLIP_INF_F64 slip_bits_f64(0x7ff0000000000000u)
#define SLIP_SIGN_F32 0x80000000u
#define SLIP_SIGN_F64 0x8000000000000000u

static inline f32 abs_f32(f32 x)
{
    return slip_bits_f32(slip_f32_bits(x) & 0x7fffffffu);
}

static inline f64 abs_f64(f64 x)
{
    return slip_bits_f64(slip_f64_bits(x) & 0x7fffffffffffffffu);
}

/* The size of x with the sign of y. */
static inline f32 with_sign_f32(f32 x, f32 y)
{
    return slip_bits_f32((slip_f32_bits(x) & 0x7fffffffu) | (slip_f32_bits(y) & SLIP_SIGN_F32));
}

static inline f64 with_sign_f64(f64 x, f64 y)
{
    return slip_bits_f64((slip_f64_bits(x) & 0x7fffffffffffffffu) |
                         (slip_f64_bits(y) & SLIP_SIGN_F64));
}

/* ---- exact errors ---------------------------------------------------------------------------- */

/* s = a + b rounded, |a| >= |b| or a = 0: what the rounding lost. */
static inline f32 sum_rest_f32(f32 a, f32 b, f32 s)
{
    return b - (s - a);
}

static inline f64 sum_rest_f64(f64 a, f64 b, f64 s)
{
    return b - (s - a);
}

/* The same for any a and b. */
static inline f32 any_sum_rest_f32(f32 a, f32 b, f32 s)
{
    const f32 b_part = s - a, a_part = s - b_part;

    return (a - a_part) + (b - b_part);
}

static inline f64 any_sum_rest_f64(f64 a, f64 b, f64 s)
{
    const f64 b_part = s - a, a_part = s - b_part;

    return (a - a_part) + (b - b_part);
}

/* The upper half of the digits: products of two of these are exact. */
static inline f32 upper_f32(f32 x)
{
    return slip_bits_f32(slip_f32_bits(x) & 0xfffff000u);
}

static inline f64 upper_f64(f64 x)
{
    return slip_bits_f64(slip_f64_bits(x) & 0xfffffffff8000000u);
}

/* p = a * b rounded: what the rounding lost, to within a unit of its own last place or two. */
static inline f32 product_rest_f32(f32 a, f32 b, f32 p)
{
    const f32 ah = upper_f32(a), al = a - ah, bh = upper_f32(b), bl = b - bh;

    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

static inline f64 product_rest_f64(f64 a, f64 b, f64 p)
{
    const f64 ah = upper_f64(a), al = a - ah, bh = upper_f64(b), bl = b - bh;

    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}

/* (ah + al) / (bh + bl), |al| and |bl| far below the others. */
static inline f32 quotient_f32(f32 ah, f32 al, f32 bh, f32 bl)
{
    const f32 inverse = 1.0f / bh, q = ah * inverse, p = q * bh;
    const f32 rest = ((ah - p) - product_rest_f32(q, bh, p)) + (al - q * bl);

    return q + rest * inverse;
}

static inline f64 quotient_f64(f64 ah, f64 al, f64 bh, f64 bl)
{
    const f64 inverse = 1.0 / bh, q = ah * inverse, p = q * bh;
    const f64 rest = ((ah - p) - product_rest_f64(q, bh, p)) + (al - q * bl);

    return q + rest * inverse;
}

/* ---- powers of two --------------------------------------------------------------------------- */

/* 2^n for -126 <= n <= 127, and -1022 <= n <= 1023. */
static inline f32 power_f32(i32 n)
{
    return slip_bits_f32((u32)(n + 127) << 23);
}

static inline f64 power_f64(i32 n)
{
    return slip_bits_f64((u64)(n + 1023) << 52);
}

/* x * 2^n for a normal x and -252 <= n <= 254: rounded once, also where it is a denormal. */
static inline f32 scale_f32(f32 x, i32 n)
{
    const i32 half = n >> 1;

    return x * power_f32(half) * power_f32(n - half);
}

static inline f64 scale_f64(f64 x, i32 n)
{
    const i32 half = n >> 1;

    return x * power_f64(half) * power_f64(n - half);
}

/* ---- the nearest integer, ties to even ------------------------------------------------------- */

#define SLIP_ROUNDER_F32 0x1.8p+23f /* x + this has the integer in its last bits, |x| < 2^22 */
#define SLIP_ROUNDER_F64 0x1.8p+52

static inline i32 rounded_i32_f32(f32 shifted)
{
    return (i32)(slip_f32_bits(shifted) - 0x4b400000u);
}

static inline i32 rounded_i32_f64(f64 shifted)
{
    return (i32)(u32)slip_f64_bits(shifted);
}

/* ---- the number's own exponent and digits ---------------------------------------------------- */

/* A positive number, and a denormal too, as m * 2^*exponent with sqrt(1/2) <= m < sqrt 2. */
static inline f32 split_f32(f32 x, i32 *exponent)
{
    const bool tiny = x < 0x1p-126f;
    const u32 bits = slip_f32_bits(tiny ? x * 0x1p+24f : x);
    const i32 k = (i32)(bits - 0x3f3504f3u) >> 23;

    *exponent = k - (tiny ? 24 : 0);
    return slip_bits_f32(bits - ((u32)k << 23));
}

static inline f64 split_f64(f64 x, i32 *exponent)
{
    const bool tiny = x < 0x1p-1022;
    const u64 bits = slip_f64_bits(tiny ? x * 0x1p+54 : x);
    const i32 k = (i32)((i64)(bits - 0x3fe6a09e667f3bcdu) >> 52);

    *exponent = k - (tiny ? 54 : 0);
    return slip_bits_f64(bits - ((u64)(i64)k << 52));
}

#endif
