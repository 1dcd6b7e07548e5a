/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_moves.c - a call's arrays, result and cells: where they lie on the device, and how they
 * come and go.
 *
 * A queued copy is given pinned memory only. What comes back for the host lies in slots until the
 * last wait has gone well; only then is it copied to where the caller wants it.
 */
#include <string.h>

#include "launch/lanes_parts.h"

static const launch_class *class_of(const lanes_call *c, uint32_t class)
{
    return &c->call->classes[class];
}

static void *host_of(const launch_class *k)
{
    return (void *)(uintptr_t)k->start;
}

/* ---- where arrays are ------------------------------------------------------------------------ */

static slip_status place_class(lanes_call *c, uint32_t class)
{
    const launch_class *k = class_of(c, class);
    lanes_class *mine = &c->stream->classes[class];
    uint64_t skew = class_skew(k->start);

    *mine = (lanes_class){ 0 };
    if (k->bytes == 0)
        return SLIP_OK;
    if (c->ops->moves[class] == PLAN_MOVE_MAPPED)
        return lanes_slot(c, LANES_RING_BACK, k->bytes, skew, &mine->tasks);
    if (c->ops->moves[class] == PLAN_MOVE_STAGED)
        return lanes_cut(c, 0, k->bytes, skew, &mine->tasks);
    return SLIP_OK;
}

slip_status lanes_place_arrays(lanes_call *c)
{
    const launch_call *call = c->call;

    for (uint32_t k = 0; k < call->class_count; k++)
        SLIP_TRY(place_class(c, k));
    for (uint32_t k = 0; k < call->array_count; k++) {
        const launch_array *array = &call->arrays[k];
        const lanes_place *at = &c->stream->classes[array->class].tasks;
        if (at->address)
            call->program.slots[array->param] = at->address + array->offset;
    }
    return SLIP_OK;
}

/* ---- copies ---------------------------------------------------------------------------------- */

slip_status lanes_send(lanes_call *c, uint64_t to, const void *from, uint64_t bytes)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;

    return lanes_started(c, 0, d->driver->upload(d->self, s->lanes[0].self, to, from, bytes));
}

slip_status lanes_fetch(lanes_call *c, uint32_t lane, void *to, uint64_t from, uint64_t bytes)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;

    return lanes_started(c, lane,
                         d->driver->download(d->self, s->lanes[lane].self, to, from, bytes));
}

/* A piece is on its way while the next is filled. */
slip_status lanes_send_staged(lanes_call *c, uint64_t to, const uint8_t *from, uint64_t bytes)
{
    uint64_t most = c->stream->device->sizes.copy_piece;

    for (uint64_t at = 0, piece = 0; at < bytes; at += piece) {
        lanes_place slot;
        piece = bytes - at < most ? bytes - at : most;
        SLIP_TRY(lanes_slot(c, LANES_RING_UP, piece, 0, &slot));
        memcpy(slot.host, from + at, piece);
        SLIP_TRY(lanes_send(c, to + at, slot.host, piece));
    }
    return SLIP_OK;
}

/* The driver's own copy, which waits, on the default stream. */
static slip_status blocking(lanes_call *c, slip_status status, uint64_t from)
{
    counters *counts = c->stream->counts;

    counters_add(&counts->host_waits, 1);
    counters_add_shared(&counts->host_blocked_ns, counters_now() - from);
    return lanes_started(c, 0, status);
}

static slip_status send_blocking(lanes_call *c, uint64_t to, const void *from, uint64_t bytes)
{
    lanes_device *d = c->stream->device;
    uint64_t began = counters_now();

    return blocking(c, d->driver->upload_blocking(d->self, to, from, bytes), began);
}

static slip_status fetch_blocking(lanes_call *c, void *to, uint64_t from, uint64_t bytes)
{
    lanes_device *d = c->stream->device;
    uint64_t began = counters_now();

    SLIP_TRY(blocking(c, d->driver->download_blocking(d->self, to, from, bytes), began));
    lanes_covered(c, 0);
    return SLIP_OK;
}

/* ---- small copies together ------------------------------------------------------------------- */

enum {
    HELD_MOST = 1 << 15,        /* bytes: a larger copy is under way while the next is filled */
    HELD_GAP = 2 * LANES_ALIGN, /* bytes of nobody's that a copy may take along */
};

slip_status lanes_held_queue(lanes_call *c)
{
    lanes_held held = c->held;

    c->held.bytes = 0;
    if (held.bytes == 0)
        return SLIP_OK;
    return held.up ? lanes_send(c, held.device.address, held.slot.host, held.bytes)
                   : lanes_fetch(c, 0, held.slot.host, held.device.address, held.bytes);
}

static bool goes_on(const lanes_held *held, const lanes_place *slot, const lanes_place *device)
{
    uint64_t ahead = device->address - held->device.address;

    return held->bytes > 0 && slot->own == held->slot.own && device->own == held->device.own &&
           ahead >= held->bytes && ahead - held->bytes < HELD_GAP &&
           slot->address - held->slot.address == ahead;
}

static slip_status held_add(lanes_call *c, bool up, const lanes_place *slot,
                            const lanes_place *device, uint64_t bytes)
{
    lanes_held *held = &c->held;

    if (goes_on(held, slot, device)) {
        held->bytes = device->address - held->device.address + bytes;
        return SLIP_OK;
    }
    SLIP_TRY(lanes_held_queue(c));
    *held = (lanes_held){ *slot, *device, bytes, up };
    return SLIP_OK;
}

static lanes_place place_at(const lanes_place *place, uint64_t bytes)
{
    return (lanes_place){ place->address + bytes, place->host ? place->host + bytes : NULL,
                          place->own };
}

/* Slots are cut as arrays are, so that those of several arrays lie like these. */
static slip_status upload_staged(lanes_call *c, const launch_class *k, const lanes_place *to,
                                 bool more)
{
    lanes_place slot;

    if (k->bytes > HELD_MOST || k->bytes > c->stream->device->sizes.copy_piece) {
        SLIP_TRY(lanes_held_queue(c));
        return lanes_send_staged(c, to->address, host_of(k), k->bytes);
    }
    SLIP_TRY(lanes_slot(c, LANES_RING_UP, k->bytes, class_skew(k->start), &slot));
    memcpy(slot.host, host_of(k), k->bytes);
    SLIP_TRY(held_add(c, true, &slot, to, k->bytes));
    return more ? SLIP_OK : lanes_held_queue(c);
}

slip_status lanes_upload(lanes_call *c, uint32_t class, plan_move move, bool more)
{
    const launch_class *k = class_of(c, class);
    const lanes_place *to = &c->stream->classes[class].tasks;

    if (k->bytes == 0)
        return more ? SLIP_OK : lanes_held_queue(c);
    counters_add_copy(c->stream->counts, true, k->bytes);
    if (move == PLAN_MOVE_STAGED)
        return upload_staged(c, k, to, more);
    SLIP_TRY(lanes_held_queue(c));
    switch (move) {
    case PLAN_MOVE_MAPPED:
        memcpy(to->host, host_of(k), k->bytes);
        return SLIP_OK;
    case PLAN_MOVE_DIRECT:
        return lanes_send(c, to->address, host_of(k), k->bytes);
    case PLAN_MOVE_BLOCKING:
        return send_blocking(c, to->address, host_of(k), k->bytes);
    case PLAN_MOVE_STAGED:
    case PLAN_MOVE_NONE:
    case PLAN_MOVE_IN_PLACE:
        break;
    }
    return SLIP_FAIL(SLIP_ERR_INTERNAL, "an upload by no move");
}

/* A slot's bytes outside what tasks write are never read. */
static slip_status download_staged(lanes_call *c, uint32_t class, bool more)
{
    const launch_class *k = class_of(c, class);
    lanes_class *mine = &c->stream->classes[class];

    if (k->bytes > 0)
        SLIP_TRY(lanes_slot(c, LANES_RING_BACK, k->bytes, class_skew(k->start), &mine->back));
    for (uint64_t start = 0, end = 0; class_next_written(c->call, class, end, &start, &end);) {
        lanes_place slot = place_at(&mine->back, start), from = place_at(&mine->tasks, start);
        counters_add_copy(c->stream->counts, false, end - start);
        SLIP_TRY(held_add(c, false, &slot, &from, end - start));
    }
    return more ? SLIP_OK : lanes_held_queue(c);
}

slip_status lanes_download(lanes_call *c, uint32_t class, plan_move move, bool more)
{
    uint8_t *to = host_of(class_of(c, class));
    uint64_t at = c->stream->classes[class].tasks.address;

    if (move == PLAN_MOVE_STAGED)
        return download_staged(c, class, more);
    SLIP_TRY(lanes_held_queue(c));
    for (uint64_t start = 0, end = 0; class_next_written(c->call, class, end, &start, &end);) {
        uint64_t bytes = end - start;
        counters_add_copy(c->stream->counts, false, bytes);
        SLIP_TRY(move == PLAN_MOVE_BLOCKING ? fetch_blocking(c, to + start, at + start, bytes)
                                            : lanes_fetch(c, 0, to + start, at + start, bytes));
    }
    /* The plan counts on the wait, also where there is nothing to copy. */
    return move == PLAN_MOVE_BLOCKING && c->pending ? lanes_wait(c, 0) : SLIP_OK;
}

static slip_status list_copy(lanes_call *c, void *to, uint64_t from, uint64_t bytes)
{
    counters_add_copy(c->stream->counts, false, bytes);
    return rest_add(c->rest, &(rest_copy){ .to = to, .address = from, .bytes = bytes });
}

slip_status lanes_list_download(lanes_call *c, uint32_t class)
{
    const mod_result *r = &c->call->program.entry->result;

    if (class == MOD_NONE)
        return list_copy(c, c->call->result, c->cells.address + r->cell, r->bytes);
    uint8_t *to = host_of(class_of(c, class));
    uint64_t from = c->stream->classes[class].tasks.address;
    for (uint64_t start = 0, end = 0; class_next_written(c->call, class, end, &start, &end);)
        SLIP_TRY(list_copy(c, to + start, from + start, end - start));
    return SLIP_OK;
}

slip_status lanes_download_result(lanes_call *c, plan_move move)
{
    const mod_result *r = &c->call->program.entry->result;
    uint64_t from = c->cells.address + r->cell;

    counters_add_copy(c->stream->counts, false, r->bytes);
    if (move == PLAN_MOVE_BLOCKING)
        return fetch_blocking(c, c->call->result, from, r->bytes);
    SLIP_TRY(lanes_slot(c, LANES_RING_BACK, r->bytes, 0, &c->result));
    return lanes_fetch(c, 0, c->result.host, from, r->bytes);
}

/* ---- what the host reads --------------------------------------------------------------------- */

slip_status lanes_unstage(lanes_call *c, uint32_t class, plan_move move)
{
    const lanes_class *mine = &c->stream->classes[class];
    bool mapped = move == PLAN_MOVE_MAPPED;

    return class_unstage(c->call, class, mapped ? mine->tasks.host : mine->back.host, mapped,
                         c->stream->counts, c->rest);
}

slip_status lanes_unstage_result(lanes_call *c)
{
    return rest_or_copy(c->rest, c->call->result, c->result.host,
                        c->call->program.entry->result.bytes);
}

slip_status lanes_look(lanes_call *c, uint32_t lane, uint32_t at, uint32_t bytes,
                       const uint8_t **out)
{
    uint32_t most = c->call->program.entry->cells_bytes;

    SLIP_TRY(lanes_need(c->stream, lane));
    if (!c->looked.host)
        SLIP_TRY(lanes_slot(c, LANES_RING_BACK, most, 0, &c->looked));
    SLIP_TRY(lanes_fetch(c, lane, c->looked.host, c->cells.address + at, bytes));
    SLIP_TRY(lanes_wait(c, lane));
    *out = c->looked.host;
    return SLIP_OK;
}

/* ---- memory of the launch -------------------------------------------------------------------- */

static slip_status take_cells(lanes_call *c, uint32_t lane)
{
    const mod_entry *entry = c->call->program.entry;
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;

    SLIP_TRY(lanes_cut(c, lane, entry->cells_bytes, 0, &c->cells));
    if (entry->cells_slot != MOD_NONE)
        c->call->program.slots[entry->cells_slot] = c->cells.address;
    return lanes_started(
        c, lane,
        d->driver->zero(d->self, s->lanes[lane].self, c->cells.address, entry->cells_bytes));
}

slip_status lanes_take(lanes_call *c, uint32_t index, uint32_t lane)
{
    const program_state *program = &c->call->program;
    uint64_t bytes = 0;
    lanes_place at;

    if (c->stream->taken[index])
        return SLIP_OK;
    c->stream->taken[index] = true;
    if (index == program->entry->scratch_count)
        return take_cells(c, lane);
    const mod_scratch *scratch = &program->entry->scratch[index];
    SLIP_TRY(program_bytes(program, scratch->name, scratch->place, scratch->extents, NULL,
                           scratch->rank, scratch->bytes, &bytes));
    slip_status status = lanes_cut(c, lane, bytes, 0, &at);
    if (status != SLIP_OK)
        fail_note("while taking memory for `%s`", scratch->name);
    else
        program->slots[scratch->slot] = at.address;
    return status;
}
