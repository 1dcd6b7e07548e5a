/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_test.c - calls by a list of arguments: results, refusals, and what a repeated call costs.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

#define ARG(value)                                                                                 \
    {                                                                                              \
        &(value), sizeof(value)                                                                    \
    }
#define ARRAY_ARG(array)                                                                           \
    {                                                                                              \
        (array), sizeof(array)                                                                     \
    }
#define LAUNCH(on, kernel, args)                                                                   \
    slip_launch((on)->stream, hand_entry((on), (kernel)), (args),                                  \
                sizeof(args) / sizeof((args)[0]), NULL, 0)

static void a_kernel_without_tasks_returns(void)
{
    hand_device on;
    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_NOTHING), NULL, 0, NULL, 0), SLIP_OK);
    hand_close(&on);
}

static void scalars_and_arrays_reach_the_task(void)
{
    hand_device on;
    float x[100], a = 1.5f;
    int32_t n = 90;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    for (int i = 0; i < 100; i++)
        x[i] = (float)i;
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    for (int i = 0; i < 100; i++)
        CHECK_EQ_F64((double)x[i], i < 90 ? i + 1.5 : i);
    hand_close(&on);
}

static void a_struct_is_passed_by_value_and_its_member_is_an_extent(void)
{
    hand_device on;
    struct {
        float a;
        int32_t n;
    } p = { 2.0f, 3 };
    float x[4] = { 0 };
    slip_arg args[] = { ARG(p), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_POINT, args), SLIP_OK);
    CHECK_EQ_F64((double)x[2], 2.0);
    CHECK_EQ_F64((double)x[3], 0.0);
    hand_close(&on);
}

static void a_sum_folds_all_blocks_into_the_result(void)
{
    enum { MOST = 100000 };
    static int32_t x[MOST];
    static const int64_t sizes[] = { 0, 1, 1023, 1024, 1025, 5000, MOST };
    hand_device on;

    hand_open(&on);
    for (int32_t i = 0; i < MOST; i++)
        x[i] = 3 * i - 7;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int64_t n = sizes[k], got = -1;
        slip_arg args[] = { ARG(n), ARRAY_ARG(x) };
        CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, sizeof got),
                     SLIP_OK);
        CHECK_EQ_I64(got, 3 * n * (n - 1) / 2 - 7 * n);
    }
    hand_close(&on);
}

static void a_result_not_wanted_is_another_plan_of_the_same_kernel(void)
{
    hand_device on;
    int32_t x[3] = { 1, 2, 3 };
    int64_t n = 3, got = 0;
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_SUM, args), SLIP_OK);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, sizeof got),
                 SLIP_OK);
    CHECK_EQ_I64(got, 6);
    CHECK_STATUS(LAUNCH(&on, HAND_SUM, args), SLIP_OK);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.plans, 2);
    hand_close(&on);
}

static void a_host_decided_loop_runs_its_steps_over_scratch(void)
{
    hand_device on;
    float u[50] = { 0 };
    int32_t n = 50, k = 7;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    for (int i = 0; i < 50; i++)
        CHECK_EQ_F64((double)u[i], 7.0 * i);
    k = 0;
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    CHECK_EQ_F64((double)u[49], 343.0);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.tasks, 14);
    CHECK_EQ_U64(stats.host_waits, 0);
    hand_close(&on);
}

static void a_device_loop_ends_when_its_cell_is_zero(void)
{
    hand_device on;
    int32_t n = 2, x[2] = { 5, 9 };
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_DRAIN, args), SLIP_OK);
    CHECK_EQ_I64(x[0], 0);
    CHECK_EQ_I64(x[1], 4);
    CHECK_STATUS(LAUNCH(&on, HAND_DRAIN, args), SLIP_OK); /* the body runs once before the test */
    CHECK_EQ_I64(x[0], -1);
    hand_close(&on);
}

static void empty_and_inverted_ranges_run_nothing(void)
{
    hand_device on;
    int64_t out = 0;
    static const int64_t ranges[][2] = {
        { 0, 0 }, { 5, 5 }, { 9, 2 }, { 0, -3 }, { INT64_MAX, INT64_MIN }
    };

    hand_open(&on);
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        int64_t lo = ranges[k][0], hi = ranges[k][1];
        slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };
        CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_OK);
    }
    CHECK_EQ_I64(out, 0);
    hand_close(&on);
}

static void ranges_above_32_bits_run_whole(void)
{
    hand_device on;
    int64_t out = 0, lo = -5, hi = ((int64_t)1 << 33) + 7;
    slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_OK);
    CHECK_EQ_I64(out, ((int64_t)1 << 33) + 12);
    lo = (int64_t)1 << 17;
    hi = (int64_t)1 << 18;
    CHECK_STATUS(LAUNCH(&on, HAND_SQUARE, args), SLIP_OK);
    CHECK_EQ_I64(out, ((int64_t)1 << 33) + 12 + ((int64_t)1 << 35));
    hand_close(&on);
}

static void more_iterations_than_63_bits_are_refused(void)
{
    hand_device on;
    int64_t out = 0, lo = INT64_MIN, hi = INT64_MAX;
    slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "wide:61");
    lo = hi = (int64_t)1 << 32;
    CHECK_STATUS(LAUNCH(&on, HAND_SQUARE, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "4294967296 * 4294967296");
    CHECK_CONTAINS(slip_last_error()->message, "hand.c:66");
    hand_close(&on);
}

static void empty_arrays_succeed_also_as_null(void)
{
    hand_device on;
    int32_t n = 0;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), { NULL, 0 } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    args[2].data = &a;
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    CHECK_EQ_F64((double)a, 1.0);
    hand_close(&on);
}

static void null_for_a_non_empty_array_is_refused(void)
{
    hand_device on;
    int32_t n = 5;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), { NULL, 20 } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "array `x` of add is NULL; its extents need 20 bytes (hand.c:3)");
    hand_close(&on);
}

static void extents_that_overflow_or_are_negative_are_refused(void)
{
    hand_device on;
    int32_t n = 65536, m = 65536;
    float x[1];
    slip_arg args[] = { ARG(n), ARG(m), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_AREA, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "`n * m` overflows: 65536 * 65536 does not fit i32 (hand.c:30)");
    n = -3;
    m = 1;
    CHECK_STATUS(LAUNCH(&on, HAND_AREA, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "extent `n * m` of `x` is negative: -3");
    hand_close(&on);
}

static void counts_and_sizes_of_arguments_are_checked(void)
{
    hand_device on;
    int32_t n = 4;
    int64_t wide = 4;
    float a = 1, x[3] = { 0 };
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };
    slip_arg wrong[] = { ARG(wide), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 2, NULL, 0),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "add takes 3 arguments, 2 were given");
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, wrong), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "`n` of add, is i32 of 4 bytes; 8 were given");
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "array `x` of add has 12 bytes; its extents need 16");
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_ADD), args, 3, &wide, 8),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "add has no result");
    CHECK_EQ_F64((double)x[0], 0.0);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 0);
    hand_close(&on);
}

static void a_result_of_the_wrong_size_is_refused(void)
{
    hand_device on;
    int32_t x[1] = { 4 }, narrow = 0;
    int64_t n = 1;
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &narrow, sizeof narrow),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "the result of sum has 8 bytes, the place for it 4");
    hand_close(&on);
}

static void an_array_of_unknown_extent_must_be_known_memory(void)
{
    hand_device on;
    int32_t n = 4;
    float host[4] = { 0 };
    void *memory = NULL;
    slip_arg args[] = { ARG(n), { host, sizeof host } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_OPEN, args),
                 SLIP_OK); /* a list of arguments says how large it is */
    CHECK_EQ_F64((double)host[3], 1.0);
    CHECK_STATUS(slip_alloc(on.device, sizeof host, &memory), SLIP_OK);
    memcpy(memory, host, sizeof host);
    args[1] = (slip_arg){ memory, sizeof host };
    CHECK_STATUS(LAUNCH(&on, HAND_OPEN, args), SLIP_OK);
    CHECK_EQ_F64((double)((float *)memory)[3], 2.0);
    slip_free(on.device, memory);
    hand_close(&on);
}

static void a_repeated_call_allocates_nothing_and_makes_no_plan(void)
{
    hand_device on;
    float u[500] = { 0 };
    int32_t n = 500, k = 3;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) };
    slip_stats first, later;

    hand_open(&on);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    slip_device_stats(on.device, &first);
    mem_fail_at(1); /* any request would fail */
    for (int i = 0; i < 100; i++)
        CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    mem_fail_at(0);
    slip_device_stats(on.device, &later);
    CHECK_EQ_U64(later.plans, 1);
    CHECK_EQ_U64(later.allocations, first.allocations);
    CHECK_EQ_U64(later.calls, 103);
    hand_close(&on);
}

static void other_arrays_of_the_same_shape_need_no_plan_and_no_memory(void)
{
    hand_device on;
    float x[2][8] = { { 0 } }, y[2][8];
    int32_t n = 8;

    hand_open(&on);
    for (int i = 0; i < 20; i++) {
        slip_arg args[] = { ARG(n), ARRAY_ARG(x[i % 2]), ARRAY_ARG(y[(i / 2) % 2]) };
        CHECK_STATUS(LAUNCH(&on, HAND_NEXT, args), SLIP_OK);
        CHECK_EQ_F64((double)y[(i / 2) % 2][7], 1.0);
        if (i == 3)
            mem_fail_at(1);
    }
    mem_fail_at(0);
    hand_close(&on);
}

/* Called through a pointer, or the compiler would move it past a change of the mode. */
static double third(void)
{
    volatile double one = 1, three = 3;

    return one / three;
}

static double (*volatile one_third)(void) = third;

static void tasks_run_in_the_default_floating_point_mode(void)
{
    hand_device on;
    float x[1] = { 1.0f }, a = 0x1p-24f; /* a tie: 1 to even, up to 1 + 2^-23 */
    int32_t n = 1;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_EQ_I64(fesetround(FE_UPWARD), 0);
    slip_status status = LAUNCH(&on, HAND_ADD, args);
    double after = one_third(); /* computed: fegetround may look at another unit's mode */
    fesetround(FE_TONEAREST);
    CHECK_EQ_I64(status, SLIP_OK);
    CHECK_EQ_F64(after, 0x1.5555555555556p-2);
    CHECK_EQ_F64((double)x[0], 1.0);
    hand_close(&on);
}

/* Each sum takes memory for its partial results: what one call takes must not be added to by the
 * next. */
static void the_memory_of_calls_does_not_grow(void)
{
    enum { MANY = 200000 };
    hand_device on;
    int64_t n = MANY, got = 0;
    int32_t *x = calloc(MANY, sizeof *x);
    slip_arg args[] = { ARG(n), { x, MANY * sizeof *x } };
    slip_stats first, later;

    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, 8), SLIP_OK);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, 8), SLIP_OK);
    slip_device_stats(on.device, &first);
    for (int i = 0; i < 100; i++)
        CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, 8), SLIP_OK);
    slip_device_stats(on.device, &later);
    CHECK_EQ_U64(later.allocations, first.allocations);
    free(x);
    hand_close(&on);
}

static void the_conservative_policy_gives_the_same_results(void)
{
    hand_device on;
    float u[50] = { 0 };
    int32_t n = 50, k = 7, x[4] = { 1, 2, 3, 4 };
    int64_t count = 4, got = 0;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) }, more[] = { ARG(count), ARRAY_ARG(x) };

    setenv("SLIPWAY_SYNC", "conservative", 1);
    hand_open(&on);
    unsetenv("SLIPWAY_SYNC");
    CHECK(on.device->conservative);
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    CHECK_EQ_F64((double)u[49], 343.0);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), more, 2, &got, sizeof got),
                 SLIP_OK);
    CHECK_EQ_I64(got, 10);
    hand_close(&on);
}

/* Driver call k fails, for each k until none does; host outputs are then what they were, and the
 * next call works. */
static void a_launch_leaves_nothing_behind_whichever_driver_call_fails(void)
{
    float u[40];
    int32_t n = 40, k = 2;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) };

    for (uint32_t fail = 1;; fail++) {
        hand_device on;
        hand_fail_at = 0;
        hand_open(&on);
        hand_calls = 0;
        hand_fail_at = fail;
        memset(u, 0, sizeof u);
        fail_clear();
        slip_status status = LAUNCH(&on, HAND_STEPS, args);
        CHECK_EQ_U64(fail_last()->code, status);
        uint32_t calls = hand_calls;
        hand_fail_at = 0;
        if (status != SLIP_OK) {
            CHECK_EQ_U64(status, SLIP_ERR_DEVICE);
            CHECK_CONTAINS(slip_last_error()->message, "while calling steps");
            memset(u, 0, sizeof u);
            CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
        }
        CHECK_EQ_F64((double)u[3], 6.0);
        hand_close(&on);
        if (status == SLIP_OK) {
            CHECK_EQ_U64(calls, 5); /* memory for the scratch, and four runs */
            break;
        }
    }
}

static void a_first_call_leaves_nothing_behind_whichever_request_for_memory_fails(void)
{
    float u[40];
    int32_t n = 40, k = 2;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) };

    for (uint64_t fail = 1;; fail++) {
        hand_device on;
        hand_open(&on);
        memset(u, 0, sizeof u);
        fail_clear();
        mem_fail_at(fail);
        slip_status status = LAUNCH(&on, HAND_STEPS, args);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        CHECK_EQ_F64((double)u[3], status == SLIP_OK ? 6.0 : 0.0);
        if (status != SLIP_OK) {
            CHECK_EQ_U64(status, SLIP_ERR_MEMORY);
            CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
        }
        hand_close(&on);
        if (status == SLIP_OK)
            break;
    }
}

static const check_case cases[] = {
    CASE(a_kernel_without_tasks_returns),
    CASE(scalars_and_arrays_reach_the_task),
    CASE(a_struct_is_passed_by_value_and_its_member_is_an_extent),
    CASE(a_sum_folds_all_blocks_into_the_result),
    CASE(a_result_not_wanted_is_another_plan_of_the_same_kernel),
    CASE(a_host_decided_loop_runs_its_steps_over_scratch),
    CASE(a_device_loop_ends_when_its_cell_is_zero),
    CASE(empty_and_inverted_ranges_run_nothing),
    CASE(ranges_above_32_bits_run_whole),
    CASE(more_iterations_than_63_bits_are_refused),
    CASE(empty_arrays_succeed_also_as_null),
    CASE(null_for_a_non_empty_array_is_refused),
    CASE(extents_that_overflow_or_are_negative_are_refused),
    CASE(counts_and_sizes_of_arguments_are_checked),
    CASE(a_result_of_the_wrong_size_is_refused),
    CASE(an_array_of_unknown_extent_must_be_known_memory),
    CASE(a_repeated_call_allocates_nothing_and_makes_no_plan),
    CASE(other_arrays_of_the_same_shape_need_no_plan_and_no_memory),
    CASE(tasks_run_in_the_default_floating_point_mode),
    CASE(the_memory_of_calls_does_not_grow),
    CASE(the_conservative_policy_gives_the_same_results),
    CASE(a_launch_leaves_nothing_behind_whichever_driver_call_fails),
    CASE(a_first_call_leaves_nothing_behind_whichever_request_for_memory_fails),
};

CHECK_MAIN(cases)
