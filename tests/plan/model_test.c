/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_test.c - the race check against running every legal schedule.
 *
 * A plan is right, says the checker, when every conflicting pair is ordered. Here small plans,
 * whole and with a wait taken away, are expanded, and every order that happens-before allows is run
 * on values that remember what they were made of. A plan whose outcomes are all one is right; the
 * two must say the same.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/check.h"
#include "plan/entry.h"
#include "plan/expand.h"
#include "support/check.h"

enum { MOST_MEMORY = 48, SEEN_SLOTS = 1 << 18 };

typedef struct state {
    uint64_t done; /* bit set over nodes */
    uint64_t memory[MOST_MEMORY];
    uint64_t
        told; /* what each node read, summed so that the order of unrelated nodes does not count */
} state;

typedef struct run {
    const expand_graph *g;
    uint64_t *seen; /* hashes of states that were gone on from */
    uint64_t first_outcome;
    bool has_outcome, differ, too_many;
    uint32_t states;
} run;

static uint64_t mix(uint64_t h, uint64_t x)
{
    h ^= x + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h *= 0xff51afd7ed558ccdu;
    return h ^ h >> 29;
}

static uint64_t hash_of(const expand_graph *g, const state *s)
{
    uint64_t h = mix(s->done, s->told);

    for (uint32_t m = 0; m < g->memory_count; m++)
        h = mix(h, s->memory[m]);
    return h ? h : 1;
}

static bool seen_before(run *r, uint64_t hash)
{
    for (uint64_t i = hash % SEEN_SLOTS;; i = (i + 1) % SEEN_SLOTS) {
        if (r->seen[i] == hash)
            return true;
        if (r->seen[i] == 0) {
            r->seen[i] = hash;
            r->too_many = ++r->states > SEEN_SLOTS / 2;
            return false;
        }
    }
}

/* A node's value is made of its name and of all it touches; whatever it writes gets that value. */
static void perform(const expand_graph *g, state *s, uint32_t node)
{
    const expand_node *n = &g->nodes[node];
    uint64_t value = mix(7, node + 1);

    for (uint32_t m = 0; m < g->memory_count; m++)
        if (n->reads[m] || n->writes[m])
            value = mix(value, s->memory[m]);
    for (uint32_t m = 0; m < g->memory_count; m++)
        if (n->writes[m])
            s->memory[m] = mix(value, m);
    s->told += value;
    s->done |= (uint64_t)1 << node;
}

static void explore(run *r, const state *s)
{
    const expand_graph *g = r->g;

    if (r->too_many || r->differ || seen_before(r, hash_of(g, s)))
        return;
    if (s->done == ((uint64_t)1 << g->count) - 1) {
        uint64_t outcome = hash_of(g, s);
        r->differ |= r->has_outcome && outcome != r->first_outcome;
        r->first_outcome = outcome;
        r->has_outcome = true;
        return;
    }
    for (uint32_t n = 0; n < g->count; n++) {
        if (s->done >> n & 1 || (g->nodes[n].before[0] & ~s->done) != 0)
            continue;
        state next = *s;
        perform(g, &next, n);
        explore(r, &next);
    }
}

/* 1: all schedules end alike; 0: they do not; -1: too many to tell. */
static int outcomes_agree(const expand_graph *g)
{
    run r = { .g = g, .seen = calloc(SEEN_SLOTS, sizeof *r.seen) };
    state start = { 0 };

    CHECK(r.seen != NULL && g->memory_count <= MOST_MEMORY);
    if (g->count > 40) {
        free(r.seen);
        return -1;
    }
    explore(&r, &start);
    free(r.seen);
    return r.too_many && !r.differ ? -1 : !r.differ;
}

static bool races(const expand_graph *g)
{
    for (uint32_t j = 0; j < g->count; j++)
        for (uint32_t i = 0; i < j; i++) {
            bool conflict = false;
            for (uint32_t m = 0; m < g->memory_count; m++)
                conflict |=
                    (g->nodes[i].writes[m] && (g->nodes[j].reads[m] || g->nodes[j].writes[m])) ||
                    (g->nodes[i].reads[m] && g->nodes[j].writes[m]);
            if (conflict && !(g->nodes[j].before[0] >> i & 1))
                return true;
        }
    return false;
}

static uint64_t random_state;

static uint32_t pick(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state % below);
}

static void random_program(text *out)
{
    static const char *const arrays[] = { "a", "b", "c" }, *const access[] = { "r", "w", "rw" };
    bool in_sections = pick(2);

    text_add(out, "a:rw b:rw c:rw | %s", in_sections ? "sections { section { " : "");
    for (uint32_t i = 0, n = 2 + pick(3); i < n; i++) {
        if (in_sections && i > 0 && pick(2))
            text_add(out, "} section { ");
        text_add(out, "t%u %s=%s ", i, arrays[pick(3)], access[pick(3)]);
    }
    text_add(out, "%s", in_sections ? "} } last a=r" : "");
}

static void both_proofs_say_the_same(void)
{
    static const char *const homes[] = { "ddd", "hdd", "dhd", "dd=0" };
    uint64_t plans = 0, right = 0, wrong = 0, skipped = 0;
    mem_arena arena = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    size_t mark = arena.used;
    for (uint64_t seed = 1; seed <= 120; seed++, mem_arena_rewind(&arena, mark)) {
        text program = { 0 };
        random_state = seed * 0x9e3779b97f4a7c15u + 1;
        random_program(&program);
        mod_entry *entry = entry_of(&arena, text_get(&program));
        plan_shape *shape = shape_of(&arena, entry, homes[pick(4)]);
        const plan_facts *facts = facts_of(1 + (int)pick(FACTS_COUNT - 1));
        plan *p;
        CHECK_STATUS(plan_make(&arena, entry, shape, facts, &p), SLIP_OK);
        bool *off = arena_new(&arena, (p->step_count + 1) * sizeof *off);
        for (uint32_t without = 0; without <= p->step_count; without++) {
            expand_graph g;
            off[without] = without < p->step_count; /* the last round removes nothing */
            plan_expand(&arena, p, entry, shape, facts, off, (expand_way){ .trips = 1 }, &g);
            off[without] = false;
            int agree = outcomes_agree(&g);
            plans++;
            skipped += agree < 0;
            if (agree < 0)
                continue;
            right += agree == 1;
            wrong += agree == 0;
            if (agree != !races(&g))
                CHECK_FAIL("seed %" PRIu64
                           ", %s, without step %u: schedules say %d, the race check %d",
                           seed, text_get(&program), without, agree, !races(&g));
        }
        text_finish(&program);
    }
    mem_arena_finish(&arena);
    printf("%" PRIu64 " plans and plans without one step: %" PRIu64 " right, %" PRIu64
           " wrong, %" PRIu64 " with too many schedules to run\n",
           plans, right, wrong, skipped);
    CHECK(right > 100 && wrong > 100 && skipped < plans / 4);
}

static const check_case cases[] = { CASE(both_proofs_say_the_same) };
CHECK_MAIN(cases)
