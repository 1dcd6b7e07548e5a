/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_test.c - opening, listing, describing and closing devices.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

static void the_number_of_threads_comes_from_the_environment(void)
{
    slip_device *device = NULL;
    slip_device_info info;

    setenv("SLIPWAY_CPU_THREADS", "3", 1);
    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_OK);
    slip_device_describe(device, &info);
    CHECK_EQ_U64(info.compute_units, 3);
    slip_device_close(device);
    device = NULL;
    static const char *const wrong[] = { "0", "-1", "two", "3x", "100000" };
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        setenv("SLIPWAY_CPU_THREADS", wrong[k], 1);
        CHECK_STATUS(slip_device_open("cpu", &device), SLIP_ERR_ARGUMENT);
        CHECK_CONTAINS(slip_last_error()->message, "it takes a number from 1 to 1024");
        CHECK(device == NULL);
    }
    unsetenv("SLIPWAY_CPU_THREADS");
}

static void an_unknown_policy_is_refused(void)
{
    slip_device *device = NULL;

    setenv("SLIPWAY_SYNC", "liberal", 1);
    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "conservative");
    unsetenv("SLIPWAY_SYNC");
    CHECK_EQ_U64(mem_live(), 0);
}

static void two_handles_of_one_device_share_nothing(void)
{
    hand_device one, two;
    float x[4] = { 0 }, a = 1;
    int32_t n = 4;
    slip_arg args[] = { { &n, 4 }, { &a, 4 }, { x, sizeof x } };

    hand_open(&one);
    hand_open(&two);
    CHECK(one.device->id != two.device->id);
    CHECK_STATUS(slip_keep(one.device, x, sizeof x), SLIP_OK);
    CHECK_STATUS(slip_launch(two.stream, hand_entry(&two, HAND_ADD), args, 3, NULL, 0), SLIP_OK);
    CHECK_EQ_F64((double)x[0], 1.0); /* two knows nothing of one's mirror */
    CHECK_STATUS(slip_launch(one.stream, hand_entry(&two, HAND_ADD), args, 3, NULL, 0),
                 SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "another device");
    slip_device_close(two.device);
    CHECK_STATUS(slip_launch(one.stream, hand_entry(&one, HAND_ADD), args, 3, NULL, 0), SLIP_OK);
    CHECK_EQ_F64((double)x[0], 1.0);
    hand_close(&one);
}

static void facts_are_a_line_each_and_tell_that_sections_run_in_order(void)
{
    slip_device *device = NULL;
    char text[8192], small[16];

    CHECK_STATUS(slip_device_open("cpu", &device), SLIP_OK);
    CHECK_STATUS(slip_device_facts(device, text, sizeof text), SLIP_OK);
    CHECK_CONTAINS(text, "host_is_device");
    CHECK_CONTAINS(text, "they run in source order");
    CHECK_STATUS(slip_device_facts(device, small, sizeof small), SLIP_ERR_ARGUMENT);
    slip_device_close(device);
}

static void opening_leaves_nothing_behind_whichever_request_fails(void)
{
    for (uint64_t fail = 1;; fail++) {
        slip_device *device = NULL;
        fail_clear();
        mem_fail_at(fail);
        slip_status status = device_open_with(hand_family(), 0, &device);
        mem_fail_at(0);
        CHECK_EQ_U64(fail_last()->code, status);
        if (status == SLIP_OK) {
            CHECK_EQ_U64(fail, 7); /* device, family, driver, pool, two of the stream can fail */
            slip_device_close(device);
            break;
        }
        CHECK_EQ_U64(status, SLIP_ERR_MEMORY);
        CHECK(device == NULL);
        CHECK_EQ_U64(mem_live(), 0);
    }
    CHECK_EQ_U64(mem_live(), 0);
}

static void a_failing_driver_is_named(void)
{
    slip_device *device = NULL;

    hand_calls = 0;
    hand_fail_at = 1;
    CHECK_STATUS(device_open_with(hand_family(), 0, &device), SLIP_ERR_DEVICE);
    hand_fail_at = 0;
    CHECK_CONTAINS(slip_last_error()->message, "open was made to fail; while opening device cpu:0");
    CHECK(device == NULL);
    CHECK_EQ_U64(mem_live(), 0);
    CHECK_STATUS(device_open_with(hand_family(), 3, &device), SLIP_ERR_NOT_FOUND);
}

static void null_is_refused_or_does_nothing(void)
{
    CHECK_STATUS(slip_device_open("cpu", NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_sync(NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_device_trim(NULL), SLIP_ERR_ARGUMENT);
    slip_device_close(NULL);
    CHECK(slip_default(NULL) == NULL);
}

static void trim_gives_the_memory_of_launches_back(void)
{
    hand_device on;
    float u[4000] = { 0 };
    int32_t n = 4000, k = 2;
    slip_arg args[] = { { &n, 4 }, { &k, 4 }, { u, sizeof u } };

    hand_open(&on);
    uint64_t before = mem_live();
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_STEPS), args, 3, NULL, 0), SLIP_OK);
    uint64_t with_scratch = mem_live();
    CHECK_STATUS(slip_device_trim(on.device), SLIP_OK);
    CHECK_EQ_U64(mem_live(), with_scratch - 1);
    CHECK(mem_live() > before); /* the plan and what the call found stay */
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_STEPS), args, 3, NULL, 0), SLIP_OK);
    CHECK_EQ_F64((double)u[10], 40.0);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_number_of_threads_comes_from_the_environment),
    CASE(an_unknown_policy_is_refused),
    CASE(two_handles_of_one_device_share_nothing),
    CASE(facts_are_a_line_each_and_tell_that_sections_run_in_order),
    CASE(opening_leaves_nothing_behind_whichever_request_fails),
    CASE(a_failing_driver_is_named),
    CASE(null_is_refused_or_does_nothing),
    CASE(trim_gives_the_memory_of_launches_back),
};

CHECK_MAIN(cases)
