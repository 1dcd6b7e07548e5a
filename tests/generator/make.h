/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make.h - what the parts of the generator share: chance, text, variables in scope, and who may
 * touch what.
 *
 * A *full expression* is made at one `moment`: what it has read it may not change, and what it has
 * changed it may not touch again, so that no operand's effect meets another operand.
 */
#ifndef SLIPWAY_GENERATOR_MAKE_H
#define SLIPWAY_GENERATOR_MAKE_H

#include "generator/gen.h"

enum { MAKE_VARS = 96, MAKE_HELPERS = 6, MAKE_ARGS = 4, MAKE_TABLES = 2, MAKE_ARRAYS = 14 };

typedef struct expr {
    const char *text;
    gen_type type;
} expr;

/* How an index is kept in range. */
typedef struct bound {
    uint32_t mask;      /* length - 1 of a constant power of two; 0: see modulo */
    const char *modulo; /* "(u32)n" */
} bound;

typedef enum use { USE_NONE, USE_READ, USE_WRITE, USE_UPDATE } use;

/* Something with a name: a scalar, a struct, or an array of either. */
typedef struct var {
    char base[48]; /* "x", or "a[i]": what stands before the indices below */
    char name[12];
    gen_type type;
    int record;
    uint32_t rank;
    bound dims[GEN_DIMS];
    bool writable, hidden;
    bool is_array; /* a helper may take it: base is an array of `length` scalars */
    bool is_sized; /* sizeof gives the bytes of all of it */
    uint32_t length;
    bool in_kernel;     /* lives at kernel level: tasks see it by `use` */
    bool is_index;      /* of a loop or task: never written */
    use use;            /* in the current task */
    const char *update; /* USE_UPDATE: "+", "*", "^", "|", "&", "min", "max" */
    uint64_t read_at, written_at, kept_at;
} var;

typedef enum helper_kind { HELP_VALUE, HELP_READ, HELP_WRITE, HELP_RECORD } helper_kind;

typedef struct helper {
    char name[40];
    helper_kind kind;
    gen_type result, array; /* array: of the pointer's elements */
    int record;
    uint32_t length; /* elements that the pointer must have */
    gen_type args[MAKE_ARGS];
    uint32_t arg_count;
    uint32_t cost;
} helper;

typedef struct table {
    char name[40];
    gen_type type;
    uint32_t length;
} table;

/* An array at kernel level whose extents are known at run time: tasks see an element of their own,
 * or read any. */
typedef struct array {
    char name[12];
    gen_type type;
    int record;
    uint32_t rank;
    gen_size sizes[GEN_DIMS];
    uint32_t constants[GEN_DIMS];
    bool is_const, blocked;
} array;

typedef enum level { LEVEL_HELPER, LEVEL_TASK, LEVEL_KERNEL } level;

typedef struct maker {
    gen_program *p;
    uint64_t random;
    char *out;
    size_t bytes, capacity;
    uint32_t depth;       /* of indentation */
    struct chunk *chunks; /* texts of expressions */
    var vars[MAKE_VARS];
    uint32_t var_count;
    helper helpers[MAKE_HELPERS];
    uint32_t helper_count;
    table tables[MAKE_TABLES];
    uint32_t table_count;
    uint32_t block_start; /* variables from here on were declared in the innermost block */
    uint32_t names;       /* given out so far */
    uint64_t moment;
    int pure;    /* > 0: expressions without effects */
    int nesting; /* of indices in indices */
    level level;
    uint32_t weight, spent; /* passes of the innermost loop an iteration; work so far */
    int loops, switches;    /* around here, in this function or task */
    bool may_return;
    gen_type returns;
    int returns_record; /* when may_return */
    gen_type favourites[3];
    array arrays[MAKE_ARRAYS];
    uint32_t array_count;
    gen_type size_type;   /* of n */
    bool has_sizes2;      /* h and w */
    char task_helper[40]; /* a helper that holds a task over an array like task_array; "" if none */
    uint32_t task_array;
    gen_type task_arg;
    bool in_sections;
} maker;

/* chance.c: chance and text */
uint32_t pick(maker *m, uint32_t below);
bool chance(maker *m, uint32_t percent);
const char *format(maker *m, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void line(maker *m, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void maker_finish(maker *m);
#define COUNT(m, what) ((m)->p->counts.what++)

/* types.c */
gen_type any_type(maker *m);
gen_type any_integer(maker *m);
gen_type favourite(maker *m);
bool is_integer(gen_type type); /* bool is not */
bool is_float(gen_type type);
gen_type promoted(gen_type type);
gen_type common(gen_type a, gen_type b);
const char *literal(maker *m, gen_type type);
void make_records(maker *m);
const char *type_text(const maker *m, gen_type type, int record);

/* vars.c */
var *var_new(maker *m, gen_type type, int record);
uint32_t scope_open(const maker *m);
void scope_close(maker *m, uint32_t mark);
/* A new full expression begins. */
void moment_begin(maker *m);
/* A place in the variable: an element, a member. *type is its scalar type. Marks it read or kept.
 */
const char *place_in(maker *m, var *v, gen_type *type);
bool may_read(const maker *m, const var *v);
bool may_write(const maker *m, const var *v);
/* One of those that `fits` by chance; NULL if none. */
var *var_pick(maker *m, bool (*fits)(const maker *m, const var *v));

/* exprs.c */
expr make_expr(maker *m, int depth);
expr make_integer(maker *m, int depth);
expr make_condition(maker *m, int depth);
/* Text of an expression that may be assigned to, passed as, or returned as `type`. */
const char *make_as(maker *m, gen_type type, int depth);
const char *as_type(maker *m, expr e, gen_type type);
const char *make_record(maker *m, int record, int depth);

/* writes.c */
void write_place(maker *m, var *v);
/* From here on the task only updates it, with one operator; then each update. */
void claim_update(maker *m, var *v);
void write_update(maker *m, var *v);

/* decls.c */
void declare(maker *m); /* anything */
void declare_array(maker *m);
void declare_some(maker *m);

/* stmts.c */
void make_statements(maker *m, uint32_t count, int depth);

/* helpers.c */
void make_tables(maker *m);
void make_helpers(maker *m);
void make_task_helper(maker *m);
const char *call_helper(maker *m, helper_kind kind, int depth, const helper **out);

/* tasks.c */
/* A task over some sizes; what it does is by chance. */
void make_task(maker *m);
/* A task that writes all of the array. */
void make_fill(maker *m, const array *a);
/* A task over n that computes every element of one array from any of another. */
void make_step(maker *m, array *from, array *to);

/* kernels.c */
void make_kernel(maker *m);

/* programs.c */
const char *parameters_text(maker *m);
const char *extents_text(maker *m, const gen_param *p); /* "[n][4]" */
/* An array of constant extent: a variable of the kernel, where the others are the tasks'. */
bool param_is_fixed(const gen_param *p);

#endif
