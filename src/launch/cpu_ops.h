/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_ops.h - a plan with its nesting turned into jumps, as the CPU launcher performs it.
 */
#ifndef SLIPWAY_LAUNCH_CPU_OPS_H
#define SLIPWAY_LAUNCH_CPU_OPS_H

#include "module/module.h"
#include "plan/plan.h"

typedef enum cpu_op_kind {
    CPU_OP_EVAL,         /* instructions a .. a + b - 1 */
    CPU_OP_JUMP,         /* to op `to` */
    CPU_OP_JUMP_IF_ZERO, /* if slot a is 0 */
    CPU_OP_JUMP_IF_CELL, /* if the i32 cell at byte a is not 0 */
    CPU_OP_TASK,         /* task a */
    CPU_OP_SCRATCH,      /* scratch a, or the cells, unless this launch has it */
    CPU_OP_RESULT,       /* the result's cell to the caller */
    CPU_OP_WAIT,         /* the host waits: nothing to wait for, but counted */
    CPU_OP_END
} cpu_op_kind;

typedef struct cpu_op {
    cpu_op_kind kind;
    uint32_t a, b;
    uint32_t to;
} cpu_op;

/* One block from mem_new, ended by CPU_OP_END. INTERNAL where the plan holds a step that the
 * family has no use for. */
slip_status cpu_ops_make(const plan *p, const mod_entry *entry, cpu_op **out) SLIP_MUST_USE;

#endif
