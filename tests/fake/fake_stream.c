/* SPDX-License-Identifier: Apache-2.0 */
/* fake_stream.c - the fake's table: devices, memory, code, streams and events; see fake_stream.h.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "fake/fake_stream_parts.h"

void fs_hold_on(void)
{
    while (fs.held)
        pthread_cond_wait(&fs.released, &fs.lock);
}

/* ---- devices --------------------------------------------------------------------------------- */

static const char *missing(void)
{
    return NULL;
}

static uint32_t device_count(void)
{
    return 1;
}

static slip_status info(uint32_t index, drv_info *out)
{
    (void)index;
    *out = (drv_info){ .name = "fake stream", .compute_units = 4, .memory_bytes = 1 << 30 };
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    (void)index;
    pthread_mutex_lock(&fs.lock);
    slip_status status = fs_try("open", SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fs.live++;
        *out = &fs;
    }
    return fs_end(status);
}

static void close_device(void *self)
{
    (void)self;
    fs.live--;
}

static void after_fork(void *self)
{
    (void)self;
}

static void limits(void *self, stream_limits *out)
{
    (void)self;
    *out = (stream_limits){ .max_threads =
                                fs.settings.max_threads ? fs.settings.max_threads : UINT64_MAX,
                            .max_local = fs.settings.max_local ? fs.settings.max_local : 1024,
                            .max_param_bytes = 4096,
                            .compute_units = 4,
                            .has = ~fs.settings.lacks,
                            .rerecords = fs.settings.rerecords };
    for (int k = 0; k < 3; k++)
        out->max_groups[k] = fs.settings.max_groups[k] ? fs.settings.max_groups[k] : 1 << 16;
}

static void describe(void *self, void (*line)(void *user, const char *name, const char *value),
                     void *user)
{
    (void)self;
    line(user, "driver", "a fake");
}

/* ---- streams --------------------------------------------------------------------------------- */

static slip_status stream_open(void *self, bool is_default, void **out)
{
    (void)self;
    slip_status status = fs_begin("stream_open", NULL, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fs_stream *made = calloc(1, sizeof *made);
        if (!made || fs.next_id == FS_STREAMS)
            abort();
        made->id = fs.next_id++;
        made->next = fs.streams;
        fs.streams = made;
        if (is_default)
            fs.standard = made;
        fs.live++;
        *out = made;
    }
    return fs_end(status);
}

/* The other code's is one of stream_open's; its wraps are closed before it is. */
static slip_status stream_wrap(void *self, void *foreign, void **out)
{
    fs_stream *s = foreign ? foreign : fs.standard;

    (void)self;
    slip_status status = fs_begin("stream_wrap", s, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        s->wraps++;
        fs.live++;
        *out = s;
    }
    return fs_end(status);
}

static void *stream_native(void *stream)
{
    return stream;
}

void fake_stream_capture(void *native, bool captured)
{
    pthread_mutex_lock(&fs.lock);
    ((fs_stream *)native)->captured = captured;
    for (fs_stream *s = fs.streams; s && !captured; s = s->next)
        s->captured = false;
    pthread_mutex_unlock(&fs.lock);
}

uint64_t fake_stream_captured(void)
{
    return fs.captured_launches;
}

static void stream_close(void *self, void *stream)
{
    fs_stream *s = stream, **at = &fs.streams;

    (void)self;
    fs_close_slot("stream_close", true);
    if (s->wraps > 0) {
        s->wraps--;
        fs.live--;
        pthread_mutex_unlock(&fs.lock);
        return;
    }
    if (s->head != s->count && !fs.lost)
        fs_wrong("a stream was closed with work pending");
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    if (fs.standard == s)
        fs.standard = NULL;
    for (size_t k = s->head; k < s->count; k++)
        free(s->ops[k].own);
    for (fs_stream *other = fs.streams; other; other = other->next)
        for (size_t k = other->head; k < other->count; k++)
            if (other->ops[k].other == s) { /* long since reached */
                other->ops[k].other = other;
                other->ops[k].point = 0;
            }
    free(s->ops);
    free(s);
    fs.live--;
    pthread_mutex_unlock(&fs.lock);
}

static slip_status stream_captured(void *self, void *stream, bool *out)
{
    const fs_stream *s = stream;

    (void)self;
    slip_status status = fs_begin("captured", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK)
        *out = s->captured;
    return fs_end(status);
}

/* ---- events and waits ------------------------------------------------------------------------ */

static slip_status event_new(void *self, void **out)
{
    (void)self;
    slip_status status = fs_begin("event_new", NULL, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fs_event *made = calloc(1, sizeof *made);
        if (!made)
            abort();
        fs.live++;
        *out = made;
    }
    return fs_end(status);
}

static void event_drop(void *self, void *event)
{
    (void)self;
    fs_close_slot("event_drop", false);
    if (!fs.lost && !fs_passed(event))
        fs_wrong("an event was dropped while it is pending");
    free(event);
    fs.live--;
    pthread_mutex_unlock(&fs.lock);
}

static slip_status record(void *self, void *stream, void *event)
{
    fs_event *e = event;
    fs_stream *s = stream;

    (void)self;
    slip_status status = fs_begin("record", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        if (!fs.settings.rerecords && !fs_passed(e))
            fs_wrong("an event was recorded again while it is pending");
        if (!s->captured)
            fs_queue(s, (fs_op){ .kind = FS_RECORD });
        *e = (fs_event){ s, s->captured, s->queued, s->clock };
    }
    return fs_end(status);
}

static slip_status stream_after(void *self, void *stream, void *event)
{
    fs_event *e = event;
    fs_stream *s = stream;

    (void)self;
    slip_status status = fs_begin("after", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && s->captured && !e->captured)
        fs_wrong("a stream that is captured comes after what is not");
    if (status == SLIP_OK && e->captured) {
        s->captured = true;
    } else if (status == SLIP_OK && e->stream) {
        fs_join(&s->clock, &e->clock);
        fs_queue(s, (fs_op){ .kind = FS_AFTER, .other = e->stream, .point = e->number });
    }
    return fs_end(status);
}

static slip_status event_passed(void *self, void *event, bool *out)
{
    const fs_event *e = event;

    (void)self;
    slip_status status = fs_begin("passed", NULL, SLIP_ERR_DEVICE);
    if (e->captured)
        fs_wrong("an event of a capture is asked");
    if (status == SLIP_OK) {
        *out = fs_passed(e);
        if (*out && e->stream)
            fs_learn(&e->clock);
    }
    return fs_end(status);
}

static slip_status event_wait(void *self, void *event)
{
    const fs_event *e = event;

    (void)self;
    slip_status status = fs_begin("event_wait", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (e->captured)
        fs_wrong("an event of a capture is waited for");
    if (status == SLIP_OK && e->stream) {
        fs_hold_on();
        fs_run(e->stream, e->number);
        fs_learn(&e->clock);
    }
    return fs_end(status);
}

static slip_status stream_passed(void *self, void *stream, bool *out)
{
    const fs_stream *s = stream;

    (void)self;
    slip_status status = fs_begin("stream_passed", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        *out = s->run == s->queued;
        if (*out)
            fs_learn(&s->clock);
    }
    return fs_end(status);
}

static slip_status stream_wait(void *self, void *stream)
{
    fs_stream *s = stream;

    (void)self;
    slip_status status = fs_begin("wait", stream, SLIP_ERR_DEVICE);
    fs.waits++;
    (void)fs_is_captured(s, "a wait");
    if (status == SLIP_OK) {
        fs_hold_on();
        fs_run(s, s->queued);
        fs_learn(&s->clock);
    }
    return fs_end(status);
}

const stream_driver fake_stream_table = {
    .name = "fake",
    .missing = missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    .close = close_device,
    .after_fork = after_fork,
    .limits = limits,
    .describe = describe,
    .enter = fs_enter,
    .leave = fs_leave,
    .alloc = fs_alloc,
    .free = fs_free_memory,
    .owned = fs_owned,
    .host_register = fs_host_register,
    .host_unregister = fs_host_unregister,
    .on_device = fs_on_device,
    .code_load = fs_code_load,
    .code_drop = fs_code_drop,
    .kernel_get = fs_kernel_get,
    .stream_open = stream_open,
    .stream_wrap = stream_wrap,
    .stream_native = stream_native,
    .stream_close = stream_close,
    .stream_captured = stream_captured,
    .launch = fs_launch,
    .upload = fs_upload,
    .download = fs_download,
    .zero = fs_zero,
    .upload_blocking = fs_upload_blocking,
    .download_blocking = fs_download_blocking,
    .event_new = event_new,
    .event_drop = event_drop,
    .record = record,
    .stream_after = stream_after,
    .event_passed = event_passed,
    .event_wait = event_wait,
    .stream_passed = stream_passed,
    .stream_wait = stream_wait,
};
