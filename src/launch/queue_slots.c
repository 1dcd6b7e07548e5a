/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_slots.c - memory of calls: slots, which a call has to itself until its submission has
 * ended, and the lane, which the calls of a stream use one after another behind barriers.
 *
 * A repeated call finds both as it left them, and takes nothing from the driver.
 */
#include <string.h>

#include "launch/queue_parts.h"

slip_status queue_alloc(queue_device *device, queue_stream *s, uint64_t bytes,
                        queue_memory_kind kind, queue_memory *out)
{
    const queue_driver *driver = device->driver;

    if (s) {
        counters_add(&s->counts->allocations, 1);
        counters_add(&s->counts->driver_calls, 1);
    }
    slip_status status = queue_seen(device, driver->alloc(device->self, bytes, kind, out));
    if (status != SLIP_ERR_MEMORY)
        return status;
    fail_clear();
    if (s)
        queue_blocks_trim(s);
    driver->trim(device->self);
    return queue_seen(device, driver->alloc(device->self, bytes, kind, out));
}

queue_memory_kind queue_mapped_kind(const queue_device *device)
{
    return device->limits.device_mapped ? QUEUE_MEMORY_DEVICE : QUEUE_MEMORY_READBACK;
}

static slip_status block_new(queue_stream *s, uint64_t bytes, queue_memory_kind kind,
                             queue_block **list)
{
    queue_block *made = NULL;

    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = queue_alloc(
        s->device, s, bytes < QUEUE_LEAST_BLOCK ? QUEUE_LEAST_BLOCK : bytes, kind, &made->memory);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->next = *list;
    *list = made;
    return SLIP_OK;
}

static void block_drop(queue_stream *s, queue_block *block)
{
    if (!s->device->forked)
        s->device->driver->free(s->device->self, &block->memory);
    mem_free(block);
}

static slip_status room_of(uint64_t bytes, uint64_t skew, uint64_t *out)
{
    uint64_t room = 0;

    if (!mem_add(bytes, skew + QUEUE_ALIGN - 1, &room))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %llu bytes of a call",
                         (unsigned long long)bytes);
    room = room / QUEUE_ALIGN * QUEUE_ALIGN;
    *out = room > 0 ? room : QUEUE_ALIGN;
    return SLIP_OK;
}

static bool fits(const queue_block *block, uint64_t room)
{
    return room <= block->memory.bytes - block->used;
}

static void cut(queue_stream *s, queue_block *block, uint64_t room, uint64_t skew, queue_place *out)
{
    uint64_t at = block->used + skew;

    *out = (queue_place){ .memory = &block->memory,
                          .offset = at,
                          .address = block->memory.address + at,
                          .host = block->memory.host ? block->memory.host + at : NULL };
    block->used += room;
    block->open = true;
    block->call = s->call;
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* What a call may still read is not used again: see rest.h. */
static bool is_free(const queue_stream *s, const queue_block *block)
{
    return !block->open && block->call != s->call && block->call < rest_oldest(&s->rests) &&
           block->value <= atomic_load_explicit(&s->known, memory_order_acquire);
}

/* A block with room, as far as is known without asking. */
static queue_block *find_room(const queue_stream *s, queue_block *list, uint64_t room)
{
    for (queue_block *block = list; block; block = block->next) {
        if (is_free(s, block))
            block->used = 0;
        if (fits(block, room))
            return block;
    }
    return NULL;
}

/* The block that is free soonest of those that are large enough, and not this call's. */
static queue_block *soonest(const queue_stream *s, queue_block *list, uint64_t room)
{
    queue_block *best = NULL;

    for (queue_block *block = list; block; block = block->next) {
        if (block->call == s->call || block->call >= rest_oldest(&s->rests) ||
            block->memory.bytes < room)
            continue;
        if (!best || (best->open && !block->open) ||
            (best->open == block->open && block->value < best->value))
            best = block;
    }
    return best;
}

static uint64_t total_bytes(const queue_block *list)
{
    uint64_t total = 0;

    for (; list; list = list->next)
        total += list->memory.bytes;
    return total;
}

static slip_status wait_for_room(queue_stream *s, queue_block *block)
{
    if (block->open)
        SLIP_TRY(queue_submit(s));
    if (!queue_reached(s, block->value))
        SLIP_TRY(queue_wait(s, block->value, s->counts));
    block->used = 0;
    return SLIP_OK;
}

static bool is_full(const queue_stream *s, queue_memory_kind kind, uint64_t room)
{
    return total_bytes(s->slots[kind]) + room > QUEUE_MOST_WAITING;
}

/* Rather than more slots: calls that still copy out of theirs need no lock for it. */
static queue_block *await_room(queue_stream *s, queue_memory_kind kind, uint64_t room)
{
    queue_block *block = NULL;

    while (!block && rest_any(&s->rests) && is_full(s, kind, room)) {
        rest_await(&s->rests, rest_oldest(&s->rests));
        block = find_room(s, s->slots[kind], room);
    }
    return block;
}

/* More slots rather than a wait, up to a limit. */
static slip_status make_room(queue_stream *s, queue_memory_kind kind, uint64_t room,
                             queue_block **out)
{
    *out = await_room(s, kind, room);
    if (*out)
        return SLIP_OK;
    queue_block *block = soonest(s, s->slots[kind], room);
    if (block && is_full(s, kind, room)) {
        SLIP_TRY(wait_for_room(s, block));
    } else {
        SLIP_TRY(block_new(s, room, kind, &s->slots[kind]));
        block = s->slots[kind];
    }
    *out = block;
    return SLIP_OK;
}

slip_status queue_slot(queue_stream *s, queue_memory_kind kind, uint64_t bytes, uint64_t skew,
                       queue_place *out)
{
    uint64_t room = 0;

    SLIP_TRY(room_of(bytes, skew, &room));
    queue_block *block = find_room(s, s->slots[kind], room);
    if (!block && s->slots[kind]) {
        queue_reached(s, s->submitted);
        block = find_room(s, s->slots[kind], room);
    }
    if (!block)
        SLIP_TRY(make_room(s, kind, room, &block));
    cut(s, block, room, skew, out);
    return SLIP_OK;
}

/* ---- the lane -------------------------------------------------------------------------------- */

static void drop_retired(queue_stream *s)
{
    for (queue_block **at = &s->retired; *at;) {
        queue_block *block = *at;
        if (!is_free(s, block)) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        block_drop(s, block);
    }
}

/* Gathers several pieces into one for the next call. */
static void gather(queue_stream *s)
{
    uint64_t total = total_bytes(s->lane);
    queue_block *whole = NULL;

    if (block_new(s, total, QUEUE_MEMORY_DEVICE, &whole) != SLIP_OK) {
        fail_clear(); /* the call asks for what it needs, piece by piece */
        whole = NULL;
    }
    while (s->lane) {
        queue_block *piece = s->lane;
        s->lane = piece->next;
        piece->next = s->retired;
        s->retired = piece;
    }
    s->lane = whole;
}

void queue_lane_reset(queue_stream *s)
{
    if (s->retired)
        drop_retired(s);
    if (s->lane && s->lane->next)
        gather(s);
    if (s->lane)
        s->lane->used = 0;
}

slip_status queue_lane_take(queue_stream *s, uint64_t bytes, uint64_t skew, queue_place *out)
{
    uint64_t room = 0;

    SLIP_TRY(room_of(bytes, skew, &room));
    if (!s->lane || !fits(s->lane, room))
        SLIP_TRY(block_new(s, room, QUEUE_MEMORY_DEVICE, &s->lane));
    cut(s, s->lane, room, skew, out);
    return SLIP_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

enum { LIST_COUNT = QUEUE_MEMORY_READBACK + 3 };

static queue_block **list_of(queue_stream *s, int k)
{
    return k == LIST_COUNT - 1 ? &s->retired : k == LIST_COUNT - 2 ? &s->lane : &s->slots[k];
}

/* A call that submits midway goes on using what it took before: each of its submissions counts. */
void queue_blocks_submitted(queue_stream *s, uint64_t value)
{
    for (int k = 0; k < LIST_COUNT; k++)
        for (queue_block *block = *list_of(s, k); block; block = block->next)
            if (block->open || block->call == s->call) {
                block->open = false;
                block->value = value;
            }
}

void queue_blocks_reopen(queue_stream *s)
{
    for (int k = 0; k < LIST_COUNT; k++)
        for (queue_block *block = *list_of(s, k); block; block = block->next)
            if (block->call == s->call)
                block->open = true;
}

void queue_blocks_discarded(queue_stream *s)
{
    for (int k = 0; k < LIST_COUNT; k++)
        for (queue_block *block = *list_of(s, k); block; block = block->next)
            block->open = false;
}

void queue_blocks_trim(queue_stream *s)
{
    queue_reached(s, s->submitted);
    for (int k = 0; k < LIST_COUNT; k++)
        for (queue_block **at = list_of(s, k); *at;) {
            queue_block *block = *at;
            if (!is_free(s, block)) {
                at = &block->next;
                continue;
            }
            *at = block->next;
            block_drop(s, block);
        }
}

void queue_blocks_finish(queue_stream *s)
{
    for (int k = 0; k < LIST_COUNT; k++)
        while (*list_of(s, k)) {
            queue_block *block = *list_of(s, k);
            *list_of(s, k) = block->next;
            block_drop(s, block);
        }
}
