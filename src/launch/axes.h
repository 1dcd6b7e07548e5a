/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axes.h - the block of bytes that a task gets: its axes, then its arguments (module.h).
 */
#ifndef SLIPWAY_LAUNCH_AXES_H
#define SLIPWAY_LAUNCH_AXES_H

#include "launch/program.h"

typedef struct axes_place {
    int64_t lo, count;
} axes_place;

/*
 * Fills the axes of the block. *out_total is the number of iterations: 0 where an axis is empty,
 * however long the others are. `cells` holds the device values that axes may have as bounds; NULL
 * where the host does not see them: such an axis gets lo and hi, 0 for the one in a cell, and counts
 * as 1 in the total.
 * ARGUMENT where there are too many iterations, naming the bounds.
 */
slip_status axes_find(const program_state *program, const mod_task *task, const uint8_t *cells,
                      uint8_t *block, int64_t *out_total) SLIP_MUST_USE;
/* Does an axis have a device value as a bound? */
bool axes_in_cells(const mod_task *task);
/* Fills the arguments, but not the address of partial results. */
void axes_args(const program_state *program, const mod_task *task, uint8_t *block);
/* Bytes of partial results. MEMORY where they do not fit in a number. */
slip_status axes_partials(const mod_task *task, int64_t total, uint64_t *out_bytes) SLIP_MUST_USE;

#endif
