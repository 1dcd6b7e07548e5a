/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_parts.h - what the two ways of a reduction share. The names they use in the text: %lanes<r>
 * (64 lanes in memory), %partials, and those that pieces() in llvm_reduce.c prints.
 */
#ifndef SLIPWAY_TARGET_LLVM_PARTS_H
#define SLIPWAY_TARGET_LLVM_PARTS_H

#include "target/llvm_fold.h"

const mod_task *llvm_reduce_task(const llvm_emit *e);
/* Are the facts of the task such as a reduction's are? */
bool llvm_reduce_fits(llvm_emit *e);
/* Variables %<prefix>part<r>, which the body's reductions go to. */
void llvm_parts_new(llvm_emit *e, const char *prefix);
/* Each iteration's part of each reduction starts at the identity. */
void llvm_parts_reset(llvm_emit *e, const char *prefix);
/* Result r of a block is `value`. */
void llvm_store_partial(llvm_emit *e, uint32_t r, const char *block, const char *value);
/* Results of a block are what the lanes in memory fold to. */
void llvm_store_lanes(llvm_emit *e, const char *block);

/* What finish does before the fold or behind it, if anything: a call, with arguments %a<k>. */
void llvm_finish_call(llvm_emit *e, ir_finish which);
/* How many lanes are folded at once: all that a level's text depends on. */
uint32_t llvm_group_lanes(const mod_task *task, const target_row *row);
/* cell = cell op value, of reduction r */
void llvm_cell_takes(llvm_emit *e, uint32_t r, const char *value);

/* Folds %f.parts whole parts from %pos on, then goes to `latch`. */
void llvm_whole_parts(llvm_emit *e, uint32_t latch);

#endif
