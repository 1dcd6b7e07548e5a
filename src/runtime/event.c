/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event.c - events: on the CPU a time stamp, since what was queued before a record has ended by
 * then.
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
    *out = made;
    return SLIP_OK;
}

void slip_event_destroy(slip_event *event)
{
    mem_free(event);
}

/* The lock is had once every earlier call of the stream has ended. */
slip_status slip_event_record(slip_event *event, slip_stream *stream)
{
    runtime_enter();
    SLIP_TRY(check_event(event, stream, "slip_event_record"));
    stream_lock(stream);
    atomic_store(&event->when_ns, counters_now());
    stream_unlock(stream);
    return SLIP_OK;
}

slip_status slip_stream_wait(slip_stream *stream, slip_event *event)
{
    runtime_enter();
    return check_event(event, stream, "slip_stream_wait");
}

slip_status slip_event_sync(slip_event *event)
{
    runtime_enter();
    if (!event)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_sync: the event is NULL");
    return SLIP_OK;
}

slip_status slip_event_query(slip_event *event, bool *out_done)
{
    runtime_enter();
    if (!event || !out_done)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_query: the %s is NULL",
                         event ? "place for the answer" : "event");
    *out_done = true;
    return SLIP_OK;
}

slip_status slip_event_elapsed(slip_event *from, slip_event *to, double *out_seconds)
{
    runtime_enter();
    if (!from || !to || !out_seconds)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_elapsed: the %s is NULL",
                         !from ? "first event"
                         : !to ? "second event"
                               : "place for the answer");
    uint64_t first = atomic_load(&from->when_ns), second = atomic_load(&to->when_ns);
    if (first == 0 || second == 0)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_event_elapsed: the %s event was never recorded",
                         first == 0 ? "first" : "second");
    *out_seconds = ((double)second - (double)first) / 1e9;
    return SLIP_OK;
}
