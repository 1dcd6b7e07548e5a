/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_types.c - memory types by preference: rows of flags, best first.
 *
 * Within a row the type of the largest heap wins, then the first, which drivers list in order of
 * speed (clause 11.2.1). Types with flags that we do not know (protected, lazily allocated, a
 * vendor's uncached ones) are never taken.
 */
#include "driver/vulkan_types.h"

#include "base/fail.h"

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    MAPPED = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    KNOWN = LOCAL | MAPPED | CACHED,
    NONE = -1
};

typedef struct preference {
    VkFlags with, without;
    const char *reason; /* NULL ends a list */
} preference;

static const preference device_apart[] = {
    { LOCAL, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, "local to the device" },
    { LOCAL, 0, "local to the device, and mapped for want of another" },
    { 0, 0, "the device has no memory of its own" },
    { 0, 0, NULL },
};

/* The host reads mapped memory at its usual speed only where it caches it. */
static const preference device_shared[] = {
    { LOCAL | MAPPED | CACHED, 0, "shared with the host and cached" },
    { MAPPED | CACHED, 0, "the host's, cached" },
    { LOCAL, 0, "local to the device" },
    { 0, 0, "any" },
    { 0, 0, NULL },
};

/* Written by the host in order, read once: the device's own memory would be small, or far. */
static const preference upload[] = {
    { MAPPED, LOCAL | CACHED, "the host's, write-combined" },
    { MAPPED, LOCAL, "the host's" },
    { MAPPED, 0, "mapped" },
    { 0, 0, NULL },
};

static const preference readback[] = {
    { MAPPED | CACHED, LOCAL, "the host's, cached" },
    { MAPPED | CACHED, 0, "mapped, cached" },
    { MAPPED, LOCAL, "the host's, not cached: slow to read" },
    { MAPPED, 0, "mapped, not cached: slow to read" },
    { 0, 0, NULL },
};

static int find(const VkPhysicalDeviceMemoryProperties *memory, uint32_t usable,
                const preference *row)
{
    int best = NONE;
    uint64_t best_size = 0;

    for (uint32_t k = 0; k < memory->memoryTypeCount && k < VK_MAX_MEMORY_TYPES; k++) {
        VkFlags flags = memory->memoryTypes[k].propertyFlags;
        uint64_t size = memory->memoryHeaps[memory->memoryTypes[k].heapIndex].size;
        if (!(usable >> k & 1) || (flags & ~(VkFlags)KNOWN) || (flags & row->with) != row->with ||
            (flags & row->without))
            continue;
        if (best == NONE || size > best_size) {
            best = (int)k;
            best_size = size;
        }
    }
    return best;
}

static slip_status choose(const VkPhysicalDeviceMemoryProperties *memory, uint32_t usable,
                          const preference *rows, uint32_t *out_type, const char **out_reason)
{
    for (; rows->reason; rows++) {
        int found = find(memory, usable, rows);
        if (found != NONE) {
            *out_type = (uint32_t)found;
            *out_reason = rows->reason;
            return SLIP_OK;
        }
    }
    return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                     "none of the %u memory types (buffers may use those of %#x) is mapped and "
                     "coherent",
                     memory->memoryTypeCount, usable);
}

slip_status vulkan_types_choose(const VkPhysicalDeviceMemoryProperties *memory, uint32_t usable,
                                bool shares, vulkan_types *out)
{
    static const preference *const apart_rows[] = { device_apart, upload, readback };
    static const preference *const shared_rows[] = { device_shared, upload, readback };
    vulkan_types made = { 0 };

    for (uint32_t kind = 0; kind < 3; kind++)
        SLIP_TRY(choose(memory, usable, (shares ? shared_rows : apart_rows)[kind], &made.type[kind],
                        &made.reason[kind]));
    VkFlags flags = memory->memoryTypes[made.type[QUEUE_MEMORY_DEVICE]].propertyFlags;
    made.device_mapped = shares && (flags & (MAPPED | CACHED)) == (MAPPED | CACHED);
    *out = made;
    return SLIP_OK;
}
