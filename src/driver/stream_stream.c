/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_stream.c - streams, and what is queued on them.
 *
 * What is queued allocates nothing here and waits for nothing.
 */
#include "base/fail.h"
#include "base/mem.h"
#include "driver/stream_device.h"

/* A call about a stream; its status. */
#define CALL_ON(device, s, slot, ...)                                                              \
    stream_checked((device), (device)->api->slot(__VA_ARGS__), STREAM_SLOT_##slot, (s)->foreign,   \
                   __FILE__, __LINE__)

/* ---- streams --------------------------------------------------------------------------------- */

/* NULL is the legacy stream: stream_api.h names functions for which it is. */
static slip_status fill(stream_device *device, bool is_default, stream_stream *made)
{
    api_capture_mode mode;

    if (is_default)
        return stream_alive(device);
    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = STREAM_CALL(device, stream_new, &made->handle,
                                     device->vendor->flags[STREAM_FLAG_STREAM_NEW]);
    stream_end(device, mode);
    made->owned = true;
    return status;
}

slip_status stream_stream_open(void *self, bool is_default, void **out)
{
    stream_stream *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = fill(self, is_default, made);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

/* CU_STREAM_LEGACY, CU_STREAM_PER_THREAD: the handles that name no stream of their own; HIP's are
 * the same. */
enum { HANDLE_LEGACY = 1, HANDLE_PER_THREAD = 2 };

/* A driver that is too old to be asked refuses what is queued on a stream of another device. */
static slip_status check_device(stream_device *device, api_stream handle)
{
    api_device of = device->physical->handle;
    api_context context = device->context;

    SLIP_TRY(stream_alive(device));
    if (device->api->stream_device)
        SLIP_TRY(STREAM_CALL(device, stream_device, handle, &of));
    if (of != device->physical->handle)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT, "the stream belongs to device %d, not to %s:%u", of,
                         device->vendor->name, device->index);
    if (device->api->stream_context)
        SLIP_TRY(STREAM_CALL(device, stream_context, handle, &context));
    if (context != device->context)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "the stream belongs to a context of its maker's, not to the primary one "
                         "of %s:%u (cuDevicePrimaryCtxRetain), where calls run",
                         device->vendor->name, device->index);
    return SLIP_OK;
}

slip_status stream_stream_wrap(void *self, void *foreign, void **out)
{
    stream_device *device = self;
    stream_stream *made = NULL;

    if ((uintptr_t)foreign == HANDLE_PER_THREAD)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "%s's per-thread default stream (handle 2) is another stream on each "
                         "thread; give one that was made, or NULL for the default stream",
                         device->vendor->title);
    if ((uintptr_t)foreign == HANDLE_LEGACY)
        foreign = NULL; /* as older libraries of HIP know it */
    SLIP_TRY(check_device(device, foreign));
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    *made = (stream_stream){ .handle = foreign, .foreign = true };
    *out = made;
    return SLIP_OK;
}

void *stream_stream_native(void *stream)
{
    return ((const stream_stream *)stream)->handle;
}

void stream_stream_close(void *self, void *stream)
{
    stream_device *device = self;
    stream_stream *s = stream;
    stream_closing closing;

    if (!s)
        return;
    if (s->owned && stream_closing_begin(device, &closing))
        stream_closing_end(device, &closing, device->api->stream_drop(s->handle));
    mem_free(s);
}

slip_status stream_stream_captured(void *self, void *stream, bool *out)
{
    stream_device *device = self;
    const stream_stream *s = stream;
    api_capture_status status = 0;

    SLIP_TRY(stream_alive(device));
    SLIP_TRY(CALL_ON(device, s, stream_captured, s->handle, &status));
    *out = status != 0;
    return SLIP_OK;
}

/* ---- queued ---------------------------------------------------------------------------------- */

__attribute__((hot)) slip_status stream_stream_launch(void *self, void *stream,
                                                      const stream_kernel *kernel,
                                                      const void *params, uint32_t param_bytes,
                                                      const uint32_t groups[3], uint32_t local)
{
    stream_device *device = self;
    const stream_stream *s = stream;
    void *values[] = { (void *)(uintptr_t)params }; /* the kernel's one parameter; read only */

    (void)param_bytes; /* the code says how many it takes */
    SLIP_TRY(stream_alive(device));
    return CALL_ON(device, s, launch, kernel->function, groups[0], groups[1], groups[2], local, 1,
                   1, 0, s->handle, values, NULL);
}

slip_status stream_stream_upload(void *self, void *stream, uint64_t to, const void *from,
                                 uint64_t bytes)
{
    stream_device *device = self;
    const stream_stream *s = stream;

    SLIP_TRY(stream_alive(device));
    return CALL_ON(device, s, upload_queued, to, from, bytes, s->handle);
}

slip_status stream_stream_download(void *self, void *stream, void *to, uint64_t from,
                                   uint64_t bytes)
{
    stream_device *device = self;
    const stream_stream *s = stream;

    SLIP_TRY(stream_alive(device));
    return CALL_ON(device, s, download_queued, to, from, bytes, s->handle);
}

slip_status stream_stream_zero(void *self, void *stream, uint64_t address, uint64_t bytes)
{
    stream_device *device = self;
    const stream_stream *s = stream;

    SLIP_TRY(stream_alive(device));
    return CALL_ON(device, s, fill_queued, address, 0, bytes, s->handle);
}

/* ---- blocking -------------------------------------------------------------------------------- */

slip_status stream_copy_up(void *self, uint64_t to, const void *from, uint64_t bytes)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = STREAM_CALL(device, upload, to, from, bytes);
    stream_end(device, mode);
    return status;
}

slip_status stream_copy_down(void *self, void *to, uint64_t from, uint64_t bytes)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = STREAM_CALL(device, download, to, from, bytes);
    stream_end(device, mode);
    return status;
}
