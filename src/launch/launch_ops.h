/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_ops.h - a plan as the launchers of devices with shaders perform it.
 */
#ifndef SLIPWAY_LAUNCH_LAUNCH_OPS_H
#define SLIPWAY_LAUNCH_LAUNCH_OPS_H

#include "launch/class_moves.h"
#include "launch/flow.h"

struct launch_ops {
    flow_op *ops;
    uint32_t loop_count, event_count;
    bool takes; /* memory of the launch */
    class_moves found;
    plan_step uncapturable; /* plan_uncapturable; of kind PLAN_KIND_COUNT: there is none */
    plan_move moves[];      /* [class_count] where tasks find the class */
};

/* `lower` is the family's: what its steps become. */
slip_status launch_ops_make(const plan *p, const mod_entry *entry, flow_lower lower,
                            launch_ops **out) SLIP_MUST_USE;
void launch_ops_drop(launch_ops *ops); /* takes NULL */

/*
 * Is the step one by which the host sees device values? Those that fetch a task's bounds become one
 * op of kind `bounds`. Those of a poll become none: the end of a device loop's pass stands for
 * them, since how many passes are queued before a poll is found out as the call goes.
 */
bool launch_ops_lower_look(const plan_step *step, uint32_t bounds, flow_op *out);

#endif
