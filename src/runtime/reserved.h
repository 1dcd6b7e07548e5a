/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reserved.h - addresses of this process that stand for memory which the host cannot touch: those
 * of all devices, and the last ones that were given back.
 *
 * A device knows its own by its present table. What is here tells an address that belongs to
 * another device, or to none any more, from the host's memory. Any thread; locks nothing but
 * itself.
 */
#ifndef SLIPWAY_RUNTIME_RESERVED_H
#define SLIPWAY_RUNTIME_RESERVED_H

#include "runtime/objects.h"

/* In the memory that it stands for. */
typedef struct reserved_range {
    struct reserved_range *next, *previous;
    const slip_device *device;
    void *start; /* NULL: there are none */
    size_t bytes;
} reserved_range;

/* At least `bytes` addresses of whole pages, and a page that nobody has. MEMORY. */
slip_status reserved_make(const slip_device *device, uint64_t bytes,
                          reserved_range *out) SLIP_MUST_USE;
void reserved_drop(reserved_range *range);

/* What is at an address. */
typedef enum reserved_kind {
    RESERVED_NOT,
    RESERVED_BY,   /* memory of *out_device */
    RESERVED_ONCE, /* memory that went back, and nothing is there now */
} reserved_kind;
reserved_kind reserved_at(const void *address, const slip_device **out_device);

/* For the handlers of fork: nothing is half changed in the child. */
void reserved_before_fork(void);
void reserved_after_fork(void);

#endif
