/* SPDX-License-Identifier: Apache-2.0 */
/*
 * entry.h - packing a list of arguments for an entry.
 */
#ifndef SLIPWAY_RUNTIME_ENTRY_H
#define SLIPWAY_RUNTIME_ENTRY_H

#include "runtime/objects.h"

/* A block from mem_new: [arg_count] arguments as slip_call takes them, then [arg_count] bytes
 * given of each array. ARGUMENT where count or size is wrong. */
slip_status entry_pack(const slip_entry *entry, const slip_arg *args, uint32_t arg_count,
                       uint64_t **out) SLIP_MUST_USE;

#endif
