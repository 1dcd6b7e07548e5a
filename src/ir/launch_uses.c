/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_uses.c - what never changes of a kernel's ops: where each stands, what it leaves, and how
 * variables are used.
 */
#include "ir/launch_parts.h"

bool launch_is_place(const ir_op *op)
{
    return op->code == IR_index || op->code == IR_offset || op->code == IR_field;
}

bool launch_is_structure(const ir_op *op)
{
    return op->code == IR_if || op->code == IR_loop || op->code == IR_block ||
           op->code == IR_switch;
}

ir_op *launch_root(ir_op *ptr)
{
    while (launch_is_place(ptr))
        ptr = ptr->in[0];
    return ptr;
}

bool launch_within(const ir_op *op, const ir_region *r)
{
    const ir_region *at = op->parent;

    while (at && at != r)
        at = at->owner ? at->owner->parent : NULL;
    return at != NULL;
}

ir_op *launch_target(const ir_op *exit)
{
    uint32_t levels = exit->code == IR_return ? UINT32_MAX : exit->levels;
    ir_op *owner = exit->parent->owner;

    for (; owner; owner = owner->parent->owner)
        if ((owner->code == IR_loop || owner->code == IR_block) && --levels == 0)
            break;
    return owner;
}

bool launch_is_exit(const ir_op *op)
{
    return op->code == IR_break || op->code == IR_continue || op->code == IR_return;
}

static void note_use(launch *l, ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++) {
        ir_op *root = launch_root(op->in[i]);
        if (root->code != IR_var || launch_is_place(op))
            continue;
        launch_use *use = arena_new(l->arena, sizeof *use);
        *use = (launch_use){ .next = launch_fact_of(l, root)->uses, .op = op };
        launch_fact_of(l, root)->uses = use;
    }
}

static bool is_work(const ir_op *op)
{
    if (op->code == IR_load || op->code == IR_store || op->code == IR_copy || op->code == IR_fill)
        return launch_root(op->in[0])->code != IR_var || op->code == IR_copy || op->code == IR_fill;
    return op->code == IR_call || op->code == IR_math || op->code == IR_atomic ||
           op->code == IR_cas || op->code == IR_update || op->code == IR_assert ||
           op->code == IR_print || op->code == IR_switch;
}

/* A load from a by-value struct or a constant table is no work for the device. */
static bool is_host_load(const ir_op *op)
{
    ir_space space = op->in[0]->type->space;

    return op->code == IR_load && (space == IR_PARAM_SPACE || space == IR_TABLE_SPACE);
}

static void mark_above(launch *l, const ir_op *op, const ir_op *target, bool task)
{
    bool leaves = launch_is_exit(op) && !task;

    for (ir_op *owner = op->parent->owner; owner; owner = owner->parent->owner) {
        launch_fact *f = launch_fact_of(l, owner);
        if (leaves && owner != target)
            f->escapes = true;
        if (leaves && owner == target)
            leaves = false;
        if (task)
            f->has_task = true;
        else if (is_work(op) && !is_host_load(op))
            f->effects = true;
    }
}

static void collect(launch *l, const ir_region *r, ir_op *task)
{
    for (ir_op *op = r->first; op; op = op->next) {
        launch_fact *f = launch_fact_of(l, op);
        f->task = task;
        note_use(l, op);
        if (!task && (op->code == IR_task || op->code == IR_sections || op->code == IR_scratch))
            mark_above(l, op, NULL, true);
        else if (!task && (launch_is_exit(op) || is_work(op)))
            mark_above(l, op, launch_is_exit(op) ? launch_target(op) : NULL, false);
        for (uint32_t i = 0; i < op->region_count; i++) {
            for (uint32_t k = 0; k < op->regions[i]->arg_count; k++)
                launch_fact_of(l, op->regions[i]->args[k])->task = op->code == IR_task ? op : task;
            collect(l, op->regions[i], op->code == IR_task ? op : task);
        }
    }
}

void launch_find_uses(launch *l)
{
    collect(l, l->kernel->body, NULL);
}
