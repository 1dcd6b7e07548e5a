/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_fold.h - what main and finish of a reduction share on a GPU: the sums of a lane, held in
 * variables, and the folding of a group's lanes.
 */
#ifndef SLIPWAY_TARGET_LLVM_GPU_FOLD_H
#define SLIPWAY_TARGET_LLVM_GPU_FOLD_H

#include "target/llvm_gpu.h"
#include "target/llvm_parts.h"

llvm_folding llvm_gpu_folding(const llvm_emit *e, uint32_t r);
const char *llvm_gpu_held(const llvm_emit *e, uint32_t r); /* "float": of reduction r */

void llvm_gpu_sums_new(llvm_emit *e); /* %sum<r> */
void llvm_gpu_sums_reset(llvm_emit *e);
void llvm_gpu_sum_takes(llvm_emit *e, uint32_t r, const char *value);
/* %total<r>, on the first lane of each 64; all `threads` of a group call. */
void llvm_gpu_sums_fold(llvm_emit *e, uint32_t threads);

#endif
