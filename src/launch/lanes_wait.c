/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_wait.c - order between the lanes of a stream, by events, and what the host waits for.
 *
 * Events are taken from a queue of the stream's and go back to its end; one that may not be
 * recorded again while it is pending has passed before it is. A repeated call makes none.
 */
#include "launch/lanes_parts.h"

/* ---- a call ---------------------------------------------------------------------------------- */

void lanes_begin(lanes_call *c, const char *name)
{
    c->number = lanes_queued(c->stream) + 1;
    loss_remember(&c->stream->calls, c->number, name);
    lanes_look_around(c->stream);
    lanes_arenas_reset(c->stream);
}

void lanes_ended(lanes_stream *s, uint64_t number)
{
    uint64_t now = atomic_load_explicit(&s->known, memory_order_relaxed);

    while (now < number && !atomic_compare_exchange_weak_explicit(
                               &s->known, &now, number, memory_order_release, memory_order_relaxed))
        continue;
}

void lanes_end(lanes_call *c)
{
    if (!c->queued)
        return;
    atomic_store_explicit(&c->stream->queued, c->number, memory_order_relaxed);
    if (c->settled)
        lanes_ended(c->stream, c->number);
}

/* ---- waits ----------------------------------------------------------------------------------- */

slip_status lanes_waited(lanes_stream *s, slip_status (*wait)(void *self, void *what), void *what)
{
    uint64_t from = counters_now();
    slip_status status = lanes_told(s, wait(s->device->self, what));

    counters_add(&s->counts->host_waits, 1);
    counters_add_shared(&s->counts->host_blocked_ns, counters_now() - from);
    return status;
}

/* The first lane is behind all earlier calls. */
void lanes_covered(lanes_call *c, uint32_t lane)
{
    c->pending &= ~(c->covers[lane] | 1u << lane);
    if (lane != 0)
        return;
    lanes_ended(c->stream, c->number - 1);
    if (c->pending != 0)
        return;
    c->settled = true;
    lanes_slots_settled(c);
}

slip_status lanes_wait(lanes_call *c, uint32_t lane)
{
    lanes_stream *s = c->stream;

    SLIP_TRY(lanes_waited(s, s->device->driver->stream_wait, s->lanes[lane].self));
    lanes_covered(c, lane);
    return SLIP_OK;
}

void lanes_drain(lanes_call *c)
{
    atomic_bool *lost = &c->stream->device->lost;

    if (lanes_is_captured(c->stream))
        return; /* nothing of it is done now */
    for (uint32_t lane = 0; lane < LANES_MOST_LANES; lane++)
        if (c->pending >> lane & 1 && !atomic_load_explicit(lost, memory_order_relaxed) &&
            lanes_wait(c, lane) != SLIP_OK)
            lanes_give_up(c->stream->device);
}

void lanes_give_up(lanes_device *d)
{
    atomic_store_explicit(&d->lost, true, memory_order_relaxed);
    fail_note("waiting for what had been queued, which failed too: the device is given up");
}

/* ---- events ---------------------------------------------------------------------------------- */

static slip_status new_event(lanes_stream *s)
{
    lanes_device *d = s->device;
    lanes_event *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = lanes_told(s, d->driver->event_new(d->self, &made->event));
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->next = s->events;
    s->events = made;
    if (!made->next)
        s->last_event = made;
    s->event_count++;
    return SLIP_OK;
}

/* Has the event that was recorded longest ago passed? */
static slip_status oldest_passed(lanes_stream *s, bool *out)
{
    lanes_device *d = s->device;

    *out = s->events->last <= lanes_known(s);
    if (*out)
        return SLIP_OK;
    return lanes_told(s, d->driver->event_passed(d->self, s->events->event, out));
}

/* An event that may be recorded now stands first. */
static slip_status ready_event(lanes_call *c)
{
    lanes_stream *s = c->stream;
    bool again = s->device->limits.rerecords, passed = false;

    if (!s->events || (again && s->event_count < c->ops->event_count &&
                       s->event_count < s->device->sizes.most_events))
        return new_event(s);
    if (again)
        return SLIP_OK;
    SLIP_TRY(oldest_passed(s, &passed));
    if (passed)
        return SLIP_OK;
    if (s->event_count < s->device->sizes.most_events)
        return new_event(s);
    return lanes_waited(s, s->device->driver->event_wait, s->events->event);
}

static lanes_event *rotate(lanes_stream *s)
{
    lanes_event *first = s->events;

    if (first == s->last_event)
        return first;
    s->events = first->next;
    first->next = NULL;
    s->last_event->next = first;
    s->last_event = first;
    return first;
}

static slip_status record(lanes_call *c, uint32_t lane)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;

    SLIP_TRY(ready_event(c));
    lanes_event *event = rotate(s);
    event->last = c->captured ? 0 : c->number; /* one of a graph's is never pending */
    SLIP_TRY(lanes_told(s, d->driver->record(d->self, s->lanes[lane].self, event->event)));
    c->event = event->event;
    return SLIP_OK;
}

/* Has all that the lane holds ended, of this call and of earlier ones, or that it is behind? Of a
 * stream that other code queues on too nobody knows. */
static bool holds_nothing(const lanes_call *c, uint32_t lane)
{
    const lanes_stream *s = c->stream;

    if (!s->lanes[lane].is_open)
        return true;
    return !s->shared && lanes_known(s) + 1 >= c->number &&
           (c->pending & (c->behind[lane] | 1u << lane)) == 0;
}

slip_status lanes_order(lanes_call *c, uint32_t lane, uint32_t from, bool same)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;

    if (holds_nothing(c, from))
        return SLIP_OK;
    c->settled = false; /* the event may be pending when all work has ended */
    SLIP_TRY(lanes_need(s, lane));
    if (!same)
        SLIP_TRY(record(c, from));
    SLIP_TRY(lanes_told(s, d->driver->stream_after(d->self, s->lanes[lane].self, c->event)));
    c->crossed = true;
    c->covers[lane] |= c->covers[from] | 1u << from;
    c->behind[lane] |= c->behind[from] | 1u << from;
    return SLIP_OK;
}

slip_status lanes_need(lanes_stream *s, uint32_t lane)
{
    lanes_device *d = s->device;

    if (s->lanes[lane].is_open)
        return SLIP_OK;
    SLIP_TRY(lanes_told(s, d->driver->stream_open(d->self, false, &s->lanes[lane].self)));
    s->lanes[lane].is_open = true;
    return SLIP_OK;
}
