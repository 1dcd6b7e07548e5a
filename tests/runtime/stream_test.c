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
    for (uint64_t fail = 1; fail <= 3; fail++) {
        slip_stream *s = NULL;
        slip_event *e = NULL;
        mem_fail_at(fail);
        fail_clear();
        slip_status made = slip_stream_create(on.device, &s);
        CHECK_EQ_U64(made, fail <= 2 ? SLIP_ERR_MEMORY : SLIP_OK);
        mem_fail_at(fail);
        slip_status made_event = slip_event_create(on.device, &e);
        CHECK_EQ_U64(made_event, fail == 1 ? SLIP_ERR_MEMORY : SLIP_OK);
        mem_fail_at(0);
        CHECK((s == NULL) == (fail <= 2) && (e == NULL) == (fail == 1));
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

static void the_cpu_shares_no_streams_with_other_code(void)
{
    hand_device on;
    slip_stream *made = NULL;
    void *handle = NULL;

    hand_open(&on);
    CHECK_STATUS(slip_stream_wrap(on.device, &on, &made), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "its calls have ended when they return");
    CHECK_STATUS(slip_stream_native(on.stream, &handle), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "cpu shares no streams with other code");
    CHECK_STATUS(slip_stream_wrap(NULL, &on, &made), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_wrap(on.device, &on, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_native(NULL, &handle), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_native(on.stream, NULL), SLIP_ERR_ARGUMENT);
    CHECK(made == NULL && handle == NULL);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(explicit_streams_run_calls_and_end),
    CASE(the_default_stream_is_not_destroyed_by_hand),
    CASE(a_destroyed_streams_findings_do_not_outlive_it),
    CASE(making_streams_and_events_leaves_nothing_behind_whichever_request_fails),
    CASE(the_cpu_shares_no_streams_with_other_code),
};

CHECK_MAIN(cases)
