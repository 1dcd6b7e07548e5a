/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_types.h - the C types of the CUDA driver API and the HIP runtime API, as far as both have
 * the same on a 64-bit machine: handles are pointers, addresses are 64 bits, enums are ints.
 *
 * A test compiles stream_api.h with the official types in the place of these.
 */
#ifndef SLIPWAY_DRIVER_STREAM_TYPES_H
#define SLIPWAY_DRIVER_STREAM_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int api_result; /* 0: done */
typedef int api_device; /* a number, no pointer */
typedef int api_attribute;
typedef int api_function_attribute;
typedef int api_pointer_attribute;
typedef int api_capture_mode;
typedef int api_capture_status; /* 0: the stream is not captured */
typedef int api_option;
typedef uint64_t api_address;
typedef const void *api_source; /* host memory that is read */
typedef void *api_context;
typedef void *api_stream; /* NULL: the legacy default stream */
typedef void *api_event;
typedef void *api_code;
typedef void *api_function;

_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "both interfaces have 64-bit handles");

#endif
