/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.h - a plan with its nesting turned into jumps, as launchers perform it.
 *
 * Control is common to the families; each adds kinds of its own from FLOW_KIND_COUNT on.
 */
#ifndef SLIPWAY_LAUNCH_FLOW_H
#define SLIPWAY_LAUNCH_FLOW_H

#include <string.h>

#include "base/fail.h"
#include "launch/program.h"
#include "plan/plan.h"

typedef enum flow_kind {
    FLOW_EVAL,         /* instructions a .. a + b - 1 */
    FLOW_JUMP,         /* to op `to` */
    FLOW_JUMP_IF_ZERO, /* if slot a is 0 */
    FLOW_JUMP_IF_CELL, /* device loop b has ended a pass: again unless the i32 cell at byte a is 0
                        */
    FLOW_JUMP_IF_SEEN, /* the same, where the plan has no wait for the cell */
    FLOW_END,
    FLOW_NOTHING, /* what a step becomes that has no part in the performing; in no list */
    FLOW_KIND_COUNT
} flow_kind;

typedef struct flow_op {
    uint32_t kind;
    uint32_t a, b;
    uint32_t to;
    uint32_t lane; /* of the step */
} flow_op;

/* A device loop as it is performed. The host looks at its condition after 1, 2, 4 ... passes: those
 * past the last change nothing. */
typedef struct flow_loop {
    uint32_t passes, batch; /* queued since the host looked; to queue until it looks again */
} flow_loop;

enum { FLOW_MOST_PASSES = 64 }; /* between two looks */

static inline flow_loop flow_loop_begin(void)
{
    return (flow_loop){ 0, 1 };
}

/* A pass has been queued: does the host look now? */
static inline bool flow_loop_passed(flow_loop *loop)
{
    return ++loop->passes >= loop->batch;
}

/* The host has looked; the loop goes on or is over. */
static inline void flow_loop_looked(flow_loop *loop, bool goes_on)
{
    loop->passes = 0;
    if (!goes_on)
        loop->batch = 1;
    else if (loop->batch < FLOW_MOST_PASSES)
        loop->batch *= 2;
}

/* What a family makes of a step that is no control: at most one op; out->kind is FLOW_NOTHING
 * where there is none. INTERNAL where the family has no use for the step. */
typedef slip_status (*flow_lower)(const plan_step *step, flow_op *out);

/* An op of the family's own. */
typedef slip_status (*flow_step)(void *user, const flow_op *op);
/* The host sees the i32 cell that a device loop goes on by; *out is good until the next look. */
typedef slip_status (*flow_look)(void *user, const flow_op *op, const uint8_t **out);

/* A pass of a device loop is over. */
static inline slip_status flow_pass(const flow_op *op, flow_loop *loop, flow_look look, void *user,
                                    bool *out_again)
{
    const uint8_t *cell = NULL;
    int32_t condition;

    *out_again = true;
    if (loop && !flow_loop_passed(loop))
        return SLIP_OK;
    SLIP_TRY(look(user, op, &cell));
    memcpy(&condition, cell, sizeof condition);
    *out_again = condition != 0;
    if (loop)
        flow_loop_looked(loop, *out_again);
    return SLIP_OK;
}

/*
 * Performs ops from the first to FLOW_END. `loops` are the state of its device loops, begun; NULL:
 * the host looks after each pass. Inline, so that a family's functions can be too: a repeated call
 * passes here.
 */
static inline slip_status flow_run(const flow_op *ops, const program_state *program,
                                   flow_loop *loops, flow_step step, flow_look look, void *user)
{
    const flow_op *op = ops;

    while (op->kind != FLOW_END) {
        bool jumps = op->kind == FLOW_JUMP;
        if (op->kind == FLOW_JUMP_IF_ZERO)
            jumps = program->slots[op->a] == 0;
        else if (op->kind == FLOW_JUMP_IF_CELL || op->kind == FLOW_JUMP_IF_SEEN)
            SLIP_TRY(flow_pass(op, loops ? &loops[op->b] : NULL, look, user, &jumps));
        else if (op->kind == FLOW_EVAL)
            SLIP_TRY(program_eval(program, op->a, op->b));
        else if (op->kind != FLOW_JUMP)
            SLIP_TRY(step(user, op));
        op = jumps ? ops + op->to : op + 1;
    }
    return SLIP_OK;
}

/* One block from mem_new, ended by FLOW_END. *out_loops is the number of device loops. */
slip_status flow_make(const plan *p, const mod_entry *entry, flow_lower lower, flow_op **out,
                      uint32_t *out_loops) SLIP_MUST_USE;

#endif
