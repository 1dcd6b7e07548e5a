/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.h - a module as text: signatures, launch programs, tasks, code. For --dump=launch and
 * `slipway dump`.
 */
#ifndef SLIPWAY_MODULE_PRINT_H
#define SLIPWAY_MODULE_PRINT_H

#include "base/text.h"
#include "module/module.h"

void mod_print(text *out, const mod_module *module);
/* What is known of a shader, without its words. */
void mod_print_shader(text *out, mod_target target, const mod_shader *s, uint32_t index);
void mod_print_entry(text *out, const mod_entry *entry);
/* "f32 u[n][m]": a parameter as the source would declare it. */
void mod_print_param(text *out, const mod_param *param);
/* "cpu-x86-64-v3" */
const char *mod_target_name(mod_target target);

#endif
