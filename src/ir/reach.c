/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach.c - the helpers that a task comes to: those that it calls, that its finish calls, and that
 * these call.
 */
#include "ir/launch.h"

typedef struct walking {
    ir_reach *r;
    bool (*visit)(ir_op *op, void *user);
    void *user;
} walking;

void ir_reach_begin(ir_reach *r, const ir_module *m, mem_arena *arena)
{
    uint32_t functions = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        functions++;
    *r = (ir_reach){ .helpers = arena_new(arena, (functions + 1) * sizeof *r->helpers) };
}

void ir_reach_add(ir_reach *r, const ir_func *helper)
{
    for (uint32_t k = 0; k < r->count; k++)
        if (r->helpers[k] == helper)
            return;
    r->helpers[r->count++] = helper;
}

static bool visit_op(ir_op *op, void *user)
{
    const walking *w = user;

    if (op->code == IR_call)
        ir_reach_add(w->r, op->func);
    return w->visit(op, w->user);
}

void ir_reach_task(ir_reach *r, const ir_func *task, bool (*visit)(ir_op *op, void *user),
                   void *user)
{
    walking w = { r, visit, user };

    r->count = 0;
    ir_walk(task->body, visit_op, &w);
    for (int k = 0; k < IR_FINISH_CALLS; k++)
        if (task->task->calls[k].func)
            ir_reach_add(r, task->task->calls[k].func);
    for (uint32_t k = 0; k < r->count; k++)
        ir_walk(r->helpers[k]->body, visit_op, &w);
}
