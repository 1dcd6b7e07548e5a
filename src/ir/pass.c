/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass.c - the table of passes and the loop that runs them.
 *
 * The verifier runs between all of them, in every build. Must never decide anything about a
 * program: each pass does that for itself.
 */
#include "ir/pass.h"

#include <string.h>

#include "base/fail.h"

slip_status ir_run_pass(const char *name, ir_module *m, diag_list *diags, mod_module **launch)
{
    text names = { 0 };

    for (uint32_t i = 0; i < ir_pass_count; i++)
        if (strcmp(ir_passes[i].name, name) == 0)
            return ir_passes[i].run(m, diags, launch);
    for (uint32_t i = 0; i < ir_pass_count; i++)
        text_add(&names, "%s%s", i ? ", " : "", ir_passes[i].name);
    slip_status status =
        SLIP_FAIL(SLIP_ERR_ARGUMENT, "no pass is called %s; there are %s", name, text_get(&names));
    text_finish(&names);
    return status;
}

static slip_status verify_after(ir_module *m, const char *pass)
{
    slip_status status = ir_verify(m);

    if (status != SLIP_OK)
        fail_note("while checking what %s made", pass);
    return status;
}

slip_status ir_run_passes(ir_module *m, diag_list *diags, ir_pass_watch *watch, void *user,
                          mod_module **launch)
{
    if (watch)
        watch(user, "front", m);
    SLIP_TRY(verify_after(m, "front"));
    for (uint32_t i = 0; i < ir_pass_count; i++) {
        SLIP_TRY(ir_passes[i].run(m, diags, launch));
        if (watch)
            watch(user, ir_passes[i].name, m);
        SLIP_TRY(verify_after(m, ir_passes[i].name));
    }
    return SLIP_OK;
}

const ir_pass ir_passes[] = {
    { "inline", pass_inline },
    { "fold", pass_fold },
    { "promote", pass_promote },
    { "fold", pass_fold },       /* promotion makes constants */
    { "promote", pass_promote }, /* and those make more constant places */
    { "dce", pass_dce },
    { "launch", pass_launch },
    { "access", pass_access },
    { "atomics", pass_atomics },
};
const uint32_t ir_pass_count = sizeof ir_passes / sizeof *ir_passes;
