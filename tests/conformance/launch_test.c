/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_test.c - statements, scalars, scratch and control flow around tasks.
 */
#include "conform.h"

#include "launch.slip.h"

#include "launch.reference.h"

CONFORM(steps_around_two_tasks)
{
    SIZES (n) {
        conform_pair u = PAIR(f32, PLAIN, n), v = PAIR(f32, PLAIN, n);
        for (i32 steps = 0; steps < 20; steps += 5) {
            BOTH(heat, n, steps, 0.25f, S(u));
            SAME(u);
            BOTH(ping_pong, n, steps, S(v));
            SAME(v);
        }
    }
}

CONFORM(pointers_at_kernel_level)
{
    SIZES (n) {
        conform_pair x = PAIR(f32, PLAIN, n);
        BOTH(moving_window, n, 7, S(x));
        SAME(x);
        BOTH(moving_window, n, 300, S(x));
        SAME(x);
    }
}

CONFORM(variables_that_the_host_computes)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        BOTH(launch_arithmetic, n, 77, 17.5, S(x));
        SAME(x);
        BOTH(launch_arithmetic, n, 255, 0.25, S(x));
        SAME(x);
    }
}

CONFORM(loops_that_the_host_decides)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        for (i32 rounds = 0; rounds < 7; rounds++) {
            BOTH(nested_host_loops, n, rounds, S(x));
            SAME(x);
        }
    }
}

CONFORM(return_between_tasks)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        for (i32 kind = -1; kind < 8; kind++) {
            RETURN(i32, got, want, early_return, n, kind, S(x));
            EXPECT_I64(got, want);
            SAME(x);
        }
    }
}

CONFORM(switch_around_whole_tasks)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n);
        for (i32 kind = 0; kind < 5; kind++) {
            BOTH(switch_around_tasks, n, kind, S(x));
            SAME(x);
        }
    }
}

CONFORM(statements_between_tasks)
{
    SIZES (n) {
        conform_pair x = PAIR(i32, EXACT, n), log = PAIR(i32, PLAIN, 8);
        BOTH(serial_between_tasks, n, S(x), S(log));
        SAME(x);
        SAME(log);
    }
}

CONFORM(reads_see_the_updates_before_them)
{
    conform_pair a = PAIR(i32, ZERO, 8), seen = PAIR(i32, PLAIN, 2);

    BOTH(reads_between_updates, S(a), S(seen));
    WANT(i32, seen, 3, 3);
    WANT(i32, a, 3, 3, 3, 3, 3, 3, 3, 3);
    SIZES (n) {
        conform_pair x = PAIR(i32, WILD, n), own = PAIR(i32, PLAIN, n);
        BOTH(reads_between_own_updates, n, S(x), S(own));
        SAME(x);
        SAME(own);
    }
}

CONFORM(variables_on_the_device)
{
    SIZES (n) {
        i32 *x = IN(i32, PLAIN, n);
        conform_pair y = PAIR(i64, PLAIN, n);
        BOTH(device_scalars, n, x, S(y));
        SAME(y);
        SAME_RETURN(i32, found_flag, n, n ? x[n / 2] : 5, x);
        SAME_RETURN(i32, found_flag, n, 1234567, x);
    }
}

CONFORM(scratch_with_initialisers)
{
    SIZES (n) {
        const void *x = IN(i32, PLAIN, n);
        conform_pair out = PAIR(i32, PLAIN, 40);
        for (i32 rounds = 0; rounds < 8; rounds += 3) {
            BOTH(initialised_scratch, n, rounds, x, S(out));
            SAME(out);
        }
    }
}

CONFORM(scratch_of_many_shapes)
{
    EACH (h, 0, 1, 2, 3, 40, 130) {
        for (i32 w = 0; w < 60; w += 29) {
            conform_pair x = PAIR(f32, PLAIN, h * w);
            BOTH(scratch_of_every_shape, (i32)h, w, S(x));
            SAME(x);
        }
    }
}

CONFORM(launches_of_many_tasks)
{
    EACH (steps, 0, 1, 1023, 1024, 1025, 5000, 100000) {
        conform_pair x = PAIR(i32, PLAIN, 4);
        BOTH(many_small_steps, (i32)steps, S(x));
        SAME(x);
    }
    SIZES (n) {
        conform_pair x = PAIR(i32, PLAIN, n + 1), y = PAIR(i32, PLAIN, n + 1);
        BOTH(alternating_tasks, n + 1, 33, S(x), S(y));
        SAME(x);
        SAME(y);
    }
}

CONFORM(each_step_reads_the_one_before)
{
    SIZES (n) {
        conform_pair x = PAIR(i64, PLAIN, n), y = PAIR(i32, WILD, n % 1100);
        BOTH(prefix_sums, n, S(x));
        SAME(x);
        BOTH(odd_even_sort, n % 1100, S(y));
        SAME(y);
    }
}

CONFORM(a_result_that_the_host_computes)
{
    for (i32 n = -1; n < 9; n++)
        SAME_RETURN(f64, launch_variable_as_result, n, 0.3f);
}

static const check_case cases[] = {
    CASE(steps_around_two_tasks),
    CASE(pointers_at_kernel_level),
    CASE(variables_that_the_host_computes),
    CASE(loops_that_the_host_decides),
    CASE(return_between_tasks),
    CASE(switch_around_whole_tasks),
    CASE(statements_between_tasks),
    CASE(reads_see_the_updates_before_them),
    CASE(variables_on_the_device),
    CASE(scratch_with_initialisers),
    CASE(scratch_of_many_shapes),
    CASE(launches_of_many_tasks),
    CASE(each_step_reads_the_one_before),
    CASE(a_result_that_the_host_computes),
};
CHECK_MAIN(cases)
