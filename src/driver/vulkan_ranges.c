/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_ranges.c - best fit over a sorted list. Knows no device.
 */
#include "driver/vulkan_ranges.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

bool vulkan_granules(uint64_t bytes, uint64_t *out)
{
    uint64_t room;

    if (bytes == 0)
        bytes = 1;
    if (!mem_add(bytes, VULKAN_GRANULE - 1, &room))
        return false;
    *out = room / VULKAN_GRANULE * VULKAN_GRANULE;
    return true;
}

slip_status vulkan_ranges_init(vulkan_ranges *r, uint64_t bytes)
{
    vulkan_ranges made = { 0 };

    SLIP_TRY(mem_grow((void **)&made.free, &made.capacity, 2, sizeof *made.free));
    made.free[made.count++] = (vulkan_range){ 0, bytes };
    *r = made;
    return SLIP_OK;
}

void vulkan_ranges_finish(vulkan_ranges *r)
{
    mem_free(r->free);
    *r = (vulkan_ranges){ 0 };
}

/* Between n taken ranges there are at most n + 1 free ones: the room for them is made here. */
slip_status vulkan_ranges_take(vulkan_ranges *r, uint64_t bytes, bool *out_found,
                               uint64_t *out_offset)
{
    size_t best = r->count;
    uint64_t size;

    *out_found = false;
    if (!vulkan_granules(bytes, &size))
        return SLIP_OK;
    for (size_t k = 0; k < r->count; k++)
        if (r->free[k].bytes >= size &&
            (best == r->count || r->free[k].bytes < r->free[best].bytes))
            best = k;
    if (best == r->count)
        return SLIP_OK;
    SLIP_TRY(mem_grow((void **)&r->free, &r->capacity, (size_t)r->live + 2, sizeof *r->free));
    *out_found = true;
    *out_offset = r->free[best].offset;
    r->free[best].offset += size;
    r->free[best].bytes -= size;
    if (r->free[best].bytes == 0) {
        r->count--;
        memmove(&r->free[best], &r->free[best + 1], (r->count - best) * sizeof *r->free);
    }
    r->live++;
    return SLIP_OK;
}

void vulkan_ranges_give(vulkan_ranges *r, uint64_t offset, uint64_t bytes)
{
    size_t at = 0;
    uint64_t size = 0;
    bool fits = vulkan_granules(bytes, &size);

    assert(fits && r->live > 0);
    (void)fits;
    while (at < r->count && r->free[at].offset < offset)
        at++;
    bool before = at > 0 && r->free[at - 1].offset + r->free[at - 1].bytes == offset;
    bool after = at < r->count && offset + size == r->free[at].offset;
    r->live--;
    if (before && after) {
        r->free[at - 1].bytes += size + r->free[at].bytes;
        r->count--;
        memmove(&r->free[at], &r->free[at + 1], (r->count - at) * sizeof *r->free);
    } else if (before) {
        r->free[at - 1].bytes += size;
    } else if (after) {
        r->free[at].offset = offset;
        r->free[at].bytes += size;
    } else {
        assert(r->count < r->capacity);
        memmove(&r->free[at + 1], &r->free[at], (r->count - at) * sizeof *r->free);
        r->free[at] = (vulkan_range){ offset, size };
        r->count++;
    }
}
