/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_eval.c - launch values as instructions over slots.
 *
 * Each needed value has its own slot, and a load of a launch variable copies it: a task queued
 * later then gets the value the program had, whatever the variable holds by then. Addresses are
 * u64.
 */
#include <string.h>

#include "ir/launch_parts.h"

uint32_t launch_slot_new(launch *l)
{
    return l->slot_count++;
}

uint32_t launch_const_slot(launch *l, uint64_t bits)
{
    for (uint32_t i = 0; i < l->const_count; i++)
        if (l->consts[i].bits == bits)
            return l->consts[i].slot;
    l->consts =
        arena_grow(l->arena, l->consts, &l->const_capacity, l->const_count + 1, sizeof *l->consts);
    l->consts[l->const_count++] = (mod_const){ .slot = launch_slot_new(l), .bits = bits };
    return l->consts[l->const_count - 1].slot;
}

uint32_t launch_slot(launch *l, const ir_op *op)
{
    launch_fact *f = launch_fact_of(l, op);

    if (op->code == IR_const || op->code == IR_undef)
        return launch_const_slot(l, op->code == IR_const ? op->bits : 0);
    if (op->code == IR_param)
        return op->index;
    if (f->slot == MOD_NONE)
        f->slot = launch_slot_new(l);
    return f->slot;
}

static mod_instr *add(launch *l, uint32_t op, scalar_type type, uint32_t dst, ir_place place)
{
    l->instrs =
        arena_grow(l->arena, l->instrs, &l->instr_capacity, l->instr_count + 1, sizeof *l->instrs);
    mod_instr *in = &l->instrs[l->instr_count++];
    *in = (mod_instr){
        .op = (uint8_t)op, .type = type, .from = type, .dst = dst, .place = launch_place_of(place)
    };
    return in;
}

void launch_move(launch *l, uint32_t dst, uint32_t a, ir_place place)
{
    add(l, MOD_OP_MOVE, SCALAR_u64, dst, place)->a = a;
}

static scalar_type slot_type(const ir_type *type)
{
    return type->kind == IR_SCALAR ? type->scalar : SCALAR_u64;
}

static bool compares(ir_code code)
{
    return code == IR_eq || code == IR_ne || code == IR_lt || code == IR_le;
}

/* The guard as a bool slot. */
static uint32_t guard_slot(launch *l, const launch_guard *g, ir_place place)
{
    uint32_t slot = launch_slot(l, g->condition);

    if (!g->wanted) {
        uint32_t opposite = launch_slot_new(l);
        add(l, SCALAR_OP_not, SCALAR_bool, opposite, place)->a = slot;
        slot = opposite;
    }
    if (!g->up)
        return slot;
    uint32_t outer = guard_slot(l, g->up, place), both = launch_slot_new(l);
    mod_instr *in = add(l, SCALAR_OP_and, SCALAR_bool, both, place);
    in->a = outer;
    in->b = slot;
    return both;
}

/* Operands where the guard holds; elsewhere some with which any operation is exact. */
static void guard_operands(launch *l, const ir_op *op, uint32_t slots[3])
{
    uint32_t guard = guard_slot(l, launch_fact_of(l, op)->guard, op->place);
    uint32_t harmless = launch_const_slot(l, op->code != IR_neg);

    for (uint32_t i = 0; i < op->in_count && i < 3; i++) {
        uint32_t chosen = launch_slot_new(l);
        mod_instr *in = add(l, SCALAR_OP_select, slot_type(op->in[i]->type), chosen, op->place);
        in->a = guard;
        in->b = slots[i];
        in->c = harmless;
        slots[i] = chosen;
    }
}

static bool may_not_fit(const ir_op *op)
{
    return op->code == IR_add || op->code == IR_sub || op->code == IR_mul || op->code == IR_div ||
           op->code == IR_rem || op->code == IR_shl || op->code == IR_neg || op->code == IR_abs ||
           op->code == IR_convert;
}

static void eval_scalar(launch *l, const ir_op *op)
{
    const launch_fact *f = launch_fact_of(l, op);
    uint32_t slots[3] = { 0 };
    scalar_type type = slot_type(compares(op->code) ? op->in[0]->type : op->type);

    for (uint32_t i = 0; i < op->in_count && i < 3; i++)
        slots[i] = launch_slot(l, op->in[i]);
    if (op->code == IR_bitcast && (op->type->kind == IR_PTR || op->in[0]->type->kind == IR_PTR)) {
        launch_move(l, launch_slot(l, op), slots[0], op->place);
        return;
    }
    bool exact = f->exact && scalar_types[type].is_integer && !compares(op->code);
    if (exact && f->guard && may_not_fit(op) && slot_type(op->in[0]->type) < SCALAR_f32)
        guard_operands(l, op, slots);
    mod_instr *in = add(l, (uint32_t)op->code, type, launch_slot(l, op), op->place);
    in->a = slots[0];
    in->b = slots[1];
    in->c = slots[2];
    if (op->code == IR_convert || op->code == IR_bitcast)
        in->from = slot_type(op->in[0]->type);
    in->exact = exact;
    in->text = in->exact ? f->text : NULL;
}

/* dst = a + index * bytes, as addresses or byte offsets. */
static void eval_step(launch *l, uint32_t dst, uint32_t a, const ir_op *index, uint64_t bytes,
                      ir_place place)
{
    uint32_t scaled;

    if (index->code == IR_const) {
        scaled = launch_const_slot(l, index->bits * bytes);
    } else {
        scaled = launch_slot_new(l);
        mod_instr *mul = add(l, SCALAR_OP_mul, SCALAR_i64, scaled, place);
        mul->a = launch_slot(l, index);
        mul->b = launch_const_slot(l, bytes);
    }
    mod_instr *sum = add(l, SCALAR_OP_add, SCALAR_u64, dst, place);
    sum->a = a;
    sum->b = scaled;
}

static void eval_place(launch *l, const ir_op *op)
{
    uint32_t base = launch_slot(l, op->in[0]);

    if (op->code == IR_field) {
        mod_instr *sum = add(l, SCALAR_OP_add, SCALAR_u64, launch_slot(l, op), op->place);
        sum->a = base;
        sum->b = launch_const_slot(l, op->in[0]->type->elem->fields[op->index].offset);
    } else {
        eval_step(l, launch_slot(l, op), base, op->in[1], op->type->elem->size, op->place);
    }
}

bool launch_constant_path(const ir_op *ptr, const ir_op *root, uint64_t *out)
{
    uint64_t at = 0;

    for (; ptr != root; ptr = ptr->in[0]) {
        if (ptr->code == IR_field)
            at += ptr->in[0]->type->elem->fields[ptr->index].offset;
        else if (ptr->in[1]->code == IR_const)
            at += ptr->in[1]->bits * ptr->type->elem->size;
        else
            return false;
    }
    *out = at;
    return true;
}

/* Where the table's bytes lie in the module's data; added on first use. */
static uint32_t data_offset(launch *l, const ir_table *table)
{
    for (uint32_t i = 0; i < l->data_table_count; i++)
        if (l->data_tables[i] == table)
            return l->data_offsets[i];
    while (l->data->bytes % 8)
        text_bytes(l->data, "", 1);
    uint32_t at = (uint32_t)l->data->bytes, count = l->data_table_count + 1;
    text_bytes(l->data, table->data, table->type->size);
    l->data_tables = arena_grow(l->arena, l->data_tables, &l->data_table_capacity, count,
                                sizeof *l->data_tables);
    l->data_offsets = arena_grow(l->arena, l->data_offsets, &l->data_offset_capacity, count,
                                 sizeof *l->data_offsets);
    l->data_tables[count - 1] = table;
    l->data_offsets[count - 1] = at;
    l->data_table_count = count;
    return at;
}

/* The byte offset of a place in a table, as a slot. */
static uint32_t table_slot(launch *l, const ir_op *ptr)
{
    uint64_t at;

    if (launch_constant_path(ptr, launch_root((ir_op *)ptr), &at))
        return launch_const_slot(l, at);
    uint32_t base = table_slot(l, ptr->in[0]), dst = launch_slot_new(l);
    if (ptr->code == IR_field) {
        mod_instr *sum = add(l, SCALAR_OP_add, SCALAR_u64, dst, ptr->place);
        sum->a = base;
        sum->b = launch_const_slot(l, ptr->in[0]->type->elem->fields[ptr->index].offset);
    } else {
        eval_step(l, dst, base, ptr->in[1], ptr->type->elem->size, ptr->place);
    }
    return dst;
}

static void eval_load(launch *l, const ir_op *op)
{
    ir_op *root = launch_root(op->in[0]);
    uint64_t at = 0;

    if (root->code == IR_var) {
        launch_move(l, launch_slot(l, op), launch_slot(l, root), op->place);
    } else if (root->code == IR_param) {
        launch_constant_path(op->in[0], root, &at);
        mod_instr *in = add(l, MOD_OP_MEMBER, op->type->scalar, launch_slot(l, op), op->place);
        in->a = root->index;
        in->b = (uint32_t)at;
    } else {
        uint32_t where = table_slot(l, op->in[0]);
        uint32_t offset = data_offset(l, root->table);
        mod_instr *in = add(l, MOD_OP_DATA, op->type->scalar, launch_slot(l, op), op->place);
        in->a = where;
        in->b = offset;
        in->c = (uint32_t)root->table->type->size;
        in->text = launch_expression(l, op);
    }
}

void launch_eval_op(launch *l, ir_op *op)
{
    if (op->code < (ir_code)SCALAR_OP_COUNT)
        eval_scalar(l, op);
    else if (op->code == IR_load)
        eval_load(l, op);
    else if (launch_is_place(op))
        eval_place(l, op);
}

/* ---- extents of parameters ----------------------------------------------------------------- */

/* The ops of an extent in order; both sides of an if, then the choice. */
static void eval_straight(launch *l, const ir_region *r)
{
    for (ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_yield || !launch_fact_of(l, op)->needed)
            continue;
        if (op->code != IR_if) {
            launch_eval_op(l, op);
            continue;
        }
        eval_straight(l, op->regions[0]);
        eval_straight(l, op->regions[1]);
        uint32_t yes = launch_slot(l, op->regions[0]->last->in[0]);
        uint32_t no = launch_slot(l, op->regions[1]->last->in[0]);
        uint32_t condition = launch_slot(l, op->in[0]);
        mod_instr *in =
            add(l, SCALAR_OP_select, slot_type(op->type), launch_slot(l, op), op->place);
        in->a = condition;
        in->b = yes;
        in->c = no;
    }
}

/* Everything in an extent is exact. */
static uint32_t eval_extent(launch *l, const ir_region *r, const char *written)
{
    launch_need_extent(l, r->last->in[0], written);
    eval_straight(l, r);
    return launch_slot(l, r->last->in[0]);
}

void launch_eval_extents(launch *l, mod_param *params)
{
    for (uint32_t p = 0; p < l->kernel->param_count; p++) {
        const ir_param *from = &l->kernel->params[p];
        for (uint32_t d = 0; d < from->rank; d++) {
            const char *written = from->extent_text[d];
            if (!from->extents[d])
                continue;
            if (!written)
                written = launch_expression(l, from->extents[d]->last->in[0]);
            params[p].extents[d] = eval_extent(l, from->extents[d], written);
            params[p].extent_text[d] = written;
        }
    }
}
