/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_depth.c - how deep a task's control flow is, as a driver may count that knows no branches.
 *
 * Such a driver nests: what follows `if (a) return;` lies in an else of it, and calls are put in
 * line. SPIR-V's limit is 1,023 constructs (1.5, 2.17); Mesa's llvmpipe forgets what lies deeper
 * than 80 (gallivm, LP_MAX_TGSI_NESTING), without a word. MOD_NEED_DEPTH is for more than
 * MOD_SHADER_DEPTH levels: what is left covers what the emitter adds.
 */
#include "target/spirv_flow.h"

typedef struct known_depth {
    struct known_depth *next;
    const ir_func *func;
    uint32_t most;
} known_depth;

typedef struct depths {
    spirv_emit *e;
    bool tells; /* of the task itself, not of what it calls */
    known_depth *known;
} depths;

typedef struct leaving {
    const ir_op *op;
    bool found;
} leaving;

/* Can control come to the region's end? */
static bool is_end_reached(const ir_region *r)
{
    const ir_op *last = r->last;

    if (!last || last->code == IR_yield)
        return true;
    if (last->code != IR_if)
        return !(ir_codes[last->code].flags & IR_EXIT);
    return is_end_reached(last->regions[0]) || is_end_reached(last->regions[1]);
}

/* A break that is a branch to its loop's merge: drivers have such themselves. But a loop that no
 * pass goes on from is none to them: Mesa puts what follows each of its breaks into an else
 * (nir_opt_loop_unroll.c, wrapper_unroll). */
static bool is_plain_break(const ir_op *op, const ir_op *to)
{
    const ir_op *owner = op->parent->owner;

    while (owner->code == IR_if)
        owner = owner->parent->owner;
    return op->code == IR_break && owner == to && to->code == IR_loop && !spirv_leaves_late(to) &&
           is_end_reached(to->regions[0]);
}

static bool see_leave(ir_op *op, void *user)
{
    leaving *l = user;
    const ir_op *to = op->code == IR_break || op->code == IR_continue ? spirv_target_of(op) : NULL;

    if (op->code == IR_return || (to && to != l->op && !spirv_is_within(to, l->op) &&
                                  spirv_is_early(op, to) && !is_plain_break(op, to)))
        l->found = true;
    return !l->found;
}

/* Does control leave `op` by another way than its end? */
static bool is_left_early(const ir_op *op)
{
    leaving l = { .op = op };

    for (uint32_t k = 0; k < op->region_count && !l.found; k++)
        ir_walk(op->regions[k], see_leave, &l);
    return l.found;
}

static uint32_t depth_of_function(depths *d, const ir_func *f);

static void tell_at(depths *d, const ir_op *op, uint32_t level)
{
    if (level <= MOD_SHADER_DEPTH || !d->tells)
        return;
    d->e->place = op->place;
    spirv_need(d->e, MOD_NEED_DEPTH); /* the first place counts */
}

/* The deepest level in the region, which itself is on level `base`. */
static uint32_t depth_of(depths *d, const ir_region *r, uint32_t base)
{
    uint32_t most = base;

    for (const ir_op *op = r->first; op; op = op->next) {
        uint32_t inner = base + (op->region_count > 0);
        if (op->code == IR_call)
            inner += depth_of_function(d, op->func);
        tell_at(d, op, inner);
        for (uint32_t k = 0; k < op->region_count; k++) {
            uint32_t deep = depth_of(d, op->regions[k], base + 1);
            inner = deep > inner ? deep : inner;
        }
        most = inner > most ? inner : most;
        base += op->region_count > 0 && is_left_early(op);
    }
    return most;
}

static uint32_t depth_of_function(depths *d, const ir_func *f)
{
    for (const known_depth *k = d->known; k; k = k->next)
        if (k->func == f)
            return k->most;
    known_depth *made = arena_new(d->e->arena, sizeof *made);
    bool tells = d->tells;
    d->tells = false;
    uint32_t most = depth_of(d, f->body, 0);
    d->tells = tells;
    *made = (known_depth){ d->known, f, most };
    d->known = made;
    return most;
}

/* A call counts for all. */
static bool count_levels(ir_op *op, void *user)
{
    uint32_t *left = user;
    uint32_t levels = op->code == IR_call ? MOD_SHADER_DEPTH : op->region_count > 0;

    *left -= levels < *left ? levels : *left;
    return *left > 0;
}

void spirv_tell_depth(spirv_emit *e)
{
    uint32_t left = MOD_SHADER_DEPTH;
    depths d = { .e = e, .tells = true };

    if (!ir_walk(e->task->body, count_levels, &left)) /* else there are not as many */
        depth_of(&d, e->task->body, 0);
}
