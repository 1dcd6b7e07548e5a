/* SPDX-License-Identifier: Apache-2.0 */
/* native.c - see native.h. */
#define _GNU_SOURCE
#include "native/native.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

native_code native;

void native_ok(int code, const char *slot, const char *file, int line)
{
    if (code != 0)
        check_fail(file, line, "%s gives %d", slot, code);
}

void native_done(slip_status status, const char *call, const char *file, int line)
{
    if (status != SLIP_OK)
        check_fail(file, line, "%s: %s", call, slip_last_error()->message);
}

static void take(void *found, void *out)
{
    memcpy(out, &found, sizeof found);
}

void *native_find(const char *cuda, const char *hip)
{
    void *found = dlsym(native.library, native.hip ? hip : cuda);

    if (!found)
        CHECK_FAIL("the library has no %s", native.hip ? hip : cuda);
    return found;
}

#define FIND_(name, slot) take(dlsym(native.library, name), &native.api.slot);
#define FIND_BOTH_(slot, params, cuda, hip_name) FIND_(native.hip ? #hip_name : #cuda, slot)
#define FIND_CUDA_(slot, params, name)                                                             \
    if (!native.hip)                                                                               \
    FIND_(#name, slot)
#define FIND_HIP_(slot, params, name)                                                              \
    if (native.hip)                                                                                \
    FIND_(#name, slot)
#define FIND_TYPE_(type, slot, params, name) FIND_HIP_(slot, params, name)

static void open_library(void)
{
    const char *family = getenv("SLIPWAY_TEST_FAMILY");

    if (!family)
        check_skip("cuda", "no device of CUDA or HIP is under test");
    native.hip = strcmp(family, "hip") == 0;
    const char *name = getenv(native.hip ? "SLIPWAY_HIP_LIBRARY" : "SLIPWAY_CUDA_LIBRARY");
    name = name ? name : native.hip ? "libamdhip64.so" : "libcuda.so.1";
    native.library = dlopen(name, RTLD_NOW);
    if (!native.library)
        CHECK_FAIL("%s", dlerror());
    STREAM_ALL_SYMBOLS(FIND_BOTH_, FIND_CUDA_, FIND_HIP_, FIND_TYPE_)
}

void native_begin(void)
{
    api_context context = NULL;

    if (!native.library)
        open_library();
    NATIVE(init, 0);
    if (native.hip) {
        NATIVE(device_select, 0);
    } else {
        NATIVE(context_retain, &context, 0);
        NATIVE(context_push, context);
    }
    OK(slip_device_open(native.hip ? "hip:0" : "cuda:0", &native.device));
}

void native_end(void)
{
    api_context context = NULL;

    slip_device_close(native.device);
    native.device = NULL;
    if (native.hip)
        return;
    NATIVE(context_pop, &context);
    NATIVE(context_release, 0);
}

api_stream native_stream(bool blocking)
{
    api_stream made = NULL;

    NATIVE(stream_new, &made, !blocking);
    return made;
}

void *native_pinned(size_t bytes)
{
    void *made = NULL;

    NATIVE(host_new, &made, bytes, native.hip ? 0x40000003 : 3);
    return made;
}

void *native_memory(size_t bytes)
{
    api_address made = 0;
    void *wrapped = NULL;

    NATIVE(memory_new, &made, bytes);
    OK(slip_wrap(native.device, (void *)(uintptr_t)made, bytes, &wrapped));
    CHECK(native_address(wrapped) == made);
    return wrapped;
}

/* Nothing is queued that uses it. */
void native_memory_end(void *memory)
{
    slip_unwrap(native.device, memory);
    NATIVE(memory_free, native_address(memory));
}
