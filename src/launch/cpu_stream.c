/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream.c - performs plans on the CPU: one step after another, each ended before the next
 * begins.
 *
 * Decides nothing. A task's axes, predicate and reductions are read where module.h says they lie;
 * device values are read straight from the cells, since whatever wrote them has ended.
 */
#include "launch/cpu_stream.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/cpu_mode.h"
#include "launch/axes.h"

_Static_assert((int)CPU_BLOCK == (int)MOD_REDUCE_BLOCK, "a driver cuts where block results end");

static int32_t cell_i32(const cpu_stream *s, uint32_t at)
{
    int32_t value;

    memcpy(&value, s->cells + at, sizeof value);
    return value;
}

static slip_status place_partials(cpu_stream *s, const mod_task *task, int64_t total)
{
    uint64_t bytes = 0;
    void *partials = NULL;

    SLIP_TRY(axes_partials(task, total, &bytes));
    SLIP_TRY(lane_take(&s->memory, bytes, &partials));
    memcpy(s->block + task->partial_offset, &partials, sizeof partials);
    return SLIP_OK;
}

/* The task's next run, which has its arguments. */
static void add_to_record(const cpu_stream *s, uint32_t index, int64_t total)
{
    const mod_task *task = &s->call->program.entry->tasks[index];
    const record_launch launch = {
        .kernel = &s->kernels[index], .bytes = task->block_bytes, .total = total, .task = task
    };

    record_add(s->call->record, &launch, s->block, 0);
    s->call->record->tasks++;
}

static slip_status run_task(cpu_stream *s, uint32_t index)
{
    const mod_task *task = &s->call->program.entry->tasks[index];
    uint64_t from = 0;
    int64_t total = 0;

    if (task->predicate != MOD_NONE && cell_i32(s, task->predicate) == 0)
        return SLIP_OK;
    SLIP_TRY(axes_find(&s->call->program, task, s->cells, s->block, &total));
    if (total == 0 && !task->finishes_always)
        return SLIP_OK;
    axes_args(&s->call->program, task, s->block);
    if (s->call->record)
        add_to_record(s, index, total);
    lane_mark mark = lane_note(&s->memory);
    if (task->reduce_count > 0 && total > 0)
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

static slip_status run_op(void *stream, const flow_op *op)
{
    cpu_stream *s = stream;
    const mod_result *result = &s->call->program.entry->result;

    switch (op->kind) {
    case CPU_OP_TASK:
        return run_task(s, op->a);
    case CPU_OP_SCRATCH:
        return take_scratch(s, op->a);
    case CPU_OP_RESULT:
        memcpy(s->call->result, s->cells + result->cell, result->bytes);
        return SLIP_OK;
    case CPU_OP_WAIT:
        counters_add(&s->counts->host_waits, 1);
        counters_add(&s->counts->conservative_waits, op->b);
        return SLIP_OK;
    }
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "no such operation: %u", op->kind);
}

/* Whatever wrote the cell has ended. */
static slip_status look(void *stream, const flow_op *op, const uint8_t **out)
{
    *out = ((const cpu_stream *)stream)->cells + op->a;
    return SLIP_OK;
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

slip_status cpu_stream_perform(cpu_stream *s, launch_call *call, const flow_op *ops,
                               cpu_kernel *kernels)
{
    const mod_entry *entry = call->program.entry;
    uint64_t before = s->memory.allocations;

    s->call = call;
    s->kernels = kernels;
    s->cells = NULL;
    /* Partial results are folded into cells: without those a call takes no memory. */
    if (entry->scratch_count > 0 || entry->cells_bytes > 0)
        SLIP_TRY(begin_taking(s, entry));
    slip_status status = flow_run(ops, &call->program, NULL, run_op, look, s);
    uint64_t taken = s->memory.allocations - before;
    if (taken > 0) {
        counters_add(&s->counts->allocations, taken);
        counters_add(&s->counts->driver_calls, taken);
    }
    return status;
}

slip_status cpu_stream_perform_again(cpu_stream *s, const launch_record *record)
{
    uint64_t mode = cpu_mode_enter();
    slip_status status = SLIP_OK;
    uint32_t begun = 0;

    while (begun < record->launch_count && status == SLIP_OK) {
        const record_launch *l = &record->launches[begun++];
        status = s->driver->run(s->device, l->kernel, record->bytes + l->at, l->total);
        if (status != SLIP_OK)
            fail_note("while running task %s", l->task->name);
    }
    counters_add(&s->counts->tasks, begun);
    counters_add(&s->counts->submissions, begun);
    counters_add(&s->counts->driver_calls, begun);
    cpu_mode_leave(mode);
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
