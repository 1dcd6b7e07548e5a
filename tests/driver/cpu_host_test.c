/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_host_test.c - what this processor says of itself.
 */
#define _GNU_SOURCE
#include "driver/cpu_host.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "support/check.h"

static void the_number_of_threads_is_what_may_run_or_what_is_asked_for(void)
{
    uint32_t threads = 0;

    CHECK_STATUS(cpu_host_threads(&threads), SLIP_OK);
    CHECK(threads >= 1 && threads <= 1024);
    setenv("SLIPWAY_CPU_THREADS", "17", 1);
    CHECK_STATUS(cpu_host_threads(&threads), SLIP_OK);
    CHECK_EQ_U64(threads, 17);
    setenv("SLIPWAY_CPU_THREADS", "1025", 1);
    CHECK_STATUS(cpu_host_threads(&threads), SLIP_ERR_ARGUMENT);
    CHECK_EQ_U64(threads, 17);
    setenv("SLIPWAY_CPU_THREADS", "", 1);
    CHECK_STATUS(cpu_host_threads(&threads), SLIP_OK);
    unsetenv("SLIPWAY_CPU_THREADS");
}

/* The levels are nested: a processor of one level runs the lower ones. */
static void levels_are_listed_best_first_down_to_the_lowest(void)
{
    drv_info info;

    CHECK_STATUS(cpu_host_info(&info), SLIP_OK);
#if defined(__x86_64__)
    CHECK_TEXT(info.targets[info.target_count - 1], "cpu-x86-64-v2");
    for (uint32_t k = 1; k < info.target_count; k++)
        CHECK(strcmp(info.targets[k - 1], info.targets[k]) > 0);
#else
    CHECK_TEXT(info.targets[0], "cpu-aarch64");
#endif
}

static void a_target_that_is_asked_for_leaves_out_those_above_it(void)
{
    drv_info all, some;

    CHECK_STATUS(cpu_host_info(&all), SLIP_OK);
    for (uint32_t k = 0; k < all.target_count; k++) {
        setenv("SLIPWAY_CPU_TARGET", all.targets[k], 1);
        CHECK_STATUS(cpu_host_info(&some), SLIP_OK);
        CHECK_EQ_U64(some.target_count, all.target_count - k);
        CHECK_TEXT(some.targets[0], all.targets[k]);
    }
    setenv("SLIPWAY_CPU_TARGET", "cpu-z80", 1);
    CHECK_STATUS(cpu_host_info(&some), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "SLIPWAY_CPU_TARGET is \"cpu-z80\"; it takes \"cpu-");
    for (uint32_t k = 0; k < all.target_count; k++)
        CHECK_CONTAINS(fail_last()->message, all.targets[k]);
    unsetenv("SLIPWAY_CPU_TARGET");
}

static const check_case cases[] = {
    CASE(the_number_of_threads_is_what_may_run_or_what_is_asked_for),
    CASE(levels_are_listed_best_first_down_to_the_lowest),
    CASE(a_target_that_is_asked_for_leaves_out_those_above_it),
};

CHECK_MAIN(cases)
