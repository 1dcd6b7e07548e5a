/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_ops.c - what a plan's steps become on a stream, once per plan.
 *
 * Steps that fetch a task's bounds are one op. Those of a poll make none: the end of a device
 * loop's pass stands for them, since how many passes are queued before a poll is found out as the
 * call goes. Lanes that fork from one place share an event.
 */
#include "launch/lanes_parts.h"

static slip_status refuse(const char *why)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "a stream has no use for this step: %s", why);
}

static slip_status lower(const plan_step *step, const mod_entry *entry, flow_op *out)
{
    (void)entry;
    if (step->reason == PLAN_REASON_POLL)
        return SLIP_OK;
    if (step->reason == PLAN_REASON_BOUNDS) {
        if (step->kind == PLAN_HOST_WAIT)
            *out = (flow_op){ .kind = LANES_OP_BOUNDS, .a = step->because[1] };
        return SLIP_OK;
    }
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
        *out = (flow_op){ .kind = LANES_OP_WAIT };
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

static bool takes_memory(const plan *p)
{
    for (uint32_t i = 0; i < p->step_count; i++)
        if (p->steps[i].kind == PLAN_SCRATCH)
            return true;
    return false;
}

slip_status lanes_ops_make(const plan *p, const mod_entry *entry, launch_ops **out)
{
    launch_ops *made = NULL;

    SLIP_TRY(mem_new(sizeof *made + p->class_count * sizeof(plan_move), (void **)&made));
    slip_status status = flow_make(p, entry, lower, &made->ops, &made->loop_count);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->class_count = p->class_count;
    made->event_count = p->event_count;
    made->takes = takes_memory(p);
    share_events(made->ops);
    made->found = class_moves_find(p, entry, made->moves);
    *out = made;
    return SLIP_OK;
}

void lanes_ops_drop(launch_ops *ops)
{
    if (!ops)
        return;
    mem_free(ops->ops);
    mem_free(ops);
}
