/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_perform_test.c - calls on the fake stream driver: what is called, and what waits.
 */
#include <string.h>

#include "launch/launch_values.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { MOST = VALUES_MOST };

static case_kernel kernel;
static case_run run;
static int32_t x[MOST], y[MOST], z[MOST], want[MOST];

static uint64_t count(_Atomic uint64_t *counter)
{
    return atomic_load(counter);
}

static void check_log(const char *expected)
{
    CHECK_TEXT(fake_stream_log(), expected);
    fake_stream_log_clear();
}

/* What a program's warm call does. The second call of a kind is warm. */
static void a_resident_call_launches_and_does_nothing_else(void)
{
    launch_memory memory;

    for (int cuda = 0; cuda < 2; cuda++) {
        kernel_scale(&kernel);
        stream_case_open(&run, (fake_stream_settings){ .seed = 1, .rerecords = cuda });
        CHECK_STATUS(run.family->memory_new(run.device, 4000, LAUNCH_MEMORY_DEVICE, &memory),
                     SLIP_OK);
        values_fill(x, 1000, 3);
        memcpy(want, x, sizeof want);
        CHECK_STATUS(run.family->copy_up(run.stream, &memory, 0, x, 4000), SLIP_OK);
        case_given given[] = { given_number(1000), given_device(&memory, 1000) };
        case_prepare(&run, &kernel, given, false);
        for (int k = 0; k < 3; k++) {
            uint64_t live = mem_live(), calls = count(&run.counts.driver_calls);
            fake_stream_log_clear();
            CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
            check_log("enter launch leave");
            CHECK_EQ_U64(mem_live(), live);
            CHECK_EQ_U64(count(&run.counts.driver_calls), calls + 1);
            plain_scale(1000, want);
        }
        CHECK_EQ_U64(count(&run.counts.host_waits), 0);
        CHECK_EQ_U64(count(&run.counts.tasks), 3);
        CHECK_EQ_U64(count(&run.counts.submissions), 4);
        CHECK_STATUS(run.family->copy_down(run.stream, x, &memory, 0, 4000, NULL), SLIP_OK);
        values_check(x, want, 1000);
        run.family->memory_drop(run.device, &memory);
        stream_case_close(&run);
    }
}

static void one_output_is_copied_by_a_call_that_waits(void)
{
    kernel_saxpy(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    for (int k = 0; k < 4; k++) {
        fake_stream_log_clear();
        values_saxpy_once(&run, &kernel, 100, 3, (uint64_t)k);
        if (k > 0)
            check_log("enter upload launch download_blocking leave");
    }
    CHECK_EQ_U64(count(&run.counts.host_waits), 4);
    CHECK_EQ_U64(count(&run.counts.tasks), 4);
    CHECK_EQ_U64(count(&run.counts.uploads), 8);
    CHECK_EQ_U64(count(&run.counts.upload_bytes), 3200);
    CHECK_EQ_U64(count(&run.counts.downloads), 4);
    CHECK_EQ_U64(count(&run.counts.download_bytes), 1600);
    CHECK_EQ_U64(count(&run.counts.submissions), 12); /* arrays go up together */
    CHECK(count(&run.counts.host_blocked_ns) > 0);
    stream_case_close(&run);
}

static void an_explicit_stream_waits_for_itself_alone(void)
{
    case_given given[] = { given_number(100), given_number(3), given_host(x, 100),
                           given_host(y, 100) };
    case_run second;

    kernel_saxpy(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    stream_case_second(&run, &second);
    for (int k = 0; k < 3; k++) {
        values_fill(x, 100, k);
        values_fill(y, 100, k + 9);
        memcpy(want, y, sizeof want);
        plain_saxpy(100, 3, x, want);
        fake_stream_log_clear();
        CHECK_STATUS(case_call(&second, &kernel, given, NULL), SLIP_OK);
        values_check(y, want, 100);
        if (k > 0)
            check_log("enter upload:1 launch:1 download:1 wait:1 leave");
    }
    CHECK_EQ_U64(count(&second.counts.host_waits), 3);
    stream_case_end_second(&second);
    stream_case_close(&run);
}

static void outputs_gather_and_wait_once(void)
{
    case_given given[] = { given_number(300), given_host(x, 300), given_host(y, 300),
                           given_host(z, 300) };

    kernel_sections(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1, .rerecords = true });
    for (int k = 0; k < 3; k++) {
        values_fill(x, 300, 1);
        values_fill(y, 300, 2);
        for (int i = 0; i < 300; i++)
            want[i] = x[i] + 1 + y[i] + 2;
        fake_stream_log_clear();
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(z, want, 300);
        if (k > 0)
            check_log("enter upload record after:1 launch launch:1 record:1 after "
                      "launch download wait leave");
    }
    CHECK_EQ_U64(count(&run.counts.host_waits), 3);
    stream_case_close(&run);
}

static void a_result_alone_waits_once(void)
{
    kernel_sum(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    for (int k = 0; k < 3; k++) {
        int64_t sum = -1;
        case_given given[] = { given_number(2000), given_host(x, 2000) };
        values_fill(x, 2000, k);
        fake_stream_log_clear();
        CHECK_STATUS(case_call(&run, &kernel, given, &sum), SLIP_OK);
        CHECK_EQ_I64(sum, plain_sum(2000, x));
        if (k > 0)
            check_log("enter upload zero launch launch download_blocking leave");
    }
    CHECK_EQ_U64(count(&run.counts.host_waits), 3);
    stream_case_close(&run);
}

/* Host arrays read only, outputs on the device: staged, and nothing waits. */
static void an_input_alone_waits_for_nothing(void)
{
    enum { CALLS = 40 };
    launch_memory memory;

    kernel_saxpy(&kernel);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        stream_case_open_kth(&run, s);
        CHECK_STATUS(run.family->memory_new(run.device, 400, LAUNCH_MEMORY_DEVICE, &memory),
                     SLIP_OK);
        values_fill(y, 100, 5);
        memcpy(want, y, sizeof want);
        CHECK_STATUS(run.family->copy_up(run.stream, &memory, 0, y, 400), SLIP_OK);
        uint64_t before = count(&run.counts.host_waits);
        for (int k = 0; k < CALLS; k++) {
            case_given given[] = { given_number(100), given_number(3), given_host(x, 100),
                                   given_device(&memory, 100) };
            values_fill(x, 100, k);
            plain_saxpy(100, 3, x, want);
            CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
            values_fill(x, 100, -k); /* it is the host's again */
        }
        uint64_t waits = count(&run.counts.host_waits) - before;
        if (!stream_case_small(s))
            CHECK_EQ_U64(waits, 0);
        else if (s % 3 == FAKE_LAZY)
            CHECK(waits > 0); /* for the one slot that there is */
        CHECK_STATUS(run.family->copy_down(run.stream, y, &memory, 0, 400, NULL), SLIP_OK);
        values_check(y, want, 100);
        run.family->memory_drop(run.device, &memory);
        stream_case_close(&run);
    }
}

static void an_array_that_is_overwritten_does_not_go_up(void)
{
    kernel_cover(&kernel);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        stream_case_open_kth(&run, s);
        for (int small = 0; small < 2; small++) {
            case_given given[] = { given_number(100), given_host(x, 100), given_host(y, 100) };
            given[1].small = given[2].small = small;
            values_fill(x, 100, small);
            for (int i = 0; i < 100; i++)
                want[i] = x[i] + 5;
            CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
            values_check(y, want, 100);
        }
        CHECK_EQ_U64(count(&run.counts.uploads), 2);
        CHECK_EQ_U64(count(&run.counts.upload_bytes), 800);
        CHECK_EQ_U64(count(&run.counts.download_bytes), 800);
        if (!stream_case_small(s))
            CHECK_EQ_U64(count(&run.counts.host_waits), 2);
        stream_case_close(&run);
    }
}

/* A small array of one pass is used in its slot; pinned memory is used in place or copied without
 * a slot. */
static void small_and_pinned_arrays_need_fewer_copies(void)
{
    launch_memory memory[2];
    case_given small[] = { given_number(10), given_host(x, 10) };
    static case_kernel scale_kernel;

    kernel_scale(&scale_kernel);
    kernel_saxpy(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(run.family->memory_new(run.device, 4000, LAUNCH_MEMORY_PINNED, &memory[k]),
                     SLIP_OK);
    int32_t *px = (int32_t *)memory[0].host, *py = (int32_t *)memory[1].host;
    for (int k = 0; k < 2; k++) {
        small[1].small = true;
        values_fill(x, 10, k);
        memcpy(want, x, sizeof want);
        plain_scale(10, want);
        fake_stream_log_clear();
        CHECK_STATUS(case_call(&run, &scale_kernel, small, NULL), SLIP_OK);
        values_check(x, want, 10);
    }
    check_log("enter launch wait leave");
    for (int k = 0; k < 2; k++) {
        case_given given[] = { given_number(1000), given_number(3), given_pinned(&memory[0], 1000),
                               given_pinned(&memory[1], 1000) };
        values_fill(px, 1000, k);
        values_fill(py, 1000, k + 1);
        memcpy(want, py, 4000);
        plain_saxpy(1000, 3, px, want);
        fake_stream_log_clear();
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_check(py, want, 1000);
    }
    check_log("enter upload upload launch download_blocking leave");
    case_given one[] = { given_number(1000), given_pinned(&memory[1], 1000) };
    plain_scale(1000, want);
    fake_stream_log_clear();
    CHECK_STATUS(case_call(&run, &scale_kernel, one, NULL), SLIP_OK);
    values_check(py, want, 1000);
    check_log("enter launch wait leave");
    for (int k = 0; k < 2; k++)
        run.family->memory_drop(run.device, &memory[k]);
    stream_case_close(&run);
}

static void a_repeated_call_takes_nothing_from_the_driver(void)
{
    static void (*const kernels[])(case_kernel *) = { kernel_saxpy, kernel_heat,     kernel_sum,
                                                      kernel_count, kernel_sections, kernel_cube };
    int64_t result = 0;

    for (int cuda = 0; cuda < 2; cuda++)
        for (int which = 0; which < 6; which++) {
            case_given host[] = { given_number(10), given_number(10), given_host(x, 1000),
                                  given_host(y, 1000) };
            case_given given[][4] = {
                { host[0], host[1], host[2], host[3] },
                { host[0], host[1], host[2] },
                { host[0], host[2] },
                { host[0], host[1], host[2] },
                { host[0], host[2], host[3], given_host(z, 1000) },
                { host[0], host[1], host[0], host[2] },
            };
            kernels[which](&kernel);
            stream_case_open(&run, (fake_stream_settings){ .seed = 2, .rerecords = cuda });
            for (int k = 0; k < 5; k++) {
                uint64_t live = mem_live(), objects = fake_stream_live();
                CHECK_STATUS(case_call(&run, &kernel, given[which],
                                       which == 2 || which == 3 ? &result : NULL),
                             SLIP_OK);
                if (k == 0)
                    continue;
                CHECK_EQ_U64(mem_live(), live);
                CHECK_EQ_U64(fake_stream_live(), objects);
            }
            stream_case_close(&run);
        }
}

static void an_empty_call_launches_nothing_and_waits_for_nothing(void)
{
    case_given given[] = { given_number(0), given_number(2), given_host(x, 0), given_host(y, 0) };

    kernel_saxpy(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    case_prepare(&run, &kernel, given, false);
    fake_stream_log_clear();
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    check_log("enter leave");
    CHECK_EQ_U64(count(&run.counts.tasks), 0);
    CHECK_EQ_U64(count(&run.counts.host_waits), 0);
    stream_case_close(&run);
}

/* A pinned array that is read in place, beside an output that is empty: the wait is still made. */
static void an_empty_output_does_not_end_the_wait_for_the_rest(void)
{
    launch_memory pinned, device;

    kernel_pair(&kernel);
    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    CHECK_STATUS(run.family->memory_new(run.device, 400, LAUNCH_MEMORY_PINNED, &pinned), SLIP_OK);
    CHECK_STATUS(run.family->memory_new(run.device, 400, LAUNCH_MEMORY_DEVICE, &device), SLIP_OK);
    int32_t *px = (int32_t *)pinned.host;
    for (int64_t m = 0; m < 2; m++) {
        case_given given[] = { given_number(100), given_number(m), given_pinned(&pinned, 100),
                               given_device(&device, 100), given_host(y, m) };
        values_fill(px, 100, 4);
        for (int k = 0; k < 100; k++)
            want[k] = px[k] + 5;
        CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
        values_fill(px, 100, 5); /* it is the host's again */
        CHECK_STATUS(run.family->copy_down(run.stream, x, &device, 0, 400, NULL), SLIP_OK);
        values_check(x, want, 100);
    }
    run.family->memory_drop(run.device, &pinned);
    run.family->memory_drop(run.device, &device);
    stream_case_close(&run);
}

static const check_case cases[] = {
    CASE(a_resident_call_launches_and_does_nothing_else),
    CASE(one_output_is_copied_by_a_call_that_waits),
    CASE(an_explicit_stream_waits_for_itself_alone),
    CASE(outputs_gather_and_wait_once),
    CASE(a_result_alone_waits_once),
    CASE(an_input_alone_waits_for_nothing),
    CASE(an_array_that_is_overwritten_does_not_go_up),
    CASE(small_and_pinned_arrays_need_fewer_copies),
    CASE(a_repeated_call_takes_nothing_from_the_driver),
    CASE(an_empty_call_launches_nothing_and_waits_for_nothing),
    CASE(an_empty_output_does_not_end_the_wait_for_the_rest),
};
CHECK_MAIN(cases)
