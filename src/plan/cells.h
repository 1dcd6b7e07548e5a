/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.h - the cells of a launch (module.h) in pieces: what one task does to one piece and another
 * to the next has no order.
 *
 * Bytes of their own are memory of their own (C11 3.14; PTX ISA, memory consistency model, overlap;
 * the SPIR-V of VulkanMemoryModel alike). A piece is at least a MOD_CELL_WORD. For planner and
 * checker; neither knows more of the other.
 */
#ifndef SLIPWAY_PLAN_CELLS_H
#define SLIPWAY_PLAN_CELLS_H

#include "module/module.h"

enum { PLAN_CELLS_MOST = 256 }; /* pieces */

/* A span of bytes in the cells, or of pieces. */
typedef struct plan_span {
    uint32_t first, end;
} plan_span;

/* All bytes of the cells. */
plan_span plan_cells_all(const mod_entry *entry);
/* Those of the result; of a device loop's condition; of what the host must know for a task's
 * bounds. */
plan_span plan_cells_result(const mod_entry *entry);
plan_span plan_cells_known(const mod_entry *entry, const mod_node *node);

/* At least 1, also without cells. */
uint32_t plan_cells_pieces(const mod_entry *entry);
plan_span plan_cells_pieces_of(const mod_entry *entry, plan_span bytes);
/* What a variable that begins in the piece is called; NULL: none does. */
const char *plan_cells_name(const mod_entry *entry, uint32_t piece);

/* What a task does with cells, by span: MOD_READ, MOD_WRITE. */
typedef void plan_cells_visit(void *user, plan_span bytes, uint32_t flags);
void plan_cells_of_task(const mod_entry *entry, const mod_task *task, plan_cells_visit *visit,
                        void *user);

#endif
