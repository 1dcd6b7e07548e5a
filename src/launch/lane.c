/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane.c - cuts the memory of launches from pieces that are kept from call to call.
 *
 * A call that takes no more than the one before it reaches the driver for nothing. Memory that one
 * stream uses must never be given to another.
 */
#include "launch/lane.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum {
    LANE_ALIGN = 64,
#ifdef SLIP_TEST_SMALL
    LANE_LEAST = LANE_ALIGN,
#else
    LANE_LEAST = 1 << 16, /* bytes of the first piece */
#endif
};

/* Stands at the start of the memory that it describes. */
struct lane_piece {
    _Alignas(LANE_ALIGN) lane_piece *next;
    uint64_t bytes; /* this header's included */
};

void lane_init(lane *l, const cpu_driver *driver, void *device)
{
    *l = (lane){ .driver = driver, .device = device };
}

void lane_trim(lane *l)
{
    while (l->first) {
        lane_piece *next = l->first->next;
        l->driver->free(l->device, l->first);
        l->first = next;
    }
    l->current = NULL;
    l->used = 0;
}

void lane_finish(lane *l)
{
    if (l->driver)
        lane_trim(l);
}

static slip_status new_piece(lane *l, uint64_t bytes)
{
    void *memory = NULL;
    uint64_t total = 0;

    if (!mem_add(bytes, sizeof(lane_piece), &total))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %llu bytes of a launch",
                         (unsigned long long)bytes);
    if (total < LANE_LEAST)
        total = LANE_LEAST;
    SLIP_TRY(l->driver->alloc(l->device, total, &memory));
    lane_piece *piece = memory;
    *piece = (lane_piece){ .next = l->first, .bytes = total };
    l->first = l->current = piece;
    l->used = sizeof *piece;
    l->allocations++;
    return SLIP_OK;
}

void lane_reset(lane *l)
{
    uint64_t total = 0;

    l->used = sizeof(lane_piece);
    if (!l->first || !l->first->next)
        return;
    for (lane_piece *piece = l->first; piece; piece = piece->next)
        total += piece->bytes;
    lane_trim(l);
    if (new_piece(l, total) != SLIP_OK)
        fail_clear(); /* the launch asks for what it needs, piece by piece */
}

slip_status lane_take(lane *l, uint64_t bytes, void **out)
{
    uint64_t room = 0;

    if (!mem_add(bytes, LANE_ALIGN - 1, &room))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %llu bytes of a launch",
                         (unsigned long long)bytes);
    room = room / LANE_ALIGN * LANE_ALIGN;
    if (room == 0)
        room = LANE_ALIGN;
    if (!l->current || room > l->current->bytes - l->used)
        SLIP_TRY(new_piece(l, room));
    *out = (uint8_t *)l->current + l->used;
    l->used += room;
    return SLIP_OK;
}

lane_mark lane_note(const lane *l)
{
    return (lane_mark){ .piece = l->current, .used = l->used };
}

/* A piece made since the mark holds nothing older than it. */
void lane_back(lane *l, lane_mark mark)
{
    if (l->current)
        l->used = l->current == mark.piece ? mark.used : sizeof(lane_piece);
}
