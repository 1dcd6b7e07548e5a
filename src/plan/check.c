/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - the race check and the removal test over expanded plans.
 *
 * Adding a wait never breaks a right plan, so removing each one by itself decides whether it is
 * needed.
 */
#include "plan/check.h"

/* The ways looked at: everything taken, both ways; then mixed ones, which are enough to pass every
 * step of programs a few levels deep with each of its neighbours missing. */
enum { WAY_COUNT = 128 };

/* Without branches and loops there is one. */
static uint32_t ways_of(const plan *p)
{
    for (uint32_t i = 0; i < p->step_count; i++)
        if (p->steps[i].kind == PLAN_IF || p->steps[i].kind == PLAN_LOOP ||
            p->steps[i].kind == PLAN_DEVICE_LOOP)
            return WAY_COUNT;
    return 1;
}

static expand_way way_of(uint32_t w)
{
    if (w < 2)
        return (expand_way){ .take_else = w == 1, .trips = 2 };
    return (expand_way){ .mixed = true, .seed = w };
}

typedef struct race {
    bool found;
    const char *first, *second;
    uint32_t pairs, nodes;
} race;

static bool conflict(const expand_node *a, const expand_node *b, uint32_t memory_count)
{
    for (uint32_t m = 0; m < memory_count; m++)
        if ((a->writes[m] && (b->reads[m] || b->writes[m])) || (a->reads[m] && b->writes[m]))
            return true;
    return false;
}

static void find_races(const expand_graph *g, race *r)
{
    uint32_t pairs = 0;

    for (uint32_t j = 0; j < g->count; j++)
        for (uint32_t i = 0; i < j; i++) {
            if (!conflict(&g->nodes[i], &g->nodes[j], g->memory_count))
                continue;
            pairs++;
            bool ordered = g->nodes[j].before[i / 64] >> (i % 64) & 1;
            if (!ordered && !r->found) {
                r->found = true;
                r->first = g->nodes[i].label;
                r->second = g->nodes[j].label;
            }
        }
    if (pairs > r->pairs)
        r->pairs = pairs;
    if (g->count > r->nodes)
        r->nodes = g->count;
}

static race check_all(mem_arena *arena, const plan *p, const mod_entry *entry,
                      const plan_shape *shape, const plan_facts *facts, const bool *off)
{
    race r = { 0 };
    size_t mark = arena->used;

    for (uint32_t w = 0, ways = ways_of(p); w < ways; w++) {
        expand_graph g;
        plan_expand(arena, p, entry, shape, facts, off, way_of(w), &g);
        find_races(&g, &r);
        mem_arena_rewind(arena, mark);
    }
    return r;
}

bool plan_is_wait(const plan_step *s)
{
    return s->kind == PLAN_FORK || s->kind == PLAN_JOIN || s->kind == PLAN_EDGE ||
           s->kind == PLAN_BARRIER || s->kind == PLAN_HOST_WAIT ||
           (s->kind == PLAN_DOWNLOAD && s->move == PLAN_MOVE_BLOCKING);
}

/* Does everything that tasks read go up, and everything they write come down? */
static bool moves_complete(const plan *p, const mod_entry *entry, const plan_shape *shape,
                           text *out)
{
    for (uint32_t a = 0; a < shape->param_count; a++) {
        bool host = shape->homes[a] == PLAN_HOME_UNKNOWN || shape->homes[a] == PLAN_HOME_PINNED;
        const mod_param *param = &entry->params[a];
        bool up = false, down = false;

        if (shape->classes[a] == MOD_NONE || !host)
            continue;
        for (uint32_t i = 0; i < p->step_count; i++) {
            up |= p->steps[i].kind == PLAN_UPLOAD && p->steps[i].index == shape->classes[a];
            down |= (p->steps[i].kind == PLAN_DOWNLOAD ||
                     (p->steps[i].kind == PLAN_UNSTAGE && p->steps[i].move == PLAN_MOVE_MAPPED)) &&
                    p->steps[i].index == shape->classes[a];
        }
        bool kept = param->is_out || (param->access & MOD_COVERS);
        bool needs_up = (param->access & (MOD_READ | MOD_WRITE)) && !kept;
        bool needs_down = (param->access & MOD_WRITE) && !param->is_const;
        if ((up || down) && ((needs_up && !up) || (needs_down && !down))) {
            if (out)
                text_add(out, "%s does not move as its accesses ask\n", param->name);
            return false;
        }
    }
    return true;
}

/* With `off` those that are conservative: what they order, the others may not lean on. */
static void check_removals(mem_arena *arena, const plan *p, const mod_entry *entry,
                           const plan_shape *shape, const plan_facts *facts, bool *off,
                           plan_proof *proof, text *out)
{
    for (uint32_t i = 0; i < p->step_count; i++) {
        if (!plan_is_wait(&p->steps[i]) || off[i])
            continue;
        off[i] = true;
        race r = check_all(arena, p, entry, shape, facts, off);
        off[i] = false;
        proof->waits++;
        proof->needed += r.found;
        if (out && r.found)
            text_add(out, "step %u is needed: it orders `%s` before `%s`\n", i, r.first, r.second);
        else if (out)
            text_add(out, "step %u is not needed\n", i);
    }
}

void plan_check(mem_arena *arena, const plan *p, const mod_entry *entry, const plan_shape *shape,
                const plan_facts *facts, plan_proof *proof, text *out)
{
    bool *off = arena_new(arena, (p->step_count + 1) * sizeof *off);
    race r = check_all(arena, p, entry, shape, facts, NULL);

    *proof = (plan_proof){ .nodes = r.nodes, .pairs = r.pairs };
    if (out && r.found)
        text_add(out, "unordered: `%s` and `%s`\n", r.first, r.second);
    proof->right = !r.found && moves_complete(p, entry, shape, out);
    for (uint32_t i = 0; i < p->step_count; i++) {
        off[i] = plan_is_wait(&p->steps[i]) && p->steps[i].reason == PLAN_REASON_CONSERVATIVE;
        proof->conservative += off[i];
    }
    proof->right_without_conservative = !check_all(arena, p, entry, shape, facts, off).found;
    check_removals(arena, p, entry, shape, facts, off, proof, out);
    proof->minimal = proof->waits == proof->needed;
}

bool plan_right_without(mem_arena *arena, const plan *p, const mod_entry *entry,
                        const plan_shape *shape, const plan_facts *facts, uint32_t index)
{
    bool *off = arena_new(arena, (p->step_count + 1) * sizeof *off);

    off[index] = true;
    return !check_all(arena, p, entry, shape, facts, off).found;
}

bool plan_find_race(mem_arena *arena, const plan *p, const mod_entry *entry,
                    const plan_shape *shape, const plan_facts *facts, const bool *off,
                    expand_graph *out)
{
    size_t mark = arena->used;
    race r = { 0 };

    for (uint32_t w = 0, ways = ways_of(p); w < ways && !r.found; w++) {
        mem_arena_rewind(arena, mark);
        plan_expand(arena, p, entry, shape, facts, off, way_of(w), out);
        find_races(out, &r);
    }
    return r.found;
}
