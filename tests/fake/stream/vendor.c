/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vendor.c - what differs between the two look-alikes.
 */
#include "fake/stream/core.h"

#define ROW_R_(slot, params, cuda, hip, codes) { FAKE_NAME_(cuda, hip), codes },
#if defined(FAKE_HIP)
#define ROW_C_(slot, params, cuda, codes) { 0, 0 },
#define ROW_H_(type, slot, params, hip, codes) { hip, codes },
#else
#define ROW_C_(slot, params, cuda, codes) { cuda, codes },
#define ROW_H_(type, slot, params, hip, codes) { 0, 0 },
#endif

const fake_row fake_rows[FAKE_SLOT_COUNT] = { FAKE_ROWS(ROW_R_, ROW_C_, ROW_H_) };

#if defined(FAKE_HIP)

const fake_vendor fake_vendor_row = {
    .name = "hip",
    /* hipEventRecord: recording an event that is still pending is undefined. */
    .rerecords = false,
    /* hipStreamDestroy, hipEventDestroy: nothing is said of what is pending. */
    .drops_pending = false,
    /* HIP, "Asynchronous concurrent execution": copies of pageable memory are synchronous. */
    .staged_upload = false,
    .pageable_is_queued = false,
    /* hipFree: "performs an implicit hipDeviceSynchronize". */
    .free_may_not_wait = false,
    /* hipHostGetDevicePointer: no page says that the two are equal. */
    .host_is_device = false,
    .has_contexts = false,
    /* hipModuleLaunchKernel: gridDim * blockDim is less than 2^32 along each axis. */
    .max_grid_threads = (uint64_t)1 << 32,
    .device_name = "Look-alike AMD GPU",
};

#else

const fake_vendor fake_vendor_row = {
    .name = "cuda",
    /* cuEventRecord: overwrites what the event held; cuStreamWaitEvent holds what was there. */
    .rerecords = true,
    /* cuStreamDestroy, cuEventDestroy: return at once, resources go when the work has ended. */
    .drops_pending = true,
    /* CUDA driver API, "API synchronization behavior", Memcpy, synchronous form. */
    .staged_upload = true,
    /* There, asynchronous form: between device and pageable memory "might be synchronous". */
    .pageable_is_queued = true,
    /* cuMemFree: "may perform implicit synchronization" is said of a free in general. */
    .free_may_not_wait = true,
    /* "Unified Addressing": host memory of cuMemHostAlloc has one address. */
    .host_is_device = true,
    .has_contexts = true,
    .max_grid_threads = 0,
    .device_name = "Look-alike NVIDIA GPU",
};

#endif
