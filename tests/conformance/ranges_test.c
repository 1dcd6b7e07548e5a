/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges_test.c - tasks of every form run each of their iterations once.
 */
#include <string.h>

#include "conform.h"

#include "ranges.slip.h"

#include "ranges.reference.h"

CONFORM(a_bound_of_every_type)
{
    conform_pair count = PAIR(i32, ZERO, 11);

    BOTH(bounds_of_every_type, 100, 200, 1000, 2000, 3, 4u, 5, 6u, 7u, true, S(count));
    SAME(count);
    WANT(i32, count, 5050, 20100, 500500, 2001000, 6, 10, 15, 21, 28, 1, 55);
    BOTH(bounds_of_every_type, -100, 0, -1, 0, -5, 0u, INT64_MIN, 0u, 0u, false, S(count));
    WANT(i32, count, 5050, 20100, 500500, 2001000, 6, 10, 15, 21, 28, 1, 110);
    SAME(count);
}

CONFORM(the_index_has_the_type_of_its_bounds)
{
    conform_pair below = PAIR(i64, ZERO, 5);

    BOTH(index_types, 5, 5, 5u, 5, 5u, S(below));
    WANT(i64, below, 5, 5, 5, 40, 45);
    SAME(below);
}

CONFORM(ranges_from_below_zero_and_inverted)
{
    static const i32 ends[][2] = { { 0, 9 }, { -5, 9 }, { 3, 3 }, { 7, 2 }, { -9, -2 },
                                   { 5, 400 }, { INT32_MAX, INT32_MIN }, { -1, -1 } };

    EACH (k, 0, 1, 2, 3, 4, 5, 6, 7) {
        conform_pair x = PAIR(i32, PLAIN, 100), ran = PAIR(i32, ZERO, 1);
        BOTH(range, ends[k][0], ends[k][1], 100, S(x), S(ran));
        SAME(x);
        SAME(ran);
    }
}

CONFORM(ranges_of_64_bits)
{
    static const i64 starts[] = { 0, -3, INT64_C(1) << 31, INT64_C(1) << 33,
                                  (INT64_C(1) << 32) - 500, INT64_MAX - 5000, INT64_MIN };

    EACH (k, 0, 1, 2, 3, 4, 5, 6) {
        const i64 lo = starts[k];
        for (i32 n = 0; n < 2000; n = n * 3 + 1) {
            conform_pair x = PAIR(i64, PLAIN, n), u = PAIR(u64, PLAIN, n);
            BOTH(range_i64, lo, lo + n, n, S(x));
            SAME(x);
            BOTH(range_u64, (u64)lo, (u64)lo + (u64)n, n, S(u));
            SAME(u);
        }
    }
}

CONFORM(ranges_of_other_types)
{
    SIZES (n) {
        conform_pair u = PAIR(u32, PLAIN, n), x = PAIR(i64, PLAIN, n);
        BOTH(range_u32, UINT32_MAX - (u32)n - 3, UINT32_MAX - 3, n, S(u));
        SAME(u);
        BOTH(range_of_two_types, -7, (i64)n - 7, n, S(x));
        SAME(x);
    }
}

CONFORM(two_and_three_dimensions)
{
    static const i32 shapes[][3] = { { 1, 1, 1 }, { 3, 5, 7 }, { 1, 1000, 3 }, { 33, 1, 65 },
                                     { 0, 3, 3 }, { 3, 0, 3 }, { 3, 3, 0 }, { 2, 64, 129 } };

    EACH (k, 0, 1, 2, 3, 4, 5, 6, 7) {
        const i32 d = shapes[k][0], h = shapes[k][1], w = shapes[k][2];
        conform_pair x = PAIR(i64, PLAIN, h * w), y = PAIR(i64, PLAIN, d * h * w);
        conform_pair z = PAIR(i64, PLAIN, h * w);
        BOTH(loop2, h, w, S(x));
        SAME(x);
        BOTH(loop3, d, h, w, S(y));
        SAME(y);
        BOTH(loop2_of_two_types, h, (u8)w, h * w, S(z));
        SAME(z);
    }
}

CONFORM(negative_extents_of_loops_are_empty)
{
    conform_pair a = PAIR(i32, ZERO, 1), x = PAIR_OF(i32, 1, 2, 3, 4);

    BOTH(empty_axes, 0, 5, 4, S(a), S(x));
    BOTH(empty_axes, 5, 0, 0, S(a), S(x));
    BOTH(empty_axes, -5, 3, 4, S(a), S(x));
    BOTH(empty_axes, 3, -5, 0, S(a), S(x));
    WANT(i32, a, 8);
    WANT(i32, x, 4, 8, 12, 16);
    SAME(a);
}

CONFORM(bounds_that_are_expressions)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n), y = PAIR(i32, ZERO, n);
        BOTH(bounds_are_expressions, n, 5, S(x));
        SAME(x);
        BOTH(outer_index_in_bounds, n, S(y));
        SAME(y);
        BOTH(bounds_from_functions, n, 13, S(x));
        SAME(x);
    }
}

CONFORM(bounds_read_from_arrays)
{
    SIZES (n) {
        const i32 limit[2] = { n / 2, n / 4 };
        conform_pair x = PAIR(i32, EXACT, n);
        BOTH(bound_from_an_array, n, limit, S(x));
        SAME(x);
    }
}

CONFORM(zero_trips_write_nothing)
{
    conform_pair x = PAIR_OF(i32, 5, 6, 7);

    BOTH(zero_trips, 0, 3, 3, S(x));
    BOTH(zero_trips, 3, 0, 3, S(x));
    BOTH(zero_trips, -4, 3, 3, S(x));
    BOTH(zero_trips, 4, -3, 3, S(x));
    WANT(i32, x, 5, 6, 7);
    BOTH(zero_trips, 3, 2, 3, S(x));
    WANT(i32, x, 11, 12, 7);
    SAME(x);
}

CONFORM(indices_at_the_ends_of_their_type)
{
    conform_pair x = PAIR(i64, PLAIN, 8);

    BOTH(at_the_ends, S(x));
    WANT(i64, x, 2147483645, 2147483646, -INT64_C(2147483648), -2147483647, INT64_MAX - 2,
         INT64_MAX - 1, 4294967293, 4294967294);
    SAME(x);
}

CONFORM(every_element_of_a_tiling_once)
{
    static const i32 shapes[][3] = { { 1, 16, 4 }, { 8, 8, 4 }, { 16, 16, 8 }, { 17, 5, 4 },
                                     { 1, 1, 9 }, { 30, 31, 7 } };

    EACH (k, 0, 1, 2, 3, 4, 5) {
        const i32 h = shapes[k][0], w = shapes[k][1];
        conform_pair x = PAIR(i32, ZERO, h * w);
        ON_DEVICE(tiled_by_hand, h, w, shapes[k][2], S(x));
        for (int i = 0; i < h * w; i++)
            EXPECT_I64(((i32 *)x.side[0])[i], 1);
    }
}

/* A GPU's interface that the host runs takes minutes for billions of iterations: it gets fewer. */
static bool is_software(const slip_device *device)
{
    slip_device_info info;

    slip_device_describe(device, &info);
    return strcmp(info.kind, "software") == 0 || strstr(info.name, "Look-alike");
}

/* By hand: a serial loop of this length would take the reference minutes. */
CONFORM(more_than_two_billion_iterations)
{
    i64 lengths[] = { INT64_C(1) << 31, (INT64_C(1) << 31) + 1, (INT64_C(1) << 32) + 3 };

    for (int k = 0; k < 3; k++) {
        if (is_software(c->device))
            lengths[k] = (lengths[k] >> 10) + k;
        conform_pair first = PAIR(i64, ZERO, 1), last = PAIR(i64, ZERO, 1);
        ON_DEVICE(ends_of_a_long_range, lengths[k], S(first), S(last));
        WANT(i64, first, 1);
        WANT(i64, last, lengths[k] - 1);
    }
}

CONFORM(products_of_extents_of_64_bits)
{
    conform_pair count = PAIR(i64, ZERO, 1), flat = PAIR(i64, ZERO, 1);
    i32 side = is_software(c->device) ? 1024 : 65536, cube = is_software(c->device) ? 64 : 2048;

    ON_DEVICE(diagonal, side, side, S(count));
    WANT(i64, count, side);
    ON_DEVICE(diagonal, side, side + 1, S(count));
    WANT(i64, count, 2 * side);
    count = PAIR(i64, ZERO, 1);
    ON_DEVICE(corner3, cube, cube, 1024, S(count), S(flat));
    WANT(i64, count, 3);
    WANT(i64, flat, (i64)cube * cube * 1024 - 1);
}

static const check_case cases[] = {
    CASE(a_bound_of_every_type),
    CASE(the_index_has_the_type_of_its_bounds),
    CASE(ranges_from_below_zero_and_inverted),
    CASE(ranges_of_64_bits),
    CASE(ranges_of_other_types),
    CASE(two_and_three_dimensions),
    CASE(negative_extents_of_loops_are_empty),
    CASE(bounds_that_are_expressions),
    CASE(bounds_read_from_arrays),
    CASE(zero_trips_write_nothing),
    CASE(indices_at_the_ends_of_their_type),
    CASE(every_element_of_a_tiling_once),
    CASE(more_than_two_billion_iterations),
    CASE(products_of_extents_of_64_bits),
};
CHECK_MAIN(cases)
