/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digits.h - numbers as integers: taken apart, and put together with one rounding to nearest, ties
 * to even. Works where the device's own arithmetic loses denormals.
 */
#ifndef SLIP_MATH_DIGITS_H
#define SLIP_MATH_DIGITS_H

#include "parts.h"

/* digits * 2^exponent */
typedef struct digits {
    u64 digits;
    i32 exponent;
} digits;

/* The same value with bit `top` as the highest; digits are neither 0 nor larger. */
static inline digits raise_digits(digits d, u32 top)
{
    for (u32 step = top > 31 ? 32 : 16; step > 0; step >>= 1) {
        if (d.digits >> (top + 1 - step) == 0) {
            d.digits <<= step;
            d.exponent -= (i32)step;
        }
    }
    return d;
}

/* A finite number's size: 24 digits, or none for 0. */
static inline digits digits_of_f32(f32 x)
{
    const u32 bits = slip_f32_bits(x), field = bits >> 23 & 0xff;
    digits d;

    d.digits = (bits & 0x7fffffu) | (field != 0 ? 0x800000u : 0);
    d.exponent = (i32)(field != 0 ? field : 1) - 150;
    return d.digits != 0 ? raise_digits(d, 23) : d;
}

static inline digits digits_of_f64(f64 x)
{
    const u64 bits = slip_f64_bits(x), field = bits >> 52 & 0x7ff;
    digits d;

    d.digits = (bits & 0xfffffffffffffu) | (field != 0 ? 0x10000000000000u : 0);
    d.exponent = (i32)(field != 0 ? field : 1) - 1075;
    return d.digits != 0 ? raise_digits(d, 52) : d;
}

/* The upper bits from `shift` on (1 to 63), rounded. */
static inline u64 rounded_shift(u64 value, u32 shift)
{
    const u64 half = (u64)1 << (shift - 1), rest = value & (half + half - 1), up = value >> shift;

    return up + (rest > half || (rest == half && (up & 1) != 0) ? 1 : 0);
}

/* `sign` is the sign bit. Bit 0 of the digits may stand for anything above 0 below it. */
static inline f32 number_f32(u32 sign, digits d)
{
    if (d.digits == 0)
        return slip_bits_f32(sign);
    d = raise_digits(d, 62);

    const i32 field = d.exponent + 62 + 127, below = field < 1 ? 1 - field : 0;
    const u64 m = below > 24 ? 0 : rounded_shift(d.digits, 39 + (u32)below);
    const u32 size = (u32)m + (field < 1 ? 0 : (u32)(field - 1) << 23);

    return slip_bits_f32(sign | (field > 254 ? 0x7f800000u : size));
}

static inline f64 number_f64(u64 sign, digits d)
{
    if (d.digits == 0)
        return slip_bits_f64(sign);
    d = raise_digits(d, 62);

    const i32 field = d.exponent + 62 + 1023, below = field < 1 ? 1 - field : 0;
    const u64 m = below > 53 ? 0 : rounded_shift(d.digits, 10 + (u32)below);
    const u64 size = m + (field < 1 ? 0 : (u64)(field - 1) << 52);

    return slip_bits_f64(sign | (field > 2046 ? 0x7ff0000000000000u : size));
}

#endif
