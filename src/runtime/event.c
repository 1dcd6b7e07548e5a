/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event.c - events: a mark of a stream, and when the host saw that it had passed.
 *
 * An event is complete from when its mark is first seen to have passed. What waits for one goes
 * through the earlier ones of its stream, so that each gets a time of its own. Must never wait for
 * a device while holding `points`: the stream is pinned instead.
 */
#include "base/fail.h"
#include "base/mem.h"
#include "runtime/objects.h"

static slip_status check_event(const slip_event *event, const slip_stream *stream,
                               const char *where)
{
    if (!event || !stream)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where,
                         event ? "stream" : "event");
    if (event->device != stream->device)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s: the event belongs to another device than the stream", where);
    return SLIP_OK;
}

slip_status slip_event_create(slip_device *device, slip_event **out)
{
    slip_event *made = NULL;

    runtime_enter();
    if (!device || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_create: the %s is NULL",
                         device ? "place for the event" : "device");
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->device = device;
    pthread_mutex_lock(&device->points);
    made->next = device->events;
    if (made->next)
        made->next->previous = made;
    device->events = made;
    pthread_mutex_unlock(&device->points);
    *out = made;
    return SLIP_OK;
}

void slip_event_destroy(slip_event *event)
{
    slip_device *device = event ? event->device : NULL;

    if (device) {
        pthread_mutex_lock(&device->points);
        if (event->previous)
            event->previous->next = event->next;
        else
            device->events = event->next;
        if (event->next)
            event->next->previous = event->previous;
        pthread_mutex_unlock(&device->points);
    }
    mem_free(event);
}

static void complete(slip_event *event, uint64_t now)
{
    event->stream = NULL;
    event->when_ns = now;
}

void event_forget_stream(slip_stream *stream)
{
    for (slip_event *event = stream->device->events; event; event = event->next)
        if (event->stream == stream)
            complete(event, counters_now());
}

void event_forget_device(slip_device *device)
{
    while (device->events) {
        slip_event *event = device->events;
        device->events = event->next;
        event->device = NULL;
        event->next = event->previous = NULL;
    }
}

/* The device's points are held. */
static void look_at(slip_event *event)
{
    if (event->stream && event->stream->family->passed(event->stream->self, event->mark))
        complete(event, counters_now());
}

/* On the CPU the lock is had once every earlier call of the stream has ended. */
slip_status slip_event_record(slip_event *event, slip_stream *stream)
{
    uint64_t mark = 0;

    runtime_enter();
    SLIP_TRY(check_event(event, stream, "slip_event_record"));
    stream_lock(stream);
    slip_status status = stream->family->mark(stream->self, &mark);
    stream_unlock(stream);
    SLIP_TRY(status);
    pthread_mutex_lock(&stream->device->points);
    event->recorded = true;
    event->stream = stream;
    event->mark = mark;
    event->when_ns = 0;
    look_at(event);
    pthread_mutex_unlock(&stream->device->points);
    return SLIP_OK;
}

slip_status slip_stream_wait(slip_stream *stream, slip_event *event)
{
    runtime_enter();
    SLIP_TRY(check_event(event, stream, "slip_stream_wait"));
    slip_device *device = stream->device;
    slip_status status = SLIP_OK;

    pthread_mutex_lock(&device->points);
    look_at(event);
    slip_stream *other = event->stream;
    uint64_t mark = event->mark;
    if (other && other != stream) {
        stream_pin(other);
        pthread_mutex_unlock(&device->points);
        stream_lock(stream);
        status = stream->family->stream_after(stream->self, other->self, mark);
        stream_unlock(stream);
        pthread_mutex_lock(&device->points);
        stream_unpin(other);
    }
    pthread_mutex_unlock(&device->points);
    return status;
}

/* The earliest mark of the stream that an event still stands for, at most `mark`. */
static uint64_t earliest(const slip_stream *stream, uint64_t mark)
{
    for (const slip_event *event = stream->device->events; event; event = event->next)
        if (event->stream == stream && event->mark < mark)
            mark = event->mark;
    return mark;
}

/* The device's points are held, and are given back for each wait. */
static slip_status wait_until(slip_device *device, slip_event *event)
{
    slip_stream *stream = event->stream;
    uint64_t last = event->mark;
    slip_status status = SLIP_OK;

    while (status == SLIP_OK && event->stream == stream && event->mark <= last) {
        uint64_t mark = earliest(stream, last);
        stream_pin(stream);
        pthread_mutex_unlock(&device->points);
        status = stream->family->mark_wait(stream->self, mark);
        pthread_mutex_lock(&device->points);
        uint64_t now = counters_now();
        for (slip_event *e = device->events; e && status == SLIP_OK; e = e->next)
            if (e->stream == stream && e->mark <= mark)
                complete(e, now);
        stream_unpin(stream);
    }
    return status;
}

static slip_status reach(slip_event *event)
{
    slip_device *device = event->device;
    slip_status status = SLIP_OK;

    if (!device)
        return SLIP_OK;
    pthread_mutex_lock(&device->points);
    if (event->stream)
        status = wait_until(device, event);
    pthread_mutex_unlock(&device->points);
    return status;
}

slip_status slip_event_sync(slip_event *event)
{
    runtime_enter();
    if (!event)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_sync: the event is NULL");
    return reach(event);
}

slip_status slip_event_query(slip_event *event, bool *out_done)
{
    runtime_enter();
    if (!event || !out_done)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_query: the %s is NULL",
                         event ? "place for the answer" : "event");
    slip_device *device = event->device;
    bool done = true;

    if (device) {
        pthread_mutex_lock(&device->points);
        look_at(event);
        done = event->stream == NULL;
        pthread_mutex_unlock(&device->points);
    }
    *out_done = done;
    return SLIP_OK;
}

/* When the event was reached, once it is; 0: it was never recorded. */
static slip_status when(slip_event *event, uint64_t *out)
{
    slip_device *device = event->device;

    SLIP_TRY(reach(event));
    if (device)
        pthread_mutex_lock(&device->points);
    *out = event->recorded ? event->when_ns : 0;
    if (device)
        pthread_mutex_unlock(&device->points);
    return SLIP_OK;
}

slip_status slip_event_elapsed(slip_event *from, slip_event *to, double *out_seconds)
{
    uint64_t first = 0, second = 0;

    runtime_enter();
    if (!from || !to || !out_seconds)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_elapsed: the %s is NULL",
                         !from ? "first event"
                         : !to ? "second event"
                               : "place for the answer");
    SLIP_TRY(when(from, &first));
    SLIP_TRY(when(to, &second));
    if (first == 0 || second == 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_elapsed: the %s event was never recorded",
                         first == 0 ? "first" : "second");
    *out_seconds = ((double)second - (double)first) / 1e9;
    return SLIP_OK;
}
