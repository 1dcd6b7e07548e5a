/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_shim.h - a Vulkan library that stands between the driver and the real one, counts calls
 * and live objects, fails the call it is told to, and lets a test edit what a device says of
 * itself.
 *
 * SLIPWAY_VULKAN_LIBRARY names it, so the driver under test is the one that ships.
 */
#ifndef SLIPWAY_TESTS_DRIVER_VULKAN_SHIM_H
#define SLIPWAY_TESTS_DRIVER_VULKAN_SHIM_H

#include <stdint.h>

#include "driver/vulkan_api.h"

typedef struct vulkan_shim {
    uint64_t fail_at;   /* the number of the call to fail, from 1; 0: none */
    const char *only;   /* count calls of this name alone; NULL: every call that can fail */
    VkResult result;    /* what a call that is failed returns */
    const char *hidden; /* a name that is not found; NULL: none */
    /* Is shown what vkGetPhysicalDevice... has filled, and the batch that vkQueueSubmit is given,
     * and may change it; NULL: nobody. */
    void (*edit)(const char *name, void *out);

    uint64_t calls;     /* counted so far */
    const char *failed; /* the call that was failed */
    int64_t live;       /* objects created and not destroyed */
    uint64_t polls;     /* calls of vkGetSemaphoreCounterValue that succeeded */
    uint64_t waits;     /* calls of vkWaitSemaphores that succeeded */
    struct {
        VkFlags from, to;      /* stages */
        VkFlags written, used; /* accesses before and after */
    } barrier;                 /* the last one recorded */
} vulkan_shim;

/* The shim's state, zeroed, with the driver told to use it; skips where it was not built. */
vulkan_shim *vulkan_shim_begin(void);
/* The driver uses the real library again. */
void vulkan_shim_end(void);

#endif
