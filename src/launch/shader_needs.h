/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shader_needs.h - may an entry run on a device that has this much?
 */
#ifndef SLIPWAY_LAUNCH_SHADER_NEEDS_H
#define SLIPWAY_LAUNCH_SHADER_NEEDS_H

#include <slipway/status.h>

#include "module/module.h"

/* `has` is a bit per mod_need. UNSUPPORTED where one of the entry's shaders needs more, naming what
 * and where. */
slip_status shader_needs_check(const mod_code *code, uint32_t has, const mod_module *module,
                               const mod_entry *entry) SLIP_MUST_USE;

#endif
