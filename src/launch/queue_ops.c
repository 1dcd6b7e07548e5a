/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_ops.c - what a plan's steps become on a queue, once per plan.
 *
 * Steps that fetch a task's bounds are one op. Those of a poll make none: the end of a device
 * loop's pass stands for them, since how many passes are recorded before a poll is found out as the
 * call goes.
 */
#include "launch/queue_parts.h"

static slip_status refuse(const char *why)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "a queue has no use for this step: %s", why);
}

static slip_status lower_move(const plan_step *step, uint32_t kind, flow_op *out)
{
    if (step->move == PLAN_MOVE_BLOCKING)
        return refuse("it has no blocking copies");
    *out = (flow_op){ .kind = kind, .a = step->index, .b = (uint32_t)step->move };
    return SLIP_OK;
}

static slip_status lower(const plan_step *step, const mod_entry *entry, flow_op *out)
{
    (void)entry;
    if (step->reason == PLAN_REASON_POLL)
        return SLIP_OK;
    if (step->reason == PLAN_REASON_BOUNDS) {
        if (step->kind == PLAN_HOST_WAIT)
            *out = (flow_op){ .kind = QUEUE_OP_BOUNDS, .a = step->because[1] };
        return SLIP_OK;
    }
    switch (step->kind) {
    case PLAN_UPLOAD:
        return lower_move(step, QUEUE_OP_UPLOAD, out);
    case PLAN_DOWNLOAD:
        return lower_move(step, QUEUE_OP_DOWNLOAD, out);
    case PLAN_UNSTAGE:
        return lower_move(step, QUEUE_OP_UNSTAGE, out);
    case PLAN_TASK:
        *out = (flow_op){ .kind = QUEUE_OP_TASK, .a = step->index };
        return SLIP_OK;
    case PLAN_SCRATCH:
        *out = (flow_op){ .kind = QUEUE_OP_SCRATCH, .a = step->index };
        return SLIP_OK;
    case PLAN_BARRIER:
        *out = (flow_op){ .kind = QUEUE_OP_BARRIER };
        return SLIP_OK;
    case PLAN_SUBMIT:
        *out = (flow_op){ .kind = QUEUE_OP_SUBMIT };
        return SLIP_OK;
    case PLAN_HOST_WAIT:
        *out = (flow_op){ .kind = QUEUE_OP_WAIT };
        return SLIP_OK;
    case PLAN_RELEASE:
        return SLIP_OK;
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        return refuse("it has one lane");
    case PLAN_EVAL:
    case PLAN_IF:
    case PLAN_LOOP:
    case PLAN_DEVICE_LOOP:
    case PLAN_BREAK:
    case PLAN_CONTINUE:
    case PLAN_RETURN:
    case PLAN_KIND_COUNT:
        break;
    }
    return refuse("it is control");
}

/* The submission before a wait is the wait's. */
static void merge_waits(flow_op *ops)
{
    for (flow_op *op = ops; op->kind != FLOW_END; op++)
        if (op->kind == QUEUE_OP_SUBMIT && op[1].kind == QUEUE_OP_WAIT)
            op->b = 1;
}

slip_status queue_ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    launch_ops *made = NULL;

    SLIP_TRY(mem_new(sizeof *made + p->class_count * sizeof(plan_move), (void **)&made));
    slip_status status = flow_make(p, entry, lower, &made->ops, &made->loop_count);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->class_count = p->class_count;
    merge_waits(made->ops);
    made->found = class_moves_find(p, entry, made->moves);
    *out = made;
    return SLIP_OK;
}

void queue_ops_drop(launch_ops *ops)
{
    if (!ops)
        return;
    mem_free(ops->ops);
    mem_free(ops);
}
