/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw.c - see raw.h.
 */
#define _GNU_SOURCE
#include "raw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void raw_need(api_result code, const char *call, const char *file, int line)
{
    if (code == 0)
        return;
    fprintf(stderr, "%s:%d: %s gave %d\n", file, line, call, code);
    exit(1);
}

static void fill(void *slot, void *library, const char *name)
{
    void *found = dlsym(library, name);

    memcpy(slot, &found, sizeof found);
}

#define FILL_BOTH_(slot, params, cuda, hip) fill(&d->api.slot, library, #cuda);
#define FILL_CUDA_(slot, params, name) fill(&d->api.slot, library, #name);

static void load_library(raw_device *d)
{
    const char *named = getenv("SLIPWAY_CUDA_LIBRARY");
    void *library = dlopen(named && *named ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    STREAM_SYMBOLS(FILL_BOTH_)
    CUDA_SYMBOLS(FILL_CUDA_)
    fill(&d->alloc_queued, library, "cuMemAllocAsync");
    fill(&d->free_queued, library, "cuMemFreeAsync");
    fill(&d->context_wait, library, "cuCtxSynchronize");
}

void raw_open(raw_device *d, int index)
{
    api_device device = 0;

    load_library(d);
    RAW(d, init, 0);
    RAW(d, driver_version, &d->version);
    RAW(d, device_get, &device, index);
    RAW(d, device_name, d->name, sizeof d->name - 1, device);
    RAW(d, context_retain, &d->context, device);
    RAW(d, context_push, d->context);
    RAW(d, stream_new, &d->stream, 1);
}

void raw_idle(raw_device *d)
{
    raw_need(d->context_wait(), "cuCtxSynchronize", __FILE__, __LINE__);
}

api_code raw_load_text(raw_device *d, const char *ptx)
{
    api_code code = NULL;

    RAW(d, code_load, &code, ptx, 0, NULL, NULL);
    return code;
}

api_code raw_load_file(raw_device *d, const char *folder, const char *name)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    long bytes = ftell(file);
    rewind(file);
    char *image = calloc(1, (size_t)bytes + 1);
    if (bytes <= 0 || fread(image, 1, (size_t)bytes, file) != (size_t)bytes) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    api_code code = raw_load_text(d, image);
    free(image);
    return code;
}

api_function raw_function(raw_device *d, api_code code, const char *name)
{
    api_function function = NULL;

    RAW(d, code_function, &function, code, name);
    return function;
}

api_address raw_alloc(raw_device *d, size_t bytes)
{
    api_address made = 0;

    RAW(d, memory_new, &made, bytes);
    RAW(d, fill_queued, made, 0, bytes, NULL);
    raw_idle(d);
    return made;
}

void *raw_pinned(raw_device *d, size_t bytes, api_address *out)
{
    void *made = NULL;

    RAW(d, host_new, &made, bytes, 3);
    RAW(d, host_address, out, made, 0);
    memset(made, 0, bytes);
    return made;
}

void raw_launch(raw_device *d, api_function function, uint32_t groups, uint32_t local,
                api_stream stream, void **params)
{
    RAW(d, launch, function, groups, 1, 1, local, 1, 1, 0, stream, params, NULL);
}
