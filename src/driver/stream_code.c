/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_code.c - loads a module's code, and the kernels in it.
 */
#include <stdio.h>

#include "base/fail.h"
#include "driver/stream_device.h"

enum { LOG_BYTES = 2048 };

/* A text is compiled for the device: what its compiler says of an error goes into the message. */
static slip_status load_text(stream_device *device, const uint8_t *bytes, api_code *out)
{
    char log[LOG_BYTES] = "";
    api_option options[] = { (api_option)device->vendor->flags[STREAM_FLAG_LOG],
                             (api_option)device->vendor->flags[STREAM_FLAG_LOG_BYTES] };
    void *values[] = { log, (void *)(uintptr_t)(LOG_BYTES - 1) };

    int code = device->api->code_load(out, bytes, 2, options, values);
    if (code == 0)
        return SLIP_OK;
    return stream_device_fail(device, code, STREAM_SLOT_code_load,
                              &(stream_result_more){ .log = log }, __FILE__, __LINE__);
}

static slip_status load(stream_device *device, const uint8_t *bytes, uint64_t size, void **out)
{
    api_code made = NULL;

    if (!device->vendor->text_code)
        SLIP_TRY(STREAM_CALL(device, code_load, &made, bytes, 0, NULL, NULL));
    else if (size == 0 || bytes[size - 1] != '\0')
        return SLIP_FAIL(SLIP_ERR_FORMAT, "code for %s does not end in a NUL byte",
                         device->vendor->title);
    else
        SLIP_TRY(load_text(device, bytes, &made));
    *out = made;
    return SLIP_OK;
}

slip_status stream_code_load(void *self, const uint8_t *bytes, uint64_t size, void **out)
{
    stream_device *device = self;
    api_capture_mode mode;

    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = load(device, bytes, size, out);
    stream_end(device, mode);
    return status;
}

void stream_code_drop(void *self, void *code)
{
    stream_device *device = self;
    stream_closing closing;

    if (code && stream_closing_begin(device, &closing))
        stream_closing_end(device, &closing, device->api->code_unload(code));
}

/* Code may be loaded lazily: by the first launch, which would then wait. cuFuncLoad loads it now;
 * where the driver is older, asking for an attribute does. */
static slip_status get(stream_device *device, api_code code, const char *name, api_function *out)
{
    int most = 0;

    SLIP_TRY(STREAM_CALL(device, code_function, out, code, name));
    if (device->api->function_load)
        return STREAM_CALL(device, function_load, *out);
    return STREAM_CALL(
        device, function_attribute, &most,
        (api_function_attribute)device->vendor->flags[STREAM_FLAG_FUNCTION_MAX_LOCAL], *out);
}

slip_status stream_code_kernel(void *self, void *code, uint32_t index, stream_kernel *out)
{
    stream_device *device = self;
    api_function function = NULL;
    api_capture_mode mode;
    char name[16];

    snprintf(name, sizeof name, "s%u", index);
    SLIP_TRY(stream_begin(device, &mode));
    slip_status status = get(device, code, name, &function);
    stream_end(device, mode);
    if (status != SLIP_OK) {
        fail_note("while loading entry point %s", name);
        return status;
    }
    *out = (stream_kernel){ .function = function };
    return SLIP_OK;
}
