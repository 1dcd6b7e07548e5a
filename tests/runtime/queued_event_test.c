/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queued_event_test.c - events of a device whose work is queued, across streams and after them.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <time.h>

#include "runtime/lazy.h"
#include "support/check.h"

static float x[4];

static void call(const hand_device *on, slip_stream *stream)
{
    int32_t n = 4;
    float a = 1;
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, sizeof x } };

    CHECK_STATUS(slip_launch(stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0), SLIP_OK);
}

static bool done(slip_event *event)
{
    bool answer = false;

    CHECK_STATUS(slip_event_query(event, &answer), SLIP_OK);
    return answer;
}

typedef struct two_streams {
    hand_device on;
    slip_stream *other;
    slip_event *event, *second;
} two_streams;

static void begin(two_streams *t)
{
    lazy_open(&t->on);
    lazy.held = true;
    CHECK_STATUS(slip_stream_create(t->on.device, &t->other), SLIP_OK);
    CHECK_STATUS(slip_event_create(t->on.device, &t->event), SLIP_OK);
    CHECK_STATUS(slip_event_create(t->on.device, &t->second), SLIP_OK);
}

static void end(two_streams *t)
{
    slip_event_destroy(t->event);
    slip_event_destroy(t->second);
    lazy_close(&t->on);
}

static void an_event_is_complete_once_the_work_before_its_record_has_ended(void)
{
    two_streams t;

    begin(&t);
    CHECK(done(t.event)); /* never recorded */
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK);
    call(&t.on, t.on.stream);
    CHECK(!done(t.event));
    CHECK_STATUS(slip_event_record(t.second, t.other), SLIP_OK);
    CHECK(done(t.second)); /* nothing is queued there */
    lazy_run(t.on.stream, 1);
    CHECK(done(t.event));
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK); /* again: a later point */
    CHECK(!done(t.event));
    CHECK_EQ_I64(lazy.waits, 0);
    CHECK_STATUS(slip_event_sync(t.event), SLIP_OK);
    CHECK_EQ_I64(lazy.waits, 1);
    CHECK_STATUS(slip_event_sync(t.event), SLIP_OK);
    CHECK(done(t.event));
    CHECK_EQ_I64(lazy.waits, 1);
    end(&t);
}

static void a_stream_starts_after_what_the_event_stands_for_now(void)
{
    two_streams t;

    begin(&t);
    CHECK_STATUS(slip_stream_wait(t.other, t.event), SLIP_OK); /* never recorded */
    call(&t.on, t.on.stream);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK);
    lazy.log[0] = '\0';
    CHECK_STATUS(slip_stream_wait(t.on.stream, t.event), SLIP_OK); /* in order by itself */
    CHECK_TEXT(lazy.log, "");
    CHECK_STATUS(slip_stream_wait(t.other, t.event), SLIP_OK);
    CHECK_TEXT(lazy.log, "after 2\n");
    lazy_run(t.on.stream, LAZY_ALL);
    CHECK_STATUS(slip_stream_wait(t.other, t.event), SLIP_OK); /* complete: nothing to order */
    CHECK_TEXT(lazy.log, "after 2\n");
    CHECK_EQ_I64(lazy.waits, 0);
    end(&t);
}

static void an_event_of_a_destroyed_stream_is_complete(void)
{
    two_streams t;
    double seconds = -1;

    begin(&t);
    call(&t.on, t.other);
    CHECK_STATUS(slip_event_record(t.event, t.other), SLIP_OK);
    CHECK(!done(t.event));
    slip_stream_destroy(t.other);
    CHECK_EQ_I64(lazy.waits, 1);
    CHECK(t.event->stream == NULL);
    CHECK(done(t.event));
    CHECK_STATUS(slip_event_sync(t.event), SLIP_OK);
    CHECK_STATUS(slip_stream_wait(t.on.stream, t.event), SLIP_OK);
    CHECK_STATUS(slip_event_record(t.second, t.on.stream), SLIP_OK);
    CHECK_STATUS(slip_event_elapsed(t.event, t.second, &seconds), SLIP_OK);
    CHECK(seconds >= 0);
    end(&t);
}

/* Each event gets the time of its own mark, though only the last is waited for. */
static void waiting_for_an_event_goes_through_the_earlier_ones(void)
{
    two_streams t;

    begin(&t);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK);
    call(&t.on, t.on.stream);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_record(t.second, t.on.stream), SLIP_OK);
    lazy.log[0] = '\0';
    CHECK_STATUS(slip_event_sync(t.second), SLIP_OK);
    CHECK_TEXT(lazy.log, "wait 1\nwait 3\n");
    CHECK(done(t.event));
    end(&t);
}

static void elapsed_waits_for_both_and_measures_between_them(void)
{
    two_streams t;
    struct timespec pause = { .tv_nsec = 20000000 };
    double seconds = -1;

    begin(&t);
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK); /* complete: timed now */
    nanosleep(&pause, NULL);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_elapsed(t.event, t.second, &seconds), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "second event was never recorded");
    CHECK_STATUS(slip_event_record(t.second, t.on.stream), SLIP_OK);
    CHECK_STATUS(slip_event_elapsed(t.event, t.second, &seconds), SLIP_OK);
    CHECK(seconds >= 0.02 && seconds < 20);
    CHECK_EQ_I64(lazy.waits, 1);
    CHECK_STATUS(slip_event_elapsed(t.second, t.event, &seconds), SLIP_OK);
    CHECK(seconds <= -0.02);
    end(&t);
}

static void what_fails_leaves_the_event_as_it_was(void)
{
    two_streams t;

    begin(&t);
    call(&t.on, t.on.stream);
    lazy.calls = 0;
    lazy.fail_at = 1;
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_ERR_DEVICE);
    CHECK(done(t.event));
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK);
    lazy.calls = 0;
    CHECK_STATUS(slip_event_sync(t.event), SLIP_ERR_DEVICE);
    CHECK(!done(t.event));
    CHECK_STATUS(slip_event_sync(t.event), SLIP_OK);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_event_record(t.event, t.on.stream), SLIP_OK);
    lazy.calls = 0;
    CHECK_STATUS(slip_stream_wait(t.other, t.event), SLIP_ERR_DEVICE);
    CHECK_STATUS(slip_stream_wait(t.other, t.event), SLIP_OK);
    end(&t);
}

static void an_event_may_outlive_its_device(void)
{
    hand_device on;
    slip_event *event = NULL;

    lazy_open(&on);
    lazy.held = true;
    CHECK_STATUS(slip_event_create(on.device, &event), SLIP_OK);
    call(&on, on.stream);
    CHECK_STATUS(slip_event_record(event, on.stream), SLIP_OK);
    slip_device_close(on.device);
    CHECK(done(event));
    CHECK_STATUS(slip_event_sync(event), SLIP_OK);
    slip_event_destroy(event);
    CHECK_EQ_U64(mem_live(), 0);
}

static void the_whole_device_is_waited_for_stream_by_stream(void)
{
    two_streams t;

    begin(&t);
    call(&t.on, t.on.stream);
    call(&t.on, t.other);
    CHECK_STATUS(slip_device_sync(t.on.device), SLIP_OK);
    CHECK_EQ_I64(lazy.waits, 2);
    call(&t.on, t.on.stream);
    CHECK_STATUS(slip_stream_sync(t.other), SLIP_OK);
    CHECK_EQ_I64(lazy.waits, 2);
    CHECK_STATUS(slip_stream_sync(t.on.stream), SLIP_OK);
    CHECK_EQ_I64(lazy.waits, 3);
    end(&t);
}

/* ---- a stream that ends while somebody waits for a mark of it -------------------------------- */

static atomic_bool inside, go_on;

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static void hold_the_wait(void)
{
    atomic_store(&inside, true);
    while (!atomic_load(&go_on))
        pause_a_little();
}

static void *wait_for_event(void *data)
{
    CHECK_STATUS(slip_event_sync(data), SLIP_OK);
    return NULL;
}

static void *destroy_stream(void *data)
{
    slip_stream_destroy(data);
    return NULL;
}

static void a_stream_that_is_waited_for_is_closed_after_the_wait(void)
{
    two_streams t;
    pthread_t waits, ends;

    begin(&t);
    atomic_store(&inside, false);
    atomic_store(&go_on, false);
    lazy.in_wait = hold_the_wait;
    call(&t.on, t.other);
    CHECK_STATUS(slip_event_record(t.event, t.other), SLIP_OK);
    CHECK_EQ_I64(pthread_create(&waits, NULL, wait_for_event, t.event), 0);
    while (!atomic_load(&inside))
        pause_a_little();
    CHECK_EQ_I64(pthread_create(&ends, NULL, destroy_stream, t.other), 0);
    while (!done(t.event)) /* since the stream has ended, or is being ended */
        pause_a_little();
    for (int i = 0; i < 20; i++)
        pause_a_little();
    CHECK_EQ_I64(lazy_streams(), 2);
    atomic_store(&go_on, true);
    pthread_join(waits, NULL);
    pthread_join(ends, NULL);
    CHECK_EQ_I64(lazy_streams(), 1);
    CHECK(done(t.event));
    end(&t);
}

static const check_case cases[] = {
    CASE(an_event_is_complete_once_the_work_before_its_record_has_ended),
    CASE(a_stream_starts_after_what_the_event_stands_for_now),
    CASE(an_event_of_a_destroyed_stream_is_complete),
    CASE(waiting_for_an_event_goes_through_the_earlier_ones),
    CASE(elapsed_waits_for_both_and_measures_between_them),
    CASE(what_fails_leaves_the_event_as_it_was),
    CASE(an_event_may_outlive_its_device),
    CASE(the_whole_device_is_waited_for_stream_by_stream),
    CASE(a_stream_that_is_waited_for_is_closed_after_the_wait),
};

CHECK_MAIN(cases)
