/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_again_test.c - launches of a call made again: the same driver calls, counts and values as
 * the call itself, and the same end where one of them fails.
 */
#include <string.h>

#include "launch/lanes_parts.h"
#include "launch/launch_values.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { N = 3000 };

static case_kernel kernel;
static case_run run;
static launch_memory memory[2];
static launch_record record;
static bool decides[CASE_MOST];
static int32_t x[N], y[N], want[N];

static const case_given given[] = { { .scalar = N },
                                    { .scalar = 2 },
                                    { .memory = &memory[0], .bytes = 4 * N },
                                    { .memory = &memory[1], .bytes = 4 * N } };

static slip_status again_with(int64_t a)
{
    uint64_t args[] = { N, (uint64_t)a, memory[0].address, memory[1].address };

    record_fill(&record, args);
    if (run.around)
        run.around(&run, true);
    slip_status status = run.family->perform_again(run.stream, &record);
    if (run.around)
        run.around(&run, false);
    return status;
}

/* What is in the second array is `want`. */
static void open_kth(uint32_t k)
{
    stream_case_open_kth(&run, k);
    for (int m = 0; m < 2; m++)
        CHECK_STATUS(run.family->memory_new(run.device, 4 * N, LAUNCH_MEMORY_DEVICE, &memory[m]),
                     SLIP_OK);
    values_fill(x, N, (int32_t)k);
    values_fill(want, N, 5);
    CHECK_STATUS(run.family->copy_up(run.stream, &memory[0], 0, x, 4 * N), SLIP_OK);
    CHECK_STATUS(run.family->copy_up(run.stream, &memory[1], 0, want, 4 * N), SLIP_OK);
    CHECK(record_decides(&kernel.entry, decides));
    CHECK(decides[0] && !decides[1] && decides[2] && decides[3]);
}

static void close_run(void)
{
    for (int m = 0; m < 2; m++)
        run.family->memory_drop(run.device, &memory[m]);
    record_finish(&record);
    stream_case_close(&run);
}

/* Performs the call, of which the record is made. */
static void record_call(void)
{
    case_prepare(&run, &kernel, given, false);
    record_begin(&record, "saxpy", &kernel.entry, decides);
    run.record = &record;
    fake_stream_log_clear();
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    run.record = NULL;
    record_end(&record, SLIP_OK);
    CHECK_EQ_U64(record.state, RECORD_WHOLE);
    plain_saxpy(N, 2, x, want);
}

static void check_values(void)
{
    CHECK_STATUS(run.family->copy_down(run.stream, y, &memory[1], 0, 4 * N, NULL), SLIP_OK);
    values_check(y, want, N);
}

static void take_counts(uint64_t out[4])
{
    out[0] = atomic_load(&run.counts.tasks);
    out[1] = atomic_load(&run.counts.submissions);
    out[2] = atomic_load(&run.counts.driver_calls);
    out[3] = lanes_queued(run.stream);
}

/* Small grids make several launches of one task. */
static void what_is_made_again_is_what_was_performed(void)
{
    uint64_t counts[4][4];
    char performed[256];

    kernel_saxpy(&kernel);
    for (uint32_t k = 0; k < CASE_SETTINGS; k++) {
        open_kth(k);
        take_counts(counts[0]);
        record_call();
        snprintf(performed, sizeof performed, "%s", fake_stream_log());
        take_counts(counts[1]);
        uint64_t live = mem_live();
        for (int64_t a = -1; a < 3; a++) {
            take_counts(counts[2]);
            fake_stream_log_clear();
            CHECK_STATUS(again_with(a), SLIP_OK);
            plain_saxpy(N, a, x, want);
            CHECK_TEXT(fake_stream_log(), performed);
            take_counts(counts[3]);
            for (int c = 0; c < 4; c++)
                CHECK_EQ_U64(counts[3][c] - counts[2][c], counts[1][c] - counts[0][c]);
        }
        CHECK_EQ_U64(mem_live(), live);
        check_values();
        close_run();
    }
}

/* The first that can fail is no launch: the device is entered. What was launched before runs to its
 * end; the next call works. */
static bool fail_launch(uint32_t setting, uint64_t k)
{
    uint64_t before[4], after[4];

    open_kth(setting);
    record_call();
    take_counts(before);
    fake_stream_fail_at(k, false);
    fail_clear();
    slip_status status = again_with(1);
    bool failed = fake_stream_failed();
    fake_stream_fail_at(0, false);
    take_counts(after);
    CHECK_EQ_U64(after[0] - before[0], !failed);
    if (failed) {
        CHECK(status != SLIP_OK && fail_last()->code == status);
        if (k > 1)
            CHECK_CONTAINS(fail_last()->message, "in launch; while queueing task saxpy:1");
        if (k > 2) /* something of the call was queued */
            CHECK_EQ_U64(fake_stream_pending(), 0);
        CHECK_EQ_U64(after[1] - before[1], k - 1);
        CHECK_EQ_U64(after[3] - before[3], k > 2);
    } else {
        CHECK_STATUS(status, SLIP_OK);
        plain_saxpy(N, 1, x, want);
        check_values();
    }
    CHECK_STATUS(again_with(1), SLIP_OK);
    close_run();
    return failed;
}

static void each_launch_fails_once(void)
{
    uint64_t most = 0;

    kernel_saxpy(&kernel);
    for (uint32_t setting = 0; setting < CASE_SETTINGS; setting++)
        for (uint64_t k = 1; fail_launch(setting, k); k++)
            most = k > most ? k : most;
    CHECK(most > 2); /* some have several launches */
}

static void a_lost_device_is_told_with_the_name_of_the_call(void)
{
    kernel_saxpy(&kernel);
    open_kth(0);
    record_call();
    CHECK_STATUS(again_with(1), SLIP_OK);
    fake_stream_fail_at(1, true);
    fail_clear();
    CHECK_STATUS(again_with(1), SLIP_ERR_LOST);
    CHECK_CONTAINS(fail_last()->message, "(2 times), saxpy (2 times)");
    CHECK_STATUS(again_with(1), SLIP_ERR_LOST);
    close_run();
}

/* The block goes by way of a slot, which is of one call only. */
static void a_block_that_needs_memory_is_not_recorded(void)
{
    kernel_saxpy(&kernel);
    case_block_by_address(&kernel, 0);
    open_kth(0);
    case_prepare(&run, &kernel, given, false);
    record_begin(&record, "saxpy", &kernel.entry, decides);
    run.record = &record;
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
    record_end(&record, SLIP_OK);
    CHECK_EQ_U64(record.state, RECORD_EMPTY);
    CHECK(record.refused);
    plain_saxpy(N, 2, x, want);
    check_values();
    close_run();
}

static const check_case cases[] = {
    CASE(what_is_made_again_is_what_was_performed),
    CASE(each_launch_fails_once),
    CASE(a_lost_device_is_told_with_the_name_of_the_call),
    CASE(a_block_that_needs_memory_is_not_recorded),
};

CHECK_MAIN(cases)
