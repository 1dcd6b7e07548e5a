/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_stream_parts.h - what a stream consists of: for vulkan_stream.c, which records, and
 * vulkan_submit.c, which sends and waits.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_STREAM_PARTS_H
#define SLIPWAY_DRIVER_VULKAN_STREAM_PARTS_H

#include "driver/vulkan_stream.h"

enum { VULKAN_NOT_OPEN = -1 };

typedef struct vulkan_list {
    VkCommandBuffer handle;
    uint64_t value; /* that tells its end; 0: it was never submitted */
} vulkan_list;

/* A semaphore to wait for, in the form that VkSubmitInfo takes. */
typedef struct vulkan_waits {
    VkSemaphore *semaphores;
    uint64_t *values;
    VkFlags *stages;
    size_t semaphore_room, value_room, stage_room;
} vulkan_waits;

struct vulkan_stream {
    vulkan_device *device;
    vulkan_queue *queue;
    vulkan_timeline *timeline;
    uint64_t submitted; /* the last value that a submission signals */
    uint64_t seen;      /* a value that the timeline is known to have reached */
    VkCommandPool pool;
    vulkan_list *lists;
    size_t list_count, list_capacity;
    int open; /* the list being recorded */
    VkPipeline bound;
    vulkan_waits waits;
};

#endif
