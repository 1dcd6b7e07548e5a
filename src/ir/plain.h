/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain.h - updates of memory that one thread alone sees, as load, compute and store.
 */
#ifndef SLIPWAY_IR_PLAIN_H
#define SLIPWAY_IR_PLAIN_H

#include "ir/ir.h"

/* The update op is gone; its users have the old value. */
void ir_plain_update(ir_module *m, ir_func *f, ir_op *update);
/* The same for a native update or a compare-exchange. */
void ir_plain_atomic(ir_module *m, ir_func *f, ir_op *op);

#endif
