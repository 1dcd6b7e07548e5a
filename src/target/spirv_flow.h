/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_flow.h - what the files of control flow share: open constructs, and looking ahead.
 */
#ifndef SLIPWAY_TARGET_SPIRV_FLOW_H
#define SLIPWAY_TARGET_SPIRV_FLOW_H

#include "target/spirv_emit.h"

/* What a break or continue can leave. */
typedef enum spirv_construct_kind {
    SPIRV_LOOP,   /* branches to `merge` and `next` from anywhere in it but inner loops */
    SPIRV_BLOCK,  /* a switch with one case: branches to `merge`, but from inner ones of any kind */
    SPIRV_SWITCH, /* no level, and nothing leaves it but to its own merge */
    SPIRV_LEVEL   /* a level of the IR that nothing leaves early: no construct of SPIR-V */
} spirv_construct_kind;

typedef struct spirv_exit {
    struct spirv_exit *next;
    struct spirv_construct *to;
    bool to_next; /* continue */
} spirv_exit;

struct spirv_construct {
    struct spirv_construct *up;
    spirv_construct_kind kind;
    const ir_op *op; /* the level it is: a loop or block; NULL for others */
    uint32_t number; /* among the function's, for the code of an exit */
    spirv_id merge, next;
    spirv_id run; /* of a loop: a variable; it is left by its head alone, where this is false */
    bool merge_reached;                  /* by a branch that means to go there */
    struct spirv_construct *continue_to; /* a block around a loop's body whose end is its `next` */
    spirv_exit *pending;                 /* exits that go on from its merge to further ones */
};

/* ---- spirv_ahead.c ---- */

bool spirv_is_within(const ir_op *op, const ir_op *loop);
/* The loop or block that a break or continue means. */
const ir_op *spirv_target_of(const ir_op *op);
/* Does the exit skip anything? Else it goes where its region ends anyway. */
bool spirv_is_early(const ir_op *op, const ir_op *target);
/* Is there an early break out of (continue of) `target`, or out of any block where that is NULL, in
 * the region? */
bool spirv_has_exit(const ir_region *r, const ir_op *target, ir_code code);
/* Can the region be a continue construct: no exit and no loop in it? */
bool spirv_is_simple(const ir_region *r);
/* Can a pass over the loop end it after it has stored to a variable from outside? */
bool spirv_leaves_late(const ir_op *loop);

/* ---- spirv_depth.c ---- */

/* Says that the task needs DEPTH, where it does. */
void spirv_tell_depth(spirv_emit *e);

/* ---- spirv_flow.c ---- */

spirv_construct *spirv_construct_push(spirv_emit *e, spirv_construct_kind kind, const ir_op *op);
/* Takes the construct off and goes on at its merge, where anything gets there. */
void spirv_construct_pop(spirv_emit *e, spirv_construct *c);

/* ---- spirv_switch.c ---- */

void spirv_switch(spirv_emit *e, const ir_op *op);

#endif
