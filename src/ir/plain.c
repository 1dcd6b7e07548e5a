/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c - see plain.h. Must only be asked where no other iteration can see the memory. */
#include "ir/plain.h"

void ir_plain_update(ir_module *m, ir_func *f, ir_op *update)
{
    ir_builder b = { .module = m,
                     .func = f,
                     .region = update->parent,
                     .before = update,
                     .place = update->place };
    ir_region *body = update->regions[0];
    ir_op *old = ir_load(&b, update->in[0]);

    ir_replace_uses(f, body->args[0], old);
    for (ir_op *op = body->first, *next; op; op = next) {
        next = op->next;
        if (op->code == IR_yield)
            ir_store(&b, update->in[0], op->in[0]);
        else
            ir_move_before(op, update->parent, update);
    }
    ir_replace_uses(f, update, old);
    ir_remove(update);
}

void ir_plain_atomic(ir_module *m, ir_func *f, ir_op *op)
{
    ir_builder b = {
        .module = m, .func = f, .region = op->parent, .before = op, .place = op->place
    };
    ir_op *old = ir_load(&b, op->in[0]), *value = op->in[1];

    if (op->code == IR_cas)
        value = ir_select(&b, ir_binary(&b, SCALAR_OP_eq, old, op->in[1]), op->in[2], old);
    else if (op->scalar != SCALAR_OP_COUNT)
        value = ir_binary(&b, op->scalar, old, value);
    ir_store(&b, op->in[0], value);
    ir_replace_uses(f, op, old);
    ir_remove(op);
}
