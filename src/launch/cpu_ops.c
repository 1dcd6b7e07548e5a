/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_ops.c - lowers a plan's steps to a list with jumps, once per plan.
 *
 * Order between steps is kept as it stands; steps that order lanes vanish, since the CPU has one.
 * Must never decide what runs: a step it does not know how to keep is a fault, not a choice.
 */
#include "launch/cpu_ops.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

/* Where a jump goes, until positions are known: to the op made for a step, to the place before a
 * region's closing op, or after it. */
typedef enum target_kind { TO_NOTHING, TO_STEP, TO_CLOSE, TO_EXIT, TO_ELSE } target_kind;

typedef struct target {
    target_kind kind;
    uint32_t step;
} target;

typedef struct lowering {
    const plan *p;
    const mod_entry *entry;
    cpu_op *ops;
    target *targets; /* [op capacity] */
    uint32_t op_count;
    uint32_t *at;      /* [step_count + 1] op of each step */
    uint32_t *closing; /* [step_count] ops of regions, by their first step */
    uint32_t *leaving;
    uint32_t *middle;
    uint32_t *open; /* stack of regions */
    uint32_t open_count;
} lowering;

static void emit(lowering *l, cpu_op_kind kind, uint32_t a, uint32_t b, target to)
{
    l->ops[l->op_count] = (cpu_op){ .kind = kind, .a = a, .b = b };
    l->targets[l->op_count++] = to;
}

static const target nowhere = { TO_NOTHING, 0 };

/* Ends the regions that end before step `next`, innermost first; begins the else part of the one
 * left on top. */
static void close_regions(lowering *l, uint32_t next)
{
    const plan_step *steps = l->p->steps;

    while (l->open_count > 0 && steps[l->open[l->open_count - 1]].end == next) {
        uint32_t region = l->open[--l->open_count];
        const plan_step *s = &steps[region];
        l->closing[region] = l->op_count;
        if (s->kind == PLAN_LOOP)
            emit(l, CPU_OP_JUMP, 0, 0, (target){ TO_STEP, region });
        else if (s->kind == PLAN_DEVICE_LOOP)
            emit(l, CPU_OP_JUMP_IF_CELL, l->entry->nodes[s->node].first, 0,
                 (target){ TO_STEP, region });
        else if (s->other == next)
            l->middle[region] = l->op_count;
        l->leaving[region] = l->op_count;
    }
    if (l->open_count == 0)
        return;
    uint32_t top = l->open[l->open_count - 1];
    if (steps[top].kind == PLAN_IF && steps[top].other == next) {
        emit(l, CPU_OP_JUMP, 0, 0, (target){ TO_EXIT, top });
        l->middle[top] = l->op_count;
    }
}

static uint32_t innermost_loop(const lowering *l)
{
    for (uint32_t k = l->open_count; k-- > 0;)
        if (l->p->steps[l->open[k]].kind == PLAN_LOOP)
            return l->open[k];
    return MOD_NONE;
}

static slip_status fault(const lowering *l, uint32_t step, const char *what)
{
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "step %u of the plan of %s: %s", step, l->entry->name,
                     what);
}

static slip_status lower_leave(lowering *l, uint32_t i)
{
    const plan_step *s = &l->p->steps[i];
    uint32_t loop = innermost_loop(l);

    if (s->kind == PLAN_RETURN) {
        emit(l, CPU_OP_JUMP, 0, 0, (target){ TO_STEP, s->other });
        return SLIP_OK;
    }
    if (loop == MOD_NONE)
        return fault(l, i, "leaves no loop");
    if (s->kind == PLAN_BREAK) {
        uint32_t cond = l->entry->nodes[s->node].cond;
        emit(l, cond == MOD_NONE ? CPU_OP_JUMP : CPU_OP_JUMP_IF_ZERO, cond, 0,
             (target){ TO_EXIT, loop });
    } else if (s->other == l->p->steps[loop].end) {
        emit(l, CPU_OP_JUMP, 0, 0, (target){ TO_CLOSE, loop });
    } else {
        emit(l, CPU_OP_JUMP, 0, 0, (target){ TO_STEP, s->other });
    }
    return SLIP_OK;
}

static slip_status lower_step(lowering *l, uint32_t i)
{
    const plan_step *s = &l->p->steps[i];
    const mod_node *node = s->node == MOD_NONE ? NULL : &l->entry->nodes[s->node];

    switch (s->kind) {
    case PLAN_EVAL:
        emit(l, CPU_OP_EVAL, node->first, node->count, nowhere);
        return SLIP_OK;
    case PLAN_IF:
        emit(l, CPU_OP_JUMP_IF_ZERO, node->cond, 0, (target){ TO_ELSE, i });
        l->open[l->open_count++] = i;
        return SLIP_OK;
    case PLAN_LOOP:
    case PLAN_DEVICE_LOOP:
        l->open[l->open_count++] = i;
        return SLIP_OK;
    case PLAN_BREAK:
    case PLAN_CONTINUE:
    case PLAN_RETURN:
        return lower_leave(l, i);
    case PLAN_SCRATCH:
        emit(l, CPU_OP_SCRATCH, s->index, 0, nowhere);
        return SLIP_OK;
    case PLAN_TASK:
        emit(l, CPU_OP_TASK, s->index, 0, nowhere);
        return SLIP_OK;
    case PLAN_UPLOAD:
    case PLAN_DOWNLOAD:
        if (s->move != PLAN_MOVE_NONE && s->move != PLAN_MOVE_IN_PLACE)
            return fault(l, i, "the CPU copies nothing, its tasks use every array in place");
        return SLIP_OK;
    case PLAN_UNSTAGE:
        if (s->index != MOD_NONE)
            return fault(l, i, "the CPU has nothing to unstage but the result");
        emit(l, CPU_OP_RESULT, 0, 0, nowhere);
        return SLIP_OK;
    case PLAN_HOST_WAIT:
        emit(l, CPU_OP_WAIT, 0, 0, nowhere);
        return SLIP_OK;
    case PLAN_RELEASE:
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        return SLIP_OK;
    case PLAN_BARRIER:
    case PLAN_SUBMIT:
    case PLAN_KIND_COUNT:
        break;
    }
    return fault(l, i, "it is for another family");
}

static uint32_t resolve(const lowering *l, target to)
{
    switch (to.kind) {
    case TO_NOTHING:
        return 0;
    case TO_STEP:
        return l->at[to.step];
    case TO_CLOSE:
        return l->closing[to.step];
    case TO_EXIT:
        return l->leaving[to.step];
    case TO_ELSE:
        return l->middle[to.step];
    }
    return 0;
}

static slip_status lower(lowering *l)
{
    uint32_t count = l->p->step_count;

    for (uint32_t i = 0; i < count; i++) {
        close_regions(l, i);
        l->at[i] = l->op_count;
        SLIP_TRY(lower_step(l, i));
    }
    close_regions(l, count);
    l->at[count] = l->op_count;
    emit(l, CPU_OP_END, 0, 0, nowhere);
    for (uint32_t k = 0; k < l->op_count; k++)
        l->ops[k].to = resolve(l, l->targets[k]);
    return SLIP_OK;
}

slip_status cpu_ops_make(const plan *p, const mod_entry *entry, cpu_op **out)
{
    /* A step makes one op, and a region at most one more when it ends or reaches its else part. */
    size_t ops = 2 * (size_t)p->step_count + 1, steps = (size_t)p->step_count + 1;
    lowering l = { .p = p, .entry = entry };
    uint32_t *numbers = NULL;
    slip_status status = mem_new(ops * sizeof *l.ops, (void **)&l.ops);

    if (status != SLIP_OK)
        goto fail;
    status = mem_new(ops * sizeof *l.targets, (void **)&l.targets);
    if (status != SLIP_OK)
        goto fail;
    status = mem_new(5 * steps * sizeof *numbers, (void **)&numbers);
    if (status != SLIP_OK)
        goto fail;
    l.at = numbers;
    l.closing = numbers + steps;
    l.leaving = numbers + 2 * steps;
    l.middle = numbers + 3 * steps;
    l.open = numbers + 4 * steps;
    status = lower(&l);
    if (status != SLIP_OK)
        goto fail;
    mem_free(l.targets);
    mem_free(numbers);
    *out = l.ops;
    return SLIP_OK;

fail:
    mem_free(l.ops);
    mem_free(l.targets);
    mem_free(numbers);
    return status;
}
