/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_ranges.h - the free ranges of one block of memory, in order of their offsets.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_RANGES_H
#define SLIPWAY_DRIVER_VULKAN_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

/* Sizes and offsets are multiples of this; a range of 0 bytes takes one. */
enum { VULKAN_GRANULE = 256 };

typedef struct vulkan_range {
    uint64_t offset, bytes;
} vulkan_range;

typedef struct vulkan_ranges {
    vulkan_range *free; /* sorted; no two touch */
    size_t count, capacity;
    uint64_t live; /* ranges taken and not given back */
} vulkan_ranges;

/* False where `bytes`, rounded up, does not fit 64 bits. */
bool vulkan_granules(uint64_t bytes, uint64_t *out);

/* One free range of `bytes`, a multiple of VULKAN_GRANULE. */
slip_status vulkan_ranges_init(vulkan_ranges *r, uint64_t bytes) SLIP_MUST_USE;
void vulkan_ranges_finish(vulkan_ranges *r);

/* Takes the smallest free range that is large enough, the first of these; *out_found says whether
 * there was one. Giving back needs no memory. */
slip_status vulkan_ranges_take(vulkan_ranges *r, uint64_t bytes, bool *out_found,
                               uint64_t *out_offset) SLIP_MUST_USE;
void vulkan_ranges_give(vulkan_ranges *r, uint64_t offset, uint64_t bytes);

#endif
