/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_test.c - streams and events, one thread.
 */
#include "runtime/hand.h"
#include "support/check.h"

static slip_status add_on(const hand_device *on, slip_stream *stream, float *x, int32_t n, float a)
{
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0);
}

static void explicit_streams_run_calls_and_end(void)
{
    hand_device on;
    slip_stream *a = NULL, *b = NULL;
    float x[4] = { 0 }, y[4] = { 0 };

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &a), SLIP_OK);
    CHECK_STATUS(slip_stream_create(on.device, &b), SLIP_OK);
    CHECK(a != b && a != on.stream);
    CHECK(slip_stream_device(a) == on.device);
    CHECK_STATUS(add_on(&on, a, x, 4, 1), SLIP_OK);
    CHECK_STATUS(add_on(&on, b, y, 4, 2), SLIP_OK);
    CHECK_STATUS(slip_stream_sync(a), SLIP_OK);
    CHECK_STATUS(slip_stream_sync(b), SLIP_OK);
    CHECK_EQ_F64((double)x[3], 1.0);
    CHECK_EQ_F64((double)y[3], 2.0);
    slip_stream_destroy(a);
    CHECK_STATUS(add_on(&on, b, y, 4, 2), SLIP_OK);
    slip_stream_destroy(b);
    slip_stream_destroy(NULL);
    CHECK_STATUS(slip_device_sync(on.device), SLIP_OK);
    hand_close(&on);
}

static void the_default_stream_is_not_destroyed_by_hand(void)
{
    hand_device on;
    float x[1] = { 0 };

    hand_open(&on);
    slip_stream_destroy(on.stream);
    CHECK_STATUS(add_on(&on, on.stream, x, 1, 1), SLIP_OK);
    hand_close(&on);
}

static void counters_of_a_destroyed_stream_are_kept_in_the_sum(void)
{
    hand_device on;
    slip_stream *s = NULL;
    float x[4] = { 0 };
    slip_stats stats;

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &s), SLIP_OK);
    CHECK_STATUS(add_on(&on, s, x, 4, 1), SLIP_OK);
    CHECK_STATUS(add_on(&on, on.stream, x, 4, 1), SLIP_OK);
    slip_stream_destroy(s);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 2);
    CHECK_EQ_U64(stats.tasks, 2);
    CHECK_EQ_U64(stats.submissions, 2);
    CHECK(stats.driver_calls >= 2);
    slip_device_stats_reset(on.device);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 0);
    CHECK_STATUS(add_on(&on, on.stream, x, 4, 1), SLIP_OK);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 1);
    hand_close(&on);
}

static void events_order_time_and_are_complete_when_recorded(void)
{
    hand_device on;
    slip_stream *s = NULL;
    slip_event *from = NULL, *to = NULL;
    int64_t out = 0;
    int32_t pause_us = 20000;
    slip_arg args[] = { { &pause_us, 4 }, { &out, 8 } };
    double seconds = -1;
    bool done = false;

    hand_open(&on);
    CHECK_STATUS(slip_stream_create(on.device, &s), SLIP_OK);
    CHECK_STATUS(slip_event_create(on.device, &from), SLIP_OK);
    CHECK_STATUS(slip_event_create(on.device, &to), SLIP_OK);
    CHECK_STATUS(slip_stream_wait(on.stream, from), SLIP_OK); /* never recorded: complete */
    CHECK_STATUS(slip_event_query(from, &done), SLIP_OK);
    CHECK(done);
    CHECK_STATUS(slip_event_elapsed(from, to, &seconds), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "first event was never recorded");
    CHECK_STATUS(slip_event_record(from, s), SLIP_OK);
    CHECK_STATUS(slip_launch(s, hand_entry(&on, HAND_SLOW), args, 2, NULL, 0), SLIP_OK);
    CHECK_STATUS(slip_event_record(to, s), SLIP_OK);
    CHECK_STATUS(slip_stream_wait(on.stream, to), SLIP_OK);
    CHECK_STATUS(slip_event_sync(to), SLIP_OK);
    CHECK_EQ_I64(out, 1);
    CHECK_STATUS(slip_event_elapsed(from, to, &seconds), SLIP_OK);
    CHECK(seconds >= 0.02 && seconds < 20);
    CHECK_STATUS(slip_event_elapsed(to, from, &seconds), SLIP_OK);
    CHECK(seconds <= -0.02);
    CHECK_STATUS(slip_event_record(from, on.stream), SLIP_OK); /* again */
    CHECK_STATUS(slip_event_elapsed(to, from, &seconds), SLIP_OK);
    CHECK(seconds >= 0);
    slip_event_destroy(from);
    slip_event_destroy(to);
    slip_event_destroy(NULL);
    slip_stream_destroy(s);
    hand_close(&on);
}

static void an_event_of_another_device_is_refused(void)
{
    hand_device one, two;
    slip_event *event = NULL;

    hand_open(&one);
    hand_open(&two);
    CHECK_STATUS(slip_event_create(two.device, &event), SLIP_OK);
    CHECK_STATUS(slip_event_record(event, one.stream), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_wait(one.stream, event), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "another device");
    slip_event_destroy(event);
    slip_device_close(two.device);
    hand_close(&one);
}

static void a_destroyed_streams_findings_do_not_outlive_it(void)
{
    hand_device on;
    float x[2][4] = { { 0 } };

    hand_open(&on);
    for (int i = 0; i < 10; i++) {
        slip_stream *s = NULL;
        CHECK_STATUS(slip_stream_create(on.device, &s), SLIP_OK);
        CHECK_STATUS(add_on(&on, s, x[i % 2], 4, 1), SLIP_OK);
        slip_stream_destroy(s);
    }
    CHECK_EQ_F64((double)x[1][3], 5.0);
    hand_close(&on);
}

static void making_streams_and_events_leaves_nothing_behind_whichever_request_fails(void)
{
    hand_device on;

    hand_open(&on);
    uint64_t live = mem_live();
    for (uint64_t fail = 1; fail <= 2; fail++) {
        slip_stream *s = NULL;
        slip_event *e = NULL;
        mem_fail_at(fail);
        fail_clear();
        slip_status made = slip_stream_create(on.device, &s);
        CHECK_EQ_U64(made, fail == 1 ? SLIP_ERR_MEMORY : SLIP_OK);
        mem_fail_at(fail);
        slip_status made_event = slip_event_create(on.device, &e);
        CHECK_EQ_U64(made_event, fail == 1 ? SLIP_ERR_MEMORY : SLIP_OK);
        mem_fail_at(0);
        CHECK((s == NULL) == (fail == 1) && (e == NULL) == (fail == 1));
        slip_event_destroy(e);
        slip_stream_destroy(s);
        CHECK_EQ_U64(mem_live(), live);
    }
    CHECK_STATUS(slip_stream_create(NULL, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_sync(NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_event_create(on.device, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_event_record(NULL, on.stream), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_event_query(NULL, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_event_sync(NULL), SLIP_ERR_ARGUMENT);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(explicit_streams_run_calls_and_end),
    CASE(the_default_stream_is_not_destroyed_by_hand),
    CASE(counters_of_a_destroyed_stream_are_kept_in_the_sum),
    CASE(events_order_time_and_are_complete_when_recorded),
    CASE(an_event_of_another_device_is_refused),
    CASE(a_destroyed_streams_findings_do_not_outlive_it),
    CASE(making_streams_and_events_leaves_nothing_behind_whichever_request_fails),
};

CHECK_MAIN(cases)
