/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_repeat_test.c - what a repeated call costs, and what calls that fail leave behind.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

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
    CASE(a_repeated_call_allocates_nothing_and_makes_no_plan),
    CASE(other_arrays_of_the_same_shape_need_no_plan_and_no_memory),
    CASE(the_memory_of_calls_does_not_grow),
    CASE(a_launch_leaves_nothing_behind_whichever_driver_call_fails),
    CASE(a_first_call_leaves_nothing_behind_whichever_request_for_memory_fails),
};

CHECK_MAIN(cases)
