/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand_graph.c - the graph of an expanded plan: its nodes, what each has before it, and the
 * actions that made it. A relation is added only where a rule of check.h gives it. Knows no plan
 * step.
 */
#include "plan/expand_parts.h"

enum { MAX_NODES = 2048, MAX_ACTIONS = 2 * MAX_NODES };

static uint64_t *new_set(expander *x)
{
    return arena_new(x->arena, x->words * sizeof(uint64_t));
}

static void join_sets(expander *x, uint64_t *into, const uint64_t *from)
{
    for (uint32_t w = 0; w < x->words; w++)
        into[w] |= from[w];
}

void expand_start(expander *x)
{
    expand_graph *g = x->g;

    g->memory_count = expand_of_result(x, EXPAND_HOST) + 1;
    g->count = g->action_count = 0;
    x->words = MAX_NODES / 64;
    g->actions = arena_new(x->arena, MAX_ACTIONS * sizeof *g->actions);
    g->nodes = arena_new(x->arena, (MAX_NODES + 1) * sizeof *g->nodes);
    g->nodes[MAX_NODES].reads = arena_new(x->arena, g->memory_count * sizeof(bool));
    g->nodes[MAX_NODES].writes = arena_new(x->arena, g->memory_count * sizeof(bool));
    g->nodes[MAX_NODES].before = new_set(x);
    x->host = new_set(x);
    for (uint32_t l = 0; l < EXPAND_LANES; l++) {
        x->lane[l] = new_set(x);
        x->open[l] = new_set(x);
    }
}

static expand_node *add_node(expander *x, const char *label, uint32_t step)
{
    if (x->g->count == MAX_NODES)
        return &x->g->nodes[MAX_NODES]; /* a spare that is never looked at; the caller's limit is
                                           far off */
    expand_node *n = &x->g->nodes[x->g->count++];
    n->label = label;
    n->step = step;
    n->reads = arena_new(x->arena, x->g->memory_count * sizeof(bool));
    n->writes = arena_new(x->arena, x->g->memory_count * sizeof(bool));
    n->before = new_set(x);
    return n;
}

/* As with nodes, a program that has more is not looked at further. */
static void add_action(expander *x, expand_action a)
{
    if (x->g->action_count < MAX_ACTIONS)
        x->g->actions[x->g->action_count++] = a;
}

static void add_self(const expander *x, uint64_t *set, const expand_node *n)
{
    uint32_t at = (uint32_t)(n - x->g->nodes);
    if (at < MAX_NODES)
        set[at / 64] |= (uint64_t)1 << (at % 64);
}

expand_node *expand_host_node(expander *x, const char *label, uint32_t step)
{
    expand_node *n = add_node(x, label, step);

    join_sets(x, n->before, x->host);
    add_self(x, x->host, n);
    add_action(x, (expand_action){ EXPAND_ACT_HOST, .node = (uint32_t)(n - x->g->nodes) });
    return n;
}

expand_node *expand_device_node(expander *x, const char *label, uint32_t step, uint32_t lane)
{
    if (x->facts->family == PLAN_FAMILY_CPU)
        return expand_host_node(x, label, step);
    expand_node *n = add_node(x, label, step);
    join_sets(x, n->before, x->host);
    join_sets(x, n->before, x->lane[lane]);
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        add_self(x, x->open[lane], n), join_sets(x, x->open[lane], n->before);
    else
        add_self(x, x->lane[lane], n), join_sets(x, x->lane[lane], n->before);
    add_action(x, (expand_action){ EXPAND_ACT_QUEUE, .node = (uint32_t)(n - x->g->nodes), lane });
    return n;
}

/* All that a wait on the lane covers: facts row wait_covers_earlier. */
static void lane_covers(expander *x, uint32_t lane, uint64_t *into)
{
    join_sets(x, into, x->lane[lane]);
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        join_sets(x, into, x->open[lane]);
}

void expand_host_waits(expander *x, uint32_t lane)
{
    lane_covers(x, lane, x->host);
    add_action(x, (expand_action){ EXPAND_ACT_WAIT, .from = lane });
}

void expand_host_waits_node(expander *x, uint32_t node)
{
    const expand_node *n = &x->g->nodes[node];

    join_sets(x, x->host, n->before);
    add_self(x, x->host, n);
    add_action(x, (expand_action){ EXPAND_ACT_WAIT_NODE, .node = node });
}

void expand_lane_waits(expander *x, uint32_t lane, uint32_t from)
{
    lane_covers(x, from, x->lane[lane]);
    add_action(x, (expand_action){ EXPAND_ACT_AFTER, .lane = lane, .from = from });
}

void expand_barrier(expander *x, uint32_t lane)
{
    join_sets(x, x->lane[lane], x->open[lane]);
}
