/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_ops.c - makes a plan's ops, once per plan.
 */
#include "launch/launch_ops.h"

#include "base/mem.h"

bool launch_ops_lower_look(const plan_step *step, uint32_t bounds, flow_op *out)
{
    if (step->reason == PLAN_REASON_BOUNDS && step->kind == PLAN_HOST_WAIT)
        *out = (flow_op){ .kind = bounds, .a = step->because[1] };
    return step->reason == PLAN_REASON_BOUNDS || step->reason == PLAN_REASON_POLL;
}

static bool takes_memory(const plan *p)
{
    for (uint32_t i = 0; i < p->step_count; i++)
        if (p->steps[i].kind == PLAN_SCRATCH)
            return true;
    return false;
}

slip_status launch_ops_make(const plan *p, const mod_entry *entry, flow_lower lower,
                            launch_ops **out)
{
    launch_ops *made = NULL;

    SLIP_TRY(mem_new(sizeof *made + p->class_count * sizeof(plan_move), (void **)&made));
    slip_status status = flow_make(p, entry, lower, &made->ops, &made->loop_count);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->event_count = p->event_count;
    made->takes = takes_memory(p);
    made->found = class_moves_find(p, entry, made->moves);
    const plan_step *apart = plan_uncapturable(p);
    made->uncapturable = apart ? *apart : (plan_step){ .kind = PLAN_KIND_COUNT };
    *out = made;
    return SLIP_OK;
}

void launch_ops_drop(launch_ops *ops)
{
    if (!ops)
        return;
    mem_free(ops->ops);
    mem_free(ops);
}
