/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.h - memory of the device, and the addresses that stand for it on the host.
 */
#ifndef SLIPWAY_RUNTIME_RANGES_H
#define SLIPWAY_RUNTIME_RANGES_H

#include "runtime/present.h"

/* Memory that no range has yet; 0 bytes become 1. Where the device is full, what nobody uses is
 * given back and the request tried again, at last after a wait for the device. */
slip_status ranges_new(slip_device *device, uint64_t bytes, launch_memory_kind kind,
                       present_memory **out) SLIP_MUST_USE;
void ranges_drop(slip_device *device, present_memory *memory);

/* Lets calls find the memory; takes it, whether that goes well or not. */
slip_status ranges_add(slip_device *device, present_kind kind, uintptr_t start, uint64_t bytes,
                       present_memory *memory) SLIP_MUST_USE;
/* Takes away the range that begins at `memory`. One that is not there is recorded: false. */
bool ranges_remove(slip_device *device, void *memory, present_kind kind, const char *where);

/* ARGUMENT where the device or `pointer`, which is `what`, is NULL; MEMORY for more than any device
 * has. */
slip_status ranges_check(const slip_device *device, const void *pointer, const char *what,
                         uint64_t bytes, const char *where) SLIP_MUST_USE;

/* ARGUMENT where memory that the present table does not know is a device's, another one's or one that
 * went back, so that the host cannot touch it; `name` is what the caller calls it. Asks the driver. */
slip_status ranges_refuse_device(const slip_device *device, const void *memory,
                                 present_name name) SLIP_MUST_USE;

#endif
