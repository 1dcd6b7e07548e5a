/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barriers.c - queue family: before which tasks a barrier stands.
 *
 * Walks the program as it may run and keeps what has been touched since the last barrier. A task that
 * conflicts with that gets a barrier, for good: a loop is walked twice, so that its second pass
 * sees what its first one touched, and the walk is repeated until no barrier is added.
 */
#include <string.h>

#include "plan/plan_parts.h"

/* Touched since the last barrier. */
typedef struct pending {
    plan_touch touch;
    uint32_t *last; /* [object_count]: the task that touched it last, MOD_NONE for a copy */
} pending;

typedef struct walk {
    plan_builder *b;
    bool changed;
} walk;

static pending pending_new(const plan_builder *b)
{
    pending p = { .touch = { arena_new(b->arena, b->words * sizeof(uint64_t)),
                             arena_new(b->arena, b->words * sizeof(uint64_t)) },
                  .last = arena_new(b->arena, b->object_count * sizeof(uint32_t)) };

    memset(p.last, 0xff, b->object_count * sizeof(uint32_t));
    return p;
}

static void pending_copy(const plan_builder *b, pending *to, const pending *from)
{
    memcpy(to->touch.reads, from->touch.reads, b->words * sizeof(uint64_t));
    memcpy(to->touch.writes, from->touch.writes, b->words * sizeof(uint64_t));
    memcpy(to->last, from->last, b->object_count * sizeof(uint32_t));
}

static void pending_merge(const plan_builder *b, pending *into, const pending *from)
{
    for (uint32_t w = 0; w < b->words; w++) {
        into->touch.reads[w] |= from->touch.reads[w];
        into->touch.writes[w] |= from->touch.writes[w];
    }
    for (uint32_t o = 0; o < b->object_count; o++)
        if (into->last[o] == MOD_NONE)
            into->last[o] = from->last[o];
}

static void pending_add(const plan_builder *b, pending *p, const plan_touch *touch, uint32_t task)
{
    for (uint32_t o = 0; o < b->object_count; o++)
        if ((touch->reads[o / 64] | touch->writes[o / 64]) >> (o % 64) & 1)
            p->last[o] = task;
    for (uint32_t w = 0; w < b->words; w++) {
        p->touch.reads[w] |= touch->reads[w];
        p->touch.writes[w] |= touch->writes[w];
    }
}

static void visit_task(walk *w, uint32_t task, pending *p)
{
    plan_builder *b = w->b;
    const plan_touch *touch = &b->tasks[task];
    uint32_t array = plan_conflict(b, &p->touch, touch);

    if (array != MOD_NONE && !b->barriers[task].stands) {
        b->barriers[task] = (plan_barrier){ true, p->last[plan_object(b, array)], array };
        w->changed = true;
    }
    if (b->barriers[task].stands) {
        pending fresh = pending_new(b);
        pending_copy(b, p, &fresh);
    }
    pending_add(b, p, touch, task);
}

static void visit_range(walk *w, uint32_t first, uint32_t end, pending *p);

static void visit_if(walk *w, uint32_t node, pending *p)
{
    const mod_node *n = &w->b->entry->nodes[node];
    pending other = pending_new(w->b);

    pending_copy(w->b, &other, p);
    visit_range(w, node + 1, n->other, p);
    visit_range(w, n->other, n->end, &other);
    pending_merge(w->b, p, &other);
}

/* A loop may run never, once or often, and be left in the middle: what it touched anywhere counts after it. */
static void visit_loop(walk *w, uint32_t node, pending *p)
{
    const mod_node *n = &w->b->entry->nodes[node];
    pending before = pending_new(w->b);

    pending_copy(w->b, &before, p);
    for (int pass = 0; pass < 2; pass++)
        visit_range(w, node + 1, n->end, p);
    pending_merge(w->b, p, &before);
    for (uint32_t k = node + 1; k < n->end; k++)
        if (w->b->entry->nodes[k].kind == MOD_TASK)
            pending_add(w->b, p, &w->b->tasks[w->b->entry->nodes[k].first],
                        w->b->entry->nodes[k].first);
}

static void visit_range(walk *w, uint32_t first, uint32_t end, pending *p)
{
    for (uint32_t k = first; k < end; k = w->b->entry->nodes[k].end) {
        switch (w->b->entry->nodes[k].kind) {
        case MOD_TASK:
            visit_task(w, w->b->entry->nodes[k].first, p);
            break;
        case MOD_IF:
            visit_if(w, k, p);
            break;
        case MOD_LOOP:
        case MOD_DEVICE_LOOP:
            visit_loop(w, k, p);
            break;
        case MOD_SECTIONS:
        case MOD_SECTION:
            visit_range(w, k + 1, w->b->entry->nodes[k].end, p);
            break;
        case MOD_EVAL:
        case MOD_TAKE:
        case MOD_BREAK:
        case MOD_CONTINUE:
        case MOD_RETURN:
            break;
        }
    }
}

/* What the copies before the program, and the zeroing of the cells, have written. */
static void add_uploads(const plan_builder *b, pending *p)
{
    for (uint32_t c = 0; c < b->class_count; c++)
        if (b->classes[c].up == PLAN_MOVE_STAGED || b->classes[c].up == PLAN_MOVE_DIRECT)
            p->touch.writes[c / 64] |= (uint64_t)1 << (c % 64);
    if (b->entry->cells_bytes > 0)
        p->touch.writes[(b->object_count - 1) / 64] |= (uint64_t)1 << ((b->object_count - 1) % 64);
}

static bool downloads_conflict(const plan_builder *b, const pending *p)
{
    for (uint32_t c = 0; c < b->class_count; c++)
        if ((b->classes[c].down == PLAN_MOVE_STAGED || b->classes[c].down == PLAN_MOVE_DIRECT) &&
            p->touch.writes[c / 64] >> (c % 64) & 1)
            return true;
    return plan_result_wanted(b->entry, b->shape) &&
           p->touch.writes[(b->object_count - 1) / 64] >> ((b->object_count - 1) % 64) & 1;
}

void plan_place_barriers(plan_builder *b)
{
    walk w = { .b = b };
    pending p;

    do {
        w.changed = false;
        p = pending_new(b);
        add_uploads(b, &p);
        visit_range(&w, 0, b->entry->node_count, &p);
    } while (w.changed);
    b->last_barrier = downloads_conflict(b, &p);
}
