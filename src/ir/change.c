/* SPDX-License-Identifier: Apache-2.0 */
/*
 * change.c - moving, walking, numbering, replacing and cloning what was built.
 *
 * Regions nest at most IR_MAX_DEPTH deep (the parser and the verifier refuse more), which bounds
 * the recursion here. Must never leave an op of a clone with an input that the clone made anew.
 */

#include "ir/ir.h"

struct ir_clone_map {
    mem_arena *arena;
    const ir_op **from; /* open addressing; a power of two slots, at most half full */
    ir_op **to;
    uint32_t slots, used;
};

void ir_move_before(ir_op *op, ir_region *r, ir_op *before)
{
    if (op->parent)
        ir_remove(op);
    op->parent = r;
    op->next = before;
    op->prev = before ? before->prev : r->last;
    if (op->prev)
        op->prev->next = op;
    else
        r->first = op;
    if (before)
        before->prev = op;
    else
        r->last = op;
}

void ir_remove(ir_op *op)
{
    ir_region *r = op->parent;

    if (!r)
        return;
    if (op->prev)
        op->prev->next = op->next;
    else
        r->first = op->next;
    if (op->next)
        op->next->prev = op->prev;
    else
        r->last = op->prev;
    op->parent = NULL;
    op->prev = op->next = NULL;
}

bool ir_walk(const ir_region *r, bool (*visit)(ir_op *op, void *user), void *user)
{
    ir_op *next;

    for (ir_op *op = r->first; op; op = next) {
        next = op->next;
        if (!visit(op, user))
            return false;
        for (uint32_t i = 0; op->parent && i < op->region_count; i++)
            if (!ir_walk(op->regions[i], visit, user))
                return false;
    }
    return true;
}

bool ir_walk_func(const ir_func *f, bool (*visit)(ir_op *op, void *user), void *user)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        for (uint32_t d = 0; d < IR_MAX_RANK; d++)
            if (f->params[i].extents[d] && !ir_walk(f->params[i].extents[d], visit, user))
                return false;
    return ir_walk(f->body, visit, user);
}

typedef struct numbering {
    uint32_t next;
    bool values; /* number the ops that make a value; else the others */
} numbering;

static void number_args(const ir_region *r, numbering *n)
{
    for (uint32_t i = 0; n->values && i < r->arg_count; i++)
        r->args[i]->id = n->next++;
}

static void number_region(const ir_region *r, numbering *n)
{
    number_args(r, n);
    for (ir_op *op = r->first; op; op = op->next) {
        if ((op->type->kind != IR_VOID) == n->values)
            op->id = n->next++;
        for (uint32_t i = 0; i < op->region_count; i++)
            number_region(op->regions[i], n);
    }
}

uint32_t ir_number(ir_func *f)
{
    numbering n = { .values = true };

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < f->param_count; i++) {
            if (n.values)
                f->params[i].op->id = n.next++;
            for (uint32_t d = 0; d < IR_MAX_RANK; d++)
                if (f->params[i].extents[d])
                    number_region(f->params[i].extents[d], &n);
        }
        number_region(f->body, &n);
        n.values = false;
    }
    return n.next;
}

/* Is the loop or block that stands `levels` above r left by a break below r? */
static bool breaks_out(const ir_region *r, uint32_t levels)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_break && op->levels == levels)
            return true;
        uint32_t below = levels + (op->code == IR_loop || op->code == IR_block);
        for (uint32_t i = 0; i < op->region_count; i++)
            if (breaks_out(op->regions[i], below))
                return true;
    }
    return false;
}

static bool falls_through(const ir_op *op)
{
    if (ir_codes[op->code].flags & IR_EXIT)
        return false;
    if (op->code == IR_loop)
        return breaks_out(op->regions[0], 1) || breaks_out(op->regions[1], 1);
    if (op->code == IR_block)
        return !ir_region_ended(op->regions[0]) || breaks_out(op->regions[0], 1);
    if ((op->code != IR_if && op->code != IR_switch) || op->type->kind != IR_VOID)
        return true;
    for (uint32_t i = 0; i < op->region_count; i++)
        if (!ir_region_ended(op->regions[i]))
            return true;
    return false;
}

bool ir_region_ended(const ir_region *r)
{
    return r->last && !falls_through(r->last);
}

typedef struct replacing {
    const ir_op *old;
    ir_op *with;
} replacing;

static bool replace_in(ir_op *op, void *user)
{
    const replacing *r = user;

    for (uint32_t i = 0; i < op->in_count; i++)
        if (op->in[i] == r->old)
            op->in[i] = r->with;
    return true;
}

void ir_replace_uses(ir_func *f, const ir_op *old, ir_op *with)
{
    ir_walk_func(f, replace_in, &(replacing){ old, with });
}

ir_clone_map *ir_clone_map_new(ir_module *m)
{
    ir_clone_map *map = arena_new(m->arena, sizeof *map);

    map->arena = m->arena;
    return map;
}

/* The slot of `from`, or the empty one where it would go. */
static uint32_t find_slot(const ir_clone_map *map, const ir_op *from)
{
    uint32_t slot = (uint32_t)((uintptr_t)from * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    for (slot &= map->slots - 1; map->from[slot] && map->from[slot] != from;)
        slot = (slot + 1) & (map->slots - 1);
    return slot;
}

static void grow_map(ir_clone_map *map)
{
    ir_clone_map old = *map;

    map->slots = old.slots ? old.slots * 2 : 16;
    map->from = arena_new(map->arena, map->slots * sizeof *map->from);
    map->to = arena_new(map->arena, map->slots * sizeof *map->to);
    for (uint32_t i = 0; i < old.slots; i++)
        if (old.from[i]) {
            uint32_t slot = find_slot(map, old.from[i]);
            map->from[slot] = old.from[i];
            map->to[slot] = old.to[i];
        }
}

void ir_clone_map_set(ir_clone_map *map, const ir_op *from, ir_op *to)
{
    if (2 * (map->used + 1) > map->slots)
        grow_map(map);
    uint32_t slot = find_slot(map, from);
    map->used += !map->from[slot];
    map->from[slot] = from;
    map->to[slot] = to;
}

ir_op *ir_clone_map_get(const ir_clone_map *map, const ir_op *from)
{
    return map->slots ? map->to[find_slot(map, from)] : NULL;
}

ir_op *ir_clone(ir_builder *b, ir_clone_map *map, const ir_op *op)
{
    ir_module *m = b->module;
    ir_op *made = arena_new(m->arena, sizeof *made);
    ir_builder inner = *b;

    *made = *op;
    made->parent = NULL;
    made->in = arena_new(m->arena, (op->in_count ? op->in_count : 1) * sizeof *made->in);
    for (uint32_t i = 0; i < op->in_count; i++) {
        ir_op *mapped = ir_clone_map_get(map, op->in[i]);
        made->in[i] = mapped ? mapped : op->in[i];
    }
    ir_move_before(made, b->region, b->before);
    ir_clone_map_set(map, op, made);
    if (op->region_count)
        made->regions = arena_new(m->arena, op->region_count * sizeof *made->regions);
    for (uint32_t i = 0; i < op->region_count; i++) {
        const ir_region *from = op->regions[i];
        made->regions[i] = ir_region_new(m, made);
        for (uint32_t k = 0; k < from->arg_count; k++) {
            const ir_op *old = from->args[k];
            ir_op *arg = ir_region_arg(m, made->regions[i], old->type, old->name);
            arg->place = old->place;
            ir_clone_map_set(map, old, arg);
        }
        ir_enter(&inner, made, i);
        ir_clone_region_into(&inner, map, from);
    }
    return made;
}

void ir_clone_region_into(ir_builder *b, ir_clone_map *map, const ir_region *from)
{
    const ir_op *last = from->last; /* the cursor may stand in `from` itself */

    for (const ir_op *op = from->first; op; op = op == last ? NULL : op->next)
        ir_clone(b, map, op);
}
