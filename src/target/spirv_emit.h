/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_emit.h - one task's entry as one SPIR-V module: the state that the spirv_*.c files share.
 *
 * Values are ids. Integers of up to 32 bits are 32-bit words, sign- or zero-extended by their IR
 * type; 64-bit ones and global pointers are 64-bit words; all are unsigned to SPIR-V, and the
 * instruction chooses the sign. bool is OpTypeBool. Memory that iterations share holds integers:
 * a float goes through a bit cast, so that no load or store may alter it.
 *
 * A function is written in three parts, its variables (which SPIR-V wants in the first block), what
 * is made once at its start, and its body; functions that it calls are queued and written after it.
 * Must never write an instruction into a block that has ended, nor select, store or merge a pointer
 * of SPIR-V's.
 */
#ifndef SLIPWAY_TARGET_SPIRV_EMIT_H
#define SLIPWAY_TARGET_SPIRV_EMIT_H

#include "base/fail.h"
#include "base/numerics.h"
#include "ir/ir.h"
#include "ir/launch.h"
#include "target/spirv_words.h"

typedef uint32_t spirv_id; /* 0: none */

/* The parts of a module in the order of SPIR-V 1.5, 2.4, and the function at hand. */
typedef enum spirv_section {
    SPIRV_IN_CAPABILITIES,
    SPIRV_IN_IMPORTS,
    SPIRV_IN_ENTRY,
    SPIRV_IN_MODES,
    SPIRV_IN_NAMES,
    SPIRV_IN_ANNOTATIONS,
    SPIRV_IN_GLOBALS,
    SPIRV_IN_FUNCTIONS,
    SPIRV_SECTION_COUNT, /* what follows is joined to the functions as each ends */
    SPIRV_IN_VARIABLES = SPIRV_SECTION_COUNT,
    SPIRV_IN_START, /* of its first block, before the body */
    SPIRV_IN_BODY,
    SPIRV_WORDS_COUNT
} spirv_section;

typedef enum spirv_base {
    SPIRV_VOID,
    SPIRV_BOOL,
    SPIRV_U8, /* memory only */
    SPIRV_U16,
    SPIRV_U32,
    SPIRV_U64,
    SPIRV_F32,
    SPIRV_F64,
    SPIRV_PAIR, /* two 32-bit words */
    SPIRV_TRIPLE,
    SPIRV_BASE_COUNT
} spirv_base;

/* A function of the shader beside main. */
typedef enum spirv_function_kind {
    SPIRV_HELPER,   /* of the IR */
    SPIRV_TASK,     /* the task's body: one iteration */
    SPIRV_QUOTIENT, /* x / count by the push constants' reciprocal */
    SPIRV_FOLD      /* the 64 lanes of a workgroup by `op` of `type` */
} spirv_function_kind;

typedef struct spirv_function {
    struct spirv_function *next;
    spirv_function_kind kind;
    const ir_func *func;
    scalar_op op;
    scalar_type type;
    spirv_id id;
    ir_place place; /* where it is first called */
} spirv_function;

typedef struct spirv_construct spirv_construct; /* spirv_flow.h */

/* Something interned: a type or constant by its words. */
typedef struct spirv_interned {
    struct spirv_interned *next;
    spirv_id id;
    uint32_t count;
    uint32_t key[];
} spirv_interned;

typedef struct spirv_guess spirv_guess; /* spirv_native.h */

enum { SPIRV_INTERN_SLOTS = 256, SPIRV_MOST_IDS = 4000000 };

typedef struct spirv_emit {
    const ir_module *m;
    mem_arena *arena;
    mod_shader *shader; /* its flags are set, its needs are filled in */
    const ir_func *task;
    spirv_words words[SPIRV_WORDS_COUNT];
    slip_status status; /* a failure that is not a word list's */
    uint32_t ids;
    spirv_id main;
    spirv_interned *interned[SPIRV_INTERN_SLOTS];
    spirv_interned **constants; /* the numeric ones, by id */
    uint32_t constant_capacity;
    spirv_id bases[SPIRV_BASE_COUNT];
    spirv_id blocks[SPIRV_BASE_COUNT]; /* structs of one in device memory */
    spirv_id glsl;
    spirv_id *interface; /* global variables, for the entry point */
    uint32_t interface_count, interface_capacity;
    spirv_id *widened; /* numbers sign-extended to 64 bits, ascending */
    uint32_t widened_count, widened_capacity;

    /* globals */
    spirv_id push, local_size, group_count, group,
        lane;          /* variables, and the constant local size */
    uint32_t block_at; /* where the block, or its address, is in the push constants */
    spirv_id numerics[NUMERIC_COUNT];
    spirv_id data_low, data_high;
    spirv_id *parts; /* a private variable for each reduction */
    spirv_id lanes[SPIRV_BASE_COUNT];
    const ir_table **tables; /* small ones that are in use */
    spirv_id *table_vars;
    uint32_t table_count, table_capacity, table_var_capacity;

    spirv_function *functions, *last_function; /* in the order in which they are written */

    /* the function at hand */
    const ir_func *func;
    spirv_id block;   /* the block being filled */
    bool open;        /* it has no terminator yet */
    spirv_id *values; /* by op->id */
    bool *hoisted;    /* the same: made before the loop it is in */
    uint32_t value_count;
    spirv_id *params;
    spirv_construct *construct; /* the innermost */
    uint32_t constructs;
    spirv_id exit_code; /* a variable: where an exit in several steps goes; 0 until one is needed */
    spirv_id unseen[NUMERIC_COUNT]; /* zeros made at the start, 0 until one is needed */
    spirv_guess *guess; /* where refined values are taken for right, and tested later; else NULL */
    ir_place place;     /* of the op at hand, for needs; of the call, in the math library */
    bool in_library;
} spirv_emit;

/* ---- spirv_module.c ---- */

/* The words of main or finish of a task, appended to *out, and the shader's facts but its offset.
 * A shader that is not to be had has no words, and its needs say why. */
slip_status spirv_shader(const ir_module *m, mem_arena *arena, const ir_func *task, bool finish,
                         spirv_words *out, mod_shader *shader) SLIP_MUST_USE;
/* How many bytes the constant tables in device memory take, and where one lies. */
enum { SPIRV_SMALL_TABLE = 256 };
uint32_t spirv_data_offset(const ir_module *m, const ir_table *table); /* NULL: behind the last */

/* ---- spirv_emit.c: functions, blocks, instructions ---- */

spirv_id spirv_new(spirv_emit *e);
/* The code is not to be had for the reason that the need names; what is written is thrown away. */
void spirv_need(spirv_emit *e, mod_need need);
void spirv_wrong(spirv_emit *e, const char *what); /* an internal failure at the op at hand */

void spirv_line(spirv_emit *e, spirv_op op, const uint32_t *operands, uint32_t count);
/* An instruction with a result in the block at hand. */
spirv_id spirv_make(spirv_emit *e, spirv_op op, spirv_id type, const uint32_t *operands,
                    uint32_t count);
spirv_id spirv_make1(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a);
spirv_id spirv_make2(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a, uint32_t b);
spirv_id spirv_make3(spirv_emit *e, spirv_op op, spirv_id type, uint32_t a, uint32_t b, uint32_t c);
spirv_id spirv_glsl(spirv_emit *e, enum spirv_glsl which, spirv_id type, const spirv_id *in,
                    uint32_t count);

void spirv_block_begin(spirv_emit *e, spirv_id label); /* falls through to it from an open block */
void spirv_branch(spirv_emit *e, spirv_id label);
/* The header of a selection: merge is a new block that the caller begins at the end. */
void spirv_branch_if(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id no, spirv_id merge);
/* The same without an else, for what hardly ever happens: no driver need compute it ahead. */
void spirv_branch_rarely(spirv_emit *e, spirv_id condition, spirv_id yes, spirv_id merge);
void spirv_return(spirv_emit *e, spirv_id value_or_none);
void spirv_unreachable(spirv_emit *e);

void spirv_function_begin(spirv_emit *e, spirv_id id, spirv_id result, const spirv_id *types,
                          spirv_id *params, uint32_t count, const char *name);
void spirv_function_end(spirv_emit *e);
spirv_id spirv_variable(spirv_emit *e, spirv_id type, spirv_id initial_or_none); /* Function */
/* Between these, instructions go to the function's start. */
spirv_words spirv_start_begin(spirv_emit *e);
void spirv_start_end(spirv_emit *e, spirv_words body);
/* The id of a function, which is written later unless it is known. */
spirv_id spirv_function_of(spirv_emit *e, spirv_function what);

/* ---- spirv_types.c ---- */

spirv_id spirv_type(spirv_emit *e, spirv_base base);
spirv_base spirv_base_of(scalar_type type);     /* of a value: never U8 or U16 */
spirv_base spirv_bits_base(scalar_type type);   /* the integer of the value's width */
spirv_base spirv_memory_base(scalar_type type); /* the integer of the width in memory */
spirv_id spirv_type_value(spirv_emit *e, const ir_type *type); /* scalar, pointer or void */
spirv_id spirv_type_local(spirv_emit *e, const ir_type *type); /* what a variable of it holds */
spirv_id spirv_type_ptr(spirv_emit *e, enum spirv_storage storage, spirv_id type);
spirv_id spirv_intern(spirv_emit *e, spirv_op op, spirv_id type, const uint32_t *operands,
                      uint32_t count);
spirv_id spirv_bool(spirv_emit *e, bool value);
spirv_id spirv_u32(spirv_emit *e, uint32_t value);
spirv_id spirv_u64(spirv_emit *e, uint64_t value);
spirv_id spirv_const(spirv_emit *e, scalar_type type, uint64_t bits);
/* a, sign-extended to 64 bits, and whether an id is such a number. */
spirv_id spirv_widen(spirv_emit *e, spirv_id a);
bool spirv_is_widened(const spirv_emit *e, spirv_id id);
/* Whether the id is a numeric constant, and its words. */
bool spirv_const_bits(const spirv_emit *e, spirv_id id, uint64_t *out);
spirv_id spirv_undef(spirv_emit *e, spirv_id type);
spirv_id spirv_global(spirv_emit *e, enum spirv_storage storage, spirv_id type,
                      spirv_id initial_or_none);
void spirv_decorate(spirv_emit *e, spirv_id id, enum spirv_enumerant what, uint32_t value);
spirv_id spirv_builtin(spirv_emit *e, spirv_id *kept, enum spirv_enumerant which, spirv_base base);
spirv_id spirv_numeric(spirv_emit *e, numeric which); /* the specialisation constant */

/* ---- spirv_push.c: the push constants, and words behind an address ---- */

spirv_id spirv_push_word(spirv_emit *e, spirv_id index);
spirv_id spirv_push_u32(spirv_emit *e, uint32_t at); /* at: in bytes */
spirv_id spirv_push_u64(spirv_emit *e, uint32_t at);
spirv_id spirv_join(spirv_emit *e, spirv_id low, spirv_id high); /* two words as one of 64 bits */
spirv_id spirv_block_address(spirv_emit *e);                     /* where it is not in line */
spirv_id spirv_block_u64(spirv_emit *e, uint32_t offset);        /* of the task's block */
spirv_id spirv_cells(spirv_emit *e);                             /* their address */
spirv_id spirv_data_address(spirv_emit *e);                      /* of the constant tables */
spirv_id spirv_add_bytes(spirv_emit *e, spirv_id address, uint64_t bytes);

/* The task that the shader is of. */
static inline const mod_task *spirv_task_row(const spirv_emit *e)
{
    return e->task->task->task;
}

/* ---- spirv_scalar.c, spirv_float.c, spirv_zero.c, spirv_native.c, spirv_integer.c,
 * spirv_convert.c ---- */

/* The op's value. `from`: of the operands, for convert, bitcast and comparisons. */
spirv_id spirv_scalar(spirv_emit *e, scalar_op op, scalar_type type, scalar_type from, spirv_id a,
                      spirv_id b, spirv_id c);
spirv_id spirv_integer(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b);
spirv_id spirv_divide(spirv_emit *e, scalar_op op, scalar_type type, spirv_id a, spirv_id b,
                      const ir_op *divisor); /* b as an op, or NULL */
spirv_id spirv_convert(spirv_emit *e, scalar_type to, scalar_type from, spirv_id a);
/* A word made canonical for a type of 8 or 16 bits. */
spirv_id spirv_narrow(spirv_emit *e, scalar_type type, spirv_id word);
spirv_id spirv_to_bits(spirv_emit *e, scalar_type type, spirv_id value);  /* bool: 0 or 1 */
spirv_id spirv_from_bits(spirv_emit *e, scalar_type type, spirv_id bits); /* of the exact width */
spirv_id spirv_is_nan(spirv_emit *e, scalar_type type, spirv_id value);
spirv_id spirv_rounded(spirv_emit *e, spirv_op op, spirv_id type, spirv_id a, spirv_id b);
/* A float that a driver's compiler does not know to be a, unless the device has the fact `may`; and
 * one that it does not know to be a zero, only if it could find out that `value` is 0. */
spirv_id spirv_unseen(spirv_emit *e, scalar_type type, numeric may, spirv_id a);
spirv_id spirv_hidden(spirv_emit *e, const ir_op *value, spirv_id a);
/* The same for what is stored at `ptr`, where a load does not hide it. */
spirv_id spirv_hidden_in(spirv_emit *e, const ir_op *ptr, const ir_op *value, spirv_id a);
/* Of floats: div, sqrt, fma and rem. */
spirv_id spirv_native(spirv_emit *e, scalar_op op, scalar_type type, const spirv_id *in);
/* Is the function at hand of math/refine.c, whose fma is the device's? */
bool spirv_refines(const spirv_emit *e);
spirv_id spirv_math(spirv_emit *e, const ir_op *op);
uint64_t spirv_identity(scalar_op op, scalar_type type); /* where a reduction starts */

/* ---- spirv_place.c: where something lies, and its scalars ---- */

typedef enum spirv_place_kind {
    SPIRV_AT_ADDRESS, /* device memory */
    SPIRV_AT_WORDS,   /* an array of words that is only read: push constants, a small table */
    SPIRV_AT_LOCAL    /* a variable of the function */
} spirv_place_kind;

enum { SPIRV_MOST_STEPS = 64 };

typedef struct spirv_place {
    spirv_place_kind kind;
    const ir_type *type; /* of what lies there */
    spirv_id base;       /* the address, or the variable */
    uint64_t bytes;      /* from there; not for local ones */
    spirv_id more;       /* and this many more, a word; 0: none. Words only */
    /* local: members from the variable on, then an element where `flat` is not 0 */
    spirv_id steps[SPIRV_MOST_STEPS];
    uint32_t step_count;
    spirv_id flat;
} spirv_place;

spirv_place spirv_place_of(spirv_emit *e, const ir_op *ptr);
spirv_place spirv_place_member(spirv_emit *e, const spirv_place *p, uint32_t field);
spirv_place spirv_place_element(spirv_emit *e, const spirv_place *p, spirv_id index); /* a word */
spirv_place spirv_place_nth(spirv_emit *e, const spirv_place *p, uint32_t k); /* element k */
/* What lies `count` (a word) of its own type further on. */
spirv_place spirv_place_further(spirv_emit *e, const spirv_place *p, spirv_id count);
spirv_id spirv_place_load(spirv_emit *e, const spirv_place *p);
void spirv_place_store(spirv_emit *e, const spirv_place *p, spirv_id value);
/* An index or offset of a place as a word, or the 64 bits of it. */
spirv_id spirv_word_of(spirv_emit *e, const ir_op *i64);
/* Is what the pointer points to reached by an address? */
bool spirv_by_address(const spirv_emit *e, const ir_op *ptr);

/* ---- spirv_memory.c, spirv_atomic.c ---- */

/* A pointer of SPIR-V's to an integer at a device address. */
spirv_id spirv_pointer(spirv_emit *e, spirv_base base, spirv_id address);
spirv_id spirv_load_at(spirv_emit *e, scalar_type type, spirv_id address, bool is_volatile);
void spirv_store_at(spirv_emit *e, scalar_type type, spirv_id address, spirv_id value,
                    bool is_volatile);
spirv_id spirv_load_relaxed(spirv_emit *e, scalar_type type, spirv_id address);
void spirv_memory(spirv_emit *e, const ir_op *op); /* var index offset field load store */
void spirv_copy(spirv_emit *e, const ir_op *op);
void spirv_fill(spirv_emit *e, const ir_op *op);
void spirv_atomic(spirv_emit *e, const ir_op *op); /* update atomic cas */

/* ---- spirv_op.c, spirv_flow.c ---- */

spirv_id spirv_value(spirv_emit *e, const ir_op *op);
void spirv_set(spirv_emit *e, const ir_op *op, spirv_id value);
void spirv_one(spirv_emit *e, const ir_op *op);
void spirv_region(spirv_emit *e, const ir_region *r);
/* The ops from this one to the last that one test can cover, which is returned; NULL, and nothing
 * is written, where none needs one. spirv_group.c */
const ir_op *spirv_group(spirv_emit *e, const ir_op *first);
spirv_id spirv_region_value(spirv_emit *e, const ir_region *r); /* 0 where it does not end */
void spirv_flow(spirv_emit *e, const ir_op *op); /* if loop block switch break continue return */
void spirv_body(spirv_emit *e, const ir_func *f, spirv_id id); /* a whole IR function */

void spirv_hoist(spirv_emit *e, const ir_op *loop); /* spirv_hoist.c: before its head */

/* A loop that the emitter makes itself: between begin and end stands its body, which leaves by
 * spirv_own_loop_until. Values that change live in variables. */
typedef struct spirv_own_loop {
    spirv_id head, next, merge;
} spirv_own_loop;
void spirv_own_loop_begin(spirv_emit *e, spirv_own_loop *l);
void spirv_own_loop_until(spirv_emit *e, spirv_own_loop *l, spirv_id done);
void spirv_own_loop_end(spirv_emit *e, spirv_own_loop *l);

/* ---- spirv_task.c, spirv_reduce.c ---- */

void spirv_task_main(spirv_emit *e);
void spirv_quotient(spirv_emit *e, spirv_id id);
void spirv_reduce_main(spirv_emit *e);
void spirv_reduce_finish(spirv_emit *e);
void spirv_reduce_op(spirv_emit *e, const ir_op *op);
void spirv_fold(spirv_emit *e, const spirv_function *f);

/* What the mains of all tasks share. */
void spirv_main_begin(spirv_emit *e); /* with the predicate: what follows runs where it holds */
void spirv_main_end(spirv_emit *e);
spirv_id spirv_group_number(spirv_emit *e); /* words */
spirv_id spirv_lane(spirv_emit *e);
/* Coordinates of a flat iteration, 64 bits an axis. */
void spirv_coordinates(spirv_emit *e, spirv_id flat, spirv_id out[MOD_MAX_AXES]);
/* The operands of a call of the body: all but the indices are filled in. */
uint32_t *spirv_body_operands(spirv_emit *e, uint32_t *count);
/* One iteration. `lo` per axis; NULL: as the block has it. */
void spirv_call_body(spirv_emit *e, uint32_t *operands, uint32_t count, const spirv_id *lo,
                     const spirv_id *coordinates);
/* What finish runs beside the fold. */
void spirv_finish_call(spirv_emit *e, const ir_finish_call *call);

#endif
