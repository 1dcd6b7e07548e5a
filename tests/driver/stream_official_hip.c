/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_official_hip.c - the official HIP header's numbers; and, when it is compiled, that our
 * table of entry points has the official types.
 */
#include "driver/stream_official.h"

#if __has_include(<hip/hip_runtime_api.h>)

#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>

#define SLIPWAY_DRIVER_STREAM_TYPES_H /* the official types stand in for ours */
typedef hipError_t api_result;
typedef hipDevice_t api_device;
typedef hipDeviceAttribute_t api_attribute;
typedef hipFunction_attribute api_function_attribute;
typedef hipPointer_attribute api_pointer_attribute;
typedef hipStreamCaptureMode api_capture_mode;
typedef hipStreamCaptureStatus api_capture_status;
typedef hipJitOption api_option;
typedef hipDeviceptr_t api_address;
typedef hipCtx_t api_context;
typedef hipStream_t api_stream;
typedef hipEvent_t api_event;
typedef hipModule_t api_code;
typedef hipFunction_t api_function;
/* Headers differ in whether what is read is const. */
typedef __typeof__(_Generic(&hipMemcpyHtoD, hipError_t (*)(hipDeviceptr_t, const void *, size_t)
                            : (const void *)0, default
                            : (void *)0)) api_source;

#include "driver/stream_api.h"
#include "driver/stream_numbers.h"

#define SAME_BOTH_(slot, params, cuda, hip) SAME_(slot, params, hip)
#define SAME_(slot, params, name) SAME_TYPE_(api_result, slot, params, name)
#define SAME_TYPE_(type, slot, params, name)                                                       \
    _Static_assert(_Generic(&name, type(*) params : 1, default : 0), #name);

STREAM_SYMBOLS(SAME_BOTH_)
HIP_SYMBOLS(SAME_, SAME_TYPE_)
#if HIP_VERSION >= 50500000
STREAM_OPTIONAL_SYMBOLS(SAME_BOTH_)
#endif

_Static_assert(sizeof(hipError_t) == sizeof(int) && sizeof(hipDevice_t) == sizeof(int) &&
                   sizeof(hipDeviceptr_t) == 8 && sizeof(hipJitOption) == sizeof(int),
               "what stream_types.h says");
_Static_assert(hipStreamCaptureStatusNone == 0, "what it says of a stream that is not captured");

#define NUMBER_(name, cuda, hip, cuda_name, hip_name) { #hip_name, hip, hip_name },
#define CODE_BOTH_(code, status, cuda, hip) { #hip, code, hip },
#define CODE_(code, status, name) { #name, code, name },
/* The layout of the function that the header gives hipGetDeviceProperties: hip.c. */
#ifdef hipGetDeviceProperties
#define LEVEL_ 1160
#else
#define LEVEL_ 396
#endif

static const stream_official_row rows[] = {
    STREAM_ATTRIBUTES(NUMBER_) STREAM_FLAGS(NUMBER_) STREAM_CODES(CODE_BOTH_) HIP_CODES(CODE_){
        "offsetof(hipDeviceProp_t, gcnArchName)", LEVEL_, offsetof(hipDeviceProp_t, gcnArchName) },
    { "hipMemoryTypeDevice", HIP_VERSION < 60000000 ? 1 : 2, hipMemoryTypeDevice },
    { "sizeof gcnArchName", 256, sizeof((hipDeviceProp_t *)0)->gcnArchName },
};

const stream_official_row *stream_official_hip(size_t *out_count, const char **out_why)
{
    *out_count = sizeof rows / sizeof rows[0];
    *out_why = NULL;
    return rows;
}

#else

const stream_official_row *stream_official_hip(size_t *out_count, const char **out_why)
{
    *out_count = 0;
    *out_why = "there is no <hip/hip_runtime_api.h>";
    return NULL;
}

#endif
