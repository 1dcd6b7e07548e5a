/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_stream.c - entry points for streams and events.
 */
#include <stdlib.h>
#include <string.h>

#include "fake/stream/core.h"

/* A query that is asked again and again is answered in the end. */
enum { PATIENCE = 4 };

static fake_stream *stream_of(fake_handle handle)
{
    for (fake_stream *s = fake.streams; s; s = s->next)
        if (s == handle)
            return s;
    return NULL;
}

static fake_stream *stream_make(fake_context *context, bool blocking)
{
    fake_stream *made = fake_zeroed(sizeof *made);

    made->context = context;
    made->blocking = blocking;
    made->lane = lane_new(context, made, blocking);
    made->next = fake.streams;
    fake.streams = made;
    return made;
}

/* CUDA driver API, "Stream synchronization behavior": 2 is the calling thread's own default
 * stream, which orders with the legacy one. */
static fake_stream *thread_stream(fake_context *context)
{
    static __thread char me;

    for (fake_stream *s = fake.streams; s; s = s->next)
        if (s->thread == &me && s->context == context)
            return s;
    fake_stream *made = stream_make(context, true);
    made->thread = &me;
    return made;
}

/* 0 and 1 are the legacy stream of the current context. */
bool context_lane(fake_handle stream, uint32_t *out_lane)
{
    fake_context *now = context_now();
    const fake_stream *s = NULL;

    if ((uintptr_t)stream <= 1) {
        *out_lane = now->lane;
        return true;
    }
    s = (uintptr_t)stream == 2 ? thread_stream(now) : stream_of(stream);
    if (!s || (fake_vendor_row.has_contexts && s->context != now))
        return false; /* of another context: CUDA driver API, cuLaunchKernel */
    *out_lane = s->lane;
    return true;
}

int context_stream(fake_handle stream, uint32_t *out_lane)
{
    return context_lane(stream, out_lane) ? capture_of_lane(*out_lane) : FAKE_INVALID_HANDLE;
}

int fake_stream_new(fake_handle *out, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_new);

    if (!status && (flags > 1 || !out))
        status = FAKE_INVALID_VALUE;
    if (!status)
        *out = stream_make(context_now(), flags == 0);
    return fake_leave(fake_spoil(status, out));
}

int fake_stream_drop(fake_handle stream)
{
    int status = fake_enter(FAKE_SLOT_stream_drop);
    fake_stream *s = stream_of(stream), **at = &fake.streams;

    if (!status && !s)
        status = FAKE_INVALID_HANDLE;
    if (status)
        return fake_leave(status);
    const fake_lane *l = &fake.lanes[s->lane];
    if (l->graph)
        fake_report("a stream is destroyed, and is captured");
    if (!fake_vendor_row.drops_pending && clock_at(fake.host, s->lane) < l->asked)
        fake_report("a stream is destroyed, and its work has not been waited for");
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    lane_free(s->lane);
    free(s);
    return fake_leave(FAKE_OK);
}

static int query(uint32_t lane, uint64_t number, const fake_clock *clock, uint32_t *asked)
{
    if (hold_on())
        return FAKE_NOT_READY;
    if (fake.lanes[lane].done < number && ++*asked >= PATIENCE) {
        *asked = 0;
        queue_run(lane, number);
    }
    if (fake.lanes[lane].done < number)
        return FAKE_NOT_READY;
    clock_join(&fake.host, clock);
    fake.guards_stale = true;
    return FAKE_OK;
}

int fake_stream_query(fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_query);
    static uint32_t asked_legacy;
    uint32_t lane = 0;

    if (!status)
        status = context_stream(stream, &lane);
    if (!status)
        status = capture_asks_lane(lane);
    if (status)
        return fake_leave(status);
    fake_lane *l = &fake.lanes[lane];
    return fake_leave(
        query(lane, l->queued, l->clock, l->stream ? &l->stream->asked : &asked_legacy));
}

int fake_stream_wait(fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_wait);
    uint32_t lane = 0;

    if (!status)
        status = context_stream(stream, &lane);
    if (!status)
        status = capture_asks_lane(lane);
    if (!status)
        queue_wait(lane, fake.lanes[lane].queued, fake.lanes[lane].clock);
    return fake_leave(status);
}

/* cuStreamGetCtx: of a stream the context it was made in, of 0, 1 and 2 the current one; NULL:
 * there is no such stream. */
static fake_context *context_of(fake_handle stream)
{
    const fake_stream *s = stream_of(stream);

    return (uintptr_t)stream <= 2 ? context_now() : s ? s->context : NULL;
}

int fake_stream_device(fake_handle stream, int *out)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_device);
    const fake_context *of = status ? NULL : context_of(stream);

    if (!status && !out)
        status = FAKE_INVALID_VALUE;
    if (!status && !of)
        status = FAKE_INVALID_HANDLE;
    if (!status)
        *out = of->device;
    return fake_leave(status);
}

#if !defined(FAKE_HIP)

int fake_stream_context(fake_handle stream, fake_handle *out)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_context);
    fake_context *of = status ? NULL : context_of(stream);

    if (!status && !out)
        status = FAKE_INVALID_VALUE;
    if (!status && !of)
        status = FAKE_INVALID_HANDLE;
    if (!status)
        *out = of;
    return fake_leave(fake_spoil(status, out));
}

#endif

/* ---- events ---- */

static fake_event *event_of(fake_handle handle)
{
    for (fake_event *e = fake.events; e; e = e->next)
        if (e == handle)
            return e;
    return NULL;
}

int fake_event_new(fake_handle *out, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_event_new);

    if (!status && (flags > 7 || !out))
        status = FAKE_INVALID_VALUE;
    if (!status) {
        fake_event *made = fake_zeroed(sizeof *made);
        made->context = context_now();
        made->next = fake.events;
        fake.events = made;
        *out = made;
    }
    return fake_leave(fake_spoil(status, out));
}

/* Does the host not know that what was recorded has ended? */
static bool is_pending(const fake_event *e)
{
    return e->recorded && !e->graph && clock_at(fake.host, e->lane) < e->number;
}

int fake_event_drop(fake_handle event)
{
    int status = fake_enter(FAKE_SLOT_event_drop);
    fake_event *e = event_of(event), **at = &fake.events;

    if (!status && !e)
        status = FAKE_INVALID_HANDLE;
    if (status)
        return fake_leave(status);
    if (!fake_vendor_row.drops_pending && is_pending(e))
        fake_report("an event is destroyed, and is pending");
    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    free(e->clock);
    free(e);
    return fake_leave(FAKE_OK);
}

int fake_event_record(fake_handle event, fake_handle stream)
{
    int status = fake_enter_in_context(FAKE_SLOT_event_record);
    fake_event *e = event_of(event);
    uint32_t lane = 0;

    if (!status && (!e || !context_lane(stream, &lane) || e->context != fake.lanes[lane].context))
        status = FAKE_INVALID_HANDLE;
    if (!status)
        status = capture_of_lane(lane);
    if (status)
        return fake_leave(status);
    if (!fake_vendor_row.rerecords && is_pending(e))
        fake_report("an event is recorded again, and is pending");
    e->graph = fake.lanes[lane].graph;
    e->captured = fake.lanes[lane].captured;
    if (!e->graph)
        queue_add(lane, op_new(FAKE_MARK, fake_rows[FAKE_SLOT_event_record].name), NULL);
    free(e->clock);
    e->clock = NULL;
    clock_join(&e->clock, fake.lanes[lane].clock);
    e->recorded = true;
    e->asked = 0;
    e->lane = lane;
    e->number = fake.lanes[lane].queued;
    return fake_leave(FAKE_OK);
}

int fake_stream_after(fake_handle stream, fake_handle event, unsigned flags)
{
    int status = fake_enter_in_context(FAKE_SLOT_stream_after);
    const fake_event *e = event_of(event);
    bool captured = false;
    uint32_t lane = 0;

    if (!status && flags)
        status = FAKE_INVALID_VALUE;
    if (!status && !e)
        status = FAKE_INVALID_HANDLE;
    if (!status)
        status = context_stream(stream, &lane);
    if (!status && e->recorded)
        status = capture_after(lane, e, &captured);
    if (!status && e->recorded && !captured)
        queue_add(lane, op_new(FAKE_MARK, fake_rows[FAKE_SLOT_stream_after].name), e->clock);
    return fake_leave(status);
}

int fake_event_query(fake_handle event)
{
    int status = fake_enter_in_context(FAKE_SLOT_event_query);
    fake_event *e = event_of(event);

    if (!status)
        status = e ? capture_asks_event(e) : FAKE_INVALID_HANDLE;
    if (!status && e->recorded)
        status = query(e->lane, e->number, e->clock, &e->asked);
    return fake_leave(status);
}

int fake_event_wait(fake_handle event)
{
    int status = fake_enter_in_context(FAKE_SLOT_event_wait);
    const fake_event *e = event_of(event);

    if (!status)
        status = e ? capture_asks_event(e) : FAKE_INVALID_HANDLE;
    if (!status && e->recorded)
        queue_wait(e->lane, e->number, e->clock);
    return fake_leave(status);
}
