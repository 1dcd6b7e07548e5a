/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reductions_test.c - integers against the C compiler; floats against the tree of the language bit
 * for bit, and against the serial loop within its bound.
 */
#include "conform.h"

#include <math.h>

#include "conform_tree.h"

#include "reductions.slip.h"

#include "reductions.reference.h"

/* Sizes around the tree's blocks of 1024 and their blocks. */
#define TREE_SIZES                                                                                \
    0, 1, 2, 63, 64, 65, 1000, 1023, 1024, 1025, 2048, 5000, 1024 * 64 + 1, 1024 * 1024 + 1030

CONFORM(integers_of_every_width)
{
    SIZES (n) {
        const void *x = IN(i64, WILD, n);
        conform_pair sums = PAIR(i64, PLAIN, 9), products = PAIR(i64, PLAIN, 8);
        conform_pair bits = PAIR(i64, PLAIN, 12), ends = PAIR(i64, PLAIN, 16);
        BOTH(integer_sums, n, x, S(sums));
        SAME(sums);
        BOTH(integer_products, n, x, S(products));
        SAME(products);
        BOTH(integer_bits, n, x, S(bits));
        SAME(bits);
        BOTH(integer_extremes, n, x, S(ends));
        SAME(ends);
    }
}

CONFORM(bools_as_c_computes_them)
{
    EACH (n, TREE_SIZES) {
        const void *x = IN(i64, PLAIN, n), *wild = IN(i64, WILD, n), *y = IN(f32, PLAIN, n);
        conform_pair plain = PAIR(i64, PLAIN, 14), others = PAIR(i64, PLAIN, 14);
        BOTH(truths, (i32)n, x, y, S(plain));
        SAME(plain);
        BOTH(truths, (i32)n, wild, y, S(others));
        SAME(others);
    }
}

CONFORM(exact_sums_equal_the_serial_loop)
{
    EACH (n, TREE_SIZES) {
        const void *x = IN(f32, EXACT, n), *y = IN(f64, EXACT, n);
        SAME_RETURN(f32, sum_f32, (i32)n, 3, x);
        SAME_RETURN(f64, sum_f64, (i32)n, -3, y);
        SAME_RETURN(f32, minus_f32, (i32)n, 3, x);
    }
}

CONFORM(sums_by_the_tree)
{
    EACH (n, TREE_SIZES) {
        const size_t size = (size_t)n;
        const f32 *x = IN(f32, PLAIN, n);
        const f64 *y = IN(f64, PLAIN, n);
        RETURN(f32, got, want, sum_f32, (i32)n, 0.3f, x);
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 0.3f, x, size));
        EXPECT_NEAR((f64)got, (f64)want, tree_bound_f32(x, size) + 1e-6);
        RETURN(f64, got2, want2, sum_f64, (i32)n, 0.3, y);
        SAME_VALUE(f64, got2, tree_f64(TREE_ADD, 0.3, y, size));
        EXPECT_NEAR(got2, want2, tree_bound_f64(y, size) + 1e-15);
    }
}

CONFORM(differences_by_the_tree)
{
    EACH (n, TREE_SIZES) {
        f32 *x = IN(f32, PLAIN, n), got = 0;
        ON_DEVICE(minus_f32, (i32)n, 7, x, &got);
        for (i64 i = 0; i < n; i++)
            x[i] = -x[i];
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 7, x, (size_t)n));
    }
}

CONFORM(products_by_the_tree)
{
    EACH (n, TREE_SIZES) {
        f32 *x = IN(f32, PLAIN, n), got = 0;
        f64 *y = IN(f64, PLAIN, n), got2 = 0;
        for (i64 i = 0; i < n; i++) { /* around one, so that products stay in range */
            x[i] = 1 + x[i] * 1e-6f;
            y[i] = 1 + y[i] * 1e-6;
        }
        ON_DEVICE(product_f32, (i32)n, 3, x, &got);
        SAME_VALUE(f32, got, tree_f32(TREE_MUL, 3, x, (size_t)n));
        ON_DEVICE(product_f64, (i32)n, 3, y, &got2);
        SAME_VALUE(f64, got2, tree_f64(TREE_MUL, 3, y, (size_t)n));
    }
}

CONFORM(least_and_greatest_need_no_order)
{
    EACH (n, TREE_SIZES) {
        const f32 *x = IN(f32, WILD, n);
        const f64 *y = IN(f64, WILD, n);
        const size_t size = (size_t)n;
        f32 low = 0, high = 0;
        f64 low2 = 0, high2 = 0;
        ON_DEVICE(least_f32, (i32)n, 50, x, &low);
        ON_DEVICE(greatest_f32, (i32)n, NAN, x, &high);
        SAME_VALUE(f32, low, tree_f32(TREE_MIN, 50, x, size));
        SAME_VALUE(f32, high, tree_f32(TREE_MAX, NAN, x, size));
        ON_DEVICE(least_f64, (i32)n, NAN, y, &low2);
        ON_DEVICE(greatest_f64, (i32)n, -50, y, &high2);
        SAME_VALUE(f64, low2, tree_f64(TREE_MIN, NAN, y, size));
        SAME_VALUE(f64, high2, tree_f64(TREE_MAX, -50, y, size));
    }
}

/* Field case 25. */
CONFORM(a_nan_loses_in_every_order)
{
    const f32 values[] = { 3, 1, 7, NAN }, none[] = { NAN, NAN };
    static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 0, 1, 2 }, { 2, 3, 1, 0 },
                                     { 1, 2, 3, 0 }, { 3, 2, 1, 0 }, { 0, 3, 2, 1 } };
    f32 got = 0;

    for (int k = 0; k < 6; k++) {
        f32 x[4];
        for (int i = 0; i < 4; i++)
            x[i] = values[orders[k][i]];
        ON_DEVICE(greatest_f32, 4, NAN, x, &got);
        SAME_VALUE(f32, got, 7);
        ON_DEVICE(least_f32, 4, NAN, x, &got);
        SAME_VALUE(f32, got, 1);
    }
    ON_DEVICE(least_f32, 2, NAN, none, &got);
    SAME_VALUE(f32, got, NAN);
    const f32 zeros[] = { 0.0f, -0.0f, 0.0f };
    ON_DEVICE(least_f32, 3, INFINITY, zeros, &got);
    SAME_VALUE(f32, got, -0.0f);
    ON_DEVICE(greatest_f32, 3, -INFINITY, zeros, &got);
    SAME_VALUE(f32, got, 0.0f);
}

CONFORM(sums_of_nothing_and_of_negative_zeros)
{
    const f32 zeros[] = { -0.0f, -0.0f };
    f32 got = 1;

    ON_DEVICE(sum_f32, 0, -0.0f, NULL, &got);
    SAME_VALUE(f32, got, -0.0f);
    ON_DEVICE(sum_f32, 2, -0.0f, zeros, &got);
    SAME_VALUE(f32, got, -0.0f);
    ON_DEVICE(sum_f32, 2, 0.0f, zeros, &got);
    SAME_VALUE(f32, got, 0.0f);
}

CONFORM(several_updates_fold_in_program_order)
{
    EACH (n, TREE_SIZES) {
        const f32 *x = IN(f32, PLAIN, n), *y = IN(f32, PLAIN, n);
        f32 *parts = IN(f32, ZERO, n), got = 0;
        for (i64 i = 0; i < n; i++) {
            f32 part = -0.0f;
            part += x[i];
            part += -y[i];
            for (i32 k = 0; k < i % 3; ++k)
                part += x[i] * (f32)(k + 2);
            parts[i] = part;
        }
        ON_DEVICE(several_updates, (i32)n, x, y, &got);
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 0, parts, (size_t)n));
    }
}

CONFORM(places_without_an_update_hold_the_identity)
{
    EACH (n, TREE_SIZES) {
        const f64 *x = IN(f64, PLAIN, n);
        f64 *parts = IN(f64, ZERO, n), got = 0;
        for (i64 i = 0; i < n; i++)
            parts[i] = i % 7 != 2 && x[i] > 0 ? x[i] * x[i] : -0.0;
        ON_DEVICE(some_iterations, (i32)n, x, &got);
        SAME_VALUE(f64, got, tree_f64(TREE_ADD, 0, parts, (size_t)n));
    }
}

CONFORM(rows_and_boxes_are_numbered_row_major)
{
    static const i32 shapes[][3] = { { 1, 1, 5000 }, { 5, 33, 65 }, { 40, 7, 11 }, { 3, 0, 9 },
                                     { 1000, 3, 1 }, { 2, 512, 3 } };

    EACH (k, 0, 1, 2, 3, 4, 5) {
        const i32 d = shapes[k][0], h = shapes[k][1], w = shapes[k][2];
        f32 *x = IN(f32, PLAIN, h * w), rows = 0;
        f64 *y = IN(f64, PLAIN, d * h * w), boxes = 0;
        ON_DEVICE(sum_rows, h, w, x, &rows);
        SAME_VALUE(f32, rows, tree_f32(TREE_ADD, 0, x, (size_t)(h * w)));
        ON_DEVICE(sum_boxes, d, h, w, y, &boxes);
        SAME_VALUE(f64, boxes, tree_f64(TREE_ADD, 0, y, (size_t)(d * h * w)));
    }
}

CONFORM(a_range_is_numbered_from_its_start)
{
    const f32 *x = IN(f32, PLAIN, 6000);

    for (i32 lo = 0; lo < 3000; lo += 517) {
        f32 got = 0;
        ON_DEVICE(sum_range, lo, 6000 - lo / 3, 6000, x, &got);
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 0, x + lo, (size_t)(6000 - lo / 3 - lo)));
    }
}

CONFORM(double_updates_of_a_float)
{
    EACH (n, TREE_SIZES) {
        const f64 *x = IN(f64, PLAIN, n);
        f32 *parts = IN(f32, ZERO, n), got = 0;
        for (i64 i = 0; i < n; i++)
            parts[i] = (f32)((f64)-0.0f + x[i]);
        ON_DEVICE(float_by_double, (i32)n, x, &got);
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 0, parts, (size_t)n));
    }
}

CONFORM(the_old_value_comes_last_in_each_pass)
{
    EACH (n, 0, 1, 1000, 5000) {
        const f32 *x = IN(f32, PLAIN, n);
        f32 *parts = IN(f32, ZERO, n), got = 0, want = 0.1f;
        for (i32 k = 0; k < 4; k++) {
            for (i64 i = 0; i < n; i++)
                parts[i] = x[i] * (f32)(k + 1);
            want = tree_f32(TREE_ADD, want, parts, (size_t)n);
            want *= 0.5f;
        }
        ON_DEVICE(in_a_loop, (i32)n, 4, x, &got);
        SAME_VALUE(f32, got, want);
    }
}

CONFORM(members_of_a_struct_are_reduced_apart)
{
    EACH (n, 0, 1, 1000, 70000) {
        const f64 *x = IN(f64, PLAIN, n);
        f64 *squares = IN(f64, ZERO, n);
        RETURN(struct moments, got, want, moments_of, (i32)n, x);
        for (i64 i = 0; i < n; i++)
            squares[i] = x[i] * x[i];
        EXPECT_I64(got.count, n);
        SAME_VALUE(f32, got.low, want.low);
        SAME_VALUE(f32, got.high, want.high);
        SAME_VALUE(f64, got.sum, tree_f64(TREE_ADD, 0, x, (size_t)n));
        SAME_VALUE(f64, got.squares, tree_f64(TREE_ADD, 0, squares, (size_t)n));
    }
}

CONFORM(a_later_task_reads_the_result)
{
    EACH (n, 1, 1000, 70000) {
        const f64 *x = IN(f64, PLAIN, n);
        f64 *parts = IN(f64, ZERO, n), got = 0, mean = tree_f64(TREE_ADD, 0, x, (size_t)n);
        mean /= (f64)n;
        for (i64 i = 0; i < n; i++)
            parts[i] = (x[i] - mean) * (x[i] - mean);
        ON_DEVICE(mean_then_variance, (i32)n, x, &got);
        SAME_VALUE(f64, got, tree_f64(TREE_ADD, 0, parts, (size_t)n) / (f64)n);
    }
}

CONFORM(a_sum_of_local_sums)
{
    EACH (n, TREE_SIZES) {
        const f32 *x = IN(f32, PLAIN, n);
        f32 *parts = IN(f32, ZERO, n), got = 0;
        conform_pair y = PAIR(f32, PLAIN, n);
        ON_DEVICE(through_a_local, (i32)n, x, S(y), &got);
        (void)through_a_local_reference((i32)n, x, y.side[1]);
        SAME(y);
        for (i64 i = 0; i < n; i++) {
            parts[i] = 0 + x[i];
            parts[i] += 2;
        }
        SAME_VALUE(f32, got, tree_f32(TREE_ADD, 0, parts, (size_t)n));
    }
}

static const check_case cases[] = {
    CASE(integers_of_every_width),
    CASE(bools_as_c_computes_them),
    CASE(exact_sums_equal_the_serial_loop),
    CASE(sums_by_the_tree),
    CASE(differences_by_the_tree),
    CASE(products_by_the_tree),
    CASE(least_and_greatest_need_no_order),
    CASE(a_nan_loses_in_every_order),
    CASE(sums_of_nothing_and_of_negative_zeros),
    CASE(several_updates_fold_in_program_order),
    CASE(places_without_an_update_hold_the_identity),
    CASE(rows_and_boxes_are_numbered_row_major),
    CASE(a_range_is_numbered_from_its_start),
    CASE(double_updates_of_a_float),
    CASE(the_old_value_comes_last_in_each_pass),
    CASE(members_of_a_struct_are_reduced_apart),
    CASE(a_later_task_reads_the_result),
    CASE(a_sum_of_local_sums),
};
CHECK_MAIN(cases)
