/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finishes_test.c - serial statements that a reduction's end runs give what the C compiler gives,
 * and take no task of their own.
 */
#include "conform.h"

#include "finishes.slip.h"

#include "finishes.reference.h"

CONFORM(loops_of_sums_and_what_stands_between)
{
    SIZES (n) {
        const void *b = IN(i64, PLAIN, n);
        conform_pair x = PAIR(i64, PLAIN, n);
        for (i32 steps = 0; steps <= 5; steps++) {
            SAME_RETURN(i64, chained, n, steps, b, S(x));
            SAME(x);
        }
    }
}

CONFORM(a_loop_that_the_device_decides)
{
    SIZES (n) {
        conform_pair x = PAIR(i64, PLAIN, n), small = PAIR(i64, EXACT, n);
        SAME_RETURN(i32, rounds_to_nothing, n, S(x));
        SAME(x);
        SAME_RETURN(i32, rounds_to_nothing, n, S(small));
        SAME(small);
    }
}

CONFORM(a_condition_that_the_device_decides)
{
    SIZES (n) {
        const void *x = IN(i64, EXACT, n);
        SAME_RETURN(i64, on_condition, n, -1000000, x);
        SAME_RETURN(i64, on_condition, n, 0, x);
        SAME_RETURN(i64, on_condition, n, 1000000, x);
    }
}

CONFORM(what_a_task_sees_is_set_before_it)
{
    SIZES (n) {
        const void *x = IN(i64, EXACT, n), *wild = IN(i64, WILD, n);
        conform_pair y = PAIR(i64, PLAIN, n);
        SAME_RETURN(i64, seen_by_the_task, n, x, S(y));
        SAME(y);
        SAME_RETURN(i64, seen_by_the_task, n, wild, S(y));
        SAME(y);
    }
}

CONFORM(ways_out_behind_a_sum)
{
    SIZES (n) {
        const void *x = IN(i64, EXACT, n), *plain = IN(i64, PLAIN, n);
        for (i64 limit = -100; limit < 100000; limit += 50000) {
            SAME_RETURN(i64, leaves_early, n, 5, limit, x);
            SAME_RETURN(i64, leaves_early, n, 5, limit, plain);
            SAME_RETURN(i64, leaves_early, n, 0, limit, x);
        }
    }
}

CONFORM(bounds_and_results_behind_sums)
{
    static const conform_field fields[] = { FIELD(struct moments, count, i64),
                                            FIELD(struct moments, sum, i64),
                                            FIELD(struct moments, spread, i64),
                                            FIELD(struct moments, low, i32),
                                            FIELD(struct moments, high, i32) };

    SIZES (n) {
        const void *x = IN(i32, EXACT, n);
        conform_pair y = PAIR(i32, PLAIN, n);
        RETURN(struct moments, got, want, bounded, n, x, S(y));
        conform_same_fields(c, "bounded()", &got, &want, sizeof got, 1, fields, 5);
        SAME(y);
    }
}

CONFORM(blocks_that_are_full_stay_as_they_are)
{
    struct weights b = { 0 };

    for (int k = 0; k < 990; k++)
        b.w[k] = 7 * k - 1000;
    SIZES (n) {
        const void *x = IN(i32, EXACT, n);
        SAME_RETURN(i32, filled, n, b, x);
    }
}

CONFORM(rows_that_come_and_go)
{
    static const i32 sizes[][2] = {
        { 4, 16 }, { 0, 16 }, { 16, 0 }, { 0, 0 }, { 32, 64 }, { 0, 64 }
    };
    const void *x = IN(i64, EXACT, 32 * 64);

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        SAME_RETURN(i64, in_rows, sizes[k][0], sizes[k][1], x);
}

/* Tasks of a call, as the runtime counts them. */
static uint64_t tasks_of(conform *c, int32_t steps)
{
    slip_stats before = { 0 }, after = { 0 };
    conform_pair x = PAIR(i64, ZERO, 100);
    const void *b = IN(i64, EXACT, 100);
    i64 got = 0;

    slip_device_stats(c->device, &before);
    ON_DEVICE(chained, 100, steps, b, x.side[0], &got);
    slip_device_stats(c->device, &after);
    return after.tasks - before.tasks;
}

CONFORM(what_a_task_only_reads_may_be_read_where_it_ends)
{
    slip_stats before = { 0 }, after = { 0 };

    for (i32 n = 0; n < 3000; n = 3 * n + 100) {
        const void *x = IN(i64, EXACT, n);
        conform_pair y = PAIR(i64, ZERO, n);
        SAME_RETURN(i64, reads_alike, n, x, S(y));
        SAME(y);
    }
    conform_pair x = PAIR_OF(i64, 2, 3, 5), y = PAIR(i64, ZERO, 3);
    i64 got = 0;
    slip_device_stats(c->device, &before);
    ON_DEVICE(reads_alike, 3, x.side[0], y.side[0], &got);
    slip_device_stats(c->device, &after);
    EXPECT(got == 11 + 10 * 11 + 22);
    EXPECT(after.tasks - before.tasks == 3);
}

/* Two sums with what stands around them, and one plain task: LANGUAGE rule 32 has three fewer. */
CONFORM(a_step_of_conjugate_gradients_takes_three_tasks)
{
    uint64_t none = tasks_of(c, 0), four = tasks_of(c, 4);

    EXPECT(none == 2);
    EXPECT(four - none == 12);
}

static const check_case cases[] = {
    CASE(loops_of_sums_and_what_stands_between),
    CASE(a_loop_that_the_device_decides),
    CASE(a_condition_that_the_device_decides),
    CASE(what_a_task_sees_is_set_before_it),
    CASE(ways_out_behind_a_sum),
    CASE(bounds_and_results_behind_sums),
    CASE(blocks_that_are_full_stay_as_they_are),
    CASE(rows_that_come_and_go),
    CASE(what_a_task_only_reads_may_be_read_where_it_ends),
    CASE(a_step_of_conjugate_gradients_takes_three_tasks),
};
CHECK_MAIN(cases)
