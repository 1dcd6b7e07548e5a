/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_memory.c - memory of the device, and the host's memory pinned for it.
 *
 * Plain allocations only: memory of a stream-ordered pool would belong to one stream.
 */
#include <inttypes.h>

#include "base/fail.h"
#include "driver/stream_device.h"

static slip_status new_device(stream_device *device, uint64_t bytes, stream_memory *out)
{
    api_address address = 0;

    SLIP_TRY(STREAM_CALL(device, memory_new, &address, bytes));
    *out = (stream_memory){ .address = address, .bytes = bytes };
    return SLIP_OK;
}

static slip_status new_pinned(stream_device *device, uint64_t bytes, stream_memory *out)
{
    api_address address = 0;
    void *host = NULL;

    SLIP_TRY(
        STREAM_CALL(device, host_new, &host, bytes, device->vendor->flags[STREAM_FLAG_HOST_NEW]));
    slip_status status = STREAM_CALL(device, host_address, &address, host, 0);
    if (status != SLIP_OK) {
        (void)device->api->host_free(host);
        return status;
    }
    *out = (stream_memory){ .address = address, .host = host, .bytes = bytes };
    return SLIP_OK;
}

slip_status stream_memory_alloc(void *self, uint64_t bytes, stream_memory_kind kind,
                                stream_memory *out)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = kind == STREAM_MEMORY_DEVICE ? new_device(device, bytes, out)
                                                      : new_pinned(device, bytes, out);
    stream_end(device, mode);
    if (status != SLIP_OK)
        fail_note("while allocating %" PRIu64 " bytes", bytes);
    return status;
}

void stream_memory_free(void *self, stream_memory *memory)
{
    stream_device *device = self;
    stream_closing closing;

    if (memory->address != 0 && stream_closing_begin(device, &closing))
        stream_closing_end(device, &closing,
                           memory->host ? device->api->host_free(memory->host)
                                        : device->api->memory_free(memory->address));
    *memory = (stream_memory){ 0 };
}

/* Handle 1 is the legacy stream by name: NULL is no owner. */
void stream_memory_owned(void *self, void *stream, uint64_t address, uint64_t bytes)
{
    const stream_device *device = self;
    const stream_stream *s = stream;

    if (!device->library->owned)
        return;
    api_stream legacy = (api_stream)(uintptr_t)1;
    device->library->owned(s && s->handle ? s->handle : s ? legacy : NULL, address, bytes);
}

static slip_status register_host(stream_device *device, void *host, uint64_t bytes,
                                 stream_memory *out)
{
    api_address address = 0;

    SLIP_TRY(STREAM_CALL(device, host_register, host, bytes,
                         device->vendor->flags[STREAM_FLAG_HOST_REGISTER]));
    slip_status status = STREAM_CALL(device, host_address, &address, host, 0);
    if (status != SLIP_OK) {
        (void)device->api->host_unregister(host);
        return status;
    }
    *out = (stream_memory){ .address = address, .host = host, .bytes = bytes };
    return SLIP_OK;
}

slip_status stream_memory_register(void *self, void *host, uint64_t bytes, stream_memory *out)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = register_host(device, host, bytes, out);
    stream_end(device, mode);
    if (status != SLIP_OK)
        fail_note("while pinning %" PRIu64 " bytes", bytes);
    return status;
}

void stream_memory_unregister(void *self, stream_memory *memory)
{
    stream_device *device = self;
    stream_closing closing;

    if (memory->host && stream_closing_begin(device, &closing))
        stream_closing_end(device, &closing, device->api->host_unregister(memory->host));
    *memory = (stream_memory){ 0 };
}

/* ---- memory of others ------------------------------------------------------------------------ */

/* Of what the driver does not know, cuPointerGetAttributes: "default NULL values" and no error, so
 * that a tool which reports the errors of a program's calls reports none; HIP's page does not say,
 * and may refuse. A boolean's size is not told: the rest of what is asked for stays 0. */
static slip_status is_on_device(stream_device *device, const void *pointer, bool *out)
{
    const stream_vendor *vendor = device->vendor;
    api_pointer_attribute which[] = { (int)vendor->flags[STREAM_FLAG_POINTER_TYPE],
                                      (int)vendor->flags[STREAM_FLAG_POINTER_MANAGED] };
    bool later = device->library->version >= vendor->type_of_device.version;
    unsigned wanted = later ? vendor->type_of_device.since : vendor->type_of_device.before;
    uint64_t type = 0, managed = 0;
    void *values[] = { &type, &managed };

    int code = device->api->pointer_attributes(2, which, values, (api_address)(uintptr_t)pointer);
    *out = code == 0 && type == wanted && managed == 0;
    return code == STREAM_CODE_INVALID_VALUE
               ? SLIP_OK
               : stream_checked(device, code, STREAM_SLOT_pointer_attributes, false, __FILE__,
                                __LINE__);
}

slip_status stream_memory_on_device(void *self, const void *pointer, bool *out)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = is_on_device(device, pointer, out);
    stream_end(device, mode);
    return status;
}
