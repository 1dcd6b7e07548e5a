/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_rest.c - the last wait of a call, after which it only copies out: done without the stream's
 * locks. It is for the value of the call's submission: what others submit meanwhile is not waited
 * for.
 */
#include "launch/queue_parts.h"

slip_status queue_last_wait(queue_call *c)
{
    queue_stream *s = c->stream;

    if (atomic_load_explicit(&s->waited, memory_order_acquire) >= s->submitted)
        return SLIP_OK;
    c->rest = rest_take(&s->rests, s->call);
    if (!c->rest) /* there are as many as may be */
        return queue_drain(s);
    c->rest->until = s->submitted;
    return SLIP_OK;
}

/* The counters are the stream's, and nobody's without its lock: the wait is counted before. */
void queue_keep_rest(queue_call *c, slip_status status, void **out_rest)
{
    counters *counts = c->stream->counts;

    if (!c->rest)
        return;
    if (status != SLIP_OK) {
        rest_give(c->rest);
        return;
    }
    counters_add(&counts->driver_calls, 1);
    counters_add(&counts->host_waits, 1);
    *out_rest = c->rest;
}

/* ---- without the lock ------------------------------------------------------------------------ */

/* A call that fails leaves nothing running, as far as the driver lets it. */
slip_status queue_finish(void *stream, void *of)
{
    queue_stream *s = stream;
    rest_call *rest = of;
    uint64_t from = counters_now();

    slip_status status = queue_wait(s, rest->until, NULL);
    if (status != SLIP_OK && queue_wait(s, rest->until, NULL) != SLIP_OK)
        fail_note("waiting for what had been queued failed again");
    counters_add_shared(&s->counts->host_blocked_ns, counters_now() - from);
    if (status == SLIP_OK)
        rest_copy_out(rest);
    rest_give(rest);
    return queue_told(s->device, status);
}
