/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrays_test.c - arrays of every rank, kind of extent and element type.
 */
#include "conform.h"

#include <string.h>

#include "arrays.slip.h"

#include "arrays.reference.h"

CONFORM(elements_not_written_are_kept)
{
    conform_pair x = PAIR_OF(i32, 7, 7, 7, 7, 7, 7, 7, 7);

    BOTH(store_even, 8, 42, 0, S(x));
    WANT(i32, x, 42, 7, 42, 7, 42, 7, 42, 7);
    BOTH(store_even, 8, 99, 1, S(x));
    WANT(i32, x, 42, 99, 42, 99, 42, 99, 42, 99);
    SAME(x);
    x = PAIR_OF(i32, 7, 7, 7, 7, 7, 7, 7, 7);
    BOTH(store_first, 8, 4, S(x));
    WANT(i32, x, 42, 42, 42, 42, 7, 7, 7, 7);
    BOTH(increment_all, 8, S(x));
    WANT(i32, x, 43, 43, 43, 43, 8, 8, 8, 8);
    SAME(x);
}

CONFORM(a_constant_array_stays)
{
    conform_pair x = PAIR_OF(i32, 7, 7, 7, 7, 7, 7, 7, 7), total = PAIR(i32, ZERO, 1);

    BOTH(sum_into_one, 8, S(x), S(total));
    WANT(i32, total, 56);
    WANT(i32, x, 7, 7, 7, 7, 7, 7, 7, 7);
}

CONFORM(arrays_without_elements)
{
    i32 x = 5;
    f64 z = 6;

    ON_DEVICE(empty_bodies, 0, 0, NULL, NULL, NULL);
    ON_DEVICE(empty_bodies, 0, 5, &x, &x, &z);
    ON_DEVICE(empty_bodies, 5, 0, IN(i32, ZERO, 5), NULL, NULL);
    ON_DEVICE(increment_all, 0, NULL);
    ON_DEVICE(rank2, 0, 5, NULL, NULL);
    ON_DEVICE(rank2, 5, 0, NULL, NULL);
    ON_DEVICE(written_in_parts, 0, NULL);
    EXPECT(x == 5 && z == 6);
}

CONFORM(two_arrays_come_back)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), y = PAIR(f64, WILD, 7);
        BOTH(two_arrays, n, 7, S(x), S(y));
        SAME(x);
        SAME(y);
    }
}

CONFORM(elements_of_every_type)
{
    SIZES (n) {
        conform_pair a = PAIR(i8, WILD, n), b = PAIR(u8, WILD, n), d = PAIR(i16, WILD, n);
        conform_pair e = PAIR(u16, WILD, n), f = PAIR(i32, WILD, n), g = PAIR(u32, WILD, n);
        conform_pair h = PAIR(i64, WILD, n), k = PAIR(u64, WILD, n), p = PAIR(f32, WILD, n);
        conform_pair q = PAIR(f64, WILD, n), t = PAIR(bool, PLAIN, n);
        BOTH(every_element_type, n, S(a), S(b), S(d), S(e), S(f), S(g), S(h), S(k), S(p), S(q),
             S(t));
        SAME(a);
        SAME(b);
        SAME(d);
        SAME(e);
        SAME(f);
        SAME(g);
        SAME(h);
        SAME(k);
        SAME(p);
        SAME(q);
        SAME(t);
    }
}

CONFORM(arrays_of_two_and_three_dimensions)
{
    static const i32 shapes[][3] = { { 1, 1, 1 }, { 3, 5, 7 }, { 7, 64, 33 }, { 2, 1, 100 },
                                     { 1, 100, 1 }, { 0, 4, 4 }, { 4, 0, 4 }, { 4, 4, 0 } };

    EACH (k, 0, 1, 2, 3, 4, 5, 6, 7) {
        const i32 d = shapes[k][0], h = shapes[k][1], w = shapes[k][2];
        void *x = IN(f32, WILD, h * w), *y = IN(i32, WILD, d * h * w);
        conform_pair turned = PAIR(f32, PLAIN, h * w), sum = PAIR(i32, PLAIN, h * w);
        BOTH(rank3, d, h, w, y, S(sum));
        SAME(sum);
        BOTH(rank2, h, w, x, S(turned));
        SAME(turned);
    }
}

CONFORM(arrays_of_four_dimensions)
{
    EACH (k, 0, 1, 2, 3) {
        const i32 a = k ? 1 : 4, b = 2 + (i32)k, d = 3, e = k == 2 ? 0 : 5;
        void *x = IN(i16, WILD, a * b * d * e);
        conform_pair y = PAIR(i64, PLAIN, a * b * d * e), shape = PAIR(i32, ZERO, 4);
        BOTH(rank4, a, b, d, e, x, S(y), S(shape));
        SAME(y);
        WANT(i32, shape, a, b, d, e);
    }
}

CONFORM(constant_extents_and_expressions)
{
    void *basis = IN(f32, WILD, 12), *e = IN(i32, WILD, 3 * 10);
    const i32 shift = 77;
    conform_pair out = PAIR(f32, PLAIN, 12), count = PAIR(u8, WILD, 256);
    conform_pair sums = PAIR(i32, PLAIN, 9);
    struct grid g = { .w = 5, .h = 3, .depth = 200 };

    BOTH(constant_extents, basis, &shift, S(out), S(count));
    SAME(out);
    SAME(count);
    const void *a = IN(i32, WILD, 9), *b = IN(i32, WILD, 8), *d = IN(i32, WILD, 11);
    const void *f = IN(i32, WILD, 2);
    BOTH(expression_extents, 9, 7u, 6, 5, g, a, b, d, f, e, S(sums));
    SAME(sums);
}

CONFORM(static_and_restrict_extents)
{
    SIZES (n) {
        const void *x = IN(f32, WILD, n);
        conform_pair y = PAIR(f32, WILD, n);
        BOTH(static_extent, n, x, S(y));
        SAME(y);
    }
}

CONFORM(unknown_extents_take_device_memory)
{
    SIZES (n) {
        /* One more than is used: memory of no bytes is no array of unknown extent. */
        const size_t floats = sizeof(f32) * (size_t)(n + 1), rows = 3 * floats;
        void *x = IN(f32, WILD, n + 1), *r = IN(i32, EXACT, 3 * (n + 1));
        conform_pair y = PAIR(f32, PLAIN, n + 1);
        void *dx = conform_resident(c, x, floats), *dr = conform_resident(c, r, rows);
        void *dy = conform_resident(c, y.side[0], floats);
        ON_DEVICE(unknown_extents, n, dx, dy, dr);
        conform_fetch(c, y.side[0], dy, floats);
        unknown_extents_reference(n, x, y.side[1], r);
        SAME(y);
    }
}

CONFORM(unknown_extents_refuse_unknown_memory)
{
    f32 x[4] = { 0 }, y[4] = { 0 };
    i32 rows[4][3] = { { 0 } };

    REFUSED(SLIP_ERR_ARGUMENT, "x[n]", unknown_extents, 4, x, y, rows[0]);
    f32 *dx = conform_resident(c, x, sizeof x), *dy = conform_resident(c, y, sizeof y);
    REFUSED(SLIP_ERR_ARGUMENT, "write rows[n][3]", unknown_extents, 4, dx, dy, rows[0]);
}

CONFORM(resident_arrays_take_the_place_of_host_arrays)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        void *resident = conform_resident(c, x.side[0], sizeof(i32) * (size_t)n);
        for (int k = 0; k < 3; k++)
            ON_DEVICE(increment_all, n, resident);
        conform_fetch(c, x.side[0], resident, sizeof(i32) * (size_t)n);
        for (int k = 0; k < 3; k++)
            increment_all_reference(n, x.side[1]);
        SAME(x);
    }
}

CONFORM(pointers_walk_arrays)
{
    SIZES (n) {
        void *x = IN(i32, WILD, n), *y = IN(i32, WILD, 6 * n), *a = IN(f32, WILD, n);
        void *b = IN(f32, WILD, n);
        conform_pair out = PAIR(i64, PLAIN, n), chosen = PAIR(f32, PLAIN, n);
        BOTH(pointers_into_arrays, n, 6, x, y, S(out));
        SAME(out);
        BOTH(pointer_chosen_by_data, n, a, b, S(chosen));
        SAME(chosen);
    }
}

CONFORM(one_memory_of_two_shapes)
{
    SIZES (n) {
        conform_pair x = PAIR(f32, PLAIN, 5 * n), sums = PAIR(f32, PLAIN, n);
        BOTH(reshaped, n, 5, S(x), S(sums));
        SAME(x);
        SAME(sums);
    }
}

CONFORM(local_arrays_with_run_time_index)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n), *u = IN(u32, WILD, n);
        conform_pair out = PAIR(i32, PLAIN, n), wide = PAIR(u32, PLAIN, n);
        BOTH(local_arrays, n, x, S(out));
        SAME(out);
        BOTH(larger_local_array, n, u, S(wide));
        SAME(wide);
    }
}

CONFORM(one_array_for_two_parameters)
{
    SIZES (n) {
        conform_pair x = PAIR(f32, WILD, n);
        BOTH(axpy, n, 2.5f, S(x), S(x));
        SAME(x);
    }
}

CONFORM(gathering_and_scattering)
{
    SIZES (n) {
        i32 *at = conform_values(c, TYPE_i32, PLAIN, (size_t)n);
        const void *x = IN(f32, WILD, 300);
        conform_pair y = PAIR(f32, WILD, 300), out = PAIR(f32, PLAIN, n);
        for (int i = 0; i < n; i++)
            at[i] = (at[i] & 0x7fffffff) % 300;
        BOTH(gather_and_scatter, n, 300, at, x, S(y), S(out));
        SAME(y);
        SAME(out);
    }
}

CONFORM(an_output_written_in_parts)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        BOTH(written_in_parts, n, S(x));
        SAME(x);
    }
}

CONFORM(truths_are_bytes_of_zero_and_one)
{
    const i32 v[] = { 5, 1, 900, 2, INT32_MAX };
    const u8 in[] = { 2, 255, 0, 1, 128 }; /* any byte but zero is true */
    conform_pair positive = PAIR(u8, PLAIN, 5), number = PAIR(i32, PLAIN, 5);

    ON_DEVICE(raw_truths, 5, v, (const void *)in, S(positive), S(number));
    WANT(u8, positive, 1, 1, 1, 1, 1);
    WANT(i32, number, 12, 12, 22, 12, 12);
    SIZES (n) {
        const void *x = IN(i32, WILD, n), *t = IN(bool, PLAIN, n);
        conform_pair p = PAIR(u8, PLAIN, n), q = PAIR(i32, PLAIN, n);
        BOTH(raw_truths, n, x, t, S(p), S(q));
        SAME(p);
        SAME(q);
    }
}

CONFORM(loops_whose_test_loads_what_the_body_stores)
{
    conform_pair x = PAIR_OF(i32, 9, 2, 7, 4, 5, 6, 3, 8, 1, 0), least = PAIR(i32, ZERO, 10);
    conform_pair median = PAIR(i32, ZERO, 10), largest = PAIR(i32, ZERO, 10);

    /* 3 and 10 have no factor in common: the nine are all but element (i + 27) % 10. */
    BOTH(sorted_windows, 10, S(x), S(least), S(median), S(largest));
    WANT(i32, least, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0);
    WANT(i32, median, 4, 5, 5, 4, 5, 4, 5, 4, 4, 5);
    WANT(i32, largest, 9, 9, 9, 8, 9, 9, 9, 9, 9, 9);
    conform_pair p = PAIR_OF(i32, 5, 6, 7, 1, 1, 2, 9, 3, 4, 3, 2, 1, 1, 2, 3, 4);
    conform_pair out = PAIR(i32, ZERO, 16);
    BOTH(sunk_elements, 4, S(p), S(out));
    WANT(i32, out, 1, 5, 6, 7, 1, 2, 3, 9, 1, 4, 3, 2, 1, 2, 4, 3);
    SIZES (n) {
        x = PAIR(i32, WILD, n), least = PAIR(i32, ZERO, n);
        median = PAIR(i32, ZERO, n), largest = PAIR(i32, ZERO, n);
        BOTH(sorted_windows, n, S(x), S(least), S(median), S(largest));
        SAME(least);
        SAME(median);
        SAME(largest);
    }
}

static const check_case cases[] = {
    CASE(elements_not_written_are_kept),
    CASE(a_constant_array_stays),
    CASE(arrays_without_elements),
    CASE(two_arrays_come_back),
    CASE(elements_of_every_type),
    CASE(arrays_of_two_and_three_dimensions),
    CASE(arrays_of_four_dimensions),
    CASE(constant_extents_and_expressions),
    CASE(static_and_restrict_extents),
    CASE(unknown_extents_take_device_memory),
    CASE(unknown_extents_refuse_unknown_memory),
    CASE(resident_arrays_take_the_place_of_host_arrays),
    CASE(pointers_walk_arrays),
    CASE(one_memory_of_two_shapes),
    CASE(local_arrays_with_run_time_index),
    CASE(loops_whose_test_loads_what_the_body_stores),
    CASE(one_array_for_two_parameters),
    CASE(gathering_and_scattering),
    CASE(an_output_written_in_parts),
    CASE(truths_are_bytes_of_zero_and_one),
};
CHECK_MAIN(cases)
