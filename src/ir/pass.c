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

/* The first op that lies in more than IR_MAX_DEPTH regions; NULL: none. */
static const ir_op *too_deep(const ir_region *r, uint32_t depth)
{
    for (const ir_op *op = r->first; op; op = op->next)
        for (uint32_t i = 0; i < op->region_count; i++) {
            const ir_op *found = depth == IR_MAX_DEPTH ? op : too_deep(op->regions[i], depth + 1);
            if (found)
                return found;
        }
    return NULL;
}

/* A program may ask for more than the later passes follow: that is its fault and no pass's. */
static slip_status check_depth(const ir_module *m, diag_list *diags)
{
    for (const ir_func *f = m->funcs; f; f = f->next) {
        const ir_op *op = too_deep(f->body, 0);
        if (!op)
            continue;
        ir_place p = op->place.line ? op->place : f->place;
        diag_add(diags, DIAG_ERROR, p.line ? m->files[p.file] : NULL, p.line, p.column,
                 "join conditions with &&, or leave early with `continue`",
                 "loops, branches and blocks lie more than %d deep in each other here, "
                 "called functions counted",
                 IR_MAX_DEPTH);
        return SLIP_FAIL(SLIP_ERR_COMPILE, "%s lies too deep", f->name);
    }
    return SLIP_OK;
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
    SLIP_TRY(check_depth(m, diags));
    SLIP_TRY(verify_after(m, "front"));
    for (uint32_t i = 0; i < ir_pass_count; i++) {
        SLIP_TRY(ir_passes[i].run(m, diags, launch));
        if (watch)
            watch(user, ir_passes[i].name, m);
        SLIP_TRY(check_depth(m, diags));
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
