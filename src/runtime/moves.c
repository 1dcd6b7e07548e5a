/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves.c - kept ranges, and copies between host and device that a program asks for.
 *
 * Each copy is in order with the calls of its stream and complete on return. A kept range has a
 * mirror of its own on every device, also where the device could use the host's memory.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "runtime/ranges.h"
#include "runtime/trace.h"

/* A copy between device and host, begun under the stream's lock and ended without it. */
typedef struct moving {
    const char *where; /* the function that was called */
    uint64_t bytes, from;
    void *rest;
} moving;

/* Copies bytes at `at`, in the range, between its memory and the host's. The stream's lock is held.
 */
static slip_status move(slip_stream *stream, moving *m, const launch_memory *memory,
                        uint64_t offset, void *host, uint64_t bytes, bool up)
{
    const launcher *family = stream->family;

    m->bytes = bytes;
    m->from = trace_active() ? counters_now() : 0;
    return up ? family->copy_up(stream->self, memory, offset, host, bytes)
              : family->copy_down(stream->self, host, memory, offset, bytes, &m->rest);
}

/* `told` is the stream, or NULL for a copy of the device's own. */
static slip_status end_move(slip_stream *stream, const slip_stream *told, const moving *m,
                            slip_status status)
{
    if (m->rest)
        status = stream->family->finish(stream->self, m->rest);
    if (m->from && status == SLIP_OK)
        trace_copy(told, m->where, m->bytes, m->from, counters_now());
    if (m->bytes > 0 && status != SLIP_OK)
        fail_note("in %s", m->where);
    return status;
}

/* ---- kept ranges ----------------------------------------------------------------------------- */

slip_status slip_keep(slip_device *device, void *memory, uint64_t bytes)
{
    present_memory *mirror = NULL;
    moving m = { .where = "slip_keep" };

    runtime_enter();
    SLIP_TRY(ranges_check(device, memory, "memory", bytes, "slip_keep"));
    if (bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_keep: %" PRIu64 " bytes at %p are no range to keep", bytes, memory);
    SLIP_TRY(ranges_refuse_device(device, memory, (present_name){ "slip_keep: the range", NULL }));
    SLIP_TRY(ranges_new(device, bytes, LAUNCH_MEMORY_DEVICE, &mirror));
    stream_lock(device->standard);
    slip_status status = move(device->standard, &m, &mirror->memory, 0, memory, bytes, true);
    stream_unlock(device->standard);
    status = end_move(device->standard, NULL, &m, status);
    if (status == SLIP_OK) /* calls on any stream use the mirror from now on */
        status = stream_sync(device->standard);
    if (status != SLIP_OK) {
        ranges_drop(device, mirror);
        return status;
    }
    return ranges_add(device, PRESENT_KEPT, (uintptr_t)memory, bytes, mirror);
}

slip_status slip_unkeep(slip_device *device, void *memory)
{
    runtime_enter();
    if (!device || !memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_unkeep: the %s is NULL",
                         device ? "memory" : "device");
    return ranges_remove(device, memory, PRESENT_KEPT, "slip_unkeep") ? SLIP_OK : SLIP_ERR_ARGUMENT;
}

/* The stream's lock is held. */
static slip_status move_kept(slip_stream *stream, moving *m, const void *memory, bool up)
{
    const char *where = m->where;
    present_range range = { .kind = PRESENT_NONE };

    SLIP_TRY(
        present_find(stream->device, (uintptr_t)memory, 1, (present_name){ where, NULL }, &range));
    if (range.kind != PRESENT_KEPT)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: %p lies in no range kept by slip_keep%s%s", where,
                         memory, range.kind == PRESENT_NONE ? "" : "; it is of ",
                         range.kind == PRESENT_NONE ? "" : present_kind_text(range.kind));
    return move(stream, m, range.memory, 0, (void *)range.start, range.bytes, up);
}

static slip_status push_or_fetch(slip_stream *stream, const void *memory, bool up)
{
    moving m = { .where = up ? "slip_push" : "slip_fetch" };

    runtime_enter();
    if (!stream || !memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", m.where,
                         stream ? "memory" : "stream");
    stream_lock(stream);
    slip_status status = move_kept(stream, &m, memory, up);
    stream_unlock(stream);
    return end_move(stream, stream, &m, status);
}

slip_status slip_push(slip_stream *stream, const void *memory)
{
    return push_or_fetch(stream, memory, true);
}

slip_status slip_fetch(slip_stream *stream, void *memory)
{
    return push_or_fetch(stream, memory, false);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The stream's lock is held. Device memory as the host's side would be a fault of the process on
 * most devices, so that it is refused on all of them. */
static slip_status copy_device(slip_stream *stream, moving *m, const void *device, void *host,
                               uint64_t bytes, bool up)
{
    const char *where = m->where;
    present_range range = { .kind = PRESENT_NONE };

    SLIP_TRY(present_find(stream->device, (uintptr_t)device, bytes, (present_name){ where, NULL },
                          &range));
    if (range.kind != PRESENT_RESIDENT && range.kind != PRESENT_WRAPPED)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s: %" PRIu64 " bytes at %p are not memory of slip_alloc or slip_wrap",
                         where, bytes, device);
    present_kind other = present_kind_at(stream->device, (uintptr_t)host, bytes);
    if (other == PRESENT_RESIDENT || other == PRESENT_WRAPPED)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s: both sides are device memory, also the %" PRIu64
                         " bytes at %p of %s; one must be the host's",
                         where, bytes, host, present_kind_text(other));
    if (other == PRESENT_NONE)
        SLIP_TRY(ranges_refuse_device(stream->device, host,
                                      (present_name){ up ? "slip_upload: the memory to copy from"
                                                         : "slip_download: the memory to copy to",
                                                      NULL }));
    return move(stream, m, range.memory, (uintptr_t)device - range.start, host, bytes, up);
}

static slip_status copy(slip_stream *stream, const void *device, void *host, uint64_t bytes,
                        bool up)
{
    moving m = { .where = up ? "slip_upload" : "slip_download" };

    runtime_enter();
    if (!stream)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the stream is NULL", m.where);
    if (bytes == 0)
        return SLIP_OK;
    if (!device || !host)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the memory to copy %s is NULL", m.where,
                         up == !device ? "to" : "from");
    stream_lock(stream);
    slip_status status = copy_device(stream, &m, device, host, bytes, up);
    stream_unlock(stream);
    return end_move(stream, stream, &m, status);
}

slip_status slip_upload(slip_stream *stream, void *to, const void *from, uint64_t bytes)
{
    return copy(stream, to, (void *)(uintptr_t)from, bytes, true);
}

slip_status slip_download(slip_stream *stream, void *to, const void *from, uint64_t bytes)
{
    return copy(stream, from, to, bytes, false);
}
