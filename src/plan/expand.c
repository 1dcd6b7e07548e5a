/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expand.c - builds the happens-before graph of one plan in the canonical client (check.h).
 *
 * Knows the steps and the family's lane rule, and nothing of how plans are made: where a class
 * lives for the tasks is read off the plan's own copies. A relation is added only where a rule of
 * check.h gives it.
 */
#include "plan/expand.h"

#include <string.h>

enum { MAX_NODES = 2048, MAX_ACTIONS = 2 * MAX_NODES, LANES = 8 };

typedef struct expander {
    mem_arena *arena;
    const plan *p;
    const mod_entry *entry;
    const plan_shape *shape;
    const plan_facts *facts;
    const bool *off;
    expand_way way;
    uint32_t decisions; /* made so far on this way */
    expand_graph *g;
    uint32_t words, class_count;
    uint64_t *host;        /* everything before the host's next action */
    uint64_t *lane[LANES]; /* everything before the lane's next operation */
    uint64_t *open[LANES]; /* queue: operations since the last barrier */
    uint64_t *events;      /* [event_count * words]: what a recorded event stands for */
    bool *in_place;        /* [class_count] */
    bool *slots;  /* [class_count + 1] tasks use a slot of the call's own; the cells last */
    bool polling; /* the pass of a device loop that the host polls after */
    bool *taken;  /* [scratch_count + 1] */
} expander;

typedef enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } flow;

/* ---- memory -------------------------------------------------------------------------------------
 */

static uint32_t of_class(const expander *x, uint32_t class, expand_part part)
{
    (void)x;
    return class * EXPAND_PARTS + part;
}

static uint32_t of_scratch(const expander *x, uint32_t index) /* scratch_count: the cells */
{
    return x->class_count * EXPAND_PARTS + index;
}

static uint32_t of_result(const expander *x, expand_part part)
{
    return x->class_count * EXPAND_PARTS + x->entry->scratch_count + 1 + (part == EXPAND_HOST);
}

/* The copy source and target of a class, or of the result: in the cells on the device. */
static uint32_t copied(const expander *x, uint32_t class, expand_part part)
{
    if (class != MOD_NONE)
        return of_class(x, class, part);
    return part == EXPAND_DEVICE ? of_scratch(x, x->entry->scratch_count) : of_result(x, part);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static uint64_t *new_set(expander *x)
{
    return arena_new(x->arena, x->words * sizeof(uint64_t));
}

static void join_sets(expander *x, uint64_t *into, const uint64_t *from)
{
    for (uint32_t w = 0; w < x->words; w++)
        into[w] |= from[w];
}

static expand_node *add_node(expander *x, const char *label, uint32_t step)
{
    if (x->g->count == MAX_NODES)
        return &x->g->nodes[MAX_NODES]; /* a spare that is never looked at; the caller's limit is
                                           far off */
    expand_node *n = &x->g->nodes[x->g->count++];
    n->label = label;
    n->step = step;
    n->reads = arena_new(x->arena, x->g->memory_count * sizeof(bool));
    n->writes = arena_new(x->arena, x->g->memory_count * sizeof(bool));
    n->before = new_set(x);
    return n;
}

/* As with nodes, a program that has more is not looked at further. */
static void add_action(expander *x, expand_action a)
{
    if (x->g->action_count < MAX_ACTIONS)
        x->g->actions[x->g->action_count++] = a;
}

static void add_self(const expander *x, uint64_t *set, const expand_node *n)
{
    uint32_t at = (uint32_t)(n - x->g->nodes);
    if (at < MAX_NODES)
        set[at / 64] |= (uint64_t)1 << (at % 64);
}

/* A host action: after all earlier ones. */
static expand_node *host_node(expander *x, const char *label, uint32_t step)
{
    expand_node *n = add_node(x, label, step);

    join_sets(x, n->before, x->host);
    add_self(x, x->host, n);
    add_action(x, (expand_action){ EXPAND_ACT_HOST, .node = (uint32_t)(n - x->g->nodes) });
    return n;
}

/* A device operation: after the host call that queues it, and what its lane says. */
static expand_node *device_node(expander *x, const char *label, uint32_t step, uint32_t lane)
{
    if (x->facts->family == PLAN_FAMILY_CPU)
        return host_node(x, label, step);
    expand_node *n = add_node(x, label, step);
    join_sets(x, n->before, x->host);
    join_sets(x, n->before, x->lane[lane]);
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        add_self(x, x->open[lane], n), join_sets(x, x->open[lane], n->before);
    else
        add_self(x, x->lane[lane], n), join_sets(x, x->lane[lane], n->before);
    add_action(x, (expand_action){ EXPAND_ACT_QUEUE, .node = (uint32_t)(n - x->g->nodes), lane });
    return n;
}

/* All that a wait on the lane covers: facts row wait_covers_earlier. */
static void lane_covers(expander *x, uint32_t lane, uint64_t *into)
{
    join_sets(x, into, x->lane[lane]);
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        join_sets(x, into, x->open[lane]);
}

static void host_waits(expander *x, uint32_t lane)
{
    lane_covers(x, lane, x->host);
    add_action(x, (expand_action){ EXPAND_ACT_WAIT, .from = lane });
}

static void lane_waits(expander *x, uint32_t lane, uint32_t from)
{
    lane_covers(x, from, x->lane[lane]);
    add_action(x, (expand_action){ EXPAND_ACT_AFTER, .lane = lane, .from = from });
}

static void barrier(expander *x, uint32_t lane)
{
    join_sets(x, x->lane[lane], x->open[lane]);
}

/* ---- what steps do --------------------------------------------------------------------------- */

static void touch_array(expander *x, expand_node *n, uint32_t array, uint32_t flags)
{
    uint32_t memory;

    if (array >= x->entry->param_count) {
        memory = of_scratch(x, array - x->entry->param_count);
    } else {
        uint32_t class = x->shape->classes[array];
        memory = of_class(x, class, x->in_place[class] ? EXPAND_HOST : EXPAND_DEVICE);
    }
    n->reads[memory] |= (flags & MOD_READ) != 0;
    n->writes[memory] |= (flags & MOD_WRITE) != 0;
}

static void run_task(expander *x, uint32_t step, uint32_t task, uint32_t lane)
{
    const mod_task *t = &x->entry->tasks[task];
    expand_node *n = device_node(x, t->name, step, lane);
    uint32_t cells = x->entry->param_count + x->entry->scratch_count;

    for (uint32_t i = 0; i < t->access_count; i++)
        touch_array(x, n, t->accesses[i].array, t->accesses[i].flags);
    if (t->predicate != MOD_NONE)
        touch_array(x, n, cells, MOD_READ);
    for (uint32_t a = 0; a < t->rank; a++)
        if (t->axes[a].lo_cell != MOD_NONE || t->axes[a].hi_cell != MOD_NONE)
            touch_array(x, n, cells, MOD_READ);
    if (t->reduce_count > 0)
        touch_array(x, n, cells, MOD_READ | MOD_WRITE);
}

static void upload(expander *x, uint32_t step, const plan_step *s)
{
    uint32_t host = of_class(x, s->index, EXPAND_HOST), stage = of_class(x, s->index, EXPAND_STAGE);

    if (s->move == PLAN_MOVE_MAPPED) {
        expand_node *fill = host_node(x, "the host fills a slot", step);
        fill->reads[host] = true;
        fill->writes[of_class(x, s->index, EXPAND_DEVICE)] = true;
        return;
    }

    if (s->move == PLAN_MOVE_STAGED) {
        expand_node *fill = host_node(x, "the host fills a staging slot", step);
        fill->reads[host] = true;
        fill->writes[stage] = true;
    }
    expand_node *n = device_node(x, "an upload", step, s->lane);
    n->reads[s->move == PLAN_MOVE_STAGED ? stage : host] = true;
    n->writes[of_class(x, s->index, EXPAND_DEVICE)] = true;
}

static void download(expander *x, uint32_t step, const plan_step *s)
{
    expand_node *n = device_node(x, "a download", step, s->lane);

    n->reads[copied(x, s->index, EXPAND_DEVICE)] = true;
    n->writes[copied(x, s->index, s->move == PLAN_MOVE_STAGED ? EXPAND_BACK : EXPAND_HOST)] = true;
    if (s->move == PLAN_MOVE_BLOCKING && !(x->off && x->off[step]))
        host_waits(x, s->lane);
}

static void unstage(expander *x, uint32_t step, const plan_step *s)
{
    bool mapped = s->move == PLAN_MOVE_MAPPED;
    expand_node *n = host_node(x,
                               mapped ? "the host empties a slot that tasks wrote"
                                      : "the host empties a read-back slot",
                               step);

    n->reads[copied(x, s->index, mapped ? EXPAND_DEVICE : EXPAND_BACK)] = true;
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
                         ? host_node(x, "the host zeroes the cells", step)
                         : device_node(x, "scratch is taken", step, s->lane);
    n->writes[of_scratch(x, s->index)] = true;
}

/* The host reads the cells, or what was copied of them. */
static void read_cells(expander *x, uint32_t step, const char *label)
{
    bool copied_back = x->facts->family != PLAN_FAMILY_CPU && !x->slots[x->class_count];
    expand_node *n = host_node(x, label, step);

    n->reads[copied_back ? of_result(x, EXPAND_BACK) : of_scratch(x, x->entry->scratch_count)] =
        true;
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
            lane_waits(x, s->lane, s->from);
        break;
    case PLAN_BARRIER:
        if (!off)
            barrier(x, s->lane);
        break;
    case PLAN_HOST_WAIT:
        if (!off)
            host_waits(x, s->lane);
        if (s->reason == PLAN_REASON_POLL)
            read_cells(x, i, "the host reads the condition");
        if (s->reason == PLAN_REASON_BOUNDS)
            read_cells(x, i, "the host reads the bounds");
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

/* ---- the client ------------------------------------------------------------------------------ */

static bool is_host(const expander *x, uint32_t p)
{
    return x->shape->classes[p] != MOD_NONE &&
           (x->shape->homes[p] == PLAN_HOME_UNKNOWN || x->shape->homes[p] == PLAN_HOME_PINNED);
}

/* An earlier or later call: touches every device array and all scratch. */
static void neighbour(expander *x, const char *label)
{
    if (x->facts->family == PLAN_FAMILY_QUEUE)
        barrier(x, 0);
    expand_node *n = device_node(x, label, MOD_NONE, 0);
    for (uint32_t c = 0; c < x->class_count; c++)
        if (!x->in_place[c] && !x->slots[c])
            n->reads[of_class(x, c, EXPAND_DEVICE)] = n->writes[of_class(x, c, EXPAND_DEVICE)] =
                true;
    for (uint32_t s = 0; s < x->entry->scratch_count + !x->slots[x->class_count]; s++)
        n->reads[of_scratch(x, s)] = n->writes[of_scratch(x, s)] = true;
}

static void host_writes_arrays(expander *x, const char *label)
{
    expand_node *n = host_node(x, label, MOD_NONE);

    for (uint32_t p = 0; p < x->shape->param_count; p++)
        if (is_host(x, p))
            n->writes[of_class(x, x->shape->classes[p], EXPAND_HOST)] = true;
    n->writes[of_result(x, EXPAND_HOST)] = true;
}

static void host_reads_arrays(expander *x)
{
    expand_node *n = host_node(x, "the host reads what is complete", MOD_NONE);

    for (uint32_t p = 0; p < x->shape->param_count; p++)
        if (is_host(x, p))
            n->reads[of_class(x, x->shape->classes[p], EXPAND_HOST)] = true;
    n->reads[of_result(x, EXPAND_HOST)] = true;
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
    for (uint32_t l = 0; l < LANES && any_slot(x); l++)
        host_waits(x, l);
    for (uint32_t i = 0; i < x->g->count && i < MAX_NODES; i++) {
        const expand_node *n = &x->g->nodes[i];
        if (n->step == MOD_NONE)
            continue;
        const plan_step *s = &x->p->steps[n->step];
        if (s->kind == PLAN_UPLOAD && s->move == PLAN_MOVE_STAGED) {
            join_sets(x, x->host, n->before);
            add_self(x, x->host, n);
            add_action(x, (expand_action){ EXPAND_ACT_WAIT_NODE, .node = i });
        }
    }
    expand_node *n = host_node(x, "the next call fills the staging slots", MOD_NONE);
    for (uint32_t c = 0; c < x->class_count; c++)
        n->writes[of_class(x, c, x->slots[c] ? EXPAND_DEVICE : EXPAND_STAGE)] = true;
    if (x->slots[x->class_count])
        n->writes[of_scratch(x, x->entry->scratch_count)] = true;
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
    uint32_t target = 0;
    expander x = {
        .arena = arena,
        .p = p,
        .entry = entry,
        .shape = shape,
        .facts = facts,
        .off = off,
        .way = way,
        .g = out,
        .words = MAX_NODES / 64,
        .class_count = p->class_count,
    };

    out->memory_count = p->class_count * EXPAND_PARTS + entry->scratch_count + 3;
    out->count = out->action_count = 0;
    out->actions = arena_new(arena, MAX_ACTIONS * sizeof *out->actions);
    out->nodes = arena_new(arena, (MAX_NODES + 1) * sizeof *out->nodes);
    out->nodes[MAX_NODES].reads = arena_new(arena, out->memory_count * sizeof(bool));
    out->nodes[MAX_NODES].writes = arena_new(arena, out->memory_count * sizeof(bool));
    out->nodes[MAX_NODES].before = new_set(&x);
    x.host = new_set(&x);
    for (uint32_t l = 0; l < LANES; l++) {
        x.lane[l] = new_set(&x);
        x.open[l] = new_set(&x);
    }
    x.in_place = arena_new(arena, (p->class_count + 1) * sizeof(bool));
    x.slots = arena_new(arena, (p->class_count + 1) * sizeof(bool));
    x.taken = arena_new(arena, (entry->scratch_count + 1) * sizeof(bool));
    find_in_place(&x);

    host_writes_arrays(&x, "the host fills its arrays");
    neighbour(&x, "an earlier call");
    run_steps(&x, 0, p->step_count, &target);
    host_reads_arrays(&x);
    host_writes_arrays(&x, "the host reuses its arrays");
    refill_slots(&x);
    neighbour(&x, "a later call");
}
