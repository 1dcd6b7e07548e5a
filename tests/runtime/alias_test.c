/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alias_test.c - arrays that share memory: classes, and what tasks need apart.
 */
#include <string.h>

#include "runtime/bind.h"
#include "runtime/hand.h"
#include "support/check.h"

static slip_status call2(const hand_device *on, hand_kernel kernel, const float *x, float *y,
                         int32_t n)
{
    slip_arg args[] = { { &n, sizeof n }, { x, 4 * (uint64_t)n }, { y, 4 * (uint64_t)n } };

    return slip_launch(on->stream, hand_entry(on, kernel), args, 3, NULL, 0);
}

static void one_array_for_two_parameters_is_let_through_where_the_task_allows_it(void)
{
    hand_device on;
    float x[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

    hand_open(&on);
    CHECK_STATUS(call2(&on, HAND_NEXT, x, x, 8), SLIP_OK);
    CHECK_EQ_F64((double)x[0], 1.0);
    CHECK_EQ_F64((double)x[7], 8.0);
    hand_close(&on);
}

static void one_array_for_two_parameters_is_refused_where_the_task_needs_them_apart(void)
{
    hand_device on;
    float x[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

    hand_open(&on);
    CHECK_STATUS(call2(&on, HAND_REVERSE, x, x, 8), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message,
                   "arrays `x` and `y` of reverse overlap (32 bytes at ");
    CHECK_CONTAINS(slip_last_error()->message, "hand.c:12 needs them apart");
    CHECK_EQ_F64((double)x[0], 0.0);
    hand_close(&on);
}

static void arrays_that_overlap_in_part_are_refused_also_where_equal_ones_are_not(void)
{
    hand_device on;
    float x[12] = { 0 };

    hand_open(&on);
    CHECK_STATUS(call2(&on, HAND_NEXT, x, x + 1, 8), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "overlap in part");
    CHECK_CONTAINS(slip_last_error()->message, "hand.c:8 needs them apart or equal");
    CHECK_STATUS(call2(&on, HAND_NEXT, x + 1, x, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(call2(&on, HAND_NEXT, x, x + 6, 6), SLIP_OK); /* they touch */
    CHECK_STATUS(call2(&on, HAND_REVERSE, x + 6, x, 6), SLIP_OK);
    CHECK_STATUS(call2(&on, HAND_REVERSE, x, x, 0), SLIP_OK); /* empty ones overlap nothing */
    hand_close(&on);
}

static void an_array_that_is_not_aligned_to_its_elements_is_refused(void)
{
    hand_device on;
    float x[9] = { 0 }, y[8] = { 0 };

    hand_open(&on);
    CHECK_STATUS(call2(&on, HAND_NEXT, (const float *)(const void *)((char *)x + 2), y, 8),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "array `x` of next begins at 0x");
    CHECK_CONTAINS(slip_last_error()->message, "its elements need a multiple of 4 (hand.c:7)");
    CHECK_STATUS(call2(&on, HAND_NEXT, (const float *)(const void *)((char *)x + 2), y, 0),
                 SLIP_OK);
    hand_close(&on);
}

/* A call that was refused must not leave its findings behind for the next. */
static void after_a_refusal_the_same_arrays_are_refused_again(void)
{
    hand_device on;
    float x[12] = { 0 }, y[12];

    hand_open(&on);
    CHECK_STATUS(call2(&on, HAND_REVERSE, x, y, 8), SLIP_OK);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(call2(&on, HAND_REVERSE, x, x + 4, 8), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(call2(&on, HAND_REVERSE, x, y, 8), SLIP_OK);
    hand_close(&on);
}

static void equal_and_disjoint_arrays_are_different_plans(void)
{
    hand_device on;
    float x[8] = { 0 }, y[8] = { 0 };
    slip_stats stats;

    hand_open(&on);
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(call2(&on, HAND_BOTH, x, y, 8), SLIP_OK);
        CHECK_STATUS(call2(&on, HAND_BOTH, x, x, 8), SLIP_OK);
        CHECK_STATUS(call2(&on, HAND_BOTH, x, x + 2, 6),
                     SLIP_OK); /* two tasks: overlap is allowed */
    }
    CHECK_EQ_F64((double)y[0], 4.0);
    CHECK_EQ_F64((double)x[0], 4.0 * 4);
    CHECK_EQ_F64((double)x[3], 4.0 * 5);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.plans, 3);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(one_array_for_two_parameters_is_let_through_where_the_task_allows_it),
    CASE(one_array_for_two_parameters_is_refused_where_the_task_needs_them_apart),
    CASE(arrays_that_overlap_in_part_are_refused_also_where_equal_ones_are_not),
    CASE(an_array_that_is_not_aligned_to_its_elements_is_refused),
    CASE(after_a_refusal_the_same_arrays_are_refused_again),
    CASE(equal_and_disjoint_arrays_are_different_plans),
};

CHECK_MAIN(cases)
