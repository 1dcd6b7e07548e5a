/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retire.h - memory that calls in progress may still use, until they have ended.
 *
 * What is retired has been made unreachable for new calls before. It goes back once every stream
 * has been seen idle, or two uses further, since. Costs a call nothing, and a free O(streams).
 */
#ifndef SLIPWAY_RUNTIME_RETIRE_H
#define SLIPWAY_RUNTIME_RETIRE_H

#include <stdint.h>

#include "runtime/objects.h"

/* Embedded in what is retired, so that retiring cannot fail. */
struct retired {
    retired *next;
    uint64_t era;
    void (*drop)(slip_device *device, retired *item);
};

/* All three under the device's lock. */
void retire(slip_device *device, retired *item, void (*drop)(slip_device *, retired *));
/* Gives back what no call can use any more; retire does so too. */
void retire_sweep(slip_device *device);
/* No call is in progress or will come. */
void retire_all(slip_device *device);

#endif
