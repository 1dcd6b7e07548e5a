/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold_memory.c - the rules of fold for constant tables and for pointers made of pointers.
 *
 * Must never read a table outside its bytes, whatever the index.
 */
#include "ir/fold.h"

/* The byte that a pointer into a table points to, from its start; false unless it is constant. */
static bool table_byte(const ir_op *ptr, const ir_table **table, uint64_t *out)
{
    uint64_t step = 0;

    if (ptr->code == IR_table) {
        *table = ptr->table;
        *out = 0;
        return true;
    }
    if (ptr->code == IR_field)
        step = ptr->in[0]->type->elem->fields[ptr->index].offset;
    else if ((ptr->code == IR_index || ptr->code == IR_offset) && ptr->in[1]->code == IR_const)
        step = ptr->in[1]->bits * ptr->type->elem->size; /* negative ones wrap back */
    else
        return false;
    if (!table_byte(ptr->in[0], table, out))
        return false;
    *out += step;
    return true;
}

static ir_op *fold_table_load(ir_builder *b, const ir_op *op)
{
    const ir_table *table;
    uint64_t byte;

    if (op->code != IR_load || op->type->kind != IR_SCALAR || !table_byte(op->in[0], &table, &byte))
        return NULL;
    if (byte > table->type->size || table->type->size - byte < op->type->size)
        return NULL;
    return ir_const(b, op->type->scalar, scalar_load(op->type->scalar, table->data + byte));
}

ir_op *fold_memory(ir_builder *b, ir_op *op)
{
    ir_op *inner = op->in_count ? op->in[0] : NULL;

    if (op->code != IR_offset)
        return fold_table_load(b, op);
    if (fold_is_const(op->in[1], 0))
        return inner;
    if (inner->code != IR_index && inner->code != IR_offset)
        return NULL;
    ir_op *sum = ir_binary(b, SCALAR_OP_add, inner->in[1], op->in[1]);
    return inner->code == IR_index ? ir_index(b, inner->in[0], sum)
                                   : ir_offset(b, inner->in[0], sum);
}
