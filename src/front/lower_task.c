/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_task.c - slip_for and slip_sections.
 *
 * Bounds are evaluated once, before the first iteration. The body is a block only where a
 * `continue` leaves it.
 */
#include "front/lower.h"

/* Does a `continue` in n end the iteration (and not a loop inside it)? */
static bool continues(const node *n)
{
    if (!n)
        return false;
    if (n->kind == N_CONTINUE)
        return true;
    if (n->kind == N_FOR || n->kind == N_WHILE || n->kind == N_DO || n->kind == N_TASK)
        return false;
    for (uint32_t i = 0; i < n->count; i++) {
        if (continues(n->kids[i]))
            return true;
    }
    return false;
}

static void body(lower *l, node *n)
{
    frame here = { .up = l->frames, .kind = FRAME_TASK, .level = continues(n) };

    l->frames = &here;
    if (here.level) {
        ir_op *op = ir_block(&l->b);
        ir_enter(&l->b, op, 0);
        lower_stmt(l, n);
        ir_leave(&l->b, op);
    } else {
        lower_stmt(l, n);
    }
    l->frames = here.up;
}

static void refuse_nested(lower *l, node *n)
{
    front_error(l->f, n->place, "write the inner one as a `for`, or use slip_for2 for both",
                "a slip_for stands inside a slip_for");
}

void lower_task(lower *l, node *n)
{
    ir_op *bounds[6];

    if (l->task) {
        refuse_nested(l, n);
        return;
    }
    for (uint32_t k = 0; k < n->rank; k++) {
        scalar_type type = n->axes[k]->type->scalar;
        bounds[2 * k] = lower_convert(l, type, lower_value(l, n->kids[2 * k]));
        bounds[2 * k + 1] = lower_convert(l, type, lower_value(l, n->kids[2 * k + 1]));
    }
    l->b.place = n->place;
    ir_op *op = ir_task(&l->b, bounds, n->rank);
    uint64_t outer_bytes = l->local_bytes;
    l->task = ++l->f->task_count;
    l->local_bytes = 0;
    for (uint32_t k = 0; k < n->rank; k++) {
        op->regions[0]->args[k]->name = n->axes[k]->name;
        n->axes[k]->bind = (binding){ .stamp = l->f->stamp,
                                      .task = l->task,
                                      .type = n->axes[k]->type,
                                      .value = op->regions[0]->args[k] };
    }
    ir_enter(&l->b, op, 0);
    body(l, n->kids[2 * n->rank]);
    ir_leave(&l->b, op);
    l->task = 0;
    l->local_bytes = outer_bytes;
}

/* ---- sections
 * ---------------------------------------------------------------------------------------- */

static void one_section(lower *l, node *n)
{
    frame here = { .up = l->frames, .kind = FRAME_SECTION };
    ir_op *op = ir_section(&l->b);

    l->frames = &here;
    ir_enter(&l->b, op, 0);
    lower_stmt(l, n->kids[0]);
    ir_leave(&l->b, op);
    l->frames = here.up;
}

static void each_section(lower *l, node *n)
{
    if (n->kind == N_SECTION) {
        l->b.place = n->place;
        one_section(l, n);
    } else if (n->kind == N_BLOCK) {
        for (uint32_t i = 0; i < n->count; i++)
            each_section(l, n->kids[i]);
    } else if (n->kind != N_EMPTY) {
        front_error(l->f, n->place, "put it into a slip_section, or before slip_sections",
                    "only slip_section statements can stand in slip_sections");
    }
}

void lower_sections(lower *l, node *n)
{
    if (l->task) {
        front_error(l->f, n->place, "put the slip_sections around the slip_for",
                    "slip_sections stands inside a slip_for");
        return;
    }
    if (l->section) {
        front_error(l->f, n->place, "make them sections of the outer one",
                    "slip_sections stands inside slip_sections");
        return;
    }
    ir_op *op = ir_sections(&l->b);
    l->section++;
    ir_enter(&l->b, op, 0);
    each_section(l, n->kids[0]);
    ir_leave(&l->b, op);
    l->section--;
}
