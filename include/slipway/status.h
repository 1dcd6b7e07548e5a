/* SPDX-License-Identifier: Apache-2.0 */
/*
 * status.h - what a call can return, one row per code, and the record of a failure.
 *
 * Shared by the runtime (slipway.h) and the compiler (slipc.h). Add a code only where a
 * caller would act differently.
 */
#ifndef SLIPWAY_STATUS_H
#define SLIPWAY_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SLIP_API __attribute__((visibility("default")))
#define SLIP_MUST_USE __attribute__((warn_unused_result))
#else
#define SLIP_API
#define SLIP_MUST_USE
#endif

/* name, value, what it means; whether anything changed stands in each function's comment */
#define SLIP_STATUS_ROWS(X)                                                                       \
    X(SLIP_OK, 0, "done")                                                                         \
    X(SLIP_ERR_ARGUMENT, 1, "an argument is wrong; nothing was done")                             \
    X(SLIP_ERR_MEMORY, 2, "memory ran out; nothing was done")                                     \
    X(SLIP_ERR_NOT_FOUND, 3, "what was named does not exist; nothing was done")                   \
    X(SLIP_ERR_UNSUPPORTED, 4, "this device or build cannot do it; nothing was done")             \
    X(SLIP_ERR_FORMAT, 5, "a file or text is damaged or of another version; nothing was done")    \
    X(SLIP_ERR_COMPILE, 6, "a kernel was refused; the diagnostics say where and why")             \
    X(SLIP_ERR_DEVICE, 7, "a driver call failed; the record names it")                            \
    X(SLIP_ERR_LOST, 8, "the device is lost; every later call on it returns this")                \
    X(SLIP_ERR_TIMEOUT, 9, "a wait ended before the work did; the work goes on")                  \
    X(SLIP_ERR_INTERNAL, 10, "a fault of this library; please report the record")

typedef enum slip_status {
#define SLIP_STATUS_ENUM_(name, value, text) name = value,
    SLIP_STATUS_ROWS(SLIP_STATUS_ENUM_)
#undef SLIP_STATUS_ENUM_
} slip_status;

/* The first failure since the last public call on this thread. A plain struct: copy it freely. */
typedef struct slip_error {
    slip_status code;
    int32_t line;            /* where the failure was born, in `file` */
    const char *file;        /* static */
    int32_t vendor_code;     /* the driver's own number, 0 if none */
    const char *vendor_call; /* the driver's entry point, NULL if none; static */
    char message[256];       /* always terminated; "..." where a part of it had no room */
} slip_error;

#ifdef __cplusplus
}
#endif
#endif
