/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_count.c - so many equal calls on memory of the device, for ../call_instructions.sh to count.
 *
 *     call_count DEVICE CALLS TASKS [explicit]
 *
 * On CUDA the device's primary context is current, as it is in a program that uses CUDA itself.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "need.h"
#include "scale_kernels.slip.h"

static void enter_context(void)
{
    void *library = dlopen(getenv("SLIPWAY_CUDA_LIBRARY"), RTLD_NOW), *context = NULL;
    int (*init)(unsigned) = NULL, (*retain)(void **, int) = NULL, (*push)(void *) = NULL;

    if (library) {
        *(void **)&init = dlsym(library, "cuInit");
        *(void **)&retain = dlsym(library, "cuDevicePrimaryCtxRetain");
        *(void **)&push = dlsym(library, "cuCtxPushCurrent_v2");
    }
    if (!init || !retain || !push || init(0) || retain(&context, 0) || push(context)) {
        fprintf(stderr, "call_count: SLIPWAY_CUDA_LIBRARY names no driver of CUDA\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    enum { N = 64 };
    slip_device *device;
    float *x;

    if (argc < 4)
        return 2;
    int calls = atoi(argv[2]), tasks = atoi(argv[3]);
    if (strncmp(argv[1], "cuda", 4) == 0)
        enter_context();
    need(slip_device_open(argv[1], &device));
    slip_stream *stream = slip_default(device);
    if (argc > 4)
        need(slip_stream_create(device, &stream));
    need(slip_alloc(device, N * sizeof *x, (void **)&x));
    for (int k = 0; k < calls; k++)
        need(tasks == 1 ? scale(stream, N, 0.5f, x) : scale_often(stream, N, tasks, 0.5f, x));
    need(slip_stream_sync(stream));
    slip_free(device, x);
    slip_device_close(device);
    return 0;
}
