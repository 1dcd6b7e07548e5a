/* SPDX-License-Identifier: Apache-2.0 */
/*
 * present.h - what a device knows about addresses.
 *
 * An immutable sorted array of ranges, replaced whole: look-ups take no lock. Each change raises
 * the device's generation, after the new array can be seen. Ranges never overlap.
 */
#ifndef SLIPWAY_RUNTIME_PRESENT_H
#define SLIPWAY_RUNTIME_PRESENT_H

#include "runtime/objects.h"
#include "runtime/reserved.h"
#include "runtime/retire.h"

typedef enum present_kind {
    PRESENT_NONE,
    PRESENT_PINNED,
    PRESENT_REGISTERED, /* the user's; as unknown where it could not be pinned */
    PRESENT_KEPT,
    PRESENT_RESIDENT,
    PRESENT_WRAPPED
} present_kind;

/* The memory behind a range. */
typedef struct present_memory {
    retired retired;
    launch_memory memory;
    bool wrapped;            /* it is another library's, or the user's */
    reserved_range reserved; /* addresses that stand for it on the host */
} present_memory;

typedef struct present_entry {
    uintptr_t start;
    uint64_t bytes;
    uint64_t device;        /* where tasks find it */
    present_memory *memory; /* owned */
    _Atomic uint32_t kind;  /* present_kind; PRESENT_NONE: removed while memory was short */
} present_entry;

struct present_table {
    retired retired;
    uint32_t count;
    present_entry entries[];
};

/* One range, copied out of the table. */
typedef struct present_range {
    present_kind kind;
    uintptr_t start;
    uint64_t bytes;
    uint64_t device;
    const launch_memory *memory; /* what holds it; the range begins at its first byte */
} present_range;

/* What messages call a range: array `name` of a kernel, or `name` itself where that is NULL. */
typedef struct present_name {
    const char *name, *kernel;
} present_name;
enum { PRESENT_NAME_BYTES = 96 };
const char *present_name_text(present_name name, char out[PRESENT_NAME_BYTES]);

/* The range that holds the whole of [start, start + bytes), bytes >= 1; kind PRESENT_NONE where
 * no range touches it. ARGUMENT naming both ranges where one holds a part of it. During a call, or
 * under the device's lock. */
slip_status present_find(slip_device *device, uintptr_t start, uint64_t bytes, present_name name,
                         present_range *out) SLIP_MUST_USE;

/* The kind of the first range that shares a byte with [start, start + bytes), bytes >= 1. As
 * present_find. */
present_kind present_kind_at(slip_device *device, uintptr_t start, uint64_t bytes);

/* Under the device's lock. Takes memory (freed with the range) if all goes well; range.memory is
 * not looked at. ARGUMENT where the range touches one that is there. */
slip_status present_add(slip_device *device, present_range range,
                        present_memory *memory) SLIP_MUST_USE;
/* Under the device's lock. Takes away the range of that kind that begins at start; false if
 * there is none. *out_pin is what the caller is to unpin, where `own` is not NULL. */
bool present_remove(slip_device *device, uintptr_t start, present_kind kind,
                    launch_memory *out_pin);
/* What of memory that is the user's the launcher has pinned: whoever takes it unpins it. */
launch_memory present_take_pin(present_memory *memory);
/* Retires memory that no range has, or not yet. Under the device's lock. */
void present_retire(slip_device *device, present_memory *memory);
/* At close. */
void present_finish(slip_device *device);

const char *present_kind_text(present_kind kind); /* "slip_alloc" */
const char *present_kind_end(present_kind kind);  /* "slip_free" */

#endif
