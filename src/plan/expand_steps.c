/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand_steps.c - the steps of a plan as nodes of its graph, along one way through the program.
 *
 * Knows the steps and the family's lane rule, and nothing of how plans are made.
 */
#include "plan/expand_parts.h"

typedef enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } flow;

/* ---- what steps do --------------------------------------------------------------------------- */

/* The copy target of a class, or of the result. */
static uint32_t copied(const expander *x, uint32_t class, expand_part part)
{
    return class != MOD_NONE ? expand_of_class(x, class, part) : expand_of_result(x, part);
}

/* What the copy of a step takes from the device: of a class; of the result, or of what the host
 * must know, in the cells. */
static void read_copied(const expander *x, expand_node *n, const plan_step *s)
{
    if (s->index != MOD_NONE)
        n->reads[expand_of_class(x, s->index, EXPAND_DEVICE)] = true;
    else if (s->node == MOD_NONE)
        expand_cells(x, n->reads, plan_cells_result(x->entry));
    else
        expand_cells(x, n->reads, plan_cells_known(x->entry, &x->entry->nodes[s->node]));
}

static void touch_array(expander *x, expand_node *n, uint32_t array, uint32_t flags)
{
    uint32_t memory;

    if (array == x->entry->param_count + x->entry->scratch_count) {
        return; /* plan_cells_of_task tells of them */
    } else if (array >= x->entry->param_count) {
        memory = expand_of_scratch(x, array - x->entry->param_count);
    } else {
        uint32_t class = x->shape->classes[array];
        memory = expand_of_class(x, class, x->in_place[class] ? EXPAND_HOST : EXPAND_DEVICE);
    }
    n->reads[memory] |= (flags & MOD_READ) != 0;
    n->writes[memory] |= (flags & MOD_WRITE) != 0;
}

typedef struct touching {
    const expander *x;
    expand_node *n;
} touching;

static void touch_cells(void *user, plan_span bytes, uint32_t flags)
{
    const touching *t = user;

    if (flags & MOD_READ)
        expand_cells(t->x, t->n->reads, bytes);
    if (flags & MOD_WRITE)
        expand_cells(t->x, t->n->writes, bytes);
}

static void run_task(expander *x, uint32_t step, uint32_t task, uint32_t lane)
{
    const mod_task *t = &x->entry->tasks[task];
    expand_node *n = expand_device_node(x, t->name, step, lane);

    for (uint32_t i = 0; i < t->access_count; i++)
        touch_array(x, n, t->accesses[i].array, t->accesses[i].flags);
    plan_cells_of_task(x->entry, t, touch_cells, &(touching){ x, n });
}

static void upload(expander *x, uint32_t step, const plan_step *s)
{
    uint32_t host = expand_of_class(x, s->index, EXPAND_HOST),
             stage = expand_of_class(x, s->index, EXPAND_STAGE);

    if (s->move == PLAN_MOVE_MAPPED) {
        expand_node *fill = expand_host_node(x, "the host fills a slot", step);
        fill->reads[host] = true;
        fill->writes[expand_of_class(x, s->index, EXPAND_DEVICE)] = true;
        return;
    }

    if (s->move == PLAN_MOVE_STAGED) {
        expand_node *fill = expand_host_node(x, "the host fills a staging slot", step);
        fill->reads[host] = true;
        fill->writes[stage] = true;
    }
    expand_node *n = expand_device_node(x, "an upload", step, s->lane);
    n->reads[s->move == PLAN_MOVE_STAGED ? stage : host] = true;
    n->writes[expand_of_class(x, s->index, EXPAND_DEVICE)] = true;
}

static void download(expander *x, uint32_t step, const plan_step *s)
{
    expand_node *n = expand_device_node(x, "a download", step, s->lane);

    read_copied(x, n, s);
    n->writes[copied(x, s->index, s->move == PLAN_MOVE_STAGED ? EXPAND_BACK : EXPAND_HOST)] = true;
    if (s->move == PLAN_MOVE_BLOCKING && !(x->off && x->off[step]))
        expand_host_waits(x, s->lane);
}

static void unstage(expander *x, uint32_t step, const plan_step *s)
{
    bool mapped = s->move == PLAN_MOVE_MAPPED;
    expand_node *n = expand_host_node(x,
                                      mapped ? "the host empties a slot that tasks wrote"
                                             : "the host empties a read-back slot",
                                      step);

    if (mapped)
        read_copied(x, n, s);
    else
        n->reads[copied(x, s->index, EXPAND_BACK)] = true;
    n->writes[copied(x, s->index, EXPAND_HOST)] = true;
}

static void take(expander *x, uint32_t step, const plan_step *s)
{
    bool cells = s->index == x->entry->scratch_count;

    /* Taking scratch is a write of poison on the lane that owns it; on a queue only the zeroing of
     * the cells is an operation, and what the scratch held before is behind the entry barrier. */
    if (x->taken[s->index] || (x->facts->family == PLAN_FAMILY_QUEUE && !cells))
        return;
    x->taken[s->index] = true;
    expand_node *n = s->move == PLAN_MOVE_MAPPED
                         ? expand_host_node(x, "the host zeroes the cells", step)
                         : expand_device_node(x, "scratch is taken", step, s->lane);
    if (cells)
        expand_cells(x, n->writes, plan_cells_all(x->entry));
    else
        n->writes[expand_of_scratch(x, s->index)] = true;
}

/* The host reads the cells, or what was copied of them. */
static void read_cells(expander *x, uint32_t step, const plan_step *s, const char *label)
{
    bool copied_back = x->facts->family != PLAN_FAMILY_CPU && !x->slots[x->class_count];
    expand_node *n = expand_host_node(x, label, step);

    if (copied_back)
        n->reads[expand_of_result(x, EXPAND_BACK)] = true;
    else
        expand_cells(x, n->reads, plan_cells_known(x->entry, &x->entry->nodes[s->node]));
}

static void perform(expander *x, uint32_t i)
{
    const plan_step *s = &x->p->steps[i];
    bool off = x->off && x->off[i];

    if (s->reason == PLAN_REASON_POLL && !x->polling)
        return;
    switch (s->kind) {
    case PLAN_UPLOAD:
        upload(x, i, s);
        break;
    case PLAN_TASK:
        run_task(x, i, s->index, s->lane);
        break;
    case PLAN_DOWNLOAD:
        download(x, i, s);
        break;
    case PLAN_UNSTAGE:
        unstage(x, i, s);
        break;
    case PLAN_SCRATCH:
        take(x, i, s);
        break;
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        if (!off)
            expand_lane_waits(x, s->lane, s->from);
        break;
    case PLAN_BARRIER:
        if (!off)
            expand_barrier(x, s->lane);
        break;
    case PLAN_HOST_WAIT:
        if (!off)
            expand_host_waits(x, s->lane);
        if (s->reason == PLAN_REASON_POLL)
            read_cells(x, i, s, "the host reads the condition");
        if (s->reason == PLAN_REASON_BOUNDS)
            read_cells(x, i, s, "the host reads the bounds");
        break;
    case PLAN_EVAL:
    case PLAN_IF:
    case PLAN_LOOP:
    case PLAN_DEVICE_LOOP:
    case PLAN_BREAK:
    case PLAN_CONTINUE:
    case PLAN_RETURN:
    case PLAN_RELEASE:
    case PLAN_SUBMIT:
    case PLAN_KIND_COUNT:
        break;
    }
}

/* ---- the way through the program ------------------------------------------------------------- */

static flow run_steps(expander *x, uint32_t first, uint32_t end, uint32_t *out_target);

/* A number for this decision at step `at` on this way, spread evenly (a multiplicative hash): each
 * time a loop comes by, its branches may go another way. */
static uint32_t chance(expander *x, uint32_t at)
{
    uint32_t h = (at + 1) * 2654435761u ^ x->way.seed * 2246822519u ^ ++x->decisions * 3144134277u;
    h ^= h >> 15;
    h *= 3266489917u;
    return h >> 16;
}

static bool takes_else(expander *x, uint32_t at)
{
    return x->way.mixed ? chance(x, at) & 1 : x->way.take_else;
}

static uint32_t trips_of(expander *x, uint32_t at)
{
    return x->way.mixed ? chance(x, at) % 3 : x->way.trips;
}

/* A device loop runs at least once; the host polls after several passes, here after the last. */
static flow run_device_loop(expander *x, uint32_t at, uint32_t *out_target)
{
    bool outer = x->polling;
    uint32_t trips = trips_of(x, at);
    flow f = FLOW_ON;

    for (uint32_t trip = 0; f == FLOW_ON && (trip == 0 || trip < trips); trip++) {
        x->polling = x->facts->family == PLAN_FAMILY_CPU || trip + 1 >= trips;
        f = run_steps(x, at + 1, x->p->steps[at].end, out_target);
    }
    x->polling = outer;
    return f;
}

static flow run_loop(expander *x, uint32_t at, uint32_t *out_target)
{
    const plan_step *s = &x->p->steps[at];

    if (s->kind == PLAN_DEVICE_LOOP)
        return run_device_loop(x, at, out_target);
    for (uint32_t trip = 0, trips = trips_of(x, at); trip < trips; trip++) {
        flow f = run_steps(x, at + 1, s->end, out_target);
        while (f == FLOW_CONTINUE)
            f = run_steps(x, *out_target, s->end, out_target);
        if (f == FLOW_BREAK)
            return FLOW_ON;
        if (f == FLOW_RETURN)
            return f;
    }
    return FLOW_ON;
}

/* A break with a condition is taken on some mixed ways; else loops end by their trips. */
static flow run_steps(expander *x, uint32_t first, uint32_t end, uint32_t *out_target)
{
    for (uint32_t i = first; i < end; i++) {
        const plan_step *s = &x->p->steps[i];
        flow f = FLOW_ON;

        if (s->kind == PLAN_IF) {
            f = takes_else(x, i) ? run_steps(x, s->other, s->end, out_target)
                                 : run_steps(x, i + 1, s->other, out_target);
            i = s->end - 1;
        } else if (s->kind == PLAN_LOOP || s->kind == PLAN_DEVICE_LOOP) {
            f = run_loop(x, i, out_target);
            i = s->end - 1;
        } else if (s->kind == PLAN_BREAK) {
            bool sure = x->entry->nodes[s->node].cond == MOD_NONE;
            f = sure || (x->way.mixed && takes_else(x, i)) ? FLOW_BREAK : FLOW_ON;
        } else if (s->kind == PLAN_CONTINUE || s->kind == PLAN_RETURN) {
            f = s->kind == PLAN_CONTINUE ? FLOW_CONTINUE : FLOW_RETURN;
            *out_target = s->other;
        } else {
            perform(x, i);
        }
        if (f == FLOW_RETURN && first == 0)
            i = *out_target - 1;
        else if (f != FLOW_ON)
            return f;
    }
    return FLOW_ON;
}

void expand_steps(expander *x)
{
    uint32_t target = 0;

    run_steps(x, 0, x->p->step_count, &target);
}
