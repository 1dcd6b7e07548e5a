/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream.c - performs plans on the CPU: one step after another, each ended before the next
 * begins.
 *
 * Decides nothing. A task's axes, predicate and reductions are read where module.h says they lie;
 * device values are read straight from the cells, since whatever wrote them has ended.
 */
#include "launch/cpu_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

_Static_assert((int)CPU_BLOCK == (int)MOD_REDUCE_BLOCK, "a driver cuts where block results end");

typedef struct axis_place {
    int64_t lo, count;
} axis_place;

static int32_t cell_i32(const cpu_stream *s, uint32_t at)
{
    int32_t value;

    memcpy(&value, s->cells + at, sizeof value);
    return value;
}

static uint64_t bound(const cpu_stream *s, scalar_type type, uint32_t slot, uint32_t cell)
{
    return slot != MOD_NONE ? s->call->program.slots[slot] : scalar_load(type, s->cells + cell);
}

static slip_status refuse_axis(const cpu_stream *s, const mod_task *task, const mod_axis *axis,
                               uint64_t lo, uint64_t hi)
{
    char place[PROGRAM_PLACE_BYTES];
    const char *at = program_place(&s->call->program, task->place, place);

    if (scalar_types[axis->type].is_signed)
        return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                         "task %s has too many iterations: from %" PRIi64 " to %" PRIi64 " (%s)",
                         task->name, (int64_t)lo, (int64_t)hi, at);
    return SLIP_FAIL(SLIP_ERR_ARGUMENT,
                     "task %s has too many iterations: from %" PRIu64 " to %" PRIu64 " (%s)",
                     task->name, lo, hi, at);
}

/* Fills the axes of the block. *total is 0 where one is empty, however long the others are. */
static slip_status place_axes(cpu_stream *s, const mod_task *task, int64_t *total)
{
    axis_place *axes = (axis_place *)s->block;
    int64_t product = 1;
    const mod_axis *huge = NULL;
    uint64_t huge_lo = 0, huge_hi = 0;

    *total = 0;
    for (uint32_t k = 0; k < task->rank; k++) {
        const mod_axis *axis = &task->axes[k];
        uint64_t lo = bound(s, axis->type, axis->lo, axis->lo_cell);
        uint64_t hi = bound(s, axis->type, axis->hi, axis->hi_cell);
        bool is_signed = scalar_types[axis->type].is_signed;
        if (is_signed ? (int64_t)lo >= (int64_t)hi : lo >= hi)
            return SLIP_OK;
        if (hi - lo > INT64_MAX)
            huge = axis, huge_lo = lo, huge_hi = hi;
        axes[k] = (axis_place){ .lo = (int64_t)lo, .count = (int64_t)(hi - lo) };
    }
    if (huge)
        return refuse_axis(s, task, huge, huge_lo, huge_hi);
    for (uint32_t k = 0; k < task->rank; k++)
        if (__builtin_mul_overflow(product, axes[k].count, &product)) {
            char place[PROGRAM_PLACE_BYTES];
            return SLIP_FAIL(
                SLIP_ERR_ARGUMENT,
                "task %s has too many iterations: %" PRIi64 " * %" PRIi64 " * %" PRIi64 " (%s)",
                task->name, axes[0].count, axes[1].count, task->rank > 2 ? axes[2].count : 1,
                program_place(&s->call->program, task->place, place));
        }
    *total = product;
    return SLIP_OK;
}

static void place_args(cpu_stream *s, const mod_task *task)
{
    for (uint32_t k = 0; k < task->arg_count; k++) {
        const mod_arg *arg = &task->args[k];
        if (arg->source == MOD_FROM_SLOT)
            memcpy(s->block + arg->offset, &s->call->program.slots[arg->index], sizeof(uint64_t));
        else
            memcpy(s->block + arg->offset,
                   (const void *)(uintptr_t)s->call->program.args[arg->index], arg->bytes);
    }
}

static slip_status place_partials(cpu_stream *s, const mod_task *task, int64_t total)
{
    uint64_t blocks = (uint64_t)(total - 1) / MOD_REDUCE_BLOCK + 1, bytes = 0;
    void *partials = NULL;

    if (!mem_mul(blocks, task->partial_bytes, &bytes))
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "no memory for the partial results of task %s: %" PRIu64 " of %" PRIu32
                         " bytes",
                         task->name, blocks, task->partial_bytes);
    SLIP_TRY(lane_take(&s->memory, bytes, &partials));
    memcpy(s->block + task->partial_offset, &partials, sizeof partials);
    return SLIP_OK;
}

static slip_status run_task(cpu_stream *s, uint32_t index)
{
    const mod_task *task = &s->call->program.entry->tasks[index];
    uint64_t from = 0;
    int64_t total = 0;

    if (task->predicate != MOD_NONE && cell_i32(s, task->predicate) == 0)
        return SLIP_OK;
    SLIP_TRY(place_axes(s, task, &total));
    if (total == 0)
        return SLIP_OK;
    place_args(s, task);
    lane_mark mark = lane_note(&s->memory);
    if (task->reduce_count > 0)
        SLIP_TRY(place_partials(s, task, total));
    if (s->call->watch)
        from = counters_now();
    counters_add(&s->counts->tasks, 1);
    counters_add(&s->counts->submissions, 1);
    counters_add(&s->counts->driver_calls, 1);
    slip_status status = s->driver->run(s->device, &s->kernels[index], s->block, total);
    if (s->call->watch)
        s->call->watch(s->call->watch_user, task, from, counters_now(), total);
    if (task->reduce_count > 0)
        lane_back(&s->memory, mark);
    if (status != SLIP_OK)
        fail_note("while running task %s", task->name);
    return status;
}

static slip_status take_cells(cpu_stream *s)
{
    const mod_entry *entry = s->call->program.entry;
    void *cells = NULL;

    SLIP_TRY(lane_take(&s->memory, entry->cells_bytes, &cells));
    memset(cells, 0, entry->cells_bytes);
    s->cells = cells;
    s->call->program.slots[entry->cells_slot] = (uint64_t)(uintptr_t)cells;
    return SLIP_OK;
}

static slip_status take_scratch(cpu_stream *s, uint32_t index)
{
    const mod_entry *entry = s->call->program.entry;
    uint64_t bytes = 0;
    void *memory = NULL;

    if (s->taken[index])
        return SLIP_OK;
    s->taken[index] = true;
    if (index == entry->scratch_count)
        return take_cells(s);
    const mod_scratch *scratch = &entry->scratch[index];
    SLIP_TRY(program_bytes(&s->call->program, scratch->name, scratch->place, scratch->extents, NULL,
                           scratch->rank, scratch->bytes, &bytes));
    slip_status status = lane_take(&s->memory, bytes, &memory);
    if (status != SLIP_OK)
        fail_note("while taking memory for `%s`", scratch->name);
    else
        s->call->program.slots[scratch->slot] = (uint64_t)(uintptr_t)memory;
    return status;
}

static slip_status run_ops(cpu_stream *s)
{
    const mod_entry *entry = s->call->program.entry;
    const cpu_op *op = s->ops;

    for (;;) {
        switch (op->kind) {
        case CPU_OP_EVAL:
            SLIP_TRY(program_eval(&s->call->program, op->a, op->b));
            break;
        case CPU_OP_JUMP:
            op = s->ops + op->to;
            continue;
        case CPU_OP_JUMP_IF_ZERO:
            if (s->call->program.slots[op->a] != 0)
                break;
            op = s->ops + op->to;
            continue;
        case CPU_OP_JUMP_IF_CELL:
            if (cell_i32(s, op->a) == 0)
                break;
            op = s->ops + op->to;
            continue;
        case CPU_OP_TASK:
            SLIP_TRY(run_task(s, op->a));
            break;
        case CPU_OP_SCRATCH:
            SLIP_TRY(take_scratch(s, op->a));
            break;
        case CPU_OP_RESULT:
            memcpy(s->call->result, s->cells + entry->result.cell, entry->result.bytes);
            break;
        case CPU_OP_WAIT:
            counters_add(&s->counts->host_waits, 1);
            break;
        case CPU_OP_END:
            return SLIP_OK;
        }
        op++;
    }
}

/* No scratch is taken yet. */
static slip_status begin_taking(cpu_stream *s, const mod_entry *entry)
{
    size_t taken = (size_t)entry->scratch_count + 1;

    if (taken > s->taken_capacity)
        SLIP_TRY(mem_grow((void **)&s->taken, &s->taken_capacity, taken, sizeof *s->taken));
    memset(s->taken, 0, taken);
    lane_reset(&s->memory);
    return SLIP_OK;
}

slip_status cpu_stream_perform(cpu_stream *s, launch_call *call, const cpu_op *ops,
                               cpu_kernel *kernels)
{
    const mod_entry *entry = call->program.entry;
    uint64_t before = s->memory.allocations;

    s->call = call;
    s->ops = ops;
    s->kernels = kernels;
    s->cells = NULL;
    /* Partial results are folded into cells: without those a call takes no memory. */
    if (entry->scratch_count > 0 || entry->cells_bytes > 0)
        SLIP_TRY(begin_taking(s, entry));
    slip_status status = run_ops(s);
    uint64_t taken = s->memory.allocations - before;
    if (taken > 0) {
        counters_add(&s->counts->allocations, taken);
        counters_add(&s->counts->driver_calls, taken);
    }
    return status;
}

void cpu_stream_init(cpu_stream *s, const cpu_driver *driver, void *device, counters *counts)
{
    s->driver = driver;
    s->device = device;
    s->counts = counts;
    lane_init(&s->memory, driver, device);
    s->taken = NULL;
    s->taken_capacity = 0;
}

void cpu_stream_finish(cpu_stream *s)
{
    lane_finish(&s->memory);
    mem_free(s->taken);
}
