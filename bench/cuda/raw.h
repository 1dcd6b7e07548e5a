/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw.h - a bare CUDA driver program, as a careful author would write it by hand: what Slipway is
 * compared with. It calls the driver's library through its own table of entry points.
 *
 * Every function ends the program with a message when a call fails. One thread.
 */
#ifndef SLIPWAY_BENCH_CUDA_RAW_H
#define SLIPWAY_BENCH_CUDA_RAW_H

#include <stddef.h>
#include <stdint.h>

#include "driver/stream_api.h"

/* Makes a call of the device's table; ends the program unless it gives 0. */
#define RAW(device, slot, ...) raw_need((device)->api.slot(__VA_ARGS__), #slot, __FILE__, __LINE__)

typedef struct raw_device {
    stream_api api; /* CUDA's rows */
    char name[128];
    int version;         /* of the driver */
    api_context context; /* the primary one, current on this thread */
    api_stream stream;   /* of its own, non-blocking */
    /* beyond stream_api.h */
    api_result (*alloc_queued)(api_address *out, size_t bytes, api_stream stream);
    api_result (*free_queued)(api_address address, api_stream stream);
    api_result (*context_wait)(void);
} raw_device;

void raw_need(api_result code, const char *call, const char *file, int line);
void raw_open(raw_device *d, int index);
void raw_idle(raw_device *d); /* nothing of the context is pending */

/* Kernels of a text of PTX, or of a file of PTX or machine code. */
api_code raw_load_text(raw_device *d, const char *ptx);
api_code raw_load_file(raw_device *d, const char *folder, const char *name);
api_function raw_function(raw_device *d, api_code code, const char *name);

api_address raw_alloc(raw_device *d, size_t bytes);              /* zeroed */
void *raw_pinned(raw_device *d, size_t bytes, api_address *out); /* zeroed; its address for tasks */

/* One axis; `params` as cuLaunchKernel has them. */
void raw_launch(raw_device *d, api_function function, uint32_t groups, uint32_t local,
                api_stream stream, void **params);

#endif
