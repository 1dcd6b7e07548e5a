/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_slots.c - memory of calls: slots in pinned memory, which the host and the device use by
 * turns, and each lane's arena, which its calls use one after another in the lane's own order.
 *
 * A repeated call finds both as it left them: it takes nothing from the driver and records nothing.
 * An event is recorded for a block of slots only when the block is full and the device may not be
 * done with it.
 */
#include "launch/lanes_parts.h"

#include <inttypes.h>

static slip_status room_of(uint64_t bytes, uint64_t skew, uint64_t *out)
{
    uint64_t room = 0;

    if (!mem_add(bytes, skew + LANES_ALIGN - 1, &room))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %" PRIu64 " bytes of a call", bytes);
    room = room / LANES_ALIGN * LANES_ALIGN;
    *out = room > 0 ? room : LANES_ALIGN;
    return SLIP_OK;
}

static bool fits(const lanes_block *block, uint64_t room)
{
    return room <= block->own->memory.bytes - block->used;
}

static void cut(lanes_block *block, uint64_t number, uint64_t room, uint64_t skew, lanes_place *out)
{
    const stream_memory *memory = &block->own->memory;
    uint64_t at = block->used + skew;

    *out = (lanes_place){ .address = memory->address + at,
                          .host = memory->host ? memory->host + at : NULL,
                          .own = block->own };
    block->used += room;
    block->last = number;
    block->noted = 0;
}

static slip_status block_new(lanes_stream *s, uint64_t bytes, stream_memory_kind kind,
                             lanes_block **list)
{
    lanes_block *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = lanes_own_new(
        s->device, s, bytes < s->device->sizes.least_block ? s->device->sizes.least_block : bytes,
        kind, &made->own);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->next = *list;
    *list = made;
    return SLIP_OK;
}

static void block_drop(lanes_stream *s, lanes_block *block)
{
    lanes_device *d = s->device;

    if (block->event && !d->forked) {
        d->driver->event_drop(d->self, block->event);
        (void)lanes_device_told(d, 0, SLIP_OK);
    }
    lanes_own_back(d, block->own);
    mem_free(block);
}

static uint64_t total_bytes(const lanes_block *list)
{
    uint64_t total = 0;

    for (; list; list = list->next)
        total += list->own->memory.bytes;
    return total;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* A call keeps its own blocks of the ring BACK, until its rest is over. */
static bool is_held(const lanes_call *c, const lanes_block *block, lanes_ring ring)
{
    return ring == LANES_RING_BACK &&
           (block->last == c->number || block->last >= rest_oldest(&c->stream->rests));
}

/* A block with room, as far as is known without asking. */
static lanes_block *find_room(const lanes_call *c, lanes_ring ring, uint64_t room)
{
    uint64_t known = lanes_known(c->stream);

    for (lanes_block *block = c->stream->rings[ring]; block; block = block->next) {
        if (block->last <= known && !is_held(c, block, ring))
            block->used = 0;
        if (fits(block, room))
            return block;
    }
    return NULL;
}

static void set_free(lanes_block *block)
{
    block->used = block->last = block->noted = 0;
}

/* Records the block's event behind all that uses it. A call's own tasks on other lanes are behind
 * the first only when it ends: their blocks wait for a later call. */
static slip_status note(lanes_call *c, lanes_block *block)
{
    lanes_stream *s = c->stream;
    lanes_device *d = s->device;
    bool passed = true;

    if (block->noted != 0 || block->last <= lanes_known(s) ||
        (block->last == c->number && c->crossed))
        return SLIP_OK;
    if (!block->event)
        SLIP_TRY(lanes_told(s, d->driver->event_new(d->self, &block->event)));
    else if (!d->limits.rerecords)
        SLIP_TRY(lanes_told(s, d->driver->event_passed(d->self, block->event, &passed)));
    if (!passed)
        return SLIP_OK;
    SLIP_TRY(lanes_told(s, d->driver->record(d->self, s->lanes[0].self, block->event)));
    block->noted = ++s->notes;
    block->recorded = c->number;
    return SLIP_OK;
}

/* The block that is free soonest of those that are large enough: the first lane does its work in
 * order. */
static lanes_block *soonest(const lanes_call *c, lanes_ring ring, uint64_t room)
{
    lanes_block *best = NULL;

    for (lanes_block *block = c->stream->rings[ring]; block; block = block->next) {
        if (block->own->memory.bytes < room || is_held(c, block, ring))
            continue;
        if (!best || (block->noted != 0 && (best->noted == 0 || block->noted < best->noted)))
            best = block;
    }
    return best;
}

/* Has the device done with it? Nobody knows of a block whose event is not behind it. */
static slip_status ask(lanes_stream *s, lanes_block *block, bool *out)
{
    lanes_device *d = s->device;

    *out = false;
    if (block->noted == 0)
        return SLIP_OK;
    SLIP_TRY(lanes_told(s, d->driver->event_passed(d->self, block->event, out)));
    if (*out)
        set_free(block);
    return SLIP_OK;
}

static slip_status wait_for(lanes_call *c, lanes_block *block)
{
    lanes_stream *s = c->stream;

    if (block->noted != 0) {
        SLIP_TRY(lanes_waited(s, s->device->driver->event_wait, block->event));
    } else { /* no event could be put behind it */
        for (uint32_t lane = LANES_MOST_LANES; lane-- > 0;)
            if (lane == 0 || c->pending >> lane & 1)
                SLIP_TRY(lanes_wait(c, lane));
    }
    set_free(block);
    return SLIP_OK;
}

static bool is_full(const lanes_stream *s, lanes_ring ring, uint64_t room)
{
    return total_bytes(s->rings[ring]) + room > s->device->sizes.most_bytes;
}

/* Rather than more slots: calls that still copy out of theirs need no lock for it. */
static lanes_block *await_room(const lanes_call *c, lanes_ring ring, uint64_t room)
{
    const lanes_stream *s = c->stream;
    lanes_block *block = NULL;

    while (!block && ring == LANES_RING_BACK && rest_any(&s->rests) && is_full(s, ring, room)) {
        rest_await(&s->rests, rest_oldest(&s->rests));
        block = find_room(c, ring, room);
    }
    return block;
}

/* More slots rather than a wait, up to a limit. */
static slip_status make_room(lanes_call *c, lanes_ring ring, uint64_t room, lanes_block **out)
{
    lanes_stream *s = c->stream;
    bool passed = false;

    *out = await_room(c, ring, room);
    if (*out)
        return SLIP_OK;
    for (lanes_block *block = s->rings[ring]; block; block = block->next)
        if (!is_held(c, block, ring))
            SLIP_TRY(note(c, block));
    *out = soonest(c, ring, room);
    if (*out)
        SLIP_TRY(ask(s, *out, &passed));
    if (passed)
        return SLIP_OK;
    if (*out && is_full(s, ring, room))
        return wait_for(c, *out);
    SLIP_TRY(block_new(s, room, STREAM_MEMORY_PINNED, &s->rings[ring]));
    *out = s->rings[ring];
    return SLIP_OK;
}

slip_status lanes_slot(lanes_call *c, lanes_ring ring, uint64_t bytes, uint64_t skew,
                       lanes_place *out)
{
    uint64_t room = 0;

    SLIP_TRY(room_of(bytes, skew, &room));
    lanes_block *block = find_room(c, ring, room);
    if (!block) {
        SLIP_TRY(lanes_held_queue(c));
        SLIP_TRY(make_room(c, ring, room, &block));
    }
    cut(block, c->number, room, skew, out);
    c->stream->device->driver->owned(c->stream->device->self, NULL, out->address, bytes);
    return SLIP_OK;
}

void lanes_slots_settled(lanes_call *c)
{
    for (lanes_block *block = c->stream->rings[LANES_RING_UP]; block; block = block->next)
        set_free(block);
}

/* ---- arenas ---------------------------------------------------------------------------------- */

/* The driver is to copy out of it still, for a call's rest. */
static bool is_read(const lanes_block *block)
{
    return block->reader &&
           atomic_load_explicit(&block->reader->number, memory_order_acquire) == block->read_by;
}

void lanes_arenas_reset(lanes_stream *s)
{
    for (uint32_t l = 0; l < LANES_MOST_LANES; l++) {
        if (!s->lanes[l].taken)
            continue;
        s->lanes[l].taken = false;
        for (lanes_block *block = s->lanes[l].arena; block; block = block->next)
            if (is_read(block))
                s->lanes[l].taken = true;
            else
                block->used = 0;
    }
}

enum { MOST_GROWTH = 1 << 22 }; /* bytes */

/* Small pieces grow with what there is, so that there are few. */
static uint64_t piece_bytes(const lanes_lane *lane, uint64_t room)
{
    uint64_t have = total_bytes(lane->arena);

    have = have < MOST_GROWTH ? have : MOST_GROWTH;
    return room > have ? room : have;
}

slip_status lanes_cut(lanes_call *c, uint32_t lane, uint64_t bytes, uint64_t skew, lanes_place *out)
{
    lanes_lane *l = &c->stream->lanes[lane];
    lanes_block *block = l->arena;
    uint64_t room = 0;

    SLIP_TRY(room_of(bytes, skew, &room));
    SLIP_TRY(lanes_need(c->stream, lane));
    while (block && (!fits(block, room) || is_read(block)))
        block = block->next;
    if (!block) {
        SLIP_TRY(block_new(c->stream, piece_bytes(l, room), STREAM_MEMORY_DEVICE, &l->arena));
        block = l->arena;
    }
    cut(block, c->number, room, skew, out);
    c->stream->device->driver->owned(c->stream->device->self, l->self, out->address, bytes);
    l->taken = true;
    return SLIP_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum { LIST_COUNT = LANES_RING_COUNT + LANES_MOST_LANES };

static lanes_block **list_of(lanes_stream *s, int k)
{
    return k < LANES_RING_COUNT ? &s->rings[k] : &s->lanes[k - LANES_RING_COUNT].arena;
}

void lanes_blocks_trim(lanes_stream *s)
{
    uint64_t known = lanes_known(s), oldest = rest_oldest(&s->rests);

    for (int k = 0; k < LIST_COUNT; k++)
        for (lanes_block **at = list_of(s, k); *at;) {
            lanes_block *block = *at;
            if (block->last > known || block->recorded > known || block->last >= oldest) {
                at = &block->next;
                continue;
            }
            *at = block->next;
            block_drop(s, block);
        }
}

void lanes_blocks_finish(lanes_stream *s)
{
    for (int k = 0; k < LIST_COUNT; k++)
        while (*list_of(s, k)) {
            lanes_block *block = *list_of(s, k);
            *list_of(s, k) = block->next;
            block_drop(s, block);
        }
}
