/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - what a module holds, in memory: signatures, launch programs, task facts, code.
 *
 * Plain data, written by the compiler and read by the planner and the runtime. The same structures
 * are what module/write.c stores and module/read.c gives back after checking every number in
 * them: a reader of this page may trust indices and offsets of a module that was read.
 *
 * A launch in short. Each call has an array of 64-bit *slots*: the kernel's parameters first (a
 * scalar's canonical bits, an array's device address, 0 for a struct), then constants, launch
 * variables, scratch addresses and the address of the *cells* (device memory for kernel-level
 * variables that the host does not know). The *program* is a tree of nodes in preorder that
 * computes slots with instructions, and runs tasks. A task gets one *block* of bytes:
 *
 *     rank x { i64 lo, i64 count }    the axes, slow first (all counts at least 1)
 *     then each arg at its offset      8 bytes from a slot, or the bytes of a struct parameter
 */
#ifndef SLIPWAY_MODULE_MODULE_H
#define SLIPWAY_MODULE_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/scalar.h"

#define MOD_NONE UINT32_MAX /* "no such index" */
enum { MOD_MAX_RANK = 4, MOD_MAX_AXES = 3, MOD_MAX_BLOCK_BYTES = 4096, MOD_MAX_RESULT_BYTES = 64 };
enum { MOD_REDUCE_BLOCK = 1024, MOD_REDUCE_LANES = 64 }; /* LANGUAGE rule 7 */
enum { MOD_CELL_WORD = 4 }; /* bytes: an update of 8 or 16 bits compares and swaps so many whole */

typedef struct mod_place {
    uint32_t file, line, column; /* file indexes mod_module.files; line 0: nowhere */
} mod_place;

/* ---- signature -------------------------------------------------------------------------- */

typedef enum mod_param_kind { MOD_SCALAR, MOD_STRUCT, MOD_ARRAY } mod_param_kind;

/* Flags of an access: of a task to an array, and of the whole kernel to a parameter. */
enum mod_access_flags {
    MOD_READ = 1,
    MOD_WRITE = 2,
    MOD_UPDATE = 4, /* atomic updates (then READ and WRITE are set too) */
    MOD_SINGLE = 8, /* at most one read and one write per element, no loop around */
    MOD_COVERS = 16 /* proved to overwrite every byte of the extent before any read */
};

typedef struct mod_param {
    const char *name;
    mod_param_kind kind;
    scalar_type scalar;             /* scalar, or scalar element of an array; unused for structs */
    const char *struct_name;        /* struct, or struct element; NULL for scalars */
    uint32_t bytes, align;          /* of the value, or of one element */
    bool is_const, is_out;          /* arrays */
    uint32_t rank;                  /* arrays: extents known to the signature; 0: extent unknown */
    bool outer_unknown;             /* extents[0] is not known */
    uint32_t extents[MOD_MAX_RANK]; /* slots (i64), slow first; MOD_NONE where unknown */
    const char *extent_text[MOD_MAX_RANK]; /* as written in the source; NULL where unknown */
    uint32_t access;                       /* arrays: mod_access_flags of the whole kernel */
    mod_place place;
} mod_param;

typedef enum mod_result_kind {
    MOD_NO_RESULT,
    MOD_SCALAR_RESULT,
    MOD_STRUCT_RESULT
} mod_result_kind;

typedef struct mod_result {
    mod_result_kind kind;
    scalar_type scalar;
    const char *struct_name;
    uint32_t bytes, cell; /* where in the cells it lies */
} mod_result;

/* ---- program ---------------------------------------------------------------------------- */

/* Instructions: the scalar operations (op < SCALAR_OP_COUNT), then these. */
enum mod_op {
    MOD_OP_MOVE = SCALAR_OP_COUNT, /* dst = a */
    MOD_OP_MEMBER, /* dst = the scalar of `type` at byte `b` of struct parameter `a` */
    MOD_OP_DATA /* dst = the scalar of `type` at byte slot[a] of data [b, b + c); outside: ARGUMENT
                 */
};

typedef struct mod_instr {
    uint8_t op;
    scalar_type type, from;
    bool exact; /* an integer result that does not fit is an ARGUMENT error naming `text` */
    uint32_t dst, a, b, c; /* slots, unless the op says otherwise */
    const char *text;      /* exact only: the source expression */
    mod_place place;
} mod_instr;

typedef enum mod_node_kind {
    MOD_EVAL, /* run instructions [first, first + count) */
    MOD_TASK, /* run task `first` (of the entry); where an axis is empty, only its finish if that
               * always runs */
    MOD_TAKE, /* take the memory of scratch `first`, the first time in this launch; sets its slot */
    MOD_IF,   /* slot `cond` != 0: children up to `other`; else children from `other` */
    MOD_LOOP, /* children again and again, until a MOD_BREAK */
    MOD_BREAK,    /* leave the innermost MOD_LOOP; with cond != MOD_NONE only if slot `cond` == 0 */
    MOD_CONTINUE, /* go on with node `other` (inside the innermost loop: its step part), whatever is
                     between */
    MOD_RETURN,   /* the launch is over */
    MOD_SECTIONS, /* children are MOD_SECTION nodes, which may run at the same time */
    MOD_SECTION,
    MOD_DEVICE_LOOP /* children again and again while the i32 cell at byte `first` is not 0, tested
                     * after each pass over the children; every task inside is predicated, so that
                     * further passes change nothing once it is 0 */
} mod_node_kind;

/* A tree in preorder: the children of node k are the nodes k + 1 .. end - 1. */
typedef struct mod_node {
    mod_node_kind kind;
    uint32_t first, count, cond, other;
    uint32_t end;
    mod_place place;
} mod_node;

typedef struct mod_const {
    uint32_t slot;
    uint64_t bits;
} mod_const;

/* Device memory of one launch: a kernel-level array. Its values do not outlive its block in the
 * source. */
typedef struct mod_scratch {
    const char *name;
    uint32_t slot;         /* gets the address */
    uint32_t bytes, align; /* of one element */
    uint32_t rank;
    uint32_t extents[MOD_MAX_RANK]; /* slots (i64), slow first */
    mod_place place;
} mod_scratch;

/* A variable of the kernel outside its tasks; a struct's members each their own, "b.x". */
typedef enum mod_variable_kind {
    MOD_LAUNCH_VARIABLE, /* the host computes it and passes it to tasks by value */
    MOD_DEVICE_VARIABLE  /* tasks compute it, in the cells */
} mod_variable_kind;

typedef struct mod_variable {
    const char *name, *type; /* "steps", "i32"; for people */
    mod_variable_kind kind;
    uint32_t at; /* launch: slot, MOD_NONE: it is part of what uses it. device: byte in the cells,
                    MOD_NONE: one serial task alone has it */
    mod_place place;
} mod_variable;

/* ---- tasks ------------------------------------------------------------------------------ */

/* Arrays are numbered: parameters by their index, then scratch, then the cells as the last one. */

/* The cells have a row for each part that the task touches. */
typedef struct mod_access {
    uint32_t array;
    uint32_t flags;
    uint32_t first, bytes; /* cells: the part; 0 bytes: all of the array */
} mod_access;

/* The task's facts assume that these two arrays do not overlap; a call where they do is refused.
 * Equal arrays are let through where `same_ok` (all accesses are at one index expression). */
typedef struct mod_apart {
    uint32_t a, b;
    bool same_ok;
    mod_place place;
} mod_apart;

typedef struct mod_axis {
    scalar_type type;          /* of the index */
    uint32_t lo, hi;           /* slots (canonical bits of `type`), or MOD_NONE when in a cell */
    uint32_t lo_cell, hi_cell; /* byte in the cells of a device value of `type`, or MOD_NONE */
} mod_axis;

typedef enum mod_source { MOD_FROM_SLOT, MOD_FROM_STRUCT } mod_source;

typedef struct mod_arg {
    mod_source source;
    uint32_t index;  /* slot, or struct parameter */
    uint32_t offset; /* in the block: 8-aligned, or the struct's alignment (at most 16) */
    uint32_t bytes;  /* 8, or the struct's size */
} mod_arg;

typedef struct mod_reduce {
    scalar_op op;
    scalar_type type;
    uint32_t cell; /* byte in the cells: cell = cell op folded value */
} mod_reduce;

typedef struct mod_task {
    const char *name;            /* "heat:12": kernel and line */
    uint32_t rank;               /* 0: serial, runs once */
    mod_axis axes[MOD_MAX_AXES]; /* slow first */
    const mod_arg *args;
    uint32_t arg_count, block_bytes;
    uint32_t
        predicate; /* byte in the cells of an i32: the task does nothing when it is 0; MOD_NONE */
    const mod_reduce *reduces; /* with any, the task has a second symbol, `finish` */
    uint32_t reduce_count;
    uint32_t partial_bytes;  /* memory per block of MOD_REDUCE_BLOCK iterations for block results: 8
                              * *  reduce_count; result r of block b lies at 8 * (b * reduce_count +
                              * r). The  address of it all is put in the block at partial_offset */
    uint32_t partial_offset; /* MOD_NONE without reductions */
    bool finishes_always; /* `finish` runs serial statements too, before the fold or behind it, and
                           * so also where there are no iterations */
    mod_place head, tail; /* of those before, of those behind; line 0: none, or none known */
    const mod_access *accesses;
    uint32_t access_count;
    const mod_apart *aparts;
    uint32_t apart_count;
    mod_place place;
} mod_task;

typedef struct mod_entry {
    const char *name;
    const mod_param *params;
    uint32_t param_count;
    mod_result result;
    const mod_instr *instrs;
    uint32_t instr_count;
    uint32_t extent_instrs; /* the first instructions: all extents of parameters; run before
                               anything is looked up */
    const mod_node *nodes;
    uint32_t node_count;
    const mod_const *consts; /* put into the slots at the start of each call */
    uint32_t const_count;
    uint32_t slot_count;
    const mod_scratch *scratch;
    uint32_t scratch_count;
    const mod_variable *variables; /* in source order */
    uint32_t variable_count;
    uint32_t cells_bytes; /* 0: no cells; they start zeroed; each begins a MOD_CELL_WORD */
    uint32_t cells_slot;  /* gets their address; MOD_NONE without cells */
    const mod_task *tasks;
    uint32_t task_count;
    uint32_t first_symbol; /* task k is symbol first_symbol + k of each code */
    mod_place place;
} mod_entry;

/* ---- code ------------------------------------------------------------------------------- */

#define MOD_TARGETS(X)                                                                             \
    X(CPU_X86_64_V2, "cpu-x86-64-v2")                                                              \
    X(CPU_X86_64_V3, "cpu-x86-64-v3") X(CPU_X86_64_V4, "cpu-x86-64-v4")                            \
        X(CPU_AARCH64, "cpu-aarch64") X(SPIRV, "spirv") X(PTX, "ptx") X(GFX90A, "gfx90a")          \
            X(GFX942, "gfx942") X(GFX1030, "gfx1030") X(GFX1100, "gfx1100")

typedef enum mod_target {
#define MOD_TARGET_ENUM_(name, text) MOD_TARGET_##name,
    MOD_TARGETS(MOD_TARGET_ENUM_)
#undef MOD_TARGET_ENUM_
        MOD_TARGET_COUNT
} mod_target;

/* Is the code a table of shaders? A *stream target* is one whose shaders all lie in one PTX text or
 * one AMD code object. */
static inline bool mod_has_shaders(mod_target target)
{
    return target >= MOD_TARGET_SPIRV;
}

static inline bool mod_is_stream(mod_target target)
{
    return target > MOD_TARGET_SPIRV;
}

/*
 * A task's entry points in a CPU image, as byte offsets:
 *     void main(const void *block, int64_t first, int64_t last)
 *         runs iterations first .. last - 1 of the flat, row-major range. With reductions first is
 * a multiple of MOD_REDUCE_BLOCK, and so is last unless it is the end; block results go to
 * partials. void finish(const void *block, int64_t first, int64_t last) called once as (block, 0,
 * total) after all of main: folds the partials into the cells. A serial task is called once as
 * main(block, 0, 1).
 */
typedef struct mod_symbol {
    uint32_t main, finish; /* finish: MOD_NONE without reductions */
} mod_symbol;

/* What a shader needs of its device beyond 32-bit and 64-bit integers and f32. 8-bit and 16-bit
 * integers are needed in memory only. MATH no device has: the shader was left out (bytes is 0), and
 * the place says which call is the reason. DEPTH: levels as target/spirv_depth.c counts them. */
#define MOD_NEEDS(X)                                                                               \
    X(F64, "64-bit floats") X(I8, "8-bit integers") X(I16, "16-bit integers")                      \
        X(ATOMIC64, "64-bit integer atomics")                                                      \
            X(MATH, "a math function")                                                             \
                X(DEPTH, "control flow more than 64 levels deep")

typedef enum mod_need {
#define MOD_NEED_ENUM_(name, text) MOD_NEED_##name,
    MOD_NEEDS(MOD_NEED_ENUM_)
#undef MOD_NEED_ENUM_
        MOD_NEED_COUNT
} mod_need;

/*
 * A shader is a task's code for a GPU. What follows is said of SPIR-V; a stream target does the
 * same, but for what is said of it below.
 *
 * One SPIR-V module with the entry point "main". A word is little-endian. Its invocations are
 * MOD_SHADER_LOCAL a workgroup by default (one for a serial task, MOD_REDUCE_LANES for main and
 * finish of a task with reductions); SpecId 0 is that number for a shader that lets it be changed.
 *
 * Push constants, MOD_SHADER_PUSH_BYTES at most:
 *      0  i64 first     flat iteration that the dispatch begins at
 *      8  i64 end       flat iteration it ends before (finish: the task's total)
 *     16  u64 cells     address of the cells; 0 if the entry has none
 *     24  u32 magic, u32 shift    axis rank - 1, where rank >= 2 (see below)
 *     32  u32 magic, u32 shift    axis rank - 2, where rank == 3
 *      -  then the task's block itself where `inline_block`, else its address (u64)
 *
 * A shader's workgroup number is x + y * groups.x + z * groups.x * groups.y; iterations are
 * first + number * local + invocation; a dispatch has fewer than 2^32 workgroups. A task with
 * reductions has one workgroup per block of MOD_REDUCE_BLOCK iterations, `first` being a multiple
 * of it; its finish is one workgroup. A shader whose task has a predicate reads it itself, and does
 * nothing when it is 0.
 *
 * A shader with `strided` reads the bounds that lie in cells itself: it may be dispatched with any
 * number of workgroups, and walks on by the whole grid until its own total; first is 0, end is
 * ignored, and so are magic and shift. In its block an axis with a bound in a cell is { i64 lo, i64
 * hi }, where the one in a cell is ignored. Set for tasks with such a bound and without reductions:
 * with both, the host has to know the bounds (partial results take memory by the total), reads the
 * cells first, and the shader is like any other.
 *
 * q = x / count for an axis' count c and x < 2^31: c a power of two: q = x >> shift, magic 0; else
 * q = mulhi(x, magic) >> shift. shift 255: x may be larger, and the shader divides.
 *
 * Of a stream target all shaders lie in mod_code.bytes together: shader k is the entry point
 * `s<k>`, a kernel that takes one parameter by value, 8-aligned: the bytes above, as many as the
 * shader reads and MOD_STREAM_PARAM_BYTES at most. A workgroup is a group of threads (a block of
 * CUDA). Groups lie along the first axis alone, and so do the threads of one: a group's number is
 * its place. Unless `local_fixed`, it may have any number of threads up to `local`. The finish of a
 * task with reductions has MOD_STREAM_FINISH of them, which fold as many blocks of results at once.
 * `needs` names MATH alone: all devices have the rest. offset is 0, and bytes are mod_code.size, or
 * 0 where the shader was left out.
 */
enum { MOD_SHADER_LOCAL = 256, MOD_SHADER_PUSH_BYTES = 128, MOD_SHADER_HEADER_BYTES = 24 };
enum { MOD_SHADER_DEPTH = 64 };
enum { MOD_STREAM_PARAM_BYTES = 4096, MOD_STREAM_FINISH = 1024 };

/* Bytes before the block, or before its address, in a task's push constants or parameter. */
static inline uint32_t mod_shader_header(uint32_t rank)
{
    return MOD_SHADER_HEADER_BYTES + 8 * (rank > 1 ? rank - 1 : 0);
}

typedef struct mod_shader {
    uint32_t offset, bytes; /* in mod_code.bytes; multiples of 4 but of a stream target */
    bool inline_block, strided, local_fixed;
    uint32_t local;      /* invocations a workgroup */
    uint32_t needs;      /* a bit per mod_need */
    mod_place need_places[MOD_NEED_COUNT]; /* where each that is needed is, in the source */
} mod_shader;

/*
 * A CPU image is position independent and has no relocations: `bytes` is mapped read and execute,
 * and the table of imports (pointers to math functions, by name) lies at imports_offset past its
 * start, beyond the last byte, aligned to 65536. It is data: filled, then made read only.
 *
 * `bytes` of ptx are a text that ends in a NUL byte; of gfx* a code object, an ELF file.
 */
typedef struct mod_code {
    mod_target target;
    const uint8_t *bytes;
    uint64_t size;
    const mod_symbol *symbols; /* mod_has_shaders: indices of them in the place of offsets */
    uint32_t symbol_count;
    uint64_t imports_offset;
    const char *const *imports; /* "sinf" */
    uint32_t import_count;
    /* mod_has_shaders only */
    const mod_shader *shaders;
    uint32_t shader_count;
    uint32_t data_offset, data_bytes; /* in `bytes`: constant tables that stay in device memory;
                                       * none of a stream target: its tables are part of its code */
} mod_code;

typedef struct mod_module {
    const char *producer; /* "slipc 0.1.0" */
    const char *options;  /* what changes the code: "--fma" ... */
    const char *const *files;
    uint32_t file_count;
    const mod_entry *entries;
    uint32_t entry_count;
    const uint8_t *data; /* constant tables that launch programs read */
    uint32_t data_bytes;
    const mod_code *codes;
    uint32_t code_count;
    uint32_t symbol_count; /* all tasks of all entries, in order */
    const char
        *header_text; /* C text of the structs the generated header needs, and its includes */
} mod_module;

#endif
