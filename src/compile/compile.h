/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.h - what the files of compile/ share: one compile, from source to module bytes.
 */
#ifndef SLIPWAY_COMPILE_COMPILE_H
#define SLIPWAY_COMPILE_COMPILE_H

#include <slipway/slipc.h>

#include "base/diag.h"
#include "base/mem.h"
#include "base/text.h"
#include "front/front.h"
#include "ir/ir.h"
#include "module/module.h"

struct slipc_result {
    mem_arena arena; /* holds everything below but the texts */
    diag_list diags;
    slipc_diagnostic *diagnostics;
    front_files files;
    text bytes; /* the module file */
    text dump;
    slip_error error;
};

/* choose.c: the targets that `names` lists, in the table's order: "cpu", "host", or names with commas. */
slip_status compile_choose_targets(const char *names, bool chosen[MOD_TARGET_COUNT]) SLIP_MUST_USE;
/* The target that this machine runs best. */
mod_target compile_host_target(void);

/* targets.c: the code of each chosen target, made on threads; into the module. */
slip_status compile_targets(mem_arena *arena, const ir_module *m, const bool *chosen,
                            const slipc_options *options, mod_module *module) SLIP_MUST_USE;

/* left_out.c: a warning at each call of a math function that GPUs do not have, where code for some
 * is chosen. After mathlib_link. */
slip_status compile_warn_left_out(mem_arena *arena, const ir_module *m,
                                  const bool chosen[MOD_TARGET_COUNT],
                                  diag_list *diags) SLIP_MUST_USE;

/* report.c: the list of diagnostics as the public one, with source lines. `source` is the text of `path`, or NULL. */
slip_status compile_report(slipc_result *result, const char *path, const char *source) SLIP_MUST_USE;

/* Reads a whole file into fresh memory, terminated; NOT_FOUND says why. The caller frees it with mem_free. */
slip_status compile_read_file(const char *path, char **out_text, size_t *out_bytes) SLIP_MUST_USE;

#endif
