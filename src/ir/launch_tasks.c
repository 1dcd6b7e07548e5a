/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_tasks.c - pending tasks become functions and their rows in the module.
 *
 * A serial task whose predicate guards cells that it sets clears them and tests the predicate
 * itself: a cell left over from an earlier pass would let later tasks run.
 */
#include <inttypes.h>
#include <string.h>

#include "ir/launch_parts.h"

static const char *task_name(const launch *l, ir_place place)
{
    if (place.line == 0)
        return arena_text(l->arena, "%s", l->kernel->name);
    return arena_text(l->arena, "%s:%" PRIu32, l->kernel->name, place.line);
}

/* Functions have names of their own; a second task on one line is "heat:12.2". */
static const char *function_name(const launch *l, const char *name)
{
    uint32_t same = 1;

    for (const ir_func *f = l->m->funcs; f; f = f->next)
        same += f->kind == IR_TASK && f->task->task->name && strcmp(f->task->task->name, name) == 0;
    return same == 1 ? name : arena_text(l->arena, "%s.%" PRIu32, name, same);
}

static void one_item(launch_body *t, const launch_item *item)
{
    launch *l = t->l;
    ir_op *op = item->op;

    if (op)
        t->b.place = op->place;
    switch (item->kind) {
    case LAUNCH_OP:
        launch_clone_op(t, op);
        if (op->type->kind == IR_SCALAR && launch_fact_of(l, op)->cell != MOD_NONE)
            ir_store(&t->b, launch_cell_place(t, launch_fact_of(l, op)->cell),
                     launch_capture(t, op));
        break;
    case LAUNCH_BRANCH: {
        ir_op *condition = launch_capture(t, op->in[0]);
        if (item->cell != MOD_NONE)
            ir_store(&t->b, launch_cell_place(t, item->cell),
                     ir_convert(&t->b, SCALAR_i32, condition));
        if (item->other != MOD_NONE)
            ir_store(&t->b, launch_cell_place(t, item->other),
                     ir_convert(&t->b, SCALAR_i32, ir_unary(&t->b, SCALAR_OP_not, condition)));
        break;
    }
    case LAUNCH_SET:
        ir_store(&t->b, launch_cell_place(t, item->cell), ir_const(&t->b, SCALAR_i32, 1));
        break;
    case LAUNCH_EXIT:
        launch_clear_cells(t, op->code, op->levels);
        break;
    case LAUNCH_RESULT:
        launch_give_result(t, op);
        break;
    }
}

static void all_items(launch_body *t)
{
    for (uint32_t i = 0; i < t->pending->item_count && !ir_region_ended(t->b.region); i++)
        one_item(t, &t->pending->items[i]);
}

/* Cells that the run sets are 0 until it does: its predicate may be 0, or it may be left before. */
static void cleared_items(launch_body *t)
{
    if (t->pending->item_count == 1 && t->pending->predicate == MOD_NONE)
        return;
    for (uint32_t i = 0; i < t->pending->item_count; i++) {
        const launch_item *item = &t->pending->items[i];
        uint32_t cells[2] = { item->cell, item->other };
        uint32_t count = item->kind == LAUNCH_BRANCH ? 2 : item->kind == LAUNCH_SET;
        for (uint32_t k = 0; k < count; k++)
            if (cells[k] != MOD_NONE)
                ir_store(&t->b, launch_cell_place(t, cells[k]), ir_const(&t->b, SCALAR_i32, 0));
    }
}

static void serial_body(launch_body *t)
{
    launch_pending *p = t->pending;

    cleared_items(t);
    if (!p->inner_predicate || p->predicate == MOD_NONE) {
        all_items(t);
        return;
    }
    ir_op *on = ir_load(&t->b, launch_cell_place(t, p->predicate));
    ir_op *runs = ir_binary(&t->b, SCALAR_OP_ne, on, ir_const(&t->b, SCALAR_i32, 0));
    ir_op *guard = ir_if(&t->b, runs, ir_type_void(t->l->m));
    ir_enter(&t->b, guard, 0);
    all_items(t);
    ir_leave(&t->b, guard);
}

static void indices(launch_body *t)
{
    const ir_region *r = t->pending->task->regions[0];

    t->task->rank = r->arg_count;
    t->pointers =
        arena_grow(t->l->arena, NULL, &t->pointer_capacity, r->arg_count + 1, sizeof *t->pointers);
    for (uint32_t k = 0; k < r->arg_count; k++) {
        ir_op *op = ir_param_add(t->l->m, t->func, r->args[k]->name, r->args[k]->type)->op;
        ir_clone_map_set(t->map, r->args[k], op);
        t->task->axes[k].type = op->type->scalar;
    }
}

static void axes(launch_body *t)
{
    const launch_pending *p = t->pending;

    for (uint32_t k = 0; k < t->task->rank; k++) {
        mod_axis *a = &t->task->axes[k];
        uint32_t slots[2] = { MOD_NONE, MOD_NONE };
        for (uint32_t side = 0; side < 2; side++)
            if (p->axis_cells[2 * k + side] == MOD_NONE)
                slots[side] = launch_slot(t->l, p->task->in[2 * k + side]);
        a->lo = slots[0];
        a->hi = slots[1];
        a->lo_cell = launch_cell_byte(t->l, p->axis_cells[2 * k]);
        a->hi_cell = launch_cell_byte(t->l, p->axis_cells[2 * k + 1]);
    }
}

/* Gives each argument its place in the block; false: the block is too large. */
static void layout(launch_body *t)
{
    mod_task *task = t->task;
    uint64_t at = 16 * (uint64_t)task->rank;

    for (uint32_t i = 0; i < t->arg_count; i++) {
        uint64_t align = 8;
        if (t->args[i].source == MOD_FROM_STRUCT && t->arg_types[i]->elem->align > 8)
            align = 16;
        at = (at + align - 1) / align * align;
        t->args[i].offset = (uint32_t)at;
        at += t->args[i].bytes;
    }
    at = (at + 7) / 8 * 8;
    task->partial_offset = MOD_NONE;
    if (task->reduce_count) {
        task->partial_offset = (uint32_t)at;
        at += 8;
    }
    task->args = t->args;
    task->arg_count = t->arg_count;
    task->block_bytes = (uint32_t)at;
    if (at > MOD_MAX_BLOCK_BYTES)
        launch_error(t->l, t->pending->place,
                     "pass a struct as `const struct P p[1]`, or keep values in one array",
                     "the task takes in %" PRIu32 " values, %" PRIu64
                     " bytes with its bounds; at most %d are possible",
                     t->arg_count, at, MOD_MAX_BLOCK_BYTES);
}

static void finish(launch_body *t)
{
    launch_pending *p = t->pending;
    mod_task *task = t->task;

    for (uint32_t i = 0; i < p->reduce_count; i++)
        p->reduces[i].cell = launch_cell_byte(t->l, p->reduces[i].cell);
    task->reduces = p->reduces;
    task->reduce_count = p->reduce_count;
    task->partial_bytes = 8 * p->reduce_count;
    if (p->reduce_count > LAUNCH_MAX_REDUCES)
        launch_error(t->l, p->place, "split the slip_for",
                     "one task reduces %" PRIu32 " variables; at most %d are possible",
                     p->reduce_count, LAUNCH_MAX_REDUCES);
    bool inner = p->inner_predicate || p->predicate == MOD_NONE;
    task->predicate = inner ? MOD_NONE : launch_cell_byte(t->l, p->predicate);
    layout(t);
    t->info->pointers = t->pointers;
}

/* A serial run beside a task with reductions becomes a helper that its `finish` calls. */
static void finish_part(launch_body *t, ir_finish which)
{
    static const char *const names[IR_FINISH_CALLS] = { "head", "tail" };
    launch_pending *p = &t->l->pending[t->pending->parts[which] - 1];
    launch_body body = *t;

    body.pending = p;
    body.index = t->pending->parts[which] - 1;
    body.map = ir_clone_map_new(t->l->m);
    body.part = ir_func_new(t->l->m, IR_HELPER,
                            arena_text(t->l->arena, "%s.%s", t->func->name, names[which]),
                            ir_type_void(t->l->m));
    body.part->place = p->place;
    body.part_args = NULL;
    body.part_arg_capacity = 0;
    body.b = (ir_builder){
        .module = t->l->m, .func = body.part, .region = body.part->body, .place = p->place
    };
    ir_op *marker = ir_const(&body.b, SCALAR_bool, 0);
    body.head = body.b;
    body.head.before = marker;
    serial_body(&body);
    ir_remove(marker);
    t->info->calls[which] = (ir_finish_call){ .func = body.part,
                                              .args = body.part_args,
                                              .arg_count = body.part->param_count };
    t->task->finishes_always = true;
    *(which == IR_FINISH_HEAD ? &t->task->head : &t->task->tail) = launch_place_of(p->place);
    t->args = body.args; /* what it takes in, the task does */
    t->arg_count = body.arg_count;
    t->arg_capacity = body.arg_capacity;
    t->arg_types = body.arg_types;
    t->type_capacity = body.type_capacity;
    t->pointers = body.pointers;
    t->pointer_capacity = body.pointer_capacity;
}

static void build(launch *l, uint32_t index)
{
    launch_pending *p = &l->pending[index];
    launch_body t = { .l = l,
                      .pending = p,
                      .index = index,
                      .task = &l->tasks[p->number],
                      .map = ir_clone_map_new(l->m),
                      .info = arena_new(l->arena, sizeof *t.info) };
    const char *name = task_name(l, p->place);

    t.func = ir_func_new(l->m, IR_HELPER, function_name(l, name), ir_type_void(l->m));
    t.func->kind = IR_TASK;
    t.func->task = t.info;
    t.func->place = p->place;
    *t.task = (mod_task){ .name = name, .place = launch_place_of(p->place) };
    *t.info = (ir_task_info){ .index = l->symbol_count + p->number,
                              .task = t.task,
                              .cells_param = MOD_NONE };
    t.b = (ir_builder){ .module = l->m, .func = t.func, .region = t.func->body, .place = p->place };
    ir_op *marker = ir_const(&t.b, SCALAR_bool, 0);
    t.head = t.b;
    t.head.before = marker;
    if (p->task) {
        indices(&t);
        launch_clone_region(&t, p->task->regions[0]);
        axes(&t);
    } else {
        serial_body(&t);
    }
    ir_remove(marker);
    for (int k = 0; k < IR_FINISH_CALLS; k++)
        if (p->parts[k])
            finish_part(&t, (ir_finish)k);
    finish(&t);
}

void launch_tasks(launch *l)
{
    l->tasks = arena_new(l->arena, (l->pending_count + 1) * sizeof *l->tasks);
    l->task_count = 0;
    for (uint32_t i = 0; i < l->pending_count; i++)
        if (!l->pending[i].is_part)
            l->pending[i].number = l->task_count++;
    for (uint32_t i = 0; i < l->pending_count; i++)
        if (!l->pending[i].is_part)
            build(l, i);
    for (uint32_t i = 0; i < l->node_count; i++)
        if (l->nodes[i].kind == MOD_TASK)
            l->nodes[i].first = l->pending[l->nodes[i].first].number;
}
