/* SPDX-License-Identifier: Apache-2.0 */
/*
 * class_moves.h - where a call's alias classes lie for its tasks, and which parts of them go back.
 */
#ifndef SLIPWAY_LAUNCH_CLASS_MOVES_H
#define SLIPWAY_LAUNCH_CLASS_MOVES_H

#include "launch/launcher.h"
#include "launch/rest.h"

/* What a plan's steps say of the classes; moves[class]: IN_PLACE: where the caller says; MAPPED: in
 * a slot of the call's; STAGED: in memory of the launch. */
typedef struct class_moves {
    bool any;            /* some class is not in place */
    bool copies_to_host; /* into the caller's memory itself */
    bool cells_mapped;
} class_moves;

class_moves class_moves_find(const plan *p, const mod_entry *entry, plan_move *moves);

/* The next run of bytes of the class, from `at`, that a task may write: overlapping arrays are one
 * run. False where there is none. */
bool class_next_written(const launch_call *call, uint32_t class, uint64_t at, uint64_t *out_start,
                        uint64_t *out_end);

/* Back to the caller: the parts of the class that a task may write, out of a slot that holds all of
 * it. `tasks_wrote`: tasks have written the slot itself, which counts as a copy of each part. Where
 * the call has a rest they are put into that. */
slip_status class_unstage(const launch_call *call, uint32_t class, const uint8_t *slot,
                          bool tasks_wrote, counters *counts, rest_call *rest) SLIP_MUST_USE;

/* How far past the alignment of launch memory a copy of host memory begins, so that what is aligned
 * there is aligned here. */
static inline uint64_t class_skew(uint64_t host_address)
{
    return host_address & 15;
}

#endif
