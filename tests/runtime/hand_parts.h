/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_parts.h - what the files that make the module of hand.h share.
 */
#ifndef SLIPWAY_TESTS_HAND_PARTS_H
#define SLIPWAY_TESTS_HAND_PARTS_H

#include "driver/cpu_driver.h"
#include "module/module.h"

enum { HAND_FUNCTIONS = 15, HAND_SYMBOLS = 16 };

/* hand_tasks.c: the code, and for each task which of its functions are main and finish. */
extern const cpu_task hand_functions[HAND_FUNCTIONS];
extern mod_symbol hand_symbols[HAND_SYMBOLS];

/* hand_module.c */
extern mod_module hand_module_table;

#endif
