/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass.h - the passes over the IR, and the order in which a compile runs them.
 *
 * Each pass takes a module that ir_verify accepts and leaves one; run twice in a row, its second
 * run changes nothing. Only `launch` gives *launch; the others leave it alone (it may be NULL).
 */
#ifndef SLIPWAY_IR_PASS_H
#define SLIPWAY_IR_PASS_H

#include "base/diag.h"
#include "ir/launch.h"

typedef struct ir_pass {
    const char *name; /* as in --dump=NAME; a pass that runs twice has two rows */
    slip_status (*run)(ir_module *m, diag_list *diags, mod_module **launch);
} ir_pass;

/* In the order in which they run. */
extern const ir_pass ir_passes[];
extern const uint32_t ir_pass_count;

slip_status pass_inline(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;
slip_status pass_fold(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;
slip_status pass_promote(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;
slip_status pass_dce(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;
/* pass_launch: see launch.h. After it, the facts of tasks; both need what it makes. */
slip_status pass_access(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;
slip_status pass_atomics(ir_module *m, diag_list *diags, mod_module **launch) SLIP_MUST_USE;

/*
 * ir_run_pass - one pass by its name, with no verifier around it.
 *
 * Errors   ARGUMENT   no pass has that name; the message lists them
 *          else the pass's own
 */
slip_status ir_run_pass(const char *name, ir_module *m, diag_list *diags,
                        mod_module **launch) SLIP_MUST_USE;

/* Sees the module after each pass, and once before the first with `pass` "front". */
typedef void ir_pass_watch(void *user, const char *pass, ir_module *m);

/*
 * ir_run_passes - all passes in order; ir_verify runs before the first and after each.
 *
 *   watch    may be NULL
 *   launch   what the launch pass makes
 *
 * Errors   COMPILE    a pass refused the program: see diags
 *          MEMORY     the compile's arena is full
 *          INTERNAL   the verifier's message, and after which pass
 */
slip_status ir_run_passes(ir_module *m, diag_list *diags, ir_pass_watch *watch, void *user,
                          mod_module **launch) SLIP_MUST_USE;

#endif
