/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_numbers.h - the numbers of CUDA and of HIP: one row each, with the official names, which
 * tests/driver/stream_api_test.c compares with the official headers.
 */
#ifndef SLIPWAY_DRIVER_STREAM_NUMBERS_H
#define SLIPWAY_DRIVER_STREAM_NUMBERS_H

/* clang-format off */

/* What a device says of itself: name, CUDA number, HIP number, official names. */
#define STREAM_ATTRIBUTES(X) \
    X(MAX_LOCAL, 1, 56, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, \
      hipDeviceAttributeMaxThreadsPerBlock) \
    X(MAX_LOCAL_X, 2, 26, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, hipDeviceAttributeMaxBlockDimX) \
    X(MAX_GROUPS_X, 5, 29, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, hipDeviceAttributeMaxGridDimX) \
    X(MAX_GROUPS_Y, 6, 30, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, hipDeviceAttributeMaxGridDimY) \
    X(MAX_GROUPS_Z, 7, 31, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, hipDeviceAttributeMaxGridDimZ) \
    X(UNITS, 16, 63, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, \
      hipDeviceAttributeMultiprocessorCount) \
    X(INTEGRATED, 18, 16, CU_DEVICE_ATTRIBUTE_INTEGRATED, hipDeviceAttributeIntegrated) \
    X(MAJOR, 75, 23, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, \
      hipDeviceAttributeComputeCapabilityMajor) \
    X(MINOR, 76, 61, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, \
      hipDeviceAttributeComputeCapabilityMinor) \
    X(UNIFIED, 41, 85, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, \
      hipDeviceAttributeUnifiedAddressing) \
    X(PAGEABLE, 88, 65, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, \
      hipDeviceAttributePageableMemoryAccess)

/* What is passed to a call: the same. Pinned memory is usable by every context and mapped, and on
 * HIP coherent: a wait of any kind then makes it visible to the host. Events keep no times. */
#define STREAM_FLAGS(X) \
    X(HOST_NEW, 0x3, 0x40000003, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP, \
      hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent) \
    X(HOST_REGISTER, 0x3, 0x3, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP, \
      hipHostRegisterPortable | hipHostRegisterMapped) \
    X(STREAM_NEW, 0x1, 0x1, CU_STREAM_NON_BLOCKING, hipStreamNonBlocking) \
    X(EVENT_NEW, 0x2, 0x2, CU_EVENT_DISABLE_TIMING, hipEventDisableTiming) \
    X(CAPTURE_RELAXED, 2, 2, CU_STREAM_CAPTURE_MODE_RELAXED, hipStreamCaptureModeRelaxed) \
    X(FUNCTION_MAX_LOCAL, 0, 0, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, \
      HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) \
    X(POINTER_TYPE, 2, 2, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE) \
    X(POINTER_MANAGED, 8, 8, CU_POINTER_ATTRIBUTE_IS_MANAGED, HIP_POINTER_ATTRIBUTE_IS_MANAGED) \
    X(LOG, 5, 5, CU_JIT_ERROR_LOG_BUFFER, hipJitOptionErrorLogBuffer) \
    X(LOG_BYTES, 6, 6, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, hipJitOptionErrorLogBufferSizeBytes)

/*
 * What a call returns: number, its status, official names. A code that is not here is a call that
 * was refused: SLIP_ERR_DEVICE.
 *
 * LOST: the error's comment says that the process is left in an inconsistent state and any further
 * work returns the same, that memory or context are gone, or that hardware has failed beyond
 * correction. Such a code comes from any call, and tells of earlier work.
 */
#define STREAM_CODES(X) \
    X(1, SLIP_ERR_DEVICE, CUDA_ERROR_INVALID_VALUE, hipErrorInvalidValue) \
    X(2, SLIP_ERR_MEMORY, CUDA_ERROR_OUT_OF_MEMORY, hipErrorOutOfMemory) \
    X(4, SLIP_ERR_LOST, CUDA_ERROR_DEINITIALIZED, hipErrorDeinitialized) \
    X(100, SLIP_ERR_NOT_FOUND, CUDA_ERROR_NO_DEVICE, hipErrorNoDevice) \
    X(101, SLIP_ERR_NOT_FOUND, CUDA_ERROR_INVALID_DEVICE, hipErrorInvalidDevice) \
    X(200, SLIP_ERR_FORMAT, CUDA_ERROR_INVALID_IMAGE, hipErrorInvalidImage) \
    X(209, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_NO_BINARY_FOR_GPU, hipErrorNoBinaryForGpu) \
    X(214, SLIP_ERR_LOST, CUDA_ERROR_ECC_UNCORRECTABLE, hipErrorECCNotCorrectable) \
    X(218, SLIP_ERR_FORMAT, CUDA_ERROR_INVALID_PTX, hipErrorInvalidKernelFile) \
    X(500, SLIP_ERR_NOT_FOUND, CUDA_ERROR_NOT_FOUND, hipErrorNotFound) \
    X(600, SLIP_ERR_DEVICE, CUDA_ERROR_NOT_READY, hipErrorNotReady) \
    X(700, SLIP_ERR_LOST, CUDA_ERROR_ILLEGAL_ADDRESS, hipErrorIllegalAddress) \
    X(702, SLIP_ERR_LOST, CUDA_ERROR_LAUNCH_TIMEOUT, hipErrorLaunchTimeOut) \
    X(709, SLIP_ERR_LOST, CUDA_ERROR_CONTEXT_IS_DESTROYED, hipErrorContextIsDestroyed) \
    X(710, SLIP_ERR_LOST, CUDA_ERROR_ASSERT, hipErrorAssert) \
    X(719, SLIP_ERR_LOST, CUDA_ERROR_LAUNCH_FAILED, hipErrorLaunchFailure) \
    X(801, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_NOT_SUPPORTED, hipErrorNotSupported) \
    X(900, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, \
      hipErrorStreamCaptureUnsupported) \
    X(901, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, \
      hipErrorStreamCaptureInvalidated) \
    X(902, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_MERGE, hipErrorStreamCaptureMerge) \
    X(903, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, \
      hipErrorStreamCaptureUnmatched) \
    X(904, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNJOINED, \
      hipErrorStreamCaptureUnjoined) \
    X(905, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, \
      hipErrorStreamCaptureIsolation) \
    X(906, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, \
      hipErrorStreamCaptureImplicit) \
    X(907, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_CAPTURED_EVENT, hipErrorCapturedEvent) \
    X(908, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, \
      hipErrorStreamCaptureWrongThread)

#define CUDA_CODES(X) \
    X(34, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_STUB_LIBRARY) \
    X(36, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER) \
    X(220, SLIP_ERR_LOST, CUDA_ERROR_NVLINK_UNCORRECTABLE) \
    X(221, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_JIT_COMPILER_NOT_FOUND) \
    X(222, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_UNSUPPORTED_PTX_VERSION) \
    X(223, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_JIT_COMPILATION_DISABLED) \
    X(226, SLIP_ERR_LOST, CUDA_ERROR_CONTAINED) \
    X(714, SLIP_ERR_LOST, CUDA_ERROR_HARDWARE_STACK_ERROR) \
    X(715, SLIP_ERR_LOST, CUDA_ERROR_ILLEGAL_INSTRUCTION) \
    X(716, SLIP_ERR_LOST, CUDA_ERROR_MISALIGNED_ADDRESS) \
    X(717, SLIP_ERR_LOST, CUDA_ERROR_INVALID_ADDRESS_SPACE) \
    X(718, SLIP_ERR_LOST, CUDA_ERROR_INVALID_PC) \
    X(721, SLIP_ERR_LOST, CUDA_ERROR_TENSOR_MEMORY_LEAK) \
    X(803, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) \
    X(804, SLIP_ERR_UNSUPPORTED, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE) \
    X(810, SLIP_ERR_LOST, CUDA_ERROR_MPS_CLIENT_TERMINATED) \
    X(911, SLIP_ERR_LOST, CUDA_ERROR_EXTERNAL_DEVICE)

#define HIP_CODES(X) \
    X(35, SLIP_ERR_UNSUPPORTED, hipErrorInsufficientDriver)

/* clang-format on */

enum {
    STREAM_CODE_INVALID_VALUE = 1,
    STREAM_CODE_NOT_READY = 600,
    STREAM_CODE_CAPTURE = 900,
    STREAM_CODE_CAPTURE_LAST = 908
};

#define STREAM_ATTRIBUTE_ENUM_(name, cuda, hip, cuda_name, hip_name) STREAM_ATTRIBUTE_##name,
typedef enum stream_attribute {
    STREAM_ATTRIBUTES(STREAM_ATTRIBUTE_ENUM_) STREAM_ATTRIBUTE_COUNT
} stream_attribute;
#undef STREAM_ATTRIBUTE_ENUM_

#define STREAM_FLAG_ENUM_(name, cuda, hip, cuda_name, hip_name) STREAM_FLAG_##name,
typedef enum stream_flag { STREAM_FLAGS(STREAM_FLAG_ENUM_) STREAM_FLAG_COUNT } stream_flag;
#undef STREAM_FLAG_ENUM_

#endif
