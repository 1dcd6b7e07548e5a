/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_launch.h - random kernels whose tasks are right by LANGUAGE rule 2, with control flow
 * around them that the host or the device decides.
 */
#ifndef SLIPWAY_TESTS_IR_RANDOM_LAUNCH_H
#define SLIPWAY_TESTS_IR_RANDOM_LAUNCH_H

#include "ir/ir.h"

enum { RANDOM_LAUNCH_ELEMENTS = 8 };

/*
 * One kernel "k" with parameters i32 n, i32 m, and two arrays of RANDOM_LAUNCH_ELEMENTS i32; it
 * gives an i32 and always ends. The same seed gives the same module.
 */
ir_module *random_launch(mem_arena *arena, uint64_t seed);

#endif
