/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slipway.h - the host API: devices, streams, memory, modules, calls.
 *
 * A kernel compiled by slipc is a C function declared in NAME.slip.h:
 *
 *     slip_status heat(slip_stream *slip_on, int32_t n, int32_t steps, float k, float *u);
 *
 * Calling it moves what must be moved, runs the kernel's tasks, and waits for the device only where
 * the meaning of the program demands it. Host arrays named in a call are complete when it returns.
 *
 *     slip_device *device;
 *     if (slip_device_open("auto", &device) || heat(slip_default(device), n, steps, 0.25f, u))
 *         return slip_report(stderr);
 *     slip_device_close(device);
 *
 * Every fallible function returns slip_status, SLIP_OK being 0; slip_last_error() has the details of the
 * first failure of this thread's last public call. Where nothing else is said a function may be called
 * from any thread, changes nothing when it fails, and leaves *out untouched then.
 *
 * NULL goes where a comment says so. Elsewhere a function that returns slip_status refuses it with
 * SLIP_ERR_ARGUMENT, and the message names what was NULL. One that returns nothing does nothing, but
 * zeroes what it was to fill; one that returns something else returns NULL or 0.
 */
#ifndef SLIPWAY_SLIPWAY_H
#define SLIPWAY_SLIPWAY_H

#include <slipway/device.h>
#include <slipway/handles.h>
#include <slipway/memory.h>
#include <slipway/module.h>
#include <slipway/status.h>

#endif
