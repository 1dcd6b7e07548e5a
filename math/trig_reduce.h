/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trig_reduce.h - |x| = quarter * pi/2 + r + rest, |r| <= pi/4, with r right to its last place.
 *
 * Up to a limit, pi/2 stands in parts whose products with the quarter are exact. Beyond, the bits
 * of 2/pi that matter are multiplied by x's digits as integers: bits worth a multiple of 4 quarters
 * are left out, and enough follow that the nearest any number comes to a multiple of pi/2 keeps all
 * its digits.
 */
#ifndef SLIP_MATH_TRIG_REDUCE_H
#define SLIP_MATH_TRIG_REDUCE_H

#include "parts.h"

typedef struct turn_f32 {
    f32 r, rest;
    u32 quarter; /* modulo 4 counts */
} turn_f32;

typedef struct turn_f64 {
    f64 r, rest;
    u32 quarter;
} turn_f64;

/* 64 zeros, then 2/pi. */
static const u32 two_over_pi[42] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
    0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
    0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
    0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
    0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
};

/* 32 bits of the table, `shift` (below 32) after where `word` begins. */
static inline u32 two_over_pi_word(u32 word, u32 shift)
{
    return two_over_pi[word] << shift | two_over_pi[word + 1] >> 1 >> (31 - shift);
}

/* 64 bits of it. */
static inline u64 two_over_pi_pair(u32 word, u32 shift)
{
    return (u64)two_over_pi_word(word, shift) << 32 | two_over_pi_word(word + 1, shift);
}

/* Word `word` + `more` of the table for the five that an f32 can start in: selects, where a loop
 * over many numbers would have to gather. */
static inline u32 two_over_pi_near(u32 word, u32 more)
{
    return word < 3   ? (word < 2 ? two_over_pi[1 + more] : two_over_pi[2 + more])
           : word < 4 ? two_over_pi[3 + more]
           : word < 5 ? two_over_pi[4 + more]
                      : two_over_pi[5 + more];
}

static inline turn_f32 turn_large_f32(f32 x)
{
    const u32 bits = slip_f32_bits(x), at = (bits >> 23) - 150 + 62;
    const u64 digits = (bits & 0x7fffffu) | 0x800000u;
    const u32 word = at >> 5, shift = at & 31, back = 31 - shift;
    const u32 t0 = two_over_pi_near(word, 0), t1 = two_over_pi_near(word, 1);
    const u32 t2 = two_over_pi_near(word, 2), t3 = two_over_pi_near(word, 3);
    const u64 product = (digits * (t0 << shift | t1 >> 1 >> back) << 32) +
                        digits * (t1 << shift | t2 >> 1 >> back) +
                        (digits * (t2 << shift | t3 >> 1 >> back) >> 32);
    const u64 nearest = product + 0x2000000000000000u; /* quarters in the two upper bits */
    const bool below = (nearest >> 61 & 1) == 0;
    const u64 fraction = (below ? 0 - product : product) & 0x3fffffffffffffffu;
    const f32 a = (f32)(i32)(fraction >> 40) * 0x1p-22f;
    const f32 b = (f32)(i32)(fraction >> 16 & 0xffffff) * 0x1p-46f;
    const f32 c = (f32)(i32)(fraction & 0xffff) * 0x1p-62f;
    const f32 sum = a + b, low = sum_rest_f32(a, b, sum) + c;
    const f32 high = sum + low, high_rest = sum_rest_f32(sum, low, high);
    const f32 r = high * 0x1.921fb6p+0f;
    const f32 rest = product_rest_f32(high, 0x1.921fb6p+0f, r) +
                     (high * -0x1.777a5cp-25f + high_rest * 0x1.921fb6p+0f);
    turn_f32 out;

    out.quarter = (u32)(nearest >> 62);
    out.r = below ? -r : r;
    out.rest = below ? -rest : rest;
    return out;
}

/* x >= 0; an infinity or NaN gives NaN. */
static inline turn_f32 turn_f32_of(f32 x)
{
    const f32 shifted = x * 0x1.45f306p-1f + SLIP_ROUNDER_F32, n = shifted - SLIP_ROUNDER_F32;
    const f32 near = (x - n * 0x1.92p+0f) - n * 0x1.fb4p-12f, far = n * 0x1.444p-24f;
    turn_f32 out;

    out.quarter = slip_f32_bits(shifted);
    out.r = near - far;
    out.rest = ((near - out.r) - far) - n * 0x1.68c234p-39f;
    if (!(x < 4096.0f)) {
        const turn_f32 large = turn_large_f32(x < SLIP_INF_F32 ? x : 4096.0f);
        out.quarter = large.quarter;
        out.r = x < SLIP_INF_F32 ? large.r : SLIP_NAN_F32;
        out.rest = large.rest;
    }
    return out;
}

/* The upper 64 bits of a * b. */
static inline u64 product_high(u64 a, u64 b)
{
    const u64 al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const u64 low = al * bl, cross = ah * bl + (low >> 32), other = al * bh + (cross & 0xffffffffu);

    return ah * bh + (cross >> 32) + (other >> 32);
}

static inline turn_f64 turn_large_f64(f64 x)
{
    const u64 bits = slip_f64_bits(x);
    const u32 at = (u32)(bits >> 52) - 1075 + 62, word = at >> 5, shift = at & 31;
    const u64 digits = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const u64 w0 = two_over_pi_pair(word, shift);
    const u64 w1 = two_over_pi_pair(word + 2, shift);
    const u64 w2 = two_over_pi_pair(word + 4, shift);
    const u64 middle = digits * w1, low = middle + product_high(digits, w2);
    const u64 high = digits * w0 + product_high(digits, w1) + (low < middle ? 1 : 0);
    const u64 nearest = high + 0x2000000000000000u;
    const bool below = (nearest >> 61 & 1) == 0;
    const u64 f1 = (below ? ~high + (low == 0 ? 1 : 0) : high) & 0x3fffffffffffffffu;
    const u64 f0 = below ? 0 - low : low;
    const f64 a = (f64)(i64)(f1 >> 32) * 0x1p-30;
    const f64 b = (f64)(i64)((f1 & 0xffffffffu) << 20 | f0 >> 44) * 0x1p-82;
    const f64 c = (f64)(i64)(f0 & 0xfffffffffffu) * 0x1p-126;
    const f64 sum = a + b, tail = sum_rest_f64(a, b, sum) + c;
    const f64 top = sum + tail, top_rest = sum_rest_f64(sum, tail, top);
    const f64 r = top * 0x1.921fb54442d18p+0;
    const f64 rest = product_rest_f64(top, 0x1.921fb54442d18p+0, r) +
                     (top * 0x1.1a62633145c07p-54 + top_rest * 0x1.921fb54442d18p+0);
    turn_f64 out;

    out.quarter = (u32)(nearest >> 62);
    out.r = below ? -r : r;
    out.rest = below ? -rest : rest;
    return out;
}

static inline turn_f64 turn_f64_of(f64 x)
{
    const f64 shifted = x * 0x1.45f306dc9c883p-1 + SLIP_ROUNDER_F64, n = shifted - SLIP_ROUNDER_F64;
    const f64 first = x - n * 0x1.921fb544p+0, p2 = n * 0x1.0b4611a6p-34, p3 = n * 0x1.3198a2ep-69;
    const f64 second = first - p2, lost = any_sum_rest_f64(first, -p2, second);
    turn_f64 out;

    out.quarter = (u32)slip_f64_bits(shifted);
    out.r = second + (lost - p3);
    out.rest = any_sum_rest_f64(second, lost - p3, out.r) - n * 0x1.b839a252049c1p-104;
    if (!(x < 0x1p+20)) {
        const turn_f64 large = turn_large_f64(x < SLIP_INF_F64 ? x : 0x1p+20);
        out.quarter = large.quarter;
        out.r = x < SLIP_INF_F64 ? large.r : SLIP_NAN_F64;
        out.rest = large.rest;
    }
    return out;
}

#endif
