/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_ops.c - what a plan's steps become on the CPU, once per plan.
 *
 * Steps that order lanes vanish, since the CPU has one.
 */
#include "launch/cpu_ops.h"

#include "base/fail.h"

static slip_status refuse(const char *why)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "the CPU has no use for this step: %s", why);
}

static slip_status lower_move(const plan_step *step)
{
    if (step->move != PLAN_MOVE_NONE && step->move != PLAN_MOVE_IN_PLACE)
        return refuse("it copies nothing, its tasks use every array in place");
    return SLIP_OK;
}

static slip_status lower(const plan_step *step, flow_op *out)
{
    switch (step->kind) {
    case PLAN_SCRATCH:
        *out = (flow_op){ .kind = CPU_OP_SCRATCH, .a = step->index };
        return SLIP_OK;
    case PLAN_TASK:
        *out = (flow_op){ .kind = CPU_OP_TASK, .a = step->index };
        return SLIP_OK;
    case PLAN_UPLOAD:
    case PLAN_DOWNLOAD:
        return lower_move(step);
    case PLAN_UNSTAGE:
        if (step->index != MOD_NONE)
            return refuse("it has nothing to unstage but the result");
        *out = (flow_op){ .kind = CPU_OP_RESULT };
        return SLIP_OK;
    case PLAN_HOST_WAIT:
        *out = (flow_op){ .kind = CPU_OP_WAIT, .b = step->reason == PLAN_REASON_CONSERVATIVE };
        return SLIP_OK;
    case PLAN_RELEASE:
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        return SLIP_OK;
    case PLAN_EVAL:
    case PLAN_IF:
    case PLAN_LOOP:
    case PLAN_DEVICE_LOOP:
    case PLAN_BREAK:
    case PLAN_CONTINUE:
    case PLAN_RETURN:
    case PLAN_BARRIER:
    case PLAN_SUBMIT:
    case PLAN_KIND_COUNT:
        break;
    }
    return refuse("it is for another family");
}

slip_status cpu_ops_make(const plan *p, const mod_entry *entry, flow_op **out)
{
    uint32_t loops = 0;

    return flow_make(p, entry, lower, out, &loops);
}
