/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leaf.h - which bytes of which local variable a pointer points to; for files of ir/ only.
 *
 * Pointers to variables come from var, index, offset and field alone and are never stored, so the
 * variable behind one is always known; the byte is where all steps are constant.
 */
#ifndef SLIPWAY_IR_LEAF_H
#define SLIPWAY_IR_LEAF_H

#include "ir/ir.h"

typedef struct ir_leaf {
    const ir_op *var; /* NULL: not a local variable of this function */
    bool known;       /* the bytes are; else any byte of the variable */
    uint64_t byte, bytes;
} ir_leaf;

ir_leaf ir_leaf_of(const ir_op *ptr);
/* Can the launch program compute such an op from its inputs, if it can compute those? Loads of
 * variables are not among them: they have kinds of their own. */
bool ir_is_launch_code(const ir_op *op);
bool ir_leaf_overlap(const ir_leaf *a, const ir_leaf *b);

#endif
