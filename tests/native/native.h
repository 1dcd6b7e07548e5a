/* SPDX-License-Identifier: Apache-2.0 */
/*
 * native.h - the part of other code: it opens the driver's library by itself, has the device's
 * primary context, and queues copies on streams of its own.
 *
 * SLIPWAY_TEST_FAMILY says whether it is CUDA or HIP; the library is the look-alike's where
 * SLIPWAY_CUDA_LIBRARY or SLIPWAY_HIP_LIBRARY names one, else the driver's.
 */
#ifndef SLIPWAY_TESTS_NATIVE_NATIVE_H
#define SLIPWAY_TESTS_NATIVE_NATIVE_H

#include <stdbool.h>

#include <slipway/slipway.h>

#include "driver/stream_api.h"

#define CHECK_PUBLIC
#include "support/check.h"

typedef struct native_code {
    stream_api api;
    bool hip;
    void *library;
    slip_device *device; /* Slipway's, of the same device */
} native_code;

extern native_code native;

/* The first device of the family, current on this thread; and Slipway's. */
void native_begin(void);
/* All that was made must have been given back. */
void native_end(void);

/* A call of the library, which must give 0. */
#define NATIVE(slot, ...) native_ok(native.api.slot(__VA_ARGS__), #slot, __FILE__, __LINE__)
void native_ok(int code, const char *slot, const char *file, int line);
/* A call of ours. */
#define OK(call) native_done((call), #call, __FILE__, __LINE__)
void native_done(slip_status status, const char *call, const char *file, int line);

/* Entry points that no driver of ours calls. */
void *native_find(const char *cuda, const char *hip);

api_stream native_stream(bool blocking);
void *native_pinned(size_t bytes);
/* Device memory of the other code, wrapped for calls. */
void *native_memory(size_t bytes);
void native_memory_end(void *memory);

static inline api_address native_address(const void *memory)
{
    return (api_address)(uintptr_t)memory;
}

#endif
