/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_emit.h - printing LLVM IR: the state that the llvm_*.c files share.
 *
 * A module's text is built in three growing texts: what stands at top level, the entry block of the
 * function at hand (allocas, argument loads), and its body. Status is sticky in the texts.
 * Values are named by what they are: %v12 (op 12), %a3 (parameter 3), %i0 (index of axis 0), %t7
 * (helper values), %x4 (blocks). A task's body may be printed more than once in one function:
 * `prefix` keeps the copies apart.
 */
#ifndef SLIPWAY_TARGET_LLVM_EMIT_H
#define SLIPWAY_TARGET_LLVM_EMIT_H

#include "base/fail.h"
#include "base/text.h"
#include "ir/ir.h"
#include "ir/launch.h"
#include "target/maths.h"
#include "target/target.h"

enum { LLVM_LEVELS = 256, LLVM_RING = 64, LLVM_NAME = 160, LLVM_PARTS = 4 };

typedef struct llvm_level {
    uint32_t break_to, continue_to; /* block numbers; continue_to 0 for a block */
} llvm_level;

typedef struct llvm_emit {
    const ir_module *m;
    const target_row *const *rows; /* the levels printed for; NULL ends them */
    const target_row *row;         /* the level at hand: where they agree, the first */
    const char *level;             /* at the end of names that are not all levels': llvm_task.c */
    const struct llvm_gpu *gpu;    /* what GPUs differ in; NULL for a CPU */
    const target_options *options;
    mem_arena *arena;
    text top, entry, body;
    slip_status status; /* a failure that is not a text's */

    /* the function at hand */
    const ir_func *func;
    const char *prefix;
    uint32_t end_block; /* where a task's iteration ends; 0 in helpers */
    uint32_t temps, blocks;
    uint32_t at_block; /* the block being filled; 0 is entry */
    bool open;         /* the block has no terminator yet */
    llvm_level levels[LLVM_LEVELS];
    uint32_t level_count;
    uint32_t from_new, from_kept; /* llvm_reduce.c: the blocks its phis come from */
    uint32_t group;               /* llvm_reduce.c: lanes folded at once */
    uint32_t *reduce_uses; /* per reduction: reduce ops in the body; one of them outside loops is a
                              store */

    /* the module */
    uint32_t metadata; /* next number */
    text meta;
    uint32_t import_slots[MATHS_IMPORT_COUNT][2]; /* + 1; 0 is unused; [1] is f32 */
    const char **imports;
    uint32_t import_count;
    bool uses_memory_calls;
    bool levels_differ; /* in what is printed once: no text serves all levels */
    bool uses_fold[SCALAR_OP_COUNT][SCALAR_TYPE_COUNT];

    char ring[LLVM_RING][LLVM_NAME];
    uint32_t ring_at;
} llvm_emit;

typedef struct llvm_source {
    text parts[LLVM_PARTS]; /* each a module of its own: llvm_split.c */
    uint32_t part_count;
    const char *const *imports; /* in the order of the table, which the parts have in common */
    uint32_t import_count;
    bool levels_differ; /* the texts are of no use for more than the first level */
} llvm_source;

void llvm_source_free(llvm_source *source); /* takes a zeroed one */

/* Between a function's name and the levels that it is for, as bits: no name in C holds it. */
#define LLVM_LEVEL_MARK '-'

/*
 * The module's parts for one level, or for several of one architecture (NULL ends them): what they
 * have in common stands once, and a function that differs once for those it is the same for, with
 * the levels at its name's end. `out` is zeroed by the caller, who frees it.
 */
slip_status llvm_print(const ir_module *m, const target_row *const *rows,
                       const target_options *options, mem_arena *arena,
                       llvm_source *out) SLIP_MUST_USE;

/* ---- llvm_split.c ---- */
/* How many parts, and which of them each task is in, tasks in the module's order. */
uint32_t llvm_split(const ir_module *m, mem_arena *arena, const uint8_t **out_parts);

/* ---- llvm_emit.c: names, lines, blocks ---- */

/* Formatted text in a ring of LLVM_RING: good for building one line. */
const char *llvm_name(llvm_emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *llvm_temp(llvm_emit *e);                   /* a fresh %t name */
void llvm_keep(char out[LLVM_NAME], const char *name); /* out of the ring, across many lines */
void llvm_line(llvm_emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void llvm_entry_line(llvm_emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint32_t llvm_block_new(llvm_emit *e);
void llvm_block_begin(llvm_emit *e, uint32_t block); /* falls through to it from an open block */
void llvm_branch(llvm_emit *e, uint32_t block);
void llvm_branch_if(llvm_emit *e, const char *condition, uint32_t yes, uint32_t no);
const char *llvm_block_label(llvm_emit *e, uint32_t block); /* "%x4" */

const char *llvm_scalar_name(scalar_type type);  /* "i1" "float" */
const char *llvm_memory_name(scalar_type type);  /* bool is "i8" */
const char *llvm_type_name(const ir_type *type); /* a value's: scalar, ptr, void */
const char *llvm_const(llvm_emit *e, scalar_type type, uint64_t bits);
const char *llvm_value(llvm_emit *e, const ir_op *op); /* "%v3", "42", "@table.t" */
const char *llvm_quoted(llvm_emit *e, const char *prefix,
                        const char *name); /* quotes where needed */

/* ---- llvm_scalar.c ---- */

typedef struct llvm_scalar_op {
    scalar_op op;
    scalar_type type, from; /* from: of the operands, for convert, bitcast and comparisons */
    uint32_t lanes;         /* 1, or a vector: add mul and or xor min max only */
} llvm_scalar_op;

/* `dst = op a, b, c` in as many lines as it takes. */
void llvm_scalar(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a, const char *b,
                 const char *c);
const char *llvm_lanes_name(llvm_emit *e, scalar_type type, uint32_t lanes); /* "<8 x float>" */
/* Where a reduction starts: -0.0, 1, NaN, the type's bounds (LANGUAGE rule 7). */
uint64_t llvm_identity(scalar_op op, scalar_type type);

/* ---- llvm_convert.c ---- */
void llvm_convert(llvm_emit *e, const char *dst, scalar_type to, scalar_type from, const char *a);

/* ---- llvm_clamp.c ---- */
/* Prints a widening of a clamped index that LLVM can follow; false: it is none, nothing printed. */
bool llvm_clamp(llvm_emit *e, const ir_op *op);

/* ---- llvm_math.c ---- */
void llvm_math(llvm_emit *e, const char *dst, ir_math math, scalar_type type,
               const char *const operands[3]);
/* `k` is an ir_math or MATHS_FMA: a call through the table of imports. */
void llvm_import_call(llvm_emit *e, const char *dst, uint32_t k, scalar_type type, uint32_t count,
                      const char *const operands[3]);

/* ---- llvm_memory.c ---- */
/* On every access to memory that iterations share, apart from atomics: a loop over iterations may
 * be vectorised because its own note (llvm_loop_note) names this group. */
#define LLVM_SHARED ", !llvm.access.group !1"
#define LLVM_FIXED ", !invariant.load !0"

/* A variable: %<name>, of a type as LLVM spells it; align 0: the type's. */
void llvm_alloca(llvm_emit *e, const char *name, const char *type, uint64_t align);
/* Pointers into device memory: what they are held as, and that as a plain pointer. */
const char *llvm_global_type(const llvm_emit *e);
void llvm_global_cast(llvm_emit *e, const char *dst, const char *held);
/* Of atomics: all that share memory. */
const char *llvm_scope(const llvm_emit *e);
/* dst = the scalar or pointer at ptr; `suffix` is metadata. */
void llvm_load(llvm_emit *e, const char *dst, const ir_type *type, const char *ptr,
               const char *suffix);
void llvm_memory(llvm_emit *e, const ir_op *op); /* var index offset field load store copy fill */

/* ---- llvm_atomic.c ---- */
void llvm_atomic(llvm_emit *e, const ir_op *op); /* update atomic cas */

/* ---- llvm_op.c ---- */
void llvm_region(llvm_emit *e, const ir_region *r);
/* The yield's value when the region ends in one; the block is left open. */
const char *llvm_region_value(llvm_emit *e, const ir_region *r);

/* ---- llvm_func.c ---- */
void llvm_func_begin(llvm_emit *e, const ir_func *f);
void llvm_func_end(llvm_emit *e, const char *signature); /* moves entry and body to top */
void llvm_helper(llvm_emit *e, const ir_func *f);
void llvm_table(llvm_emit *e, const ir_table *t);
void llvm_memory_functions(llvm_emit *e);

/* ---- llvm_task.c ---- */
void llvm_task(llvm_emit *e, const ir_func *f);
void llvm_task_args(llvm_emit *e);
/* An index in 64 bits, in which it was made; NULL: it is none, or a CPU's, whose loops count in the
 * index's own type. */
const char *llvm_wide_index(llvm_emit *e, const ir_op *op);
/* One copy of the body as a block sequence: indices are %<prefix>i<k>; ends in `end`, left open. */
void llvm_task_body(llvm_emit *e, const char *prefix, uint32_t end);
/* Suffix for a loop's back branch: what its iterations do to shared memory is independent; or, not
 * `wide`, that the loop is short and is to stay as it is. */
const char *llvm_loop_note(llvm_emit *e, bool wide);

/* ---- llvm_reduce.c ---- */
void llvm_reduce_main(llvm_emit *e, const ir_func *f);
void llvm_reduce_finish(llvm_emit *e, const ir_func *f);
void llvm_reduce_op(llvm_emit *e, const ir_op *op);

#endif
