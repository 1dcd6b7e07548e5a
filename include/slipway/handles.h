/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handles.h - the objects of the host API, and where errors are told. Included by slipway.h.
 *
 * A tree: a device owns everything else. What was made on a device must be destroyed before the
 * device is closed; what is forgotten goes with it. Destroy functions take NULL, cannot fail, and
 * return nothing.
 */
#ifndef SLIPWAY_HANDLES_H
#define SLIPWAY_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <slipway/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLIPWAY_VERSION "0.1.0"

typedef struct slip_device slip_device; /* something that runs kernels */
typedef struct slip_stream slip_stream; /* an order in which calls run */
typedef struct slip_event slip_event;   /* a point in a stream */
typedef struct slip_module slip_module; /* kernels, loaded on a device */
typedef struct slip_entry slip_entry;   /* one kernel of a module */

/*
 * slip_last_error - the first failure of this thread's last public call.
 *
 * The code is SLIP_OK if none failed. The record is the thread's own and changes with its next
 * public call that can fail; copy the struct to keep it.
 *
 * Threads  any, each its own            Blocks  no            Allocates  no
 */
SLIP_API const slip_error *slip_last_error(void);

/*
 * slip_report - print the last error.
 *
 * Prints "SLIP_ERR_MEMORY: message" and a newline to `to`, where that is not NULL. Returns 1, so that
 * main may return it.
 */
SLIP_API int slip_report(FILE *to);

/* "SLIP_ERR_MEMORY"; static. */
SLIP_API const char *slip_status_name(slip_status status);

/* The version of the library that runs, as SLIPWAY_VERSION is that of the header. */
SLIP_API const char *slip_version(void);

#ifdef __cplusplus
}
#endif
#endif
