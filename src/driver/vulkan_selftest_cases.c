/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_cases.c - hard cases of rounded arithmetic, and the right answers.
 *
 * Three kinds: all pairs of special values; quotients, roots and products made to lie as near to
 * the middle between two floats as such can; and random ones. An operation that is right on them
 * all may still be wrong elsewhere; one that is not correctly rounded fails here.
 */
#include <string.h>

#include "base/scalar.h"
#include "driver/cpu_mode.h"
#include "driver/vulkan_selftest.h"

__extension__ typedef unsigned __int128 u128;

enum { SPECIALS = 16 };

/* 0, the least and largest denormals, the least normal, around 1, the middle between two whole
 * numbers, the largest, infinity, NaN. */
static const uint32_t specials32[SPECIALS] = { 0x00000000, 0x80000000, 0x00000001, 0x80000003,
                                               0x007fffff, 0x00400000, 0x00800000, 0x80800001,
                                               0x3f800000, 0x3f800001, 0xbf7fffff, 0x3f000000,
                                               0x7f7fffff, 0xff7fffff, 0x7f800000, 0x7fc00000 };

static uint64_t special(uint32_t width, uint32_t k)
{
    uint32_t bits = specials32[k];
    uint64_t sign = (uint64_t)(bits >> 31) << 63;

    if (width == 32)
        return bits;
    uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    uint64_t wide_exponent = exponent == 0      ? 0
                             : exponent == 0xff ? 0x7ff
                             : exponent == 0xfe ? 0x7fe
                             : exponent == 1    ? 1
                                                : exponent - 127 + 1023u;
    /* all ones stay all ones, small fractions stay small, the middle stays the middle */
    uint64_t wide_fraction = fraction == 0x7fffff   ? (UINT64_C(1) << 52) - 1
                             : fraction >= 0x400000 ? (uint64_t)fraction << 29
                                                    : fraction;
    return sign | wide_exponent << 52 | wide_fraction;
}

static uint64_t random_bits(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t vulkan_selftest_number(uint32_t width, double value)
{
    uint64_t bits = 0;
    float f = (float)value;

    if (width == 32)
        memcpy(&bits, &f, sizeof f); /* little-endian hosts only, as modules are */
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

/* The bits of an integer of at most the width's precision. */
static uint64_t float_of(uint32_t width, uint64_t integer)
{
    return vulkan_selftest_number(width, (double)integer);
}

static uint64_t low_bits(uint32_t count)
{
    return (UINT64_C(1) << count) - 1;
}

/* 1 / odd modulo 2^64, by Newton's method. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;

    for (int k = 0; k < 6; k++)
        x *= 2 - odd * x;
    return x;
}

/*
 * a / d near to the middle of two floats of p bits: with q odd of p + 1 bits and a small r,
 * a 2^(p+1) = q d + r makes a / d = (q + r / d) / 2^(p+1). Given d and r, q is unique modulo
 * 2^(p+1).
 */
static bool near_quotient(uint32_t precision, uint64_t d, int r, uint64_t *out_a)
{
    uint64_t q = (0 - (uint64_t)(int64_t)r) * inverse(d) & low_bits(precision + 1);

    *out_a = (uint64_t)(((u128)q * d + (u128)(__extension__(__int128) r)) >> (precision + 1));
    return q >> precision == 1 && *out_a <= low_bits(precision) && *out_a > 0;
}

/*
 * sqrt(x) near to such a middle: x 2^k = m^2 - r with m odd of p + 1 bits and a small r, which
 * has a root modulo 2^k where r is 1 modulo 8. k is even, and as large as leaves x its bits.
 */
static bool near_root(uint32_t precision, int64_t r, uint32_t which, uint64_t *out_x)
{
    const uint32_t k = precision == 24 ? 26 : 56;
    uint64_t root = 1;

    for (uint32_t bit = 3; bit < k; bit++)
        if (((root * root - (uint64_t)r) & low_bits(bit + 1)) != 0)
            root += UINT64_C(1) << (bit - 1);
    if (which & 1)
        root = 0 - root;
    if (which & 2)
        root += UINT64_C(1) << (k - 1);
    uint64_t m = root & low_bits(k);
    *out_x = (uint64_t)(((u128)m * m - (u128)(__extension__(__int128) r)) >> k);
    return m >> precision == 1 && *out_x <= low_bits(precision);
}

/* -(a * b), rounded: fma(a, b, c) is then what a * b lost, and 0 where it is not fused. */
static uint64_t minus_product(uint32_t width, uint64_t a, uint64_t b)
{
    uint64_t bits = 0;
    float x, y;
    double u, v;

    if (width == 32) {
        memcpy(&x, &a, sizeof x);
        memcpy(&y, &b, sizeof y);
        x = -(x * y);
        memcpy(&bits, &x, sizeof x);
    } else {
        memcpy(&u, &a, sizeof u);
        memcpy(&v, &b, sizeof v);
        u = -(u * v);
        memcpy(&bits, &u, sizeof u);
    }
    return bits;
}

static void hard_case(uint32_t width, uint64_t *state, vulkan_selftest_case *out)
{
    const uint32_t precision = width == 32 ? 24 : 53;
    uint64_t a, d, x;

    do
        d = random_bits(state) >> (64 - precision) | UINT64_C(1) << (precision - 1) | 1;
    while (!near_quotient(precision, d, (int)(random_bits(state) % 8) * 2 - 7, &a));
    while (!near_root(precision, (int64_t)(random_bits(state) % 4096) * 8 - 16383,
                      (uint32_t)random_bits(state), &x))
        ;
    out->a = float_of(width, a);
    out->b = float_of(width, d);
    out->c = float_of(width, x);
}

/* Significands at random, exponents of 2^-16 .. 2^15 (c's hides a product). */
static void random_case(uint32_t width, uint64_t *state, vulkan_selftest_case *out)
{
    const uint32_t fraction = width == 32 ? 23 : 52;
    const uint64_t bias = width == 32 ? 127 : 1023;

    out->a = (random_bits(state) & low_bits(fraction)) | (bias - 16 + random_bits(state) % 32)
                                                             << fraction;
    out->b = (random_bits(state) & low_bits(fraction)) | (bias - 16 + random_bits(state) % 32)
                                                             << fraction;
    out->c = minus_product(width, out->a, out->b);
}

/* An f64 whose f32 is a denormal or nearly, half of them a middle between two; and an f32, half of
 * them denormals. */
static void conversion_case(uint64_t *state, vulkan_selftest_case *out)
{
    uint64_t bits = random_bits(state), fraction = bits & low_bits(52);
    int exponent = (int)(random_bits(state) % 32) - 152, above = exponent + 150;

    if (above >= 0 && above <= 24 && (bits >> 62 & 1)) { /* an odd number of 2^-150 */
        uint64_t unit = UINT64_C(1) << (52 - above);
        fraction = (fraction & ~(2 * unit - 1)) | (above > 0 ? unit : 0);
    }
    out->wide = (bits & UINT64_C(1) << 63) | (uint64_t)(exponent + 1023) << 52 | fraction;
    bits = random_bits(state);
    out->narrow = bits & (bits >> 32 & 1 ? 0x807fffff : 0xffffffff);
}

/* A number of NUMERIC_HARD_ROOTS times a power of 4, from 2^-64 up to the largest. */
static uint64_t hard_root(uint32_t k)
{
    static const uint32_t of[] = { NUMERIC_HARD_ROOTS };
    const uint32_t count = sizeof of / sizeof of[0];

    return of[k % count] + (k / count << 24) - (64u << 23);
}

_Static_assert(sizeof((uint32_t[]){ NUMERIC_HARD_ROOTS }) / 4 * 96 == VULKAN_SELFTEST_ROOTS,
               "each at each exponent");

void vulkan_selftest_cases(uint32_t width, vulkan_selftest_case *out)
{
    uint64_t mode = cpu_mode_enter(), state = 1;

    for (uint32_t k = 0; k < VULKAN_SELFTEST_CASES; k++) {
        uint64_t bits = random_bits(&state);
        if (k < SPECIALS * SPECIALS)
            out[k] = (vulkan_selftest_case){ .a = special(width, k / SPECIALS),
                                             .b = special(width, k % SPECIALS),
                                             .c = special(width, bits % SPECIALS) };
        else if (k % 2)
            hard_case(width, &state, &out[k]);
        else
            random_case(width, &state, &out[k]);
        if (width == 32 && k >= VULKAN_SELFTEST_CASES - VULKAN_SELFTEST_ROOTS)
            out[k].c = hard_root(VULKAN_SELFTEST_CASES - 1 - k);
        /* of every length; half of them a middle between two floats, where the low bits are 1000..
         */
        out[k].n = (int64_t)bits >> (k % 40);
        if (k % 4 < 2)
            out[k].n = (int64_t)(((uint64_t)out[k].n & ~low_bits(10)) | UINT64_C(1) << 9);
        conversion_case(&state, &out[k]);
        if (width == 64 && k % 2 == 0) /* a special or a random one */
            out[k].wide = out[k].a;
        if (k < SPECIALS)
            out[k].narrow = special(32, k);
    }
    cpu_mode_leave(mode);
}

/* ---- right answers -------------------------------------------------------------------------- */

static uint64_t convert(scalar_type to, scalar_type from, uint64_t bits)
{
    return scalar_eval(SCALAR_OP_convert, to, from, bits, 0, 0);
}

/* a == b, a != b, a < b, a <= b: bits 0 .. 3 */
static uint64_t order_of(scalar_type t, uint64_t a, uint64_t b)
{
    static const scalar_op ops[] = { SCALAR_OP_eq, SCALAR_OP_ne, SCALAR_OP_lt, SCALAR_OP_le };
    uint64_t order = 0;

    for (uint32_t k = 0; k < 4; k++)
        order |= scalar_eval(ops[k], t, t, a, b, 0) << k;
    return order;
}

static uint64_t lesser(scalar_type t, uint64_t a, uint64_t b, uint64_t if_less, uint64_t if_not)
{
    return scalar_eval(SCALAR_OP_lt, t, t, a, b, 0) ? if_less : if_not;
}

static void answer(scalar_type t, const vulkan_selftest_case *of, vulkan_selftest_answer *out)
{
    const uint32_t width = t == SCALAR_f32 ? 32 : 64;
    const uint64_t one = vulkan_selftest_number(width, 1);
    const uint64_t minus_one = vulkan_selftest_number(width, -1);

#define IS(op, x, y) scalar_eval(SCALAR_OP_##op, t, t, x, y, of->c)
    *out = (vulkan_selftest_answer){ .quotient = IS(div, of->a, of->b),
                                     .root = IS(sqrt, of->c, 0),
                                     .fused = IS(fma, of->a, of->b),
                                     .sum = IS(add, of->a, of->b),
                                     .product = IS(mul, of->a, of->b),
                                     .converted = convert(t, SCALAR_i64, (uint64_t)of->n),
                                     .order = order_of(t, of->a, of->b),
                                     .least = IS(min, of->a, of->b),
                                     .most = IS(max, of->a, of->b),
                                     .floor = IS(floor, of->a, 0),
                                     .ceil = IS(ceil, of->a, 0),
                                     .trunc = IS(trunc, of->a, 0),
                                     .rint = IS(rint, of->a, 0),
                                     .zero_sum = IS(add, of->a, 0),
                                     .zero_difference = IS(sub, 0, of->a),
                                     .zero_product = IS(mul, of->a, 0),
                                     .zero_quotient = IS(div, 0, of->a),
                                     .by_zero = IS(div, of->a, 0),
                                     .difference = IS(sub, of->a, of->b),
                                     .at_most = lesser(t, one, of->a, one, of->a),
                                     .at_least = lesser(t, minus_one, of->a, of->a, minus_one) };
#undef IS
    out->at_most_later = out->at_most;
    out->brief_root = out->root;
    if (t != SCALAR_f64)
        return;
    out->narrowed = convert(SCALAR_f32, SCALAR_f64, of->wide);
    out->widened = convert(SCALAR_f64, SCALAR_f32, of->narrow);
}

void vulkan_selftest_answers(uint32_t width, const vulkan_selftest_case *cases,
                             vulkan_selftest_answer *out)
{
    uint64_t mode = cpu_mode_enter();

    for (uint32_t k = 0; k < VULKAN_SELFTEST_CASES; k++)
        answer(width == 32 ? SCALAR_f32 : SCALAR_f64, &cases[k], &out[k]);
    cpu_mode_leave(mode);
}
