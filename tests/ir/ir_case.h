/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ir_case.h - modules from text for the tests of ir/: one arena per module, given back at once.
 */
#ifndef SLIPWAY_TESTS_IR_CASE_H
#define SLIPWAY_TESTS_IR_CASE_H

#include "ir/launch.h"
#include "support/check.h"

typedef struct ir_case_module {
    mem_arena arena;
    ir_module *module;
    text printed;
} ir_case_module;

/* Parses the text, which must be right; with `verified` it must also pass the verifier. */
void case_load(ir_case_module *c, const char *source, bool verified);
void case_load_file(ir_case_module *c, const char *path, bool verified);
void case_finish(ir_case_module *c);
/* The module as it stands; valid until the next print or finish. */
const char *case_print(ir_case_module *c);
/*
 * Runs the pass on tests/golden/ir/NAME.ir: what it makes equals NAME.out, passes the verifier, and
 * is not changed by a second run.
 */
void case_golden(const char *pass, const char *name);
/* The pass leaves NAME.ir as it is. */
void case_declines(const char *pass, const char *name);
ir_func *case_func(const ir_case_module *c, const char *name);

#endif
