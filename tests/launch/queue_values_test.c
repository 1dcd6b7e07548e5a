/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_values_test.c - calls on the fake queue give the values of plain C, under many orders that
 * the driver's contract allows.
 */
#include <string.h>

#include "launch/launch_values.h"
#include "launch/queue_case.h"
#include "support/check.h"

enum { SEEDS = 12, MOST = VALUES_MOST };

static case_kernel kernel;
static case_run run;
static int32_t x[MOST], y[MOST], z[MOST], want[MOST];

static const int64_t sizes[VALUES_SIZES] = { 1, 2, 47, 48, 49, 1023, 1024, 1025, 3000 };

/* `by_address`: the block of task 0 too, from the middle on. */
static void each_setting(void (*make)(case_kernel *), void (*values)(const values_given *),
                         bool by_address)
{
    make(&kernel);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        if (by_address && seed == SEEDS / 2)
            case_block_by_address(&kernel, 0);
        case_open(&run, case_queue_settings(seed));
        values(&(values_given){ &run, &kernel, sizes, seed });
        case_close(&run);
    }
}

static void host_arrays_give_the_values_of_plain_c(void)
{
    each_setting(kernel_saxpy, values_saxpy, false);
}

static void a_loop_around_tasks_gives_the_values_of_plain_c(void)
{
    each_setting(kernel_heat, values_heat, false);
}

static void a_reduction_gives_the_sum(void)
{
    each_setting(kernel_sum, values_sum, true);
}

static void sums_into_variables_of_their_own(void)
{
    each_setting(kernel_sums, values_sums, false);
}

static void three_axes_and_large_blocks(void)
{
    each_setting(kernel_cube, values_cube, false);
}

static void bounds_that_the_device_decides(void)
{
    each_setting(kernel_bounds, values_bounds, false);
}

static void a_reduction_over_bounds_that_the_device_decides(void)
{
    each_setting(kernel_part_sum, values_part_sum, false);
}

static void an_array_that_is_overwritten_does_not_go_up(void)
{
    kernel_cover(&kernel);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        case_open(&run, case_queue_settings(seed));
        for (int small = 0; small < 2; small++) {
            case_given given[] = { given_number(100), given_host(x, 100), given_host(y, 100) };
            given[1].small = given[2].small = small;
            values_fill(x, 100, small);
            for (int i = 0; i < 100; i++)
                want[i] = x[i] + 5;
            CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
            values_check(y, want, 100);
        }
        CHECK_EQ_U64(atomic_load(&run.counts.uploads), 2);
        CHECK_EQ_U64(atomic_load(&run.counts.upload_bytes), 800);
        CHECK_EQ_U64(atomic_load(&run.counts.download_bytes), 800);
        case_close(&run);
    }
}

/* x and y are one block: y writes only its own part. */
static void only_what_is_written_comes_back(void)
{
    kernel_saxpy(&kernel);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        case_given given[] = { given_number(100), given_number(2), given_host(z, 100),
                               given_host(z + 100, 100) };
        case_open(&run, case_queue_settings(seed));
        given[2].bytes = 101 * 4; /* overlaps y's first element */
        values_fill(z, 200, 1);
        memcpy(want, z, sizeof want);
        for (int i = 0; i < 100; i++)
            want[100 + i] = 2 * want[i] + want[100 + i];
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(z, want, 200);
        CHECK_EQ_U64(atomic_load(&run.counts.uploads), 1);
        CHECK_EQ_U64(atomic_load(&run.counts.download_bytes), 400);
        case_close(&run);
    }
}

/* 1, 2, 4 ... passes between polls: those that were recorded for nothing change nothing. */
static void a_loop_of_the_device_is_polled_once_a_batch(void)
{
    static const struct {
        int64_t limit;
        uint64_t polls;
    } rows[] = { { 1, 1 }, { 2, 2 }, { 3, 2 }, { 4, 3 }, { 7, 3 }, { 8, 4 }, { 200, 9 } };

    kernel_count(&kernel);
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int k = 0; k < 7; k++) {
            int64_t passes = 0;
            case_given given[] = { given_number(30), given_number(rows[k].limit),
                                   given_host(x, 30) };
            case_open(&run, case_queue_settings(seed));
            values_fill(x, 30, k);
            for (int i = 0; i < 30; i++)
                want[i] = x[i] + (int32_t)rows[k].limit;
            CHECK_STATUS(case_call(&run, &kernel, given, &passes), SLIP_OK);
            values_check(x, want, 30);
            CHECK_EQ_I64(passes, rows[k].limit);
            /* copies come after the last poll; slots that tasks use do not */
            uint64_t last = seed % 2 ? 0 : 1;
            CHECK_EQ_U64(atomic_load(&run.counts.host_waits), rows[k].polls + last);
            case_close(&run);
        }
}

static void too_many_iterations_are_refused(void)
{
    int64_t huge = (int64_t)1 << 40;
    case_given given[] = { given_number(huge), given_number(huge), given_number(huge),
                           given_host(y, 4) };

    kernel_cube(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 1 });
    values_fill(y, 4, 1);
    memcpy(want, y, sizeof want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "task cube:1 has too many iterations");
    values_check(y, want, 4);
    case_close(&run);
}

static void conservative_plans_give_the_same_values(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        kernel_saxpy(&kernel);
        case_open(&run, case_queue_settings(seed));
        run.conservative = true;
        values_saxpy_once(&run, &kernel, 1000, 3, seed);
        CHECK_EQ_U64(atomic_load(&run.counts.host_waits), 3);
        case_close(&run);
    }
}

/* ---- the fake can fail ---- */

static void a_lost_barrier_is_seen(void)
{
    case_given given[] = { given_number(3000), given_number(20), given_host(x, 3000) };

    kernel_heat(&kernel);
    for (uint32_t barrier = 2; barrier <= 4; barrier++) {
        case_open(&run, (fake_queue_settings){ .seed = barrier });
        run.drop_order = barrier;
        values_fill(x, 3000, 1);
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        CHECK_CONTAINS(fake_queue_wrong(), "touch the same bytes, and nothing orders them");
        fake_queue_forgive();
        case_close(&run);
    }
}

static const check_case cases[] = {
    CASE(host_arrays_give_the_values_of_plain_c),
    CASE(a_loop_around_tasks_gives_the_values_of_plain_c),
    CASE(a_reduction_gives_the_sum),
    CASE(sums_into_variables_of_their_own),
    CASE(three_axes_and_large_blocks),
    CASE(bounds_that_the_device_decides),
    CASE(a_reduction_over_bounds_that_the_device_decides),
    CASE(an_array_that_is_overwritten_does_not_go_up),
    CASE(a_loop_of_the_device_is_polled_once_a_batch),
    CASE(too_many_iterations_are_refused),
    CASE(only_what_is_written_comes_back),
    CASE(a_lost_barrier_is_seen),
    CASE(conservative_plans_give_the_same_values),
};
CHECK_MAIN(cases)
