/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand.h - a plan in the canonical client as a graph of host actions and device operations.
 */
#ifndef SLIPWAY_PLAN_EXPAND_H
#define SLIPWAY_PLAN_EXPAND_H

#include "plan/plan.h"

typedef enum expand_part {
    EXPAND_HOST,
    EXPAND_STAGE,
    EXPAND_DEVICE,
    EXPAND_BACK,
    EXPAND_PARTS
} expand_part;

typedef struct expand_node {
    const char *label;
    uint32_t step;        /* of the plan; MOD_NONE for the client's own */
    bool *reads, *writes; /* [memory_count] */
    uint64_t *before;     /* bit set: all nodes that happen before this one */
} expand_node;

/* What was done to make the graph, in source order, for whoever does it again. */
typedef enum expand_act {
    EXPAND_ACT_HOST,     /* the host acts: `node` */
    EXPAND_ACT_QUEUE,    /* `node` is queued on `lane` */
    EXPAND_ACT_AFTER,    /* `lane` goes on after what `from` holds */
    EXPAND_ACT_WAIT,     /* the host goes on after what `from` holds */
    EXPAND_ACT_WAIT_NODE /* the host goes on after `node` */
} expand_act;

typedef struct expand_action {
    expand_act act;
    uint32_t node, lane, from;
} expand_action;

typedef struct expand_graph {
    expand_node *nodes;
    uint32_t count;
    uint32_t memory_count;
    expand_action *actions;
    uint32_t action_count;
} expand_graph;

/* One way through the program: which way each branch goes, and how often each loop runs. */
typedef struct expand_way {
    bool mixed; /* each branch and loop by a hash of `seed` and its step; loops 0, 1 or 2 times */
    uint32_t seed;
    bool take_else; /* not mixed: all branches, */
    uint32_t trips; /* and all loops */
} expand_way;

/* `off[step]` (may be NULL) removes the wait, edge or blocking property of a step. */
void plan_expand(mem_arena *arena, const plan *p, const mod_entry *entry, const plan_shape *shape,
                 const plan_facts *facts, const bool *off, expand_way way, expand_graph *out);

#endif
