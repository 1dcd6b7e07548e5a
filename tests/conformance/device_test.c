/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_test.c - control flow that data decides, and sections.
 */
#include "conform.h"

#include "device.slip.h"

#include "device.reference.h"

CONFORM(a_counter_in_memory_ends_the_loop)
{
    static const i32 starts[] = { 0, 1, 5, 10, -3 };

    EACH (k, 0, 1, 2, 3, 4) {
        for (i32 n = 0; n < 2000; n = 4 * n + 7) {
            conform_pair counter = PAIR_OF(i32, starts[k]), x = PAIR(i32, WILD, n);
            BOTH(count_down, n, S(counter), S(x));
            SAME(counter);
            SAME(x);
            counter = PAIR_OF(i32, starts[k]);
            BOTH(count_down_after, n, S(counter), S(x));
            SAME(counter);
            SAME(x);
        }
    }
    conform_pair counter = PAIR_OF(i32, 5), x = PAIR(i32, ZERO, 2);
    BOTH(count_down, 2, S(counter), S(x));
    WANT(i32, counter, 0);
    WANT(i32, x, 5, 5);
    BOTH(count_down_after, 2, S(counter), S(x));
    WANT(i32, counter, -1);
    WANT(i32, x, 6, 6);
}

CONFORM(a_flag_set_by_tasks_ends_the_loop)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), trips = PAIR(i32, PLAIN, 1);
        BOTH(until_nothing_changes, n, S(x), S(trips));
        SAME(x);
        SAME(trips);
    }
}

CONFORM(loops_nest_and_follow_each_other)
{
    conform_pair a = PAIR_OF(i32, 3), b = PAIR_OF(i32, 4), x = PAIR(i32, ZERO, 3);
    conform_pair y = PAIR(i32, ZERO, 3);

    BOTH(nested_device_loops, S(a), S(b), 3, S(x), S(y));
    WANT(i32, x, 12, 12, 12);
    WANT(i32, y, 30, 30, 30);
    a = PAIR_OF(i32, 5);
    b = PAIR_OF(i32, 3);
    x = PAIR(i32, ZERO, 3);
    y = PAIR(i32, ZERO, 3);
    BOTH(sibling_loops, S(a), S(b), 3, S(x), S(y));
    WANT(i32, x, 210, 210, 210);
    WANT(i32, y, 6, 6, 6);
    EACH (k, 0, 1, 2, 7) {
        conform_pair p = PAIR_OF(i32, (i32)k), q = PAIR_OF(i32, 2 - (i32)k);
        conform_pair u = PAIR(i32, WILD, 1025), v = PAIR(i32, WILD, 1025);
        BOTH(nested_device_loops, S(p), S(q), 1025, S(u), S(v));
        BOTH(sibling_loops, S(q), S(p), 1025, S(u), S(v));
        SAME(u);
        SAME(v);
    }
}

CONFORM(bounds_are_read_again_in_each_pass)
{
    conform_pair n = PAIR_OF(i32, 0), counter = PAIR_OF(i32, 3), out = PAIR(i32, ZERO, 1);

    BOTH(bound_that_grows, S(n), S(counter), S(out));
    WANT(i32, out, 6);
    WANT(i32, n, 6);
    WANT(i32, counter, 0);
}

CONFORM(branches_that_the_device_decides)
{
    static const i32 flags[][2] = { { 1, 7 }, { 1, 0 }, { 0, 9 }, { 0, 0 }, { -1, -1 } };

    EACH (k, 0, 1, 2, 3, 4) {
        for (i32 n = 0; n < 2000; n = 4 * n + 7) {
            conform_pair x = PAIR(i32, WILD, n), flag = PAIR_OF(i32, flags[k][0]);
            BOTH(device_if, n, flags[k], S(x));
            SAME(x);
            BOTH(branch_that_clears_its_flag, n, S(flag), S(x));
            SAME(x);
            SAME(flag);
        }
    }
}

CONFORM(break_and_continue_that_the_device_decides)
{
    SIZES (n) {
        i32 plan[12];
        for (i32 k = 0; k < 30; k++) {
            conform_pair x = PAIR(i32, WILD, n);
            for (i32 j = 0; j < 12; j++)
                plan[j] = (k * 7 + j * 5 + j * j * k) % 11 % 4 - (k & 1);
            RETURN(i32, got, want, device_break_and_continue, n, plan, S(x));
            EXPECT_I64(got, want);
            SAME(x);
            BOTH(device_break_of_inner_loop, n, 4, plan, S(x));
            SAME(x);
        }
    }
}

CONFORM(return_that_the_device_decides)
{
    SIZES (n) {
        for (i32 stop = -1; stop < 7; stop++) {
            conform_pair x = PAIR(i32, WILD, n);
            RETURN(i32, got, want, device_return, n, &stop, S(x));
            EXPECT_I64(got, want);
            SAME(x);
        }
    }
}

CONFORM(sums_and_counts_that_decide)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n), *small = IN(i32, EXACT, n);
        conform_pair y = PAIR(i64, PLAIN, n);
        RETURN(i32, got, want, until_the_sum_is_large, n, 20000, x, S(y));
        EXPECT_I64(got, want);
        SAME(y);
        SAME_RETURN(i32, median_by_bisection, n, small);
    }
}

CONFORM(spreading_until_nothing_is_reached)
{
    EACH (h, 1, 5, 30) {
        const i32 w = 37;
        u8 *wall = IN(u8, PLAIN, h * w);
        conform_pair level = PAIR(i32, ZERO, h * w);
        for (int i = 0; i < h * w; i++) {
            wall[i] = wall[i] % 3 == 0;
            ((i32 *)level.side[0])[i] = ((i32 *)level.side[1])[i] = i ? -1 : 0;
        }
        RETURN(i32, got, want, spread, (i32)h, w, (void *)wall, S(level));
        EXPECT_I64(got, want);
        SAME(level);
    }
}

CONFORM(sections_join_before_what_follows)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), y = PAIR(i32, WILD, n), z = PAIR(i32, PLAIN, n);
        BOTH(sections_of_two, n, S(x), S(y), S(z));
        SAME(x);
        SAME(y);
        SAME(z);
        BOTH(sections_of_chains, n, S(x), S(y));
        SAME(x);
        SAME(y);
    }
    conform_pair x = PAIR(i32, ZERO, 2), y = PAIR(i32, ZERO, 2);
    BOTH(sections_of_chains, 2, S(x), S(y));
    WANT(i32, x, 2, 2);
    WANT(i32, y, 12, 12);
}

CONFORM(sections_that_sum_into_variables_of_their_own)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), y = PAIR(i32, WILD, n), out = PAIR(i64, ZERO, 6);
        BOTH(sections_of_sums, n, S(x), S(y), S(out));
        SAME(out);
    }
    conform_pair x = PAIR_OF(i32, 1, 2, 3), y = PAIR_OF(i32, 10, 20, 31), out = PAIR(i64, ZERO, 6);
    BOTH(sections_of_sums, 3, S(x), S(y), S(out));
    WANT(i64, out, 7, 15, 0x15, 2, 9, 3 * 11 * 21 * 31);
}

CONFORM(sections_that_sum_inside_loops)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), y = PAIR(i32, WILD, n);
        SAME_RETURN(i32, sections_of_sums_in_loops, n, 4, S(x), S(y));
        SAME(y);
    }
}

CONFORM(sections_inside_loops)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), y = PAIR(i32, WILD, n), log = PAIR(i32, ZERO, 2);
        BOTH(sections_in_loops, n, 5, S(x), S(y), S(log));
        SAME(x);
        SAME(y);
        WANT(i32, log, 5, 25);
    }
}

static const check_case cases[] = {
    CASE(a_counter_in_memory_ends_the_loop),
    CASE(a_flag_set_by_tasks_ends_the_loop),
    CASE(loops_nest_and_follow_each_other),
    CASE(bounds_are_read_again_in_each_pass),
    CASE(branches_that_the_device_decides),
    CASE(break_and_continue_that_the_device_decides),
    CASE(return_that_the_device_decides),
    CASE(sums_and_counts_that_decide),
    CASE(spreading_until_nothing_is_reached),
    CASE(sections_join_before_what_follows),
    CASE(sections_that_sum_into_variables_of_their_own),
    CASE(sections_that_sum_inside_loops),
    CASE(sections_inside_loops),
};
CHECK_MAIN(cases)
