/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barriers.c - queue family: before which tasks a barrier stands.
 *
 * Walks the program as it may run and keeps what has been touched since the last barrier. A task
 * that conflicts with that gets a barrier: a loop is walked twice, so that its second pass sees
 * what its first one touched, a loop of the device ends with a host wait, and the walk is repeated
 * until no barrier is added. Then each barrier that the others have made unneeded is taken away
 * again.
 */
#include <string.h>

#include "plan/plan_parts.h"

/* Touched since the last barrier; and by this call since the host last waited. */
typedef struct pending {
    plan_touch touch, flight;
    uint32_t *last; /* [object_count]: the task that touched it last, MOD_NONE for a copy */
    bool earlier;   /* an earlier call on this stream may still touch anything */
    bool nowhere;   /* no way through the program comes by: it has jumped away */
} pending;

/* A loop being walked: what is pending where it is left, and where its next pass goes on early. */
typedef struct frame {
    pending broke, continued;
    uint32_t target; /* the node that `continued` goes on at; MOD_NONE: none */
} frame;

typedef struct walk {
    plan_builder *b;
    frame *loop;      /* the innermost; NULL outside loops */
    pending returned; /* pending wherever the launch may end early */
    bool place;       /* put a barrier where a conflict is; else only see that there is one */
    bool conflict;    /* some task was met that has no barrier and needs one */
} walk;

static pending pending_new(plan_builder *b)
{
    pending p = { .last = arena_new(b->arena, b->object_count * sizeof(uint32_t)) };

    plan_touch_new(b, &p.touch, 1);
    plan_touch_new(b, &p.flight, 1);
    memset(p.last, 0xff, b->object_count * sizeof(uint32_t));
    return p;
}

static void pending_copy(const plan_builder *b, pending *to, const pending *from)
{
    plan_touch_clear(b, &to->touch);
    plan_touch_add(b, &to->touch, &from->touch);
    plan_touch_clear(b, &to->flight);
    plan_touch_add(b, &to->flight, &from->flight);
    memcpy(to->last, from->last, b->object_count * sizeof(uint32_t));
    to->earlier = from->earlier;
    to->nowhere = from->nowhere;
}

static void pending_merge(const plan_builder *b, pending *into, const pending *from)
{
    if (from->nowhere)
        return;
    if (into->nowhere) {
        pending_copy(b, into, from);
        return;
    }
    plan_touch_add(b, &into->touch, &from->touch);
    plan_touch_add(b, &into->flight, &from->flight);
    into->earlier |= from->earlier;
    for (uint32_t o = 0; o < b->object_count; o++)
        if (into->last[o] == MOD_NONE)
            into->last[o] = from->last[o];
}

static void pending_add(const plan_builder *b, pending *p, const plan_touch *touch, uint32_t task)
{
    for (uint32_t o = 0; o < b->object_count; o++)
        if ((touch->reads[o / 64] | touch->writes[o / 64]) >> (o % 64) & 1)
            p->last[o] = task;
    plan_touch_add(b, &p->touch, touch);
    plan_touch_add(b, &p->flight, touch);
}

static void pass_barrier(const plan_builder *b, pending *p)
{
    plan_touch_clear(b, &p->touch);
    memset(p->last, 0xff, b->object_count * sizeof(uint32_t));
    p->earlier = false;
}

/* The host waits for what it must know; the copy of it is behind a barrier where a task may have
 * written it. The condition of a loop that the host sees where it lies may have been waited for; a
 * wait that some way needs stands on all, in each walk. */
static void visit_wait(walk *w, uint32_t node, pending *p)
{
    plan_builder *b = w->b;
    const mod_node *n = &b->entry->nodes[node];
    plan_span known = plan_cells_known(b->entry, n);

    if (b->cells_mapped && n->kind == MOD_DEVICE_LOOP && !b->waits[node] &&
        !plan_cells_in(b, p->flight.writes, known))
        return;
    b->waits[node] = true;
    b->polls[node] |= !b->cells_mapped && plan_cells_in(b, p->touch.writes, known);
    pass_barrier(b, p);
    plan_touch_clear(b, &p->flight);
}

/* What the barrier before the task is there for, on the way at hand. Tasks are numbered as the
 * program has them: a later one has run in a pass before. */
static void add_causes(plan_builder *b, const pending *p, uint32_t task)
{
    plan_barrier *why = &b->barriers[task];
    const plan_touch *touch = &b->tasks[task];

    for (uint32_t o = plan_conflict(b, &p->touch, touch); o < b->object_count;
         o = plan_conflict_from(b, &p->touch, touch, o + 1)) {
        uint32_t last = p->last[o];
        bool copy = last == MOD_NONE && !p->earlier;

        if (why->array == MOD_NONE || (copy && !why->copy))
            why->array = plan_array_of(b, o);
        why->copy |= copy;
        why->entry |= last == MOD_NONE && p->earlier;
        if (last != MOD_NONE && last < task && why->because == MOD_NONE)
            why->because = last;
        if (last != MOD_NONE && last >= task && why->again == MOD_NONE)
            why->again = last;
    }
}

static void forget_causes(plan_builder *b)
{
    for (uint32_t t = 0; t < b->entry->task_count; t++)
        b->barriers[t] =
            (plan_barrier){ b->barriers[t].stands, false, false, MOD_NONE, MOD_NONE, MOD_NONE };
}

static void visit_task(walk *w, uint32_t node, pending *p)
{
    plan_builder *b = w->b;
    uint32_t task = b->entry->nodes[node].first;
    const plan_touch *touch = &b->tasks[task];

    if (p->nowhere)
        return;
    if (plan_bounds_wanted(&b->entry->tasks[task], b->facts))
        visit_wait(w, node, p);
    uint32_t object = plan_conflict(b, &p->touch, touch);

    if (object != MOD_NONE && !b->barriers[task].stands) {
        b->barriers[task].stands = w->place;
        w->conflict = true;
    }
    if (b->barriers[task].stands) {
        add_causes(b, p, task);
        pass_barrier(b, p);
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

/* A loop may run never, once or often. */
static void visit_loop(walk *w, uint32_t node, pending *p)
{
    const mod_node *n = &w->b->entry->nodes[node];
    frame *outer = w->loop;
    frame here = { pending_new(w->b), pending_new(w->b), MOD_NONE };
    pending before = pending_new(w->b);

    w->loop = &here;
    pending_copy(w->b, &before, p);
    for (int pass = 0; pass < 2; pass++) {
        visit_range(w, node + 1, n->end, p);
        if (here.target == n->end)
            pending_merge(w->b, p, &here.continued);
    }
    w->loop = outer;
    pending_merge(w->b, p, &before);
    pending_merge(w->b, p, &here.broke);
}

/* A loop of the device runs at least once, and the host has waited for its last pass. */
static void visit_device_loop(walk *w, uint32_t node, pending *p)
{
    for (int pass = 0; pass < 2; pass++)
        visit_range(w, node + 1, w->b->entry->nodes[node].end, p);
    visit_wait(w, node, p);
}

/* What follows comes by another way, unless the jump has a condition. */
static void visit_jump(walk *w, const mod_node *n, pending *p)
{
    if (n->kind == MOD_RETURN || !w->loop) {
        pending_merge(w->b, &w->returned, p);
    } else if (n->kind == MOD_BREAK) {
        pending_merge(w->b, &w->loop->broke, p);
    } else {
        pending_merge(w->b, &w->loop->continued, p);
        w->loop->target = n->other;
    }
    p->nowhere = p->nowhere || n->kind != MOD_BREAK || n->cond == MOD_NONE;
}

static void visit_range(walk *w, uint32_t first, uint32_t end, pending *p)
{
    for (uint32_t k = first; k < end; k = w->b->entry->nodes[k].end) {
        if (w->loop && w->loop->target == k)
            pending_merge(w->b, p, &w->loop->continued);
        switch (w->b->entry->nodes[k].kind) {
        case MOD_TASK:
            visit_task(w, k, p);
            break;
        case MOD_IF:
            visit_if(w, k, p);
            break;
        case MOD_LOOP:
            visit_loop(w, k, p);
            break;
        case MOD_DEVICE_LOOP:
            visit_device_loop(w, k, p);
            break;
        case MOD_SECTIONS:
        case MOD_SECTION:
            visit_range(w, k + 1, w->b->entry->nodes[k].end, p);
            break;
        case MOD_BREAK:
        case MOD_CONTINUE:
        case MOD_RETURN:
            visit_jump(w, &w->b->entry->nodes[k], p);
            break;
        case MOD_EVAL:
        case MOD_TAKE:
            break;
        }
    }
}

/* Is what tasks use of the class this call's alone? Memory used in place: such a call ends before
 * it returns. A slot: the call has it until it ends. */
static bool is_own(const plan_class *c)
{
    return c->up == PLAN_MOVE_IN_PLACE || c->down == PLAN_MOVE_IN_PLACE ||
           c->up == PLAN_MOVE_MAPPED || c->down == PLAN_MOVE_MAPPED;
}

static void forget(pending *p, uint32_t object)
{
    p->touch.reads[object / 64] &= ~((uint64_t)1 << (object % 64));
    p->touch.writes[object / 64] &= ~((uint64_t)1 << (object % 64));
}

/* What comes before the program: copies and the zeroing of the cells, behind a barrier of their
 * own; or whatever an earlier call on this stream still does. */
static void add_before(const plan_builder *b, pending *p)
{
    if (!plan_copies_first(b)) {
        plan_touch_all(b, &p->touch);
        for (uint32_t c = 0; c < b->class_count; c++)
            if (is_own(&b->classes[c]))
                forget(p, c);
        if (b->cells_mapped) {
            plan_cells_drop(b, p->touch.reads);
            plan_cells_drop(b, p->touch.writes);
        }
        p->earlier = true;
        return;
    }
    for (uint32_t c = 0; c < b->class_count; c++)
        if (b->classes[c].up == PLAN_MOVE_STAGED || b->classes[c].up == PLAN_MOVE_DIRECT)
            p->touch.writes[c / 64] |= (uint64_t)1 << (c % 64);
    plan_touch_add(b, &p->flight, &p->touch);
    if (b->entry->cells_bytes > 0 && !b->cells_mapped)
        plan_cells_add(b, p->touch.writes, plan_cells_all(b->entry));
}

static bool downloads_conflict(const plan_builder *b, const pending *p)
{
    for (uint32_t c = 0; c < b->class_count; c++)
        if ((b->classes[c].down == PLAN_MOVE_STAGED || b->classes[c].down == PLAN_MOVE_DIRECT) &&
            p->touch.writes[c / 64] >> (c % 64) & 1)
            return true;
    return plan_result_wanted(b->entry, b->shape) && !b->cells_mapped &&
           plan_cells_in(b, p->touch.writes, plan_cells_result(b->entry));
}

static bool written(const plan_touch *touch, uint32_t object)
{
    return touch->writes[object / 64] >> (object % 64) & 1;
}

static bool touched(const plan_touch *touch, uint32_t object)
{
    return written(touch, object) || (touch->reads[object / 64] >> (object % 64) & 1);
}

/* May the device still use memory that the host sees or reuses when the call is over? */
static bool host_is_concerned(const plan_builder *b, const pending *p)
{
    for (uint32_t c = 0; c < b->class_count; c++) {
        const plan_class *class = &b->classes[c];
        bool slot = class->down == PLAN_MOVE_MAPPED;
        bool in_place = class->up == PLAN_MOVE_IN_PLACE || class->down == PLAN_MOVE_IN_PLACE ||
                        class->up == PLAN_MOVE_DIRECT;
        if ((slot && written(&p->flight, c)) || (in_place && touched(&p->flight, c)))
            return true;
    }
    return plan_result_wanted(b->entry, b->shape) && b->cells_mapped &&
           plan_cells_in(b, p->flight.writes, plan_cells_result(b->entry));
}

bool plan_copies_first(const plan_builder *b)
{
    for (uint32_t c = 0; c < b->class_count; c++)
        if (b->classes[c].up == PLAN_MOVE_STAGED || b->classes[c].up == PLAN_MOVE_DIRECT)
            return true;
    return b->entry->cells_bytes > 0 && !b->cells_mapped;
}

/* Walks the whole program; true if it met a conflict without a barrier. *out_end is what is pending
 * after it. */
static bool walk_program(plan_builder *b, bool place, pending *out_end)
{
    walk w = { .b = b, .place = place, .returned = pending_new(b) };

    *out_end = pending_new(b);
    memset(b->polls, 0, b->entry->node_count * sizeof *b->polls);
    add_before(b, out_end);
    visit_range(&w, 0, b->entry->node_count, out_end);
    pending_merge(b, out_end, &w.returned);
    return w.conflict;
}

void plan_place_barriers(plan_builder *b)
{
    pending end;

    while (walk_program(b, true, &end))
        continue;
    for (uint32_t t = 0; t < b->entry->task_count; t++) {
        if (!b->barriers[t].stands)
            continue;
        b->barriers[t].stands = false;
        b->barriers[t].stands = walk_program(b, false, &end);
    }
    forget_causes(b);
    walk_program(b, false, &end);
    b->last_barrier = downloads_conflict(b, &end);
    b->all_ended = !host_is_concerned(b, &end);
}
