/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_case.h - what the tests of the stream drivers share: a kernel that the stub and a CUDA
 * device run, and a device with its stream.
 */
#ifndef SLIPWAY_TESTS_DRIVER_STREAM_CASE_H
#define SLIPWAY_TESTS_DRIVER_STREAM_CASE_H

#include "driver/stream_driver.h"
#include "driver/stream_stub.h"

/* Parameters of s0, which adds k to x[i] of each i of first .. end - 1: as module.h has those of
 *     slip_kernel void add(i32 n, i32 k, i32 x[n]) { slip_for (i, n) x[i] = x[i] + k; }
 * whose axis begins at `lo` and has `count` iterations. */
typedef struct stream_case_params {
    int64_t first, end;
    uint64_t cells;
    int64_t lo, count;
    uint64_t x;
    int32_t k, unused;
} stream_case_params;

/* The code with s0: PTX, or what the stub takes for a code object. */
const char *stream_case_code(stream_family family, uint64_t *out_bytes);

/* A case for each family, with the stub in the way. */
#define STREAM_CASES(name)                                                                         \
    static void cuda_##name(void)                                                                  \
    {                                                                                              \
        name(STREAM_CUDA);                                                                         \
    }                                                                                              \
    static void hip_##name(void)                                                                   \
    {                                                                                              \
        name(STREAM_HIP);                                                                          \
    }
#define STREAM_CASE(name) CASE(cuda_##name), CASE(hip_##name)

const stream_driver *stream_case_table(stream_family family);
void *stream_case_open(stream_family family); /* device 0 */
/* Device 0 of a CUDA driver that is really here, opened; skips the case where there is none. */
void *stream_case_hardware(void);

#endif
