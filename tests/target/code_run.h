/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code_run.h - compile IR text for a target and run its tasks on a heap, here or under qemu.
 *
 * A job is a heap (bytes, with pointers into itself noted) and a list of calls. On this host's
 * architecture the image is loaded by driver/cpu_image.c; AArch64 code runs in a small program
 * under qemu-aarch64, where it is installed, without imports. For a GPU the text that is printed
 * for it runs here (code_gpu.h), with a call's range as its grid.
 */
#ifndef SLIPWAY_TESTS_CODE_RUN_H
#define SLIPWAY_TESTS_CODE_RUN_H

#include "target/code_gpu.h"

typedef struct code {
    mem_arena arena;
    ir_module *module;
    uint32_t symbols;
    mod_code image;
    code_gpu *gpu; /* made when it first runs */
} code;

/* Parses, verifies and compiles; ends the case where that fails. `options` may be NULL: -O2,
 * verified. */
void code_compile(code *c, const char *ir, mod_target which, const target_options *options);
void code_finish(code *c);
/* Has this machine what it takes to run it? Not: says so once. */
bool code_runs(mod_target which);

enum { CODE_MAX_CALLS = 4096, CODE_MAX_POINTERS = 8192, CODE_FINISH = 1 };

typedef struct code_call {
    uint32_t symbol, finish;
    uint64_t block;
    int64_t first, last;
} code_call;

typedef struct code_job {
    uint8_t *heap; /* aligned to 64 */
    uint64_t used, capacity;
    uint64_t pointers[CODE_MAX_POINTERS]; /* places in the heap that hold an offset in it */
    uint32_t pointer_count;
    code_call calls[CODE_MAX_CALLS];
    uint32_t call_count;
} code_job;

code_job *code_job_new(uint64_t heap_bytes);
void code_job_free(code_job *j);
/* An offset of `bytes` zeroed bytes, aligned to 64; `from` may be NULL. */
uint64_t code_put(code_job *j, const void *from, uint64_t bytes);
void code_pointer(code_job *j, uint64_t place, uint64_t target);
void code_u64(code_job *j, uint64_t place, uint64_t value);
/* A block of `bytes` with the axis lo, count pairs of `rank` axes. */
uint64_t code_block(code_job *j, uint64_t bytes, uint32_t rank, const int64_t *lo_counts);
void code_add_call(code_job *j, uint32_t symbol, uint32_t finish, uint64_t block, int64_t first,
                   int64_t last);
/* Performs the calls. Afterwards the heap holds what they wrote (and, at pointers, anything). */
void code_run(code *c, code_job *j);

/* The same with every call on a thread of its own, at once; one after another under qemu and for
 * GPUs. */
void code_run_at_once(code *c, code_job *j);

/* All targets, for a loop over those that run here. */
#define CODE_EACH_TARGET(which)                                                                    \
    for (int which = 0; which < MOD_TARGET_COUNT; which++)                                         \
        if (code_runs((mod_target)which))

/* The same without GPUs. */
#define CODE_EACH_CPU(which)                                                                       \
    for (int which = 0; which < TARGET_CPU_COUNT; which++)                                         \
        if (code_runs((mod_target)which))

#endif
