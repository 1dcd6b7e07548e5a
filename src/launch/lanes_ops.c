/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_ops.c - what a plan's steps become on a stream, once per plan.
 *
 * Lanes that fork from one place share an event.
 */
#include "launch/lanes_parts.h"

static slip_status refuse(const char *why)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "a stream has no use for this step: %s", why);
}

static slip_status lower(const plan_step *step, flow_op *out)
{
    if (launch_ops_lower_look(step, LANES_OP_BOUNDS, out))
        return SLIP_OK;
    switch (step->kind) {
    case PLAN_UPLOAD:
        *out = (flow_op){ .kind = LANES_OP_UPLOAD, .a = step->index, .b = step->move };
        return SLIP_OK;
    case PLAN_DOWNLOAD:
        *out = (flow_op){ .kind = LANES_OP_DOWNLOAD, .a = step->index, .b = step->move };
        return SLIP_OK;
    case PLAN_UNSTAGE:
        *out = (flow_op){ .kind = LANES_OP_UNSTAGE, .a = step->index, .b = step->move };
        return SLIP_OK;
    case PLAN_TASK:
        *out = (flow_op){ .kind = LANES_OP_TASK, .a = step->index };
        return SLIP_OK;
    case PLAN_SCRATCH:
        *out = (flow_op){ .kind = LANES_OP_SCRATCH, .a = step->index };
        return SLIP_OK;
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        *out = (flow_op){ .kind = LANES_OP_AFTER, .a = step->from };
        return SLIP_OK;
    case PLAN_HOST_WAIT:
        *out = (flow_op){ .kind = LANES_OP_WAIT, .b = step->reason == PLAN_REASON_CONSERVATIVE };
        return SLIP_OK;
    case PLAN_RELEASE:
        return SLIP_OK;
    case PLAN_BARRIER:
    case PLAN_SUBMIT:
        return refuse("each of its calls is on its way at once");
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

/* Forks stand side by side, and nothing jumps between them. */
static void share_events(flow_op *ops)
{
    for (flow_op *op = ops; op->kind != FLOW_END && op[1].kind != FLOW_END; op++)
        if ((op->kind == LANES_OP_AFTER || op->kind == LANES_OP_AFTER_SAME) &&
            op[1].kind == LANES_OP_AFTER && op->a == op[1].a)
            op[1].kind = LANES_OP_AFTER_SAME;
}

/* Is it the last wait? Nothing jumps behind it but what has not written an output. */
static void mark_last(flow_op *ops)
{
    flow_op *last = ops;

    while (last->kind != FLOW_END)
        last++;
    while (last > ops && last[-1].kind == LANES_OP_UNSTAGE)
        last--;
    if (last == ops)
        return;
    last--;
    if (last->kind == LANES_OP_WAIT && last->lane == 0)
        last->kind = LANES_OP_LAST_WAIT;
    else if (last->kind == LANES_OP_DOWNLOAD && last->b == PLAN_MOVE_BLOCKING)
        last->kind = LANES_OP_LAST_DOWNLOAD;
}

slip_status lanes_ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    SLIP_TRY(launch_ops_make(p, entry, lower, out));
    share_events((*out)->ops);
    mark_last((*out)->ops);
    return SLIP_OK;
}
