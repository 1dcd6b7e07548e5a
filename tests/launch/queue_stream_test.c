/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_stream_test.c - what is held back and what sends it, marks, order between streams, copies.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "launch/queue_case.h"
#include "support/check.h"

enum { COUNT = 500, BYTES = COUNT * 4 };

static case_kernel kernel;
static case_run run;
static launch_memory memory;
static int32_t x[COUNT], want[COUNT];

static void fill(int32_t from)
{
    for (int32_t i = 0; i < COUNT; i++)
        x[i] = from + i * i;
    memcpy(want, x, sizeof want);
}

/* A device array that holds x, and a kernel that changes it. */
static void begin(uint64_t seed)
{
    case_open(&run, (fake_queue_settings){ .seed = seed, .device_mapped = seed % 2 });
    kernel_scale(&kernel);
    CHECK_STATUS(case_launcher.memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &memory),
                 SLIP_OK);
    fill((int32_t)seed);
    CHECK_STATUS(case_launcher.copy_up(run.stream, &memory, 0, x, BYTES), SLIP_OK);
}

static slip_status scale_on(void *stream)
{
    case_given given[] = { given_number(COUNT), given_device(&memory, COUNT) };
    void *own = run.stream;

    run.stream = stream;
    slip_status status = case_call(&run, &kernel, given, NULL);
    run.stream = own;
    return status;
}

static void scale_times(int times)
{
    for (int k = 0; k < times; k++) {
        CHECK_STATUS(scale_on(run.stream), SLIP_OK);
        plain_scale(COUNT, want);
    }
}

static void check_memory(void)
{
    CHECK_STATUS(case_launcher.copy_down(run.stream, x, &memory, 0, BYTES, NULL), SLIP_OK);
    CHECK(memcmp(x, want, sizeof want) == 0);
}

static void end(void)
{
    case_launcher.memory_drop(run.device, &memory);
    case_close(&run);
}

static uint64_t submissions(void)
{
    return atomic_load(&run.counts.submissions);
}

static void sleep_ms(int ms)
{
    struct timespec t = { 0, ms * 1000000L };

    nanosleep(&t, NULL);
}

/* ---- deferral -------------------------------------------------------------------------------- */

static void calls_behind_pending_work_share_a_submission(void)
{
    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    fake_queue_hold(true);
    uint64_t before = submissions();
    scale_times(1);
    CHECK_EQ_U64(submissions(), before + 1); /* nothing was pending */
    scale_times(15);
    CHECK_EQ_U64(submissions(), before + 1);
    scale_times(1);
    CHECK_EQ_U64(submissions(), before + 2); /* the sixteenth is enough */
    scale_times(3);
    CHECK_EQ_U64(submissions(), before + 2);
    fake_queue_hold(false);
    check_memory();
    end();
}

static void the_helper_sends_what_nobody_asks_about(void)
{
    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    fake_queue_hold(true);
    uint64_t before = submissions();
    scale_times(3);
    CHECK_EQ_U64(submissions(), before + 1);
    fake_queue_hold(false);
    for (int k = 0; k < 2000 && submissions() == before + 1; k++)
        sleep_ms(1);
    CHECK_EQ_U64(submissions(), before + 2);
    check_memory();
    end();
}

/* Each way to ask about the stream sends what it holds back. */
static void whatever_asks_sends(void)
{
    for (int way = 0; way < 4; way++) {
        uint64_t mark = 0;
        void *other = NULL;
        counters counts = { 0 };
        begin(2);
        CHECK_STATUS(case_launcher.stream_open(run.device, false, &counts, &other), SLIP_OK);
        CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
        CHECK_STATUS(case_launcher.mark(other, &mark), SLIP_OK);
        fake_queue_hold(true);
        scale_times(2);
        uint64_t before = submissions();
        if (way == 0)
            CHECK_STATUS(case_launcher.mark(run.stream, &mark), SLIP_OK);
        else if (way == 1)
            CHECK_STATUS(case_launcher.stream_after(run.stream, other, mark), SLIP_OK);
        else if (way == 2)
            CHECK_STATUS(case_launcher.copy_up(run.stream, &memory, 0, want, 64), SLIP_OK);
        else
            fake_queue_hold(false), check_memory();
        CHECK(submissions() > before);
        fake_queue_hold(false);
        check_memory();
        case_launcher.stream_close(other);
        end();
    }
}

static void a_stream_is_closed_with_calls_held_back(void)
{
    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    fake_queue_hold(true);
    scale_times(3);
    fake_queue_hold(false);
    case_launcher.stream_close(run.stream);
    CHECK_STATUS(case_launcher.stream_open(run.device, true, &run.counts, &run.stream), SLIP_OK);
    check_memory();
    end();
}

/* What the helper fails to send is told by the next that can. */
static void calls_that_the_helper_loses_are_told(void)
{
    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    fake_queue_hold(true);
    scale_times(1);
    memcpy(x, want, sizeof x);
    scale_times(2);
    fake_queue_fail_submits(1);
    fake_queue_hold(false);
    for (int k = 0; k < 2000 && !fake_queue_failed(); k++)
        sleep_ms(1);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_ERR_DEVICE);
    CHECK_CONTAINS(fail_last()->message, "earlier calls on this stream did not run");
    memcpy(want, x, sizeof want);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    check_memory();
    end();
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void a_mark_passes_when_what_was_queued_has_ended(void)
{
    uint64_t first = 0, second = 0;

    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    CHECK_STATUS(case_launcher.mark(run.stream, &first), SLIP_OK);
    CHECK(case_launcher.passed(run.stream, first));
    fake_queue_hold(true);
    scale_times(2);
    CHECK_STATUS(case_launcher.mark(run.stream, &second), SLIP_OK);
    CHECK(second > first);
    CHECK(!case_launcher.passed(run.stream, second));
    fake_queue_hold(false);
    CHECK_STATUS(case_launcher.mark_wait(run.stream, second), SLIP_OK);
    CHECK(case_launcher.passed(run.stream, second));
    check_memory();
    end();
}

/* Two streams change one array in turn. */
static void a_stream_goes_on_after_another(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        void *streams[2] = { NULL };
        counters counts[2] = { { 0 }, { 0 } };
        uint64_t mark = 0;
        begin(seed);
        CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
        for (int k = 0; k < 2; k++)
            CHECK_STATUS(case_launcher.stream_open(run.device, false, &counts[k], &streams[k]),
                         SLIP_OK);
        for (int k = 0; k < 9; k++) {
            if (k > 0)
                CHECK_STATUS(case_launcher.stream_after(streams[k % 2], streams[(k + 1) % 2], mark),
                             SLIP_OK);
            CHECK_STATUS(scale_on(streams[k % 2]), SLIP_OK);
            plain_scale(COUNT, want);
            CHECK_STATUS(case_launcher.mark(streams[k % 2], &mark), SLIP_OK);
        }
        CHECK_STATUS(case_launcher.stream_after(run.stream, streams[0], mark), SLIP_OK);
        check_memory();
        for (int k = 0; k < 2; k++)
            case_launcher.stream_close(streams[k]);
        end();
    }
}

/* A mark after a wait for another stream stands for that one's work too. */
static void a_mark_covers_what_its_stream_waits_for(void)
{
    void *between = NULL, *last = NULL;
    counters counts[2] = { { 0 }, { 0 } };
    uint64_t mark = 0;

    begin(4);
    CHECK_STATUS(case_launcher.stream_open(run.device, false, &counts[0], &between), SLIP_OK);
    CHECK_STATUS(case_launcher.stream_open(run.device, false, &counts[1], &last), SLIP_OK);
    scale_times(1);
    CHECK_STATUS(case_launcher.mark(run.stream, &mark), SLIP_OK);
    CHECK_STATUS(case_launcher.stream_after(between, run.stream, mark), SLIP_OK);
    CHECK_STATUS(case_launcher.mark(between, &mark), SLIP_OK);
    CHECK_STATUS(case_launcher.stream_after(last, between, mark), SLIP_OK);
    CHECK_STATUS(scale_on(last), SLIP_OK);
    plain_scale(COUNT, want);
    CHECK_STATUS(case_launcher.stream_sync(last, NULL), SLIP_OK);
    check_memory();
    case_launcher.stream_close(between);
    case_launcher.stream_close(last);
    end();
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copies_in_pieces_are_whole(void)
{
#ifdef SLIP_TEST_SMALL /* pieces are small too */
    static uint8_t from[3 * 256 + 77 + 1000], to[sizeof from];
#else
    static uint8_t from[3 * (1 << 22) + 77], to[sizeof from];
#endif

    for (uint64_t seed = 1; seed <= 2; seed++) {
        launch_memory large;
        case_open(&run, (fake_queue_settings){ .seed = seed, .device_mapped = seed % 2 });
        for (size_t k = 0; k < sizeof from; k++)
            from[k] = (uint8_t)(k * 7 + k / 5000 + seed);
        CHECK_STATUS(
            case_launcher.memory_new(run.device, sizeof from + 9, LAUNCH_MEMORY_DEVICE, &large),
            SLIP_OK);
        CHECK_STATUS(case_launcher.copy_up(run.stream, &large, 9, from, sizeof from), SLIP_OK);
        memset(to, 0, sizeof to);
        CHECK_STATUS(case_launcher.copy_down(run.stream, to, &large, 9, sizeof to, NULL), SLIP_OK);
        CHECK(memcmp(from, to, sizeof to) == 0);
        CHECK_STATUS(case_launcher.copy_down(run.stream, to, &large, 1009, 1, NULL), SLIP_OK);
        CHECK_EQ_U64(to[0], from[1000]);
        case_launcher.memory_drop(run.device, &large);
        case_close(&run);
    }
}

/* Staged inputs without a wait: slots are filled again only when they are free. */
static void a_burst_of_uploads_keeps_each_calls_values(void)
{
    static case_kernel saxpy;

    for (uint64_t seed = 1; seed <= 12; seed++) {
        case_given given[] = { given_number(COUNT), given_number(3), given_host(x, COUNT),
                               given_device(&memory, COUNT) };
        kernel_saxpy(&saxpy);
        begin(seed);
        for (int32_t k = 0; k < 60; k++) {
            for (int32_t i = 0; i < COUNT; i++)
                x[i] = i ^ (k * 77);
            plain_saxpy(COUNT, 3, x, want);
            CHECK_STATUS(case_call(&run, &saxpy, given, NULL), SLIP_OK);
        }
        memset(x, 0, sizeof x);
        check_memory();
        end();
    }
}

/* ---- threads and processes ---------------------------------------------------------------------
 */

static void *call_often(void *stream)
{
    for (int k = 0; k < 200; k++) {
        uint64_t mark = 0;
        if (k % 50 == 49 && case_launcher.mark(stream, &mark) != SLIP_OK)
            return stream;
        if (k % 100 == 99 && case_launcher.mark_wait(stream, mark) != SLIP_OK)
            return stream;
        sched_yield();
    }
    return NULL;
}

/* One thread calls; others ask about marks, without a lock of the runtime's. */
static void others_may_ask_while_one_calls(void)
{
    pthread_t asking[2];
    void *failed = NULL;

    begin(2);
    for (int k = 0; k < 2; k++)
        CHECK(pthread_create(&asking[k], NULL, call_often, run.stream) == 0);
    scale_times(300);
    for (int k = 0; k < 2; k++) {
        pthread_join(asking[k], &failed);
        CHECK(failed == NULL);
    }
    check_memory();
    end();
}

/* The child has no helper, and must not wait for it. */
static void a_child_closes_what_it_inherited(void)
{
    int how = 0;

    begin(2);
    CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
    fake_queue_hold(true);
    scale_times(3);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        case_launcher.after_fork(run.device);
        case_launcher.stream_close(run.stream);
        case_launcher.memory_drop(run.device, &memory);
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &how, 0) == child);
    CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    fake_queue_hold(false);
    check_memory();
    end();
}

static void trim_gives_back_what_no_call_uses(void)
{
    begin(2);
    scale_times(3);
    check_memory();
    uint64_t before = fake_queue_live();
    case_launcher.trim(run.device);
    CHECK(fake_queue_live() < before);
    scale_times(3);
    check_memory();
    end();
}

static const check_case cases[] = {
    CASE(calls_behind_pending_work_share_a_submission),
    CASE(the_helper_sends_what_nobody_asks_about),
    CASE(whatever_asks_sends),
    CASE(a_stream_is_closed_with_calls_held_back),
    CASE(calls_that_the_helper_loses_are_told),
    CASE(a_mark_passes_when_what_was_queued_has_ended),
    CASE(a_stream_goes_on_after_another),
    CASE(a_mark_covers_what_its_stream_waits_for),
    CASE(copies_in_pieces_are_whole),
    CASE(a_burst_of_uploads_keeps_each_calls_values),
    CASE(others_may_ask_while_one_calls),
    CASE(a_child_closes_what_it_inherited),
    CASE(trim_gives_back_what_no_call_uses),
};
CHECK_MAIN(cases)
