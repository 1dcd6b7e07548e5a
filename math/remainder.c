/* SPDX-License-Identifier: Apache-2.0 */
/* remainder.c - fmod and remainder, exact: long division of the digits, one bit at a time. */
#include "digits.h"
#include <slipway/slip_math.h>

/* What is left of a after whole multiples of b, at b's exponent; *odd: their number is. */
static inline u64 divide_digits(digits a, digits b, bool *odd)
{
    u64 left = a.digits;
    bool last = left >= b.digits;

    left -= last ? b.digits : 0;
    for (i32 n = a.exponent - b.exponent; n > 0 && (left != 0 || last); --n) {
        left <<= 1;
        last = left >= b.digits;
        left -= last ? b.digits : 0;
    }
    *odd = last;
    return left;
}

f32 slip_fmodf(f32 x, f32 y)
{
    const u32 ax = slip_f32_bits(abs_f32(x)), ay = slip_f32_bits(abs_f32(y));

    if (ax >= 0x7f800000u || ay > 0x7f800000u || ay == 0)
        return SLIP_NAN_F32;
    if (ax < ay)
        return x;

    const digits a = digits_of_f32(x), b = digits_of_f32(y);
    bool odd;
    digits left;
    left.digits = divide_digits(a, b, &odd);
    left.exponent = b.exponent;
    return number_f32(slip_f32_bits(x) & SLIP_SIGN_F32, left);
}

f64 slip_fmod(f64 x, f64 y)
{
    const u64 ax = slip_f64_bits(abs_f64(x)), ay = slip_f64_bits(abs_f64(y));

    if (ax >= 0x7ff0000000000000u || ay > 0x7ff0000000000000u || ay == 0)
        return SLIP_NAN_F64;
    if (ax < ay)
        return x;

    const digits a = digits_of_f64(x), b = digits_of_f64(y);
    bool odd;
    digits left;
    left.digits = divide_digits(a, b, &odd);
    left.exponent = b.exponent;
    return number_f64(slip_f64_bits(x) & SLIP_SIGN_F64, left);
}

/* The remainder nearest 0 of a and b; the quotient is even where two are as near. *flip: it lies
 * below 0. */
static inline digits nearest_rest(digits a, digits b, bool *flip)
{
    digits left;
    bool odd = false;

    *flip = false;
    if (a.exponent < b.exponent - 1)
        return a;
    left.exponent = b.exponent - 1; /* a half is a whole number there */
    if (a.exponent < b.exponent)
        left.digits = a.digits;
    else
        left.digits = divide_digits(a, b, &odd) << 1;
    if (left.digits > b.digits || (left.digits == b.digits && odd)) {
        left.digits = 2 * b.digits - left.digits;
        *flip = true;
    }
    return left;
}

f32 slip_remainderf(f32 x, f32 y)
{
    const u32 ax = slip_f32_bits(abs_f32(x)), ay = slip_f32_bits(abs_f32(y));

    if (ax >= 0x7f800000u || ay > 0x7f800000u || ay == 0)
        return SLIP_NAN_F32;
    if (ax == 0 || ay == 0x7f800000u)
        return x;

    bool flip;
    const digits left = nearest_rest(digits_of_f32(x), digits_of_f32(y), &flip);
    const u32 sign = slip_f32_bits(x) & SLIP_SIGN_F32;
    return number_f32(flip ? sign ^ SLIP_SIGN_F32 : sign, left);
}

f64 slip_remainder(f64 x, f64 y)
{
    const u64 ax = slip_f64_bits(abs_f64(x)), ay = slip_f64_bits(abs_f64(y));

    if (ax >= 0x7ff0000000000000u || ay > 0x7ff0000000000000u || ay == 0)
        return SLIP_NAN_F64;
    if (ax == 0 || ay == 0x7ff0000000000000u)
        return x;

    bool flip;
    const digits left = nearest_rest(digits_of_f64(x), digits_of_f64(y), &flip);
    const u64 sign = slip_f64_bits(x) & SLIP_SIGN_F64;
    return number_f64(flip ? sign ^ SLIP_SIGN_F64 : sign, left);
}
