/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_hoist.c - loads from arrays that give the same value in every pass of a loop, and sums and
 * products of such values, made once before it.
 *
 *     loop { c; if c { break }; ... load p ... }
 * becomes
 *     c; if !c { v = load p }; loop { c; if c { break }; ... v ... }
 *
 * Taken are loads that every pass makes which does not leave at once, from places that do not
 * depend on the pass, where the loop writes no array. Another iteration's write is no reason to
 * load again: with a plain read it is a conflict (LANGUAGE rule 2), and relaxed loads stay. A load
 * must never run that the program would not have made: hence the condition. LLVM does this for the
 * CPU; a driver may not, since it cannot know who else writes.
 */
#include "target/spirv_flow.h"

#include <string.h>

enum { MOST_LOADS = 16, MOST_CHAIN = 32, MOST_FREE = 8 };

typedef struct hoister {
    spirv_emit *e;
    const ir_op *loop;
    const ir_op *loads[MOST_LOADS];
    uint32_t count;
} hoister;

/* May it write an array? Helpers get no pointers to any; the library's are known to write nothing.
 */
static bool writes_array(const ir_op *op)
{
    switch ((int)op->code) {
    case IR_store:
    case IR_copy:
    case IR_fill:
        return op->in[0]->type->space != IR_LOCAL;
    case IR_update:
    case IR_atomic:
    case IR_cas:
        return true;
    case IR_call:
        return strncmp(op->func->name, "slip.", 5) != 0;
    }
    return false;
}

static bool writes_none(ir_op *op, void *user)
{
    (void)user;
    return !writes_array(op);
}

static bool goes_straight_on(ir_op *op, void *user)
{
    (void)user;
    return op->code != IR_loop && op->code != IR_break && op->code != IR_continue &&
           op->code != IR_return;
}

/* May it be made before the loop, whether or not there is a pass? Sums and products of what the
 * loop does not change; drivers leave them in it. */
static bool is_free(const hoister *h, const ir_op *op)
{
    const bool sums = op->code == IR_add || op->code == IR_sub || op->code == IR_mul;

    if (!sums || op->type->kind != IR_SCALAR || !scalar_types[op->type->scalar].is_float)
        return false;
    for (uint32_t k = 0; k < op->in_count; k++)
        if (op->in[k]->code != IR_const && spirv_is_within(op->in[k], h->loop) &&
            !h->e->hoisted[op->in[k]->id])
            return false;
    return true;
}

static void write_free(const hoister *h)
{
    uint32_t left = MOST_FREE;

    for (const ir_op *op = h->loop->regions[0]->first; op && left > 0; op = op->next) {
        if (h->e->hoisted[op->id] || !is_free(h, op))
            continue;
        spirv_one(h->e, op);
        h->e->hoisted[op->id] = true;
        left--;
    }
}

/* The `if` with which a pass begins and the loop may end; NULL where there is none. */
static const ir_op *guard_of(const ir_op *loop)
{
    const ir_op *op = loop->regions[0]->first;

    for (; op && op->code != IR_if; op = op->next)
        if ((ir_codes[op->code].flags & (IR_PURE | IR_PLACE)) == 0 &&
            (op->code != IR_load || op->in[0]->type->space != IR_LOCAL))
            return NULL;
    if (!op || op->type->kind != IR_VOID || op->regions[1]->first)
        return NULL;
    const ir_op *only = op->regions[0]->first;
    return only && only->code == IR_break && only->levels == 1 ? op : NULL;
}

static bool is_hoisted(const hoister *h, const ir_op *op)
{
    for (uint32_t k = 0; k < h->count; k++)
        if (h->loads[k] == op)
            return true;
    return false;
}

/* Does it have one value in all passes, which ops can give that stand before the loop? */
static bool is_invariant(const hoister *h, const ir_op *op, uint32_t *left)
{
    if (!spirv_is_within(op, h->loop) || is_hoisted(h, op))
        return true;
    if (*left == 0 || op->code == IR_var || op->region_count ||
        (ir_codes[op->code].flags & (IR_PURE | IR_PLACE)) == 0)
        return false;
    --*left;
    for (uint32_t k = 0; k < op->in_count; k++)
        if (!is_invariant(h, op->in[k], left))
            return false;
    return true;
}

static void find_loads(hoister *h, const ir_op *from)
{
    for (const ir_op *op = from; op && h->count < MOST_LOADS; op = op->next) {
        uint32_t left = MOST_CHAIN;
        if (!goes_straight_on((ir_op *)op, NULL))
            return;
        for (uint32_t k = 0; k < op->region_count; k++)
            if (!ir_walk(op->regions[k], goes_straight_on, NULL))
                return;
        if (op->code == IR_load && !op->relaxed && op->in[0]->type->space == IR_GLOBAL &&
            is_invariant(h, op->in[0], &left))
            h->loads[h->count++] = op;
    }
}

/* What it is made of, in order; the loads among it are made already. */
static void write_chain(const hoister *h, const ir_op *op)
{
    if (!spirv_is_within(op, h->loop) || (op->code == IR_load && is_hoisted(h, op)))
        return;
    for (uint32_t k = 0; k < op->in_count; k++)
        write_chain(h, op->in[k]);
    spirv_one(h->e, op);
}

static void write_loads(hoister *h, const ir_op *guard)
{
    spirv_emit *e = h->e;
    spirv_id load = spirv_new(e), merge = spirv_new(e), values[MOST_LOADS], before, after;

    for (const ir_op *op = h->loop->regions[0]->first; op != guard; op = op->next)
        spirv_one(e, op);
    spirv_id leaves = spirv_value(e, guard->in[0]);
    before = e->block;
    spirv_branch_if(e, leaves, merge, load, merge);
    spirv_block_begin(e, load);
    for (uint32_t k = 0; k < h->count; k++) {
        write_chain(h, h->loads[k]->in[0]);
        spirv_one(e, h->loads[k]);
        values[k] = spirv_value(e, h->loads[k]);
    }
    after = e->block;
    spirv_block_begin(e, merge);
    for (uint32_t k = 0; k < h->count; k++) {
        spirv_id type = spirv_type_value(e, h->loads[k]->type);
        uint32_t join[4] = { spirv_undef(e, type), before, values[k], after };
        spirv_set(e, h->loads[k], spirv_make(e, SPIRV_Phi, type, join, 4));
        e->hoisted[h->loads[k]->id] = true;
    }
}

void spirv_hoist(spirv_emit *e, const ir_op *loop)
{
    hoister h = { .e = e, .loop = loop };
    const ir_op *guard = guard_of(loop);

    write_free(&h);
    if (!guard || !ir_walk(loop->regions[0], writes_none, NULL) ||
        !ir_walk(loop->regions[1], writes_none, NULL))
        return;
    find_loads(&h, guard->next);
    if (h.count > 0)
        write_loads(&h, guard);
}
