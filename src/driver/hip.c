/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hip.c - AMD devices, through HIP: what of the stream family is HIP's own.
 *
 * It rests on HIP's documentation and headers. Not run on hardware.
 */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "driver/stream_device.h"

#define BOTH_(slot, params, cuda, hip) [STREAM_SLOT_##slot] = { #hip, false },
#define BOTH_OPTIONAL_(slot, params, cuda, hip) [STREAM_SLOT_##slot] = { #hip, true },
#define OWN_(slot, params, name) [STREAM_SLOT_##slot] = { #name, false },
#define OWN_OPTIONAL_(slot, params, name) [STREAM_SLOT_##slot] = { #name, true },
#define OWN_TYPE_(type, slot, params, name) [STREAM_SLOT_##slot] = { #name, false },
/* clang-format off */
static const stream_symbol symbols[STREAM_SLOT_COUNT] = {
    STREAM_SYMBOLS(BOTH_)
    STREAM_OPTIONAL_SYMBOLS(BOTH_OPTIONAL_)
    HIP_SYMBOLS(OWN_, OWN_TYPE_)
    HIP_OPTIONAL_SYMBOLS(OWN_OPTIONAL_)
};
/* clang-format on */

#define CODE_BOTH_(code, status, cuda, hip) { code, status },
#define CODE_OWN_(code, status, name) { code, status },
static const stream_code_row codes[] = { STREAM_CODES(CODE_BOTH_) HIP_CODES(CODE_OWN_) };

#define NUMBER_(name, cuda, hip, cuda_name, hip_name) hip,
static const int attributes[] = { STREAM_ATTRIBUTES(NUMBER_) };
static const unsigned flags[] = { STREAM_FLAGS(NUMBER_) };

static void explain(const stream_api *api, int code, const char **out_name, const char **out_text)
{
    *out_name = api->hip_error_name(code);
    *out_text = api->hip_error_text(code);
    *out_name = *out_name ? *out_name : "a code that HIP does not know";
    *out_text = *out_text ? *out_text : "which it does not explain";
}

/* ---- which code a device takes --------------------------------------------------------------- */

/* Code objects run on the level they are made for (LLVM, "User Guide for AMDGPU Backend",
 * processors). */
static const char *const levels[] = { "gfx90a", "gfx942", "gfx1030", "gfx1100" };

/* hipDeviceProp_t: its size, with room for what is added at its end, and where gcnArchName lies in
 * the two layouts that hip_runtime_api.h has had, before ROCm 6 and since. */
enum { PROPERTY_BYTES = 8192, LEVEL_BYTES = 256, LEVEL_R0000 = 396, LEVEL_R0600 = 1160 };

static slip_status read_level(const stream_library *library, int index, char out[LEVEL_BYTES])
{
    _Alignas(16) char properties[PROPERTY_BYTES] = "";
    size_t at = LEVEL_R0000;

    if (library->api.properties_r0600) {
        SLIP_TRY(STREAM_LIBRARY_CALL(library, properties_r0600, properties, index));
        at = LEVEL_R0600;
    } else if (library->api.properties_r0000) {
        SLIP_TRY(STREAM_LIBRARY_CALL(library, properties_r0000, properties, index));
    }
    memcpy(out, properties + at, LEVEL_BYTES);
    out[LEVEL_BYTES - 1] = '\0';
    return SLIP_OK;
}

/* "gfx90a:sramecc+:xnack-" is of level gfx90a; code that does not name a feature runs with it on or
 * off. Parameters of a kernel: what HIP takes has no documented limit; CUDA's is assumed. */
static slip_status look(const stream_library *library, int index, stream_physical *out)
{
    char level[LEVEL_BYTES];

    SLIP_TRY(read_level(library, index, level));
    snprintf(out->level, sizeof out->level, "%.63s", level[0] ? level : "an unnamed level");
    out->param_bytes = 4096;
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++)
        if (strlen(levels[k]) == strcspn(level, ":") &&
            strncmp(levels[k], level, strlen(levels[k])) == 0)
            out->info.targets[out->info.target_count++] = levels[k];
    return SLIP_OK;
}

/* ---- what is current ------------------------------------------------------------------------- */

static slip_status retain(stream_device *device)
{
    (void)device; /* HIP keeps a device's context by itself */
    return SLIP_OK;
}

static void release(stream_device *device)
{
    (void)device;
}

static __attribute__((hot)) slip_status enter(stream_device *device, stream_guard *out)
{
    int now = 0, wanted = (int)device->index;

    SLIP_TRY(STREAM_CALL(device, device_current, &now));
    if (now != wanted)
        SLIP_TRY(STREAM_CALL(device, device_select, wanted));
    *out = (stream_guard){ .before = (void *)(intptr_t)now, .changed = now != wanted };
    return SLIP_OK;
}

static void leave(stream_device *device, const stream_guard *guard)
{
    (void)device->api->device_select((int)(intptr_t)guard->before);
}

const stream_vendor hip_vendor = {
    .name = "hip",
    .title = "HIP",
    .variable = "SLIPWAY_HIP_LIBRARY",
    .libraries = { "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5" },
    .symbols = symbols,
    .codes = codes,
    .code_count = sizeof codes / sizeof codes[0],
    .attributes = attributes,
    .flags = flags,
    .level_word = "level",
    .version_units = { 10000000, 100000 }, /* as HIP_VERSION of hip_version.h */
    .max_threads = UINT32_MAX,             /* hipModuleLaunchKernel: fewer than 2^32 an axis */
    .rerecords = false, /* hipEventRecord: undefined where the event is still pending */
    .text_code = false,
    .type_of_device = { 1, 2, 60000000 }, /* hipMemoryTypeDevice, of ROCm 5 and since ROCm 6 */
    .query_is_no_wait = true,             /* hipStreamQuery says nothing of what the host sees */
    .explain = explain,
    .look = look,
    .retain = retain,
    .release = release,
    .enter = enter,
    .leave = leave,
};
