/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream.c - streams: a lock, the family's stream, and what each entry's last call found.
 *
 * A call holds the stream's lock while its steps are queued, and not while the host waits for the
 * last of them. Streams order nothing between them but by events.
 */
#include "base/fail.h"
#include "base/mem.h"
#include "runtime/bind.h"
#include "runtime/retire.h"
#include "runtime/trace.h"

void stream_lock_taken(slip_stream *stream)
{
    uint64_t from = counters_now();
    pthread_mutex_lock(&stream->lock);
    counters_add_shared(&stream->counts.host_blocked_ns, counters_now() - from);
}

void stream_unlock_wanted(slip_stream *stream)
{
    retire_note(stream);
    pthread_mutex_unlock(&stream->lock);
}

void stream_pin(slip_stream *stream)
{
    stream->pins++;
}

void stream_unpin(slip_stream *stream)
{
    if (--stream->pins == 0)
        pthread_cond_broadcast(&stream->device->unpinned);
}

static void link_stream(slip_stream *stream)
{
    slip_device *device = stream->device;

    pthread_mutex_lock(&device->lock);
    stream->seen_era = device->era;
    stream->next = device->streams;
    if (device->streams)
        device->streams->previous = stream;
    device->streams = stream;
    pthread_mutex_unlock(&device->lock);
}

/* What a stream is made over. */
typedef struct stream_base {
    bool is_default, wraps;
    void *native;
} stream_base;

static slip_status open_base(slip_stream *made, const stream_base *base)
{
    void *device = made->device->self;

    return base->wraps
               ? made->family->stream_wrap(device, base->native, &made->counts, &made->self)
               : made->family->stream_open(device, base->is_default, &made->counts, &made->self);
}

static slip_status create(slip_device *device, const stream_base *base, slip_stream **out)
{
    slip_stream *made = NULL;

    SLIP_TRY(mem_new_aligned(sizeof *made, MEM_LINE, (void **)&made));
    if (pthread_mutex_init(&made->lock, NULL) != 0) {
        mem_free_aligned(made);
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the lock of a stream");
    }
    made->device = device;
    made->family = device->family;
    made->is_default = base->is_default;
    made->shared = base->wraps;
    slip_status status = open_base(made, base);
    if (status != SLIP_OK) {
        pthread_mutex_destroy(&made->lock);
        mem_free_aligned(made);
        return status;
    }
    link_stream(made);
    *out = made;
    return SLIP_OK;
}

slip_status stream_create(slip_device *device, bool is_default, slip_stream **out)
{
    return create(device, &(stream_base){ .is_default = is_default }, out);
}

static void keep_counts(slip_stream *stream)
{
    counters *own = &stream->device->own;
    slip_stats sum = { 0 };

    counters_sum(&sum, &stream->counts);
#define KEEP_(name, text) counters_add(&own->name, sum.name);
    SLIP_STATS_ROWS(KEEP_)
#undef KEEP_
}

/* Takes the device's lock once nobody waits for a mark of the stream, and none can be found any
 * more. */
static void lock_unpinned(slip_stream *stream)
{
    slip_device *device = stream->device;

    for (;;) {
        pthread_mutex_lock(&device->lock);
        pthread_mutex_lock(&device->points);
        event_forget_stream(stream);
        if (stream->pins == 0)
            break;
        pthread_mutex_unlock(&device->lock);
        pthread_cond_wait(&device->unpinned, &device->points);
        pthread_mutex_unlock(&device->points);
    }
    pthread_mutex_unlock(&device->points);
}

/* A wait that fails stays recorded: the device is lost, and nothing of it runs any more. */
void stream_destroy(slip_stream *stream)
{
    slip_device *device = stream->device;

    slip_status status = stream_sync(stream);
    (void)status;
    lock_unpinned(stream);
    keep_counts(stream);
    if (stream->previous)
        stream->previous->next = stream->next;
    else
        device->streams = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    retire_sweep(device);
    pthread_mutex_unlock(&device->lock);

    for (size_t k = 0; k < stream->binding_capacity; k++)
        bind_drop(stream->bindings[k]);
    mem_free(stream->bindings);
    stream->family->stream_close(stream->self);
    pthread_mutex_destroy(&stream->lock);
    mem_free_aligned(stream);
}

/* `shared`: what other code has queued counts too: a mark is behind it. */
static slip_status sync_behind(slip_stream *stream, bool shared)
{
    slip_status status = SLIP_OK;
    uint64_t mark = 0;
    void *rest = NULL;

    stream_lock(stream); /* another thread may be queueing a call */
    if (shared && stream->shared)
        status = stream->family->mark(stream->self, &mark);
    if (status == SLIP_OK)
        status = stream->family->stream_sync(stream->self, &rest);
    stream_unlock(stream);
    return rest ? stream->family->finish(stream->self, rest) : status;
}

slip_status stream_sync(slip_stream *stream)
{
    return sync_behind(stream, false);
}

__attribute__((hot)) slip_stream *slip_default(slip_device *device)
{
    return device ? device->standard : NULL;
}

slip_status slip_stream_create(slip_device *device, slip_stream **out)
{
    runtime_enter();
    if (!device || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_stream_create: the %s is NULL",
                         device ? "place for the stream" : "device");
    return stream_create(device, false, out);
}

/* ---- streams of other code ------------------------------------------------------------------- */

static slip_status check_shares(const slip_device *device, const char *where)
{
    if (device->family->no_native_streams)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "%s: %s shares no streams with other code: %s",
                         where, device->family->name, device->family->no_native_streams);
    return SLIP_OK;
}

slip_status slip_stream_wrap(slip_device *device, void *native, slip_stream **out)
{
    runtime_enter();
    if (!device || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_stream_wrap: the %s is NULL",
                         device ? "place for the stream" : "device");
    SLIP_TRY(check_shares(device, "slip_stream_wrap"));
    slip_status status = create(device, &(stream_base){ .wraps = true, .native = native }, out);
    if (status != SLIP_OK)
        fail_note("in slip_stream_wrap");
    return status;
}

/* Calls that see the new generation look for their plans again: those are of a stream that other
 * code queues on, from now on. The stream's lock is held. */
static void *share(slip_stream *stream)
{
    if (!stream->shared)
        atomic_fetch_add(&stream->device->generation, 1);
    stream->shared = true;
    return stream->family->stream_native(stream->self);
}

slip_status slip_stream_native(slip_stream *stream, void **out)
{
    runtime_enter();
    if (!stream || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_stream_native: the %s is NULL",
                         stream ? "place for the handle" : "stream");
    SLIP_TRY(check_shares(stream->device, "slip_stream_native"));
    stream_lock(stream);
    *out = share(stream);
    stream_unlock(stream);
    return SLIP_OK;
}

/* The default stream belongs to the device and ends with it. */
void slip_stream_destroy(slip_stream *stream)
{
    if (stream && !stream->is_default)
        stream_destroy(stream);
}

slip_status slip_stream_sync(slip_stream *stream)
{
    runtime_enter();
    if (!stream)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_stream_sync: the stream is NULL");
    uint64_t from = trace_active() ? counters_now() : 0;
    slip_status status = sync_behind(stream, true);
    if (from)
        trace_call(stream, "slip_stream_sync", from, counters_now());
    return status;
}

slip_device *slip_stream_device(slip_stream *stream)
{
    return stream ? stream->device : NULL;
}
