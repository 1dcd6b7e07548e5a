/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw.h - a bare Vulkan program, as a careful author would write it by hand: what Slipway is
 * compared with. Uses the official headers and loader and no part of Slipway.
 *
 * Every function ends the program with a message when a Vulkan call fails. One thread.
 */
#ifndef SLIPWAY_BENCH_RAW_H
#define SLIPWAY_BENCH_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

typedef enum raw_kind {
    RAW_DEVICE, /* DEVICE_LOCAL, not mapped where there is a choice */
    RAW_HOST    /* HOST_VISIBLE, HOST_COHERENT, HOST_CACHED */
} raw_kind;

typedef struct raw_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *host;
} raw_buffer;

typedef struct raw_pipeline {
    VkPipeline pipeline;
    VkPipelineLayout layout;
    uint32_t push_bytes;
} raw_pipeline;

enum { RAW_LISTS = 512 };

typedef struct raw_device {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memory;
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer lists[RAW_LISTS];
    VkFence fence;
    VkSemaphore timeline;
    uint64_t value; /* last one submitted */
} raw_device;

void raw_open(raw_device *d, uint32_t index);
raw_buffer raw_buffer_new(raw_device *d, size_t bytes, raw_kind kind);
/* A compute pipeline of the SPIR-V file, entry "main". */
raw_pipeline raw_pipeline_new(raw_device *d, const char *path, uint32_t push_bytes);

void raw_begin(VkCommandBuffer list);
void raw_copy(VkCommandBuffer list, raw_buffer from, raw_buffer to, size_t bytes);
void raw_barrier(VkCommandBuffer list); /* everything before, everything after, the host too */
void raw_dispatch(VkCommandBuffer list, raw_pipeline p, const void *push, uint32_t groups);
void raw_end(VkCommandBuffer list);

void raw_submit(raw_device *d, VkCommandBuffer list);
void raw_submit_fence(raw_device *d, VkCommandBuffer list);    /* and waits for it */
void raw_submit_timeline(raw_device *d, VkCommandBuffer list); /* and polls its value */
void raw_idle(raw_device *d);

#endif
