/* SPDX-License-Identifier: Apache-2.0 */
/* fake_task.c - a task, as module.h says a shader does it; see fake_task.h. */
#include "fake/fake_task.h"

#include <string.h>

static const fake_runner *runner;

void fake_runs_for(const fake_runner *who)
{
    runner = who;
}

void fake_reads(const void *from, uint64_t bytes)
{
    runner->touch(from, bytes, false, false);
}

void fake_writes(const void *to, uint64_t bytes)
{
    runner->touch(to, bytes, true, false);
}

void fake_updates(const void *at, uint64_t bytes)
{
    runner->touch(at, bytes, true, true);
}

/* ---- what it is told ------------------------------------------------------------------------- */

typedef struct reading {
    const fake_grid *grid;
    const mod_task *task;
    int64_t first, end;
    const uint8_t *cells;
    _Alignas(64) uint8_t block[MOD_MAX_BLOCK_BYTES];
} reading;

static void check_recip(const reading *r, uint32_t magic, uint32_t shift, int64_t count)
{
    int64_t total = r->end;

    for (int k = 0; k < 64 && total > 0; k++) {
        uint32_t x = k < 2 ? (uint32_t)((total - 1) * k) : runner->pick((uint32_t)total);
        uint32_t q = magic ? (uint32_t)((uint64_t)x * magic >> 32) >> shift : x >> shift;
        if (q != x / (uint64_t)count)
            runner->wrong("%s: the reciprocal of %lld gives %u for %u", r->task->name,
                          (long long)count, q, x);
    }
}

static void read_push(reading *r)
{
    const uint8_t *push = r->grid->params;
    const mod_shader *shader = r->grid->shader->shader;
    uint32_t at = MOD_SHADER_HEADER_BYTES, recips[4] = { 0 };
    uint64_t address;

    memcpy(&r->first, push, 8);
    memcpy(&r->end, push + 8, 8);
    memcpy(&address, push + 16, 8);
    r->cells = (const uint8_t *)(uintptr_t)address;
    for (uint32_t k = 1; k < r->task->rank; k++, at += 8)
        memcpy(&recips[2 * (k - 1)], push + at, 8);
    if (shader->inline_block) {
        memcpy(r->block, push + at, r->task->block_bytes);
        at = (at + r->task->block_bytes + 7) & ~7u;
    } else {
        memcpy(&address, push + at, 8);
        fake_reads((const void *)(uintptr_t)address, r->task->block_bytes);
        memcpy(r->block, (const void *)(uintptr_t)address, r->task->block_bytes);
        at += 8;
    }
    if (at != r->grid->param_bytes)
        runner->wrong("%s: %u bytes of parameters, and not %u", r->task->name, r->grid->param_bytes,
                      at);
    for (uint32_t k = 1; k < r->task->rank && !shader->strided; k++) {
        int64_t count;
        memcpy(&count, r->block + 16 * (r->task->rank - k) + 8, 8);
        if (recips[2 * k - 1] != 255)
            check_recip(r, recips[2 * k - 2], recips[2 * k - 1], count);
        else if (r->end <= INT32_MAX)
            runner->wrong("%s: no reciprocal", r->task->name);
    }
}

static bool is_off(const reading *r)
{
    int32_t on;

    if (r->task->predicate == MOD_NONE)
        return false;
    fake_reads(r->cells + r->task->predicate, sizeof on);
    memcpy(&on, r->cells + r->task->predicate, sizeof on);
    return on == 0;
}

/* Bounds from the cells; the total. */
static int64_t read_bounds(reading *r)
{
    int64_t total = 1;

    for (uint32_t k = 0; k < r->task->rank; k++) {
        const mod_axis *axis = &r->task->axes[k];
        int64_t *lo = (int64_t *)(r->block + 16 * (size_t)k), *count = lo + 1;
        if (axis->lo_cell != MOD_NONE) {
            fake_reads(r->cells + axis->lo_cell, scalar_types[axis->type].bytes);
            fake_reads(r->cells + axis->hi_cell, scalar_types[axis->type].bytes);
            *lo = (int64_t)scalar_load(axis->type, r->cells + axis->lo_cell);
            *count = (int64_t)scalar_load(axis->type, r->cells + axis->hi_cell) - *lo;
        }
        total *= *count > 0 ? *count : 0;
    }
    return total;
}

static void run_groups(reading *r)
{
    const fake_shader *shader = r->grid->shader;
    const uint32_t *groups = r->grid->groups;
    int64_t count = (int64_t)groups[0] * groups[1] * groups[2];
    int64_t each = r->task->reduce_count > 0 ? MOD_REDUCE_BLOCK : r->grid->local;
    int64_t stride = shader->shader->strided ? count * each : INT64_MAX;
    int64_t turned = runner->pick((uint32_t)count); /* workgroups run in any order */

    for (int64_t g = 0; g < count; g++) {
        int64_t at = r->first + (g + turned) % count * each;
        while (at < r->end) {
            shader->body(r->block, at, at + each < r->end ? at + each : r->end);
            if (stride == INT64_MAX)
                break;
            at += stride;
        }
    }
}

void fake_task_run(const fake_grid *grid)
{
    static reading r; /* large; the fake's lock is held */

    r.grid = grid;
    r.task = grid->shader->task;
    read_push(&r);
    if (is_off(&r))
        return;
    if (grid->shader->shader->strided)
        r.end = read_bounds(&r);
    if (grid->shader->is_finish)
        grid->shader->body(r.block, 0, r.end);
    else if (r.task->rank == 0)
        grid->shader->body(r.block, 0, 1);
    else
        run_groups(&r);
}
