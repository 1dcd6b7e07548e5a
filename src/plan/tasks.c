/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks.c - the steps of the launch program: control, scratch, tasks, and the edges of sections.
 *
 * Section 0 stays on the call's lane, the others get lanes of their own where the family has them. A
 * lane forks once, before any section runs, and joins after all; between sections that touch the
 * same memory an edge in source order keeps the serial meaning. An edge that others imply is left
 * out, so that each one made is needed.
 */
#include <string.h>

#include "plan/plan_parts.h"

static void emit_range(plan_builder *b, uint32_t first, uint32_t end);

static uint32_t push_node(plan_builder *b, plan_kind kind, uint32_t node)
{
    plan_step step = plan_step_of(b, kind, PLAN_REASON_PROGRAM);

    step.node = node;
    return plan_push(b, step);
}

/* ---- edges between lanes -------------------------------------------------------------------------- */

/* After the edge, `lane` knows what `from` knows, and all of from's own tasks. */
static void learn(plan_builder *b, uint32_t lane, uint32_t from)
{
    for (uint32_t m = 0; m < PLAN_MAX_LANES; m++)
        if (b->knows[from][m] > b->knows[lane][m])
            b->knows[lane][m] = b->knows[from][m];
    if (b->done[from] > b->knows[lane][from])
        b->knows[lane][from] = b->done[from];
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

/* The edges that `task` needs before it runs on the builder's lane: one from each lane whose tasks it conflicts
 * with and does not already follow. */
static void order_task(plan_builder *b, const plan_sections *s, uint32_t task)
{
    uint32_t need[PLAN_MAX_LANES] = { 0 }, because[PLAN_MAX_LANES][2], array[PLAN_MAX_LANES];

    for (uint32_t i = 0; i < s->count; i++) {
        const plan_lane_task *t = &s->tasks[i];
        uint32_t both = t->lane == b->lane ? MOD_NONE
                                           : plan_conflict(b, &b->tasks[t->task], &b->tasks[task]);
        if (both == MOD_NONE || b->knows[b->lane][t->lane] >= t->number)
            continue;
        need[t->lane] = t->number;
        because[t->lane][0] = t->task;
        because[t->lane][1] = task;
        array[t->lane] = both;
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

/* ---- sections ------------------------------------------------------------------------------------------ */

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

/* Does the section begin with a task that will get an edge from an earlier section of another lane? That edge then
 * stands for the fork. Only a task that always runs first counts. */
static bool first_task_gets_edge(const plan_builder *b, uint32_t sections, uint32_t section,
                                 uint32_t lane)
{
    const mod_node *nodes = b->entry->nodes;
    uint32_t k = section + 1, position = 0;

    while (k < nodes[section].end && nodes[k].kind == MOD_EVAL)
        k = nodes[k].end;
    if (k >= nodes[section].end || nodes[k].kind != MOD_TASK)
        return false;
    for (uint32_t s = sections + 1; s < section; s = nodes[s].end, position++) {
        if (section_lane(b, position) == lane)
            continue;
        for (uint32_t j = s + 1; j < nodes[s].end; j++)
            if (nodes[j].kind == MOD_TASK &&
                plan_conflict(b, &b->tasks[nodes[j].first], &b->tasks[nodes[k].first]) != MOD_NONE)
                return true;
    }
    return false;
}

static void fork_lanes(plan_builder *b, uint32_t sections)
{
    const mod_node *nodes = b->entry->nodes;
    bool forked[PLAN_MAX_LANES] = { true };
    uint32_t position = 0;

    for (uint32_t s = sections + 1; s < nodes[sections].end; s = nodes[s].end, position++) {
        uint32_t lane = section_lane(b, position);
        if (forked[lane] || !has_work(b, s))
            continue;
        forked[lane] = true;
        if (!first_task_gets_edge(b, sections, s, lane))
            push_between(b, PLAN_FORK, lane, 0, PLAN_REASON_SECTIONS, NULL, MOD_NONE);
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

static void emit_sections(plan_builder *b, uint32_t sections)
{
    const mod_node *nodes = b->entry->nodes;
    plan_sections state = { 0 };
    bool used[PLAN_MAX_LANES] = { false };
    uint32_t position = 0;

    memset(b->done, 0, sizeof b->done);
    memset(b->knows, 0, PLAN_MAX_LANES * sizeof *b->knows);
    fork_lanes(b, sections);
    b->sections = &state;
    for (uint32_t s = sections + 1; s < nodes[sections].end; s = nodes[s].end, position++) {
        b->lane = section_lane(b, position);
        used[b->lane] |= has_work(b, s);
        b->node_step[s] = b->plan->step_count;
        emit_range(b, s + 1, nodes[s].end);
    }
    b->lane = 0;
    b->sections = NULL;
    join_lanes(b, used);
}

/* ---- the program ---------------------------------------------------------------------------------------- */

static void count_on_lane(plan_builder *b, uint32_t task)
{
    plan_sections *s = b->sections;

    b->done[b->lane]++;
    if (task == MOD_NONE)
        return;
    s->tasks = arena_grow(b->arena, s->tasks, &s->capacity, s->count + 1, sizeof *s->tasks);
    s->tasks[s->count++] = (plan_lane_task){ task, b->lane, b->done[b->lane] };
}

static void emit_task(plan_builder *b, uint32_t node)
{
    uint32_t task = b->entry->nodes[node].first;

    if (b->sections)
        order_task(b, b->sections, task);
    if (b->barriers[task].stands) {
        const plan_barrier *why = &b->barriers[task];
        plan_step step = plan_step_of(b, PLAN_BARRIER, why->because == MOD_NONE
                                                           ? PLAN_REASON_MOVED
                                                           : PLAN_REASON_CONFLICT);
        step.because[0] = why->because;
        step.because[1] = task;
        step.array = why->array;
        plan_push(b, step);
    }
    uint32_t at = push_node(b, PLAN_TASK, node);
    b->plan->steps[at].index = task;
    if (b->sections)
        count_on_lane(b, task);
}

static void emit_take(plan_builder *b, uint32_t node)
{
    uint32_t at = push_node(b, PLAN_SCRATCH, node);

    b->plan->steps[at].index = b->entry->nodes[node].first;
    if (b->sections)
        count_on_lane(b, MOD_NONE);
}

static void emit_if(plan_builder *b, uint32_t node)
{
    const mod_node *n = &b->entry->nodes[node];
    uint32_t at = push_node(b, PLAN_IF, node);

    emit_range(b, node + 1, n->other);
    b->plan->steps[at].other = b->plan->step_count;
    emit_range(b, n->other, n->end);
    b->plan->steps[at].end = b->plan->step_count;
}

/* The host reads a device loop's condition once a pass; that needs a wait where tasks outlive their call. */
static void emit_poll(plan_builder *b)
{
    if (b->facts->holds[PLAN_FACT_runs_before_return]) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_runs_before_return,
                  "before the loop's condition is read");
        return;
    }
    if (b->facts->family == PLAN_FAMILY_QUEUE)
        plan_push(b, plan_step_of(b, PLAN_SUBMIT, PLAN_REASON_POLL));
    plan_push(b, plan_step_of(b, PLAN_HOST_WAIT, PLAN_REASON_POLL));
}

static void emit_loop(plan_builder *b, plan_kind kind, uint32_t node)
{
    uint32_t end = b->entry->nodes[node].end;
    uint32_t at = push_node(b, kind, node);

    emit_range(b, node + 1, end);
    if (kind == PLAN_DEVICE_LOOP)
        emit_poll(b);
    b->plan->steps[at].end = b->plan->step_count;
    for (uint32_t i = at + 1; i < b->plan->step_count; i++) {
        plan_step *s = &b->plan->steps[i];
        if (s->kind == PLAN_CONTINUE && s->other == 0) {
            uint32_t target = b->entry->nodes[s->node].other;
            s->other = target == end ? b->plan->step_count : b->node_step[target];
        }
    }
}

/* What runs only sometimes orders nothing after it: the lanes know no more than before. */
static void emit_nested(plan_builder *b, uint32_t node)
{
    uint32_t before[PLAN_MAX_LANES][PLAN_MAX_LANES];

    memcpy(before, b->knows, sizeof before);
    if (b->entry->nodes[node].kind == MOD_IF)
        emit_if(b, node);
    else if (b->entry->nodes[node].kind == MOD_LOOP)
        emit_loop(b, PLAN_LOOP, node);
    else
        emit_loop(b, PLAN_DEVICE_LOOP, node);
    memcpy(b->knows, before, sizeof before);
}

static void emit_range(plan_builder *b, uint32_t first, uint32_t end)
{
    for (uint32_t k = first; k < end; k = b->entry->nodes[k].end) {
        b->node_step[k] = b->plan->step_count;
        switch (b->entry->nodes[k].kind) {
        case MOD_EVAL:
            push_node(b, PLAN_EVAL, k);
            break;
        case MOD_TASK:
            emit_task(b, k);
            break;
        case MOD_TAKE:
            emit_take(b, k);
            break;
        case MOD_IF:
        case MOD_LOOP:
        case MOD_DEVICE_LOOP:
            emit_nested(b, k);
            break;
        case MOD_BREAK:
            push_node(b, PLAN_BREAK, k);
            break;
        case MOD_CONTINUE:
            push_node(b, PLAN_CONTINUE, k);
            break;
        case MOD_RETURN:
            push_node(b, PLAN_RETURN, k);
            break;
        case MOD_SECTIONS:
            emit_sections(b, k);
            break;
        case MOD_SECTION:
            break;
        }
    }
}

void plan_emit_program(plan_builder *b)
{
    emit_range(b, 0, b->entry->node_count);
}
