/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_clone.c - kernel ops copied into a task function.
 *
 * What changes on the way: places in kernel-level variables become places in cells, updates of
 * reduced variables become `reduce`, and an exit that leaves the cloned ops clears the predicate
 * cells of the regions it leaves and ends the task.
 */
#include "ir/launch_parts.h"

static ir_op *mapped(launch_body *t, ir_op *value)
{
    return launch_capture(t, value);
}

/* ---- exits --------------------------------------------------------------------------------- */

static void store_i32(launch_body *t, uint32_t cell, uint32_t value)
{
    ir_store(&t->b, launch_cell_place(t, cell), ir_const(&t->b, SCALAR_i32, value));
}

static void clear(launch_body *t, uint32_t cell)
{
    if (cell != MOD_NONE)
        store_i32(t, cell, 0);
}

/* Clears the cells of the frames that an exit leaves: `levels` loops or blocks, all for a return.
 */
void launch_clear_cells(launch_body *t, ir_code code, uint32_t levels)
{
    for (const launch_frame *f = t->pending->frames; f; f = f->up) {
        bool level = f->op->code == IR_loop || f->op->code == IR_block;
        bool target = code != IR_return && level && --levels == 0;
        clear(t, f->pass);
        if (!(target && code == IR_continue))
            clear(t, f->cell);
        if (target)
            return;
    }
    if (code == IR_return && t->l->returns_early)
        clear(t, t->l->alive);
}

void launch_give_result(launch_body *t, const ir_op *exit)
{
    ir_op *value = mapped(t, exit->in[0]);
    ir_op *to = launch_cell_place(t, t->l->result_cell);

    if (value->type->kind == IR_PTR)
        ir_copy(&t->b, to, value);
    else
        ir_store(&t->b, to, value);
}

static void clone_exit(launch_body *t, const ir_op *op)
{
    if (op->code != IR_return && op->levels <= t->depth) {
        ir_op *made = ir_build(&t->b, op->code, op->type, NULL, 0);
        made->levels = op->levels;
        return;
    }
    if (op->code == IR_return && op->in_count)
        launch_give_result(t, op);
    launch_clear_cells(t, op->code, op->code == IR_return ? 0 : op->levels - t->depth);
    ir_return(&t->b, NULL);
}

/* ---- reductions ---------------------------------------------------------------------------- */

/* The row of this variable in the task's reductions; its cell still by number. */
static uint32_t reduction_row(launch_body *t, const ir_op *update, const launch_reduction *r)
{
    launch_pending *p = t->pending;
    uint32_t cell = launch_cell_of(t->l, launch_root(update->in[0]));

    for (uint32_t i = 0; i < p->reduce_count; i++)
        if (p->reduces[i].cell == cell)
            return i;
    p->reduces = arena_grow(t->l->arena, p->reduces, &p->reduce_capacity, p->reduce_count + 1,
                            sizeof *p->reduces);
    p->reduces[p->reduce_count] = (mod_reduce){ .op = r->op, .type = r->type, .cell = cell };
    return p->reduce_count++;
}

/* A value of the update's region, with what it needs of that region. */
static ir_op *inner_value(launch_body *t, const ir_region *r, ir_op *value)
{
    if (r && value->parent == r && !ir_clone_map_get(t->map, value)) {
        for (uint32_t i = 0; i < value->in_count; i++)
            inner_value(t, r, value->in[i]);
        launch_clone_op(t, value);
    }
    return mapped(t, value);
}

static void clone_reduction(launch_body *t, const ir_op *update)
{
    launch_reduction r;

    if (!launch_reduction_of(update, &r))
        return; /* an error was given */
    const ir_region *inside = update->region_count ? update->regions[0] : NULL;
    ir_op *value = inner_value(t, inside, r.value);
    if (r.factor)
        value = ir_binary(&t->b, SCALAR_OP_mul, value, inner_value(t, inside, r.factor));
    if (r.lowest)
        value = ir_binary(&t->b, SCALAR_OP_and, value, ir_const(&t->b, value->type->scalar, 1));
    value = ir_convert(&t->b, r.type, value);
    if (r.negate)
        value = ir_unary(&t->b, SCALAR_OP_neg, value);
    launch_cell_place(t, launch_cell_of(t->l, launch_root(update->in[0])));
    ir_op *made = ir_build(&t->b, IR_reduce, ir_type_void(t->l->m), &value, 1);
    made->index = reduction_row(t, update, &r);
}

/* ---- all else ------------------------------------------------------------------------------ */

/* A place has the space of what it is a place in, which may have moved from a variable to a cell.
 */
static const ir_type *moved_type(launch_body *t, const ir_op *op, ir_op *const *in)
{
    if (launch_is_place(op))
        return ir_type_ptr(t->l->m, in[0]->type->space, op->type->elem);
    return op->type;
}

static void clone_regions(launch_body *t, const ir_op *from, ir_op *to)
{
    bool level = from->code == IR_loop || from->code == IR_block;
    ir_builder outer = t->b;

    to->regions = arena_new(t->l->arena, (from->region_count + 1) * sizeof *to->regions);
    t->depth += level;
    for (uint32_t i = 0; i < from->region_count; i++) {
        const ir_region *r = from->regions[i];
        to->regions[i] = ir_region_new(t->l->m, to);
        for (uint32_t k = 0; k < r->arg_count; k++) {
            ir_op *arg = ir_region_arg(t->l->m, to->regions[i], r->args[k]->type, r->args[k]->name);
            ir_clone_map_set(t->map, r->args[k], arg);
        }
        ir_enter(&t->b, to, i);
        launch_clone_region(t, r);
    }
    t->depth -= level;
    t->b = outer;
}

static void clone_plain(launch_body *t, ir_op *op)
{
    ir_op **in = arena_new(t->l->arena, (op->in_count + 1) * sizeof *in);

    for (uint32_t i = 0; i < op->in_count; i++)
        in[i] = mapped(t, op->in[i]);
    ir_op *made = ir_build(&t->b, op->code, moved_type(t, op, in), in, op->in_count);
    ir_op links = *made;
    *made = *op;
    made->prev = links.prev;
    made->next = links.next;
    made->parent = links.parent;
    made->in = links.in;
    made->type = links.type;
    ir_clone_map_set(t->map, op, made);
    if (op->region_count)
        clone_regions(t, op, made);
}

void launch_clone_op(launch_body *t, ir_op *op)
{
    t->b.place = op->place;
    if (op->code == IR_load) {
        ir_op *taken = launch_capture_load(t, op);
        if (taken) {
            ir_clone_map_set(t->map, op, taken);
            return;
        }
    }
    if (op->code == IR_break || op->code == IR_continue || op->code == IR_return)
        clone_exit(t, op);
    else if (launch_is_reduced(t->l, op))
        clone_reduction(t, op);
    else
        clone_plain(t, op);
}

void launch_clone_region(launch_body *t, const ir_region *from)
{
    for (ir_op *op = from->first; op; op = op->next)
        launch_clone_op(t, op);
}
