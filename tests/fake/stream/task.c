/* SPDX-License-Identifier: Apache-2.0 */
/*
 * task.c - a kernel's parameters, read as module.h lays them down, and its groups, run by the
 * task's code for this processor.
 */
#include <stdlib.h>
#include <string.h>

#include "base/scalar.h"
#include "driver/cpu_mode.h"
#include "fake/stream/task.h"

enum { HEADER = 24, REDUCE_BLOCK = 1024, CHUNKS = 5 };

uint32_t task_param_bytes(const blob_shader *s)
{
    uint32_t fixed = HEADER + (s->rank > 1 ? 8 * (s->rank - 1) : 0);

    return fixed + (s->inline_block ? (s->block_bytes + 7) / 8 * 8 : 8);
}

static uint64_t u64_at(const uint8_t *from)
{
    uint64_t value;

    memcpy(&value, from, sizeof value);
    return value;
}

static uint32_t u32_at(const uint8_t *from)
{
    uint32_t value;

    memcpy(&value, from, sizeof value);
    return value;
}

task_params task_params_of(const blob_shader *s, const uint8_t *bytes)
{
    uint32_t fixed = HEADER + (s->rank > 1 ? 8 * (s->rank - 1) : 0);
    task_params p = { .first = (int64_t)u64_at(bytes),
                      .end = (int64_t)u64_at(bytes + 8),
                      .cells = u64_at(bytes + 16),
                      .recips = bytes + HEADER };

    if (s->inline_block)
        p.block = bytes + fixed;
    else
        p.block_address = u64_at(bytes + fixed);
    return p;
}

/* ---- what is wrong with them ---- */

static bool divides(uint32_t magic, uint32_t shift, uint64_t x, uint64_t count)
{
    uint64_t q = magic ? (x * magic) >> 32 : x;

    return q >> shift == x / count;
}

/* module.h: q = x / count for the counts of the fast axes and x < 2^31. */
static void check_recips(const fake_op *op, const blob_shader *s, const task_params *p,
                         const int64_t *axes)
{
    for (uint32_t k = 1; k < s->rank; k++) {
        uint32_t magic = u32_at(p->recips + 8 * (k - 1)), shift = u32_at(p->recips + 8 * k - 4);
        uint64_t count = (uint64_t)axes[2 * (s->rank - k) + 1];
        const uint64_t tries[] = {
            0,         1, count - 1, count, 2 * count - 1, 0x7fffffff, 0x7fffffff / count * count,
            0x12345678
        };
        for (size_t t = 0; shift != 255 && t < sizeof tries / sizeof *tries; t++)
            if (tries[t] < 0x80000000u && (shift > 31 || !divides(magic, shift, tries[t], count))) {
                fake_report("%s: axis %u has %llu iterations, and magic %u, shift %u do not "
                            "divide by that",
                            op->name, s->rank - k, (unsigned long long)count, magic, shift);
                break;
            }
    }
}

/* ---- ranges ---- */

typedef void (*task_code)(const void *block, int64_t first, int64_t last);

static int64_t bound(const blob_axis *axis, uint32_t cell, const uint8_t *cells, int64_t known)
{
    if (cell == BLOB_NONE)
        return known;
    return (int64_t)scalar_load((scalar_type)axis->type, cells + cell);
}

/* {lo, hi} in the block and in the cells become {lo, count}. */
static int64_t find_axes(const blob_shader *s, const uint8_t *cells, int64_t *axes)
{
    int64_t total = 1;

    for (uint32_t k = 0; k < s->rank; k++) {
        const blob_axis *axis = &s->axes[k];
        int64_t lo = axes[2 * k], hi = axes[2 * k + 1];
        if (axis->lo_cell != BLOB_NONE || axis->hi_cell != BLOB_NONE) {
            lo = bound(axis, axis->lo_cell, cells, lo);
            hi = bound(axis, axis->hi_cell, cells, hi);
            bool some = scalar_types[axis->type].is_signed ? lo < hi : (uint64_t)lo < (uint64_t)hi;
            axes[2 * k] = lo;
            axes[2 * k + 1] = some ? hi - lo : 0;
        }
        total *= axes[2 * k + 1];
    }
    return total;
}

/* Iterations have no order: the range is cut into pieces that run in a drawn one. */
static void run_range(task_code code, const void *block, int64_t first, int64_t last, int64_t step)
{
    int64_t cuts[CHUNKS + 1], count = (last - first + step - 1) / step;
    uint32_t order[CHUNKS];

    for (uint32_t k = 0; k <= CHUNKS; k++)
        cuts[k] = first + count * k / CHUNKS * step;
    cuts[CHUNKS] = last;
    for (uint32_t k = 0; k < CHUNKS; k++) {
        uint32_t other = fake_draw(k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    for (uint32_t k = 0; k < CHUNKS; k++)
        if (cuts[order[k]] < cuts[order[k] + 1])
            code(block, cuts[order[k]], cuts[order[k] + 1]);
}

static void run_groups(const fake_op *op, const blob_shader *s, const task_params *p,
                       task_code code, const void *block, int64_t total)
{
    int64_t each = s->reduce_count ? REDUCE_BLOCK : op->local;
    int64_t last = p->first + (int64_t)op->groups * each;

    if (s->is_finish)
        code(block, 0, p->end);
    else if (s->rank == 0)
        code(block, 0, 1);
    else if (s->strided)
        run_range(code, block, 0, total, 1);
    else
        run_range(code, block, p->first, last < p->end ? last : p->end,
                  s->reduce_count ? REDUCE_BLOCK : 1);
}

void task_run(const fake_op *op)
{
    const blob_shader *s = op->function->shader;
    task_params p = task_params_of(s, op->params);
    const uint8_t *cells = (const uint8_t *)(uintptr_t)p.cells;
    const uint8_t *from = p.block ? p.block : (const uint8_t *)(uintptr_t)p.block_address;
    uintptr_t entry = (uintptr_t)op->function->code->image + s->entry;
    int64_t *block, total;
    int32_t on;

    if (s->predicate != BLOB_NONE) {
        memcpy(&on, cells + s->predicate, sizeof on);
        if (!on)
            return;
    }
    block = aligned_alloc(64, (s->block_bytes + 127u) / 64 * 64);
    if (!block)
        abort();
    memcpy(block, from, s->block_bytes);
    total = find_axes(s, cells, block);
    if (!s->strided && total > 0) /* of no iterations none is divided */
        check_recips(op, s, &p, block);
    uint64_t mode = cpu_mode_enter();
    if (total > 0 || s->is_finish) /* a finish may have more to do than to fold */
        run_groups(op, s, &p, (task_code)entry, block, total);
    cpu_mode_leave(mode);
    free(block);
}
