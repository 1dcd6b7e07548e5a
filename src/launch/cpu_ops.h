/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_ops.h - what a plan's steps become for the CPU launcher, beside flow.h's kinds.
 */
#ifndef SLIPWAY_LAUNCH_CPU_OPS_H
#define SLIPWAY_LAUNCH_CPU_OPS_H

#include "launch/flow.h"

enum cpu_op_kind {
    CPU_OP_TASK = FLOW_KIND_COUNT, /* task a */
    CPU_OP_SCRATCH,                /* scratch a, or the cells, unless this launch has it */
    CPU_OP_RESULT,                 /* the result's cell to the caller */
    CPU_OP_WAIT                    /* the host waits: nothing to wait for, but counted */
};

/* One block from mem_new, ended by FLOW_END. INTERNAL where the plan holds a step that the family
 * has no use for. */
slip_status cpu_ops_make(const plan *p, const mod_entry *entry, flow_op **out) SLIP_MUST_USE;

#endif
