/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_fold.h - the pieces of LANGUAGE rule 7's tree: 64 lanes as vectors, halved; levels of
 * blocks.
 */
#ifndef SLIPWAY_TARGET_LLVM_FOLD_H
#define SLIPWAY_TARGET_LLVM_FOLD_H

#include "target/llvm_emit.h"

typedef struct llvm_folding {
    scalar_op op;
    scalar_type type; /* bool is folded as u8, 0 or 1 */
} llvm_folding;

llvm_folding llvm_folding_of(const mod_reduce *r);
/* Of bools it is 255 for `and`: any bits that leave 0 and 1 as they are. */
const char *llvm_fold_identity(llvm_emit *e, llvm_folding f);

/* dst = a op b; lanes may be 1. */
void llvm_fold_line(llvm_emit *e, const char *dst, llvm_folding f, uint32_t lanes, const char *a,
                    const char *b);
/* dst = the 64 lanes of a vector folded into one. */
void llvm_fold_halve(llvm_emit *e, const char *dst, llvm_folding f, const char *lanes);
/* The same of 64 lanes in memory, by a function that the module then holds. */
void llvm_fold_lanes(llvm_emit *e, const char *dst, llvm_folding f, const char *lanes);
/* dst = the block results of %last iterations at ptr, `stride` bytes apart, folded into one. */
void llvm_fold_levels(llvm_emit *e, const char *dst, llvm_folding f, const char *ptr,
                      uint32_t stride);
/* Prints the functions that were used. */
void llvm_fold_functions(llvm_emit *e);

#endif
