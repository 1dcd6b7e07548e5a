/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand.c - the canonical client (check.h) around one plan: what the host and other calls do
 * before and after it. Where a class lives for the tasks is read off the plan's own copies.
 */
#include "plan/expand_parts.h"

static bool is_host(const expander *x, uint32_t p)
{
    return x->shape->classes[p] != MOD_NONE &&
           (x->shape->homes[p] == PLAN_HOME_UNKNOWN || x->shape->homes[p] == PLAN_HOME_PINNED);
}

/* An earlier or later call: touches every device array and all scratch. */
static void neighbour(expander *x, const char *label)
{
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        expand_barrier(x, 0);
    expand_node *n = expand_device_node(x, label, MOD_NONE, 0);
    for (uint32_t c = 0; c < x->class_count; c++)
        if (!x->in_place[c] && !x->slots[c])
            n->reads[expand_of_class(x, c, EXPAND_DEVICE)] =
                n->writes[expand_of_class(x, c, EXPAND_DEVICE)] = true;
    for (uint32_t s = 0; s < x->entry->scratch_count; s++)
        n->reads[expand_of_scratch(x, s)] = n->writes[expand_of_scratch(x, s)] = true;
    if (!x->slots[x->class_count]) {
        expand_cells(x, n->reads, plan_cells_all(x->entry));
        expand_cells(x, n->writes, plan_cells_all(x->entry));
    }
}

static void host_writes_arrays(expander *x, const char *label)
{
    expand_node *n = expand_host_node(x, label, MOD_NONE);

    for (uint32_t p = 0; p < x->shape->param_count; p++)
        if (is_host(x, p))
            n->writes[expand_of_class(x, x->shape->classes[p], EXPAND_HOST)] = true;
    n->writes[expand_of_result(x, EXPAND_HOST)] = true;
}

static void host_reads_arrays(expander *x)
{
    expand_node *n = expand_host_node(x, "the host reads what is complete", MOD_NONE);

    for (uint32_t p = 0; p < x->shape->param_count; p++)
        if (is_host(x, p))
            n->reads[expand_of_class(x, x->shape->classes[p], EXPAND_HOST)] = true;
    n->reads[expand_of_result(x, EXPAND_HOST)] = true;
}

static bool any_slot(const expander *x)
{
    for (uint32_t c = 0; c <= x->class_count; c++)
        if (x->slots[c])
            return true;
    return false;
}

/* The launcher waits for a slot before it fills it again: each upload first, or the whole call
 * where tasks use slots; then the refill. */
static void refill_slots(expander *x)
{
    for (uint32_t l = 0; l < EXPAND_LANES && any_slot(x); l++)
        expand_host_waits(x, l);
    for (uint32_t i = 0; i < x->g->count; i++) {
        const expand_node *n = &x->g->nodes[i];
        if (n->step == MOD_NONE)
            continue;
        const plan_step *s = &x->p->steps[n->step];
        if (s->kind == PLAN_UPLOAD && s->move == PLAN_MOVE_STAGED)
            expand_host_waits_node(x, i);
    }
    expand_node *n = expand_host_node(x, "the next call fills the staging slots", MOD_NONE);
    for (uint32_t c = 0; c < x->class_count; c++)
        n->writes[expand_of_class(x, c, x->slots[c] ? EXPAND_DEVICE : EXPAND_STAGE)] = true;
    if (x->slots[x->class_count])
        expand_cells(x, n->writes, plan_cells_all(x->entry));
}

/* Where each class lives for the tasks. */
static void find_in_place(expander *x)
{
    for (uint32_t p = 0; p < x->shape->param_count; p++)
        if (is_host(x, p))
            x->in_place[x->shape->classes[p]] = true;
    for (uint32_t i = 0; i < x->p->step_count; i++) {
        const plan_step *s = &x->p->steps[i];
        bool mapped = s->move == PLAN_MOVE_MAPPED;
        bool moves = s->kind == PLAN_UPLOAD || s->kind == PLAN_DOWNLOAD || s->kind == PLAN_UNSTAGE;
        if (moves && s->index != MOD_NONE) {
            x->in_place[s->index] = false;
            x->slots[s->index] |= mapped;
        }
        if (s->kind == PLAN_SCRATCH && mapped)
            x->slots[x->class_count] = true;
    }
}

void plan_expand(mem_arena *arena, const plan *p, const mod_entry *entry, const plan_shape *shape,
                 const plan_facts *facts, const bool *off, expand_way way, expand_graph *out)
{
    expander x = {
        .arena = arena,
        .p = p,
        .entry = entry,
        .shape = shape,
        .facts = facts,
        .off = off,
        .way = way,
        .g = out,
        .class_count = p->class_count,
    };

    expand_start(&x);
    x.in_place = arena_new(arena, (p->class_count + 1) * sizeof(bool));
    x.slots = arena_new(arena, (p->class_count + 1) * sizeof(bool));
    x.taken = arena_new(arena, (entry->scratch_count + 1) * sizeof(bool));
    find_in_place(&x);

    host_writes_arrays(&x, "the host fills its arrays");
    neighbour(&x, "an earlier call");
    expand_steps(&x);
    host_reads_arrays(&x);
    host_writes_arrays(&x, "the host reuses its arrays");
    refill_slots(&x);
    neighbour(&x, "a later call");
}
