/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - the entry points that a look-alike has: one row each, and no vendor header.
 *
 *     R(slot, parameters, CUDA's name, HIP's name, codes)   one binary interface under two names
 *     C(slot, parameters, CUDA's name, codes)               CUDA alone
 *     H(type, slot, parameters, HIP's name, codes)          HIP alone
 *
 * `codes` are those that the function's reference page lists, which is what it may be made to fail
 * with; every page adds that a call may give a failure of earlier work (FAKE_ASYNC).
 */
#ifndef SLIPWAY_FAKE_STREAM_ROWS_H
#define SLIPWAY_FAKE_STREAM_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "fake/stream/errors.h"

#define FAKE_BIT(name) ((uint64_t)1 << FAKE_BIT_##name)
#define FAKE_ASYNC (FAKE_BIT(ILLEGAL_ADDRESS) | FAKE_BIT(LAUNCH_TIMEOUT) | FAKE_BIT(LAUNCH_FAILED))
#define FAKE_PLAIN (FAKE_BIT(NOT_INITIALIZED) | FAKE_BIT(DEINITIALIZED) | FAKE_BIT(INVALID_VALUE))
#define FAKE_IN_CONTEXT (FAKE_PLAIN | FAKE_BIT(INVALID_CONTEXT))
#define FAKE_OF_DEVICE (FAKE_PLAIN | FAKE_BIT(INVALID_DEVICE))
#define FAKE_QUEUES (FAKE_IN_CONTEXT | FAKE_BIT(INVALID_HANDLE))

typedef void *fake_handle;

/* clang-format off */
#define FAKE_ROWS(R, C, H) \
    R(init, (unsigned flags), "cuInit", "hipInit", \
      FAKE_BIT(INVALID_VALUE) | FAKE_BIT(INVALID_DEVICE) | FAKE_BIT(NO_DEVICE)) \
    R(version, (int *out), "cuDriverGetVersion", "hipDriverGetVersion", FAKE_BIT(INVALID_VALUE)) \
    R(device_count, (int *out), "cuDeviceGetCount", "hipGetDeviceCount", \
      FAKE_PLAIN | FAKE_BIT(NO_DEVICE)) \
    R(device_get, (int *out, int index), "cuDeviceGet", "hipDeviceGet", FAKE_OF_DEVICE) \
    R(device_name, (char *out, int room, int device), "cuDeviceGetName", "hipDeviceGetName", \
      FAKE_OF_DEVICE) \
    R(device_memory, (size_t *out, int device), "cuDeviceTotalMem_v2", "hipDeviceTotalMem", \
      FAKE_OF_DEVICE) \
    R(device_attribute, (int *out, int which, int device), "cuDeviceGetAttribute", \
      "hipDeviceGetAttribute", FAKE_OF_DEVICE) \
    R(capture_mode, (int *mode), "cuThreadExchangeStreamCaptureMode", \
      "hipThreadExchangeStreamCaptureMode", FAKE_IN_CONTEXT) \
    R(memory_new, (uint64_t *out, size_t bytes), "cuMemAlloc_v2", "hipMalloc", \
      FAKE_IN_CONTEXT | FAKE_BIT(OUT_OF_MEMORY)) \
    R(memory_free, (uint64_t address), "cuMemFree_v2", "hipFree", FAKE_IN_CONTEXT) \
    R(host_new, (void **out, size_t bytes, unsigned flags), "cuMemHostAlloc", "hipHostMalloc", \
      FAKE_IN_CONTEXT | FAKE_BIT(OUT_OF_MEMORY)) \
    R(host_free, (void *host), "cuMemFreeHost", "hipHostFree", FAKE_IN_CONTEXT) \
    R(host_address, (uint64_t *out, void *host, unsigned flags), "cuMemHostGetDevicePointer_v2", \
      "hipHostGetDevicePointer", FAKE_IN_CONTEXT) \
    R(host_register, (void *host, size_t bytes, unsigned flags), "cuMemHostRegister_v2", \
      "hipHostRegister", FAKE_IN_CONTEXT | FAKE_BIT(OUT_OF_MEMORY) | FAKE_BIT(ALREADY_REGISTERED) | \
      FAKE_BIT(NOT_SUPPORTED)) \
    R(host_unregister, (void *host), "cuMemHostUnregister", "hipHostUnregister", \
      FAKE_IN_CONTEXT | FAKE_BIT(NOT_REGISTERED)) \
    R(memory_managed, (uint64_t *out, size_t bytes, unsigned flags), "cuMemAllocManaged", \
      "hipMallocManaged", FAKE_IN_CONTEXT | FAKE_BIT(NOT_SUPPORTED) | FAKE_BIT(OUT_OF_MEMORY)) \
    R(pointer_attributes, (unsigned count, const int *which, void **out, uint64_t address), \
      "cuPointerGetAttributes", "hipDrvPointerGetAttributes", \
      FAKE_IN_CONTEXT | FAKE_BIT(INVALID_DEVICE)) \
    R(upload, (uint64_t to, const void *from, size_t bytes), "cuMemcpyHtoD_v2", "hipMemcpyHtoD", \
      FAKE_IN_CONTEXT) \
    R(download, (void *to, uint64_t from, size_t bytes), "cuMemcpyDtoH_v2", "hipMemcpyDtoH", \
      FAKE_IN_CONTEXT) \
    R(upload_queued, (uint64_t to, const void *from, size_t bytes, fake_handle stream), \
      "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync", FAKE_QUEUES) \
    R(download_queued, (void *to, uint64_t from, size_t bytes, fake_handle stream), \
      "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", FAKE_QUEUES) \
    R(fill_queued, (uint64_t to, unsigned char value, size_t bytes, fake_handle stream), \
      "cuMemsetD8Async", "hipMemsetD8Async", FAKE_QUEUES) \
    R(code_load, (fake_handle *out, const void *image, unsigned count, int *options, \
      void **values), "cuModuleLoadDataEx", "hipModuleLoadDataEx", FAKE_IN_CONTEXT | \
      FAKE_BIT(OUT_OF_MEMORY) | FAKE_BIT(INVALID_PTX) | FAKE_BIT(INVALID_IMAGE) | \
      FAKE_BIT(NO_BINARY)) \
    R(code_unload, (fake_handle code), "cuModuleUnload", "hipModuleUnload", FAKE_QUEUES) \
    R(code_function, (fake_handle *out, fake_handle code, const char *name), \
      "cuModuleGetFunction", "hipModuleGetFunction", FAKE_IN_CONTEXT | FAKE_BIT(NOT_FOUND)) \
    R(function_attribute, (int *out, int which, fake_handle function), "cuFuncGetAttribute", \
      "hipFuncGetAttribute", FAKE_QUEUES) \
    R(launch, (fake_handle function, unsigned groups_x, unsigned groups_y, unsigned groups_z, \
      unsigned local_x, unsigned local_y, unsigned local_z, unsigned shared_bytes, \
      fake_handle stream, void **params, void **extra), "cuLaunchKernel", \
      "hipModuleLaunchKernel", FAKE_QUEUES | FAKE_BIT(OUT_OF_RESOURCES) | \
      FAKE_BIT(LAUNCH_FAILED) | FAKE_BIT(INVALID_IMAGE)) \
    R(stream_new, (fake_handle *out, unsigned flags), "cuStreamCreate", \
      "hipStreamCreateWithFlags", FAKE_IN_CONTEXT | FAKE_BIT(OUT_OF_MEMORY)) \
    R(stream_drop, (fake_handle stream), "cuStreamDestroy_v2", "hipStreamDestroy", FAKE_QUEUES) \
    R(stream_query, (fake_handle stream), "cuStreamQuery", "hipStreamQuery", FAKE_QUEUES) \
    R(stream_wait, (fake_handle stream), "cuStreamSynchronize", "hipStreamSynchronize", \
      FAKE_QUEUES) \
    R(stream_captured, (fake_handle stream, int *out), "cuStreamIsCapturing", \
      "hipStreamIsCapturing", FAKE_QUEUES | FAKE_BIT(CAPTURE_IMPLICIT)) \
    R(capture_begin, (fake_handle stream, int mode), "cuStreamBeginCapture_v2", \
      "hipStreamBeginCapture", FAKE_QUEUES) \
    R(capture_end, (fake_handle stream, fake_handle *out), "cuStreamEndCapture", \
      "hipStreamEndCapture", FAKE_QUEUES) \
    R(graph_make, (fake_handle *out, fake_handle graph, unsigned long long flags), \
      "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags", FAKE_PLAIN) \
    R(graph_launch, (fake_handle exec, fake_handle stream), "cuGraphLaunch", "hipGraphLaunch", \
      FAKE_PLAIN) \
    R(graph_drop, (fake_handle exec), "cuGraphExecDestroy", "hipGraphExecDestroy", FAKE_PLAIN) \
    R(graph_free, (fake_handle graph), "cuGraphDestroy", "hipGraphDestroy", FAKE_PLAIN) \
    R(stream_after, (fake_handle stream, fake_handle event, unsigned flags), \
      "cuStreamWaitEvent", "hipStreamWaitEvent", FAKE_QUEUES) \
    R(stream_device, (fake_handle stream, int *out), "cuStreamGetDevice", "hipStreamGetDevice", \
      FAKE_QUEUES) \
    R(event_new, (fake_handle *out, unsigned flags), "cuEventCreate", \
      "hipEventCreateWithFlags", FAKE_IN_CONTEXT | FAKE_BIT(OUT_OF_MEMORY)) \
    R(event_drop, (fake_handle event), "cuEventDestroy_v2", "hipEventDestroy", FAKE_QUEUES) \
    R(event_record, (fake_handle event, fake_handle stream), "cuEventRecord", "hipEventRecord", \
      FAKE_QUEUES) \
    R(event_query, (fake_handle event), "cuEventQuery", "hipEventQuery", FAKE_QUEUES) \
    R(event_wait, (fake_handle event), "cuEventSynchronize", "hipEventSynchronize", FAKE_QUEUES) \
    C(error_name, (int code, const char **out), "cuGetErrorName", FAKE_BIT(INVALID_VALUE)) \
    C(error_text, (int code, const char **out), "cuGetErrorString", FAKE_BIT(INVALID_VALUE)) \
    C(context_retain, (fake_handle *out, int device), "cuDevicePrimaryCtxRetain", \
      FAKE_OF_DEVICE | FAKE_BIT(INVALID_CONTEXT) | FAKE_BIT(OUT_OF_MEMORY) | FAKE_BIT(UNKNOWN)) \
    C(context_release, (int device), "cuDevicePrimaryCtxRelease_v2", \
      FAKE_OF_DEVICE | FAKE_BIT(INVALID_CONTEXT)) \
    C(context_current, (fake_handle *out), "cuCtxGetCurrent", \
      FAKE_BIT(NOT_INITIALIZED) | FAKE_BIT(DEINITIALIZED)) \
    C(stream_context, (fake_handle stream, fake_handle *out), "cuStreamGetCtx", FAKE_QUEUES | \
      FAKE_BIT(NOT_SUPPORTED)) \
    C(context_push, (fake_handle context), "cuCtxPushCurrent_v2", FAKE_IN_CONTEXT) \
    C(context_pop, (fake_handle *out), "cuCtxPopCurrent_v2", FAKE_IN_CONTEXT) \
    C(function_load, (fake_handle function), "cuFuncLoad", FAKE_BIT(INVALID_VALUE)) \
    H(const char *, error_name_of, (int code), "hipGetErrorName", 0) \
    H(const char *, error_text_of, (int code), "hipGetErrorString", 0) \
    H(int, device_current, (int *out), "hipGetDevice", FAKE_BIT(INVALID_DEVICE) | \
      FAKE_BIT(INVALID_VALUE)) \
    H(int, device_select, (int index), "hipSetDevice", FAKE_BIT(INVALID_DEVICE) | \
      FAKE_BIT(NO_DEVICE)) \
    H(int, properties, (void *out, int index), "hipGetDevicePropertiesR0600", \
      FAKE_BIT(INVALID_DEVICE))
/* clang-format on */

#if defined(FAKE_HIP)
#define FAKE_NAME_(cuda, hip) hip
#define FAKE_C_(slot, params, cuda, codes)
#define FAKE_H_(type, slot, params, hip, codes) FAKE_PUBLIC type fake_##slot params __asm__(hip);
#else
#define FAKE_NAME_(cuda, hip) cuda
#define FAKE_C_(slot, params, cuda, codes) FAKE_PUBLIC int fake_##slot params __asm__(cuda);
#define FAKE_H_(type, slot, params, hip, codes)
#endif
#define FAKE_PUBLIC __attribute__((visibility("default")))
#define FAKE_R_(slot, params, cuda, hip, codes)                                                    \
    FAKE_PUBLIC int fake_##slot params __asm__(FAKE_NAME_(cuda, hip));

/* fake_memory_new is cuMemAlloc_v2, or hipMalloc. */
FAKE_ROWS(FAKE_R_, FAKE_C_, FAKE_H_)

#define FAKE_SLOT_R_(slot, params, cuda, hip, codes) FAKE_SLOT_##slot,
#define FAKE_SLOT_C_(slot, params, cuda, codes) FAKE_SLOT_##slot,
#define FAKE_SLOT_H_(type, slot, params, hip, codes) FAKE_SLOT_##slot,
typedef enum fake_slot {
    FAKE_ROWS(FAKE_SLOT_R_, FAKE_SLOT_C_, FAKE_SLOT_H_) FAKE_SLOT_COUNT
} fake_slot;

typedef struct fake_row {
    const char *name; /* NULL: not of this interface */
    uint64_t codes;   /* a bit per error (FAKE_BIT_...) */
} fake_row;

extern const fake_row fake_rows[FAKE_SLOT_COUNT];

#endif
