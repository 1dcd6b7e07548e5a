/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.h - C to IR: one kernel file through libclang 19.
 *
 * The only folder that includes <clang-c/...>; nothing of it leaves here. It refuses what the
 * language refuses and never guesses: what it cannot lower exactly is an error with a place.
 * What depends on the whole launch (races on kernel-level scalars, which variable the host
 * can compute) is the launch pass's to say.
 */
#ifndef SLIPWAY_FRONT_FRONT_H
#define SLIPWAY_FRONT_FRONT_H

#include "base/diag.h"
#include "ir/ir.h"

typedef struct front_options {
    const char *const *include_dirs; /* -I, in order */
    uint32_t include_dir_count;
    const char *const *defines; /* -D: "NAME" or "NAME=VALUE" */
    uint32_t define_count;
    bool fma; /* fuse multiply and add by clang's contract=on rule */
    bool library; /* no kernels: every function that is not static is lowered, as a helper */
} front_options;

/* Files the compile read from disk, the source first; in the module's arena. */
typedef struct front_files {
    const char **paths;
    uint32_t count, capacity;
} front_files;

/*
 * front_compile - parse a kernel file and add its kernels and what they reach to a module.
 *
 *   path      named in diagnostics; read unless source is given                     borrowed
 *   source    the text, or NULL                                                     borrowed
 *   options   NULL: defaults
 *   diags     gets clang's diagnostics and ours, all of them, in the order found
 *   m         a module as ir_module_new gives it; its arena holds everything made
 *   files     gets the dependencies; NULL: not wanted
 *
 * Errors   COMPILE    diags has errors; m is then of no use      NOT_FOUND  path cannot be read
 *          MEMORY     the arena is full, or libclang could not be started
 * Threads  any, with its own module and list
 */
slip_status front_compile(const char *path, const char *source, const front_options *options,
                          diag_list *diags, ir_module *m, front_files *files) SLIP_MUST_USE;

#endif
