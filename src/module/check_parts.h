/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_parts.h - what the files that check a module share: the sticky status, and what a slot, a
 * cell and an array may be.
 */
#ifndef SLIPWAY_MODULE_CHECK_PARTS_H
#define SLIPWAY_MODULE_CHECK_PARTS_H

#include "base/fail.h"
#include "module/module.h"

typedef struct mod_checker {
    const mod_module *m;
    const mod_entry *e; /* NULL outside the kernels */
    slip_status status;
} mod_checker;

/* The claim must hold. False, once for all, after the first that does not. */
bool mod_must(mod_checker *k, bool claim, const char *what, uint32_t index);

static inline bool mod_slot_ok(const mod_checker *k, uint32_t slot)
{
    return slot < k->e->slot_count;
}

static inline bool mod_cell_ok(const mod_checker *k, uint32_t cell, uint32_t bytes)
{
    return cell <= k->e->cells_bytes && bytes <= k->e->cells_bytes - cell;
}

/* May the launch write the slot? Those of parameters hold the caller's values throughout. */
static inline bool mod_slot_free(const mod_checker *k, uint32_t slot)
{
    return mod_slot_ok(k, slot) && slot >= k->e->param_count;
}

/* check_program.c: the instructions and nodes of the kernel's launch program. */
void mod_check_program(mod_checker *k);
/* check_code.c: one code of the module, its shaders and symbols. The kernels have passed. */
void mod_check_code(mod_checker *k, uint32_t index);

#endif
