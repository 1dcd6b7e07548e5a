/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - the front's own syntax tree, made from clang's cursors once and read often.
 *
 * A node is small, typed and knows its place. Parentheses, look-through statements and the
 * shapes of kernel.h's macros are gone: a slip_for is one N_TASK. Nothing here emits IR.
 */
#ifndef SLIPWAY_FRONT_TREE_H
#define SLIPWAY_FRONT_TREE_H

#include <clang-c/Index.h>

#include "front/front.h"

typedef struct ftype ftype;
typedef struct node node;
typedef struct fdecl fdecl;
typedef struct front front;

/* ---- types --------------------------------------------------------------------------------- */

typedef enum ftype_kind {
    FT_BAD,
    FT_VOID,
    FT_SCALAR,
    FT_POINTER,
    FT_ARRAY,
    FT_STRUCT,
    FT_FUNC
} ftype_kind;

/* A C type without qualifiers. Arrays are flat: `flat` counts innermost elements. */
struct ftype {
    ftype_kind kind;
    scalar_type scalar; /* FT_SCALAR */
    bool const_elem;    /* FT_POINTER, FT_ARRAY: what it points to, or its elements, are const */
    const ftype *elem;  /* FT_POINTER, FT_ARRAY */
    uint64_t count;     /* FT_ARRAY of constant extent */
    bool runtime; /* FT_ARRAY whose extent, or an inner one, is found at run time (or is unknown) */
    ir_op *flat;  /* FT_ARRAY with runtime, once evaluated: innermost elements in one, i64 */
    ir_op *extent;     /* likewise: elements of `elem` in one; NULL where the extent is unknown */
    const ir_type *ir; /* FT_SCALAR, FT_STRUCT: as is */
    fdecl **fields;    /* FT_STRUCT: in order */
    uint32_t field_count;
    CXCursor record; /* FT_STRUCT: its declaration */
    const char *why; /* FT_BAD: what it is, for the message */
    bool tagless;    /* FT_STRUCT: named by a typedef alone */
};

/* ---- declarations ------------------------------------------------------------------------------
 */

typedef enum fdecl_kind { D_VAR, D_PARAM, D_FUNC, D_FIELD } fdecl_kind;

/* Where a variable's storage is while one function instance is lowered. */
typedef struct binding {
    uint32_t stamp;    /* of the instance; another stamp means unbound */
    uint32_t task;     /* number of the task it was declared in; 0: at kernel level */
    const ftype *type; /* with run-time extents evaluated */
    ir_op *value;      /* a parameter that is never written: its value */
    ir_op *base;       /* storage; for a pointer variable: what it points into */
    ir_op *offset;     /* pointer variable into local memory: its i64 variable */
    ir_op *global;     /* pointer variable to global memory: its ptr.global variable */
    bool in_array;     /* base points to an IR array */
    bool bound;        /* pointer variable: base is known */
    bool predeclared;  /* its storage stands before the switch it is declared in */
    bool shared;       /* pointer into a kernel-level variable, seen from a task */
    const fdecl *into; /* the variable base belongs to, for messages */
    ir_place place;    /* where a pointer variable was bound */
    ir_op *anchor;     /* pointer variable: where its storage is declared */
} binding;

struct fdecl {
    fdecl *next; /* in its hash chain */
    fdecl_kind kind;
    CXCursor cursor;
    const char *name;
    const ftype *type;
    ir_place place;

    /* variables and parameters */
    node *init;
    node **dims; /* extents as written, outermost first; NULL where none is */
    uint32_t dim_count;
    fdecl *func; /* whose parameter or local it is; NULL at file scope */
    bool is_static, is_const, is_out, written;
    uint8_t mark; /* constant evaluation under way or done */
    const ir_table *table;
    bool as_table;      /* a const local whose initialiser is constant: no code is needed for it */
    uint32_t index;     /* parameter, field: its number */
    const ftype *array; /* parameter written as an array: that type; `type` is then the pointer */
    binding bind;

    /* functions */
    fdecl **params;
    uint32_t param_count;
    const ftype *result;
    node *body;
    bool is_kernel, has_task, built, is_builtin;
    fdecl **callees;
    node **call_sites;
    uint32_t callee_count, callee_capacity, site_capacity;
    uint8_t color;   /* cycle search */
    uint64_t writes; /* bit k: writes through pointer parameter k (63: and those above) */
    struct instance *instances;
};

/* ---- nodes
 * ----------------------------------------------------------------------------------------- */

typedef enum node_kind {
    /* expressions */
    N_BAD,
    N_INT,
    N_FLOAT,
    N_STRING,
    N_REF,
    N_MEMBER,
    N_INDEX,
    N_CALL,
    N_UNARY,
    N_BINARY,
    N_ASSIGN,
    N_COMPOUND,
    N_COND,
    N_CAST,
    N_INIT_LIST,
    N_DESIGNATED,
    N_LITERAL,
    /* statements */
    N_BLOCK,
    N_DECL,
    N_IF,
    N_FOR,
    N_WHILE,
    N_DO,
    N_SWITCH,
    N_CASE,
    N_DEFAULT,
    N_BREAK,
    N_CONTINUE,
    N_RETURN,
    N_EMPTY,
    N_TASK,
    N_SECTIONS,
    N_SECTION
} node_kind;

/*
 * kids by kind: MEMBER [object or pointer]; INDEX [pointer, index]; CALL [arguments], decl the
 * function; COND [c, a, b]; DESIGNATED [designators..., value], a designator is an N_REF to a field
 * or an expression; LITERAL [init list]; IF [c, then, else or none]; FOR [init, c, next, body],
 * absent ones NULL; WHILE [c, body]; DO [body, c]; SWITCH [value, body]; CASE [value, statement or
 * none]; DEFAULT [statement or none]; RETURN [value or none]; DECL none, decl the variable; a
 * declaration of several variables is a BLOCK with `bare`. TASK [lo, hi per axis..., body], axes
 * the index variables.
 */
struct node {
    node_kind kind;
    int op; /* CXUnaryOperatorKind, CXBinaryOperatorKind (COMPOUND: the plain operator) */
    const ftype *type;
    fdecl *decl;
    node **kids;
    uint32_t count;
    uint64_t bits;    /* INT, FLOAT: canonical in type->scalar */
    const char *text; /* STRING */
    ir_place place;
    bool implicit;  /* CAST: clang's own */
    bool bare;      /* BLOCK without a scope of its own */
    bool post;      /* UNARY ++ and --: the value is the old one */
    bool arrow;     /* MEMBER of what a pointer points to */
    fdecl *axes[3]; /* TASK */
    uint32_t rank;  /* TASK */
};

/* ---- the state of one compile
 * ------------------------------------------------------------------------- */

enum { DECL_BUCKETS = 512, TYPE_BUCKETS = 256 };

typedef struct type_entry {
    struct type_entry *next;
    CXType clang;
    ftype *type;
} type_entry;

/* Whether a file is one of our own headers: asked for every declaration. */
typedef struct known_file {
    CXFile file;
    bool ours;
} known_file;

struct front {
    mem_arena *arena;
    ir_module *m;
    diag_list *diags;
    CXTranslationUnit tu;
    CXIndex index;
    const char *path, *source;
    const front_options *options;
    CXFile main_file, last_file;
    uint32_t last_index;
    known_file known[64];
    uint32_t known_count;
    bool fma, full;
    fdecl *decls[DECL_BUCKETS];
    type_entry *types[TYPE_BUCKETS];
    fdecl *func; /* whose body is being built */
    uint32_t struct_names, table_names;
    uint32_t stamp, task_count;
    fdecl **kernels;
    uint32_t kernel_count, kernel_capacity;
    struct instance *pending, *last_pending;
    struct struct_name *names;
};

/* An error at a place; the compile goes on. `advice` may be NULL. */
void front_error(front *f, ir_place place, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void front_warn(front *f, ir_place place, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void front_take_diagnostics(front *f); /* clang's, of the file that was parsed */
ir_place front_place(front *f, CXCursor c);
bool front_from_builtin(front *f, CXCursor c); /* stands in one of our own headers */
bool front_builtin_file(front *f, CXFile file);
const char *front_text(front *f, CXString s); /* arena copy; disposes s */

/* types.c, type_text.c */
const ftype *front_type(front *f, CXType t);
const ftype *front_scalar(front *f, scalar_type s);
const ftype *front_pointer(front *f, const ftype *array); /* what an array decays to */
const ftype *ftype_inner(const ftype *t);                 /* below all arrays */
uint64_t ftype_flat(const ftype *t); /* constant arrays: innermost elements in one object */
const ir_type *front_storage(front *f, const ftype *t); /* IR type of an object; arrays flat */
bool ftype_usable(front *f, const ftype *t, ir_place place,
                  const char *what); /* else an error is given */
const char *ftype_text(front *f, const ftype *t);

/* decl.c */
fdecl *front_decl(front *f, CXCursor c);
void front_build(front *f, fdecl *func); /* the body's tree; once */
node **front_dims(front *f, CXCursor c, uint32_t *count);

/* tree.c, tree_expr.c, tree_name.c, tree_for.c */
typedef struct cursors {
    CXCursor *at;
    uint32_t count, capacity;
    mem_arena *arena;
} cursors;
cursors front_kids(front *f, CXCursor c);
node *node_new(front *f, node_kind kind, CXCursor c);
node *node_with(front *f, node_kind kind, CXCursor c, uint32_t count);
node *front_expr(front *f, CXCursor c);
const ftype *front_expr_type(front *f, CXCursor c);
/* The error that `what` cannot stand in a kernel, and a node for it. */
node *front_bad(front *f, CXCursor c, const char *advice, const char *what);
node *front_reference(front *f, CXCursor c);
node *front_member(front *f, CXCursor c);
node *front_subscript(front *f, CXCursor c);
node *front_call(front *f, CXCursor c);
node *front_stmt(front *f, CXCursor c);
node *front_var_decl(front *f, CXCursor c);
node *front_for(front *f, CXCursor c);
const char *front_mark(front *f, CXCursor c); /* "kernel" of annotate("slip.kernel"); NULL: none */
void front_mark_written(node *place);

#endif
