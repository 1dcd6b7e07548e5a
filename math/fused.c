/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fused.c - x * y + z with one rounding, in integers: for devices whose own fma rounds twice.
 *
 * The product's digits and z's are brought to one exponent with bits to spare below; what is pushed
 * out there is remembered in the lowest bit. Digits cancel only where nothing is pushed out.
 */
#include "digits.h"
#include <slipway/slip_math.h>

static inline u64 pushed_down(u64 value, i32 by)
{
    if (by <= 0)
        return value;
    if (by > 63)
        return value != 0 ? 1 : 0;
    return value >> by | (value << (64 - by) != 0 ? 1 : 0);
}

f32 slip_fmaf(f32 x, f32 y, f32 z)
{
    const u32 inf = 0x7f800000u, ax = slip_f32_bits(abs_f32(x)), ay = slip_f32_bits(abs_f32(y));
    const u32 az = slip_f32_bits(abs_f32(z));
    const bool finite = ax < inf && ay < inf;

    if (az >= inf)
        return finite && az == inf ? z : x * y + z;
    if (!finite || ax == 0 || ay == 0)
        return finite && az != 0 ? z : x * y + z;

    const digits a = digits_of_f32(x), b = digits_of_f32(y), c = digits_of_f32(z);
    const u32 sign = (slip_f32_bits(x) ^ slip_f32_bits(y)) & SLIP_SIGN_F32;
    const u32 c_sign = slip_f32_bits(z) & SLIP_SIGN_F32;
    const i32 p_exponent = a.exponent + b.exponent - 13;
    const i32 c_exponent = az != 0 ? c.exponent - 36 : p_exponent;
    const u64 p = pushed_down(a.digits * b.digits << 13, c_exponent - p_exponent);
    const u64 q = pushed_down(c.digits << 36, p_exponent - c_exponent);
    digits sum;

    sum.exponent = p_exponent > c_exponent ? p_exponent : c_exponent;
    sum.digits = sign == c_sign ? p + q : p > q ? p - q : q - p;
    if (sum.digits == 0)
        return sign == c_sign ? slip_bits_f32(sign) : 0.0f;
    return number_f32(p >= q ? sign : c_sign, sum);
}

/* 128 bits */
typedef struct wide {
    u64 high, low;
} wide;

static inline wide wide_left(wide a, u32 by) /* 1 to 63 */
{
    wide out;

    out.high = a.high << by | a.low >> (64 - by);
    out.low = a.low << by;
    return out;
}

static inline wide wide_down(wide a, i32 by)
{
    wide out = a;

    if (by > 127) {
        out.low = (a.high | a.low) != 0 ? 1 : 0;
        out.high = 0;
    } else if (by > 63) {
        out.low = pushed_down(a.high, by - 64) | (a.low != 0 ? 1 : 0);
        out.high = 0;
    } else if (by > 0) {
        out.low = a.high << (64 - by) | pushed_down(a.low, by);
        out.high = a.high >> by;
    }
    return out;
}

static inline wide wide_add(wide a, wide b)
{
    wide out;

    out.low = a.low + b.low;
    out.high = a.high + b.high + (out.low < a.low ? 1 : 0);
    return out;
}

static inline wide wide_subtract(wide a, wide b)
{
    wide out;

    out.low = a.low - b.low;
    out.high = a.high - b.high - (a.low < b.low ? 1 : 0);
    return out;
}

static inline wide wide_product(u64 a, u64 b)
{
    const u64 al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const u64 cross = ah * bl + (al * bl >> 32), other = al * bh + (cross & 0xffffffffu);
    wide out;

    out.low = a * b;
    out.high = ah * bh + (cross >> 32) + (other >> 32);
    return out;
}

static inline f64 number_of_wide(u64 sign, wide a, i32 exponent)
{
    digits d;

    if (a.high == 0) {
        d.digits = a.low >> 1 | (a.low & 1);
        d.exponent = exponent + 1;
        return number_f64(sign, d);
    }
    for (u32 step = 32; step > 0; step >>= 1) {
        if (a.high >> (63 - step) == 0) {
            a = wide_left(a, step);
            exponent -= (i32)step;
        }
    }
    d.digits = a.high | (a.low != 0 ? 1 : 0);
    d.exponent = exponent + 64;
    return number_f64(sign, d);
}

f64 slip_fma(f64 x, f64 y, f64 z)
{
    const u64 inf = 0x7ff0000000000000u, ax = slip_f64_bits(abs_f64(x));
    const u64 ay = slip_f64_bits(abs_f64(y)), az = slip_f64_bits(abs_f64(z));
    const bool finite = ax < inf && ay < inf;

    if (az >= inf)
        return finite && az == inf ? z : x * y + z;
    if (!finite || ax == 0 || ay == 0)
        return finite && az != 0 ? z : x * y + z;

    const digits a = digits_of_f64(x), b = digits_of_f64(y), c = digits_of_f64(z);
    const u64 sign = (slip_f64_bits(x) ^ slip_f64_bits(y)) & SLIP_SIGN_F64;
    const u64 c_sign = slip_f64_bits(z) & SLIP_SIGN_F64;
    const i32 p_exponent = a.exponent + b.exponent - 20;
    const i32 c_exponent = az != 0 ? c.exponent - 72 : p_exponent;
    wide c_digits;
    c_digits.high = c.digits << 8;
    c_digits.low = 0;
    const wide p =
        wide_down(wide_left(wide_product(a.digits, b.digits), 20), c_exponent - p_exponent);
    const wide q = wide_down(c_digits, p_exponent - c_exponent);
    const bool p_larger = p.high > q.high || (p.high == q.high && p.low >= q.low);
    const wide sum = sign == c_sign ? wide_add(p, q)
                     : p_larger     ? wide_subtract(p, q)
                                    : wide_subtract(q, p);

    if ((sum.high | sum.low) == 0)
        return sign == c_sign ? slip_bits_f64(sign) : 0.0;
    return number_of_wide(p_larger ? sign : c_sign, sum,
                          p_exponent > c_exponent ? p_exponent : c_exponent);
}
