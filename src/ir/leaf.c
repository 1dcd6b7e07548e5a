/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leaf.c - the variable and the bytes behind a pointer.
 *
 * Must never call bytes known that lie outside the variable: C leaves such an access open, and
 * the passes then leave it alone.
 */
#include "ir/leaf.h"

ir_leaf ir_leaf_of(const ir_op *ptr)
{
    ir_leaf leaf = { .known = true, .bytes = ptr->type->elem->size };
    const ir_op *op = ptr;

    for (; op->code == IR_index || op->code == IR_offset || op->code == IR_field; op = op->in[0]) {
        if (op->code == IR_field)
            leaf.byte += op->in[0]->type->elem->fields[op->index].offset;
        else if (op->in[1]->code == IR_const)
            leaf.byte += op->in[1]->bits * op->type->elem->size; /* negative ones wrap back */
        else
            leaf.known = false;
    }
    if (op->code != IR_var)
        return (ir_leaf){ 0 };
    leaf.var = op;
    uint64_t size = op->type->elem->size;
    leaf.known = leaf.known && leaf.byte <= size && leaf.bytes <= size - leaf.byte;
    return leaf;
}

bool ir_leaf_overlap(const ir_leaf *a, const ir_leaf *b)
{
    if (a->var != b->var || !a->var)
        return false;
    return !a->known || !b->known || (a->byte < b->byte + b->bytes && b->byte < a->byte + a->bytes);
}

bool ir_is_launch_code(const ir_op *op)
{
    if (op->code == IR_math || op->code == IR_arg || op->code == IR_undef)
        return false;
    if (op->code == IR_load)
        return op->in[0]->type->space == IR_PARAM_SPACE || op->in[0]->type->space == IR_TABLE_SPACE;
    if (op->code == IR_var)
        return false;
    return (ir_codes[op->code].flags & (IR_PURE | IR_PLACE)) != 0;
}
