/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_ops.c - what a plan's steps become on a queue, once per plan.
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

static slip_status lower(const plan_step *step, flow_op *out)
{
    if (launch_ops_lower_look(step, QUEUE_OP_BOUNDS, out))
        return SLIP_OK;
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
        *out = (flow_op){ .kind = QUEUE_OP_WAIT, .b = step->reason == PLAN_REASON_CONSERVATIVE };
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

/* Is it the last wait? Nothing jumps behind it but what has not written an output. */
static void mark_last(flow_op *ops)
{
    flow_op *last = ops;

    while (last->kind != FLOW_END)
        last++;
    while (last > ops && last[-1].kind == QUEUE_OP_UNSTAGE)
        last--;
    if (last > ops && last[-1].kind == QUEUE_OP_WAIT)
        last[-1].kind = QUEUE_OP_LAST_WAIT;
}

slip_status queue_ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    SLIP_TRY(launch_ops_make(p, entry, lower, out));
    merge_waits((*out)->ops);
    mark_last((*out)->ops);
    return SLIP_OK;
}
