/* SPDX-License-Identifier: Apache-2.0 */
/*
 * control_test.c - control flow inside an iteration.
 */
#include "conform.h"

#include "control.slip.h"

#include "control.reference.h"

#define INTEGERS(kernel)                                                                          \
    SIZES (n) {                                                                                   \
        const void *x = IN(i32, WILD, n);                                                         \
        conform_pair out = PAIR(i32, PLAIN, n);                                                   \
        BOTH(kernel, n, x, S(out));                                                               \
        SAME(out);                                                                                \
    }

CONFORM(if_and_else_in_chains)
{
    INTEGERS(if_chains)
}

CONFORM(loops_that_test_first)
{
    SIZES (n) {
        const void *x = IN(u32, WILD, n);
        conform_pair steps = PAIR(i32, PLAIN, n), last = PAIR(u32, PLAIN, n);
        BOTH(while_loops, n, x, S(steps), S(last));
        SAME(steps);
        SAME(last);
    }
}

CONFORM(loops_that_test_last)
{
    SIZES (n) {
        const void *x = IN(u32, WILD, n);
        conform_pair digits = PAIR(i32, PLAIN, n), folded = PAIR(u32, PLAIN, n);
        BOTH(do_loops, n, x, S(digits), S(folded));
        SAME(digits);
        SAME(folded);
    }
}

CONFORM(for_with_parts_missing)
{
    INTEGERS(for_shapes)
}

CONFORM(continue_then_break_in_a_serial_loop)
{
    conform_pair out = PAIR(i32, PLAIN, 10), found = PAIR(i32, PLAIN, 1);

    BOTH(continue_then_break, 10, 0, S(out), S(found));
    WANT(i32, out, 1, 3, 5, 7, 9, -1, -1, -1, -1, -1);
    WANT(i32, found, 5);
    SAME(out);
    BOTH(continue_then_break, 10, 1, S(out), S(found));
    WANT(i32, out, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    WANT(i32, found, 1);
    SAME(out);
}

CONFORM(continue_and_break_in_nested_loops)
{
    INTEGERS(continue_and_break)
}

CONFORM(a_store_before_continue_is_kept)
{
    SIZES (n) {
        const void *state = IN(i32, EXACT, n);
        conform_pair x = PAIR(i32, ZERO, n), y = PAIR(i32, ZERO, n);
        BOTH(store_before_continue, n, state, S(x), S(y));
        SAME(x);
        SAME(y);
    }
    conform_pair x = PAIR(i32, ZERO, 1), y = PAIR(i32, ZERO, 1);
    const i32 none = 0;
    BOTH(store_before_continue, 1, &none, S(x), S(y));
    WANT(i32, x, 1);
    WANT(i32, y, 0);
}

CONFORM(continue_ends_an_iteration)
{
    EACH (h, 0, 1, 9, 33) {
        int32_t w = 31;
        void *x = IN(i32, WILD, h * w);
        conform_pair out = PAIR(i32, PLAIN, h * w);
        BOTH(continue_of_tasks, (i32)h, w, x, S(out));
        SAME(out);
    }
}

CONFORM(return_leaves_a_loop)
{
    int32_t got = 0;

    ON_DEVICE(return_inside_a_loop, 10, &got);
    EXPECT_I64(got, 11);
}

CONFORM(operators_that_skip_their_right_side)
{
    SIZES (n) {
        const void *a = IN(i32, EXACT, n), *at = IN(i32, EXACT, n);
        conform_pair hit = PAIR(i32, PLAIN, n), bumps = PAIR(i32, PLAIN, n);
        BOTH(short_circuit, n, a, at, S(hit), S(bumps));
        SAME(hit);
        SAME(bumps);
    }
}

CONFORM(ternaries_nest)
{
    SIZES (n) {
        const void *x = IN(i32, WILD, n), *y = IN(f32, WILD, n);
        conform_pair a = PAIR(i32, PLAIN, n), b = PAIR(f32, PLAIN, n);
        BOTH(ternaries, n, x, y, S(a), S(b));
        SAME(a);
        SAME(b);
    }
}

CONFORM(commas_and_chained_assignment)
{
    INTEGERS(commas_and_assignments)
}

CONFORM(sorting_in_a_local_array)
{
    INTEGERS(sort_small)
}

CONFORM(loops_with_float_exits)
{
    EACH (h, 1, 16, 40) {
        int32_t w = 50;
        conform_pair out = PAIR(i32, PLAIN, h * w);
        BOTH(escape_times, (i32)h, w, 200, S(out));
        SAME(out);
    }
}

CONFORM(searching_a_sorted_array)
{
    SIZES (n) {
        const void *key = IN(i32, EXACT, 300);
        i32 *sorted = conform_values(c, TYPE_i32, ZERO, (size_t)n);
        conform_pair at = PAIR(i32, PLAIN, 300);
        for (int i = 0; i < n; i++)
            sorted[i] = i * 17 / (n + 1) - 8;
        BOTH(binary_search, n, 300, sorted, key, S(at));
        SAME(at);
    }
}

CONFORM(loads_that_passes_of_a_loop_share)
{
    SIZES (n) {
        const void *x = IN(i32, EXACT, 300);
        i32 *far = conform_values(c, TYPE_i32, ZERO, (size_t)n);
        conform_pair out = PAIR(i32, PLAIN, n);
        for (int i = 0; i < n; i++)
            far[i] = i % 3 == 1 ? i % 7 : 0;
        BOTH(loads_in_loops, n, far, x, S(out));
        SAME(out);
    }
}

CONFORM(asserts_and_prints_of_unchecked_kernels)
{
    INTEGERS(asserts_and_prints)
}

static const check_case cases[] = {
    CASE(if_and_else_in_chains),
    CASE(loops_that_test_first),
    CASE(loops_that_test_last),
    CASE(for_with_parts_missing),
    CASE(continue_then_break_in_a_serial_loop),
    CASE(continue_and_break_in_nested_loops),
    CASE(a_store_before_continue_is_kept),
    CASE(continue_ends_an_iteration),
    CASE(return_leaves_a_loop),
    CASE(operators_that_skip_their_right_side),
    CASE(ternaries_nest),
    CASE(commas_and_chained_assignment),
    CASE(sorting_in_a_local_array),
    CASE(loops_with_float_exits),
    CASE(searching_a_sorted_array),
    CASE(loads_that_passes_of_a_loop_share),
    CASE(asserts_and_prints_of_unchecked_kernels),
};
CHECK_MAIN(cases)
