/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_nodes.c - the walk over a kernel that writes its launch program.
 *
 * Launch values become instructions where they stand; device work gathers in a run, which becomes
 * one serial task when something must come after it. Instructions may move ahead of the run, for
 * they read nothing that it writes; a launch variable that the run reads is not assigned before it.
 */
#include "ir/launch_parts.h"

uint32_t launch_node_begin(launch *l, mod_node_kind kind, ir_place place)
{
    l->nodes =
        arena_grow(l->arena, l->nodes, &l->node_capacity, l->node_count + 1, sizeof *l->nodes);
    l->nodes[l->node_count] = (mod_node){ .kind = kind,
                                          .cond = MOD_NONE,
                                          .other = MOD_NONE,
                                          .end = l->node_count + 1,
                                          .place = launch_place_of(place) };
    l->eval_open = false;
    return l->node_count++;
}

void launch_node_end(launch *l, uint32_t node)
{
    l->nodes[node].end = l->node_count;
    l->eval_open = false;
}

void launch_open_eval(launch *l, ir_place place)
{
    if (l->eval_open)
        return;
    uint32_t node = launch_node_begin(l, MOD_EVAL, place);
    l->nodes[node].first = l->instr_count;
    l->eval_open = true;
}

void launch_close_eval(launch *l)
{
    if (l->eval_open)
        l->nodes[l->node_count - 1].count = l->instr_count - l->nodes[l->node_count - 1].first;
}

/* ---- the run of serial work ---------------------------------------------------------------- */

static uint32_t add_pending(launch *l, const launch_pending *p)
{
    l->pending = arena_grow(l->arena, l->pending, &l->pending_capacity, l->pending_count + 1,
                            sizeof *l->pending);
    l->pending[l->pending_count] = *p;
    return l->pending_count++;
}

static void queue(launch *l, const launch_pending *p)
{
    uint32_t index = add_pending(l, p);
    uint32_t node = launch_node_begin(l, MOD_TASK, p->place);

    l->nodes[node].first = index;
}

static uint32_t add_part(launch *l, launch_pending *p)
{
    p->is_part = true;
    return add_pending(l, p);
}

/* What the tail of the task before the last node takes in is computed before that task. */
static void move_eval_ahead(launch *l)
{
    mod_node *last = &l->nodes[l->node_count - 1], eval = *last;

    if (last->kind != MOD_EVAL)
        return;
    *last = last[-1];
    last->end = l->node_count;
    last[-1] = eval;
    last[-1].end = l->node_count - 1;
    l->eval_open = false;
}

void launch_flush(launch *l)
{
    if (l->run.item_count == 0)
        return;
    launch_pending p = l->run;
    uint32_t before = launch_task_before(l, &p);
    l->run = (launch_pending){ 0 };
    if (before == MOD_NONE) {
        queue(l, &p);
        return;
    }
    uint32_t part = add_part(l, &p);
    l->pending[before].parts[IR_FINISH_TAIL] = part + 1;
    move_eval_ahead(l);
}

static void mark_pending(launch *l, ir_op *op)
{
    launch_fact_of(l, op)->pending = l->pending_count;
    for (uint32_t i = 0; i < op->region_count; i++) {
        for (uint32_t k = 0; k < op->regions[i]->arg_count; k++)
            launch_fact_of(l, op->regions[i]->args[k])->pending = l->pending_count;
        for (ir_op *inner = op->regions[i]->first; inner; inner = inner->next)
            mark_pending(l, inner);
    }
}

/* Has the run just set this predicate? Then what follows needs no test of it. */
static bool run_sets(const launch *l, uint32_t cell)
{
    for (uint32_t i = 0; i < l->run.item_count; i++)
        if (l->run.items[i].kind == LAUNCH_SET && l->run.items[i].cell == cell &&
            l->run.predicate == MOD_NONE)
            return true;
    return false;
}

void launch_run_add(launch *l, launch_item item, uint32_t predicate, const launch_frame *frames,
                    const ir_op *at)
{
    launch_pending *run = &l->run;

    if (run->item_count &&
        (run->home != at->parent || (run->predicate != predicate && !run_sets(l, predicate))))
        launch_flush(l);
    if (run->item_count == 0)
        *run = (launch_pending){
            .home = at->parent, .predicate = predicate, .frames = frames, .place = at->place
        };
    if (run->place.line == 0)
        run->place = at->place;
    run->inner_predicate |= item.kind == LAUNCH_SET || item.kind == LAUNCH_BRANCH;
    run->items = arena_grow(l->arena, run->items, &run->item_capacity, run->item_count + 1,
                            sizeof *run->items);
    run->items[run->item_count++] = item;
    if (item.kind == LAUNCH_OP)
        mark_pending(l, item.op);
}

static bool loads(const ir_op *op, const ir_op *var)
{
    if (op->code == IR_load && op->in[0] == var)
        return true;
    for (uint32_t i = 0; i < op->region_count; i++)
        for (const ir_op *inner = op->regions[i]->first; inner; inner = inner->next)
            if (loads(inner, var))
                return true;
    return false;
}

static bool run_loads(const launch *l, const ir_op *var)
{
    for (uint32_t i = 0; i < l->run.item_count; i++)
        if (l->run.items[i].op && loads(l->run.items[i].op, var))
            return true;
    return false;
}

/* ---- bounds -------------------------------------------------------------------------------- */

typedef struct use_count {
    const ir_op *value;
    uint32_t uses;
} use_count;

static bool count_use(ir_op *op, void *user)
{
    use_count *c = user;

    for (uint32_t i = 0; i < op->in_count; i++)
        c->uses += op->in[i] == c->value;
    return true;
}

bool launch_is_bound_load(const launch *l, const ir_op *op)
{
    use_count all = { op, 0 }, bounds = { op, 0 };
    const ir_op *at = op->next;

    if (op->code != IR_load || op->in[0]->code != IR_var || !launch_fact_of(l, op)->device)
        return false;
    while (at && at->region_count == 0 && !(ir_codes[at->code].flags & (IR_WRITES | IR_EXIT)))
        at = at->next;
    if (!at || at->code != IR_task)
        return false;
    count_use((ir_op *)at, &bounds);
    ir_walk(l->kernel->body, count_use, &all);
    return bounds.uses > 0 && all.uses == bounds.uses;
}

static void axis(launch *l, launch_pending *p, const ir_op *task, uint32_t k)
{
    ir_op *bound = task->in[k];

    p->axis_cells[k] = MOD_NONE;
    if (!launch_fact_of(l, bound)->device)
        return;
    p->axis_cells[k] = launch_cell_of(l, launch_is_bound_load(l, bound) ? bound->in[0] : bound);
}

static void task(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    launch_pending p = { .task = op, .predicate = predicate, .frames = frames, .place = op->place };

    if (launch_is_head(l, &l->run, &p)) {
        p.parts[IR_FINISH_HEAD] = add_part(l, &l->run) + 1;
        l->run = (launch_pending){ 0 };
    }
    launch_flush(l);
    mark_pending(l, op);
    launch_fact_of(l, op)->pending = MOD_NONE;
    for (uint32_t k = 0; k < op->in_count; k++)
        axis(l, &p, op, k);
    queue(l, &p);
}

/* ---- one op -------------------------------------------------------------------------------- */

static void sections(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    launch_flush(l);
    uint32_t all = launch_node_begin(l, MOD_SECTIONS, op->place);
    for (ir_op *s = op->regions[0]->first; s; s = s->next) {
        uint32_t node = launch_node_begin(l, MOD_SECTION, s->place);
        launch_region(l, s->regions[0], predicate, frames);
        launch_node_end(l, node);
    }
    launch_node_end(l, all);
}

static void store_launch(launch *l, ir_op *op)
{
    if (run_loads(l, op->in[0]))
        launch_flush(l);
    launch_open_eval(l, op->place);
    launch_move(l, launch_slot(l, op->in[0]), launch_slot(l, op->in[1]), op->place);
    l->stores_at = l->node_count;
    launch_close_eval(l);
}

static void value(launch *l, ir_op *op)
{
    if (!launch_fact_of(l, op)->needed)
        return;
    launch_open_eval(l, op->place);
    launch_eval_op(l, op);
    launch_close_eval(l);
}

/* The first thing done with a variable that tasks use is a store of 0: its cell is 0 already. */
static bool stores_what_is_there(const launch *l, const ir_op *op)
{
    bool in_task = false;
    const launch_use *first = NULL;

    if (op->code != IR_store || op->in[0]->code != IR_var || op->in[1]->code != IR_const ||
        !launch_fact_of(l, op->in[0])->device || op->in[1]->bits != 0 ||
        op->parent != l->kernel->body)
        return false;
    for (const launch_use *u = launch_fact_of(l, op->in[0])->uses; u; u = u->next) {
        in_task |= launch_fact_of(l, u->op)->task != NULL;
        first = u;
    }
    return in_task && first->op == op;
}

static bool is_quiet(const ir_op *op)
{
    return op->code == IR_var || op->code == IR_const || op->code == IR_undef ||
           op->code == IR_table || op->code == IR_yield;
}

static void one_op(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (is_quiet(op) || launch_is_bound_load(l, op) || stores_what_is_there(l, op))
        return;
    if (op->code == IR_task)
        task(l, op, predicate, frames);
    else if (op->code == IR_scratch)
        launch_take(l, op);
    else if (op->code == IR_sections)
        sections(l, op, predicate, frames);
    else if (launch_is_structure(op))
        launch_structure(l, op, predicate, frames);
    else if (op->code == IR_break || op->code == IR_continue || op->code == IR_return)
        launch_exit(l, op, predicate, frames);
    else if (op->code == IR_store && op->in[0]->code == IR_var &&
             !launch_fact_of(l, op->in[0])->device)
        store_launch(l, op);
    else if (!f->device && op->type->kind != IR_VOID)
        value(l, op);
    else
        launch_run_add(l, (launch_item){ .kind = LAUNCH_OP, .op = op }, predicate, frames, op);
}

void launch_region(launch *l, const ir_region *r, uint32_t predicate, const launch_frame *frames)
{
    for (ir_op *op = r->first; op; op = op->next)
        one_op(l, op, predicate, frames);
    launch_flush(l);
}

void launch_nodes(launch *l)
{
    uint32_t predicate = MOD_NONE;
    const ir_op *first = l->kernel->body->first;

    if (l->returns_early && first) {
        predicate = l->alive = launch_cell_new(l, ir_type_scalar(l->m, SCALAR_i32), "alive");
        launch_run_add(l, (launch_item){ .kind = LAUNCH_SET, .cell = l->alive }, MOD_NONE, NULL,
                       first);
    }
    launch_region(l, l->kernel->body, predicate, NULL);
}
