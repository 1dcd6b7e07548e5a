/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axes.c - how far a task goes, and what it is given.
 *
 * Pure: reads slots, cells and the caller's structs, writes the block.
 */
#include "launch/axes.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

static bool in_cells(const mod_axis *axis)
{
    return axis->lo == MOD_NONE || axis->hi == MOD_NONE;
}

bool axes_in_cells(const mod_task *task)
{
    for (uint32_t k = 0; k < task->rank; k++)
        if (in_cells(&task->axes[k]))
            return true;
    return false;
}

static uint64_t bound(const program_state *program, scalar_type type, uint32_t slot,
                      const uint8_t *cells, uint32_t cell)
{
    return slot != MOD_NONE ? program->slots[slot] : scalar_load(type, cells + cell);
}

static slip_status refuse_axis(const program_state *program, const mod_task *task,
                               const mod_axis *axis, uint64_t lo, uint64_t hi)
{
    char place[PROGRAM_PLACE_BYTES];
    const char *at = program_place(program, task->place, place);

    if (scalar_types[axis->type].is_signed)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "task %s has too many iterations: from %" PRIi64 " to %" PRIi64 " (%s)",
                         task->name, (int64_t)lo, (int64_t)hi, at);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "task %s has too many iterations: from %" PRIu64 " to %" PRIu64 " (%s)",
                     task->name, lo, hi, at);
}

static slip_status refuse_product(const program_state *program, const mod_task *task,
                                  const axes_place *axes)
{
    char place[PROGRAM_PLACE_BYTES];

    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "task %s has too many iterations: %" PRIi64 " * %" PRIi64 " * %" PRIi64
                     " (%s)",
                     task->name, axes[0].count, axes[1].count, task->rank > 2 ? axes[2].count : 1,
                     program_place(program, task->place, place));
}

slip_status axes_find(const program_state *program, const mod_task *task, const uint8_t *cells,
                      uint8_t *block, int64_t *out_total)
{
    axes_place *axes = (axes_place *)block;
    int64_t product = 1;
    const mod_axis *huge = NULL;
    uint64_t huge_lo = 0, huge_hi = 0;

    *out_total = 0;
    for (uint32_t k = 0; k < task->rank; k++) {
        const mod_axis *axis = &task->axes[k];
        bool is_signed = scalar_types[axis->type].is_signed;
        axes[k] = (axes_place){ 0, 0 };
        if (!cells && in_cells(axis)) { /* {lo, hi}, as far as the host knows them (module.h) */
            axes[k].lo = axis->lo != MOD_NONE ? (int64_t)program->slots[axis->lo] : 0;
            axes[k].count = axis->hi != MOD_NONE ? (int64_t)program->slots[axis->hi] : 0;
            continue;
        }
        uint64_t lo = bound(program, axis->type, axis->lo, cells, axis->lo_cell);
        uint64_t hi = bound(program, axis->type, axis->hi, cells, axis->hi_cell);
        if (is_signed ? (int64_t)lo >= (int64_t)hi : lo >= hi) {
            memset(axes, 0, task->rank * sizeof *axes); /* what runs all the same reads no axis */
            return SLIP_OK;
        }
        if (hi - lo > INT64_MAX)
            huge = axis, huge_lo = lo, huge_hi = hi;
        axes[k] = (axes_place){ .lo = (int64_t)lo, .count = (int64_t)(hi - lo) };
    }
    if (huge)
        return refuse_axis(program, task, huge, huge_lo, huge_hi);
    for (uint32_t k = 0; k < task->rank; k++)
        if ((cells || !in_cells(&task->axes[k])) &&
            __builtin_mul_overflow(product, axes[k].count, &product))
            return refuse_product(program, task, axes);
    *out_total = product;
    return SLIP_OK;
}

void axes_args(const program_state *program, const mod_task *task, uint8_t *block)
{
    for (uint32_t k = 0; k < task->arg_count; k++) {
        const mod_arg *arg = &task->args[k];
        if (arg->source == MOD_FROM_SLOT)
            memcpy(block + arg->offset, &program->slots[arg->index], sizeof(uint64_t));
        else
            memcpy(block + arg->offset, (const void *)(uintptr_t)program->args[arg->index],
                   arg->bytes);
    }
}

slip_status axes_partials(const mod_task *task, int64_t total, uint64_t *out_bytes)
{
    uint64_t blocks = (uint64_t)(total - 1) / MOD_REDUCE_BLOCK + 1;

    if (!mem_mul(blocks, task->partial_bytes, out_bytes))
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "no memory for the partial results of task %s: %" PRIu64 " of %" PRIu32
                         " bytes",
                         task->name, blocks, task->partial_bytes);
    return SLIP_OK;
}
