/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow.c - lowers a plan's steps to a list with jumps, once per plan.
 *
 * Order between steps is kept as it stands. Must never decide what runs: a step it does not know
 * how to keep is a fault, not a choice.
 */
#include "launch/flow.h"

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
    flow_lower lower;
    flow_op *ops;
    target *targets; /* [op capacity] */
    uint32_t op_count, loop_count;
    uint32_t *at;      /* [step_count + 1] op of each step */
    uint32_t *closing; /* [step_count] ops of regions, by their first step */
    uint32_t *leaving;
    uint32_t *middle;
    uint32_t *open; /* stack of regions */
    uint32_t open_count;
} lowering;

static void emit(lowering *l, flow_op op, target to)
{
    l->ops[l->op_count] = op;
    l->targets[l->op_count++] = to;
}

static void emit_jump(lowering *l, target_kind kind, uint32_t step)
{
    emit(l, (flow_op){ .kind = FLOW_JUMP }, (target){ kind, step });
}

/* Does the host wait before it reads the condition of a device loop? */
static bool waits_for_cell(const lowering *l, uint32_t region)
{
    const plan_step *last = &l->p->steps[l->p->steps[region].end - 1];

    return last->kind == PLAN_HOST_WAIT && last->reason == PLAN_REASON_POLL &&
           last->node == l->p->steps[region].node;
}

static void close_region(lowering *l, uint32_t region, uint32_t next)
{
    const plan_step *s = &l->p->steps[region];

    l->closing[region] = l->op_count;
    if (s->kind == PLAN_LOOP)
        emit_jump(l, TO_STEP, region);
    else if (s->kind == PLAN_DEVICE_LOOP)
        emit(l,
             (flow_op){ .kind = waits_for_cell(l, region) ? FLOW_JUMP_IF_CELL : FLOW_JUMP_IF_SEEN,
                        .a = l->entry->nodes[s->node].first,
                        .b = l->loop_count++,
                        .lane = s->lane },
             (target){ TO_STEP, region });
    else if (s->other == next)
        l->middle[region] = l->op_count;
    l->leaving[region] = l->op_count;
}

/* Ends the regions that end before step `next`, innermost first; begins the else part of the one
 * left on top. */
static void close_regions(lowering *l, uint32_t next)
{
    const plan_step *steps = l->p->steps;

    while (l->open_count > 0 && steps[l->open[l->open_count - 1]].end == next)
        close_region(l, l->open[--l->open_count], next);
    if (l->open_count == 0)
        return;
    uint32_t top = l->open[l->open_count - 1];
    if (steps[top].kind == PLAN_IF && steps[top].other == next) {
        emit_jump(l, TO_EXIT, top);
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

static slip_status lower_leave(lowering *l, uint32_t i)
{
    const plan_step *s = &l->p->steps[i];
    uint32_t loop = innermost_loop(l);

    if (s->kind == PLAN_RETURN) {
        emit_jump(l, TO_STEP, s->other);
        return SLIP_OK;
    }
    if (loop == MOD_NONE)
        return SLIP_FAIL(SLIP_ERR_INTERNAL, "step %u of the plan of %s: leaves no loop", i,
                         l->entry->name);
    uint32_t cond = l->entry->nodes[s->node].cond;
    if (s->kind == PLAN_BREAK && cond != MOD_NONE)
        emit(l, (flow_op){ .kind = FLOW_JUMP_IF_ZERO, .a = cond }, (target){ TO_EXIT, loop });
    else if (s->kind == PLAN_BREAK)
        emit_jump(l, TO_EXIT, loop);
    else if (s->other == l->p->steps[loop].end)
        emit_jump(l, TO_CLOSE, loop);
    else
        emit_jump(l, TO_STEP, s->other);
    return SLIP_OK;
}

static slip_status lower_other(lowering *l, uint32_t i)
{
    flow_op op = { .kind = FLOW_NOTHING };
    slip_status status = l->lower(&l->p->steps[i], &op);

    op.lane = l->p->steps[i].lane;
    if (status != SLIP_OK)
        fail_note("at step %u of the plan of %s", i, l->entry->name);
    else if (op.kind != FLOW_NOTHING)
        emit(l, op, (target){ TO_NOTHING, 0 });
    return status;
}

static slip_status lower_step(lowering *l, uint32_t i)
{
    const plan_step *s = &l->p->steps[i];
    const mod_node *node = s->node == MOD_NONE ? NULL : &l->entry->nodes[s->node];

    switch (s->kind) {
    case PLAN_EVAL:
        emit(l, (flow_op){ .kind = FLOW_EVAL, .a = node->first, .b = node->count },
             (target){ TO_NOTHING, 0 });
        return SLIP_OK;
    case PLAN_IF:
        emit(l, (flow_op){ .kind = FLOW_JUMP_IF_ZERO, .a = node->cond }, (target){ TO_ELSE, i });
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
    case PLAN_TASK:
    case PLAN_UPLOAD:
    case PLAN_DOWNLOAD:
    case PLAN_UNSTAGE:
    case PLAN_HOST_WAIT:
    case PLAN_RELEASE:
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
    case PLAN_BARRIER:
    case PLAN_SUBMIT:
    case PLAN_KIND_COUNT:
        break;
    }
    return lower_other(l, i);
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

static slip_status lower_all(lowering *l)
{
    uint32_t count = l->p->step_count;

    for (uint32_t i = 0; i < count; i++) {
        close_regions(l, i);
        l->at[i] = l->op_count;
        SLIP_TRY(lower_step(l, i));
    }
    close_regions(l, count);
    l->at[count] = l->op_count;
    emit(l, (flow_op){ .kind = FLOW_END }, (target){ TO_NOTHING, 0 });
    for (uint32_t k = 0; k < l->op_count; k++)
        l->ops[k].to = resolve(l, l->targets[k]);
    return SLIP_OK;
}

slip_status flow_make(const plan *p, const mod_entry *entry, flow_lower lower, flow_op **out,
                      uint32_t *out_loops)
{
    /* A step makes one op, and a region at most one more when it ends or reaches its else part. */
    size_t ops = 2 * (size_t)p->step_count + 1, steps = (size_t)p->step_count + 1;
    lowering l = { .p = p, .entry = entry, .lower = lower };
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
    status = lower_all(&l);
    if (status != SLIP_OK)
        goto fail;
    mem_free(l.targets);
    mem_free(numbers);
    *out = l.ops;
    *out_loops = l.loop_count;
    return SLIP_OK;

fail:
    mem_free(l.ops);
    mem_free(l.targets);
    mem_free(numbers);
    return status;
}
