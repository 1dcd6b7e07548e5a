/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_prepare.c - rewrites a kernel into the forms that the rest of the launch pass knows.
 *
 *     switch %v { case 1 {A} default {B} }     becomes   if eq %v 1 {A} else {B}
 *     %old = update %p { ^(o) ... yield %n }   becomes   %old = load %p; ...; store %p, %n
 *
 * Both at kernel level only: one statement runs at a time there, so an update needs no atomic, and
 * a switch around tasks is a chain of decisions. Must never enter a task.
 */
#include "ir/launch_parts.h"
#include "ir/plain.h"

static void prepare_region(ir_module *m, ir_func *kernel, ir_region *r);

static ir_op *case_condition(ir_builder *b, ir_op *value, const ir_case *which)
{
    ir_op *any = NULL;

    for (uint32_t i = 0; i < which->count; i++) {
        ir_op *is =
            ir_binary(b, SCALAR_OP_eq, value, ir_const(b, value->type->scalar, which->values[i]));
        any = any ? ir_binary(b, SCALAR_OP_or, any, is) : is;
    }
    return any ? any : ir_const(b, SCALAR_bool, 0);
}

static void take_region(ir_op *to, uint32_t side, ir_region *from)
{
    to->regions[side] = from;
    from->owner = to;
}

static void plain_switch(ir_module *m, ir_op *op)
{
    ir_builder b = { .module = m, .region = op->parent, .before = op, .place = op->place };
    uint32_t cases = op->region_count - 1;

    for (uint32_t k = 0; k < cases; k++) {
        ir_op *chosen = ir_if(&b, case_condition(&b, op->in[0], &op->cases[k]), ir_type_void(m));
        take_region(chosen, 0, op->regions[k]);
        if (k + 1 == cases)
            take_region(chosen, 1, op->regions[cases]);
        else
            ir_enter(&b, chosen, 1);
    }
    if (cases == 0) {
        ir_op *always = ir_if(&b, ir_const(&b, SCALAR_bool, 1), ir_type_void(m));
        take_region(always, 0, op->regions[0]);
    }
    ir_remove(op);
}

enum { LONG_SWITCH = 64 }; /* cases; a longer one is left to a serial task where it can be */

static bool is_plain(ir_op *op, void *user)
{
    (void)user;
    return op->code != IR_task && op->code != IR_sections && op->code != IR_break &&
           op->code != IR_continue && op->code != IR_return;
}

static bool becomes_ifs(const ir_op *op)
{
    bool plain = true;

    for (uint32_t k = 0; k < op->region_count; k++)
        plain = plain && ir_walk(op->regions[k], is_plain, NULL);
    return !plain || op->region_count <= LONG_SWITCH;
}

static void prepare_region(ir_module *m, ir_func *kernel, ir_region *r)
{
    for (ir_op *op = r->first, *next; op; op = next) {
        next = op->next;
        if (op->code == IR_task)
            continue;
        for (uint32_t i = 0; i < op->region_count; i++)
            prepare_region(m, kernel, op->regions[i]);
        if (op->code == IR_update)
            ir_plain_update(m, kernel, op);
        else if (op->code == IR_atomic || op->code == IR_cas)
            ir_plain_atomic(m, kernel, op);
        else if (op->code == IR_switch && becomes_ifs(op))
            plain_switch(m, op);
    }
}

void launch_prepare(ir_module *m, ir_func *kernel)
{
    prepare_region(m, kernel, kernel->body);
    launch_split(m, kernel);
}
