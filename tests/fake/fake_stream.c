/* SPDX-License-Identifier: Apache-2.0 */
/* fake_stream.c - the fake's table: devices, memory, code, streams and events; see fake_stream.h.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fake/fake_stream_parts.h"

static void hold_on(void)
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

/* What is no task ends the capture of the stream. */
static bool is_captured(const fs_stream *s, const char *what)
{
    if (s->captured && what)
        fs_wrong("%s on a stream that is captured", what);
    return s->captured;
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

static void check_grid(const fake_grid *g)
{
    const mod_shader *shader = g->shader->shader;
    uint64_t whole = 1, most_threads = fs.settings.max_threads;

    for (int k = 0; k < 3; k++) {
        uint64_t most = fs.settings.max_groups[k] ? fs.settings.max_groups[k] : 1 << 16;
        if (g->groups[k] == 0 || g->groups[k] > most)
            fs_wrong("%u groups on axis %d", g->groups[k], k);
        whole *= g->groups[k];
    }
    if (g->groups[1] != 1 || g->groups[2] != 1)
        fs_wrong("%u groups along y, %u along z", g->groups[1], g->groups[2]);
    if (most_threads && (uint64_t)g->groups[0] * g->local > most_threads)
        fs_wrong("%u groups of %u threads", g->groups[0], g->local);
    if (whole >= (uint64_t)1 << 32)
        fs_wrong("%llu groups", (unsigned long long)whole);
    if (g->local == 0 || g->local > shader->local ||
        (shader->local_fixed && g->local != shader->local))
        fs_wrong("%s has %u threads a group, and not %u", g->shader->task->name, g->local,
                 shader->local);
    if (g->param_bytes > 4096 || g->param_bytes % 8)
        fs_wrong("%u bytes of parameters", g->param_bytes);
}

static slip_status launch(void *self, void *stream, const stream_kernel *kernel, const void *params,
                          uint32_t param_bytes, const uint32_t groups[3], uint32_t local)
{
    (void)self;
    slip_status status = fs_begin("launch", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK) {
        fs_op op = { .kind = FS_LAUNCH, .own = malloc(param_bytes + 1) };
        if (!op.own)
            abort();
        memcpy(op.own, params, param_bytes);
        op.grid = (fake_grid){ .shader = kernel->function,
                               .params = op.own,
                               .param_bytes = param_bytes,
                               .groups = { groups[0], groups[1], groups[2] },
                               .local = local };
        check_grid(&op.grid);
        if (is_captured(stream, NULL)) {
            fs.captured_launches++;
            free(op.own);
        } else {
            fs_queue(stream, op);
        }
    }
    return fs_end(status);
}

static void check_copy(const void *host, const void *device, uint64_t bytes)
{
    const fs_memory *h = fs_memory_at(host, bytes), *d = fs_memory_at(device, bytes);

    if (!h || !h->host)
        fs_wrong("a queued copy of %llu bytes that are not pinned", (unsigned long long)bytes);
    if (!d)
        fs_wrong("a copy of %llu bytes that are in no memory", (unsigned long long)bytes);
}

static slip_status upload(void *self, void *stream, uint64_t to, const void *from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("upload", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !is_captured(stream, "a copy")) {
        check_copy(from, (void *)(uintptr_t)to, bytes);
        fs_queue(stream, (fs_op){ .kind = FS_UPLOAD,
                                  .to = (void *)(uintptr_t)to,
                                  .from = from,
                                  .bytes = bytes });
    }
    return fs_end(status);
}

static slip_status download(void *self, void *stream, void *to, uint64_t from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("download", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !is_captured(stream, "a copy")) {
        check_copy(to, (void *)(uintptr_t)from, bytes);
        fs_queue(stream, (fs_op){ .kind = FS_DOWNLOAD,
                                  .to = to,
                                  .from = (void *)(uintptr_t)from,
                                  .bytes = bytes });
    }
    return fs_end(status);
}

static slip_status zero(void *self, void *stream, uint64_t address, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("zero", stream, SLIP_ERR_DEVICE);
    if (status == SLIP_OK && !is_captured(stream, "zeroing"))
        fs_queue(stream,
                 (fs_op){ .kind = FS_ZERO, .to = (void *)(uintptr_t)address, .bytes = bytes });
    return fs_end(status);
}

/* The source is read now; the copy may run later (CUDA: "the DMA to the final destination may not
 * have completed"). */
static slip_status upload_blocking(void *self, uint64_t to, const void *from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("upload_blocking", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK) {
        hold_on();
        fs_op op = {
            .kind = FS_UPLOAD, .to = (void *)(uintptr_t)to, .bytes = bytes, .own = malloc(bytes + 1)
        };
        if (!op.own)
            abort();
        memcpy(op.own, from, bytes);
        op.from = op.own;
        fs_queue(fs.standard, op);
    }
    return fs_end(status);
}

static slip_status download_blocking(void *self, void *to, uint64_t from, uint64_t bytes)
{
    (void)self;
    slip_status status = fs_begin("download_blocking", NULL, SLIP_ERR_DEVICE);
    fs.waits++;
    if (status == SLIP_OK) {
        hold_on();
        fs_queue(fs.standard, (fs_op){ .kind = FS_DOWNLOAD,
                                       .to = to,
                                       .from = (void *)(uintptr_t)from,
                                       .bytes = bytes });
        fs_run(fs.standard, fs.standard->queued);
        fs_learn(&fs.standard->clock);
    }
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
        hold_on();
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
    (void)is_captured(s, "a wait");
    if (status == SLIP_OK) {
        hold_on();
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
    .launch = launch,
    .upload = upload,
    .download = download,
    .zero = zero,
    .upload_blocking = upload_blocking,
    .download_blocking = download_blocking,
    .event_new = event_new,
    .event_drop = event_drop,
    .record = record,
    .stream_after = stream_after,
    .event_passed = event_passed,
    .event_wait = event_wait,
    .stream_passed = stream_passed,
    .stream_wait = stream_wait,
};
