/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h - from task functions to code, one row per target.
 *
 * The CPU rows print LLVM's textual IR, optimise it, and turn the object LLVM makes into an image
 * that is position independent, has no relocations and no undefined names (module/module.h,
 * mod_code). The row of SPIR-V writes its words itself (spirv_*.c). What differs between rows is
 * data here before it is code elsewhere. This folder is the only place that includes <llvm-c/...>.
 */
#ifndef SLIPWAY_TARGET_TARGET_H
#define SLIPWAY_TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "ir/ir.h"
#include "module/module.h"

typedef enum target_arch {
    TARGET_X86_64,
    TARGET_AARCH64,
    TARGET_SHADER,
    TARGET_NVPTX,
    TARGET_AMDGCN
} target_arch;
enum { TARGET_ARCH_COUNT = TARGET_AMDGCN + 1 };
enum { TARGET_CPU_COUNT = MOD_TARGET_SPIRV }; /* the rows before it are the CPU's */

typedef struct target_row {
    mod_target id;
    const char *name; /* "cpu-x86-64-v3" */
    target_arch arch;
    const char *triple, *cpu, *features, *layout; /* as LLVM spells them; NULL for shaders */
    bool has_fma;
    bool saturates;          /* float to integer of 32 and 64 bits saturates in one instruction */
    const char *vector_bits; /* the width LLVM is to prefer; NULL: its own choice */
    uint32_t accumulator_bytes; /* of registers that a reduction may fill */
    bool is_brief; /* LLVM's optimiser is to take less time: a level for processors before 2013 */
} target_row;

extern const target_row target_rows[MOD_TARGET_COUNT];

/* NULL if there is none of that name. */
const target_row *target_named(const char *name, size_t length);

typedef struct target_options {
    uint32_t optimize; /* 0..3 */
    bool debug;  /* keep frame pointers and every function apart, for debuggers and profilers */
    bool verify; /* run LLVM's verifier on what is printed */
} target_options;

/* Numbers all functions of the module. Call it once, before any of the calls below. */
void target_prepare(ir_module *m);

/*
 * target_compile - the code of every task of a module for one target.
 *
 *   m        task functions (ir/launch.h) and the helpers they call, prepared            borrowed
 *   symbols  mod_module.symbol_count; each task's info says which symbol it is
 *   arena    where all of *out lies
 *
 * Errors   UNSUPPORTED  the module was compiled with --fma and the target has no FMA
 *          INTERNAL     LLVM refused the text, or its object holds what an image cannot
 *          MEMORY       the arena or heap ran out
 * Threads  calls for one module may overlap, each with its own arena
 */
slip_status target_compile(const ir_module *m, uint32_t symbols, mod_target which,
                           const target_options *options, mem_arena *arena,
                           mod_code *out) SLIP_MUST_USE;

/*
 * A compile in pieces, for several levels of one architecture, or for one: a module has parts, and
 * a part is simplified once for all levels, then made for each.
 *
 *     target_share, once
 *     target_simplify, for each part
 *     target_level, for each part and level; the part is simplified
 *     target_link, for each level, whose parts are made
 *
 * The code is what target_compile makes.
 *
 *   chosen   the levels, of one architecture, not shaders                           borrowed
 *   arena    of target_share: must outlive *out; of target_link: where all of its *out lies
 *
 * *out is NULL where levels cannot share: at other optimisation levels than 2, and in a module
 * whose text differs; one level alone always can. Errors as for target_compile. Calls may overlap
 * where one does not need the other. target_shared_free takes NULL.
 */
typedef struct target_shared target_shared;

slip_status target_share(const ir_module *m, const bool chosen[MOD_TARGET_COUNT],
                         const target_options *options, mem_arena *arena,
                         target_shared **out) SLIP_MUST_USE;
uint32_t target_part_count(const target_shared *shared);
slip_status target_simplify(target_shared *shared, uint32_t part) SLIP_MUST_USE;
slip_status target_level(target_shared *shared, uint32_t part, mod_target which) SLIP_MUST_USE;
slip_status target_link(const target_shared *shared, uint32_t symbols, mod_target which,
                        mem_arena *arena, mod_code *out) SLIP_MUST_USE;
void target_shared_free(target_shared *shared);

typedef enum target_stage {
    TARGET_STAGE_LLVM,      /* as printed for LLVM */
    TARGET_STAGE_OPTIMIZED, /* after LLVM's passes */
    TARGET_STAGE_ASM,
    TARGET_STAGE_SPIRV /* of MOD_TARGET_SPIRV alone: its shaders */
} target_stage;

/* The text of one stage, appended. Errors and threads as for target_compile. */
slip_status target_text(const ir_module *m, mod_target which, const target_options *options,
                        target_stage stage, text *out) SLIP_MUST_USE;

#endif
