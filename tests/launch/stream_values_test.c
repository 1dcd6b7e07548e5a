/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_values_test.c - calls on the fake stream driver give the values of plain C, under
 * schedules that the driver's contract allows, by CUDA's facts and by HIP's.
 */
#include <string.h>

#include "launch/launch_values.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { MOST = VALUES_MOST };

static case_kernel kernel;
static case_run run;
static int32_t x[MOST], y[MOST], z[MOST], want[MOST];

static const int64_t sizes[VALUES_SIZES] = { 1, 2, 255, 256, 257, 1023, 1024, 1025, 3000 };

/* `by_address`: the block of task 0 too, from the middle on. */
static void each_setting(void (*make)(case_kernel *), void (*values)(const values_given *),
                         bool by_address)
{
    make(&kernel);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        if (by_address && s == CASE_SETTINGS / 2)
            case_block_by_address(&kernel, 0);
        stream_case_open_kth(&run, s);
        values(&(values_given){ &run, &kernel, sizes, s });
        stream_case_close(&run);
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

static void three_axes_and_a_block_by_address(void)
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

static void sections_give_the_values_of_plain_c(void)
{
    kernel_sections(&kernel);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        stream_case_open_kth(&run, s);
        for (int k = 0; k < VALUES_SIZES; k++) {
            int64_t n = sizes[k];
            case_given given[] = { given_number(n), given_host(x, n), given_host(y, n),
                                   given_host(z, n) };
            values_fill(x, n, k);
            values_fill(y, n, k + 1);
            for (int64_t i = 0; i < n; i++)
                want[i] = x[i] + 1 + y[i] + 2;
            CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
            values_check(z, want, n);
        }
        stream_case_close(&run);
    }
}

static void only_what_is_written_comes_back(void)
{
    kernel_saxpy(&kernel);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        case_given given[] = { given_number(100), given_number(2), given_host(z, 100),
                               given_host(z + 100, 100) };
        stream_case_open_kth(&run, s);
        given[2].bytes = 101 * 4; /* overlaps y's first element */
        values_fill(z, 200, 1);
        memcpy(want, z, sizeof want);
        for (int i = 0; i < 100; i++)
            want[100 + i] = 2 * want[i] + want[100 + i];
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(z, want, 200);
        CHECK_EQ_U64(atomic_load(&run.counts.uploads), 1);
        CHECK_EQ_U64(atomic_load(&run.counts.download_bytes), 400);
        stream_case_close(&run);
    }
}

/* 1, 2, 4 ... passes between polls: those that were queued for nothing change nothing. */
static void a_loop_of_the_device_is_polled_once_a_batch(void)
{
    static const struct {
        int64_t limit;
        uint64_t polls;
    } rows[] = { { 1, 1 }, { 2, 2 }, { 3, 2 }, { 4, 3 }, { 7, 3 }, { 8, 4 }, { 200, 9 } };

    kernel_count(&kernel);
    for (uint32_t s = 0; s < 6; s++)
        for (int k = 0; k < 7; k++) {
            int64_t passes = 0;
            case_given given[] = { given_number(30), given_number(rows[k].limit),
                                   given_host(x, 30) };
            stream_case_open_kth(&run, s);
            values_fill(x, 30, k);
            for (int i = 0; i < 30; i++)
                want[i] = x[i] + (int32_t)rows[k].limit;
            CHECK_STATUS(case_call(&run, &kernel, given, &passes), SLIP_OK);
            values_check(x, want, 30);
            CHECK_EQ_I64(passes, rows[k].limit);
            CHECK_EQ_U64(atomic_load(&run.counts.host_waits), rows[k].polls + 1);
            stream_case_close(&run);
        }
}

static void too_many_iterations_are_refused(void)
{
    int64_t huge = (int64_t)1 << 40;
    case_given given[] = { given_number(huge), given_number(huge), given_number(huge),
                           given_host(y, 4) };

    kernel_cube(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    values_fill(y, 4, 1);
    memcpy(want, y, sizeof want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "task cube:1 has too many iterations");
    fail_clear();
    values_check(y, want, 4);
    stream_case_close(&run);
}

static void conservative_plans_give_the_same_values(void)
{
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        kernel_saxpy(&kernel);
        stream_case_open_kth(&run, s);
        run.conservative = true;
        values_saxpy_once(&run, &kernel, 1000, 3, s);
        if (!stream_case_small(s))
            CHECK_EQ_U64(atomic_load(&run.counts.host_waits), 3);
        stream_case_close(&run);
    }
}

/* ---- the fake can fail ------------------------------------------------------------------------
 */

static void a_lost_edge_is_seen(void)
{
    case_given given[] = { given_number(300), given_host(x, 300), given_host(y, 300),
                           given_host(z, 300) };

    kernel_sections(&kernel);
    for (uint32_t edge = 1; edge <= 2; edge++) {
        stream_case_open(&run, (fake_stream_settings){ .seed = edge, .schedule = FAKE_EAGER });
        run.drop_order = edge;
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        CHECK_CONTAINS(fake_stream_wrong(), "touch the same bytes, and nothing orders them");
        fake_stream_forgive();
        CHECK_STATUS(run.family->stream_sync(run.stream, NULL), SLIP_OK);
        fake_stream_forgive();
        stream_case_close(&run);
    }
}

static const check_case cases[] = {
    CASE(host_arrays_give_the_values_of_plain_c),
    CASE(a_loop_around_tasks_gives_the_values_of_plain_c),
    CASE(a_reduction_gives_the_sum),
    CASE(sums_into_variables_of_their_own),
    CASE(three_axes_and_a_block_by_address),
    CASE(bounds_that_the_device_decides),
    CASE(a_reduction_over_bounds_that_the_device_decides),
    CASE(sections_give_the_values_of_plain_c),
    CASE(only_what_is_written_comes_back),
    CASE(a_loop_of_the_device_is_polled_once_a_batch),
    CASE(too_many_iterations_are_refused),
    CASE(conservative_plans_give_the_same_values),
    CASE(a_lost_edge_is_seen),
};
CHECK_MAIN(cases)
