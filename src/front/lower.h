/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower.h - from the tree to IR: the state of one function instance, and who lowers what.
 *
 * Operands are evaluated left to right. An error gives a diagnostic and a value of the right
 * type, so that lowering goes on and all errors are seen; the module is of no use then.
 */
#ifndef SLIPWAY_FRONT_LOWER_H
#define SLIPWAY_FRONT_LOWER_H

#include "front/tree.h"

/* What a pointer parameter points to in one instance. */
typedef enum pointee { TO_GLOBAL, TO_LOCAL, TO_SHARED, TO_PARAM, TO_TABLE } pointee;

/* One function as it is called with one choice of spaces for its pointer parameters. */
typedef struct instance {
    struct instance *next; /* of the same function */
    struct instance *next_pending;
    fdecl *decl;
    const uint8_t *spaces; /* pointee per parameter */
    bool entry;            /* a kernel as an entry point */
    ir_func *func;
} instance;

/* What break and continue meet on their way out. */
typedef enum frame_kind {
    FRAME_LOOP,
    FRAME_BLOCK,
    FRAME_SWITCH,
    FRAME_TASK,
    FRAME_SECTION
} frame_kind;

typedef struct frame {
    struct frame *up;
    frame_kind kind;
    bool level; /* counts as a level of the IR */
    bool last;  /* SWITCH without a block: break may only stand last, and is left out */
} frame;

/* An object, or what a pointer points to: `offset` elements behind `base`. */
typedef struct spot {
    const ftype *type; /* of the object; run-time extents evaluated */
    ir_op *base;
    ir_op *offset;     /* i64, in innermost elements; NULL: 0 */
    bool in_array;     /* base points to an IR array, whose elements are counted */
    bool shared;       /* in a kernel-level variable, seen from inside a task */
    const fdecl *into; /* the variable it is in, if one is known */
} spot;

typedef struct lower {
    front *f;
    ir_builder b;
    instance *inst;
    frame *frames;
    uint32_t task; /* 0 outside tasks, else its number */
    uint32_t section;
    bool kernel_level; /* the function holds tasks: its arrays are scratch */
    bool f64_warned;
    uint64_t local_bytes;
    ir_op *result; /* struct result: where it goes */
} lower;

/* C's binary operators as scalar ops: a > b is b < a. */
typedef struct operator_row {
    int clang; /* CXBinaryOperatorKind */
    scalar_op op;
    bool swapped;
} operator_row;

const operator_row *front_operator(int clang); /* constant.c; NULL: not one */

/* lower.c */
void lower_pending(front *f);
instance *lower_instance(front *f, fdecl *func, const uint8_t *spaces, bool entry);
const ftype *lower_runtime_type(lower *l, const ftype *t, node **dims, uint32_t count);
ir_op *lower_flat(lower *l, const ftype *t); /* innermost elements in one object, i64 */

/* lower_value.c */
ir_op *lower_value(lower *l, node *n);     /* a scalar; anything of the right type after an error */
void lower_effect(lower *l, node *n);      /* for its effects alone */
ir_op *lower_index(lower *l, node *n);     /* i64 */
ir_op *lower_convert(lower *l, scalar_type to, ir_op *a);
ir_op *lower_binary(lower *l, scalar_op op, ir_op *a, ir_op *b);
ir_op *lower_unary(lower *l, scalar_op op, ir_op *a);
/* Tells that the expression at hand is not understood, unless an error stands: without one code
 * would be made of what stands for a value or place. */
void lower_need_error(lower *l);
ir_op *lower_undef(lower *l, const ftype *t); /* needs an error too, as does lower_bad_place */
ir_op *lower_arith(lower *l, int op, ir_op *a,
                   ir_op *b); /* CXBinaryOperatorKind; operands of C's common type */
bool lower_is_const(const ir_op *op, uint64_t bits);

/* lower_condition.c */
ir_op *lower_condition(lower *l, node *n); /* bool */
bool lower_is_condition(const node *n);    /* a comparison, && or || */
bool lower_cheap(const node *n);           /* may be computed without being asked for */

/* lower_fuse.c: rule 1's --fma and rule 21's narrowing */
ir_op *lower_fused(lower *l, node *n);    /* NULL: not that shape */
ir_op *lower_narrowed(lower *l, node *n); /* a cast to f32; NULL: not that shape */
bool fuse_factor(const node *n, scalar_type s, const node **mul, bool *negated);
bool narrow_exact(const node *n);       /* an f64 expression that is an f32 value */
ir_op *narrow_value(lower *l, node *n); /* the same as f32 */

/* lower_place.c */
spot lower_place(lower *l, node *n);    /* lvalues, and rvalues of struct type */
ir_op *lower_address(lower *l, spot p); /* IR pointer to the innermost element */
spot lower_temp(lower *l, const ftype *t, const char *name);
spot lower_variable(lower *l, fdecl *d, ir_place at);
ir_op *lower_load(lower *l, spot p);
void lower_store(lower *l, spot p, ir_op *value);
void lower_copy(lower *l, spot to, spot from);
bool lower_updates(const spot *p); /* memory that other iterations may touch */
spot lower_field(lower *l, spot object, const fdecl *field);
spot lower_element(lower *l, spot array, ir_op *index_i64); /* of an array object */

spot lower_advanced(lower *l, spot p, const ftype *type, ir_op *index_i64); /* index-th behind p */
spot lower_bad_place(lower *l, const ftype *t); /* stands for one that was refused */

/* lower_pointer_value.c */
spot lower_pointer(lower *l, node *n); /* of pointer type: what it points to */

/* lower_pointer.c */
void lower_point(lower *l, fdecl *d, spot to, ir_place at); /* assigns a pointer variable */
void lower_declare_pointer(lower *l, fdecl *d);
spot lower_pointed(lower *l, fdecl *d, ir_place at);
ir_op *lower_pointer_compare(lower *l, node *n);
ir_op *lower_pointer_difference(lower *l, node *n);
bool lower_is_null(const node *n);

/* lower_write.c */
ir_op *lower_assign(lower *l, node *n, bool wanted);
spot lower_struct_assign(lower *l, node *n); /* gives the object assigned */
ir_op *lower_compound(lower *l, node *n, bool wanted);
ir_op *lower_step(lower *l, node *n, bool wanted); /* ++ and -- */

/* lower_call.c, lower_builtin.c, lower_memory.c */
ir_op *lower_call(lower *l, node *n, spot *result); /* struct results go to *result */
ir_op *lower_builtin(lower *l, node *n);
void lower_memcpy(lower *l, node *n);
void lower_memset(lower *l, node *n);
bool builtin_constant(const node *n, uint64_t *out); /* INFINITY, NAN */

/* lower_decl.c, init.c, constant.c */
void lower_decl(lower *l, node *n);
void lower_predeclare(lower *l, fdecl *d);
void lower_init(lower *l, spot to, node *init);
typedef struct init_step {
    const fdecl *field; /* or, where NULL, */
    uint64_t index;     /* flat element */
} init_step;
typedef void init_leaf(void *user, const init_step *path, uint32_t depth, const ftype *type,
                       node *value);
uint64_t init_walk(front *f, const ftype *type, node *list, init_leaf *leaf,
                   void *user); /* leaves met */
bool constant_value(front *f, const node *n, scalar_type as,
                    uint64_t *out);                  /* false: not constant; silent */
const ir_table *constant_table(front *f, fdecl *d);  /* NULL after an error */
bool constant_initialiser(front *f, const fdecl *d); /* a list of constants alone */
bool lower_is_table(const fdecl *d);

/* lower_stmt.c, lower_switch.c, lower_task.c */
void lower_stmt(lower *l, node *n);
void lower_switch(lower *l, node *n);
void lower_task(lower *l, node *n);
void lower_sections(lower *l, node *n);
void lower_break(lower *l, node *n, bool is_continue);

/* reach.c, order.c, check.c, header.c, kernel.c */
bool front_reach(front *f); /* trees, cycles, bodies; false after an error */
void front_check_order(front *f, fdecl *func);
void front_header_items(front *f, fdecl *kernel);
void lower_kernel_params(lower *l);
void front_check_pragmas(front *f);
void front_check_task_calls(front *f, const node *body);
CXTranslationUnit
front_parse_detailed(front *f); /* the same file again, with what #if leaves out; NULL: no memory */

#endif
