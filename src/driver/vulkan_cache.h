/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_cache.h - the pipeline cache of a device, kept in a file between processes.
 *
 * The folder is $SLIPWAY_CACHE_DIR, else $XDG_CACHE_HOME/slipway, else $HOME/.cache/slipway;
 * SLIPWAY_CACHE=0 turns the file off. A file that is missing, damaged or of another driver is as
 * good as none: a cache makes nothing fail, but a variable that is set wrong does.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_CACHE_H
#define SLIPWAY_DRIVER_VULKAN_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <slipway/status.h>

#include "driver/vulkan_api.h"

struct vulkan_device;

typedef struct vulkan_cache {
    VkPipelineCache handle;
    pthread_mutex_t lock; /* of writing the file */
    char folder[512];     /* empty: no file */
    char name[128];       /* of the file: vendor, device, driver version and cache UUID */
    const char *state;    /* "off", "fresh", "loaded" ...; static */
    uint64_t loaded_bytes;
    uint64_t saved_sum; /* checksum of what the file holds; 0: nothing */
} vulkan_cache;

/* ARGUMENT where SLIPWAY_CACHE or SLIPWAY_CACHE_DIR has a value that it does not take. */
slip_status vulkan_cache_check(void) SLIP_MUST_USE;
slip_status vulkan_cache_init(struct vulkan_device *device) SLIP_MUST_USE;
void vulkan_cache_finish(struct vulkan_device *device);
/* Writes the file where the cache has changed: whole, or not at all. Any thread. */
void vulkan_cache_save(struct vulkan_device *device);

#endif
