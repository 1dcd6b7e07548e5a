/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_marks_test.c - marks, order between streams, copies in pieces, and slots that are used
 * again while the device is busy.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { COUNT = 500, BYTES = COUNT * 4 };

static case_kernel kernel;
static case_run run;
static launch_memory memory;
static int32_t x[COUNT], want[COUNT];

/* A device array that holds x, and a kernel that changes it. */
static void begin_small(fake_stream_settings settings, bool small)
{
    stream_case_open(&run, settings);
    stream_case_size(&run, small);
    kernel_scale(&kernel);
    CHECK_STATUS(run.family->memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &memory), SLIP_OK);
    for (int32_t i = 0; i < COUNT; i++)
        x[i] = (int32_t)settings.seed + i * i;
    memcpy(want, x, sizeof want);
    CHECK_STATUS(run.family->copy_up(run.stream, &memory, 0, x, BYTES), SLIP_OK);
    CHECK_STATUS(run.family->stream_sync(run.stream, NULL), SLIP_OK);
}

static void begin(fake_stream_settings settings)
{
    begin_small(settings, false);
}

static void begin_kth(uint32_t k)
{
    begin_small(stream_case_settings(k), stream_case_small(k));
}

static void scale_on(case_run *where)
{
    case_given given[] = { given_number(COUNT), given_device(&memory, COUNT) };

    CHECK_STATUS(case_call(where, &kernel, given, NULL), SLIP_OK);
    plain_scale(COUNT, want);
}

static void check_on(case_run *where)
{
    CHECK_STATUS(run.family->copy_down(where->stream, x, &memory, 0, BYTES, NULL), SLIP_OK);
    CHECK(memcmp(x, want, sizeof want) == 0);
}

static void end(void)
{
    run.family->memory_drop(run.device, &memory);
    stream_case_close(&run);
}

static uint64_t mark_of(case_run *where)
{
    uint64_t mark = 0;

    CHECK_STATUS(run.family->mark(where->stream, &mark), SLIP_OK);
    return mark;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void a_mark_passes_when_its_calls_have_ended(void)
{
    for (int cuda = 0; cuda < 2; cuda++) {
        begin((fake_stream_settings){ .seed = 3, .rerecords = cuda });
        uint64_t idle = mark_of(&run);
        CHECK(run.family->passed(run.stream, idle));
        scale_on(&run);
        uint64_t first = mark_of(&run), again = mark_of(&run);
        CHECK_EQ_U64(first, again);
        scale_on(&run);
        uint64_t second = mark_of(&run);
        CHECK(idle < first && first < second);
        CHECK(!run.family->passed(run.stream, first));
        CHECK_STATUS(run.family->mark_wait(run.stream, first), SLIP_OK);
        CHECK(run.family->passed(run.stream, first));
        CHECK(!run.family->passed(run.stream, second));
        CHECK_STATUS(run.family->mark_wait(run.stream, second), SLIP_OK);
        CHECK(run.family->passed(run.stream, second));
        CHECK_STATUS(run.family->mark_wait(run.stream, second), SLIP_OK);
        check_on(&run);
        end();
    }
}

static void an_idle_stream_has_a_mark_without_an_event(void)
{
    begin((fake_stream_settings){ .seed = 1 });
    fake_stream_log_clear();
    mark_of(&run);
    CHECK_TEXT(fake_stream_log(), "enter leave");
    end();
}

static void marks_use_their_events_again(void)
{
    for (int cuda = 0; cuda < 2; cuda++) {
        begin((fake_stream_settings){ .seed = 1, .schedule = FAKE_EAGER, .rerecords = cuda });
        uint64_t live = 0;
        for (int k = 0; k < 100; k++) {
            scale_on(&run);
            mark_of(&run);
            if (k == 2)
                live = fake_stream_live();
        }
        CHECK_EQ_U64(fake_stream_live(), live);
        check_on(&run);
        end();
    }
}

static void many_marks_pass_in_order(void)
{
    uint64_t marks[50];

    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        begin_kth(s);
        for (int k = 0; k < 50; k++) {
            scale_on(&run);
            marks[k] = mark_of(&run);
        }
        for (int k = 49; k >= 0; k -= 7) {
            CHECK_STATUS(run.family->mark_wait(run.stream, marks[k]), SLIP_OK);
            for (int j = 0; j <= k; j++)
                CHECK(run.family->passed(run.stream, marks[j]));
        }
        check_on(&run);
        end();
    }
}

/* ---- order between streams ------------------------------------------------------------------- */

static void a_stream_comes_after_a_mark_of_another(void)
{
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        case_run second;
        begin_kth(s);
        stream_case_second(&run, &second);
        for (int k = 0; k < 5; k++) {
            scale_on(&run);
            CHECK_STATUS(run.family->stream_after(second.stream, run.stream, mark_of(&run)),
                         SLIP_OK);
            scale_on(&second);
            CHECK_STATUS(run.family->stream_after(run.stream, second.stream, mark_of(&second)),
                         SLIP_OK);
        }
        scale_on(&run);
        check_on(&run);
        stream_case_end_second(&second);
        end();
    }
}

/* A stream that was ordered behind another holds that work, though no call of its own. */
static void a_mark_is_behind_what_its_stream_comes_after(void)
{
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        case_run between, last;
        begin_kth(s);
        stream_case_second(&run, &between);
        stream_case_second(&run, &last);
        scale_on(&run);
        CHECK_STATUS(run.family->stream_after(between.stream, run.stream, mark_of(&run)), SLIP_OK);
        CHECK_STATUS(run.family->stream_after(last.stream, between.stream, mark_of(&between)),
                     SLIP_OK);
        scale_on(&last);
        check_on(&last);
        stream_case_end_second(&last);
        stream_case_end_second(&between);
        end();
    }
}

static void without_a_mark_the_fake_sees_the_race(void)
{
    case_run second;

    begin((fake_stream_settings){ .seed = 1 });
    stream_case_second(&run, &second);
    scale_on(&run);
    scale_on(&second);
    CHECK_STATUS(run.family->stream_sync(run.stream, NULL), SLIP_OK);
    CHECK_STATUS(run.family->stream_sync(second.stream, NULL), SLIP_OK);
    CHECK_CONTAINS(fake_stream_wrong(), "touch the same bytes, and nothing orders them");
    fake_stream_forgive();
    stream_case_end_second(&second);
    end();
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void copies_in_pieces_arrive_whole(void)
{
    const uint64_t bytes = 9 << 20, few = 1 << 16;
    uint8_t *from = malloc(bytes), *to = malloc(bytes);
    launch_memory large;

    CHECK(from && to);
    for (uint64_t k = 0; k < bytes; k++)
        from[k] = (uint8_t)(k * 7 + k / 4096);
    for (uint32_t s = 0; s < CASE_SETTINGS; s += 5) {
        uint64_t n = stream_case_small(s) ? few : bytes;
        stream_case_open_kth(&run, s);
        CHECK_STATUS(run.family->memory_new(run.device, n, LAUNCH_MEMORY_DEVICE, &large), SLIP_OK);
        for (uint64_t at = 0; at < 3; at++) {
            memset(to, 0, n);
            CHECK_STATUS(run.family->copy_up(run.stream, &large, 0, from, n), SLIP_OK);
            CHECK_STATUS(run.family->copy_down(run.stream, to, &large, at, n - at, NULL), SLIP_OK);
            CHECK(memcmp(to, from + at, n - at) == 0);
            from[at] ^= 0xff;
        }
        run.family->memory_drop(run.device, &large);
        stream_case_close(&run);
    }
    free(from);
    free(to);
}

static bool fail_copy(bool up, uint64_t k)
{
    enum { LARGE = 10 << 20 };
    static uint8_t host[LARGE];
    launch_memory large;

    stream_case_open(&run, (fake_stream_settings){ .seed = 1 });
    CHECK_STATUS(run.family->memory_new(run.device, LARGE, LAUNCH_MEMORY_DEVICE, &large), SLIP_OK);
    memset(host, 1, LARGE);
    fake_stream_fail_at(k, false);
    slip_status status = up ? run.family->copy_up(run.stream, &large, 0, host, LARGE)
                            : run.family->copy_down(run.stream, host, &large, 0, LARGE, NULL);
    bool failed = fake_stream_failed();
    fake_stream_fail_at(0, false);
    CHECK(failed || status == SLIP_OK); /* memory is asked for a second time */
    if (status != SLIP_OK)
        CHECK_EQ_U64(fake_stream_pending(), 0);
    fail_clear();
    memset(host, 2, LARGE);
    CHECK_STATUS(run.family->copy_up(run.stream, &large, 0, host, LARGE), SLIP_OK);
    memset(host, 0, LARGE);
    CHECK_STATUS(run.family->copy_down(run.stream, host, &large, 0, LARGE, NULL), SLIP_OK);
    CHECK(host[0] == 2 && host[LARGE - 1] == 2);
    run.family->memory_drop(run.device, &large);
    stream_case_close(&run);
    return failed;
}

static void each_call_of_a_copy_fails_once(void)
{
    for (int up = 0; up < 2; up++)
        for (uint64_t k = 1; fail_copy(up, k); k++)
            ;
}

/* ---- slots that the device is not done with ---------------------------------------------------
 */

/* Hundreds of inputs go up and nothing is waited for: a slot's contents stand until its copy has
 * run. */
static void slots_stand_until_their_copy_has_run(void)
{
    enum { N = 4096, CALLS = 300 };
    static int32_t input[N], sum[N];
    case_kernel *saxpy = malloc(sizeof *saxpy);

    CHECK(saxpy != NULL);
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        stream_case_open_kth(&run, s);
        kernel_saxpy(saxpy);
        CHECK_STATUS(run.family->memory_new(run.device, sizeof sum, LAUNCH_MEMORY_DEVICE, &memory),
                     SLIP_OK);
        memset(sum, 0, sizeof sum);
        CHECK_STATUS(run.family->copy_up(run.stream, &memory, 0, sum, sizeof sum), SLIP_OK);
        uint64_t before = atomic_load(&run.counts.host_waits), objects = 0;
        for (int k = 0; k < CALLS; k++) {
            case_given given[] = { given_number(N), given_number(k % 5), given_host(input, N),
                                   given_device(&memory, N) };
            for (int32_t i = 0; i < N; i++)
                input[i] = i + k;
            plain_saxpy(N, k % 5, input, sum);
            CHECK_STATUS(case_call(&run, saxpy, given, NULL), SLIP_OK);
            if (k == CALLS / 2)
                objects = fake_stream_live();
        }
        uint64_t waits = atomic_load(&run.counts.host_waits) - before;
        if (!stream_case_small(s))
            CHECK_EQ_U64(waits, 0);
        else if (s % 3 == FAKE_LAZY)
            CHECK(waits > 0); /* for the one slot that there is */
        if (!stream_case_small(s) && s % 3 == FAKE_EAGER)
            CHECK_EQ_U64(fake_stream_live(), objects); /* two blocks of slots take turns */
        CHECK_STATUS(run.family->copy_down(run.stream, input, &memory, 0, sizeof sum, NULL),
                     SLIP_OK);
        CHECK(memcmp(input, sum, sizeof sum) == 0);
        run.family->memory_drop(run.device, &memory);
        stream_case_close(&run);
    }
    free(saxpy);
}

/* A small input that tasks read in its slot, and no output: the slot is the device's after the call
 * has returned. */
static void slots_that_tasks_read_stand_until_the_tasks_have_run(void)
{
    enum { N = 64, CALLS = 200 };
    static int32_t input[N], sum[N];
    static case_kernel cover_kernel;

    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        stream_case_open_kth(&run, s);
        kernel_cover(&cover_kernel);
        CHECK_STATUS(
            run.family->memory_new(run.device, CALLS * sizeof sum, LAUNCH_MEMORY_DEVICE, &memory),
            SLIP_OK);
        for (int k = 0; k < CALLS; k++) {
            case_given given[] = { given_number(N), given_host(input, N),
                                   given_device(&memory, N) };
            given[1].small = true;
            given[2].offset = (uint64_t)k * sizeof sum;
            for (int32_t i = 0; i < N; i++)
                input[i] = i * k;
            CHECK_STATUS(case_call(&run, &cover_kernel, given, NULL), SLIP_OK);
        }
        for (int k = 0; k < CALLS; k++) {
            CHECK_STATUS(run.family->copy_down(run.stream, sum, &memory, (uint64_t)k * sizeof sum,
                                               sizeof sum, NULL),
                         SLIP_OK);
            for (int32_t i = 0; i < N; i++)
                CHECK_EQ_I64(sum[i], i * k + 5);
        }
        run.family->memory_drop(run.device, &memory);
        stream_case_close(&run);
    }
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void a_forked_child_is_told_and_leaves_the_driver_alone(void)
{
    uint64_t mark = 0;
    int status = 0;

    begin((fake_stream_settings){ .seed = 1 });
    scale_on(&run);
    fake_stream_hold(true);
    pid_t child = fork();
    if (child == 0) {
        run.family->after_fork(run.device);
        uint64_t calls = fake_stream_calls();
        bool told = run.family->mark(run.stream, &mark) == SLIP_ERR_UNSUPPORTED &&
                    strstr(fail_last()->message, "forked") != NULL;
        run.family->memory_drop(run.device, &memory);
        run.family->stream_close(run.stream);
        run.family->close(run.device);
        _exit(told && fake_stream_calls() == calls ? 0 : 1);
    }
    fake_stream_hold(false);
    CHECK_EQ_I64(waitpid(child, &status, 0), child);
    CHECK_EQ_I64(status, 0);
    check_on(&run);
    end();
}

static const check_case cases[] = {
    CASE(a_mark_passes_when_its_calls_have_ended),
    CASE(an_idle_stream_has_a_mark_without_an_event),
    CASE(marks_use_their_events_again),
    CASE(many_marks_pass_in_order),
    CASE(a_stream_comes_after_a_mark_of_another),
    CASE(a_mark_is_behind_what_its_stream_comes_after),
    CASE(without_a_mark_the_fake_sees_the_race),
    CASE(copies_in_pieces_arrive_whole),
    CASE(each_call_of_a_copy_fails_once),
    CASE(slots_stand_until_their_copy_has_run),
    CASE(slots_that_tasks_read_stand_until_the_tasks_have_run),
    CASE(a_forked_child_is_told_and_leaves_the_driver_alone),
};
CHECK_MAIN(cases)
