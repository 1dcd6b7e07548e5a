/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tasks.c - the steps of the launch program: control, scratch and tasks. What sections add, the
 * lanes and the edges between them, is sections.c's.
 */
#include <string.h>

#include "plan/plan_parts.h"

static uint32_t push_node(plan_builder *b, plan_kind kind, uint32_t node)
{
    plan_step step = plan_step_of(b, kind, PLAN_REASON_PROGRAM);

    step.node = node;
    return plan_push(b, step);
}

static void count_on_lane(plan_builder *b, uint32_t task)
{
    plan_sections *s = b->sections;

    b->done[b->lane]++;
    if (task == MOD_NONE)
        return;
    s->tasks = arena_grow(b->arena, s->tasks, &s->capacity, s->count + 1, sizeof *s->tasks);
    s->tasks[s->count++] = (plan_lane_task){ task, b->lane, b->done[b->lane] };
}

static void push_knowing(plan_builder *b, plan_kind kind, uint32_t node, plan_reason reason,
                         uint32_t task)
{
    plan_step step = plan_step_of(b, kind, reason);

    step.because[1] = task;
    if (kind == PLAN_DOWNLOAD)
        step.move = PLAN_MOVE_STAGED;
    if (kind == PLAN_DOWNLOAD || kind == PLAN_HOST_WAIT)
        step.node = node;
    plan_push(b, step);
}

/* The host waits for cells that it must know. */
static void emit_knowing(plan_builder *b, uint32_t node, plan_reason reason, uint32_t task)
{
    if (b->polls[node])
        push_knowing(b, PLAN_BARRIER, node, reason, task);
    if (!b->cells_mapped)
        push_knowing(b, PLAN_DOWNLOAD, node, reason, task);
    if (b->facts->family == PLAN_FAMILY_QUEUE)
        push_knowing(b, PLAN_SUBMIT, node, reason, task);
    push_knowing(b, PLAN_HOST_WAIT, node, reason, task);
    if (b->sections)
        plan_host_waited(b);
}

static void emit_task(plan_builder *b, uint32_t node)
{
    uint32_t task = b->entry->nodes[node].first;

    if (b->sections)
        plan_order_task(b, b->sections, task);
    if (plan_bounds_wanted(&b->entry->tasks[task], b->facts))
        emit_knowing(b, node, PLAN_REASON_BOUNDS, task);
    if (b->barriers[task].stands) {
        const plan_barrier *why = &b->barriers[task];
        plan_step step = plan_step_of(b, PLAN_BARRIER,
                                      why->entry  ? PLAN_REASON_ENTRY
                                      : why->copy ? PLAN_REASON_MOVED
                                                  : PLAN_REASON_CONFLICT);
        step.because[0] = why->because;
        step.because[1] = task;
        step.again = why->again;
        step.array = why->array;
        plan_push(b, step);
    }
    uint32_t at = push_node(b, PLAN_TASK, node);
    b->plan->steps[at].index = task;
    if (b->sections)
        count_on_lane(b, task);
    for (uint32_t l = 1; l < PLAN_MAX_LANES && !b->sections; l++)
        plan_touch_add(b, &b->unseen[l], &b->tasks[task]);
}

static void emit_take(plan_builder *b, uint32_t node)
{
    uint32_t at = push_node(b, PLAN_SCRATCH, node);

    b->plan->steps[at].index = b->entry->nodes[node].first;
    if (b->sections)
        count_on_lane(b, MOD_NONE);
}

/* Lanes know what they know both ways, and have not seen what they have not seen one way. */
static void merge_ways(plan_builder *b, uint32_t (*after)[PLAN_MAX_LANES], const plan_touch *unseen)
{
    for (uint32_t l = 0; l < PLAN_MAX_LANES; l++) {
        for (uint32_t m = 0; m < PLAN_MAX_LANES; m++)
            if (after[l][m] < b->knows[l][m])
                b->knows[l][m] = after[l][m];
        plan_touch_add(b, &b->unseen[l], &unseen[l]);
    }
}

static void copy_unseen(plan_builder *b, plan_touch *to, const plan_touch *from)
{
    for (uint32_t l = 0; l < PLAN_MAX_LANES; l++) {
        plan_touch_clear(b, &to[l]);
        plan_touch_add(b, &to[l], &from[l]);
    }
}

static void emit_if(plan_builder *b, uint32_t node)
{
    const mod_node *n = &b->entry->nodes[node];
    uint32_t at = push_node(b, PLAN_IF, node);
    uint32_t before[PLAN_MAX_LANES][PLAN_MAX_LANES], after[PLAN_MAX_LANES][PLAN_MAX_LANES];

    plan_touch unseen_before[PLAN_MAX_LANES], unseen_after[PLAN_MAX_LANES];

    plan_touch_new(b, unseen_before, PLAN_MAX_LANES);
    plan_touch_new(b, unseen_after, PLAN_MAX_LANES);
    memcpy(before, b->knows, sizeof before);
    copy_unseen(b, unseen_before, b->unseen);
    plan_emit_range(b, node + 1, n->other);
    memcpy(after, b->knows, sizeof after);
    copy_unseen(b, unseen_after, b->unseen);
    memcpy(b->knows, before, sizeof before);
    copy_unseen(b, b->unseen, unseen_before);
    b->plan->steps[at].other = b->plan->step_count;
    plan_emit_range(b, n->other, n->end);
    b->plan->steps[at].end = b->plan->step_count;
    merge_ways(b, after, unseen_after);
}

/* The host reads a device loop's condition after some of its passes; that needs a wait where tasks
 * outlive their call. */
static void emit_poll(plan_builder *b, uint32_t node)
{
    if (b->facts->holds[PLAN_FACT_runs_before_return]) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_runs_before_return,
                  "before the loop's condition is read");
        return;
    }
    if (b->facts->family == PLAN_FAMILY_QUEUE && !b->waits[node]) {
        plan_omit(b, PLAN_HOST_WAIT, MOD_NONE, PLAN_FACT_device_memory_mapped,
                  "before the loop's condition is read: the host has waited for what computes it");
        return;
    }
    emit_knowing(b, node, PLAN_REASON_POLL, MOD_NONE);
}

/* What came before may be an earlier pass of the loop, or what was before it: lanes have seen none
 * of it for sure. */
static void forget_seen(plan_builder *b)
{
    for (uint32_t l = 1; l < PLAN_MAX_LANES && !b->sections; l++)
        plan_touch_all(b, &b->unseen[l]);
}

/* A loop may run no pass: the lanes know no more after it than before. */
static void emit_loop(plan_builder *b, plan_kind kind, uint32_t node)
{
    uint32_t end = b->entry->nodes[node].end;
    uint32_t at = push_node(b, kind, node);
    uint32_t before[PLAN_MAX_LANES][PLAN_MAX_LANES];

    memcpy(before, b->knows, sizeof before);
    forget_seen(b);
    plan_emit_range(b, node + 1, end);
    forget_seen(b);
    memcpy(b->knows, before, sizeof before);
    if (kind == PLAN_DEVICE_LOOP)
        emit_poll(b, node);
    b->plan->steps[at].end = b->plan->step_count;
    for (uint32_t i = at + 1; i < b->plan->step_count; i++) {
        plan_step *s = &b->plan->steps[i];
        if (s->kind == PLAN_CONTINUE && s->other == 0) {
            uint32_t target = b->entry->nodes[s->node].other;
            s->other = target == end ? b->plan->step_count : b->node_step[target];
        }
    }
}

void plan_emit_range(plan_builder *b, uint32_t first, uint32_t end)
{
    for (uint32_t k = first; k < end; k = b->entry->nodes[k].end) {
        b->node_step[k] = b->plan->step_count;
        switch (b->entry->nodes[k].kind) {
        case MOD_EVAL:
            if (b->entry->nodes[k].count > 0)
                push_node(b, PLAN_EVAL, k);
            break;
        case MOD_TASK:
            emit_task(b, k);
            break;
        case MOD_TAKE:
            emit_take(b, k);
            break;
        case MOD_IF:
            emit_if(b, k);
            break;
        case MOD_LOOP:
            emit_loop(b, PLAN_LOOP, k);
            break;
        case MOD_DEVICE_LOOP:
            emit_loop(b, PLAN_DEVICE_LOOP, k);
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
            plan_emit_sections(b, k);
            break;
        case MOD_SECTION:
            break;
        }
    }
}

void plan_emit_program(plan_builder *b)
{
    plan_touch_new(b, b->unseen, PLAN_MAX_LANES);
    forget_seen(b);
    plan_emit_range(b, 0, b->entry->node_count);
}
