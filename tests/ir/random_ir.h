/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_ir.h - random modules that ir_verify accepts, that end, and that read nothing undefined.
 */
#ifndef SLIPWAY_TESTS_IR_RANDOM_IR_H
#define SLIPWAY_TESTS_IR_RANDOM_IR_H

#include "ir/ir.h"

enum { RANDOM_ELEMENTS = 8 }; /* of each array parameter */

/*
 * Two helpers and a kernel "k" with the parameters i32, i64, f32, and ptr.global i32 and f32 to
 * RANDOM_ELEMENTS elements each; it gives an i32. The same seed gives the same module.
 */
ir_module *random_module(mem_arena *arena, uint64_t seed);

#endif
