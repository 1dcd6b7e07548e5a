/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - what the launch pass makes of a kernel: task functions and the launch program.
 *
 * The program itself is in the module's own form (module/module.h), so that the writer, the
 * planner and the runtime see the same structures. ir/ includes nothing of module/ but that page's
 * plain data. The launch pass gives the kernel's mod_entry and, per task, an ir_func of kind
 * IR_TASK whose `task` is the ir_task_info below; the target turns each into one mod_symbol.
 */
#ifndef SLIPWAY_IR_LAUNCH_H
#define SLIPWAY_IR_LAUNCH_H

#include "base/diag.h"
#include "ir/ir.h"
#include "module/module.h"

/*
 * A task function's parameters: first the iteration's indices, slow first (mod_task.rank of them,
 * of the axes' types), then one per mod_task.args row, in order: a scalar or ptr.global from a
 * slot, or ptr.param to a struct's bytes in the block. Its body uses `reduce` for reductions, and
 * the cells through the arg that holds their address.
 */
/* What a pointer parameter of a task may point into, for the access pass. */
typedef struct ir_pointer_info {
    const uint32_t *arrays; /* numbered as in module.h */
    uint32_t count;         /* 0: the parameter is no global pointer */
    bool whole;             /* the start of the one array; else somewhere inside */
} ir_pointer_info;

/* Serial statements that `finish` of a task with reductions runs, once: a call of a helper, which
 * touches no memory but the cells. Its parameters are the task's arguments of these numbers. */
typedef struct ir_finish_call {
    ir_func *func; /* NULL: none */
    const uint32_t *args;
    uint32_t arg_count;
    const char *name; /* of a task that was parsed */
} ir_finish_call;

typedef enum ir_finish { IR_FINISH_HEAD, IR_FINISH_TAIL, IR_FINISH_CALLS } ir_finish;

typedef struct ir_task_info {
    uint32_t index;       /* symbol number: position among all tasks of the module */
    const mod_task *task; /* axes, args, reductions, partials */
    uint32_t cells_param; /* the function parameter that is the cells' address (ptr.global to a
                           * struct whose offsets are the cells' bytes); MOD_NONE */
    ir_finish_call calls[IR_FINISH_CALLS];
    const ir_pointer_info *pointers; /* one per parameter; NULL in a task that was parsed */
    const mod_entry *entry;          /* its kernel's; NULL in a task that was parsed */
} ir_task_info;

/*
 * pass_launch - split every kernel of the module into task functions and a launch program.
 *
 * needs   inlined kernels (no call of a helper that holds a task), verified
 * makes   *out: a mod_module in m's arena with everything but code; m: one IR_TASK function per
 * task, in the order of mod_module.tasks; the kernels are removed Refusals (LANGUAGE rules 2, 4, 5,
 * 10, 14, 23) go to diags; with errors the status is SLIP_ERR_COMPILE.
 */
slip_status pass_launch(ir_module *m, diag_list *diags, mod_module **out) SLIP_MUST_USE;

/* reach.c: helpers, each once, in the order in which they were come to. */
typedef struct ir_reach {
    const ir_func **helpers; /* [count]; room for each function of the module */
    uint32_t count;
} ir_reach;

void ir_reach_begin(ir_reach *r, const ir_module *m, mem_arena *arena);
void ir_reach_add(ir_reach *r, const ir_func *helper);
/* The helpers that the task comes to: those that it calls, that its finish calls, and that these
 * call. Visits each op of the task and of theirs; `visit` may add others. Forgets what r held. */
void ir_reach_task(ir_reach *r, const ir_func *task, bool (*visit)(ir_op *op, void *user),
                   void *user);

#endif
