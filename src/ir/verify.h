/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.h - what the two halves of the verifier share; for files of ir/ only.
 */
#ifndef SLIPWAY_IR_VERIFY_H
#define SLIPWAY_IR_VERIFY_H

#include "ir/ir.h"

typedef struct verifier {
    const ir_module *module;
    const ir_func *func;
    const ir_op **visible; /* by id: the op, while its value may be used */
    uint32_t id_count;
    slip_status status; /* sticky: the first broken rule is reported */
} verifier;

/* Records the broken rule with the function's name and the op's text. `op` may be NULL. */
void verify_fail(verifier *v, const ir_op *op, const char *rule, ...)
    __attribute__((format(printf, 3, 4)));

/* The types of the op, its inputs and what its fields name; counts have been checked. */
void verify_types(verifier *v, const ir_op *op);
/* May a value of this type be selected, yielded, loaded or stored? Scalars and global pointers. */
bool verify_plain(const ir_type *type);

#endif
