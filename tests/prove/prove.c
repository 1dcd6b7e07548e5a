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

#include "base/fail.h"
#include "plan/check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned long plans, waits, conservative, pairs, detected, wrong;
    uint32_t nodes;
} counts;

static void print_counts(void)
{
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

/* A conservative plan has waits that the other policy does without: minimal it need not be. */
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
    if (!proof.right || !proof.right_without_conservative ||
        (!proof.minimal && !shape->conservative))
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
