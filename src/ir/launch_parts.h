/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_parts.h - the state that the files of the launch pass share; for launch_*.c and
 * pass_launch.c only.
 *
 * One kernel at a time: prepare rewrites what has a simpler form, classify decides which values the
 * host computes and which control flow it follows, need marks what gets a slot, nodes walks the
 * kernel once and writes program and pending tasks, and tasks turns the latter into functions.
 * Cells are named by number until the end, when their bytes are known.
 */
#ifndef SLIPWAY_IR_LAUNCH_PARTS_H
#define SLIPWAY_IR_LAUNCH_PARTS_H

#include "ir/launch.h"

/* Who follows a control structure: the host, the device by predicate cells, or a serial task that
 * holds all of it. */
typedef enum launch_decision { LAUNCH_BY_HOST, LAUNCH_BY_DEVICE, LAUNCH_SERIAL } launch_decision;

typedef struct launch_use {
    struct launch_use *next;
    ir_op *op;
} launch_use;

/* Conditions under which a value is used at all: an exact one may not fit where they do not hold.
 */
typedef struct launch_guard {
    const struct launch_guard *up;
    ir_op *condition;
    bool wanted;
} launch_guard;

/* What is known of an op of the kernel; by number. */
typedef struct launch_fact {
    bool device;   /* value: only the device knows it. var: it lives in a cell */
    bool needed;   /* launch value: it gets a slot */
    bool exact;    /* computed with overflow detected; `text` is the expression */
    bool has_task; /* structure: a task or sections stands in it */
    bool effects;  /* structure: device work stands in it, outside tasks */
    bool escapes;  /* structure: an exit in it leaves it, at kernel level */
    bool breaks;   /* loop, block: the device decides when it is left */
    bool cut;      /* loop: the device decides when a pass of its body ends */
    uint32_t
        cut_at; /* number of the first continue that may end it: what stands before always runs */
    bool local; /* var: alive in one serial task only */
    launch_decision decided; /* structure */
    uint32_t slot;           /* MOD_NONE: none yet */
    uint32_t cell;           /* number of its cell; MOD_NONE */
    uint32_t pending;        /* the task it went into; MOD_NONE */
    uint32_t user; /* device var: the one pending task that uses it, plus 1; 0: none, MOD_NONE:
                      several */
    ir_op *task;   /* the task op it stands in; NULL at kernel level */
    const char *text;
    const launch_guard *guard; /* exact: of its only use */
    launch_use *uses; /* var: ops that have it, or a place in it, as an input; latest first */
    uint32_t scratch; /* scratch: its number */
} launch_fact;

typedef struct launch_cell {
    const ir_type *type;
    const char *name;
    uint64_t offset; /* known at the end */
} launch_cell;

/* A way out of a MOD_LOOP to something further out: `slot` is 1, and 0 while it is being taken. */
typedef struct launch_way {
    struct launch_way *next;
    ir_code code;
    const ir_op *target;
    uint32_t slot;
} launch_way;

/* Structures around the cursor while nodes are written; kept by pending tasks for their exits. */
typedef struct launch_frame {
    const struct launch_frame *up;
    const ir_op *op; /* if, loop, block */
    uint32_t cell;  /* 0 after a device exit: if, predicate of this side; loop, block, of the whole.
                       MOD_NONE */
    uint32_t pass;  /* loop: predicate of this pass of the body; MOD_NONE */
    bool host_loop; /* a MOD_LOOP stands for it */
    launch_way *ways; /* host_loop */
    struct launch_jumps *jumps;
} launch_frame;

/* MOD_CONTINUE nodes to be pointed at the step part of their loop. */
typedef struct launch_jumps {
    uint32_t *nodes;
    uint32_t count, capacity;
} launch_jumps;

typedef enum launch_item_kind {
    LAUNCH_OP,     /* clone `op` */
    LAUNCH_BRANCH, /* cells `cell` and `other` = condition of if `op`, and its opposite; both 0
                    * where the predicate is */
    LAUNCH_SET,    /* cell = 1; 0 where the predicate is */
    LAUNCH_EXIT,   /* `op` is break, continue or return: clears the cells between */
    LAUNCH_RESULT  /* the kernel's result = what return `op` gives */
} launch_item_kind;

typedef struct launch_item {
    launch_item_kind kind;
    ir_op *op;
    uint32_t cell, other;
} launch_item;

/* A task to be: either a task op, or a run of serial items. */
typedef struct launch_pending {
    ir_op *task;     /* NULL: serial */
    uint32_t number; /* among the kernel's tasks */
    bool is_part;    /* serial: what the `finish` of a task runs */
    /* task: pending ones that its `finish` runs, plus 1; 0: none */
    uint32_t parts[IR_FINISH_CALLS];
    launch_item *items;
    uint32_t item_count, item_capacity;
    const ir_region *home; /* serial: where its ops stood */
    uint32_t predicate;    /* cell; MOD_NONE */
    bool inner_predicate;  /* tested by the body, which must clear cells when it is 0 */
    const launch_frame *frames;
    ir_place place;
    uint32_t axis_cells[2 * MOD_MAX_AXES]; /* cell of a device bound; MOD_NONE */
    mod_reduce *reduces;
    uint32_t reduce_count, reduce_capacity;
} launch_pending;

enum { LAUNCH_MAX_REDUCES = 64 };

typedef struct launch {
    ir_module *m;
    mem_arena *arena;
    diag_list *diags;
    uint32_t entry_index;
    ir_func *kernel;
    launch_fact *facts;
    uint32_t fact_count;
    bool returns_early; /* a return that the device decides */
    uint32_t alive;     /* its cell */

    mod_instr *instrs;
    uint32_t instr_count, instr_capacity;
    mod_node *nodes;
    uint32_t node_count, node_capacity;
    bool eval_open;     /* the last node is an EVAL that ends at instr_count */
    uint32_t stores_at; /* the last EVAL node that assigns a launch variable, plus 1 */
    mod_const *consts;
    uint32_t const_count, const_capacity;
    mod_scratch *scratch;
    uint32_t scratch_count, scratch_capacity;
    launch_pending *pending;
    uint32_t pending_count, pending_capacity;
    launch_pending run; /* serial ops not yet queued */
    launch_cell *cells;
    uint32_t cell_count, cell_capacity;
    const ir_type *cells_type;
    uint32_t slot_count, cells_slot;
    uint32_t result_cell;

    /* of the whole module */
    mod_task *tasks;
    uint32_t task_count; /* of this kernel */
    uint32_t symbol_count;
    text *data;
    const ir_table **data_tables;
    uint32_t *data_offsets;
    uint32_t data_table_count, data_table_capacity, data_offset_capacity;
} launch;

static inline launch_fact *launch_fact_of(const launch *l, const ir_op *op)
{
    return &l->facts[op->id];
}

/* ---- launch_prepare.c ---- */
/* Turns kernel-level switches into ifs, and kernel-level updates into plain code; splits structs.
 */
void launch_prepare(ir_module *m, ir_func *kernel);
void launch_split(ir_module *m, ir_func *kernel); /* launch_split.c */

/* ---- launch_classify.c ---- */
void launch_classify(launch *l);

/* ---- launch_uses.c ---- */
void launch_find_uses(launch *l);
bool launch_is_exit(const ir_op *op); /* break, continue, return */
ir_op *launch_root(ir_op *ptr); /* the op a place is computed from */
bool launch_is_place(const ir_op *op);
bool launch_is_structure(const ir_op *op);
/* The loop, block or NULL (the function) that an exit at kernel level goes to. */
ir_op *launch_target(const ir_op *exit);
bool launch_within(const ir_op *op, const ir_region *r); /* does op stand in r, at any depth? */

/* ---- launch_shared.c ---- */
/* LANGUAGE rules 2 and 7 on kernel-level variables in tasks and sections. */
void launch_check_shared(launch *l);

/* ---- launch_reduction.c ---- */
/* The operator of an update and the value that it folds in; false: no reduction. */
typedef struct launch_reduction {
    scalar_op op;
    scalar_type type;
    ir_op *value;  /* inside the update's region or before it; not yet converted to `type` */
    ir_op *factor; /* the value is value * factor; or NULL */
    bool negate;
    bool lowest;              /* of the value only the lowest bit */
    const char *why, *advice; /* when it is none */
} launch_reduction;
bool launch_reduction_of(const ir_op *update, launch_reduction *out);
bool launch_is_update(const ir_op *op);
bool launch_is_reduced(const launch *l, const ir_op *update); /* a reduction of its task */

/* ---- launch_need.c ---- */
void launch_need(launch *l);
/* Does a store stand in a region of the op? */
bool launch_stores_within(const ir_op *op);
/* Marks what an extent in the signature is made of; there an if is evaluated on both sides. */
void launch_need_extent(launch *l, ir_op *value, const char *written);
bool launch_captured_place(const ir_op *op); /* made again inside a task, from captured inputs */
const char *launch_expression(launch *l, const ir_op *op); /* as C text */
void launch_expression_add(text *out, const ir_op *op, int depth);

/* ---- launch_eval.c ---- */
uint32_t launch_slot_new(launch *l);
uint32_t launch_const_slot(launch *l, uint64_t bits);
uint32_t launch_slot(launch *l, const ir_op *op); /* of a launch value; makes constants */
void launch_eval_op(launch *l, ir_op *op);        /* instructions for one needed op */
void launch_move(launch *l, uint32_t dst, uint32_t a, ir_place place);
void launch_eval_extents(launch *l, mod_param *params);
/* Byte offset of a place with constant path in a by-value struct. */
bool launch_constant_path(const ir_op *ptr, const ir_op *root, uint64_t *out);

/* ---- launch_nodes.c ---- */
void launch_nodes(launch *l);
uint32_t launch_node_begin(launch *l, mod_node_kind kind, ir_place place);
void launch_node_end(launch *l, uint32_t node);
void launch_open_eval(launch *l, ir_place place); /* instructions go to a node that runs here */
void launch_close_eval(launch *l); /* up to the last instruction so far */
void launch_region(launch *l, const ir_region *r, uint32_t predicate, const launch_frame *frames);
void launch_flush(launch *l);
void launch_run_add(launch *l, launch_item item, uint32_t predicate, const launch_frame *frames,
                    const ir_op *at);
bool launch_is_bound_load(const launch *l,
                          const ir_op *op); /* a task reads the variable's cell itself */

/* ---- launch_scratch.c ---- */
void launch_take(launch *l, ir_op *scratch);

/* ---- launch_finish.c ---- */
/* The number of the task queued last, if its `finish` can go on with this run; MOD_NONE. */
uint32_t launch_task_before(launch *l, const launch_pending *run);
/* Can the `finish` of this task begin with the run before it, which is not queued? */
bool launch_is_head(launch *l, const launch_pending *run, const launch_pending *task);

/* ---- launch_flow.c: control structures and exits ---- */
void launch_structure(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames);
void launch_exit(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames);
bool launch_exit_by_device(const launch *l, const ir_op *op);

/* ---- launch_cells.c ---- */
uint32_t launch_cell_new(launch *l, const ir_type *type, const char *name);
uint32_t launch_cell_of(launch *l, ir_op *op); /* of a device variable or a device value */
void launch_find_cells(launch *l);             /* which variables and values need one */
void launch_place_cells(launch *l);            /* gives each its bytes, makes cells_type */
uint32_t launch_cell_byte(const launch *l, uint32_t cell);

/* ---- launch_tasks.c, launch_clone.c ---- */
void launch_tasks(launch *l);

/* A task function being filled. */
typedef struct launch_body {
    launch *l;
    launch_pending *pending;
    uint32_t index;
    ir_func *func;
    ir_builder b;    /* where the body grows */
    ir_builder head; /* what is taken in stands before the body */
    ir_clone_map *map;
    uint32_t depth; /* loops and blocks of the kernel that are being cloned */
    mod_task *task;
    mod_arg *args;
    uint32_t arg_count, arg_capacity;
    const ir_type **arg_types;
    uint32_t type_capacity;
    ir_func *part; /* being filled instead of the body: a helper with parameters of its own */
    uint32_t *part_args, part_arg_capacity;
    ir_pointer_info *pointers; /* per parameter */
    uint32_t pointer_capacity;
    ir_task_info *info;
} launch_body;

/* launch_capture.c: what a task takes in */
ir_op *launch_cell_place(launch_body *t, uint32_t cell);
ir_op *launch_arg_slot(launch_body *t, uint32_t slot, const ir_type *type, const char *name,
                       const ir_pointer_info *pointer);
ir_op *launch_capture(launch_body *t, ir_op *value); /* the task's own op for it */
ir_op *launch_capture_load(launch_body *t,
                           ir_op *load); /* of a variable; NULL: load where it stands */
/* launch_clone.c */
void launch_clone_op(launch_body *t, ir_op *op);
void launch_clone_region(launch_body *t, const ir_region *from);
void launch_clear_cells(launch_body *t, ir_code code, uint32_t levels);
void launch_give_result(launch_body *t, const ir_op *exit);

/* ---- launch_variables.c ---- */
/* Names, kinds and places of the kernel's variables; after their cells and slots are known. */
void launch_list_variables(launch *l, mod_entry *e);

/* ---- launch_bases.c ---- */
/* The arrays that a captured global pointer may lie in. */
void launch_bases(launch *l, ir_op *pointer, ir_pointer_info *out);

/* ---- pass_launch.c ---- */
void launch_error(launch *l, ir_place place, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void launch_warn(launch *l, ir_place place, const char *advice, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
mod_place launch_place_of(ir_place place);

#endif
