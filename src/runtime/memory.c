/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - device memory, pinned memory, kept ranges, wrapped memory, and copies between them.
 *
 * On the CPU device memory is ordinary memory, but the rules are those of every device: what is not
 * known to the present table is refused where device memory is asked for, and a kept range has a
 * mirror of its own. Freed memory goes back when no call can be using it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "runtime/present.h"
#include "runtime/trace.h"

/* Driver memory for a range, with what later retires it. A full device is trimmed once. */
static slip_status new_memory(slip_device *device, uint64_t bytes, present_memory **out)
{
    present_memory *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = device->driver->alloc(device->self, bytes ? bytes : 1, &made->memory);
    if (status == SLIP_ERR_MEMORY && slip_device_trim(device) == SLIP_OK) {
        fail_clear();
        status = device->driver->alloc(device->self, bytes ? bytes : 1, &made->memory);
    }
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

static void drop_new(slip_device *device, present_memory *memory)
{
    device->driver->free(device->self, memory->memory);
    mem_free(memory);
}

static slip_status add_range(slip_device *device, present_range range, present_memory *memory)
{
    pthread_mutex_lock(&device->lock);
    slip_status status = present_add(device, range, memory);
    if (status == SLIP_OK && memory) {
        counters_add(&device->own.allocations, 1);
        counters_add(&device->own.driver_calls, 1);
    }
    pthread_mutex_unlock(&device->lock);
    return status;
}

static slip_status check_bytes(const slip_device *device, const void *out, uint64_t bytes,
                               const char *where)
{
    if (!device || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where,
                         device ? "memory" : "device");
    if (bytes > (uint64_t)PTRDIFF_MAX)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "%s: no device has %" PRIu64 " bytes", where, bytes);
    return SLIP_OK;
}

static slip_status alloc_as(slip_device *device, uint64_t bytes, present_kind kind, void **out)
{
    present_memory *made = NULL;

    SLIP_TRY(check_bytes(device, out, bytes, present_kind_text(kind)));
    SLIP_TRY(new_memory(device, bytes, &made));
    void *memory = made->memory;
    present_range range = { kind, (uintptr_t)memory, bytes, (uintptr_t)memory };
    slip_status status = add_range(device, range, made);
    if (status != SLIP_OK) {
        drop_new(device, made);
        return status;
    }
    *out = memory;
    return SLIP_OK;
}

/* Frees cannot fail; a wrong address is left alone and recorded for slip_last_error. */
static bool remove_range(slip_device *device, void *memory, present_kind kind, const char *where)
{
    if (!device || !memory)
        return true;
    pthread_mutex_lock(&device->lock);
    bool found = present_remove(device, (uintptr_t)memory, kind);
    pthread_mutex_unlock(&device->lock);
    if (!found)
        (void)SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: nothing that %s gave begins at %p", where,
                        present_kind_text(kind), memory);
    return found;
}

slip_status slip_alloc(slip_device *device, uint64_t bytes, void **out)
{
    runtime_enter();
    return alloc_as(device, bytes, PRESENT_RESIDENT, out);
}

void slip_free(slip_device *device, void *memory)
{
    remove_range(device, memory, PRESENT_RESIDENT, "slip_free");
}

slip_status slip_host_alloc(slip_device *device, uint64_t bytes, void **out)
{
    runtime_enter();
    return alloc_as(device, bytes, PRESENT_PINNED, out);
}

void slip_host_free(slip_device *device, void *memory)
{
    remove_range(device, memory, PRESENT_PINNED, "slip_host_free");
}

slip_status slip_wrap(slip_device *device, void *native, uint64_t bytes, void **out)
{
    runtime_enter();
    if (!device || !native || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_wrap: the %s is NULL",
                         !device   ? "device"
                         : !native ? "memory"
                                   : "place for the address");
    SLIP_TRY(add_range(
        device, (present_range){ PRESENT_WRAPPED, (uintptr_t)native, bytes, (uintptr_t)native },
        NULL));
    *out = native;
    return SLIP_OK;
}

void slip_unwrap(slip_device *device, void *memory)
{
    remove_range(device, memory, PRESENT_WRAPPED, "slip_unwrap");
}

/* ---- kept ranges ----------------------------------------------------------------------------- */

static void count_copy(counters *counts, bool up, uint64_t bytes)
{
    counters_add(up ? &counts->uploads : &counts->downloads, 1);
    counters_add(up ? &counts->upload_bytes : &counts->download_bytes, bytes);
}

slip_status slip_keep(slip_device *device, void *memory, uint64_t bytes)
{
    present_memory *mirror = NULL;

    runtime_enter();
    SLIP_TRY(check_bytes(device, memory, bytes, "slip_keep"));
    if (bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_keep: %" PRIu64 " bytes at %p are no range to keep", bytes, memory);
    SLIP_TRY(new_memory(device, bytes, &mirror));
    present_range range = { PRESENT_KEPT, (uintptr_t)memory, bytes, (uintptr_t)mirror->memory };
    uint64_t from = trace_active() ? counters_now() : 0;
    memcpy(mirror->memory, memory, bytes);
    if (from)
        trace_copy(NULL, "slip_keep", bytes, from, counters_now());
    slip_status status = add_range(device, range, mirror);
    if (status != SLIP_OK) {
        drop_new(device, mirror);
        return status;
    }
    pthread_mutex_lock(&device->lock);
    count_copy(&device->own, true, bytes);
    pthread_mutex_unlock(&device->lock);
    return SLIP_OK;
}

slip_status slip_unkeep(slip_device *device, void *memory)
{
    runtime_enter();
    if (!device || !memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_unkeep: the %s is NULL",
                         device ? "memory" : "device");
    return remove_range(device, memory, PRESENT_KEPT, "slip_unkeep") ? SLIP_OK : SLIP_ERR_ARGUMENT;
}

/* The stream's lock is held. */
static slip_status move_kept(slip_stream *stream, const void *memory, bool up, const char *where)
{
    present_range range = { .kind = PRESENT_NONE };

    SLIP_TRY(present_find(stream->device, (uintptr_t)memory, 1, where, &range));
    if (range.kind != PRESENT_KEPT)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: %p lies in no range kept by slip_keep%s%s", where,
                         memory, range.kind == PRESENT_NONE ? "" : "; it is of ",
                         range.kind == PRESENT_NONE ? "" : present_kind_text(range.kind));
    uint64_t from = trace_active() ? counters_now() : 0;
    if (up)
        memcpy((void *)range.device, (const void *)range.start, range.bytes);
    else
        memcpy((void *)range.start, (const void *)range.device, range.bytes);
    count_copy(&stream->counts, up, range.bytes);
    if (from)
        trace_copy(stream, where, range.bytes, from, counters_now());
    return SLIP_OK;
}

static slip_status check_stream(const slip_stream *stream, const void *memory, const char *where)
{
    if (!stream || !memory)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the %s is NULL", where,
                         stream ? "memory" : "stream");
    return SLIP_OK;
}

slip_status slip_push(slip_stream *stream, const void *memory)
{
    runtime_enter();
    SLIP_TRY(check_stream(stream, memory, "slip_push"));
    stream_lock(stream);
    slip_status status = move_kept(stream, memory, true, "slip_push");
    stream_unlock(stream);
    return status;
}

slip_status slip_fetch(slip_stream *stream, void *memory)
{
    runtime_enter();
    SLIP_TRY(check_stream(stream, memory, "slip_fetch"));
    stream_lock(stream);
    slip_status status = move_kept(stream, memory, false, "slip_fetch");
    stream_unlock(stream);
    return status;
}

slip_status slip_native(slip_device *device, void *memory, void **out)
{
    present_range range = { .kind = PRESENT_NONE };

    runtime_enter();
    if (!device || !memory || !out)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "slip_native: the %s is NULL",
                         !device   ? "device"
                         : !memory ? "memory"
                                   : "place for the address");
    pthread_mutex_lock(&device->lock);
    slip_status status = present_find(device, (uintptr_t)memory, 1, "slip_native", &range);
    pthread_mutex_unlock(&device->lock);
    SLIP_TRY(status);
    if (range.kind == PRESENT_NONE || range.kind == PRESENT_PINNED)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "slip_native: %p is not memory of slip_alloc, slip_wrap or slip_keep",
                         memory);
    *out = (void *)(range.device + ((uintptr_t)memory - range.start));
    return SLIP_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The stream's lock is held. `memory` is the side on the device. */
static slip_status copy_device(slip_stream *stream, const void *memory, void *to, const void *from,
                               uint64_t bytes, bool up)
{
    const char *where = up ? "slip_upload" : "slip_download";
    present_range range = { .kind = PRESENT_NONE };

    SLIP_TRY(present_find(stream->device, (uintptr_t)memory, bytes, where, &range));
    if (range.kind != PRESENT_RESIDENT && range.kind != PRESENT_WRAPPED)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "%s: %" PRIu64 " bytes at %p are not memory of slip_alloc or slip_wrap",
                         where, bytes, memory);
    uint64_t start = trace_active() ? counters_now() : 0;
    memmove(to, from, bytes);
    count_copy(&stream->counts, up, bytes);
    if (start)
        trace_copy(stream, where, bytes, start, counters_now());
    return SLIP_OK;
}

static slip_status copy(slip_stream *stream, void *to, const void *from, uint64_t bytes, bool up)
{
    const char *where = up ? "slip_upload" : "slip_download";

    runtime_enter();
    if (!stream)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the stream is NULL", where);
    if (bytes == 0)
        return SLIP_OK;
    if (!to || !from)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "%s: the memory to copy %s is NULL", where,
                         to ? "from" : "to");
    stream_lock(stream);
    slip_status status = copy_device(stream, up ? to : from, to, from, bytes, up);
    stream_unlock(stream);
    return status;
}

slip_status slip_upload(slip_stream *stream, void *to, const void *from, uint64_t bytes)
{
    return copy(stream, to, from, bytes, true);
}

slip_status slip_download(slip_stream *stream, void *to, const void *from, uint64_t bytes)
{
    return copy(stream, to, from, bytes, false);
}
