/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_code.h - a module's shaders: one for main, and one for finish, of every task.
 */
#ifndef SLIPWAY_TARGET_SPIRV_CODE_H
#define SLIPWAY_TARGET_SPIRV_CODE_H

#include "base/text.h"
#include "target/target.h"

/* As target_compile: bytes, symbols, shaders and data of *out, all in the arena. */
slip_status spirv_compile(const ir_module *m, uint32_t symbols, mem_arena *arena,
                          mod_code *out) SLIP_MUST_USE;

/* The shaders of a code as text, with what is known of each. */
void spirv_print_code(text *out, const mod_code *code);
/* One shader's words. Stops at what is not SPIR-V. */
void spirv_print(text *out, const uint32_t *words, size_t count);

#endif
