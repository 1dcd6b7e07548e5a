/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_copy.c - copies that a program asks for itself: slip_upload and slip_download, in pieces.
 *
 * A piece is on its way while the next is filled or the one before is emptied.
 */
#include <string.h>

#include "launch/queue_parts.h"

static queue_place place_of(const launch_memory *memory, uint64_t offset)
{
    const queue_memory *own = memory->own;

    return (queue_place){ .memory = own, .offset = offset };
}

static uint64_t piece_of(uint64_t left)
{
    return left < QUEUE_COPY_PIECE ? left : QUEUE_COPY_PIECE;
}

/* A piece is a call of its own for its slots. */
static slip_status send_piece(queue_stream *s, const queue_place *to, uint64_t at,
                              const uint8_t *from, uint64_t bytes)
{
    queue_place slot;

    s->call++;
    SLIP_TRY(queue_slot(s, QUEUE_MEMORY_UPLOAD, bytes, 0, &slot));
    memcpy(slot.host, from, bytes);
    SLIP_TRY(queue_copy(s, to, at, &slot, 0, bytes));
    return queue_submit(s);
}

static slip_status begin(queue_stream *s, const char *name)
{
    SLIP_TRY(queue_tell_lost(s));
    SLIP_TRY(queue_submit(s));
    queue_call_noted(s, name);
    return SLIP_OK;
}

/* What was not sent is taken back; what was has ended. */
static slip_status settle(queue_stream *s, uint64_t submitted_before, slip_status status)
{
    if (status != SLIP_OK) {
        queue_discard(s);
        queue_end(s);
    }
    queue_call_ended(s, submitted_before, status);
    return status;
}

static slip_status send(queue_stream *s, const queue_place *to, const uint8_t *from, uint64_t bytes)
{
    SLIP_TRY(begin(s, "a copy to the device"));
    uint64_t before = s->submitted;
    slip_status status = queue_barrier(s);
    for (uint64_t at = 0; status == SLIP_OK && at < bytes; at += piece_of(bytes - at))
        status = send_piece(s, to, at, from + at, piece_of(bytes - at));
    return settle(s, before, status);
}

slip_status queue_copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                          const void *from, uint64_t bytes)
{
    queue_stream *s = stream;
    queue_place place = place_of(to, to_offset);

    pthread_mutex_lock(&s->lock);
    slip_status status = send(s, &place, from, bytes);
    pthread_mutex_unlock(&s->lock);
    return queue_told(s->device, status);
}

/* ---- down ------------------------------------------------------------------------------------ */

/* Two pieces are under way at most, in two slots by turns. */
typedef struct fetching {
    queue_place slots[2];
    uint64_t at[2], bytes[2], value[2]; /* bytes 0: nothing is under way */
} fetching;

static slip_status ask_piece(queue_stream *s, fetching *f, uint32_t turn, const queue_place *from,
                             uint64_t at, uint64_t bytes)
{
    queue_place *slot = &f->slots[turn];

    if (!slot->memory)
        SLIP_TRY(queue_slot(s, QUEUE_MEMORY_READBACK, bytes, 0, slot));
    SLIP_TRY(queue_copy(s, slot, 0, from, at, bytes));
    SLIP_TRY(queue_recorded(s, s->device->driver->barrier(s->self, QUEUE_BARRIER_HOST)));
    SLIP_TRY(queue_submit(s));
    f->at[turn] = at;
    f->bytes[turn] = bytes;
    f->value[turn] = s->submitted;
    return SLIP_OK;
}

static slip_status take_piece(queue_stream *s, fetching *f, uint32_t turn, uint8_t *to)
{
    if (f->bytes[turn] == 0)
        return SLIP_OK;
    SLIP_TRY(queue_wait(s, f->value[turn], s->counts));
    memcpy(to + f->at[turn], f->slots[turn].host, f->bytes[turn]);
    f->bytes[turn] = 0;
    return SLIP_OK;
}

static slip_status fetch_pieces(queue_stream *s, uint8_t *to, const queue_place *from,
                                uint64_t bytes)
{
    fetching f = { 0 };
    uint32_t turn = 0;

    s->call++;
    for (uint64_t at = 0; at < bytes; at += piece_of(bytes - at), turn ^= 1) {
        SLIP_TRY(take_piece(s, &f, turn, to));
        SLIP_TRY(ask_piece(s, &f, turn, from, at, piece_of(bytes - at)));
    }
    SLIP_TRY(take_piece(s, &f, turn, to));
    return take_piece(s, &f, turn ^ 1, to);
}

/* What is left is a rest. Of several pieces the host waits in the midst. */
static slip_status fetch_one(queue_call *c, uint8_t *to, const queue_place *from, uint64_t bytes)
{
    queue_stream *s = c->stream;
    fetching f = { 0 };

    s->call++;
    SLIP_TRY(ask_piece(s, &f, 0, from, 0, bytes));
    SLIP_TRY(queue_last_wait(c));
    return rest_or_copy(c->rest, to, f.slots[0].host, bytes);
}

static slip_status fetch(queue_call *c, uint8_t *to, const queue_place *from, uint64_t bytes,
                         bool leaves)
{
    queue_stream *s = c->stream;

    SLIP_TRY(begin(s, "a copy from it"));
    uint64_t before = s->submitted;
    slip_status status = queue_barrier(s);
    if (status == SLIP_OK)
        status = leaves && bytes <= QUEUE_COPY_PIECE ? fetch_one(c, to, from, bytes)
                                                     : fetch_pieces(s, to, from, bytes);
    return settle(s, before, status);
}

slip_status queue_copy_down(void *stream, void *to, const launch_memory *from, uint64_t from_offset,
                            uint64_t bytes, void **out_rest)
{
    queue_stream *s = stream;
    queue_call c = { .stream = s };
    queue_place place = place_of(from, from_offset);

    pthread_mutex_lock(&s->lock);
    slip_status status = fetch(&c, to, &place, bytes, out_rest != NULL);
    queue_keep_rest(&c, status, out_rest);
    pthread_mutex_unlock(&s->lock);
    return queue_told(s->device, status);
}
