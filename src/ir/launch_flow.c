/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_flow.c - control structures and exits, as nodes of the program or as predicate cells.
 *
 * Host:    if is MOD_IF, loop is MOD_LOOP, a block that is left early a MOD_LOOP of one pass. An
 * exit over several of them sets a slot to 0, leaves the innermost, and is taken up after it.
 * Device:  each region has an i32 cell that its tasks read first. An exit clears the cells of all
 *          regions it leaves. A loop is MOD_DEVICE_LOOP: further passes change nothing once its
 * cell is 0.
 */
#include "ir/launch_parts.h"

static uint32_t predicate_cell(launch *l, const char *name)
{
    return launch_cell_new(l, ir_type_scalar(l->m, SCALAR_i32), name);
}

static void set_cell(launch *l, uint32_t cell, uint32_t predicate, const launch_frame *frames,
                     const ir_op *at)
{
    launch_run_add(l, (launch_item){ .kind = LAUNCH_SET, .cell = cell }, predicate, frames, at);
}

static const launch_frame *push(launch *l, launch_frame like)
{
    launch_frame *made = arena_new(l->arena, sizeof *made);

    *made = like;
    return made;
}

/* ---- exits that the host takes ------------------------------------------------------------- */

static void host_jump(launch *l, launch_frame *loop, ir_place place)
{
    launch_jumps *j = loop->jumps;

    uint32_t node = launch_node_begin(l, MOD_CONTINUE, place);
    j->nodes = arena_grow(l->arena, j->nodes, &j->capacity, j->count + 1, sizeof *j->nodes);
    j->nodes[j->count++] = node;
}

static launch_way *way_to(const launch_frame *loop, ir_code code, const ir_op *target)
{
    launch_way *w = loop->ways;

    while (w && !(w->code == code && w->target == target))
        w = w->next;
    return w;
}

static void assign_const(launch *l, uint32_t slot, uint64_t bits, ir_place place)
{
    launch_open_eval(l, place);
    launch_move(l, slot, launch_const_slot(l, bits), place);
    l->nodes[l->node_count - 1].count = l->instr_count - l->nodes[l->node_count - 1].first;
}

static void host_exit(launch *l, ir_code code, const ir_op *target, const launch_frame *frames,
                      ir_place place)
{
    const launch_frame *inner = frames;

    while (inner && !inner->host_loop)
        inner = inner->up;
    if (!inner)
        return; /* the target is no MOD_LOOP: what follows is not reached */
    if (inner->op != target) {
        assign_const(l, way_to(inner, code, target)->slot, 0, place);
        launch_node_begin(l, MOD_BREAK, place);
    } else if (code == IR_continue) {
        host_jump(l, (launch_frame *)inner, place);
    } else {
        launch_node_begin(l, MOD_BREAK, place);
    }
}

/* Finds exits that leave `loop` for something further out. */
static void find_ways(launch *l, const ir_op *loop, const ir_region *r, launch_way **ways)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_task || op->code == IR_sections ||
            (launch_is_structure(op) && launch_fact_of(l, op)->decided == LAUNCH_SERIAL))
            continue;
        if ((op->code == IR_break || op->code == IR_continue) && !launch_exit_by_device(l, op)) {
            const ir_op *target = launch_target(op);
            bool outward = target != loop && launch_within(loop, target->parent) &&
                           !launch_within(target, loop->regions[0]) &&
                           !(loop->region_count > 1 && launch_within(target, loop->regions[1]));
            launch_frame probe = { .ways = *ways };
            if (outward && !way_to(&probe, op->code, target)) {
                launch_way *w = arena_new(l->arena, sizeof *w);
                *w = (launch_way){
                    .next = *ways, .code = op->code, .target = target, .slot = launch_slot_new(l)
                };
                *ways = w;
            }
        }
        for (uint32_t i = 0; i < op->region_count; i++)
            find_ways(l, loop, op->regions[i], ways);
    }
}

static launch_way *prepare_ways(launch *l, const ir_op *loop)
{
    launch_way *ways = NULL;

    for (uint32_t i = 0; i < loop->region_count; i++)
        find_ways(l, loop, loop->regions[i], &ways);
    for (launch_way *w = ways; w; w = w->next)
        assign_const(l, w->slot, 1, loop->place);
    return ways;
}

/* After a MOD_LOOP: goes on with the exits that left it. */
static void follow_ways(launch *l, const launch_way *ways, const launch_frame *frames,
                        ir_place place)
{
    for (const launch_way *w = ways; w; w = w->next) {
        uint32_t node = launch_node_begin(l, MOD_IF, place);
        l->nodes[node].cond = w->slot;
        l->nodes[node].other = l->node_count;
        host_exit(l, w->code, w->target, frames, place);
        launch_node_end(l, node);
    }
}

/* ---- exits --------------------------------------------------------------------------------- */

void launch_exit(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    if (op->code == IR_return && op->in_count)
        launch_run_add(l, (launch_item){ .kind = LAUNCH_RESULT, .op = op }, predicate, frames, op);
    if (op->code == IR_return && op->parent == l->kernel->body)
        return;
    if (launch_exit_by_device(l, op)) {
        launch_run_add(l, (launch_item){ .kind = LAUNCH_EXIT, .op = op }, predicate, frames, op);
        return;
    }
    launch_flush(l);
    if (op->code == IR_return)
        launch_node_begin(l, MOD_RETURN, op->place);
    else
        host_exit(l, op->code, launch_target(op), frames, op->place);
}

/* ---- if ------------------------------------------------------------------------------------ */

/* `c ? a : b` with effects, as in `c ? x : ++s`, is a branch that gives a value; without, it is an
 * instruction among others. */
static void host_if(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    bool gives = op->type->kind != IR_VOID && launch_fact_of(l, op)->needed;
    bool valued = op->type->kind != IR_VOID && !launch_stores_within(op);

    if (valued && !gives)
        return;
    if (!valued)
        launch_flush(l);
    uint32_t node = launch_node_begin(l, MOD_IF, op->place);
    l->nodes[node].cond = launch_slot(l, op->in[0]);
    const launch_frame *here =
        push(l, (launch_frame){ .up = frames, .op = op, .cell = MOD_NONE, .pass = MOD_NONE });
    for (uint32_t side = 0; side < 2; side++) {
        if (side == 1)
            l->nodes[node].other = l->node_count;
        for (ir_op *inner = op->regions[side]->first; valued && inner; inner = inner->next) {
            if (launch_is_structure(inner)) {
                launch_structure(l, inner, predicate, here);
            } else if (inner->code == IR_yield || launch_fact_of(l, inner)->needed) {
                launch_open_eval(l, inner->place);
                if (inner->code == IR_yield)
                    launch_move(l, launch_slot(l, op), launch_slot(l, inner->in[0]), inner->place);
                else if (inner->code != IR_const && inner->code != IR_table)
                    launch_eval_op(l, inner);
                l->nodes[l->node_count - 1].count =
                    l->instr_count - l->nodes[l->node_count - 1].first;
            }
        }
        if (!valued)
            launch_region(l, op->regions[side], predicate, here);
        if (!valued && gives) {
            ir_op *yield = op->regions[side]->last;
            launch_open_eval(l, yield->place);
            launch_move(l, launch_slot(l, op), launch_slot(l, yield->in[0]), yield->place);
            l->nodes[l->node_count - 1].count =
                l->instr_count - l->nodes[l->node_count - 1].first;
        }
        l->eval_open = false;
    }
    launch_node_end(l, node);
}

static void device_if(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    uint32_t cells[2] = { MOD_NONE, MOD_NONE };

    for (uint32_t side = 0; side < 2; side++)
        if (op->regions[side]->first)
            cells[side] = predicate_cell(l, side ? "else" : "then");
    launch_run_add(
        l, (launch_item){ .kind = LAUNCH_BRANCH, .op = op, .cell = cells[0], .other = cells[1] },
        predicate, frames, op);
    launch_flush(l);
    for (uint32_t side = 0; side < 2; side++) {
        if (cells[side] == MOD_NONE)
            continue;
        launch_frame here = { .up = frames, .op = op, .cell = cells[side], .pass = MOD_NONE };
        launch_region(l, op->regions[side], cells[side], push(l, here));
    }
}

/* ---- loops and blocks ---------------------------------------------------------------------- */

static void device_loop(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    launch_frame here = {
        .up = frames, .op = op, .cell = predicate_cell(l, "loop"), .pass = MOD_NONE
    };

    set_cell(l, here.cell, predicate, frames, op);
    launch_flush(l);
    uint32_t node = launch_node_begin(l, MOD_DEVICE_LOOP, op->place);
    l->nodes[node].first = here.cell;
    uint32_t inside = here.cell;
    if (launch_fact_of(l, op)->cut)
        inside = here.pass = predicate_cell(l, "pass");
    const launch_frame *kept = push(l, here);
    if (inside != here.cell && op->regions[0]->first)
        set_cell(l, inside, here.cell, kept, op->regions[0]->first);
    launch_region(l, op->regions[0], inside, kept);
    launch_region(l, op->regions[1], here.cell, kept);
    launch_node_end(l, node);
}

static void host_loop(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    launch_jumps jumps = { 0 };
    launch_frame here = { .up = frames,
                          .op = op,
                          .cell = MOD_NONE,
                          .pass = MOD_NONE,
                          .host_loop = true,
                          .jumps = &jumps };

    launch_flush(l);
    here.ways = prepare_ways(l, op);
    uint32_t node = launch_node_begin(l, MOD_LOOP, op->place);
    uint32_t inside = predicate;
    if (launch_fact_of(l, op)->cut)
        inside = here.pass = predicate_cell(l, "pass");
    const launch_frame *kept = push(l, here);
    if (inside != predicate && op->regions[0]->first)
        set_cell(l, inside, predicate, kept, op->regions[0]->first);
    launch_region(l, op->regions[0], inside, kept);
    if (op->code == IR_block) {
        launch_node_begin(l, MOD_BREAK, op->place);
    } else {
        uint32_t step = launch_node_begin(l, MOD_EVAL, op->place); /* where continue goes on */
        l->nodes[step].first = l->instr_count;
        l->eval_open = true;
        launch_region(l, op->regions[1], predicate, kept);
        for (uint32_t i = 0; i < jumps.count; i++)
            l->nodes[jumps.nodes[i]].other = step;
    }
    launch_node_end(l, node);
    follow_ways(l, here.ways, frames, op->place);
}

typedef struct exit_search {
    const ir_op *target;
} exit_search;

static bool goes_elsewhere(ir_op *op, void *user)
{
    const exit_search *s = user;

    return op->code != IR_break || launch_target(op) != s->target;
}

static void block(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    launch_frame here = { .up = frames, .op = op, .cell = MOD_NONE, .pass = MOD_NONE };

    if (launch_fact_of(l, op)->breaks) {
        here.cell = predicate_cell(l, "block");
        set_cell(l, here.cell, predicate, frames, op);
        launch_flush(l);
        launch_region(l, op->regions[0], here.cell, push(l, here));
    } else if (ir_walk(op->regions[0], goes_elsewhere, &(exit_search){ op })) {
        launch_flush(l);
        launch_region(l, op->regions[0], predicate, push(l, here));
    } else {
        host_loop(l, op, predicate, frames);
    }
}

void launch_structure(launch *l, ir_op *op, uint32_t predicate, const launch_frame *frames)
{
    const launch_fact *f = launch_fact_of(l, op);

    if (f->decided == LAUNCH_SERIAL)
        launch_run_add(l, (launch_item){ .kind = LAUNCH_OP, .op = op }, predicate, frames, op);
    else if (op->code == IR_if && f->decided == LAUNCH_BY_DEVICE)
        device_if(l, op, predicate, frames);
    else if (op->code == IR_if)
        host_if(l, op, predicate, frames);
    else if (op->code == IR_block)
        block(l, op, predicate, frames);
    else if (f->breaks)
        device_loop(l, op, predicate, frames);
    else
        host_loop(l, op, predicate, frames);
}
