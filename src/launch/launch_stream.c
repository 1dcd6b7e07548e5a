/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_stream.c - performs plans on streams: each step is a driver call on its lane, and the host
 * waits where the plan waits.
 *
 * A wait that more steps follow keeps the stream's lock: another call's steps must not come
 * between. The last one is left to lanes_finish, which has no lock.
 *
 * Decides nothing. What the host gave is written only after the last wait; a call that fails waits
 * for what it has queued before it returns. A call whose arrays live on the device packs parameters
 * and launches, and does nothing else.
 */
#include "launch/launch_stream.h"

#include <string.h>

#include "launch/lanes_parts.h"

static bool downloads_class(const flow_op *op)
{
    return op->kind == LANES_OP_DOWNLOAD && op->a != MOD_NONE;
}

static slip_status run_op(void *user, const flow_op *op)
{
    lanes_call *c = user;

    switch (op->kind) {
    case LANES_OP_UPLOAD:
        return lanes_upload(c, op->a, (plan_move)op->b, op[1].kind == LANES_OP_UPLOAD);
    case LANES_OP_DOWNLOAD:
        return op->a == MOD_NONE
                   ? lanes_download_result(c, (plan_move)op->b)
                   : lanes_download(c, op->a, (plan_move)op->b, downloads_class(op + 1));
    case LANES_OP_UNSTAGE:
        return op->a == MOD_NONE ? lanes_unstage_result(c)
                                 : lanes_unstage(c, op->a, (plan_move)op->b);
    case LANES_OP_TASK:
        return lanes_task(c, op->a, op->lane);
    case LANES_OP_SCRATCH:
        return lanes_take(c, op->a, op->lane);
    case LANES_OP_BOUNDS:
        return lanes_look(c, op->lane, 0, c->call->program.entry->cells_bytes, &c->known_cells);
    case LANES_OP_AFTER:
        return lanes_order(c, op->lane, op->a, false);
    case LANES_OP_AFTER_SAME:
        return lanes_order(c, op->lane, op->a, true);
    case LANES_OP_WAIT:
    case LANES_OP_LAST_WAIT:
        if (!c->pending) /* all tasks had empty ranges */
            return SLIP_OK;
        counters_add(&c->stream->counts->conservative_waits, op->b);
        return op->kind == LANES_OP_WAIT ? lanes_wait(c, op->lane) : lanes_last_wait(c);
    case LANES_OP_LAST_DOWNLOAD:
        return lanes_last_download(c, op->a);
    }
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "no such operation: %u", op->kind);
}

static slip_status look(void *user, const flow_op *op, const uint8_t **out)
{
    return lanes_look(user, op->lane, op->a, sizeof(int32_t), out);
}

/* Room for what the stream knows of a call; taken from the system for the first call of its size.
 */
static slip_status make_room(lanes_call *c)
{
    lanes_stream *s = c->stream;
    size_t scratch = (size_t)c->call->program.entry->scratch_count + 1;

    if (c->ops->found.any)
        SLIP_TRY(mem_grow((void **)&s->classes, &s->class_capacity,
                          (size_t)c->call->class_count + 1, sizeof *s->classes));
    if (c->ops->loop_count > 0)
        SLIP_TRY(
            mem_grow((void **)&s->loops, &s->loop_capacity, c->ops->loop_count, sizeof *s->loops));
    for (uint32_t k = 0; k < c->ops->loop_count; k++)
        s->loops[k] = flow_loop_begin();
    if (!c->ops->takes)
        return SLIP_OK;
    SLIP_TRY(mem_grow((void **)&s->taken, &s->taken_capacity, scratch, sizeof *s->taken));
    memset(s->taken, 0, scratch * sizeof *s->taken);
    return SLIP_OK;
}

static slip_status perform(lanes_call *c)
{
    lanes_begin(c, c->call->name);
    slip_status status = make_room(c);
    if (status == SLIP_OK && c->ops->found.any)
        status = lanes_place_arrays(c);
    if (status == SLIP_OK)
        status = flow_run(c->ops->ops, &c->call->program, c->stream->loops, run_op, look, c);
    if (status != SLIP_OK)
        lanes_drain(c);
    lanes_end(c);
    return status;
}

slip_status lanes_perform(void *stream, launch_call *call)
{
    lanes_call c = { .stream = stream, .call = call, .ops = call->ops };
    lanes_device *d = c.stream->device;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    slip_status status = c.stream->foreign ? lanes_check_call(&c) : SLIP_OK;
    if (status == SLIP_OK)
        status = perform(&c);
    if (lanes_keep_rest(&c, status, &guard))
        call->rest = c.rest;
    else
        lanes_leave(d, &guard);
    return status;
}

/* ---- again ----------------------------------------------------------------------------------- */

/* The launch after `done` others was refused: as in a call that is performed. */
static __attribute__((cold, noinline)) void fail_again(lanes_stream *s, const launch_record *record,
                                                       uint32_t done)
{
    const record_launch *refused = &record->launches[done];
    lanes_call c = { .stream = s, .pending = done > 0, .queued = done > 0 };

    fail_note("while queueing task %s", refused->task->name);
    counters_add(&s->counts->tasks, refused->tasks_before);
    lanes_begin(&c, record->name);
    lanes_drain(&c);
    lanes_end(&c);
}

/* What is done when the launches are made is little, and all of it here: a call that costs a driver
 * call and no more runs in a cache that the driver has just filled with its own. Takes no memory:
 * what lanes_begin would make free stays in use until a call takes some. */
static inline slip_status launch_again(lanes_stream *s, const launch_record *record)
{
    lanes_device *d = s->device;
    const stream_driver *driver = d->driver;
    counters *counts = s->counts;
    uint64_t number = lanes_queued(s) + 1;
    slip_status status = SLIP_OK;
    uint32_t made = 0;

    loss_remember(&s->calls, number, record->name);
    lanes_look_around(s);
    while (made < record->launch_count && status == SLIP_OK) {
        const record_launch *l = &record->launches[made++];
        status = driver->launch(d->self, s->lanes[0].self, l->kernel, record->bytes + l->at,
                                l->bytes, l->groups, l->local);
    }
    counters_add(&counts->submissions, made);
    counters_add(&counts->driver_calls, made);
    if (status != SLIP_OK) {
        (void)lanes_seen(d, status);
        fail_again(s, record, made - 1);
        return status;
    }
    counters_add(&counts->tasks, record->tasks);
    if (made > 0)
        atomic_store_explicit(&s->queued, number, memory_order_relaxed);
    return SLIP_OK;
}

__attribute__((hot)) slip_status lanes_perform_again(void *stream, const launch_record *record)
{
    lanes_stream *s = stream;
    lanes_device *d = s->device;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    slip_status status = launch_again(s, record);
    lanes_leave(d, &guard);
    return status;
}
