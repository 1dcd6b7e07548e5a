/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prove.c - stands in the place of plan_make in programs of the conformance suite: proves each
 * plan that they make (plan/check.h).
 *
 * What is wrong is a line on stderr that begins with "slipway proof:", with the plan after it;
 * counts are printed when the program ends.
 */
#include "prove/prove.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "plan/check.h"
#include "prove/replay.h"

/* A graph to run when the program ends: the look-alike is idle then. */
typedef struct kept_graph {
    struct kept_graph *next;
    expand_graph graph;
    bool races; /* a wait is missing */
    char what[96];
} kept_graph;

static kept_graph *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned long plans, waits, conservative, pairs, detected, wrong;
    uint32_t nodes;
} counts;

/* ---- on the look-alike ----------------------------------------------------------------------- */

static void *copy(const void *from, size_t bytes)
{
    void *made = malloc(bytes + 1);

    if (!made)
        abort();
    memcpy(made, from, bytes);
    return made;
}

/* All of the graph that a replay needs, on the heap: the plan's module may be gone by then. */
static void keep(const expand_graph *g, bool races, const char *entry, uint32_t step)
{
    kept_graph *made = calloc(1, sizeof *made);
    expand_node *nodes = copy(g->nodes, g->count * sizeof *nodes);

    if (!made)
        abort();
    for (uint32_t n = 0; n < g->count; n++) {
        nodes[n].reads = copy(g->nodes[n].reads, g->memory_count * sizeof(bool));
        nodes[n].writes = copy(g->nodes[n].writes, g->memory_count * sizeof(bool));
        nodes[n].before = NULL;
    }
    made->graph = *g;
    made->graph.nodes = nodes;
    made->graph.actions = copy(g->actions, g->action_count * sizeof *g->actions);
    made->races = races;
    snprintf(made->what, sizeof made->what, "%.60s, %s%u", entry,
             step == MOD_NONE ? "whole" : "without step ", step == MOD_NONE ? 0 : step);
    made->next = kept;
    kept = made;
}

/* The plan, and, without what is conservative, the plan less each wait that it needs. */
static void keep_graphs(mem_arena *arena, const plan *p, const mod_entry *entry,
                        const plan_shape *shape, const plan_facts *facts)
{
    bool *off = arena_new(arena, (p->step_count + 1) * sizeof *off);
    size_t mark = arena->used;
    expand_graph g;

    if (plan_find_race(arena, p, entry, shape, facts, off, &g))
        return; /* which the proof has told */
    keep(&g, false, entry->name, MOD_NONE);
    for (uint32_t i = 0; i < p->step_count; i++)
        off[i] = plan_is_wait(&p->steps[i]) && p->steps[i].reason == PLAN_REASON_CONSERVATIVE;
    for (uint32_t i = 0; i < p->step_count; i++) {
        if (!plan_is_wait(&p->steps[i]) || off[i])
            continue;
        mem_arena_rewind(arena, mark);
        off[i] = true;
        if (plan_find_race(arena, p, entry, shape, facts, off, &g))
            keep(&g, true, entry->name, i);
        off[i] = false;
    }
}

static void replay_all(void)
{
    unsigned long plans = 0, removals = 0, inverted = 0;

    for (const kept_graph *k = kept; k; k = k->next) {
        replay_found found = replay(&k->graph);
        if (k->races != (found.races > 0) || (k->races && found.inverted == 0))
            fprintf(stderr,
                    "slipway proof: on the look-alike: %s: %lu races, %lu of them inverted\n",
                    k->what, (unsigned long)found.races, (unsigned long)found.inverted);
        plans += !k->races;
        removals += k->races && found.races > 0;
        inverted += k->races && found.inverted > 0;
    }
    if (kept)
        printf("%lu plans run on the look-alike, nothing unordered; %lu with a wait removed: "
               "unordered, and %lu run in the wrong order\n",
               plans, removals, inverted);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void print_counts(void)
{
    replay_all();
    printf("%lu plans proved: %lu waits and edges, %lu removals detected; %lu conservative waits, "
           "all of them removable at once; %lu conflicting pairs, in at most %u nodes\n",
           counts.plans, counts.waits, counts.detected, counts.conservative, counts.pairs,
           counts.nodes);
}

static void tell(const plan *p, const mod_entry *entry, const plan_shape *shape,
                 const plan_facts *facts, const plan_proof *proof, text *told)
{
    plan_print(told, p, entry, shape, facts);
    fprintf(stderr, "slipway proof: %s on %s: right %d, minimal %d, without conservative %d\n%s\n",
            entry->name, facts->name, proof->right, proof->minimal,
            proof->right_without_conservative, text_get(told));
    counts.wrong++;
}

static void prove(const plan *p, const mod_entry *entry, const plan_shape *shape,
                  const plan_facts *facts)
{
    mem_arena arena = { 0 };
    plan_proof proof;
    text told = { 0 };

    if (mem_arena_init(&arena) != SLIP_OK) {
        fprintf(stderr, "slipway proof: no memory\n");
        return;
    }
    plan_check(&arena, p, entry, shape, facts, &proof, &told);
    if (counts.plans == 0)
        atexit(print_counts);
    counts.plans++;
    counts.waits += proof.waits;
    counts.detected += proof.needed;
    counts.conservative += proof.conservative;
    counts.pairs += proof.pairs;
    counts.nodes = proof.nodes > counts.nodes ? proof.nodes : counts.nodes;
    if (facts->family == PLAN_FAMILY_STREAM && getenv("SLIPFAKE_MODULE"))
        keep_graphs(&arena, p, entry, shape, facts);
    if (!proof.right || !proof.right_without_conservative || !proof.minimal)
        tell(p, entry, shape, facts, &proof, &told);
    text_finish(&told);
    mem_arena_finish(&arena);
}

slip_status prove_plan_make(mem_arena *arena, const mod_entry *entry, const plan_shape *shape,
                            const plan_facts *facts, plan **out)
{
    slip_status status = plan_make(arena, entry, shape, facts, out);

    if (status == SLIP_OK) {
        pthread_mutex_lock(&lock);
        prove(*out, entry, shape, facts);
        pthread_mutex_unlock(&lock);
    }
    return status;
}
