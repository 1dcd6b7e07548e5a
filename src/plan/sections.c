/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sections.c - the lanes of sections, and the forks, edges and joins between them.
 *
 * Section 0 stays on the call's lane, the others get lanes of their own where the family has them.
 * A lane forks once, before any section runs, and joins after all; between sections that touch the
 * same memory an edge in source order keeps the serial meaning. An edge that others imply is left
 * out, so that each one made is needed.
 */
#include <string.h>

#include "plan/plan_parts.h"

/* ---- edges between lanes --------------------------------------------------------------------- */

/* After the edge, `lane` knows what `from` knows, and all of from's own tasks. */
static void learn(plan_builder *b, uint32_t lane, uint32_t from)
{
    for (uint32_t m = 0; m < PLAN_MAX_LANES; m++)
        if (b->knows[from][m] > b->knows[lane][m])
            b->knows[lane][m] = b->knows[from][m];
    if (b->done[from] > b->knows[lane][from])
        b->knows[lane][from] = b->done[from];
}

void plan_host_waited(plan_builder *b)
{
    for (uint32_t l = 0; l < PLAN_MAX_LANES; l++)
        if (l != b->lane)
            learn(b, l, b->lane);
}

static void push_between(plan_builder *b, plan_kind kind, uint32_t lane, uint32_t from,
                         plan_reason reason, const uint32_t because[2], uint32_t array)
{
    plan_step step = plan_step_of(b, kind, reason);

    step.lane = lane;
    step.from = from;
    step.event = b->plan->event_count++;
    step.array = array;
    if (because)
        memcpy(step.because, because, sizeof step.because);
    plan_push(b, step);
    learn(b, lane, from);
}

/* Would edges to the other marked lanes order lane m's tasks up to `number`? */
static bool implied(const plan_builder *b, const uint32_t *need, uint32_t m)
{
    for (uint32_t n = 0; n < PLAN_MAX_LANES; n++)
        if (n != m && need[n] > 0 && b->knows[n][m] >= need[m])
            return true;
    return false;
}

/* One edge from each lane whose tasks the task conflicts with and does not already follow. */
void plan_order_task(plan_builder *b, const plan_sections *s, uint32_t task)
{
    uint32_t need[PLAN_MAX_LANES] = { 0 }, because[PLAN_MAX_LANES][2], array[PLAN_MAX_LANES];

    for (uint32_t i = 0; i < s->count; i++) {
        const plan_lane_task *t = &s->tasks[i];
        uint32_t both =
            t->lane == b->lane ? MOD_NONE : plan_conflict(b, &b->tasks[t->task], &b->begins[task]);
        if (both == MOD_NONE || b->knows[b->lane][t->lane] >= t->number)
            continue;
        need[t->lane] = t->number;
        because[t->lane][0] = t->task;
        because[t->lane][1] = task;
        array[t->lane] = plan_array_of(b, both);
    }
    for (uint32_t m = 0; m < PLAN_MAX_LANES; m++) {
        if (need[m] == 0)
            continue;
        if (implied(b, need, m))
            need[m] = 0;
        else
            push_between(b, PLAN_EDGE, b->lane, m, PLAN_REASON_CONFLICT, because[m], array[m]);
    }
}

/* ---- sections -------------------------------------------------------------------------------- */

static uint32_t section_lane(const plan_builder *b, uint32_t position)
{
    uint32_t lanes = b->facts->max_lanes < PLAN_MAX_LANES ? b->facts->max_lanes : PLAN_MAX_LANES;
    return position % lanes;
}

static bool has_work(const plan_builder *b, uint32_t section)
{
    for (uint32_t k = section + 1; k < b->entry->nodes[section].end; k++)
        if (b->entry->nodes[k].kind == MOD_TASK || b->entry->nodes[k].kind == MOD_TAKE)
            return true;
    return false;
}

/* How a section begins: is what runs first behind everything that came before the sections? */
typedef struct section_start {
    uint32_t sections, section, lane;
    const bool *based; /* [PLAN_MAX_LANES]: lanes that surely are */
    bool open;         /* something may run first that gets no edge from a based lane */
} section_start;

/* Will the task get an edge from an earlier section of another lane that brings all it conflicts
 * with? */
static bool gets_edge(const plan_builder *b, const section_start *start, uint32_t task)
{
    const mod_node *nodes = b->entry->nodes;
    uint32_t position = 0;

    for (uint32_t s = start->sections + 1; s < start->section; s = nodes[s].end, position++) {
        uint32_t lane = section_lane(b, position);
        if (lane == start->lane ||
            (!start->based[lane] &&
             plan_conflict(b, &b->unseen[lane], &b->begins[task]) != MOD_NONE))
            continue;
        for (uint32_t k = s + 1; k < nodes[s].end; k++)
            if (nodes[k].kind == MOD_TASK &&
                plan_conflict(b, &b->tasks[nodes[k].first], &b->begins[task]) != MOD_NONE)
                return true;
    }
    return false;
}

static bool scratch_unseen(const plan_builder *b, uint32_t lane, uint32_t scratch)
{
    uint32_t object = b->class_count + scratch;
    return (b->unseen[lane].reads[object / 64] | b->unseen[lane].writes[object / 64]) >>
               (object % 64) &
           1;
}

/* Looks at what runs in the range, up to what surely is behind everything that it conflicts with;
 * true if the range may end without. */
static bool look_at_start(const plan_builder *b, section_start *start, uint32_t first, uint32_t end)
{
    const mod_node *nodes = b->entry->nodes;

    for (uint32_t k = first; k < end && !start->open; k = nodes[k].end) {
        const plan_touch *unseen = &b->unseen[start->lane];
        bool settled = false;

        if (nodes[k].kind == MOD_TAKE) {
            start->open = scratch_unseen(b, start->lane, nodes[k].first);
        } else if (nodes[k].kind == MOD_TASK) {
            settled = plan_conflict(b, unseen, &b->begins[nodes[k].first]) != MOD_NONE;
            start->open = settled && !gets_edge(b, start, nodes[k].first);
        } else if (nodes[k].kind == MOD_IF) {
            bool then_open = look_at_start(b, start, k + 1, nodes[k].other);
            bool else_open = look_at_start(b, start, nodes[k].other, nodes[k].end);
            settled = !then_open && !else_open;
        } else if (nodes[k].kind == MOD_LOOP || nodes[k].kind == MOD_DEVICE_LOOP) {
            look_at_start(b, start, k + 1, nodes[k].end);
        }
        if (settled)
            return false;
    }
    return !start->open;
}

/* Does the host surely wait for the section's lane, in the midst of it? */
static bool host_waits(const plan_builder *b, uint32_t section)
{
    const mod_node *nodes = b->entry->nodes;

    for (uint32_t k = section + 1; k < nodes[section].end; k = nodes[k].end)
        if (nodes[k].kind == MOD_DEVICE_LOOP ||
            (nodes[k].kind == MOD_TASK &&
             plan_bounds_wanted(&b->entry->tasks[nodes[k].first], b->facts)))
            return true;
    return false;
}

/* A lane without a fork is based only if something of it always runs, and so always has its edge.
 */
static void fork_lanes(plan_builder *b, uint32_t sections, bool *based)
{
    const mod_node *nodes = b->entry->nodes;
    bool seen[PLAN_MAX_LANES] = { true };
    bool waited = false; /* the host waits for a lane that is based: later sections are behind it */
    uint32_t position = 0;

    for (uint32_t s = sections + 1; s < nodes[sections].end; s = nodes[s].end, position++) {
        section_start start = { sections, s, section_lane(b, position), based, false };
        if (!seen[start.lane] && has_work(b, s)) {
            seen[start.lane] = true;
            bool may_be_empty = !waited && look_at_start(b, &start, s + 1, nodes[s].end);
            if (start.open)
                push_between(b, PLAN_FORK, start.lane, 0, PLAN_REASON_SECTIONS, NULL, MOD_NONE);
            based[start.lane] = waited || start.open || !may_be_empty;
        }
        waited |= based[start.lane] && host_waits(b, s);
    }
}

/* After sections each lane has still not seen what it was not ordered behind. */
static void see_sections(plan_builder *b, const plan_sections *s, const bool *based)
{
    for (uint32_t l = 1; l < PLAN_MAX_LANES; l++) {
        if (based[l])
            plan_touch_clear(b, &b->unseen[l]);
        for (uint32_t i = 0; i < s->count; i++)
            if (s->tasks[i].lane != l && b->knows[l][s->tasks[i].lane] < s->tasks[i].number)
                plan_touch_add(b, &b->unseen[l], &b->tasks[s->tasks[i].task]);
    }
}

static void join_lanes(plan_builder *b, const bool *used)
{
    uint32_t need[PLAN_MAX_LANES] = { 0 };

    for (uint32_t m = 1; m < PLAN_MAX_LANES; m++)
        if (used[m] && b->knows[0][m] < b->done[m])
            need[m] = b->done[m];
    for (uint32_t m = 1; m < PLAN_MAX_LANES; m++) {
        if (need[m] == 0)
            continue;
        if (implied(b, need, m))
            need[m] = 0;
        else
            push_between(b, PLAN_JOIN, 0, m, PLAN_REASON_SECTIONS, NULL, MOD_NONE);
    }
}

void plan_emit_sections(plan_builder *b, uint32_t sections)
{
    const mod_node *nodes = b->entry->nodes;
    plan_sections state = { 0 };
    bool used[PLAN_MAX_LANES] = { false }, based[PLAN_MAX_LANES] = { true };
    uint32_t position = 0;

    memset(b->done, 0, sizeof b->done);
    memset(b->knows, 0, PLAN_MAX_LANES * sizeof *b->knows);
    fork_lanes(b, sections, based);
    b->sections = &state;
    for (uint32_t s = sections + 1; s < nodes[sections].end; s = nodes[s].end, position++) {
        b->lane = section_lane(b, position);
        used[b->lane] |= has_work(b, s);
        b->node_step[s] = b->plan->step_count;
        plan_emit_range(b, s + 1, nodes[s].end);
    }
    b->lane = 0;
    b->sections = NULL;
    join_lanes(b, used);
    see_sections(b, &state, based);
}
