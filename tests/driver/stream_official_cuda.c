/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_official_cuda.c - the official CUDA header's numbers; and, when it is compiled, that our
 * table of entry points has the official types.
 */
#include "driver/stream_official.h"

#if __has_include(<cuda.h>)
#include <cuda.h>
#endif

#if defined(CUDA_VERSION) && CUDA_VERSION >= 13000

#define SLIPWAY_DRIVER_STREAM_TYPES_H /* the official types stand in for ours */
typedef CUresult api_result;
typedef CUdevice api_device;
typedef CUdevice_attribute api_attribute;
typedef CUfunction_attribute api_function_attribute;
typedef CUpointer_attribute api_pointer_attribute;
typedef CUstreamCaptureMode api_capture_mode;
typedef CUstreamCaptureStatus api_capture_status;
typedef CUjit_option api_option;
typedef CUdeviceptr api_address;
typedef const void *api_source;
typedef CUcontext api_context;
typedef CUstream api_stream;
typedef CUevent api_event;
typedef CUmodule api_code;
typedef CUfunction api_function;

#include "driver/stream_api.h"
#include "driver/stream_numbers.h"

#define SAME_BOTH_(slot, params, cuda, hip) SAME_(slot, params, cuda)
#define SAME_(slot, params, name)                                                                  \
    _Static_assert(_Generic(&name, api_result(*) params : 1, default : 0), #name);

STREAM_SYMBOLS(SAME_BOTH_)
STREAM_OPTIONAL_SYMBOLS(SAME_BOTH_)
CUDA_SYMBOLS(SAME_)
CUDA_OPTIONAL_SYMBOLS(SAME_)

_Static_assert(sizeof(CUresult) == sizeof(int) && sizeof(CUdevice) == sizeof(int) &&
                   sizeof(CUdeviceptr) == 8 && sizeof(CUjit_option) == sizeof(int),
               "what stream_types.h says");
_Static_assert(CU_STREAM_CAPTURE_STATUS_NONE == 0, "what it says of a stream that is not captured");

#define NUMBER_(name, cuda, hip, cuda_name, hip_name) { #cuda_name, cuda, cuda_name },
#define CODE_BOTH_(code, status, cuda, hip) { #cuda, code, cuda },
#define CODE_(code, status, name) { #name, code, name },

static const stream_official_row rows[] = { STREAM_ATTRIBUTES(NUMBER_) STREAM_FLAGS(NUMBER_)
                                                STREAM_CODES(CODE_BOTH_) CUDA_CODES(CODE_) };

const stream_official_row *stream_official_cuda(size_t *out_count, const char **out_why)
{
    *out_count = sizeof rows / sizeof rows[0];
    *out_why = NULL;
    return rows;
}

#else

const stream_official_row *stream_official_cuda(size_t *out_count, const char **out_why)
{
    *out_count = 0;
    *out_why = "there is no <cuda.h> of CUDA 13.0 or later";
    return NULL;
}

#endif
