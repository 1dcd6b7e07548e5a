/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ir.h - the intermediate representation: structured, typed, one arena per compile.
 *
 * A module holds struct types, constant tables and functions. A function is a region; a region
 * is a list of ops; an op takes values (the ops that made them), may hold regions, and may make
 * one value. There are no free-form branches: if, loop, block and switch, with break and
 * continue that name a level. A value may be used by any later op of its region and in regions
 * below it. Aggregates live in memory only; values are scalars and pointers.
 *
 * Signedness is in the type: div of i32 is signed, of u32 unsigned. Conversions are explicit.
 * Pointers to local variables come from var, index, offset and field only: they are never stored,
 * selected, yielded or merged (the verifier enforces it). Global pointers are plain 64-bit values.
 *
 * The text form (ir/text.c) is exact: print then parse gives the same module, line by line.
 */
#ifndef SLIPWAY_IR_IR_H
#define SLIPWAY_IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/scalar.h"
#include "base/text.h"

typedef struct ir_type ir_type;
typedef struct ir_op ir_op;
typedef struct ir_region ir_region;
typedef struct ir_func ir_func;
typedef struct ir_table ir_table;
typedef struct ir_module ir_module;

/* Where something stands in the source. file indexes ir_module.files; line 0 means nowhere. */
typedef struct ir_place {
    uint32_t file, line, column;
} ir_place;

/* ---- types: interned per module, so equal types are equal pointers -------------------------- */

typedef enum ir_kind { IR_VOID, IR_SCALAR, IR_PTR, IR_STRUCT, IR_ARRAY } ir_kind;

/* global: device memory (arrays, scratch, cells). local: variables of one invocation.
 * param: a by-value parameter block, read only. table: the module's constant tables, read only. */
typedef enum ir_space { IR_GLOBAL, IR_LOCAL, IR_PARAM_SPACE, IR_TABLE_SPACE } ir_space;

typedef struct ir_field {
    const char *name;
    const ir_type *type;
    uint64_t offset; /* bytes, as C lays it out */
} ir_field;

struct ir_type {
    ir_kind kind;
    scalar_type scalar;   /* IR_SCALAR */
    ir_space space;       /* IR_PTR */
    const ir_type *elem;  /* IR_PTR, IR_ARRAY */
    uint64_t count;       /* IR_ARRAY */
    const char *name;     /* IR_STRUCT: unique in the module ("body", or "anon.3") */
    const ir_field *fields; /* IR_STRUCT */
    uint32_t field_count;
    uint64_t size, align; /* bytes; 0 and 1 for void */
    const ir_type *next;  /* module list */
};

const ir_type *ir_type_void(ir_module *m);
const ir_type *ir_type_scalar(ir_module *m, scalar_type scalar);
const ir_type *ir_type_ptr(ir_module *m, ir_space space, const ir_type *elem);
const ir_type *ir_type_array(ir_module *m, const ir_type *elem, uint64_t count);
/* Fields are copied; sizes and offsets are as given. A second struct of the same name must be equal. */
const ir_type *ir_type_struct(ir_module *m, const char *name, const ir_field *fields,
                              uint32_t field_count, uint64_t size, uint64_t align);

static inline bool ir_is_scalar(const ir_type *t, scalar_type s)
{
    return t->kind == IR_SCALAR && t->scalar == s;
}

/* ---- ops -------------------------------------------------------------------------------------- */

typedef enum ir_code {
#define SCALAR_CODE_(name, operands) IR_##name,
    SCALAR_OPS(SCALAR_CODE_) /* in the order of scalar_op: code k is scalar op k */
#undef SCALAR_CODE_
#define OP(name, inputs, regions, flags, meaning) IR_##name,
#include "ir/op.def"
#undef OP
    IR_CODE_COUNT
} ir_code;

enum { IR_ANY = 255 };
enum ir_flags { IR_PURE = 1, IR_READS = 2, IR_WRITES = 4, IR_EXIT = 8, IR_PLACE = 16 };

typedef struct ir_code_row {
    const char *name;
    uint8_t inputs, regions; /* IR_ANY where the op decides */
    uint8_t flags;
} ir_code_row;

extern const ir_code_row ir_codes[IR_CODE_COUNT];

/* Math functions that are not scalar ops: name in C without the f suffix, operands. */
#define IR_MATHS(X)                                                                               \
    X(sin, 1) X(cos, 1) X(tan, 1) X(asin, 1) X(acos, 1) X(atan, 1) X(sinh, 1) X(cosh, 1)          \
    X(tanh, 1) X(asinh, 1) X(acosh, 1) X(atanh, 1) X(exp, 1) X(exp2, 1) X(expm1, 1) X(log, 1)     \
    X(log2, 1) X(log10, 1) X(log1p, 1) X(cbrt, 1) X(erf, 1) X(erfc, 1) X(tgamma, 1)               \
    X(lgamma, 1) X(round, 1) X(nearbyint, 1) X(rsqrt, 1) X(pow, 2) X(atan2, 2) X(hypot, 2)        \
    X(fmod, 2) X(remainder, 2) X(copysign, 2) X(fdim, 2) X(nextafter, 2)

typedef enum ir_math {
#define MATH_ENUM_(name, operands) IR_MATH_##name,
    IR_MATHS(MATH_ENUM_)
#undef MATH_ENUM_
        IR_MATH_COUNT
} ir_math;

typedef struct ir_math_row {
    const char *name; /* "sin" */
    uint8_t operands;
} ir_math_row;

extern const ir_math_row ir_maths[IR_MATH_COUNT];

typedef struct ir_case {
    const uint64_t *values; /* canonical bits of the switch value's type */
    uint32_t count;
} ir_case;

struct ir_op {
    ir_op *prev, *next;
    ir_region *parent; /* NULL for param and arg ops */
    ir_code code;
    uint32_t id;         /* number in print order; assigned by ir_number */
    const ir_type *type; /* of the value it makes; void if none */
    ir_place place;
    const char *name;    /* the source's name for var, scratch, param, arg; may be NULL. One that begins
                          * with a dot is the compiler's own */

    ir_op **in;
    uint32_t in_count;
    ir_region **regions;
    uint32_t region_count;

    uint64_t bits;            /* const */
    uint32_t index;           /* param, arg, field, reduce */
    uint32_t levels;          /* break, continue */
    scalar_op scalar;         /* atomic */
    ir_math math;             /* math */
    uint64_t bytes;           /* fill */
    bool relaxed;             /* load: of memory that the same task updates; compiled as a relaxed atomic */
    ir_func *func;            /* call */
    const ir_table *table;    /* table */
    const ir_case *cases;     /* switch: region_count - 1 of them */
    const char *text;         /* assert, print */
};

struct ir_region {
    ir_op *first, *last;
    ir_op *owner; /* the op that holds it; NULL for a function's body */
    ir_op **args;
    uint32_t arg_count;
};

/* ---- functions, tables, module ------------------------------------------------------------------ */

typedef enum ir_func_kind {
    IR_HELPER, /* a static function */
    IR_KERNEL, /* an entry point as the front makes it: tasks and serial code mixed */
    IR_TASK    /* made by the launch pass: one task's body; see ir/launch.h */
} ir_func_kind;

enum { IR_MAX_RANK = 4 };
enum { IR_MAX_DEPTH = 200 }; /* regions in regions; the verifier and the parser refuse more */

typedef struct ir_param {
    ir_op *op; /* the IR_param op; its type: scalar; ptr.global for an array; ptr.param to a struct for a
                * by-value struct; ptr.local to a struct for a helper's by-value struct (callee may write) */
    const char *name;
    /* kernels, arrays only: */
    bool is_array, is_const, is_out;
    uint32_t rank;                    /* extents named in the source; 0: `T *x`, extent unknown */
    bool outer_unknown;               /* `x[]`, `(*x)[3]`: extents[0] is missing (NULL) */
    ir_region *extents[IR_MAX_RANK];  /* each ends in yield of an i64, slow first; may use earlier params */
    const char *extent_text[IR_MAX_RANK]; /* as written, for messages */
} ir_param;

struct ir_func {
    ir_func *next;
    const char *name;
    ir_func_kind kind;
    const ir_type *result; /* void, scalar, or a struct: then the last parameter is ptr.local (helper), or the
                            * kernel's return op takes a ptr.local to the struct */
    ir_param *params;
    uint32_t param_count;
    ir_region *body;
    ir_place place;
    struct ir_task_info *task; /* IR_TASK only */
    bool shader_only; /* IR_HELPER: no op calls it, but shaders may, in an operation's stead */
};

struct ir_table {
    const ir_table *next;
    const char *name; /* unique in the module */
    const ir_type *type;
    const uint8_t *data; /* type->size bytes, little-endian, padding 0 */
};

/* A struct or enum the generated header must repeat or include: see front/. */
typedef struct ir_header_item {
    const char *text;    /* C text of a struct definition in standard types, or an #include line */
    const char *name;
} ir_header_item;

struct ir_module {
    mem_arena *arena;
    const ir_type *types;
    const ir_table *tables;
    ir_func *funcs, *last_func;
    const char **files;
    uint32_t file_count, file_capacity;
    const ir_header_item *header_items;
    uint32_t header_item_count, header_item_capacity;
    bool fma; /* compiled with --fma: the front has fused; targets need fused hardware */
    bool library; /* no kernels: what a function calls is put into it whatever its size, so that each
                     function stands alone. No part of the text form */
};

ir_module *ir_module_new(mem_arena *arena);
uint32_t ir_file(ir_module *m, const char *path); /* index of the path, added if new */
ir_func *ir_func_new(ir_module *m, ir_func_kind kind, const char *name, const ir_type *result);
/* Adds a parameter (at the end) and its op. The returned pointer holds until the next call. */
ir_param *ir_param_add(ir_module *m, ir_func *f, const char *name, const ir_type *type);
const ir_table *ir_table_new(ir_module *m, const char *name, const ir_type *type, const void *data);
void ir_header_add(ir_module *m, const char *name, const char *lines);
void ir_func_remove(ir_module *m, ir_func *f); /* takes it out of the list; calls of it must be gone */

/* ---- building ------------------------------------------------------------------------------------ */

/* A cursor: ops are added before `before`, or at the end of `region` when it is NULL. */
typedef struct ir_builder {
    ir_module *module;
    ir_func *func;
    ir_region *region;
    ir_op *before;
    ir_place place; /* given to each op made */
} ir_builder;

ir_region *ir_region_new(ir_module *m, ir_op *owner);
ir_op *ir_region_arg(ir_module *m, ir_region *r, const ir_type *type, const char *name);

/* The general form: the op with its inputs and type, inserted at the cursor. */
ir_op *ir_build(ir_builder *b, ir_code code, const ir_type *type, ir_op *const *in, uint32_t in_count);

ir_op *ir_const(ir_builder *b, scalar_type type, uint64_t bits);
ir_op *ir_const_i64(ir_builder *b, int64_t value);
ir_op *ir_unary(ir_builder *b, scalar_op op, ir_op *a);             /* type of a */
ir_op *ir_binary(ir_builder *b, scalar_op op, ir_op *a, ir_op *c);  /* type of a, or bool for comparisons */
ir_op *ir_select(ir_builder *b, ir_op *condition, ir_op *a, ir_op *c);
ir_op *ir_convert(ir_builder *b, scalar_type to, ir_op *a);         /* a itself if it has that type */
ir_op *ir_bitcast(ir_builder *b, scalar_type to, ir_op *a);
ir_op *ir_var(ir_builder *b, const ir_type *type, const char *name);
ir_op *ir_table_ref(ir_builder *b, const ir_table *table);
ir_op *ir_index(ir_builder *b, ir_op *ptr, ir_op *index_i64);
ir_op *ir_offset(ir_builder *b, ir_op *ptr, ir_op *count_i64);
ir_op *ir_field_ref(ir_builder *b, ir_op *ptr, uint32_t field);
ir_op *ir_load(ir_builder *b, ir_op *ptr);
ir_op *ir_store(ir_builder *b, ir_op *ptr, ir_op *value);
ir_op *ir_copy(ir_builder *b, ir_op *to, ir_op *from);
ir_op *ir_call(ir_builder *b, ir_func *f, ir_op *const *in, uint32_t in_count);
ir_op *ir_math_call(ir_builder *b, ir_math math, ir_op *const *in, uint32_t in_count);

/* Structured: the op is inserted with empty regions; move the cursor into them with ir_enter, and
 * back out (after the op) with ir_leave. */
ir_op *ir_if(ir_builder *b, ir_op *condition, const ir_type *type_or_void);
ir_op *ir_loop(ir_builder *b);
ir_op *ir_block(ir_builder *b);
ir_op *ir_switch(ir_builder *b, ir_op *value, const ir_case *cases, uint32_t case_count);
ir_op *ir_task(ir_builder *b, ir_op *const *bounds, uint32_t rank); /* lo, hi, lo, hi ... ; args added */
ir_op *ir_sections(ir_builder *b);
ir_op *ir_section(ir_builder *b);
ir_op *ir_update(ir_builder *b, ir_op *ptr);
void ir_enter(ir_builder *b, ir_op *op, uint32_t region);
void ir_leave(ir_builder *b, ir_op *op);
ir_op *ir_break(ir_builder *b, uint32_t levels);
ir_op *ir_continue(ir_builder *b, uint32_t levels);
ir_op *ir_yield(ir_builder *b, ir_op *value_or_null);
ir_op *ir_return(ir_builder *b, ir_op *value_or_null);

/* Does the region end in an EXIT op (or an op that never falls through)? Nothing may follow it. */
bool ir_region_ended(const ir_region *r);

/* ---- changing ------------------------------------------------------------------------------------ */

void ir_remove(ir_op *op);                              /* unlink; uses must be gone */
void ir_move_before(ir_op *op, ir_region *r, ir_op *before); /* unlink and insert; NULL: at the end */
void ir_replace_uses(ir_func *f, const ir_op *old, ir_op *with); /* walks the function */

typedef struct ir_clone_map ir_clone_map; /* old op -> new op */
ir_clone_map *ir_clone_map_new(ir_module *m);
void ir_clone_map_set(ir_clone_map *map, const ir_op *from, ir_op *to);
ir_op *ir_clone_map_get(const ir_clone_map *map, const ir_op *from); /* NULL if absent */
/* Clones op (with its regions) at the cursor; inputs are mapped where the map knows them, else kept. */
ir_op *ir_clone(ir_builder *b, ir_clone_map *map, const ir_op *op);
void ir_clone_region_into(ir_builder *b, ir_clone_map *map, const ir_region *from);

/* Calls visit for each op of the region and, after it, of the regions below it, in program order. Stops and
 * returns false when visit does. */
bool ir_walk(const ir_region *r, bool (*visit)(ir_op *op, void *user), void *user);
/* The same for a whole function: the regions of its parameters' extents, then its body. */
bool ir_walk_func(const ir_func *f, bool (*visit)(ir_op *op, void *user), void *user);

/* ---- text and checks ------------------------------------------------------------------------------- */

/* Ids from 0, each op its own: the ops that make a value in print order, then the others. Returns how many. */
uint32_t ir_number(ir_func *f);
void ir_print_type(text *out, const ir_type *type);
void ir_print_op(text *out, const ir_op *op); /* one line, without its regions; ids as they stand */
void ir_print_func(text *out, const ir_module *m, ir_func *f);
void ir_print(text *out, ir_module *m);
/* Parses what ir_print prints. On failure SLIP_ERR_FORMAT with "line L: what" in the record. */
slip_status ir_parse(mem_arena *arena, const char *source, ir_module **out) SLIP_MUST_USE;
/* The same without the line `module`: structs, tables and functions are added to m, which is of no use
 * after a failure. A call may be of any helper or kernel of m. */
slip_status ir_parse_into(ir_module *m, const char *source) SLIP_MUST_USE;
/* SLIP_ERR_INTERNAL naming the rule broken, the function and the op as text. */
slip_status ir_verify(ir_module *m) SLIP_MUST_USE;

#endif
