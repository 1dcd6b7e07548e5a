/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_perform_test.c - calls on the fake queue: what is recorded, and what waits.
 */
#include <string.h>

#include "launch/launch_values.h"
#include "launch/queue_case.h"
#include "support/check.h"

enum { SEEDS = 12, MOST = VALUES_MOST };

static case_kernel kernel;
static case_run run;
static int32_t x[MOST], y[MOST], z[MOST], want[MOST];

static void check_log(const char *expected)
{
    CHECK_TEXT(fake_queue_log(), expected);
    fake_queue_log_clear();
}

static void uploads_tasks_and_downloads_share_one_submission(void)
{
    kernel_saxpy(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 1 });
    for (int k = 0; k < 3; k++) {
        fake_queue_log_clear();
        values_saxpy_once(&run, &kernel, 100, 3, 1);
        check_log("copy copy barrier task barrier copy host submit wait");
    }
    CHECK_EQ_U64(atomic_load(&run.counts.submissions), 3);
    CHECK_EQ_U64(atomic_load(&run.counts.host_waits), 3);
    CHECK_EQ_U64(atomic_load(&run.counts.tasks), 3);
    CHECK_EQ_U64(atomic_load(&run.counts.uploads), 6);
    CHECK_EQ_U64(atomic_load(&run.counts.downloads), 3);
    CHECK_EQ_U64(atomic_load(&run.counts.download_bytes), 1200);
    CHECK(atomic_load(&run.counts.host_blocked_ns) > 0);
    case_close(&run);
}

static void mapped_memory_needs_no_copy_and_no_barrier(void)
{
    int64_t sum = 0;

    case_open(&run, (fake_queue_settings){ .seed = 1, .device_mapped = true });
    kernel_saxpy(&kernel);
    values_saxpy_once(&run, &kernel, 100, 3, 1);
    check_log("task host submit wait");
    case_forget_plans(&run);
    case_given given[] = { given_number(100), given_host(x, 100) };
    static case_kernel sum_kernel;
    kernel_sum(&sum_kernel);
    CHECK_STATUS(case_call(&run, &sum_kernel, given, &sum), SLIP_OK);
    check_log("task barrier task host submit wait");
    CHECK_EQ_I64(sum, plain_sum(100, x));
    case_close(&run);
}

static void a_small_array_of_one_pass_is_not_copied_by_the_device(void)
{
    case_given given[] = { given_number(10), given_host(x, 10) };

    kernel_scale(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 1 });
    given[1].small = true;
    values_fill(x, 10, 1);
    memcpy(want, x, sizeof want);
    plain_scale(10, want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    values_check(x, want, 10);
    check_log("task host submit wait");
    case_close(&run);
}

static void a_repeated_call_takes_no_memory(void)
{
    static void (*const kernels[])(case_kernel *) = { kernel_saxpy, kernel_heat, kernel_sum,
                                                      kernel_count };
    int64_t result = 0;

    for (uint64_t seed = 1; seed <= 2; seed++)
        for (int which = 0; which < 4; which++) {
            case_given given[] = { given_number(1000), given_number(5), given_host(x, 1000),
                                   given_host(y, 1000) };
            case_given two[] = { given_number(1000), given_host(x, 1000) };
            kernels[which](&kernel);
            case_open(&run, case_queue_settings(seed));
            bool gives = which >= 2;
            for (int k = 0; k < 6; k++) {
                uint64_t before = atomic_load(&run.counts.allocations), live = mem_live();
                CHECK_STATUS(
                    case_call(&run, &kernel, which == 2 ? two : given, gives ? &result : NULL),
                    SLIP_OK);
                if (k >= 2) /* the second call gathers the pieces of the first */
                    CHECK_EQ_U64(atomic_load(&run.counts.allocations), before);
                if (k >= 2)
                    CHECK(mem_live() <= live);
            }
            case_close(&run);
        }
}

static void sections_have_no_barrier_between_them(void)
{
    case_given given[] = { given_number(300), given_host(x, 300), given_host(y, 300),
                           given_host(z, 300) };

    kernel_sections(&kernel);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        case_open(&run, (fake_queue_settings){ .seed = seed, .device_mapped = true });
        values_fill(x, 300, 1);
        values_fill(y, 300, 2);
        for (int i = 0; i < 300; i++)
            want[i] = x[i] + 1 + y[i] + 2;
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(z, want, 300);
        check_log("task task barrier task host submit wait");
        case_close(&run);
    }
}

static void a_long_launch_is_cut_without_a_wait(void)
{
    case_given given[] = { given_number(4), given_number(1500), given_host(x, 4) };

    kernel_heat(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 3 });
    values_fill(x, 4, 1);
    memcpy(want, x, sizeof want);
    plain_heat(4, 1500, want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    values_check(x, want, 4);
    CHECK_EQ_U64(atomic_load(&run.counts.tasks), 3000);
    CHECK_EQ_U64(atomic_load(&run.counts.submissions), 3);
    CHECK_EQ_U64(atomic_load(&run.counts.host_waits), 1);
    case_close(&run);
}

static void an_empty_call_does_nothing(void)
{
    case_given given[] = { given_number(0), given_number(2), given_host(x, 0), given_host(y, 0) };

    kernel_saxpy(&kernel);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        case_open(&run, case_queue_settings(seed));
        fake_queue_log_clear();
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        CHECK(strstr(fake_queue_log(), "task") == NULL);
        CHECK_EQ_U64(atomic_load(&run.counts.tasks), 0);
        case_close(&run);
    }
}

static void pinned_memory_is_copied_without_slots_or_used_in_place(void)
{
    launch_memory memory[2];

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        case_open(&run, (fake_queue_settings){ .seed = seed, .device_mapped = seed % 2 });
        for (int k = 0; k < 2; k++)
            CHECK_STATUS(
                case_launcher.memory_new(run.device, 4000, LAUNCH_MEMORY_PINNED, &memory[k]),
                SLIP_OK);
        int32_t *px = (int32_t *)memory[0].host, *py = (int32_t *)memory[1].host;
        case_given given[] = { given_number(1000), given_number(3), given_pinned(&memory[0], 1000),
                               given_pinned(&memory[1], 1000) };
        kernel_saxpy(&kernel);
        values_fill(px, 1000, 1);
        values_fill(py, 1000, 2);
        memcpy(want, py, 4000);
        plain_saxpy(1000, 3, px, want);
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(py, want, 1000);
        if (seed % 2 == 0)
            check_log("copy copy barrier task barrier copy host submit wait");
        case_forget_plans(&run);
        static case_kernel scale_kernel;
        kernel_scale(&scale_kernel);
        plain_scale(1000, want);
        case_given one[] = { given_number(1000), given_pinned(&memory[1], 1000) };
        fake_queue_log_clear();
        CHECK_STATUS(case_call(&run, &scale_kernel, one, NULL), SLIP_OK);
        values_check(py, want, 1000);
        check_log("task host submit wait");
        for (int k = 0; k < 2; k++)
            case_launcher.memory_drop(run.device, &memory[k]);
        case_close(&run);
    }
}

/* No barrier stands between the three but those within each, and one before what reads all. */
static void sums_into_variables_of_their_own_have_no_order(void)
{
    kernel_sums(&kernel);
    case_open(&run, (fake_queue_settings){ .seed = 1, .device_mapped = true });
    case_given given[] = { given_number(100), given_host(x, 100), given_host(y, 100),
                           given_host(z, 2 * KERNEL_SUMS) };
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    CHECK_TEXT(
        fake_queue_log(),
        "task barrier task task barrier task task barrier task barrier task host submit wait");
    case_close(&run);
}

static const check_case cases[] = {
    CASE(sums_into_variables_of_their_own_have_no_order),
    CASE(uploads_tasks_and_downloads_share_one_submission),
    CASE(mapped_memory_needs_no_copy_and_no_barrier),
    CASE(a_small_array_of_one_pass_is_not_copied_by_the_device),
    CASE(a_repeated_call_takes_no_memory),
    CASE(sections_have_no_barrier_between_them),
    CASE(a_long_launch_is_cut_without_a_wait),
    CASE(an_empty_call_does_nothing),
    CASE(pinned_memory_is_copied_without_slots_or_used_in_place),
};
CHECK_MAIN(cases)
