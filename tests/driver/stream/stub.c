/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub.c - the library of stream_stub.h. Each slot of stream_api.h is one function, under its CUDA
 * and its HIP name. A definition that renames a name takes it out of the library.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "driver/stream_numbers.h"
#include "driver/stream_stub.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern stream_stub stream_stub_state;

#define S stream_stub_state
stream_stub stream_stub_state;
static char contexts[STREAM_STUB_DEVICES];

/* ---- what calls begin with ------------------------------------------------------------------- */

/* Counts the call; whether it is the one to fail. */
static bool fails(int slot)
{
    if (S.only != STREAM_SLOT_COUNT && S.only != slot)
        return false;
    if (++S.calls != S.fail_at)
        return false;
    S.failed = slot;
    return true;
}

static bool is_current(void)
{
    return S.is_hip || S.depth > 0;
}

#define BEGIN(slot)                                                                                \
    if (fails(STREAM_SLOT_##slot))                                                                 \
    return S.code
/* Fills *out though it fails. */
#define BEGIN_OUT(slot, garbage)                                                                   \
    if (fails(STREAM_SLOT_##slot)) {                                                               \
        if (S.scribbles)                                                                           \
            *out = garbage;                                                                        \
        return S.code;                                                                             \
    }
#define NEED_CURRENT()                                                                             \
    if (!is_current())                                                                             \
    return 201
/* What another thread's capture forbids. */
#define NEED_SAFE()                                                                                \
    NEED_CURRENT();                                                                                \
    if (S.capturing && S.mode != 2)                                                                \
    return 900
#define NEED_LEGACY(stream)                                                                        \
    NEED_CURRENT();                                                                                \
    if (S.legacy_taken && !(stream))                                                               \
    return 906

/* What is given back is gone, though the call fails. */
static api_result given_back(int slot)
{
    S.live--;
    return fails(slot) ? S.code : 0;
}

/* HIP does not say that pinned memory has one address for host and device: here it has two. */
#define HIP_PINNED (UINT64_C(1) << 60)

static void *place(uint64_t address)
{
    return (void *)(uintptr_t)(address & ~HIP_PINNED);
}

static void *garbage_pointer(void)
{
    return (void *)(uintptr_t)0xdeadbeefdead;
}

/* ---- devices --------------------------------------------------------------------------------- */

static api_result do_init(unsigned flags)
{
    BEGIN(init);
    return flags != 0;
}

static api_result do_driver_version(int *out)
{
    BEGIN_OUT(driver_version, -1);
    *out = S.version;
    return 0;
}

static api_result do_device_count(int *out)
{
    BEGIN_OUT(device_count, 1000);
    *out = S.device_count;
    return 0;
}

static api_result do_device_get(api_device *out, int index)
{
    BEGIN_OUT(device_get, 77);
    *out = index;
    return 0;
}

static api_result do_device_name(char *out, int room, api_device device)
{
    BEGIN(device_name);
    strncpy(out, device == 0 ? "Stub" : "Second stub", (size_t)room);
    return 0;
}

static api_result do_device_memory(size_t *out, api_device device)
{
    BEGIN_OUT(device_memory, 1);
    *out = ((size_t)8 << 30) + (size_t)device;
    return 0;
}

static api_result do_device_attribute(int *out, api_attribute which, api_device device)
{
    static const int values[STREAM_ATTRIBUTE_COUNT] = {
        [STREAM_ATTRIBUTE_MAX_LOCAL] = 1024,
        [STREAM_ATTRIBUTE_MAX_LOCAL_X] = 512,
        [STREAM_ATTRIBUTE_MAX_GROUPS_X] = 1000000,
        [STREAM_ATTRIBUTE_MAX_GROUPS_Y] = 65535,
        [STREAM_ATTRIBUTE_MAX_GROUPS_Z] = 1024,
        [STREAM_ATTRIBUTE_UNITS] = 40,
        [STREAM_ATTRIBUTE_MINOR] = 5,
        [STREAM_ATTRIBUTE_UNIFIED] = 1,
    };
#define CUDA_(name, cuda, hip, cuda_name, hip_name) cuda,
#define HIP_(name, cuda, hip, cuda_name, hip_name) hip,
    static const int numbers[2][STREAM_ATTRIBUTE_COUNT] = { { STREAM_ATTRIBUTES(CUDA_) },
                                                            { STREAM_ATTRIBUTES(HIP_) } };
    int k = 0;

    (void)device;
    BEGIN_OUT(device_attribute, -1);
    while (k < STREAM_ATTRIBUTE_COUNT && numbers[S.is_hip][k] != which)
        k++;
    if (k == STREAM_ATTRIBUTE_COUNT || (!S.describes && k >= STREAM_ATTRIBUTE_UNIFIED))
        return 1;
    *out = k == STREAM_ATTRIBUTE_MAJOR        ? S.major
           : k == STREAM_ATTRIBUTE_INTEGRATED ? S.integrated
                                              : values[k];
    return 0;
}

static api_result properties(char *out, size_t at)
{
    memset(out, 0, at + 256);
    strncpy(out + at, S.level, 255);
    return 0;
}

static api_result do_properties_r0000(void *out, int index)
{
    (void)index;
    BEGIN(properties_r0000);
    return properties(out, 396);
}

static api_result do_properties_r0600(void *out, int index)
{
    (void)index;
    BEGIN(properties_r0600);
    return properties(out, 1160);
}

/* ---- what is current ------------------------------------------------------------------------- */

static api_result do_context_retain(api_context *out, api_device device)
{
    BEGIN_OUT(context_retain, garbage_pointer());
    if (S.capturing && S.mode != 2)
        return 900;
    S.live++;
    *out = &contexts[device];
    return 0;
}

static api_result do_context_release(api_device device)
{
    (void)device;
    return given_back(STREAM_SLOT_context_release);
}

static api_result do_context_current(api_context *out)
{
    BEGIN_OUT(context_current, garbage_pointer());
    *out = S.depth == 0 ? NULL : &contexts[S.stack[S.depth - 1]];
    return 0;
}

static api_result do_context_push(api_context context)
{
    BEGIN(context_push);
    S.pushes++;
    S.stack[S.depth++] = (int)((char *)context - contexts);
    return 0;
}

static api_result do_context_pop(api_context *out)
{
    BEGIN_OUT(context_pop, garbage_pointer());
    if (S.depth == 0)
        return 201;
    *out = &contexts[S.stack[--S.depth]];
    return 0;
}

static api_result do_stream_context(api_stream stream, api_context *out)
{
    BEGIN_OUT(stream_context, garbage_pointer());
    NEED_CURRENT();
    *out = !stream ? &contexts[S.stack[S.depth - 1]]
           : *(const int *)stream < STREAM_STUB_DEVICES
               ? (api_context)&contexts[*(const int *)stream]
               : garbage_pointer();
    return 0;
}

static api_result do_device_current(int *out)
{
    BEGIN_OUT(device_current, 99);
    *out = S.device;
    return 0;
}

static api_result do_device_select(int index)
{
    BEGIN(device_select);
    S.selects++;
    S.device = index;
    return 0;
}

static api_result do_capture_mode(api_capture_mode *inout)
{
    BEGIN(capture_mode);
    int before = S.mode;
    S.mode = *inout;
    *inout = before;
    return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *new_block(size_t bytes)
{
    S.live++;
    return aligned_alloc(256, (bytes + 255) & ~(size_t)255);
}

static api_result do_memory_new(api_address *out, size_t bytes)
{
    BEGIN_OUT(memory_new, 0xdead00);
    NEED_SAFE();
    *out = (uintptr_t)new_block(bytes);
    return 0;
}

static api_result do_memory_free(api_address address)
{
    NEED_SAFE();
    api_result result = given_back(STREAM_SLOT_memory_free);
    free((void *)(uintptr_t)address);
    return result;
}

static api_result do_host_new(void **out, size_t bytes, unsigned flags)
{
    BEGIN_OUT(host_new, garbage_pointer());
    NEED_SAFE();
    S.host_flags = flags;
    S.pinned++;
    *out = new_block(bytes);
    return 0;
}

static api_result do_host_free(void *host)
{
    NEED_SAFE();
    api_result result = given_back(STREAM_SLOT_host_free);
    S.pinned--;
    free(host);
    return result;
}

static api_result do_host_address(api_address *out, void *host, unsigned flags)
{
    BEGIN_OUT(host_address, 0xdead00);
    NEED_CURRENT();
    *out = (uintptr_t)host | (S.is_hip ? HIP_PINNED : 0);
    return flags != 0;
}

static api_result do_host_register(void *host, size_t bytes, unsigned flags)
{
    (void)host;
    BEGIN(host_register);
    NEED_SAFE();
    S.register_flags = flags;
    S.registered_bytes = bytes;
    S.live++;
    return 0;
}

static api_result do_host_unregister(void *host)
{
    (void)host;
    NEED_SAFE();
    return given_back(STREAM_SLOT_host_unregister);
}

/* No page says how many bytes the boolean has: here it is one. */
static api_result do_pointer_attributes(unsigned count, api_pointer_attribute *which, void **out,
                                        api_address address)
{
    BEGIN(pointer_attributes);
    NEED_CURRENT();
    if (S.memory_type == 0 || address == 0)
        return S.refuses_unknown ? 1 : 0;
    for (unsigned k = 0; k < count; k++)
        if (which[k] == 2)
            memcpy(out[k], &S.memory_type, sizeof S.memory_type);
        else if (which[k] == 8)
            memcpy(out[k], &S.managed, sizeof S.managed);
        else
            return 1;
    return 0;
}

static api_result do_upload(api_address to, api_source from, size_t bytes)
{
    BEGIN(upload);
    NEED_SAFE();
    NEED_LEGACY(NULL);
    memcpy(place(to), from, bytes);
    return 0;
}

static api_result do_download(void *to, api_address from, size_t bytes)
{
    BEGIN(download);
    NEED_SAFE();
    NEED_LEGACY(NULL);
    memcpy(to, place(from), bytes);
    return 0;
}

static api_result do_upload_queued(api_address to, api_source from, size_t bytes, api_stream stream)
{
    BEGIN(upload_queued);
    NEED_LEGACY(stream);
    S.stream = stream;
    memcpy(place(to), from, bytes);
    return 0;
}

static api_result do_download_queued(void *to, api_address from, size_t bytes, api_stream stream)
{
    BEGIN(download_queued);
    NEED_LEGACY(stream);
    S.stream = stream;
    memcpy(to, place(from), bytes);
    return 0;
}

static api_result do_fill_queued(api_address to, unsigned char value, size_t bytes,
                                 api_stream stream)
{
    BEGIN(fill_queued);
    NEED_LEGACY(stream);
    S.stream = stream;
    memset(place(to), value, bytes);
    return 0;
}

/* ---- code ------------------------------------------------------------------------------------ */

static char function_s0;

static api_result do_code_load(api_code *out, const void *image, unsigned count,
                               api_option *options, void **values)
{
    static const char log[] = "ptxas stub, line 9\nerror   : no such instruction\n";

    BEGIN_OUT(code_load, garbage_pointer());
    NEED_SAFE();
    if (strncmp(image, "bad", 3) == 0 || (S.is_hip && strncmp(image, "\177ELF", 4) != 0)) {
        if (count == 2 && options[0] == 5 && options[1] == 6)
            strncpy(values[0], log, (uintptr_t)values[1] - 1);
        return S.is_hip ? 200 : 218;
    }
    *out = new_block(1);
    return 0;
}

static api_result do_code_unload(api_code code)
{
    NEED_SAFE();
    api_result result = given_back(STREAM_SLOT_code_unload);
    free(code);
    return result;
}

static api_result do_code_function(api_function *out, api_code code, const char *name)
{
    (void)code;
    BEGIN_OUT(code_function, garbage_pointer());
    NEED_SAFE();
    if (strcmp(name, "s0") != 0)
        return 500;
    *out = &function_s0;
    return 0;
}

static api_result do_function_attribute(int *out, api_function_attribute which,
                                        api_function function)
{
    BEGIN_OUT(function_attribute, -1);
    S.attributes_of_functions++;
    *out = 1024;
    return which != 0 || function != &function_s0;
}

static api_result do_function_load(api_function function)
{
    BEGIN(function_load);
    S.loads++;
    return function != &function_s0;
}

static api_result do_stream_device(api_stream stream, api_device *out)
{
    BEGIN_OUT(stream_device, 55);
    *out = stream ? *(const int *)stream % STREAM_STUB_DEVICES : 0;
    return 0;
}

/* s0: x[i] += k for i of first .. end - 1, as stream_case.h has its parameters. */
static void run_s0(const char *params, uint64_t threads)
{
    int64_t first, end;
    uint64_t at;
    int32_t *x, k;

    memcpy(&first, params, 8);
    memcpy(&end, params + 8, 8);
    memcpy(&at, params + 40, 8);
    x = place(at);
    memcpy(&k, params + 48, 4);
    for (uint64_t thread = 0; thread < threads && first + (int64_t)thread < end; thread++)
        x[first + (int64_t)thread] += k;
}

static api_result do_launch(api_function function, unsigned groups_x, unsigned groups_y,
                            unsigned groups_z, unsigned local_x, unsigned local_y, unsigned local_z,
                            unsigned shared_bytes, api_stream stream, void **params, void **extra)
{
    BEGIN(launch);
    NEED_LEGACY(stream);
    if (function != &function_s0 || local_y != 1 || local_z != 1 || extra || local_x == 0)
        return 1;
    memcpy(S.groups, (unsigned[]){ groups_x, groups_y, groups_z }, sizeof S.groups);
    S.local = local_x;
    S.shared_bytes = shared_bytes;
    S.stream = stream;
    run_s0(params[0], (uint64_t)groups_x * groups_y * groups_z * local_x);
    return 0;
}

/* ---- streams and events ---------------------------------------------------------------------- */

static api_result do_stream_new(api_stream *out, unsigned flags)
{
    BEGIN_OUT(stream_new, garbage_pointer());
    NEED_SAFE();
    S.stream_flags = flags;
    *out = new_block(1);
    return 0;
}

static api_result do_stream_drop(api_stream stream)
{
    NEED_SAFE();
    api_result result = given_back(STREAM_SLOT_stream_drop);
    free(stream);
    return result;
}

static api_result answer(void)
{
    S.queries++;
    if (S.busy == 0)
        return 0;
    S.busy--;
    return 600;
}

static api_result do_stream_query(api_stream stream)
{
    BEGIN(stream_query);
    NEED_SAFE();
    NEED_LEGACY(stream);
    return answer();
}

static api_result do_stream_wait(api_stream stream)
{
    BEGIN(stream_wait);
    NEED_SAFE();
    NEED_LEGACY(stream);
    S.waits++;
    S.busy = 0;
    return 0;
}

static api_result do_stream_captured(api_stream stream, api_capture_status *out)
{
    BEGIN_OUT(stream_captured, 44);
    NEED_LEGACY(stream);
    *out = S.capture_status;
    return 0;
}

static api_result do_stream_after(api_stream stream, api_event event, unsigned flags)
{
    (void)event;
    BEGIN(stream_after);
    NEED_LEGACY(stream);
    S.stream = stream;
    return flags != 0;
}

static api_result do_event_new(api_event *out, unsigned flags)
{
    BEGIN_OUT(event_new, garbage_pointer());
    NEED_CURRENT();
    S.event_flags = flags;
    *out = new_block(1);
    return 0;
}

static api_result do_event_drop(api_event event)
{
    api_result result = given_back(STREAM_SLOT_event_drop);
    free(event);
    return result;
}

static api_result do_event_record(api_event event, api_stream stream)
{
    (void)event;
    BEGIN(event_record);
    NEED_LEGACY(stream);
    S.stream = stream;
    return 0;
}

static api_result do_event_query(api_event event)
{
    (void)event;
    BEGIN(event_query);
    NEED_SAFE();
    return answer();
}

static api_result do_event_wait(api_event event)
{
    (void)event;
    BEGIN(event_wait);
    NEED_SAFE();
    S.waits++;
    S.busy = 0;
    return 0;
}

/* ---- what codes are called ------------------------------------------------------------------- */

static const char *name_of(int code)
{
#define NAME_BOTH_(number, status, cuda, hip)                                                      \
    case number:                                                                                   \
        return S.is_hip ? #hip : #cuda;
#define NAME_CUDA_(number, status, name)                                                           \
    case number:                                                                                   \
        return S.is_hip ? NULL : #name;
    switch (code) {
        STREAM_CODES(NAME_BOTH_)
        CUDA_CODES(NAME_CUDA_)
    }
    return NULL;
}

static api_result do_cuda_error_name(api_result code, const char **out)
{
    *out = name_of(code);
    return *out ? 0 : 1;
}

static api_result do_cuda_error_text(api_result code, const char **out)
{
    *out = name_of(code) ? "as the stub has it" : NULL;
    return *out ? 0 : 1;
}

static const char *do_hip_error_name(api_result code)
{
    return name_of(code);
}

static const char *do_hip_error_text(api_result code)
{
    return name_of(code) ? "as the stub has it" : NULL;
}

/* ---- the names ------------------------------------------------------------------------------- */

#define ALIAS_(type, slot, params, name)                                                           \
    EXPORT type name params __attribute__((alias("do_" #slot)));
#define ONE_(slot, params, name) ALIAS_(api_result, slot, params, name)
#define BOTH_(slot, params, cuda, hip)                                                             \
    ONE_(slot, params, cuda)                                                                       \
    ONE_(slot, params, hip)

STREAM_SYMBOLS(BOTH_)
CUDA_SYMBOLS(ONE_)
HIP_SYMBOLS(ONE_, ALIAS_)
STREAM_OPTIONAL_SYMBOLS(BOTH_)
CUDA_OPTIONAL_SYMBOLS(ONE_)
HIP_OPTIONAL_SYMBOLS(ONE_)
