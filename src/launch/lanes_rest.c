/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_rest.c - the last wait of a call, after which it only copies out: done without the stream's
 * lock.
 *
 * The wait is for the first lane, which all others have joined. Where calls of several threads were
 * seen to overlap it is for an event behind this call's last step: work that others queue
 * meanwhile is not waited for.
 */
#include "launch/lanes_parts.h"

static lanes_rest *more_of(lanes_stream *s, const rest_call *rest)
{
    return &s->rests_more[rest - s->rests.all];
}

/* The event was waited for since it was recorded, unless that wait failed. */
static slip_status record(lanes_call *c, lanes_rest *more)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;
    bool passed = true;

    if (!more->event)
        SLIP_TRY(lanes_told(s, d->driver->event_new(d->self, &more->event)));
    else if (!d->limits.rerecords)
        SLIP_TRY(lanes_told(s, d->driver->event_passed(d->self, more->event, &passed)));
    if (!passed)
        return SLIP_OK;
    SLIP_TRY(lanes_told(s, d->driver->record(d->self, s->lanes[0].self, more->event)));
    more->recorded = true;
    return SLIP_OK;
}

static rest_call *take(lanes_call *c)
{
    if (c->pending & ~(c->covers[0] | 1u))
        return NULL; /* a lane has not joined: an error is on its way */
    return rest_take(&c->stream->rests, c->number);
}

slip_status lanes_take_rest(lanes_call *c)
{
    lanes_stream *s = c->stream;

    c->rest = take(c);
    if (!c->rest)
        return SLIP_OK;
    lanes_rest *more = more_of(s, c->rest);
    more->recorded = false;
    more->queued = c->queued;
    return s->crowded ? record(c, more) : SLIP_OK;
}

slip_status lanes_last_wait(lanes_call *c)
{
    SLIP_TRY(lanes_take_rest(c));
    return c->rest ? SLIP_OK : lanes_wait(c, 0);
}

/* What the driver is to copy stays as it is: the lanes' next calls take other memory. */
static void hold_arenas(lanes_call *c)
{
    for (uint32_t l = 0; l < LANES_MOST_LANES; l++)
        for (lanes_block *block = c->stream->lanes[l].arena; block; block = block->next)
            if (block->last == c->number) {
                block->reader = c->rest;
                block->read_by = c->number;
            }
}

slip_status lanes_last_download(lanes_call *c, uint32_t class)
{
    lanes_stream *s = c->stream;
    rest_call *rest = take(c);

    if (!rest)
        return class == MOD_NONE ? lanes_download_result(c, PLAN_MOVE_BLOCKING)
                                 : lanes_download(c, class, PLAN_MOVE_BLOCKING, false);
    c->rest = rest;
    more_of(s, rest)->recorded = false;
    more_of(s, rest)->queued = true;
    SLIP_TRY(lanes_list_download(c, class));
    if (rest->copy_count == 0 && !c->pending) { /* nothing to wait for */
        rest_give(rest);
        c->rest = NULL;
        return SLIP_OK;
    }
    hold_arenas(c);
    c->queued = true; /* what the driver copies is work of the call */
    c->settled = false;
    return SLIP_OK;
}

/* ---- without the lock ------------------------------------------------------------------------ */

/* The first call into the driver was counted; the rest of a class in several parts is counted for
 * the device. */
static slip_status copy_blocking(lanes_stream *s, const rest_call *rest, bool *out_any)
{
    lanes_device *d = s->device;

    for (size_t k = 0; k < rest->copy_count; k++) {
        const rest_copy *copy = &rest->copies[k];
        if (copy->from)
            continue;
        uint64_t from = counters_now();
        slip_status status =
            d->driver->download_blocking(d->self, copy->to, copy->address, copy->bytes);
        if (*out_any) {
            counters_add_shared(&d->own.submissions, 1);
            status = lanes_device_told(d, from, status);
        }
        SLIP_TRY(lanes_seen(d, status));
        *out_any = true;
    }
    return SLIP_OK;
}

static slip_status wait_for(lanes_stream *s, const rest_call *rest, const lanes_rest *more)
{
    lanes_device *d = s->device;
    bool copied = false;

    SLIP_TRY(copy_blocking(s, rest, &copied));
    if (copied)
        return SLIP_OK;
    return lanes_seen(d, more->recorded ? d->driver->event_wait(d->self, more->event)
                                        : d->driver->stream_wait(d->self, s->lanes[0].self));
}

/* A call that fails leaves nothing running: see lanes_drain. */
static void drain(lanes_stream *s)
{
    lanes_device *d = s->device;

    if (atomic_load_explicit(&d->lost, memory_order_relaxed) || lanes_is_captured(s))
        return;
    uint64_t from = counters_now();
    if (lanes_device_told(d, from, d->driver->stream_wait(d->self, s->lanes[0].self)) != SLIP_OK)
        lanes_give_up(d);
}

slip_status lanes_finish(void *stream, void *of)
{
    lanes_stream *s = stream;
    lanes_device *d = s->device;
    rest_call *rest = of;
    stream_guard guard = more_of(s, rest)->guard;
    uint64_t number = atomic_load_explicit(&rest->number, memory_order_relaxed);
    uint64_t from = counters_now();

    slip_status status = wait_for(s, rest, more_of(s, rest));
    counters_add_shared(&s->counts->host_blocked_ns, counters_now() - from);
    if (status == SLIP_OK) {
        lanes_ended(s, number);
        rest_copy_out(rest);
    } else if (more_of(s, rest)->queued) {
        drain(s);
    }
    rest_give(rest);
    lanes_leave(d, &guard);
    return status;
}

/* The counters are the stream's, and nobody's without its lock: the wait is counted before. */
bool lanes_keep_rest(lanes_call *c, slip_status status, const stream_guard *guard)
{
    if (!c->rest)
        return false;
    if (status != SLIP_OK) {
        rest_give(c->rest);
        return false;
    }
    counters *counts = c->stream->counts;
    bool copies = c->rest->copy_count > 0 && !c->rest->copies[0].from;
    counters_add(&counts->driver_calls, 1);
    counters_add(&counts->host_waits, 1);
    counters_add(&counts->submissions, copies);
    more_of(c->stream, c->rest)->guard = *guard;
    return true;
}
