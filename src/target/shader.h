/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shader.h - what a task's shader is like, as far as the task alone decides it: the same for all
 * targets that have shaders.
 */
#ifndef SLIPWAY_TARGET_SHADER_H
#define SLIPWAY_TARGET_SHADER_H

#include "module/module.h"

/* `most_bytes` can be passed to it. */
mod_shader shader_facts(const mod_task *task, uint32_t most_bytes);

#endif
