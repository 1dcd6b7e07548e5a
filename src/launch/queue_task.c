/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_task.c - a task as dispatches: one grid after another, and what a reduction needs.
 */
#include <string.h>

#include "launch/queue_parts.h"

typedef struct pushing {
    queue_call *c;
    task_launch launch;
    queue_place block; /* memory NULL: not placed yet */
} pushing;

static slip_status place_block(pushing *g)
{
    queue_stream *s = g->c->stream;
    uint32_t bytes = g->launch.task->block_bytes;

    SLIP_TRY(queue_slot(s, QUEUE_MEMORY_UPLOAD, bytes, 0, &g->block));
    memcpy(g->block.host, task_params_block(&s->params), bytes);
    g->launch.block_address = g->block.address;
    return SLIP_OK;
}

static slip_status make_push(pushing *g, const mod_shader *shader, task_given *out)
{
    queue_stream *s = g->c->stream;

    if (!shader->inline_block && !g->block.memory)
        SLIP_TRY(place_block(g));
    return task_params_make(&s->params, &g->launch, shader, MOD_SHADER_PUSH_BYTES, out);
}

static slip_status dispatch(queue_stream *s, const queue_kernel *kernel, const task_given *push,
                            const uint32_t groups[3])
{
    return queue_recorded(
        s, s->device->driver->dispatch(s->self, kernel, push->bytes, push->count, groups));
}

/* Dispatches until `count` workgroups of `each` iterations have been asked for. */
static slip_status dispatch_all(queue_stream *s, const queue_kernel *kernel, const task_given *push,
                                uint64_t count, uint64_t each)
{
    for (uint64_t done = 0, now = 0; done < count; done += now) {
        uint32_t groups[3];
        now = task_grid(s->device->most_groups, count - done, groups);
        task_params_begin_at(push, done * each);
        SLIP_TRY(dispatch(s, kernel, push, groups));
    }
    return SLIP_OK;
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* Two reductions may have no order. The last but one has ended when this one begins: the last one
 * has a barrier between its main and its finish. */
static slip_status place_partials(pushing *g)
{
    queue_call *c = g->c;
    uint32_t turn = c->partial_turn++ % 2;
    queue_place *place = &c->partials[turn];
    uint64_t bytes = 0;

    SLIP_TRY(axes_partials(g->launch.task, g->launch.total, &bytes));
    if (!place->memory || bytes > c->partial_bytes[turn]) {
        SLIP_TRY(queue_call_take(c, bytes, place));
        c->partial_bytes[turn] = bytes;
    }
    memcpy(task_params_block(&c->stream->params) + g->launch.task->partial_offset, &place->address,
           sizeof place->address);
    return SLIP_OK;
}

static slip_status get_kernel(const pushing *g, uint32_t shader, const queue_kernel **out)
{
    return queue_kernel_get(g->c->stream->device, g->c->call->code, shader, out);
}

static slip_status run_finish(pushing *g, uint32_t shader)
{
    const queue_loaded *loaded = g->c->call->code;
    const uint32_t one[3] = { 1, 1, 1 };
    const queue_kernel *kernel = NULL;
    task_given push;

    SLIP_TRY(get_kernel(g, shader, &kernel));
    SLIP_TRY(make_push(g, &loaded->code->shaders[shader], &push));
    SLIP_TRY(queue_barrier(g->c->stream));
    return dispatch(g->c->stream, kernel, &push, one);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static slip_status run_main(pushing *g, const mod_symbol *symbol)
{
    queue_stream *s = g->c->stream;
    const queue_loaded *loaded = g->c->call->code;
    const mod_shader *shader = &loaded->code->shaders[symbol->main];
    const queue_kernel *kernel = NULL;
    task_given push;

    SLIP_TRY(get_kernel(g, symbol->main, &kernel));
    SLIP_TRY(make_push(g, shader, &push));
    if (shader->strided) {
        uint32_t groups[3] = { s->device->strided_groups, 1, 1 };
        return dispatch(s, kernel, &push, groups);
    }
    uint64_t each = symbol->finish != MOD_NONE ? MOD_REDUCE_BLOCK : kernel->local;
    if (g->launch.task->rank == 0)
        each = 1;
    return dispatch_all(s, kernel, &push, ((uint64_t)g->launch.total - 1) / each + 1, each);
}

static slip_status run_parts(pushing *g, uint32_t task)
{
    const launch_call *call = g->c->call;
    const queue_loaded *loaded = call->code;
    const mod_symbol *symbol = &loaded->code->symbols[call->first_symbol + task];

    if (symbol->finish == MOD_NONE)
        return run_main(g, symbol);
    if (g->launch.total > 0) {
        SLIP_TRY(place_partials(g));
        SLIP_TRY(run_main(g, symbol));
    }
    return run_finish(g, symbol->finish);
}

slip_status queue_task(queue_call *c, uint32_t index)
{
    queue_stream *s = c->stream;
    launch_call *call = c->call;
    const mod_task *task = &call->program.entry->tasks[index];
    pushing g = { .c = c, .launch = { .task = task, .cells = c->cells.address } };
    uint8_t *block = task_params_block(&s->params);
    uint64_t from = 0;

    const uint8_t *cells = task->reduce_count > 0 ? c->known_cells : NULL;
    SLIP_TRY(axes_find(&call->program, task, cells, block, &g.launch.total));
    if (g.launch.total == 0 && !task->finishes_always)
        return SLIP_OK;
    if (s->tasks >= QUEUE_MOST_TASKS)
        SLIP_TRY(queue_submit(s));
    if (call->watch)
        from = counters_now();
    axes_args(&call->program, task, block);
    slip_status status = run_parts(&g, index);
    if (status != SLIP_OK) {
        fail_note("while queueing task %s", task->name);
        return status;
    }
    s->tasks++;
    counters_add(&s->counts->tasks, 1);
    if (call->watch)
        call->watch(call->watch_user, task, from, counters_now(), g.launch.total);
    return SLIP_OK;
}
