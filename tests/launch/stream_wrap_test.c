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

    CHECK_STATUS(run.family->copy_down(wrapped.stream, got, &x[k], 0, BYTES, NULL), SLIP_OK);
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
                CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_OK);
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
        CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_OK); /* a mark is ours */
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
    CHECK_STATUS(run.family->copy_down(run.stream, got, &x[0], 0, BYTES, NULL), SLIP_OK);
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
    CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_OK);
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
    CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_OK);
    native_zero(&x[1]);
    call_sections();
    check_values(0, 1);
    check_values(1, 2);
    check_values(2, 3);
    run.family->stream_close(wrapped.stream);
    native = native_open();
    end();
}

/* ---- captures -------------------------------------------------------------------------------- */

/* Each in a setting of its own; the second call repeats the first. */
static void calls_of_tasks_alone_go_into_the_graph(void)
{
    for (uint32_t s = 0; s < CASE_SETTINGS; s++) {
        begin(stream_case_settings(s), stream_case_small(s));
        kernel_sections(&kernel);
        if (s % 2)
            call_sections(); /* its lanes and events are there, and may be busy */
        uint64_t pending = fake_stream_pending(), before = fake_stream_captured();
        fake_stream_capture(native, true);
        call_sections();
        call_sections();
        CHECK(fake_stream_captured() > before);
        CHECK(fake_stream_pending() <= pending); /* of before, some may have run */
        fake_stream_capture(native, false);
        native_zero(&x[0]);
        native_zero(&x[1]);
        call_sections();
        check_values(0, 1);
        check_values(1, 2);
        check_values(2, 3);
        run.family->stream_close(wrapped.stream);
        end();
    }
}

/* What is refused, and what the message says of it. */
static void what_a_graph_cannot_hold_is_refused_before_anything_is_queued(void)
{
    static const struct {
        void (*kernel)(case_kernel *k);
        bool by_address, result;
        int arrays;
        const char *home, *says;
    } rows[] = {
        { kernel_scale, false, false, 1, "h", "scale needs a copy to the device of `x`" },
        { kernel_cover, false, false, 2, "dh", "needs a copy to the host of `y`" },
        { kernel_scale, true, false, 1, "d", "pinned memory for the parameters of task `scale:1`" },
        { kernel_sum, false, true, 1, "d", "sum needs a copy of its result to the host" },
        { kernel_heat, false, false, 1, "d", "heat needs memory of the launch" },
    };
    static int32_t host[COUNT];

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        case_given given[4] = { given_number(COUNT), given_number(2) };
        int at = rows[r].kernel == kernel_heat ? 2 : 1;
        int64_t result = 0;
        begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
        rows[r].kernel(&kernel);
        if (rows[r].by_address)
            case_block_by_address(&kernel, 0);
        for (int k = 0; k < rows[r].arrays; k++)
            given[at + k] =
                rows[r].home[k] == 'h' ? given_host(host, COUNT) : given_device(&x[k], COUNT);
        for (int twice = 0; twice < 2; twice++) {
            fake_stream_capture(native, true);
            CHECK_STATUS(case_call(&wrapped, &kernel, given, rows[r].result ? &result : NULL),
                         SLIP_ERR_UNSUPPORTED);
            CHECK_CONTAINS(fail_last()->message, "the stream is being captured into a graph");
            CHECK_CONTAINS(fail_last()->message, rows[r].says);
            CHECK_EQ_U64(fake_stream_captured(), 0);
            fake_stream_capture(native, false);
            CHECK_STATUS(case_call(&wrapped, &kernel, given, rows[r].result ? &result : NULL),
                         SLIP_OK);
        }
        run.family->stream_close(wrapped.stream);
        end();
    }
}

static void waits_copies_and_points_are_refused_while_it_lasts(void)
{
    int32_t got[COUNT];
    uint64_t mark = 0;

    begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
    kernel_scale(&kernel);
    call_scale();
    uint64_t before = mark_of();
    fake_stream_capture(native, true);
    CHECK_STATUS(run.family->mark(wrapped.stream, &mark), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "which cannot hold a wait of the host");
    CHECK_STATUS(run.family->copy_up(wrapped.stream, &x[0], 0, got, BYTES), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(run.family->copy_down(wrapped.stream, got, &x[0], 0, BYTES, NULL),
                 SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(run.family->stream_after(wrapped.stream, run.stream, 0), SLIP_ERR_UNSUPPORTED);
    CHECK_STATUS(run.family->stream_after(run.stream, wrapped.stream, before), SLIP_OK);
    CHECK_STATUS(run.family->mark_wait(wrapped.stream, before), SLIP_OK); /* of before */
    fake_stream_capture(native, false);
    CHECK_STATUS(run.family->stream_sync(wrapped.stream, NULL), SLIP_OK);
    run.family->stream_close(wrapped.stream);
    end();
}

/* A launch that is refused: nothing is waited for, and the device is not given up. */
static void a_refused_launch_leaves_the_capture_alone(void)
{
    for (uint64_t k = 1; k < 12; k++) {
        begin((fake_stream_settings){ .seed = 1, .rerecords = true }, false);
        kernel_sections(&kernel);
        call_sections();
        fake_stream_capture(native, true);
        case_given given[] = { given_number(COUNT), given_device(&x[0], COUNT),
                               given_device(&x[1], COUNT), given_device(&x[2], COUNT) };
        fake_stream_fail_at(k, false);
        slip_status status = case_call(&wrapped, &kernel, given, NULL);
        CHECK(status == (fake_stream_failed() ? SLIP_ERR_DEVICE : SLIP_OK));
        fake_stream_fail_at(0, false);
        call_sections();
        fake_stream_capture(native, false);
        call_sections();
        run.family->stream_close(wrapped.stream);
        end();
    }
}

static const check_case cases[] = {
    CASE(calls_of_tasks_alone_go_into_the_graph),
    CASE(what_a_graph_cannot_hold_is_refused_before_anything_is_queued),
    CASE(waits_copies_and_points_are_refused_while_it_lasts),
    CASE(a_refused_launch_leaves_the_capture_alone),
    CASE(sections_fork_behind_whatever_the_stream_holds),
    CASE(a_mark_is_behind_what_other_code_has_queued),
    CASE(another_stream_comes_after_other_codes_work),
    CASE(closing_waits_for_our_calls_and_for_no_more),
    CASE(a_stream_that_was_given_away_is_as_a_wrapped_one),
};
CHECK_MAIN(cases)
