/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_stream.c - opening and closing streams: of our own, and over those of other code.
 *
 * A stream that other code queues on too never counts as idle: only events and waits of ours tell
 * what has ended.
 */
#include "launch/lanes_parts.h"

/* ---- opening --------------------------------------------------------------------------------- */

/* What the first lane is. */
typedef struct opening {
    bool is_default, foreign;
    void *native;
} opening;

static slip_status open_lane(lanes_device *d, const opening *o, void **out)
{
    return lanes_seen(d, o->foreign ? d->driver->stream_wrap(d->self, o->native, out)
                                    : d->driver->stream_open(d->self, o->is_default, out));
}

static slip_status open_stream(lanes_device *d, const opening *o, counters *counts, void **out)
{
    lanes_stream *made = NULL;
    stream_guard guard;

    SLIP_TRY(mem_new_aligned(sizeof *made, MEM_LINE, (void **)&made));
    slip_status status = lanes_enter(d, &guard);
    if (status == SLIP_OK) {
        status = open_lane(d, o, &made->lanes[0].self);
        lanes_leave(d, &guard);
    }
    if (status != SLIP_OK) {
        mem_free_aligned(made);
        return status;
    }
    made->device = d;
    made->counts = counts;
    made->shared = o->is_default || o->foreign;
    made->foreign = made->wrapped = o->foreign;
    made->lanes[0].is_open = true;
    lanes_stream_link(made);
    *out = made;
    return SLIP_OK;
}

slip_status lanes_stream_open(void *device, bool is_default, counters *counts, void **out)
{
    return open_stream(device, &(opening){ .is_default = is_default }, counts, out);
}

slip_status lanes_stream_wrap(void *device, void *native, counters *counts, void **out)
{
    return open_stream(device, &(opening){ .foreign = true, .native = native }, counts, out);
}

void *lanes_stream_native(void *stream)
{
    lanes_stream *s = stream;

    s->shared = s->foreign = true;
    return s->device->driver->stream_native(s->lanes[0].self);
}

/* ---- waiting, and closing -------------------------------------------------------------------- */

static slip_status wait_for_all(lanes_stream *s)
{
    SLIP_TRY(lanes_waited(s, s->device->driver->stream_wait, s->lanes[0].self));
    lanes_ended(s, lanes_queued(s));
    return SLIP_OK;
}

/* A wait that is refused works the next time. */
static bool wait_for_lane(lanes_stream *s, const lanes_lane *lane)
{
    slip_status status = SLIP_OK;

    for (int tries = 0; tries < 2; tries++) {
        status = lanes_waited(s, s->device->driver->stream_wait, lane->self);
        if (status == SLIP_OK || status == SLIP_ERR_LOST)
            break;
    }
    return status == SLIP_OK;
}

/* Also for lanes that a call could not wait for, and points of other streams; not for what other
 * code has queued behind all that was queued here. */
static void wait_for_lanes(lanes_stream *s)
{
    uint32_t first = s->wrapped && lanes_known(s) >= lanes_queued(s);

    for (uint32_t l = first; l < LANES_MOST_LANES; l++)
        if (s->lanes[l].is_open && !wait_for_lane(s, &s->lanes[l]))
            return; /* lost: nothing of it runs any more */
}

/* The rest is that of the last call. */
slip_status lanes_stream_sync(void *stream, void **out_rest)
{
    lanes_stream *s = stream;
    lanes_call c = { .stream = s, .number = lanes_queued(s) };
    bool waits = lanes_known(s) < c.number;
    slip_status status = SLIP_OK;
    stream_guard guard;

    SLIP_TRY(lanes_enter(s->device, &guard));
    if (waits)
        status = lanes_check_free(s, "a wait of the host");
    if (waits && out_rest && status == SLIP_OK)
        status = lanes_take_rest(&c);
    if (waits && !c.rest && status == SLIP_OK)
        status = wait_for_all(s);
    if (lanes_keep_rest(&c, status, &guard))
        *out_rest = c.rest;
    else
        lanes_leave(s->device, &guard);
    return status;
}

void lanes_stream_trim(void *stream)
{
    lanes_stream *s = stream;
    slip_error before = *fail_last();
    stream_guard guard;

    if (lanes_enter(s->device, &guard) == SLIP_OK) {
        lanes_blocks_trim(s);
        lanes_leave(s->device, &guard);
    }
    fail_restore(&before);
}

static void drop_event(lanes_device *d, void *event)
{
    if (!d->forked)
        d->driver->event_drop(d->self, event);
}

static void drop_marks(lanes_device *d, lanes_mark *mark)
{
    while (mark) {
        lanes_mark *next = mark->next;
        drop_event(d, mark->event);
        mem_free(mark);
        mark = next;
    }
}

static void finish(lanes_stream *s)
{
    lanes_device *d = s->device;

    drop_marks(d, s->marks);
    drop_marks(d, s->free_marks);
    while (s->events) {
        lanes_event *event = s->events;
        s->events = event->next;
        drop_event(d, event->event);
        mem_free(event);
    }
    for (int turn = 0; turn < 2; turn++)
        if (s->copied[turn])
            drop_event(d, s->copied[turn]);
    for (uint32_t k = 0; k < s->rests.used; k++)
        if (s->rests_more[k].event)
            drop_event(d, s->rests_more[k].event);
    rest_finish(&s->rests);
    lanes_blocks_finish(s);
    for (uint32_t l = 0; l < LANES_MOST_LANES; l++)
        if (s->lanes[l].is_open && !d->forked)
            d->driver->stream_close(d->self, s->lanes[l].self);
}

/* A device that cannot be entered any more is lost; its closing slots still work. */
void lanes_stream_close(void *stream)
{
    lanes_stream *s = stream;
    slip_error before = *fail_last();
    stream_guard guard;

    if (!s)
        return;
    if (!s->device->forked)
        rest_await(&s->rests, UINT64_MAX);
    bool entered = lanes_enter_to_close(s->device, &guard);
    if (entered)
        wait_for_lanes(s);
    lanes_stream_unlink(s);
    finish(s);
    if (entered)
        lanes_leave(s->device, &guard);
    fail_restore(&before);
    mem_free(s->classes);
    mem_free(s->loops);
    mem_free(s->taken);
    mem_free_aligned(s);
}
