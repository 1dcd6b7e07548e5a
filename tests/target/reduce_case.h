/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_case.h - LANGUAGE rule 7's tree, written out once more over scalar_eval in the rule's own
 * words, and kernels that reduce, compared with it.
 */
#ifndef SLIPWAY_TESTS_TARGET_REDUCE_CASE_H
#define SLIPWAY_TESTS_TARGET_REDUCE_CASE_H

#include "target/code_run.h"

typedef struct reduce_rule {
    scalar_op op;
    scalar_type type;
} reduce_rule;

uint64_t reduce_op(reduce_rule r, uint64_t a, uint64_t b);
uint64_t reduce_identity(reduce_rule r);
/* Folds the sequence, in its place, until one is left. */
uint64_t reduce_fold(reduce_rule r, uint64_t *parts, uint64_t count);

/*
 * Task: axes of type i32, or i64 for rank 1 with `wide`; x indexed by the flat position. `body` is
 * IR that has %w (flat position), %x and gives its updates itself.
 */
typedef struct reduce_kernel {
    uint32_t rank, reduces;
    reduce_rule rules[3];
    scalar_type array;
    const char *index; /* "i32" */
    const char *body;
} reduce_kernel;

void reduce_text(text *ir, const reduce_kernel *k);

/* Values whose sum depends on the order; small integers for the rest. */
uint64_t reduce_element(scalar_type type, uint64_t *state);

/* What the body's updates make of element v: the part of each reduction. */
typedef void (*reduce_parts)(const reduce_kernel *k, uint64_t v, uint64_t parts[3]);

typedef struct reduce_extents {
    int64_t n[3];
} reduce_extents;

/* Does the kernel give the tree of its parts, on every target, for every shape, in one call and in
 * many? */
void reduce_check(const reduce_kernel *k, const reduce_extents *shapes, size_t count,
                  reduce_parts make);

#endif
