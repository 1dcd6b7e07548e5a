/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_wrap_test.c - streams that other code queues on too: nothing is left out because the
 * stream is thought to hold nothing, and marks are behind whatever it holds.
 */
#include <string.h>

#include "launch/stream_case.h"
#include "support/check.h"

enum { COUNT = 300, BYTES = COUNT * 4, ARRAYS = 3 };

static case_kernel kernel;
static case_run run, wrapped;
static launch_memory x[ARRAYS];
static void *native; /* of the other code */

/* ---- the other code -------------------------------------------------------------------------- */

static const stream_driver *const driver = &fake_stream_table;

static void *native_open(void)
{
    stream_guard guard;
    void *made = NULL;

    CHECK_STATUS(driver->enter(NULL, &guard), SLIP_OK);
    CHECK_STATUS(driver->stream_open(NULL, false, &made), SLIP_OK);
    driver->leave(NULL, &guard);
    return made;
}

static void native_zero(const launch_memory *memory)
{
    stream_guard guard;

    CHECK_STATUS(driver->enter(NULL, &guard), SLIP_OK);
    CHECK_STATUS(driver->zero(NULL, native, memory->address, BYTES), SLIP_OK);
    driver->leave(NULL, &guard);
}

static void native_close(void)
{
    stream_guard guard;

    CHECK_STATUS(driver->enter(NULL, &guard), SLIP_OK);
    CHECK_STATUS(driver->stream_wait(NULL, native), SLIP_OK);
    driver->stream_close(NULL, native);
    driver->leave(NULL, &guard);
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void begin(fake_stream_settings settings, bool small)
{
    stream_case_open(&run, settings);
    stream_case_size(&run, small);
    for (int k = 0; k < ARRAYS; k++)
        CHECK_STATUS(run.family->memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &x[k]),
                     SLIP_OK);
    native = native_open();
    wrapped = run;
    wrapped.kind = PLAN_WRAPPED_STREAM;
    memset(&wrapped.counts, 0, sizeof wrapped.counts);
    CHECK_STATUS(run.family->stream_wrap(run.device, native, &wrapped.counts, &wrapped.stream),
                 SLIP_OK);
}

static void end(void)
{
    native_close();
    for (int k = 0; k < ARRAYS; k++)
        run.family->memory_drop(run.device, &x[k]);
    stream_case_close(&run);
}

static void call_sections(void)
{
    case_given given[] = { given_number(COUNT), given_device(&x[0], COUNT),
                           given_device(&x[1], COUNT), given_device(&x[2], COUNT) };

    CHECK_STATUS(case_call(&wrapped, &kernel, given, NULL), SLIP_OK);
}

static void call_scale(void)
{
    case_given given[] = { given_number(COUNT), given_device(&x[0], COUNT) };

    CHECK_STATUS(case_call(&wrapped, &kernel, given, NULL), SLIP_OK);
}

static void check_values(int k, int32_t want)
{
    int32_t got[COUNT];

    CHECK_STATUS(run.family->copy_down(wrapped.stream, got, &x[k], 0, BYTES), SLIP_OK);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ_I64(got[i], want);
}

/* a is 1 each time, b 2, 4 ... 10: c is a + b. */
static void sections_fork_behind_whatever_the_stream_holds(void)
{
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        begin(stream_case_settings(s), stream_case_small(s));
        kernel_sections(&kernel);
        native_zero(&x[1]);
        for (int round = 1; round <= 5; round++) {
            native_zero(&x[0]);
            call_sections();
            if (round % 2)
                CHECK_STATUS(run.family->stream_sync(wrapped.stream), SLIP_OK);
        }
        check_values(0, 1);
        check_values(1, 10);
        check_values(2, 11);
        run.family->stream_close(wrapped.stream);
        end();
    }
}

static uint64_t mark_of(void)
{
    uint64_t mark = 0;

    CHECK_STATUS(run.family->mark(wrapped.stream, &mark), SLIP_OK);
    return mark;
}

static void a_mark_is_behind_what_other_code_has_queued(void)
{
    for (int cuda = 0; cuda < 2; cuda++) {
        begin((fake_stream_settings){ .seed = 1, .rerecords = cuda }, false);
        native_zero(&x[0]);
        uint64_t first = mark_of();
        CHECK(!run.family->passed(wrapped.stream, first));
        CHECK_STATUS(run.family->mark_wait(wrapped.stream, first), SLIP_OK);
        CHECK_EQ_U64(fake_stream_pending(), 0);
        native_zero(&x[0]);
        uint64_t second = mark_of();
        CHECK(first < second);
        CHECK(run.family->passed(wrapped.stream, first));
        CHECK(!run.family->passed(wrapped.stream, second));
        CHECK_STATUS(run.family->stream_sync(wrapped.stream), SLIP_OK); /* a mark is ours */
        CHECK(run.family->passed(wrapped.stream, second));
        CHECK_EQ_U64(fake_stream_pending(), 0);
        run.family->stream_close(wrapped.stream);
        end();
    }
}

static void another_stream_comes_after_other_codes_work(void)
{
    begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
    native_zero(&x[0]);
    CHECK_STATUS(run.family->stream_after(run.stream, wrapped.stream, mark_of()), SLIP_OK);
    int32_t got[COUNT];
    CHECK_STATUS(run.family->copy_down(run.stream, got, &x[0], 0, BYTES), SLIP_OK);
    CHECK_EQ_I64(got[COUNT - 1], 0);
    run.family->stream_close(wrapped.stream);
    end();
}

static void closing_waits_for_our_calls_and_for_no_more(void)
{
    begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
    kernel_scale(&kernel);
    native_zero(&x[0]);
    call_scale();
    run.family->stream_close(wrapped.stream);
    CHECK_EQ_U64(fake_stream_pending(), 0);
    CHECK_STATUS(run.family->stream_wrap(run.device, native, &wrapped.counts, &wrapped.stream),
                 SLIP_OK);
    call_scale();
    CHECK_STATUS(run.family->stream_sync(wrapped.stream), SLIP_OK);
    native_zero(&x[0]);
    run.family->stream_close(wrapped.stream);
    CHECK_EQ_U64(fake_stream_pending(), 1);
    end();
}

/* One of ours, once its handle is known. */
static void a_stream_that_was_given_away_is_as_a_wrapped_one(void)
{
    begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
    run.family->stream_close(wrapped.stream);
    native_close();
    CHECK_STATUS(run.family->stream_open(run.device, false, &wrapped.counts, &wrapped.stream),
                 SLIP_OK);
    kernel_sections(&kernel);
    CHECK_EQ_U64(mark_of(), 0);
    native = run.family->stream_native(wrapped.stream);
    for (int k = 0; k < ARRAYS; k++)
        native_zero(&x[k]);
    CHECK(!run.family->passed(wrapped.stream, mark_of()));
    CHECK_STATUS(run.family->stream_sync(wrapped.stream), SLIP_OK);
    native_zero(&x[1]);
    call_sections();
    check_values(0, 1);
    check_values(1, 2);
    check_values(2, 3);
    run.family->stream_close(wrapped.stream);
    native = native_open();
    end();
}

static const check_case cases[] = {
    CASE(sections_fork_behind_whatever_the_stream_holds),
    CASE(a_mark_is_behind_what_other_code_has_queued),
    CASE(another_stream_comes_after_other_codes_work),
    CASE(closing_waits_for_our_calls_and_for_no_more),
    CASE(a_stream_that_was_given_away_is_as_a_wrapped_one),
};
CHECK_MAIN(cases)
