/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beyond_test.c - what the language defines beyond C, against values worked out by hand; then over
 * many inputs against the spelled-out meaning.
 */
#include "conform.h"

#include <float.h>
#include <math.h>

#include "beyond.slip.h"

#include "beyond.reference.h"

#define MIN8 INT8_MIN
#define MIN16 INT16_MIN
#define MIN32 INT32_MIN
#define MIN64 INT64_MIN

CONFORM(division_by_zero_and_of_the_minimum)
{
    const i8 a8[] = { 7, -7, MIN8, MIN8, 0 }, b8[] = { 0, 0, -1, 0, 0 };
    const i16 a16[] = { 7, -7, MIN16, MIN16, 0 }, b16[] = { 0, 0, -1, 0, 0 };
    const i32 a32[] = { 7, -7, MIN32, MIN32, 0 }, b32[] = { 0, 0, -1, 0, 0 };
    const i64 a64[] = { 7, -7, MIN64, MIN64, 0 }, b64[] = { 0, 0, -1, 0, 0 };
    conform_pair q8 = PAIR(i8, PLAIN, 5), r8 = PAIR(i8, PLAIN, 5), q16 = PAIR(i16, PLAIN, 5);
    conform_pair r16 = PAIR(i16, PLAIN, 5), q32 = PAIR(i32, PLAIN, 5), r32 = PAIR(i32, PLAIN, 5);
    conform_pair q64 = PAIR(i64, PLAIN, 5), r64 = PAIR(i64, PLAIN, 5);

    ON_DEVICE(divide_signed, 5, a8, b8, a16, b16, a32, b32, a64, b64, S(q8), S(r8), S(q16),
              S(r16), S(q32), S(r32), S(q64), S(r64));
    /* i8 and i16 divide as int: 128 and 32768 wrap on the store. */
    WANT(i8, q8, 0, 0, MIN8, 0, 0);
    WANT(i8, r8, 7, -7, 0, MIN8, 0);
    WANT(i16, q16, 0, 0, MIN16, 0, 0);
    WANT(i16, r16, 7, -7, 0, MIN16, 0);
    WANT(i32, q32, 0, 0, MIN32, 0, 0);
    WANT(i32, r32, 7, -7, 0, MIN32, 0);
    WANT(i64, q64, 0, 0, MIN64, 0, 0);
    WANT(i64, r64, 7, -7, 0, MIN64, 0);
}

CONFORM(unsigned_division_by_zero)
{
    const u8 a8[] = { 200, 200, 0 }, b8[] = { 0, 255, 0 };
    const u32 a32[] = { 4000000000u, 4000000000u, 0 }, b32[] = { 0, UINT32_MAX, 0 };
    const u64 a64[] = { UINT64_MAX, UINT64_MAX, 0 }, b64[] = { 0, UINT64_MAX, 0 };
    conform_pair q8 = PAIR(u8, PLAIN, 3), r8 = PAIR(u8, PLAIN, 3), q32 = PAIR(u32, PLAIN, 3);
    conform_pair r32 = PAIR(u32, PLAIN, 3), q64 = PAIR(u64, PLAIN, 3), r64 = PAIR(u64, PLAIN, 3);

    ON_DEVICE(divide_unsigned, 3, a8, b8, a32, b32, a64, b64, S(q8), S(r8), S(q32), S(r32),
              S(q64), S(r64));
    WANT(u8, q8, 0, 0, 0);
    WANT(u8, r8, 200, 200, 0);
    WANT(u32, q32, 0, 0, 0);
    WANT(u32, r32, 4000000000u, 4000000000u, 0);
    WANT(u64, q64, 0, 1, 0);
    WANT(u64, r64, UINT64_MAX, 0, 0);
}

CONFORM(division_of_wild_integers)
{
    SIZES (n) {
        const void *a8 = IN(i8, WILD, n), *b8 = IN(i8, WILD, n), *a16 = IN(i16, WILD, n);
        const void *b16 = IN(i16, WILD, n), *a32 = IN(i32, WILD, n), *b32 = IN(i32, WILD, n);
        const void *a64 = IN(i64, WILD, n), *b64 = IN(i64, WILD, n), *e32 = IN(i32, EXACT, n);
        conform_pair q8 = PAIR(i8, PLAIN, n), r8 = PAIR(i8, PLAIN, n), q16 = PAIR(i16, PLAIN, n);
        conform_pair r16 = PAIR(i16, PLAIN, n), q32 = PAIR(i32, PLAIN, n);
        conform_pair r32 = PAIR(i32, PLAIN, n), q64 = PAIR(i64, PLAIN, n);
        conform_pair r64 = PAIR(i64, PLAIN, n);
        BOTH(divide_signed, n, a8, b8, a16, b16, a32, b32, a64, b64, S(q8), S(r8), S(q16), S(r16),
             S(q32), S(r32), S(q64), S(r64));
        SAME(q8);
        SAME(r8);
        SAME(q16);
        SAME(r16);
        SAME(q32);
        SAME(r32);
        SAME(q64);
        SAME(r64);
        BOTH(divide_in_place, n, S(q32), S(r64), b32, b64);
        SAME(q32);
        SAME(r64);
        BOTH(guarded_division, n, a32, e32, S(r32));
        SAME(r32);
    }
}

CONFORM(unsigned_division_of_wild_integers)
{
    SIZES (n) {
        const void *a8 = IN(u8, WILD, n), *b8 = IN(u8, WILD, n), *a32 = IN(u32, WILD, n);
        const void *b32 = IN(u32, WILD, n), *a64 = IN(u64, WILD, n), *b64 = IN(u64, WILD, n);
        conform_pair q8 = PAIR(u8, PLAIN, n), r8 = PAIR(u8, PLAIN, n), q32 = PAIR(u32, PLAIN, n);
        conform_pair r32 = PAIR(u32, PLAIN, n), q64 = PAIR(u64, PLAIN, n);
        conform_pair r64 = PAIR(u64, PLAIN, n);
        BOTH(divide_unsigned, n, a8, b8, a32, b32, a64, b64, S(q8), S(r8), S(q32), S(r32), S(q64),
             S(r64));
        SAME(q8);
        SAME(r8);
        SAME(q32);
        SAME(r32);
        SAME(q64);
        SAME(r64);
    }
}

CONFORM(a_guarded_division_leaves_other_lanes_alone)
{
    i32 a[64], b[64], want[64];
    conform_pair out;

    for (int i = 0; i < 64; i++) {
        a[i] = i % 2 ? 7 : INT32_MIN;
        b[i] = i == 0 ? 1 : i == 9 ? -1 : 0;
        want[i] = i == 0 ? INT32_MIN : i == 9 ? -7 : 55;
    }
    out = PAIR(i32, ZERO, 64);
    for (int i = 0; i < 64; i++)
        ((i32 *)out.side[0])[i] = 55;
    ON_DEVICE(guarded_division, 64, a, b, S(out));
    conform_same(c, "out", TYPE_i32, out.side[0], want, 64);
}

CONFORM(constants_divide_as_at_run_time)
{
    conform_pair out = PAIR(i32, PLAIN, 8), wide = PAIR(i64, PLAIN, 4);

    BOTH(constant_division, 0, S(out), S(wide));
    WANT(i32, out, 0, 7, MIN32, 0, MIN32, 0, 0, -7);
    WANT(i64, wide, MIN64, 0, 0, 5);
    SAME(out);
    SAME(wide);
}

CONFORM(shift_counts_are_taken_modulo_the_width)
{
    const i32 k[] = { 0, 31, 32, 33, -1, 64, 100 };
    const i32 s[] = { -5, 1, -5, -8, 3, -9, 16 };
    const u32 u[] = { 5, 1, 5, 8, 3, 9, 16 };
    const i64 l[] = { -5, 1, -5, -8, 3, -9, 16 };
    const u8 b[] = { 255, 255, 255, 255, 255, 255, 255 };
    conform_pair sl = PAIR(i32, PLAIN, 7), sr = PAIR(i32, PLAIN, 7), ul = PAIR(u32, PLAIN, 7);
    conform_pair ur = PAIR(u32, PLAIN, 7), ll = PAIR(i64, PLAIN, 7), lr = PAIR(i64, PLAIN, 7);
    conform_pair bl = PAIR(i32, PLAIN, 7);

    ON_DEVICE(shift_by_any_count, 7, k, s, u, l, b, S(sl), S(sr), S(ul), S(ur), S(ll), S(lr),
              S(bl));
    WANT(i32, sl, -5, MIN32, -5, -16, MIN32, -9, 256);
    WANT(i32, sr, -5, 0, -5, -4, 0, -9, 1);
    WANT(u32, ul, 5, 0x80000000u, 5, 16, 0x80000000u, 9, 256);
    WANT(u32, ur, 5, 0, 5, 4, 0, 9, 1);
    WANT(i64, ll, -5, INT64_C(1) << 31, -5 * (INT64_C(1) << 32), -8 * (INT64_C(1) << 33),
         MIN64, -9, INT64_C(16) << 36);
    WANT(i64, lr, -5, 0, -1, -1, 0, -9, 0);
    WANT(i32, bl, 255, MIN32, 255, 510, MIN32, 255, 4080);
}

CONFORM(shifts_by_wild_counts)
{
    SIZES (n) {
        const void *k = IN(i32, WILD, n), *s = IN(i32, WILD, n), *u = IN(u32, WILD, n);
        const void *l = IN(i64, WILD, n), *b = IN(u8, WILD, n), *wide = IN(u64, WILD, n);
        conform_pair sl = PAIR(i32, PLAIN, n), sr = PAIR(i32, PLAIN, n), ul = PAIR(u32, PLAIN, n);
        conform_pair ur = PAIR(u32, PLAIN, n), ll = PAIR(i64, PLAIN, n), lr = PAIR(i64, PLAIN, n);
        conform_pair bl = PAIR(i32, PLAIN, n), h = PAIR(u16, WILD, n), v = PAIR(u64, WILD, n);
        BOTH(shift_by_any_count, n, k, s, u, l, b, S(sl), S(sr), S(ul), S(ur), S(ll), S(lr),
             S(bl));
        SAME(sl);
        SAME(sr);
        SAME(ul);
        SAME(ur);
        SAME(ll);
        SAME(lr);
        SAME(bl);
        BOTH(shift_in_place, n, wide, S(sl), S(v), S(h));
        SAME(sl);
        SAME(v);
        SAME(h);
    }
}

CONFORM(constants_shift_as_at_run_time)
{
    conform_pair out = PAIR(i32, PLAIN, 4), wide = PAIR(i64, PLAIN, 2);

    BOTH(constant_shifts, S(out), S(wide));
    WANT(i32, out, 2, -2, MIN32, 0x40000000);
    WANT(i64, wide, 2, -2);
    SAME(out);
    SAME(wide);
}

typedef struct eight {
    conform_pair a, b, c, d, e, f, g, h;
} eight;

static eight one_of_each(conform *c, int32_t n)
{
    return (eight){ PAIR(i8, PLAIN, n), PAIR(u8, PLAIN, n), PAIR(i16, PLAIN, n),
                    PAIR(u16, PLAIN, n), PAIR(i32, PLAIN, n), PAIR(u32, PLAIN, n),
                    PAIR(i64, PLAIN, n), PAIR(u64, PLAIN, n) };
}

#define EIGHT(x) S((x).a), S((x).b), S((x).c), S((x).d), S((x).e), S((x).f), S((x).g), S((x).h)

static void same_eight(conform *c, const eight *x)
{
    SAME(x->a);
    SAME(x->b);
    SAME(x->c);
    SAME(x->d);
    SAME(x->e);
    SAME(x->f);
    SAME(x->g);
    SAME(x->h);
}

CONFORM(floats_saturate_and_nan_gives_zero)
{
    const f32 x[] = { 3e9f, NAN, 300.f, -5.f, INFINITY, -INFINITY, -0.9f, 1e19f, 2e19f };
    const f64 y[] = { 3e9, NAN, 300, -5, INFINITY, -INFINITY, -0.9, 1e19, 2e19 };

    for (int wide = 0; wide < 2; wide++) {
        eight out = one_of_each(c, 9);
        if (wide)
            ON_DEVICE(saturate_f64, 9, y, EIGHT(out));
        else
            ON_DEVICE(saturate_f32, 9, x, EIGHT(out));
        WANT(i8, out.a, 127, 0, 127, -5, 127, -128, 0, 127, 127);
        WANT(u8, out.b, 255, 0, 255, 0, 255, 0, 0, 255, 255);
        WANT(i16, out.c, 32767, 0, 300, -5, 32767, -32768, 0, 32767, 32767);
        WANT(u16, out.d, 65535, 0, 300, 0, 65535, 0, 0, 65535, 65535);
        WANT(i32, out.e, INT32_MAX, 0, 300, -5, INT32_MAX, MIN32, 0, INT32_MAX, INT32_MAX);
        WANT(u32, out.f, 3000000000u, 0, 300, 0, UINT32_MAX, 0, 0, UINT32_MAX, UINT32_MAX);
        WANT(i64, out.g, 3000000000, 0, 300, -5, INT64_MAX, MIN64, 0, INT64_MAX, INT64_MAX);
        WANT(u64, out.h, 3000000000u, 0, 300, 0, UINT64_MAX, 0, 0,
             wide ? UINT64_C(10000000000000000000) : UINT64_C(9999999980506447872), UINT64_MAX);
    }
}

CONFORM(saturation_over_many_magnitudes)
{
    SIZES (n) {
        const u32 *bits = IN(u32, PLAIN, n);
        const u64 *wide = IN(u64, PLAIN, n);
        const void *wild = IN(f32, WILD, n);
        f32 *x = conform_values(c, TYPE_f32, ZERO, (size_t)n);
        f64 *y = conform_values(c, TYPE_f64, ZERO, (size_t)n);
        eight out = one_of_each(c, n);
        for (int i = 0; i < n; i++) { /* exponents around those of the integer types */
            u32 narrow = (bits[i] & 0x807fffff) | (120 + bits[i] / 8388608 % 80) << 23;
            u64 whole = (wide[i] & 0x800fffffffffffff) | (1016 + wide[i] / 65536 % 80) << 52;
            x[i] = slip_bits_f32(narrow);
            y[i] = slip_bits_f64(whole);
        }
        BOTH(saturate_f32, n, x, EIGHT(out));
        same_eight(c, &out);
        BOTH(saturate_f64, n, y, EIGHT(out));
        same_eight(c, &out);
        BOTH(saturate_implied, n, x, S(out.b), S(out.e), S(out.h));
        same_eight(c, &out);
        BOTH(saturate_implied, n, wild, S(out.b), S(out.e), S(out.h));
        same_eight(c, &out);
    }
}

CONFORM(constants_saturate_as_at_run_time)
{
    conform_pair out = PAIR(i64, PLAIN, 10);

    BOTH(constant_saturation, S(out));
    WANT(i64, out, INT32_MAX, 0, 255, 0, -128, 65535, INT64_MAX, MIN64, 4294967295, 0);
    SAME(out);
}

CONFORM(minima_and_maxima_of_nan_and_zeros)
{
    const f32 x[] = { 1, NAN, NAN, -0.0f, 0.0f, INFINITY, -1 };
    const f32 y[] = { NAN, 2, NAN, 0.0f, -0.0f, FLT_MAX, -INFINITY };
    const f64 p[] = { 1, NAN, NAN, -0.0, 0.0, INFINITY, -1 };
    const f64 q[] = { NAN, 2, NAN, 0.0, -0.0, DBL_MAX, -INFINITY };
    conform_pair a = PAIR(f32, PLAIN, 7), b = PAIR(f32, PLAIN, 7), d = PAIR(f32, PLAIN, 7);
    conform_pair e = PAIR(f32, PLAIN, 7), f = PAIR(f64, PLAIN, 7), g = PAIR(f64, PLAIN, 7);

    ON_DEVICE(smaller_and_larger, 7, x, y, p, q, S(a), S(b), S(d), S(e), S(f), S(g));
    WANT(f32, a, 1, 2, NAN, -0.0f, -0.0f, FLT_MAX, -INFINITY);
    WANT(f32, b, 1, 2, NAN, 0.0f, 0.0f, INFINITY, -1);
    WANT(f32, d, 1, 2, NAN, -0.0f, -0.0f, FLT_MAX, -INFINITY);
    WANT(f32, e, 1, 2, NAN, 0.0f, 0.0f, INFINITY, -1);
    WANT(f64, f, 1, 2, NAN, -0.0, -0.0, DBL_MAX, -INFINITY);
    WANT(f64, g, 1, 2, NAN, 0.0, 0.0, INFINITY, -1);
    SIZES (n) {
        const void *u = IN(f32, WILD, n), *v = IN(f32, WILD, n);
        const void *s = IN(f64, WILD, n), *t = IN(f64, WILD, n);
        a = PAIR(f32, PLAIN, n), b = PAIR(f32, PLAIN, n), d = PAIR(f32, PLAIN, n);
        e = PAIR(f32, PLAIN, n), f = PAIR(f64, PLAIN, n), g = PAIR(f64, PLAIN, n);
        BOTH(smaller_and_larger, n, u, v, s, t, S(a), S(b), S(d), S(e), S(f), S(g));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        SAME(f);
        SAME(g);
    }
}

CONFORM(signed_overflow_wraps)
{
    const i32 a[] = { INT32_MAX, MIN32, MIN32, 65536, 5 }, b[] = { 1, -1, -1, 65536, -9 };
    const i64 l[] = { INT64_MAX, MIN64, 4294967296, 3037000500, 0 };
    conform_pair sum = PAIR(i32, PLAIN, 5), product = PAIR(i32, PLAIN, 5);
    conform_pair negated = PAIR(i32, PLAIN, 5), wide = PAIR(i64, PLAIN, 5);
    conform_pair grows = PAIR(bool, PLAIN, 5);

    BOTH(signed_wrap, 5, a, b, l, S(sum), S(product), S(negated), S(wide), S(grows));
    WANT(i32, sum, MIN32, INT32_MAX, INT32_MAX, 131072, -4);
    WANT(i32, product, INT32_MAX, MIN32, MIN32, 0, -45);
    WANT(i32, negated, -INT32_MAX, MIN32, MIN32, -65536, -5);
    WANT(i64, wide, MIN64 + 2, MIN64, -4294967296, INT64_C(9223372033963249500), 0);
    WANT(u8, grows, 0, 1, 1, 1, 1);
    SAME(sum);
    SAME(product);
    SAME(negated);
    SAME(wide);
    SAME(grows);
}

static const check_case cases[] = {
    CASE(division_by_zero_and_of_the_minimum),
    CASE(unsigned_division_by_zero),
    CASE(division_of_wild_integers),
    CASE(unsigned_division_of_wild_integers),
    CASE(a_guarded_division_leaves_other_lanes_alone),
    CASE(constants_divide_as_at_run_time),
    CASE(shift_counts_are_taken_modulo_the_width),
    CASE(shifts_by_wild_counts),
    CASE(constants_shift_as_at_run_time),
    CASE(floats_saturate_and_nan_gives_zero),
    CASE(saturation_over_many_magnitudes),
    CASE(constants_saturate_as_at_run_time),
    CASE(minima_and_maxima_of_nan_and_zeros),
    CASE(signed_overflow_wraps),
};
CHECK_MAIN(cases)
