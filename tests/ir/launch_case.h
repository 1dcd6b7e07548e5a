/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_case.h - goldens of the launch passes: each NAME.ir of a folder is run through passes in
 * order, and what came out is compared with NAME.txt beside it.
 */
#ifndef SLIPWAY_TESTS_IR_LAUNCH_CASE_H
#define SLIPWAY_TESTS_IR_LAUNCH_CASE_H

#include "ir_case.h"

typedef enum launch_show {
    LAUNCH_SHOW_PROGRAM = 1, /* entries as mod_print prints them */
    LAUNCH_SHOW_TASKS = 2,   /* task functions as IR */
    LAUNCH_SHOW_DIAGS = 4    /* "line: severity: message" */
} launch_show;

/* `passes` ends in NULL and begins with "launch". There must be at least `least` files. */
void launch_goldens(const char *folder, const char *ending, uint32_t least,
                    const char *const *passes, int show);

#endif
