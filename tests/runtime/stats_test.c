/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats_test.c - the counters of a device.
 */
#include "runtime/hand.h"
#include "support/check.h"

static slip_status add_on(const hand_device *on, slip_stream *stream, float *x, int32_t n, float a)
{
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0);
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

static const check_case cases[] = {
    CASE(counters_of_a_destroyed_stream_are_kept_in_the_sum),
};

CHECK_MAIN(cases)
