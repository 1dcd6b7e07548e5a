/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_copy.c - copies that a program asks for itself: slip_upload and slip_download, in pieces.
 *
 * A piece is on its way while the next is filled or the one before is emptied.
 */
#include <string.h>

#include "launch/lanes_parts.h"

static slip_status settle(lanes_call *c, slip_status status)
{
    if (status != SLIP_OK)
        lanes_drain(c);
    lanes_end(c);
    return status;
}

slip_status lanes_copy_up(void *stream, const launch_memory *to, uint64_t to_offset,
                          const void *from, uint64_t bytes)
{
    lanes_call c = { .stream = stream };
    lanes_device *d = c.stream->device;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    lanes_begin(&c, "a copy to the device");
    slip_status status = lanes_check_free(c.stream, "a copy of the host's memory");
    if (status == SLIP_OK)
        status = settle(&c, lanes_send_staged(&c, to->address + to_offset, from, bytes));
    lanes_leave(d, &guard);
    return status;
}

/* ---- down ------------------------------------------------------------------------------------ */

/* Two pieces are under way at most, in two slots by turns, each with an event behind it. */
typedef struct fetching {
    lanes_place slots[2];
    uint64_t at[2], bytes[2]; /* bytes 0: nothing is under way */
} fetching;

static uint64_t piece_of(const lanes_call *c, uint64_t left)
{
    uint64_t most = c->stream->device->sizes.copy_piece;

    return left < most ? left : most;
}

/* The turn's event has been waited for since it was recorded before. */
static slip_status note_piece(lanes_call *c, uint32_t turn)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;
    void **event = &s->copied[turn];

    if (!*event)
        SLIP_TRY(lanes_told(s, d->driver->event_new(d->self, event)));
    return lanes_told(s, d->driver->record(d->self, s->lanes[0].self, *event));
}

static slip_status ask_piece(lanes_call *c, fetching *f, uint32_t turn, uint64_t from, uint64_t at,
                             uint64_t bytes)
{
    if (!f->slots[turn].host)
        SLIP_TRY(lanes_slot(c, LANES_RING_BACK, bytes, 0, &f->slots[turn]));
    SLIP_TRY(lanes_fetch(c, 0, f->slots[turn].host, from + at, bytes));
    f->at[turn] = at;
    f->bytes[turn] = bytes;
    return note_piece(c, turn);
}

static slip_status take_piece(lanes_call *c, fetching *f, uint32_t turn, uint8_t *to)
{
    lanes_stream *s = c->stream;

    if (f->bytes[turn] == 0)
        return SLIP_OK;
    SLIP_TRY(lanes_waited(s, s->device->driver->event_wait, s->copied[turn]));
    memcpy(to + f->at[turn], f->slots[turn].host, f->bytes[turn]);
    f->bytes[turn] = 0;
    return SLIP_OK;
}

static slip_status fetch_pieces(lanes_call *c, uint8_t *to, uint64_t from, uint64_t bytes)
{
    fetching f = { 0 };
    uint32_t turn = 0;

    for (uint64_t at = 0; at < bytes; at += piece_of(c, bytes - at), turn ^= 1) {
        SLIP_TRY(take_piece(c, &f, turn, to));
        SLIP_TRY(ask_piece(c, &f, turn, from, at, piece_of(c, bytes - at)));
    }
    SLIP_TRY(take_piece(c, &f, turn, to));
    SLIP_TRY(take_piece(c, &f, turn ^ 1, to));
    lanes_covered(c, 0);
    return SLIP_OK;
}

/* `leaves`: what is left is a rest. Of several pieces the host waits in the midst. */
static slip_status fetch_one(lanes_call *c, uint8_t *to, uint64_t from, uint64_t bytes, bool leaves)
{
    lanes_place slot;

    SLIP_TRY(lanes_slot(c, LANES_RING_BACK, bytes, 0, &slot));
    SLIP_TRY(lanes_fetch(c, 0, slot.host, from, bytes));
    SLIP_TRY(leaves ? lanes_last_wait(c) : lanes_wait(c, 0));
    return rest_or_copy(c->rest, to, slot.host, bytes);
}

slip_status lanes_copy_down(void *stream, void *to, const launch_memory *from, uint64_t from_offset,
                            uint64_t bytes, void **out_rest)
{
    lanes_call c = { .stream = stream };
    lanes_device *d = c.stream->device;
    uint64_t address = from->address + from_offset;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    lanes_begin(&c, "a copy from it");
    slip_status status = lanes_check_free(c.stream, "a copy to the host's memory");
    if (status == SLIP_OK)
        status = settle(&c, bytes <= d->sizes.copy_piece
                                ? fetch_one(&c, to, address, bytes, out_rest != NULL)
                                : fetch_pieces(&c, to, address, bytes));
    if (lanes_keep_rest(&c, status, &guard))
        *out_rest = c.rest;
    else
        lanes_leave(d, &guard);
    return status;
}
