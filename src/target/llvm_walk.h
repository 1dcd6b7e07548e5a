/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_walk.h - the walk over a flat range in rows, shared by plain and reducing tasks.
 *
 * Between llvm_walk_begin and llvm_walk_end stand %pos (flat position), %col, %row, %plane
 * (coordinates, as far as the rank has them) and %run (iterations left in this row and range, at
 * least 1). The user handles some of them, opens block `latch` and says how many.
 */
#ifndef SLIPWAY_TARGET_LLVM_WALK_H
#define SLIPWAY_TARGET_LLVM_WALK_H

#include "target/llvm_emit.h"

#define LLVM_ENTRY                                                                                 \
    "define hidden void @slip.%s.%u%s(ptr noalias nocapture noundef %%block, i64 noundef "         \
    "%%first, i64 noundef %%last) #%s"

typedef struct llvm_walk {
    uint32_t head, latch, done;
} llvm_walk;

void llvm_block_load(llvm_emit *e, const char *dst, const char *type, uint32_t offset);
void llvm_block_pointer(llvm_emit *e, const char *dst, uint32_t offset); /* into device memory */
void llvm_axes(llvm_emit *e); /* %lo<k> and %n<k> */
void llvm_walk_begin(llvm_emit *e, llvm_walk *w);
void llvm_walk_end(llvm_emit *e, llvm_walk *w, const char *run);

/* dst = the index of `axis` at a coordinate: lo + coordinate, in the axis' type. */
void llvm_index_at(llvm_emit *e, const char *dst, uint32_t axis, const char *coordinate);
/* %<prefix>i<k> for all axes but the last. */
void llvm_outer_indices(llvm_emit *e, const char *prefix);
/* One row: the body for coordinates from .. from + run - 1 of the last axis. `after` prints what
 * follows each iteration. */
void llvm_row_loop(llvm_emit *e, const char *prefix, const char *from, const char *run,
                   void (*after)(llvm_emit *e, const char *prefix));

#endif
