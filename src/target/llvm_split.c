/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_split.c - a module's tasks in parts that are made apart, each by itself on a thread.
 *
 * Tasks call no tasks, so that a part needs the helpers and nothing else of another. Parts depend
 * on the module alone, never on how many threads there are: the same source has the same code.
 */
#include "target/llvm_emit.h"

/* What a part must hold to be worth its own start, and what LLVM's work on a task amounts to, in
 * operations of the IR. */
enum { PART_WORTH = 160, TASK_WORTH = 20, REDUCTION_TIMES = 3 };

static bool count_op(ir_op *op, void *user)
{
    (void)op;
    ++*(uint32_t *)user;
    return true;
}

static uint32_t worth_of(const ir_func *f)
{
    uint32_t ops = 0;

    ir_walk_func(f, count_op, &ops);
    return TASK_WORTH + (f->task->task->reduce_count ? REDUCTION_TIMES : 1) * ops;
}

/* Each task, in order, goes to the part that has least. */
uint32_t llvm_split(const ir_module *m, mem_arena *arena, const uint8_t **out_parts)
{
    uint64_t held[LLVM_PARTS] = { 0 }, all = 0;
    uint32_t tasks = 0, count, at = 0;
    uint8_t *parts;

    for (const ir_func *f = m->funcs; f; f = f->next)
        if (f->kind == IR_TASK) {
            all += worth_of(f);
            tasks++;
        }
    count = all / PART_WORTH < LLVM_PARTS ? (uint32_t)(all / PART_WORTH) : LLVM_PARTS;
    count = count > tasks ? tasks : count;
    count = count ? count : 1;
    parts = arena_new(arena, tasks + 1u);
    for (const ir_func *f = m->funcs; f; f = f->next) {
        uint32_t least = 0;
        if (f->kind != IR_TASK)
            continue;
        for (uint32_t p = 1; p < count; p++)
            least = held[p] < held[least] ? p : least;
        held[least] += worth_of(f);
        parts[at++] = (uint8_t)least;
    }
    *out_parts = parts;
    return count;
}
