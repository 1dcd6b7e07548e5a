/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_api.h - the entry points of the CUDA driver and of HIP that this driver calls: one row
 * each, and the table of pointers that loading fills. Every call goes through that table.
 *
 * A CUDA name is the newest version of a function whose NULL stream is the legacy one: with _v2
 * where there is one, never with _ptds or _ptsz. tests/driver/stream_api_test.c compares names and
 * types with the official headers.
 *
 *     R(slot, parameters, CUDA name, HIP name)   both have it, with one binary interface
 *     R(slot, parameters, name)                  one of them has it
 *     T(type, slot, parameters, name)            the same, not returning an api_result
 *
 * A repeated call uses `launch` and what tells what is current: they stand together.
 *
 * Slots of an OPTIONAL list may be NULL: the libraries of some versions lack them.
 */
#ifndef SLIPWAY_DRIVER_STREAM_API_H
#define SLIPWAY_DRIVER_STREAM_API_H

#include "driver/stream_types.h"

/* clang-format off */
#define STREAM_SYMBOLS(R) \
    R(init, (unsigned flags), cuInit, hipInit) \
    R(driver_version, (int *out), cuDriverGetVersion, hipDriverGetVersion) \
    R(device_count, (int *out), cuDeviceGetCount, hipGetDeviceCount) \
    R(device_get, (api_device *out, int index), cuDeviceGet, hipDeviceGet) \
    R(device_name, (char *out, int room, api_device device), cuDeviceGetName, hipDeviceGetName) \
    R(device_memory, (size_t *out, api_device device), cuDeviceTotalMem_v2, hipDeviceTotalMem) \
    R(device_attribute, (int *out, api_attribute which, api_device device), \
      cuDeviceGetAttribute, hipDeviceGetAttribute) \
    R(capture_mode, (api_capture_mode *mode), cuThreadExchangeStreamCaptureMode, \
      hipThreadExchangeStreamCaptureMode) \
    R(memory_new, (api_address *out, size_t bytes), cuMemAlloc_v2, hipMalloc) \
    R(memory_free, (api_address address), cuMemFree_v2, hipFree) \
    R(host_new, (void **out, size_t bytes, unsigned flags), cuMemHostAlloc, hipHostMalloc) \
    R(host_free, (void *host), cuMemFreeHost, hipHostFree) \
    R(host_address, (api_address *out, void *host, unsigned flags), \
      cuMemHostGetDevicePointer_v2, hipHostGetDevicePointer) \
    R(host_register, (void *host, size_t bytes, unsigned flags), cuMemHostRegister_v2, \
      hipHostRegister) \
    R(host_unregister, (void *host), cuMemHostUnregister, hipHostUnregister) \
    R(pointer_attributes, (unsigned count, api_pointer_attribute *which, void **out, \
      api_address address), cuPointerGetAttributes, hipDrvPointerGetAttributes) \
    R(upload, (api_address to, api_source from, size_t bytes), cuMemcpyHtoD_v2, hipMemcpyHtoD) \
    R(download, (void *to, api_address from, size_t bytes), cuMemcpyDtoH_v2, hipMemcpyDtoH) \
    R(upload_queued, (api_address to, api_source from, size_t bytes, api_stream stream), \
      cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync) \
    R(download_queued, (void *to, api_address from, size_t bytes, api_stream stream), \
      cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync) \
    R(fill_queued, (api_address to, unsigned char value, size_t bytes, api_stream stream), \
      cuMemsetD8Async, hipMemsetD8Async) \
    R(code_load, (api_code *out, const void *image, unsigned count, api_option *options, \
      void **values), cuModuleLoadDataEx, hipModuleLoadDataEx) \
    R(code_unload, (api_code code), cuModuleUnload, hipModuleUnload) \
    R(code_function, (api_function *out, api_code code, const char *name), cuModuleGetFunction, \
      hipModuleGetFunction) \
    R(function_attribute, (int *out, api_function_attribute which, api_function function), \
      cuFuncGetAttribute, hipFuncGetAttribute) \
    R(stream_new, (api_stream *out, unsigned flags), cuStreamCreate, hipStreamCreateWithFlags) \
    R(stream_drop, (api_stream stream), cuStreamDestroy_v2, hipStreamDestroy) \
    R(stream_query, (api_stream stream), cuStreamQuery, hipStreamQuery) \
    R(stream_wait, (api_stream stream), cuStreamSynchronize, hipStreamSynchronize) \
    R(stream_captured, (api_stream stream, api_capture_status *out), cuStreamIsCapturing, \
      hipStreamIsCapturing) \
    R(stream_after, (api_stream stream, api_event event, unsigned flags), cuStreamWaitEvent, \
      hipStreamWaitEvent) \
    R(event_new, (api_event *out, unsigned flags), cuEventCreate, hipEventCreateWithFlags) \
    R(event_drop, (api_event event), cuEventDestroy_v2, hipEventDestroy) \
    R(event_record, (api_event event, api_stream stream), cuEventRecord, hipEventRecord) \
    R(event_query, (api_event event), cuEventQuery, hipEventQuery) \
    R(event_wait, (api_event event), cuEventSynchronize, hipEventSynchronize) \
    R(launch, (api_function function, unsigned groups_x, unsigned groups_y, unsigned groups_z, \
      unsigned local_x, unsigned local_y, unsigned local_z, unsigned shared_bytes, \
      api_stream stream, void **params, void **extra), cuLaunchKernel, hipModuleLaunchKernel)

/* CUDA 12.8, ROCm 5.5.1 */
#define STREAM_OPTIONAL_SYMBOLS(R) \
    R(stream_device, (api_stream stream, api_device *out), cuStreamGetDevice, hipStreamGetDevice)

#define CUDA_SYMBOLS(R) \
    R(context_current, (api_context *out), cuCtxGetCurrent) \
    R(cuda_error_name, (api_result code, const char **out), cuGetErrorName) \
    R(cuda_error_text, (api_result code, const char **out), cuGetErrorString) \
    R(context_retain, (api_context *out, api_device device), cuDevicePrimaryCtxRetain) \
    R(context_release, (api_device device), cuDevicePrimaryCtxRelease_v2) \
    R(stream_context, (api_stream stream, api_context *out), cuStreamGetCtx) \
    R(context_push, (api_context context), cuCtxPushCurrent_v2) \
    R(context_pop, (api_context *out), cuCtxPopCurrent_v2)

/* CUDA 12.4 */
#define CUDA_OPTIONAL_SYMBOLS(R) \
    R(function_load, (api_function function), cuFuncLoad)

#define HIP_SYMBOLS(R, T) \
    R(device_current, (int *out), hipGetDevice) \
    T(const char *, hip_error_name, (api_result code), hipGetErrorName) \
    T(const char *, hip_error_text, (api_result code), hipGetErrorString) \
    R(device_select, (int index), hipSetDevice)

/* The struct that is filled differs: see hip.c. The first came with ROCm 6. */
#define HIP_OPTIONAL_SYMBOLS(R) \
    R(properties_r0600, (void *out, int index), hipGetDevicePropertiesR0600) \
    R(properties_r0000, (void *out, int index), hipGetDeviceProperties)

#define STREAM_ALL_SYMBOLS(BOTH, CUDA, HIP, T) \
    STREAM_SYMBOLS(BOTH) STREAM_OPTIONAL_SYMBOLS(BOTH) \
    CUDA_SYMBOLS(CUDA) CUDA_OPTIONAL_SYMBOLS(CUDA) \
    HIP_SYMBOLS(HIP, T) HIP_OPTIONAL_SYMBOLS(HIP)
/* clang-format on */

#define STREAM_API_BOTH_(slot, params, cuda, hip) api_result(*slot) params;
#define STREAM_API_ONE_(slot, params, name) api_result(*slot) params;
#define STREAM_API_TYPE_(type, slot, params, name) type(*slot) params;

/* NULL: the other one's, or optional and not there. */
typedef struct stream_api {
    STREAM_ALL_SYMBOLS(STREAM_API_BOTH_, STREAM_API_ONE_, STREAM_API_ONE_, STREAM_API_TYPE_)
} stream_api;

#undef STREAM_API_BOTH_
#undef STREAM_API_ONE_
#undef STREAM_API_TYPE_

#define STREAM_SLOT_BOTH_(slot, params, cuda, hip) STREAM_SLOT_##slot,
#define STREAM_SLOT_ONE_(slot, params, name) STREAM_SLOT_##slot,
#define STREAM_SLOT_TYPE_(type, slot, params, name) STREAM_SLOT_##slot,

/* The members of stream_api, in their order. */
typedef enum stream_slot {
    STREAM_ALL_SYMBOLS(STREAM_SLOT_BOTH_, STREAM_SLOT_ONE_, STREAM_SLOT_ONE_, STREAM_SLOT_TYPE_)
        STREAM_SLOT_COUNT
} stream_slot;

#undef STREAM_SLOT_BOTH_
#undef STREAM_SLOT_ONE_
#undef STREAM_SLOT_TYPE_

_Static_assert(sizeof(stream_api) == STREAM_SLOT_COUNT * sizeof(void *), "one pointer a slot");

#endif
