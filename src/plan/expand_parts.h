/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand_parts.h - what the files that expand a plan share: how far the graph has come, the numbers
 * of memories, and the relations that may be added.
 */
#ifndef SLIPWAY_PLAN_EXPAND_PARTS_H
#define SLIPWAY_PLAN_EXPAND_PARTS_H

#include "plan/cells.h"
#include "plan/expand.h"

enum { EXPAND_LANES = 8 };

typedef struct expander {
    mem_arena *arena;
    const plan *p;
    const mod_entry *entry;
    const plan_shape *shape;
    const plan_facts *facts;
    const bool *off;
    expand_way way;
    uint32_t decisions; /* made so far on this way */
    expand_graph *g;
    uint32_t class_count;
    uint32_t words;               /* of a set */
    uint64_t *host;               /* everything before the host's next action */
    uint64_t *lane[EXPAND_LANES]; /* everything before the lane's next operation */
    uint64_t *open[EXPAND_LANES]; /* queue: operations since the last barrier */
    bool *in_place;               /* [class_count] */
    bool *slots;  /* [class_count + 1] tasks use a slot of the call's own; the cells last */
    bool polling; /* the pass of a device loop that the host polls after */
    bool *taken;  /* [scratch_count + 1] */
} expander;

/* ---- memories, by number ---- */

static inline uint32_t expand_of_class(const expander *x, uint32_t class, expand_part part)
{
    (void)x;
    return class * EXPAND_PARTS + part;
}

/* scratch_count: the first piece of the cells */
static inline uint32_t expand_of_scratch(const expander *x, uint32_t index)
{
    return x->class_count * EXPAND_PARTS + index;
}

static inline uint32_t expand_of_result(const expander *x, expand_part part)
{
    return x->class_count * EXPAND_PARTS + x->entry->scratch_count + plan_cells_pieces(x->entry) +
           (part == EXPAND_HOST);
}

/* Puts bytes of the cells among a node's reads or writes. */
static inline void expand_cells(const expander *x, bool *memories, plan_span bytes)
{
    plan_span pieces = plan_cells_pieces_of(x->entry, bytes);

    for (uint32_t p = pieces.first; p < pieces.end; p++)
        memories[expand_of_scratch(x, x->entry->scratch_count) + p] = true;
}

/* ---- expand_graph.c: nodes, and what happens before what ---- */
void expand_start(expander *x); /* an empty graph, and nothing before anything */
/* A host action: after all earlier ones. */
expand_node *expand_host_node(expander *x, const char *label, uint32_t step);
/* A device operation: after the host call that queues it, and what its lane says. */
expand_node *expand_device_node(expander *x, const char *label, uint32_t step, uint32_t lane);
void expand_host_waits(expander *x, uint32_t lane); /* for all that the lane holds */
void expand_host_waits_node(expander *x, uint32_t node);
void expand_lane_waits(expander *x, uint32_t lane, uint32_t from);
void expand_barrier(expander *x, uint32_t lane);

/* ---- expand_steps.c: all steps of the plan, on the way that x->way says ---- */
void expand_steps(expander *x);

#endif
