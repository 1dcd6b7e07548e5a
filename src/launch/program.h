/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - the instructions of a launch program, run on the host.
 */
#ifndef SLIPWAY_LAUNCH_PROGRAM_H
#define SLIPWAY_LAUNCH_PROGRAM_H

#include <slipway/status.h>

#include "module/module.h"

/* What a program reads and writes besides its instructions. */
typedef struct program_state {
    const mod_module *module;
    const mod_entry *entry;
    uint64_t *slots;      /* [slot_count] */
    const uint64_t *args; /* [param_count]; a struct's is its address */
} program_state;

/* Fills the slots of scalars and constants; those of arrays and structs become 0. */
void program_begin(const program_state *state);

/* Runs instructions first .. first + count - 1, in the default floating-point mode. ARGUMENT,
 * naming the source expression and its values, where an exact one does not fit. Allocates
 * nothing. */
slip_status program_eval(const program_state *state, uint32_t first, uint32_t count) SLIP_MUST_USE;

/* Bytes of an array with these extents. ARGUMENT where one is negative or the product does not
 * fit; `name` and `place` are the array's, `texts` (may be NULL, or hold NULLs) its extents as
 * written. */
slip_status program_bytes(const program_state *state, const char *name, mod_place place,
                          const uint32_t *extents, const char *const *texts, uint32_t rank,
                          uint32_t element_bytes, uint64_t *out) SLIP_MUST_USE;

/* "heat.c:12", or the kernel's name where there is no place. `out` has room for
 * PROGRAM_PLACE_BYTES. */
enum { PROGRAM_PLACE_BYTES = 96 };
const char *program_place(const program_state *state, mod_place place, char *out);

#endif
