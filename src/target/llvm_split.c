/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_split.c - a module's tasks in parts that are made apart, each by itself on a thread.
 *
 * Tasks call no tasks, so that a part needs the helpers and nothing else of another. Parts depend
 * on the module alone, never on how many threads there are: the same source has the same code.
 */
#include "target/llvm_emit.h"

/*
 * What LLVM's work on a task amounts to, in operations of the IR: a loop over a row is copied,
 * widened and has its remainders, which costs more than what stands in it; a reduction has two ways
 * and a tree. And what a part must hold to be worth a start of its own.
 */
enum { TASK_WORTH = 5, ROWS_WORTH = 60, REDUCTION_WORTH = 225, PART_WORTH = 330 };

static bool count_op(ir_op *op, void *user)
{
    (void)op;
    ++*(uint32_t *)user;
    return true;
}

static uint32_t worth_of(const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t ops = 0;

    ir_walk_func(f, count_op, &ops);
    return TASK_WORTH + ops + (task->rank ? ROWS_WORTH : 0) +
           (task->reduce_count ? REDUCTION_WORTH : 0);
}

static uint32_t parts_for(const uint32_t *worth, uint32_t tasks)
{
    uint64_t all = 0;

    for (uint32_t k = 0; k < tasks; k++)
        all += worth[k];
    uint32_t count = all / PART_WORTH < LLVM_PARTS ? (uint32_t)(all / PART_WORTH) : LLVM_PARTS;
    count = count > tasks ? tasks : count;
    return count ? count : 1;
}

/* The task that is worth most goes first, each to the part that has least. */
uint32_t llvm_split(const ir_module *m, mem_arena *arena, const uint8_t **out_parts)
{
    uint64_t held[LLVM_PARTS] = { 0 };
    uint32_t tasks = 0, at = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        tasks += f->kind == IR_TASK;
    uint8_t *parts = arena_new(arena, tasks + 1u);
    uint32_t *worth = arena_new(arena, sizeof *worth * (tasks + 1u));
    for (const ir_func *f = m->funcs; f; f = f->next)
        if (f->kind == IR_TASK)
            worth[at++] = worth_of(f);
    uint32_t count = parts_for(worth, tasks);
    for (uint32_t given = 0; given < tasks; given++) {
        uint32_t most = 0, least = 0;
        for (uint32_t k = 1; k < tasks; k++)
            most = worth[k] > worth[most] ? k : most;
        for (uint32_t p = 1; p < count; p++)
            least = held[p] < held[least] ? p : least;
        held[least] += worth[most];
        worth[most] = 0; /* no task is worth nothing */
        parts[most] = (uint8_t)least;
    }
    *out_parts = parts;
    return count;
}
