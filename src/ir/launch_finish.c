/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_finish.c - which serial runs need no task of their own (LANGUAGE rule 32).
 *
 *     sum = 0;  slip_for (i, n) sum += x[i];  mean = sum / n;
 *
 * A task with reductions has a `finish`, which runs once and in one place, after all of it. What
 * stands behind the task may run there, behind the fold; and what stands before it as well, before
 * the fold, if the task's iterations and it only read what both touch, but for what they reduce.
 * Either touches no memory but variables: of arrays the plan knows only what the iterations touch.
 */
#include "ir/launch_parts.h"

static bool in_variable(ir_op *place)
{
    return launch_root(place)->code == IR_var;
}

/* Does the op touch no memory but variables, which are cells or its own? */
static bool stays_in_cells(ir_op *op, void *user)
{
    (void)user;
    switch ((int)op->code) {
    case IR_load:
    case IR_store:
    case IR_update:
    case IR_atomic:
    case IR_cas:
    case IR_fill:
        return in_variable(op->in[0]);
    case IR_copy:
        return in_variable(op->in[0]) && in_variable(op->in[1]);
    case IR_return:
        return !op->in_count || op->in[0]->type->kind != IR_PTR || in_variable(op->in[0]);
    default: /* the rest touches none */
        return true;
    }
}

/* All ops of a run and in them. */
static bool each_op(const launch_pending *run, bool (*visit)(ir_op *op, void *user), void *user)
{
    for (uint32_t i = 0; i < run->item_count; i++) {
        ir_op *op = run->items[i].op;
        if (op && !visit(op, user))
            return false;
        for (uint32_t k = 0; op && run->items[i].kind == LAUNCH_OP && k < op->region_count; k++)
            if (!ir_walk(op->regions[k], visit, user))
                return false;
    }
    return true;
}

static bool is_unreduced(ir_op *op, void *user)
{
    return !launch_is_reduced(user, op);
}

static bool reduces(launch *l, const ir_op *task)
{
    return !ir_walk(task->regions[0], is_unreduced, l);
}

/* A run that must clear cells where its predicate is 0 runs then too, and so by itself. */
static bool runs_alike(const launch_pending *run, const launch_pending *task)
{
    return task->task->parent == run->home && task->predicate == run->predicate &&
           !(run->inner_predicate && run->predicate != MOD_NONE);
}

/* ---- what both take in --------------------------------------------------------------------- */

/* Values from outside a task and the runs that its `finish` has: each is an argument at most. */
typedef struct intake {
    launch *l;
    const ir_op *task;
    uint32_t runs[IR_FINISH_CALLS]; /* numbers that they have as pending tasks */
    const ir_op **seen;
    uint32_t seen_count, seen_capacity;
    uint64_t bytes; /* of the block, at most */
} intake;

static bool is_outside(const intake *s, const ir_op *value)
{
    const launch_fact *f = launch_fact_of(s->l, value);

    if (value->code == IR_const || value->code == IR_undef || value->code == IR_table)
        return false;
    if (value->code == IR_var && f->device)
        return false; /* a cell */
    return f->task != s->task && f->pending != s->runs[0] && f->pending != s->runs[1];
}

static void take_in(intake *s, const ir_op *value)
{
    bool is_struct = value->code == IR_param && value->type->kind == IR_PTR &&
                     value->type->space == IR_PARAM_SPACE;

    if (!is_outside(s, value))
        return;
    for (uint32_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == value)
            return;
    s->seen = arena_grow(s->l->arena, (void *)s->seen, &s->seen_capacity, s->seen_count + 1,
                         sizeof *s->seen);
    s->seen[s->seen_count++] = value;
    if (!launch_is_place(value))
        s->bytes += is_struct ? 16 + (value->type->elem->size + 7) / 8 * 8 : 8;
    for (uint32_t i = 0; launch_is_place(value) && i < value->in_count; i++)
        take_in(s, value->in[i]); /* it is made again from these */
}

static bool inputs_taken(ir_op *op, void *user)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        take_in(user, op->in[i]);
    return true;
}

/* Has the task's block room for what the run takes in as well? */
static bool fits(launch *l, const launch_pending *task, const launch_pending *run)
{
    uint32_t head = task->parts[IR_FINISH_HEAD];
    intake s = { .l = l,
                 .task = task->task,
                 .runs = { l->pending_count, head ? head - 1 : l->pending_count },
                 .bytes = 16 * (uint64_t)task->task->regions[0]->arg_count };

    s.bytes += 16; /* where cells and partial results are */
    ir_walk(task->task->regions[0], inputs_taken, &s);
    if (head)
        each_op(&l->pending[head - 1], inputs_taken, &s);
    each_op(run, inputs_taken, &s);
    return s.bytes <= MOD_MAX_BLOCK_BYTES;
}

/* ---- what stands behind a task ------------------------------------------------------------- */

/* The node of the task queued last; values computed since may as well be computed before it, if
 * they are no new values of variables. */
static const mod_node *last_task(const launch *l)
{
    uint32_t at = l->node_count;

    if (at >= 2 && l->nodes[at - 1].kind == MOD_EVAL && l->stores_at != at)
        at--;
    return at >= 1 && l->nodes[at - 1].kind == MOD_TASK ? &l->nodes[at - 1] : NULL;
}

uint32_t launch_task_before(launch *l, const launch_pending *run)
{
    const mod_node *last = last_task(l);

    if (!last)
        return MOD_NONE;
    const launch_pending *before = &l->pending[last->first];
    if (!before->task || before->parts[IR_FINISH_TAIL] || !runs_alike(run, before) ||
        !reduces(l, before->task) || !each_op(run, stays_in_cells, NULL) || !fits(l, before, run))
        return MOD_NONE;
    return last->first;
}

/* ---- what stands before a task ------------------------------------------------------------- */

typedef struct head_search {
    launch *l;
    const ir_op *task;
    uint32_t run; /* number that the run has as a pending task */
} head_search;

/* Does the op, which uses a variable, do no more than read it, or name a place in it? */
static bool only_reads(const ir_op *op)
{
    return op->code == IR_load || launch_is_place(op);
}

/* Does the task use the variable but to reduce it? `writes`: so that it may change. */
static bool task_sees(const head_search *s, const ir_op *var, bool writes)
{
    for (const launch_use *u = launch_fact_of(s->l, var)->uses; u; u = u->next)
        if (launch_fact_of(s->l, u->op)->task == s->task && !launch_is_reduced(s->l, u->op) &&
            !(writes && only_reads(u->op)))
            return true;
    for (uint32_t k = 0; k < s->task->in_count && !writes; k++)
        if (s->task->in[k]->code == IR_load && s->task->in[k]->in[0] == var)
            return true; /* a bound */
    return false;
}

/* What the run writes the task does not see, and what the run reads the task does not write. */
static bool variables_apart(ir_op *op, void *user)
{
    for (uint32_t i = 0; i < op->in_count; i++) {
        const ir_op *root = launch_root(op->in[i]);
        if (root->code == IR_var && task_sees(user, root, only_reads(op)))
            return false;
    }
    return true;
}

static bool stays(ir_op *op, void *user)
{
    (void)user;
    return op->code != IR_return && op->code != IR_break && op->code != IR_continue;
}

/* No input of the op is a value that the run computes. */
static bool takes_nothing(ir_op *op, void *user)
{
    const head_search *s = user;

    for (uint32_t i = 0; i < op->in_count; i++) {
        const ir_op *in = op->in[i];
        if (in->code != IR_var && in->code != IR_const && in->parent &&
            launch_fact_of(s->l, in)->pending == s->run)
            return false;
    }
    return true;
}

bool launch_is_head(launch *l, const launch_pending *run, const launch_pending *task)
{
    head_search s = { l, task->task, l->pending_count };

    if (run->item_count == 0 || !runs_alike(run, task) || launch_task_before(l, run) != MOD_NONE ||
        !reduces(l, task->task))
        return false;
    for (uint32_t i = 0; i < run->item_count; i++)
        if (run->items[i].kind != LAUNCH_OP)
            return false;
    return each_op(run, stays_in_cells, NULL) && each_op(run, variables_apart, &s) &&
           each_op(run, stays, NULL) && takes_nothing(task->task, &s) &&
           ir_walk(task->task->regions[0], takes_nothing, &s) && fits(l, task, run);
}
