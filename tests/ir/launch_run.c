/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_run.c - see launch_run.h. Slots and scratch are filled with a pattern, cells with zeros.
 */
#include "launch_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/scalar.h"

enum { PATTERN = 0xa5 };

typedef struct state {
    launch_run *run;
    const mod_entry *e;
    const uint64_t *args;
    uint64_t *slots;
    uint8_t *cells;
    void **scratch;
} state;

typedef enum way { WAY_NEXT, WAY_BREAK, WAY_CONTINUE, WAY_RETURN } way;

static void stop(state *s, const char *why)
{
    if (!s->run->failed)
        s->run->failed = why;
}

/* ---- instructions -------------------------------------------------------------------------- */

static void run_scalar(state *s, const mod_instr *in)
{
    uint64_t a = s->slots[in->a], b = 0, c = 0;
    scalar_op op = (scalar_op)in->op;

    if (scalar_ops[op].operands > 1)
        b = s->slots[in->b];
    if (scalar_ops[op].operands > 2)
        c = s->slots[in->c];
    if (!in->exact) {
        s->slots[in->dst] = scalar_eval(op, in->type, in->from, a, b, c);
    } else if (!scalar_eval_exact(op, in->type, in->from, a, b, c, &s->slots[in->dst])) {
        s->run->refused = true;
        stop(s, in->text ? in->text : "an exact instruction without text");
    }
}

static void run_instrs(state *s, uint32_t first, uint32_t count)
{
    for (const mod_instr *in = s->e->instrs + first, *end = in + count; in < end; in++) {
        if (in->op < SCALAR_OP_COUNT)
            run_scalar(s, in);
        else if (in->op == MOD_OP_MOVE)
            s->slots[in->dst] = s->slots[in->a];
        else if (in->op == MOD_OP_MEMBER)
            s->slots[in->dst] =
                scalar_load(in->type, (const uint8_t *)(uintptr_t)s->args[in->a] + in->b);
        else if (s->slots[in->a] + scalar_types[in->type].bytes > in->c)
            stop(s, "a table is read outside");
        else
            s->slots[in->dst] =
                scalar_load(in->type, s->run->module->data + in->b + s->slots[in->a]);
    }
}

/* ---- tasks --------------------------------------------------------------------------------- */

static ir_func *task_function(const launch_run *run, uint32_t symbol)
{
    for (ir_func *f = run->ir->funcs; f; f = f->next)
        if (f->kind == IR_TASK && f->task->index == symbol)
            return f;
    return NULL;
}

static uint64_t bound(const state *s, scalar_type type, uint32_t slot, uint32_t cell)
{
    return slot != MOD_NONE ? s->slots[slot] : scalar_load(type, s->cells + cell);
}

static bool below(scalar_type type, uint64_t a, uint64_t b)
{
    return scalar_types[type].is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static void run_axis(state *s, const mod_task *t, ir_func *f, interp *in, uint64_t *values,
                     uint32_t axis)
{
    if (axis == t->rank) {
        interp_run(in, f, values);
        if (in->failed)
            stop(s, in->failed);
        return;
    }
    const mod_axis *a = &t->axes[axis];
    uint64_t hi = bound(s, a->type, a->hi, a->hi_cell);
    for (uint64_t i = bound(s, a->type, a->lo, a->lo_cell);
         below(a->type, i, hi) && !s->run->failed; i = scalar_canonical(a->type, i + 1)) {
        values[axis] = i;
        run_axis(s, t, f, in, values, axis + 1);
    }
}

static void run_part(state *s, const ir_func *f, ir_finish which, const uint64_t *values)
{
    const ir_finish_call *call = &f->task->calls[which];
    interp in = { .steps = 1000000 };

    if (!call->func || s->run->failed)
        return;
    uint64_t *args = calloc(call->arg_count + 1, sizeof *args);
    for (uint32_t i = 0; i < call->arg_count; i++)
        args[i] = values[f->task->task->rank + call->args[i]];
    interp_run(&in, call->func, args);
    if (in.failed)
        stop(s, in.failed);
    interp_finish(&in);
    free(args);
}

static uint8_t *keep_cells(const state *s)
{
    uint8_t *kept = calloc(s->e->cells_bytes + 1, 1);

    memcpy(kept, s->cells, s->e->cells_bytes);
    return kept;
}

/* The iterations ran on the cells as they were before what their `finish` begins with. */
static void join_cells(state *s, uint8_t *before, uint8_t *behind)
{
    for (uint32_t i = 0; i < s->e->cells_bytes; i++)
        if (s->cells[i] == before[i])
            s->cells[i] = behind[i];
    free(before);
    free(behind);
}

static void run_task(state *s, uint32_t index)
{
    const mod_task *t = &s->e->tasks[index];
    ir_func *f = task_function(s->run, s->e->first_symbol + index);
    interp in = { .steps = 1000000 };

    if (!f || f->param_count != t->rank + t->arg_count) {
        stop(s, "a task has no function, or another number of parameters");
        return;
    }
    if (t->predicate != MOD_NONE && scalar_load(SCALAR_i32, s->cells + t->predicate) == 0)
        return;
    s->run->tasks++;
    uint64_t *values = calloc(f->param_count + 1, sizeof *values);
    for (uint32_t i = 0; i < t->arg_count; i++)
        values[t->rank + i] = t->args[i].source == MOD_FROM_SLOT ? s->slots[t->args[i].index]
                                                                 : s->args[t->args[i].index];
    uint8_t *before = keep_cells(s);
    run_part(s, f, IR_FINISH_HEAD, values);
    for (uint32_t r = 0; r < t->reduce_count; r++)
        in.reduces[r] = scalar_load(t->reduces[r].type, s->cells + t->reduces[r].cell);
    uint8_t *behind = keep_cells(s);
    memcpy(s->cells, before, s->e->cells_bytes);
    run_axis(s, t, f, &in, values, 0);
    join_cells(s, before, behind);
    for (uint32_t r = 0; r < t->reduce_count; r++)
        scalar_store(t->reduces[r].type, s->cells + t->reduces[r].cell, in.reduces[r]);
    run_part(s, f, IR_FINISH_TAIL, values);
    interp_finish(&in);
    free(values);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void take(state *s, uint32_t index)
{
    const mod_scratch *m = &s->e->scratch[index];
    uint64_t bytes = m->bytes;

    if (s->scratch[index])
        return;
    for (uint32_t d = 0; d < m->rank; d++)
        bytes *= s->slots[m->extents[d]];
    s->scratch[index] = malloc(bytes ? bytes : 1);
    memset(s->scratch[index], PATTERN, bytes);
    s->slots[m->slot] = (uint64_t)(uintptr_t)s->scratch[index];
}

static way run_nodes(state *s, uint32_t first, uint32_t end, uint32_t *target);

static way run_loop(state *s, uint32_t k)
{
    const mod_node *n = &s->e->nodes[k];
    uint32_t from = k + 1, target = 0;

    while (!s->run->failed) {
        way w = run_nodes(s, from, n->end, &target);
        from = w == WAY_CONTINUE ? target : k + 1;
        if (w == WAY_BREAK)
            break;
        if (w == WAY_RETURN)
            return w;
    }
    return WAY_NEXT;
}

static way run_device_loop(state *s, uint32_t k)
{
    const mod_node *n = &s->e->nodes[k];
    uint32_t target = 0;

    do {
        if (run_nodes(s, k + 1, n->end, &target) != WAY_NEXT)
            stop(s, "the host leaves a device loop");
    } while (!s->run->failed && scalar_load(SCALAR_i32, s->cells + n->first) != 0);
    return WAY_NEXT;
}

static way run_node(state *s, uint32_t k, uint32_t *target)
{
    const mod_node *n = &s->e->nodes[k];

    switch (n->kind) {
    case MOD_EVAL:
        run_instrs(s, n->first, n->count);
        break;
    case MOD_TASK:
        run_task(s, n->first);
        break;
    case MOD_TAKE:
        take(s, n->first);
        break;
    case MOD_IF:
        return s->slots[n->cond] ? run_nodes(s, k + 1, n->other, target)
                                 : run_nodes(s, n->other, n->end, target);
    case MOD_LOOP:
        return run_loop(s, k);
    case MOD_BREAK:
        return n->cond == MOD_NONE || s->slots[n->cond] == 0 ? WAY_BREAK : WAY_NEXT;
    case MOD_CONTINUE:
        *target = n->other;
        return WAY_CONTINUE;
    case MOD_RETURN:
        return WAY_RETURN;
    case MOD_SECTIONS:
    case MOD_SECTION:
        return run_nodes(s, k + 1, n->end, target);
    case MOD_DEVICE_LOOP:
        return run_device_loop(s, k);
    }
    return WAY_NEXT;
}

static way run_nodes(state *s, uint32_t first, uint32_t end, uint32_t *target)
{
    way w = WAY_NEXT;

    for (uint32_t k = first; k < end && w == WAY_NEXT && !s->run->failed; k = s->e->nodes[k].end) {
        if (s->run->steps-- == 0)
            stop(s, "too many nodes");
        else
            w = run_node(s, k, target);
    }
    return w;
}

uint64_t launch_run_entry(launch_run *run, uint32_t index, const uint64_t *args, void *result)
{
    const mod_entry *e = &run->module->entries[index];
    state s = { .run = run,
                .e = e,
                .args = args,
                .slots = calloc(e->slot_count + 1, 8),
                .cells = calloc(1, e->cells_bytes + 1),
                .scratch = calloc(e->scratch_count + 1, sizeof *s.scratch) };
    uint32_t target = 0;
    uint64_t value = 0;

    memset(s.slots, PATTERN, e->slot_count * sizeof *s.slots);
    for (uint32_t i = 0; i < e->param_count; i++)
        s.slots[i] = args[i];
    for (uint32_t i = 0; i < e->const_count; i++)
        s.slots[e->consts[i].slot] = e->consts[i].bits;
    if (e->cells_slot != MOD_NONE)
        s.slots[e->cells_slot] = (uint64_t)(uintptr_t)s.cells;
    run_instrs(&s, 0, e->extent_instrs);
    run_nodes(&s, 0, e->node_count, &target);
    if (e->result.kind == MOD_SCALAR_RESULT)
        value = scalar_load(e->result.scalar, s.cells + e->result.cell);
    if (e->result.kind != MOD_NO_RESULT && result)
        memcpy(result, s.cells + e->result.cell, e->result.bytes);
    for (uint32_t i = 0; i < e->scratch_count; i++)
        free(s.scratch[i]);
    free(s.scratch);
    free(s.cells);
    free(s.slots);
    return value;
}
