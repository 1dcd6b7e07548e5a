/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges_test.c - denormals, zeros of both signs, infinities and NaN in every pair.
 */
#include "conform.h"

#include <math.h>

#include "edges.slip.h"

#include "edges.reference.h"

static const f32 narrow_edges[] = {
    0.0f,      -0.0f,      0x1p-149f,   -0x1p-149f, 0x1p-148f, 1e-40f, -1e-40f, 0x1.fffffcp-127f,
    0x1p-126f, -0x1p-126f, 0x1.8p-126f, 1.0f,       -1.0f,     0.5f,   -0.5f,   1.5f,
    2.5f,      3.4e38f,    -3.4e38f,    INFINITY,   -INFINITY, NAN
};
static const f64 wide_edges[] = { 0.0,       -0.0,       0x1p-1074,   -0x1p-1074,
                                  0x1p-1073, 1e-310,     -1e-310,     0x1.ffffffffffffep-1023,
                                  0x1p-1022, -0x1p-1022, 0x1.8p-1022, 1.0,
                                  -1.0,      0.5,        -0.5,        0x1.8p-149,
                                  1e-40,     1.7e308,    -1.7e308,    INFINITY,
                                  -INFINITY, NAN };
enum { EDGES = sizeof narrow_edges / sizeof narrow_edges[0], PAIRS = EDGES * EDGES };
_Static_assert(EDGES == sizeof wide_edges / sizeof wide_edges[0], "as many of each");

/* Every pair: the first goes through all values while the second stays, or the other way round. */
static void fill_pairs(f32 *narrow, f64 *wide, bool fast)
{
    for (int k = 0; k < PAIRS; k++) {
        narrow[k] = narrow_edges[fast ? k % EDGES : k / EDGES];
        wide[k] = wide_edges[fast ? k % EDGES : k / EDGES];
    }
}

CONFORM(comparisons_of_every_pair)
{
    static f32 x[PAIRS], y[PAIRS];
    static f64 p[PAIRS], q[PAIRS];
    conform_pair narrow = PAIR(u32, ZERO, PAIRS), wide = PAIR(u32, ZERO, PAIRS);
    conform_pair mixed = PAIR(u32, ZERO, PAIRS);

    fill_pairs(x, p, false);
    fill_pairs(y, q, true);
    BOTH(compare_pairs, PAIRS, x, y, p, q, S(narrow), S(wide), S(mixed));
    SAME(narrow);
    SAME(wide);
    SAME(mixed);
    /* 0 and -0 are equal; 0 and the least denormal are not */
    EXPECT_I64(((u32 *)narrow.side[0])[1], 0x1a);
    EXPECT_I64(((u32 *)narrow.side[0])[2], 0x23);
    EXPECT_I64(((u32 *)wide.side[0])[3 * EDGES], 0x23);
}

CONFORM(comparisons_with_constants)
{
    conform_pair narrow = PAIR(u64, ZERO, EDGES), wide = PAIR(u64, ZERO, EDGES);

    BOTH(compare_to_constants, EDGES, narrow_edges, wide_edges, S(narrow), S(wide));
    SAME(narrow);
    SAME(wide);
}

CONFORM(minima_and_maxima_of_every_pair)
{
    static f32 x[PAIRS], y[PAIRS];
    static f64 p[PAIRS], q[PAIRS];
    conform_pair narrow = PAIR(f32, ZERO, 2 * PAIRS), wide = PAIR(f64, ZERO, 2 * PAIRS);

    fill_pairs(x, p, false);
    fill_pairs(y, q, true);
    BOTH(least_and_most, PAIRS, x, y, p, q, S(narrow), S(wide));
    SAME(narrow);
    SAME(wide);
    for (int k = 0; k < 2; k++) { /* 0, -0 and -0, 0 */
        int at = 2 * (k ? 1 : EDGES);
        SAME_VALUE(f32, ((f32 *)narrow.side[0])[at], -0.0f);
        SAME_VALUE(f32, ((f32 *)narrow.side[0])[at + 1], 0.0f);
        SAME_VALUE(f64, ((f64 *)wide.side[0])[at], -0.0);
        SAME_VALUE(f64, ((f64 *)wide.side[0])[at + 1], 0.0);
    }
}

CONFORM(whole_numbers_of_each)
{
    conform_pair narrow = PAIR(f32, ZERO, 6 * EDGES), wide = PAIR(f64, ZERO, 6 * EDGES);

    BOTH(whole_numbers, EDGES, narrow_edges, wide_edges, S(narrow), S(wide));
    SAME(narrow);
    SAME(wide);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[6 * 3], -1.0f);    /* floor(-2^-149) */
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[6 * 2 + 1], 1.0f); /* ceil(2^-149) */
}

CONFORM(conversions_of_each)
{
    conform_pair wide = PAIR(f64, ZERO, EDGES), narrow = PAIR(f32, ZERO, EDGES);
    conform_pair set = PAIR(bool, ZERO, EDGES), small = PAIR(u8, ZERO, EDGES);
    conform_pair large = PAIR(i64, ZERO, EDGES);

    BOTH(convert_floats, EDGES, narrow_edges, wide_edges, S(wide), S(narrow), S(set), S(small),
         S(large));
    SAME(wide);
    SAME(narrow);
    SAME(set);
    SAME(small);
    SAME(large);
    SAME_VALUE(f64, ((f64 *)wide.side[0])[3], -0x1p-149);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[15], 0x1p-148f); /* 1.5 units: to even */
}

/* An f64 around every place where its f32 is a denormal: a middle between two, and its neighbours.
 */
CONFORM(denormals_are_rounded_to_even)
{
    enum { COUNT = 3000 };
    static f64 p[COUNT];
    static f32 x[COUNT];
    conform_pair wide = PAIR(f64, ZERO, COUNT), narrow = PAIR(f32, ZERO, COUNT);
    conform_pair set = PAIR(bool, ZERO, COUNT), small = PAIR(u8, ZERO, COUNT);
    conform_pair large = PAIR(i64, ZERO, COUNT);
    const u32 *bits = IN(u32, PLAIN, COUNT);

    for (int k = 0; k < COUNT; k++) {
        u32 units = bits[k] % 0x800010 >> k % 24; /* of every length, up to past the least normal */
        f64 middle = ldexp(units + 0.5, -149);
        p[k] = k % 3 == 0 ? middle : nextafter(middle, k % 3 == 1 ? 0 : 1);
        p[k] = k % 2 ? -p[k] : p[k];
        x[k] = slip_bits_f32(units | (u32)k << 31);
    }
    BOTH(convert_floats, COUNT, x, p, S(wide), S(narrow), S(set), S(small), S(large));
    SAME(wide);
    SAME(narrow);
    SAME(set);
    SAME(small);
    SAME(large);
    for (int k = 0; k < COUNT; k += 3) { /* a middle goes to the even one */
        u32 units = bits[k] % 0x800010 >> k % 24, got = slip_f32_bits(((f32 *)narrow.side[0])[k]);
        EXPECT_I64(got & 0x7fffffff, units + (units & 1));
    }
}

CONFORM(zeros_that_a_compiler_finds_keep_their_sign)
{
    conform_pair narrow = PAIR(f32, ZERO, 5 * EDGES), wide = PAIR(f64, ZERO, 5 * EDGES);

    BOTH(zeros_from_loops, EDGES, narrow_edges, wide_edges, S(narrow), S(wide));
    SAME(narrow);
    SAME(wide);
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[5 * 1], 0.0f);          /* 0 + -0 */
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[5 * 0 + 4], 0.0f);      /* 0 - 0 */
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[5 * 12 + 2], -0.0f);    /* 0 * -1 */
    SAME_VALUE(f32, ((f32 *)narrow.side[0])[5 * 19 + 2], (f32)NAN); /* 0 * infinity */
}

static const check_case cases[] = {
    CASE(comparisons_of_every_pair),
    CASE(comparisons_with_constants),
    CASE(minima_and_maxima_of_every_pair),
    CASE(whole_numbers_of_each),
    CASE(conversions_of_each),
    CASE(denormals_are_rounded_to_even),
    CASE(zeros_that_a_compiler_finds_keep_their_sign),
};
CHECK_MAIN(cases)
