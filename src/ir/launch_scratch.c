/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_scratch.c - a kernel-level array becomes scratch that the host takes, once, with extents
 * that the host knows.
 */
#include "ir/launch_parts.h"

typedef struct loop_search {
    const launch *l;
    const ir_op *var;
} loop_search;

static bool not_stored(ir_op *op, void *user)
{
    const loop_search *s = user;

    return !(op->code == IR_store && op->in[0] == s->var);
}

/* The variable, assigned in a loop around `scratch`, that `value` depends on; or NULL. */
static const ir_op *varies_in_loop(launch *l, const ir_op *scratch, const ir_op *value)
{
    if (value->code == IR_load && value->in[0]->code == IR_var) {
        loop_search s = { l, value->in[0] };
        for (const ir_op *o = scratch->parent->owner; o; o = o->parent->owner)
            if (o->code == IR_loop && (!ir_walk(o->regions[0], not_stored, &s) ||
                                       !ir_walk(o->regions[1], not_stored, &s)))
                return value->in[0];
    }
    for (uint32_t i = 0; value->parent && i < value->in_count; i++) {
        const ir_op *found = varies_in_loop(l, scratch, value->in[i]);
        if (found)
            return found;
    }
    return NULL;
}

static void check_extent(launch *l, const ir_op *op, uint32_t d)
{
    const char *name = op->name ? op->name : "an array";
    const char *extent = launch_expression(l, op->in[d]);

    if (launch_fact_of(l, op->in[d])->device) {
        launch_error(l, op->place, "pass an upper bound as a parameter",
                     "the extent `%s` of `%s` is computed on the device", extent, name);
        return;
    }
    const ir_op *var = varies_in_loop(l, op, op->in[d]);
    if (var)
        launch_error(
            l, op->place, "declare it before the loop with the largest extent",
            "the extent `%s` of `%s` changes in the loop around it: `%s` is assigned there", extent,
            name, var->name ? var->name : "a variable");
}

void launch_take(launch *l, ir_op *op)
{
    launch_fact *f = launch_fact_of(l, op);
    const ir_type *elem = op->type->elem;
    mod_scratch made = { .name = op->name ? op->name : "scratch",
                         .slot = launch_slot(l, op),
                         .bytes = (uint32_t)elem->size,
                         .align = (uint32_t)elem->align,
                         .rank = op->in_count,
                         .place = launch_place_of(op->place) };

    for (uint32_t d = 0; d < MOD_MAX_RANK; d++)
        made.extents[d] = MOD_NONE;
    for (uint32_t d = 0; d < op->in_count; d++) {
        check_extent(l, op, d);
        if (!launch_fact_of(l, op->in[d])->device)
            made.extents[d] = launch_slot(l, op->in[d]);
    }
    l->scratch = arena_grow(l->arena, l->scratch, &l->scratch_capacity, l->scratch_count + 1,
                            sizeof *l->scratch);
    f->scratch = l->scratch_count;
    l->scratch[l->scratch_count++] = made;
    launch_close_eval(l);
    uint32_t node = launch_node_begin(l, MOD_TAKE, op->place);
    l->nodes[node].first = f->scratch;
}
