/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_test.c - events, one thread.
 */
#include "runtime/hand.h"
#include "support/check.h"

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

static const check_case cases[] = {
    CASE(events_order_time_and_are_complete_when_recorded),
    CASE(an_event_of_another_device_is_refused),
};

CHECK_MAIN(cases)
