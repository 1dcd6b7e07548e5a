/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda.c - NVIDIA devices, through the CUDA driver: what of the stream family is CUDA's own.
 *
 * The device's primary context is used, which the CUDA runtime and other libraries share.
 */
#include <stdio.h>

#include "base/fail.h"
#include "driver/stream_device.h"

#define BOTH_(slot, params, cuda, hip) [STREAM_SLOT_##slot] = { #cuda, false },
#define BOTH_OPTIONAL_(slot, params, cuda, hip) [STREAM_SLOT_##slot] = { #cuda, true },
#define OWN_(slot, params, name) [STREAM_SLOT_##slot] = { #name, false },
#define OWN_OPTIONAL_(slot, params, name) [STREAM_SLOT_##slot] = { #name, true },
/* clang-format off */
static const stream_symbol symbols[STREAM_SLOT_COUNT] = {
    STREAM_SYMBOLS(BOTH_)
    STREAM_OPTIONAL_SYMBOLS(BOTH_OPTIONAL_)
    CUDA_SYMBOLS(OWN_)
    CUDA_OPTIONAL_SYMBOLS(OWN_OPTIONAL_)
};
/* clang-format on */

#define CODE_BOTH_(code, status, cuda, hip) { code, status },
#define CODE_OWN_(code, status, name) { code, status },
static const stream_code_row codes[] = { STREAM_CODES(CODE_BOTH_) CUDA_CODES(CODE_OWN_) };

#define NUMBER_(name, cuda, hip, cuda_name, hip_name) cuda,
static const int attributes[] = { STREAM_ATTRIBUTES(NUMBER_) };
static const unsigned flags[] = { STREAM_FLAGS(NUMBER_) };

static void explain(const stream_api *api, int code, const char **out_name, const char **out_text)
{
    *out_name = *out_text = NULL;
    (void)api->cuda_error_name(code, out_name);
    (void)api->cuda_error_text(code, out_text);
    *out_name = *out_name ? *out_name : "a code that the driver does not know";
    *out_text = *out_text ? *out_text : "which it does not explain";
}

/* Parameters of a kernel: 4096 bytes; 32764 from CUDA 12.1 and compute capability 7.0 on (CUDA
 * programming guide, "Function Parameters"). PTX is compiled for whatever the device is. */
static slip_status look(const stream_library *library, int index, stream_physical *out)
{
    enum { MANY_VERSION = 12010, MANY_MAJOR = 7 };
    const int *has = out->attributes;
    bool many = library->version >= MANY_VERSION && has[STREAM_ATTRIBUTE_MAJOR] >= MANY_MAJOR;

    (void)index;
    snprintf(out->level, sizeof out->level, "%d.%d", has[STREAM_ATTRIBUTE_MAJOR],
             has[STREAM_ATTRIBUTE_MINOR]);
    out->param_bytes = many ? 32764 : 4096;
    out->info.targets[0] = "ptx";
    out->info.target_count = 1;
    return SLIP_OK;
}

static slip_status retain(stream_device *device)
{
    return STREAM_CALL(device, context_retain, &device->context, device->physical->handle);
}

static void release(stream_device *device)
{
    (void)device->api->context_release(device->physical->handle);
}

static __attribute__((hot)) slip_status enter(stream_device *device, stream_guard *out)
{
    api_context now = NULL;

    SLIP_TRY(STREAM_CALL(device, context_current, &now));
    if (now != device->context)
        SLIP_TRY(STREAM_CALL(device, context_push, device->context));
    *out = (stream_guard){ .before = now, .changed = now != device->context };
    return SLIP_OK;
}

/* What was current lies below on the thread's stack of contexts. */
static void leave(stream_device *device, const stream_guard *guard)
{
    api_context popped;

    (void)guard;
    (void)device->api->context_pop(&popped);
}

const stream_vendor cuda_vendor = {
    .name = "cuda",
    .title = "CUDA",
    .variable = "SLIPWAY_CUDA_LIBRARY",
    .libraries = { "libcuda.so.1", "libcuda.so" },
    .symbols = symbols,
    .codes = codes,
    .code_count = sizeof codes / sizeof codes[0],
    .attributes = attributes,
    .flags = flags,
    .level_word = "compute capability",
    .version_units = { 1000, 10 },
    .max_threads = UINT64_MAX,
    .rerecords = true, /* cuEventRecord: waits asked for before are not affected */
    .text_code = true,
    .type_of_device = { 2, 2, 0 }, /* CU_MEMORYTYPE_DEVICE */
    .query_is_no_wait = false,     /* cuStreamQuery: success is equivalent to cuStreamSynchronize */
    .explain = explain,
    .look = look,
    .retain = retain,
    .release = release,
    .enter = enter,
    .leave = leave,
};
