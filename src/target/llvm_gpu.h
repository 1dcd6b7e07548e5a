/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu.h - kernels of GPUs as LLVM text: what their vendors' texts differ in, and what the
 * llvm_gpu_*.c files share.
 *
 * Scalars, memory and control flow are printed as for CPUs, through plain pointers: those into
 * device memory are cast from its address space where they are loaded, and LLVM finds out the
 * rest. A kernel's names: %params (what it is passed), %block, %cells, %first, %end.
 */
#ifndef SLIPWAY_TARGET_LLVM_GPU_H
#define SLIPWAY_TARGET_LLVM_GPU_H

#include "target/llvm_emit.h"

enum { LLVM_GLOBAL_SPACE = 1, LLVM_GROUP_SPACE = 3 }; /* of NVPTX and of AMDGPU */

struct llvm_gpu {
    const char *kernel;                  /* its calling convention */
    const char *params;                  /* how it is passed its bytes; NAME(BYTES) by %u */
    const char *params_are;              /* the line that makes %params of that; NULL: it is that */
    const char *threads;                 /* attributes of a kernel of %u to %u threads; "" */
    const char *annotation;              /* metadata of kernel s<%u> of at most %u threads; NULL */
    const char *scope;                   /* of atomics: the device */
    uint32_t table_space, private_space; /* address spaces of constant tables and of variables */
    bool adds_floats;    /* in memory, in one instruction; f32 with subnormals taken for 0 */
    const char *prelude; /* functions slip.thread, block, invocation, grid, barrier, down */
    const char *flags;   /* metadata of the module; "" */
};

/* What GPUs differ in; NULL for a CPU's row. */
const struct llvm_gpu *llvm_gpu_of(const target_row *row);

/* ---- llvm_gpu.c ---- */

/* A module's shaders, and the helpers that those which are not left out call. */
typedef struct llvm_gpu_plan {
    mod_shader *shaders;
    mod_symbol *symbols; /* by number of task */
    uint32_t shader_count;
    ir_reach reach;
} llvm_gpu_plan;

void llvm_gpu_plan_make(const ir_module *m, uint32_t symbols, mem_arena *arena, llvm_gpu_plan *out);
/* The text of all of them. What e is made with is its caller's. */
void llvm_gpu_print(llvm_emit *e);
/* The library's function for the remainder of floats; NULL where it is not linked. */
const ir_func *llvm_gpu_remainder(const ir_module *m, scalar_type type);

/* Suffix for a loop's back branch: how LLVM is to unroll it; "" for a CPU. */
const char *llvm_gpu_loop_note(llvm_emit *e, const ir_op *loop);

/* ---- llvm_gpu_task.c ---- */

typedef struct llvm_gpu_kernel {
    const mod_shader *shader;
    uint32_t number;
    uint32_t done; /* the block that returns */
} llvm_gpu_kernel;

void llvm_gpu_task(llvm_emit *e, const ir_func *f, const mod_shader *shader, uint32_t number);
/* Opens a kernel: arguments are loaded, and it has returned where its predicate is 0. */
void llvm_gpu_begin(llvm_emit *e, llvm_gpu_kernel *k, const ir_func *f);
void llvm_gpu_end(llvm_emit *e, const llvm_gpu_kernel *k);
void llvm_gpu_range(llvm_emit *e); /* %first and %end */
/* Coordinates %<prefix>c<axis> and indices %<prefix>i<axis> of flat iteration `flat`. */
void llvm_gpu_indices(llvm_emit *e, const char *prefix, const char *flat);
extern const char llvm_gpu_divide[]; /* a function that the above calls */

/* ---- llvm_gpu_reduce.c, llvm_gpu_finish.c, llvm_gpu_fold.c ---- */
void llvm_gpu_reduce_main(llvm_emit *e, const ir_func *f, const mod_shader *shader,
                          uint32_t number);
void llvm_gpu_reduce_finish(llvm_emit *e, const ir_func *f, const mod_shader *shader,
                            uint32_t number);
void llvm_gpu_folds(llvm_emit *e); /* the functions that were used */

#endif
