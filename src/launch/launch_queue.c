/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_queue.c - performs plans on a queue: records a call into one command list, and waits where
 * the plan waits.
 *
 * A wait that more steps follow keeps the stream's locks: another call's steps must not come
 * between. The last one is left to queue_finish, which has none.
 *
 * Decides nothing. What the host gave is written only after the last wait; a call that fails ends
 * what it has queued before it returns.
 */
#include "launch/launch_queue.h"

#include <string.h>

#include "launch/queue_parts.h"

static const launch_class *class_of(const queue_call *c, uint32_t class)
{
    return &c->call->classes[class];
}

slip_status queue_call_take(queue_call *c, uint64_t bytes, queue_place *out)
{
    if (c->ops->found.cells_mapped)
        return queue_slot(c->stream, queue_mapped_kind(c->stream->device), bytes, 0, out);
    return queue_lane_take(c->stream, bytes, 0, out);
}

/* ---- where arrays are ------------------------------------------------------------------------ */

static slip_status place_class(queue_call *c, uint32_t class)
{
    const launch_class *k = class_of(c, class);
    queue_stream *s = c->stream;
    queue_class *mine = &s->classes[class];
    uint64_t skew = class_skew(k->start);

    *mine = (queue_class){ 0 };
    if (k->bytes == 0)
        return SLIP_OK;
    if (c->ops->moves[class] == PLAN_MOVE_MAPPED)
        return queue_slot(s, queue_mapped_kind(s->device), k->bytes, skew, &mine->tasks);
    if (c->ops->moves[class] == PLAN_MOVE_STAGED)
        return queue_lane_take(s, k->bytes, skew, &mine->tasks);
    return SLIP_OK;
}

static slip_status place_arrays(queue_call *c)
{
    const launch_call *call = c->call;
    queue_stream *s = c->stream;

    for (uint32_t k = 0; k < call->class_count; k++)
        SLIP_TRY(place_class(c, k));
    for (uint32_t k = 0; k < call->array_count; k++) {
        const launch_array *array = &call->arrays[k];
        const queue_place *at = &s->classes[array->class].tasks;
        if (at->memory)
            call->program.slots[array->param] = at->address + array->offset;
    }
    return SLIP_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The memory that a class of the caller's lies in. */
static queue_place home_of(const launch_class *k)
{
    const queue_memory *memory = k->memory->own;

    return (queue_place){ .memory = memory, .offset = k->memory_offset };
}

static slip_status upload(queue_call *c, uint32_t class, plan_move move)
{
    const launch_class *k = class_of(c, class);
    queue_stream *s = c->stream;
    const queue_place *to = &s->classes[class].tasks;
    const void *host = (const void *)(uintptr_t)k->start;
    queue_place from;

    if (k->bytes == 0)
        return SLIP_OK;
    counters_add_copy(s->counts, true, k->bytes);
    if (move == PLAN_MOVE_MAPPED) {
        memcpy(to->host, host, k->bytes);
        return SLIP_OK;
    }
    if (move == PLAN_MOVE_DIRECT) {
        from = home_of(k);
    } else {
        SLIP_TRY(queue_slot(s, QUEUE_MEMORY_UPLOAD, k->bytes, 0, &from));
        memcpy(from.host, host, k->bytes);
    }
    return queue_copy(s, to, 0, &from, 0, k->bytes);
}

static slip_status download(queue_call *c, uint32_t class, plan_move move)
{
    const launch_class *k = class_of(c, class);
    queue_stream *s = c->stream;
    queue_class *mine = &s->classes[class];
    queue_place direct;
    const queue_place *to = &mine->back;

    if (k->bytes == 0)
        return SLIP_OK;
    if (move == PLAN_MOVE_DIRECT) {
        direct = home_of(k);
        to = &direct;
    } else {
        SLIP_TRY(queue_slot(s, QUEUE_MEMORY_READBACK, k->bytes, 0, &mine->back));
    }
    for (uint64_t start = 0, end = 0; class_next_written(c->call, class, end, &start, &end);) {
        counters_add_copy(s->counts, false, end - start);
        SLIP_TRY(queue_copy(s, to, start, &mine->tasks, start, end - start));
    }
    return SLIP_OK;
}

static slip_status download_result(queue_call *c)
{
    const mod_result *r = &c->call->program.entry->result;

    counters_add_copy(c->stream->counts, false, r->bytes);
    SLIP_TRY(queue_slot(c->stream, QUEUE_MEMORY_READBACK, r->bytes, 0, &c->result));
    return queue_copy(c->stream, &c->result, 0, &c->cells, r->cell, r->bytes);
}

static slip_status unstage(queue_call *c, uint32_t class, plan_move move)
{
    const queue_class *mine = &c->stream->classes[class];
    bool mapped = move == PLAN_MOVE_MAPPED;

    return class_unstage(c->call, class, mapped ? mine->tasks.host : mine->back.host, mapped,
                         c->stream->counts, c->rest);
}

static slip_status unstage_result(queue_call *c, plan_move move)
{
    const mod_result *r = &c->call->program.entry->result;
    bool mapped = move == PLAN_MOVE_MAPPED;

    if (mapped)
        counters_add_copy(c->stream->counts, false, r->bytes);
    return rest_or_copy(c->rest, c->call->result, mapped ? c->cells.host + r->cell : c->result.host,
                        r->bytes);
}

/* ---- memory of the launch -------------------------------------------------------------------- */

static slip_status take_cells(queue_call *c)
{
    const mod_entry *entry = c->call->program.entry;
    queue_stream *s = c->stream;
    uint64_t bytes = ((uint64_t)entry->cells_bytes + 3) & ~(uint64_t)3;

    SLIP_TRY(queue_call_take(c, bytes, &c->cells));
    if (entry->cells_slot != MOD_NONE)
        c->call->program.slots[entry->cells_slot] = c->cells.address;
    if (c->ops->found.cells_mapped) {
        memset(c->cells.host, 0, bytes);
        return SLIP_OK;
    }
    return queue_recorded(
        s, s->device->driver->zero(s->self, c->cells.memory, c->cells.offset, bytes));
}

static slip_status take_scratch(queue_call *c, uint32_t index)
{
    const program_state *program = &c->call->program;
    queue_stream *s = c->stream;
    uint64_t bytes = 0;
    queue_place at;

    if (s->taken[index])
        return SLIP_OK;
    s->taken[index] = true;
    if (index == program->entry->scratch_count)
        return take_cells(c);
    const mod_scratch *scratch = &program->entry->scratch[index];
    SLIP_TRY(program_bytes(program, scratch->name, scratch->place, scratch->extents, NULL,
                           scratch->rank, scratch->bytes, &bytes));
    slip_status status = queue_lane_take(s, bytes, 0, &at);
    if (status != SLIP_OK)
        fail_note("while taking memory for `%s`", scratch->name);
    else
        program->slots[scratch->slot] = at.address;
    return status;
}

/* ---- waits ----------------------------------------------------------------------------------- */

static bool queued_something(const queue_call *c)
{
    return c->stream->recorded > 0 || c->stream->submitted != c->submitted_before;
}

/* The host reads what the call has written, once it has waited. */
static slip_status submit_for_host(queue_call *c)
{
    queue_stream *s = c->stream;

    if (!queued_something(c))
        return SLIP_OK;
    SLIP_TRY(queue_recorded(s, s->device->driver->barrier(s->self, QUEUE_BARRIER_HOST)));
    return queue_submit(s);
}

static slip_status wait_for_host(queue_call *c)
{
    return queued_something(c) ? queue_drain(c->stream) : SLIP_OK;
}

/* The host waits for the device, and sees bytes of the cells; *out holds until the call ends. */
static slip_status fetch_cells(queue_call *c, uint32_t at, uint32_t bytes, const uint8_t **out)
{
    queue_stream *s = c->stream;
    queue_place back = c->cells;

    if (!c->ops->found.cells_mapped) {
        SLIP_TRY(queue_slot(s, QUEUE_MEMORY_READBACK, bytes, 0, &back));
        SLIP_TRY(queue_barrier(s));
        SLIP_TRY(queue_copy(s, &back, 0, &c->cells, at, bytes));
        at = 0;
    }
    SLIP_TRY(submit_for_host(c));
    SLIP_TRY(wait_for_host(c));
    *out = back.host + at;
    return SLIP_OK;
}

static slip_status fetch_bounds(queue_call *c)
{
    c->known_cells = NULL;
    return fetch_cells(c, 0, c->call->program.entry->cells_bytes, &c->known_cells);
}

static slip_status look(void *user, const flow_op *op, const uint8_t **out)
{
    queue_call *c = user;

    if (op->kind == FLOW_JUMP_IF_SEEN) {
        *out = c->cells.host + op->a;
        return SLIP_OK;
    }
    return fetch_cells(c, op->a, sizeof(int32_t), out);
}

/* ---- the call -------------------------------------------------------------------------------- */

static slip_status run_op(void *user, const flow_op *op)
{
    queue_call *c = user;

    switch (op->kind) {
    case QUEUE_OP_UPLOAD:
        return upload(c, op->a, (plan_move)op->b);
    case QUEUE_OP_DOWNLOAD:
        return op->a == MOD_NONE ? download_result(c) : download(c, op->a, (plan_move)op->b);
    case QUEUE_OP_UNSTAGE:
        return op->a == MOD_NONE ? unstage_result(c, (plan_move)op->b)
                                 : unstage(c, op->a, (plan_move)op->b);
    case QUEUE_OP_TASK:
        return queue_task(c, op->a);
    case QUEUE_OP_SCRATCH:
        return take_scratch(c, op->a);
    case QUEUE_OP_BOUNDS:
        return fetch_bounds(c);
    case QUEUE_OP_BARRIER:
        return queue_barrier(c->stream);
    case QUEUE_OP_SUBMIT:
        return op->b ? submit_for_host(c) : queue_submit_later(c->stream);
    case QUEUE_OP_WAIT:
    case QUEUE_OP_LAST_WAIT:
        if (!queued_something(c))
            return SLIP_OK;
        counters_add(&c->stream->counts->conservative_waits, op->b);
        return op->kind == QUEUE_OP_WAIT ? wait_for_host(c) : queue_last_wait(c);
    }
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "no such operation: %u", op->kind);
}

/* Room for what the stream knows of a call; taken from the system for the first call of its size.
 */
static slip_status make_room(queue_call *c)
{
    queue_stream *s = c->stream;
    size_t scratch = (size_t)c->call->program.entry->scratch_count + 1;

    SLIP_TRY(mem_grow((void **)&s->classes, &s->class_capacity, (size_t)c->call->class_count + 1,
                      sizeof *s->classes));
    SLIP_TRY(mem_grow((void **)&s->loops, &s->loop_capacity, (size_t)c->ops->loop_count + 1,
                      sizeof *s->loops));
    SLIP_TRY(mem_grow((void **)&s->taken, &s->taken_capacity, scratch, sizeof *s->taken));
    memset(s->taken, 0, scratch * sizeof *s->taken);
    for (uint32_t k = 0; k < c->ops->loop_count; k++)
        s->loops[k] = flow_loop_begin();
    return SLIP_OK;
}

/* What this call recorded goes, unless earlier calls' commands go with it; what it sent has ended
 * when it returns. */
static void abandon(queue_call *c)
{
    queue_stream *s = c->stream;

    if (s->deferred == 0)
        queue_discard(s);
    else if (queue_submit(s) != SLIP_OK)
        return;
    if (s->submitted != c->submitted_before)
        queue_end(s);
}

static slip_status perform(queue_call *c)
{
    queue_stream *s = c->stream;

    SLIP_TRY(queue_tell_lost(s));
    if (c->ops->found.copies_to_host) /* if this call fails, its commands can be taken back alone */
        SLIP_TRY(queue_submit(s));
    SLIP_TRY(make_room(c));
    c->submitted_before = s->submitted;
    queue_call_noted(s, c->call->name);
    s->call++;
    queue_lane_reset(s);
    slip_status status = place_arrays(c);
    if (status == SLIP_OK)
        status = flow_run(c->ops->ops, &c->call->program, s->loops, run_op, look, c);
    if (status != SLIP_OK)
        abandon(c);
    else if (s->recorded > 0 && s->submitted != c->submitted_before)
        queue_blocks_reopen(s);
    queue_call_ended(s, c->submitted_before, status);
    return status;
}

slip_status queue_perform(void *stream, launch_call *call)
{
    queue_call c = { .stream = stream, .call = call, .ops = call->ops };

    pthread_mutex_lock(&c.stream->lock);
    slip_status status = perform(&c);
    queue_keep_rest(&c, status, &call->rest);
    pthread_mutex_unlock(&c.stream->lock);
    return queue_told(c.stream->device, status);
}
