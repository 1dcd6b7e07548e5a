/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_task.c - a task as launches: one grid after another, and what a reduction needs.
 */
#include <string.h>

#include "launch/lanes_parts.h"

typedef struct tasking {
    lanes_call *c;
    uint32_t lane;
    task_launch launch;
} tasking;

static uint8_t *block_of(const tasking *t)
{
    return task_params_block(&t->c->stream->params);
}

static const lanes_loaded *loaded_of(const tasking *t)
{
    return t->c->call->code;
}

static slip_status place_block(tasking *t)
{
    uint32_t bytes = t->launch.task->block_bytes;
    lanes_place slot;

    if (t->c->call->record)
        record_refuse(t->c->call->record);
    SLIP_TRY(lanes_slot(t->c, LANES_RING_UP, bytes, 0, &slot));
    memcpy(slot.host, block_of(t), bytes);
    t->launch.block_address = slot.address;
    return SLIP_OK;
}

static slip_status make_params(tasking *t, const mod_shader *shader, task_given *out)
{
    lanes_stream *s = t->c->stream;

    if (!shader->inline_block && t->launch.block_address == 0)
        SLIP_TRY(place_block(t));
    return task_params_make(&s->params, &t->launch, shader, s->device->most_params, out);
}

static slip_status start(tasking *t, uint32_t shader, const task_given *given,
                         const uint32_t groups[3], uint32_t local)
{
    lanes_stream *s = t->c->stream;
    lanes_device *d = s->device;
    stream_kernel *kernel = &((lanes_loaded *)t->c->call->code)->kernels[shader];

    if (t->c->call->record)
        record_add(t->c->call->record,
                   &(record_launch){ .kernel = kernel,
                                     .bytes = given->count,
                                     .groups = { groups[0], groups[1], groups[2] },
                                     .local = local,
                                     .task = t->launch.task },
                   given->bytes, (uint32_t)(block_of(t) - given->bytes));
    return lanes_started(t->c, t->lane,
                         d->driver->launch(d->self, s->lanes[t->lane].self, kernel, given->bytes,
                                           given->count, groups, local));
}

/* Launches until `count` groups of `each` iterations have been asked for: groups lie along x. */
static slip_status start_all(tasking *t, uint32_t shader, const task_given *given, uint64_t count,
                             uint64_t each, uint32_t local)
{
    uint64_t most = t->c->stream->device->plain_groups;

    for (uint64_t done = 0, now = 0; done < count; done += now) {
        now = count - done < most ? count - done : most;
        if (done > 0)
            task_params_begin_at(given, done * each);
        SLIP_TRY(start(t, shader, given, (uint32_t[3]){ (uint32_t)now, 1, 1 }, local));
    }
    return SLIP_OK;
}

static uint32_t local_of(const tasking *t, const mod_shader *shader)
{
    uint32_t most = t->c->stream->device->limits.max_local;

    return shader->local_fixed || shader->local < most ? shader->local : most;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* The lane's tasks use the same memory one after another. */
static slip_status place_partials(tasking *t)
{
    lanes_call *c = t->c;
    lanes_lane *lane = &c->stream->lanes[t->lane];
    uint64_t bytes = 0;

    SLIP_TRY(axes_partials(t->launch.task, t->launch.total, &bytes));
    if (lane->partials_of != c->number || bytes > lane->partial_bytes) {
        SLIP_TRY(lanes_cut(c, t->lane, bytes, 0, &lane->partials));
        lane->partial_bytes = bytes;
        lane->partials_of = c->number;
    }
    memcpy(block_of(t) + t->launch.task->partial_offset, &lane->partials.address,
           sizeof lane->partials.address);
    return SLIP_OK;
}

static slip_status run_finish(tasking *t, uint32_t shader)
{
    const mod_shader *finish = &loaded_of(t)->code->shaders[shader];
    task_given given;

    SLIP_TRY(make_params(t, finish, &given));
    return start(t, shader, &given, (uint32_t[3]){ 1, 1, 1 }, finish->local);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static slip_status run_main(tasking *t, const mod_symbol *symbol)
{
    const mod_shader *shader = &loaded_of(t)->code->shaders[symbol->main];
    uint32_t local = local_of(t, shader);
    uint64_t each = symbol->finish != MOD_NONE ? MOD_REDUCE_BLOCK : local;
    task_given given;

    SLIP_TRY(make_params(t, shader, &given));
    if (shader->strided)
        return start(t, symbol->main, &given,
                     (uint32_t[3]){ t->c->stream->device->strided_groups, 1, 1 }, local);
    if (t->launch.task->rank == 0)
        each = 1;
    return start_all(t, symbol->main, &given, ((uint64_t)t->launch.total - 1) / each + 1, each,
                     local);
}

static slip_status run_parts(tasking *t, uint32_t task)
{
    const mod_symbol *symbol = &loaded_of(t)->code->symbols[t->c->call->first_symbol + task];

    SLIP_TRY(lanes_need(t->c->stream, t->lane));
    if (symbol->finish == MOD_NONE)
        return run_main(t, symbol);
    if (t->launch.total > 0) {
        SLIP_TRY(place_partials(t));
        SLIP_TRY(run_main(t, symbol));
    }
    return run_finish(t, symbol->finish);
}

slip_status lanes_task(lanes_call *c, uint32_t index, uint32_t lane)
{
    lanes_stream *s = c->stream;
    launch_call *call = c->call;
    const mod_task *task = &call->program.entry->tasks[index];
    tasking t = { .c = c, .lane = lane, .launch = { .task = task, .cells = c->cells.address } };
    uint8_t *block = block_of(&t);
    uint64_t from = 0;

    const uint8_t *cells = task->reduce_count > 0 ? c->known_cells : NULL;
    SLIP_TRY(axes_find(&call->program, task, cells, block, &t.launch.total));
    if (t.launch.total == 0 && !task->finishes_always)
        return SLIP_OK;
    if (call->watch)
        from = counters_now();
    axes_args(&call->program, task, block);
    slip_status status = run_parts(&t, index);
    if (status != SLIP_OK) {
        fail_note("while queueing task %s", task->name);
        return status;
    }
    counters_add(&s->counts->tasks, 1);
    if (call->record)
        call->record->tasks++;
    if (call->watch)
        call->watch(call->watch_user, task, from, counters_now(), t.launch.total);
    return SLIP_OK;
}
