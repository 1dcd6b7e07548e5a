/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retire.h - memory and code that calls in progress and queued work may still use, until they have
 * ended.
 *
 * What is retired has been made unreachable for new calls before. It goes back once every stream
 * has passed a mark that was taken since, outside of any call. Costs a call nothing, and a free
 * O(streams).
 */
#ifndef SLIPWAY_RUNTIME_RETIRE_H
#define SLIPWAY_RUNTIME_RETIRE_H

#include <stdint.h>

#include "runtime/objects.h"

/* All three under the device's lock. */
void retire(slip_device *device, retired *item, void (*drop)(slip_device *, retired *));
/* Gives back what nothing can use any more. Called once all that goes together is retired, so that
 * one mark of each stream does for it. */
void retire_sweep(slip_device *device);
/* No call is in progress or will come, and nothing is queued. */
void retire_all(slip_device *device);

/* Under the stream's lock, which is about to be given back: the mark that a sweep wants. */
void retire_note(slip_stream *stream);

#endif
