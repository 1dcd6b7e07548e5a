/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_stub.c - puts the stub in the driver's way.
 */
#define _GNU_SOURCE
#include "driver/stream_stub.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/stream_device.h"
#include "support/check.h"

static const char *const variables[STREAM_FAMILIES] = { "SLIPWAY_CUDA_LIBRARY",
                                                        "SLIPWAY_HIP_LIBRARY" };

stream_stub *stream_stub_begin(stream_family family, const char *which)
{
    char path[512];

    snprintf(path, sizeof path, "%s/driver_stubs/libstream_stub_%s.so", CHECK_BUILD, which);
    stream_table_forget();
    for (int f = 0; f < STREAM_FAMILIES; f++)
        unsetenv(variables[f]);
    setenv(variables[family], path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    stream_stub *stub = dlsym(library, "stream_stub_state");
    CHECK(stub != NULL);
    *stub = (stream_stub){ .only = STREAM_SLOT_COUNT,
                           .failed = STREAM_SLOT_COUNT,
                           .code = 1,
                           .is_hip = family == STREAM_HIP,
                           .device_count = STREAM_STUB_DEVICES,
                           .version = family == STREAM_HIP ? 60342131 : 13000,
                           .major = 9,
                           .describes = true,
                           .memory_type = 2,
                           .level = "gfx90a:sramecc+:xnack-" };
    stream_stub_make_current(stub, -1);
    return stub;
}

void stream_stub_end(stream_stub *stub)
{
    stream_table_forget();
    for (int f = 0; f < STREAM_FAMILIES; f++)
        unsetenv(variables[f]);
    CHECK_EQ_I64(stub->live, 0);
    CHECK_EQ_I64(stub->pinned, 0);
    CHECK_EQ_U64(mem_live(), 0);
}

int stream_stub_current(const stream_stub *stub)
{
    if (stub->is_hip)
        return stub->device;
    return stub->depth == 0 ? -1 : stub->stack[stub->depth - 1];
}

void stream_stub_make_current(stream_stub *stub, int device)
{
    stub->device = device < 0 ? 0 : device;
    stub->depth = device < 0 ? 0 : 1;
    stub->stack[0] = device;
}
