/* SPDX-License-Identifier: Apache-2.0 */
/*
 * errors.h - result codes of the two interfaces, which number what they share alike: CUresult
 * (CUDA driver API, "Data types used by CUDA driver") and hipError_t (HIP, "Error handling").
 *
 *     E(name, code, CUDA's name, HIP's name, sticky)
 *
 * After a sticky one every later call of the process gives it; DEINITIALIZED is one: the driver
 * shuts down.
 */
#ifndef SLIPWAY_FAKE_STREAM_ERRORS_H
#define SLIPWAY_FAKE_STREAM_ERRORS_H

/* clang-format off */
#define FAKE_ERRORS(E) \
    E(OK, 0, "CUDA_SUCCESS", "hipSuccess", 0) \
    E(INVALID_VALUE, 1, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue", 0) \
    E(OUT_OF_MEMORY, 2, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory", 0) \
    E(NOT_INITIALIZED, 3, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized", 0) \
    E(DEINITIALIZED, 4, "CUDA_ERROR_DEINITIALIZED", "hipErrorDeinitialized", 1) \
    E(NO_DEVICE, 100, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice", 0) \
    E(INVALID_DEVICE, 101, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice", 0) \
    E(INVALID_IMAGE, 200, "CUDA_ERROR_INVALID_IMAGE", "hipErrorInvalidImage", 0) \
    E(INVALID_CONTEXT, 201, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext", 0) \
    E(NO_BINARY, 209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "hipErrorNoBinaryForGpu", 0) \
    E(INVALID_PTX, 218, "CUDA_ERROR_INVALID_PTX", "hipErrorInvalidKernelFile", 0) \
    E(INVALID_HANDLE, 400, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle", 0) \
    E(NOT_FOUND, 500, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound", 0) \
    E(NOT_READY, 600, "CUDA_ERROR_NOT_READY", "hipErrorNotReady", 0) \
    E(ILLEGAL_ADDRESS, 700, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress", 1) \
    E(OUT_OF_RESOURCES, 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "hipErrorLaunchOutOfResources", 0) \
    E(LAUNCH_TIMEOUT, 702, "CUDA_ERROR_LAUNCH_TIMEOUT", "hipErrorLaunchTimeOut", 1) \
    E(ALREADY_REGISTERED, 712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", \
      "hipErrorHostMemoryAlreadyRegistered", 0) \
    E(NOT_REGISTERED, 713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", \
      "hipErrorHostMemoryNotRegistered", 0) \
    E(LAUNCH_FAILED, 719, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure", 1) \
    E(NOT_SUPPORTED, 801, "CUDA_ERROR_NOT_SUPPORTED", "hipErrorNotSupported", 0) \
    E(CAPTURE_UNSUPPORTED, 900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", \
      "hipErrorStreamCaptureUnsupported", 0) \
    E(CAPTURE_INVALIDATED, 901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", \
      "hipErrorStreamCaptureInvalidated", 0) \
    E(CAPTURE_MERGE, 902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "hipErrorStreamCaptureMerge", 0) \
    E(CAPTURE_UNMATCHED, 903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", \
      "hipErrorStreamCaptureUnmatched", 0) \
    E(CAPTURE_UNJOINED, 904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", \
      "hipErrorStreamCaptureUnjoined", 0) \
    E(CAPTURE_ISOLATION, 905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", \
      "hipErrorStreamCaptureIsolation", 0) \
    E(CAPTURED_EVENT, 907, "CUDA_ERROR_CAPTURED_EVENT", "hipErrorCapturedEvent", 0) \
    E(CAPTURE_WRONG_THREAD, 908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", \
      "hipErrorStreamCaptureWrongThread", 0) \
    E(CAPTURE_IMPLICIT, 906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", \
      "hipErrorStreamCaptureImplicit", 0) \
    E(UNKNOWN, 999, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown", 0)
/* clang-format on */

#define FAKE_ERROR_CODE_(name, code, cuda, hip, sticky) FAKE_##name = code,
typedef enum fake_error { FAKE_ERRORS(FAKE_ERROR_CODE_) } fake_error;
#undef FAKE_ERROR_CODE_

#define FAKE_ERROR_BIT_(name, code, cuda, hip, sticky) FAKE_BIT_##name,
enum { FAKE_ERRORS(FAKE_ERROR_BIT_) FAKE_ERROR_COUNT };
#undef FAKE_ERROR_BIT_

#endif
