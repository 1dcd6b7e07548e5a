/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_ahead.c - looks ahead in the IR: where an exit goes, and how a loop or region ends.
 */
#include "target/spirv_flow.h"

/* Does leaving `op`'s region by its end lead to the end of region `of` of `target`? */
static bool is_tail(const ir_op *op, const ir_op *target, const ir_region *of)
{
    const ir_region *r = op->parent;

    while (r->owner && r->owner != target) {
        const ir_op *owner = r->owner;
        if (owner->next ||
            (owner->code != IR_if && owner->code != IR_switch && owner->code != IR_block))
            return false;
        r = owner->parent;
    }
    return r->owner == target && r == of;
}

const ir_op *spirv_target_of(const ir_op *op)
{
    const ir_region *r = op->parent;
    uint32_t left = op->levels;

    while (r && r->owner) {
        if ((r->owner->code == IR_loop || r->owner->code == IR_block) && --left == 0)
            return r->owner;
        r = r->owner->parent;
    }
    return NULL;
}

bool spirv_is_early(const ir_op *op, const ir_op *target)
{
    return op->next != NULL || !is_tail(op, target, target->regions[0]);
}

typedef struct search {
    const ir_op *target; /* exits to this one, or to any block where NULL */
    ir_code code;
    bool found;
} search;

static bool see_exit(ir_op *op, void *user)
{
    search *s = user;
    const ir_op *to = op->code == s->code ? spirv_target_of(op) : NULL;

    if (to && (s->target ? to == s->target : to->code == IR_block) && spirv_is_early(op, to))
        s->found = true;
    return !s->found;
}

bool spirv_has_exit(const ir_region *r, const ir_op *target, ir_code code)
{
    search s = { target, code, false };

    ir_walk(r, see_exit, &s);
    return s.found;
}

static bool see_simple(ir_op *op, void *user)
{
    bool *simple = user;

    if ((ir_codes[op->code].flags & IR_EXIT && op->code != IR_yield) ||
        (op->region_count && op->code != IR_if) || op->code == IR_atomic || op->code == IR_cas ||
        op->code == IR_copy || op->code == IR_fill)
        *simple = false;
    return *simple;
}

bool spirv_is_simple(const ir_region *r)
{
    bool simple = true;

    ir_walk(r, see_simple, &simple);
    return simple;
}

typedef struct late {
    const ir_op *loop;
    bool stored, found;
} late;

bool spirv_is_within(const ir_op *op, const ir_op *loop)
{
    for (const ir_region *r = op->parent; r && r->owner; r = r->owner->parent)
        if (r->owner == loop)
            return true;
    return false;
}

/* The variable that a local pointer leads to. */
static const ir_op *variable_of(const ir_op *ptr)
{
    while (ptr->code == IR_index || ptr->code == IR_offset || ptr->code == IR_field)
        ptr = ptr->in[0];
    return ptr;
}

static bool see_late(ir_op *op, void *user)
{
    late *l = user;

    if (ir_codes[op->code].flags & IR_WRITES && op->in_count && op->in[0]->type->kind == IR_PTR &&
        op->in[0]->type->space == IR_LOCAL && !spirv_is_within(variable_of(op->in[0]), l->loop))
        l->stored = true;
    if (l->stored && (op->code == IR_break || op->code == IR_continue)) {
        const ir_op *to = spirv_target_of(op);
        bool stays = to == l->loop ? op->code == IR_continue : to && spirv_is_within(to, l->loop);
        l->found = !stays;
    }
    return !l->found;
}

bool spirv_leaves_late(const ir_op *loop)
{
    late l = { .loop = loop };

    for (uint32_t k = 0; k < 2 && !l.found; k++)
        ir_walk(loop->regions[k], see_late, &l);
    return l.found;
}
