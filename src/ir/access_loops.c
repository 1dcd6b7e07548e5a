/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_loops.c - the range of a counting loop's variable.
 *
 *     store %i, 0;  loop { %v = load %i; if not lt %v, B { break } ... } next { store %i, load %i +
 * 1 }
 *
 * A load in the loop's body after the test then lies in 0 .. B - 1. Anything else has no known
 * range.
 */
#include "ir/access.h"

typedef struct stores {
    const ir_op *var;
    const ir_op *start, *step; /* the two stores */
    bool other;
} stores;

static bool find_store(ir_op *op, void *user)
{
    stores *s = user;

    for (uint32_t i = 0; i < op->in_count; i++) {
        if (op->in[i] != s->var || op->code == IR_load)
            continue;
        if (op->code != IR_store || i != 0)
            s->other = true;
        else if (op->in[1]->code == IR_const && (int64_t)op->in[1]->bits >= 0 && !s->start)
            s->start = op;
        else if (!s->step)
            s->step = op;
        else
            s->other = true;
    }
    return true;
}

static bool is_step(const ir_op *value, const ir_op *var)
{
    return value->code == IR_add && value->in[0]->code == IR_load && value->in[0]->in[0] == var &&
           value->in[1]->code == IR_const && value->in[1]->bits == 1;
}

static bool within(const ir_op *op, const ir_region *r)
{
    const ir_region *at = op->parent;

    while (at && at != r)
        at = at->owner ? at->owner->parent : NULL;
    return at != NULL;
}

/* The bound of `if (!(var < bound)) break` at the head of the loop's body. */
static const ir_op *tested_bound(const ir_region *body, const ir_op *var)
{
    const ir_op *op = body->first;

    while (op && op->code != IR_if && !(ir_codes[op->code].flags & IR_WRITES))
        op = op->next;
    if (!op || op->code != IR_if || !op->regions[0]->first ||
        op->regions[0]->first->code != IR_break || op->regions[0]->first->levels != 1)
        return NULL;
    const ir_op *c = op->in[0];
    if (c->code != IR_not || c->in[0]->code != IR_lt)
        return NULL;
    const ir_op *left = c->in[0]->in[0];
    return left->code == IR_load && left->in[0] == var ? c->in[0]->in[1] : NULL;
}

/* Of a minimum either side will do; a constant is the more useful. */
static access_product bound_product(const access_task *t, const ir_op *bound, int depth)
{
    while (bound->code == IR_convert)
        bound = bound->in[0];
    if (bound->code != IR_min || depth == 0)
        return access_value_product(t, bound);
    access_product a = bound_product(t, bound->in[0], depth - 1);
    access_product b = bound_product(t, bound->in[1], depth - 1);
    return b.factor && (b.count == 0 || !a.factor) ? b : a;
}

access_product access_loop_bound(const access_task *t, const ir_op *load)
{
    access_product none = { 0 };

    if (load->code != IR_load || load->in[0]->code != IR_var)
        return none;
    stores s = { .var = load->in[0] };
    ir_walk(t->func->body, find_store, &s);
    if (s.other || !s.start || !s.step || !is_step(s.step->in[1], s.var) || !s.step->parent->owner)
        return none;
    const ir_op *loop = s.step->parent->owner;
    if (loop->code != IR_loop || s.step->parent != loop->regions[1] ||
        !within(load, loop->regions[0]) || within(s.start, loop->regions[0]))
        return none;
    const ir_op *bound = tested_bound(loop->regions[0], s.var);
    return bound ? bound_product(t, bound, 4) : none;
}
