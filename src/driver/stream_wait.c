/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_wait.c - events, and waiting for them and for streams.
 */
#include "base/fail.h"
#include "driver/spin.h"
#include "driver/stream_device.h"

/* What a wait costs that the driver puts to sleep is worth that much of asking first. The flags of
 * the context, which say how the driver itself waits, are the whole process's. */
static const uint64_t spin_ns = 30000;

/* ---- events ---------------------------------------------------------------------------------- */

slip_status stream_event_new(void *self, void **out)
{
    stream_device *device = self;
    api_event made = NULL;

    SLIP_TRY(stream_alive(device));
    SLIP_TRY(STREAM_CALL(device, event_new, &made, device->vendor->flags[STREAM_FLAG_EVENT_NEW]));
    *out = made;
    return SLIP_OK;
}

void stream_event_drop(void *self, void *event)
{
    stream_device *device = self;
    stream_closing closing;

    if (event && stream_closing_begin(device, &closing))
        stream_closing_end(device, &closing, device->api->event_drop(event));
}

slip_status stream_event_record(void *self, void *stream, void *event)
{
    stream_device *device = self;
    const stream_stream *s = stream;

    SLIP_TRY(stream_alive(device));
    return stream_checked(device, device->api->event_record(event, s->handle),
                          STREAM_SLOT_event_record, s->foreign, __FILE__, __LINE__);
}

slip_status stream_event_after(void *self, void *stream, void *event)
{
    stream_device *device = self;
    const stream_stream *s = stream;

    SLIP_TRY(stream_alive(device));
    return stream_checked(device, device->api->stream_after(s->handle, event, 0),
                          STREAM_SLOT_stream_after, s->foreign, __FILE__, __LINE__);
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* What is waited for: an event, or all that a stream holds. */
typedef struct target {
    void *handle;
    int (*query)(void *handle);
    int (*wait)(void *handle);
    stream_slot query_slot, wait_slot;
    bool foreign;
} target;

static target stream_target(const stream_device *device, const stream_stream *s)
{
    return (target){ .handle = s->handle,
                     .query = device->api->stream_query,
                     .wait = device->api->stream_wait,
                     .query_slot = STREAM_SLOT_stream_query,
                     .wait_slot = STREAM_SLOT_stream_wait,
                     .foreign = s->foreign };
}

static target event_target(const stream_device *device, void *event)
{
    return (target){ .handle = event,
                     .query = device->api->event_query,
                     .wait = device->api->event_wait,
                     .query_slot = STREAM_SLOT_event_query,
                     .wait_slot = STREAM_SLOT_event_wait };
}

static slip_status query(stream_device *device, const target *t, bool *out)
{
    int code = t->query(t->handle);

    if (code == STREAM_CODE_NOT_READY) {
        *out = false;
        return SLIP_OK;
    }
    SLIP_TRY(stream_checked(device, code, t->query_slot, t->foreign, __FILE__, __LINE__));
    *out = true;
    return SLIP_OK;
}

static slip_status passed(stream_device *device, target t, bool *out)
{
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = query(device, &t, out);
    stream_end(device, mode);
    return status;
}

slip_status stream_event_passed(void *self, void *event, bool *out)
{
    return passed(self, event_target(self, event), out);
}

slip_status stream_wait_passed(void *self, void *stream, bool *out)
{
    return passed(self, stream_target(self, stream), out);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static slip_status spin(stream_device *device, const target *t, bool *out)
{
    uint64_t end = spin_now_ns() + spin_ns;

    for (;;) {
        SLIP_TRY(query(device, t, out));
        if (*out || spin_now_ns() >= end)
            return SLIP_OK;
        spin_rest();
    }
}

static slip_status spin_and_wait(stream_device *device, const target *t)
{
    bool done = false;

    SLIP_TRY(spin(device, t, &done));
    if (done && !device->vendor->query_is_no_wait)
        return SLIP_OK;
    return stream_checked(device, t->wait(t->handle), t->wait_slot, t->foreign, __FILE__, __LINE__);
}

static slip_status wait_for(stream_device *device, target t)
{
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = spin_and_wait(device, &t);
    stream_end(device, mode);
    return status;
}

slip_status stream_event_wait(void *self, void *event)
{
    return wait_for(self, event_target(self, event));
}

slip_status stream_wait_stream(void *self, void *stream)
{
    return wait_for(self, stream_target(self, stream));
}
