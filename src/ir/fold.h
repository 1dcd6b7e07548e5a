/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.h - the parts of the fold pass; for files of ir/ only.
 *
 * Each rule looks at one op whose inputs are folded already, and gives the value to use in its
 * place: one that exists, or new ops made at the builder's cursor, which stands before the op.
 */
#ifndef SLIPWAY_IR_FOLD_H
#define SLIPWAY_IR_FOLD_H

#include "ir/ir.h"

/* NULL: the rule does not apply. */
ir_op *fold_constants(ir_builder *b, ir_op *op, bool exact); /* exact: decline what does not fit */
ir_op *fold_identity(ir_builder *b, ir_op *op);
ir_op *fold_convert(ir_builder *b, ir_op *op);
ir_op *fold_narrow(ir_builder *b, ir_op *op); /* rule 21: f64 arithmetic whose result is an f32 */
ir_op *fold_memory(ir_builder *b, ir_op *op); /* tables, and pointers made of pointers */

bool fold_is_const(const ir_op *op, uint64_t bits); /* a const with these canonical bits */

#endif
