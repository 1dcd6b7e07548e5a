/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_gpu.h - the text that is printed for a GPU, run on this machine: a group's warps take turns,
 * and wait for one another at barriers only.
 *
 * The text is made this processor's by words alone: calling conventions and address spaces go, and
 * the vendor's prelude (llvm_gpu_rows.c) gives way to one that asks this file. What LLVM makes of
 * the text for the GPU is not shown by it.
 */
#ifndef SLIPWAY_TESTS_CODE_GPU_H
#define SLIPWAY_TESTS_CODE_GPU_H

#include "target/target.h"

typedef struct code_gpu code_gpu;

/* Ends the case where LLVM refuses the text. */
code_gpu *code_gpu_new(const ir_module *m, mod_target which);
void code_gpu_free(code_gpu *g); /* takes NULL */

/* Kernel s<number>, by `groups` of `local` threads. Ends the case where some threads of a group
 * wait at a barrier and others have ended. */
void code_gpu_launch(code_gpu *g, uint32_t number, const void *params, const uint32_t groups[3],
                     uint32_t local);

/* The parameter of a task's shader: header and reciprocals (magic 0, shift 255 where `divides`),
 * then the block, or its address where the shader takes it so. Returns its bytes. */
uint32_t code_gpu_params(uint8_t to[MOD_STREAM_PARAM_BYTES], const mod_task *task,
                         const mod_shader *shader, const void *block, const void *cells,
                         int64_t first, int64_t end, bool divides);

#endif
