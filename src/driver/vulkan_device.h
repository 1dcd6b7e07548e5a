/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_device.h - an open device: what its memory, kernels and streams share.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_DEVICE_H
#define SLIPWAY_DRIVER_VULKAN_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "driver/queue_driver.h"
#include "driver/vulkan_cache.h"
#include "driver/vulkan_physical.h"
#include "driver/vulkan_ranges.h"
#include "driver/vulkan_result.h"

typedef struct vulkan_queue {
    VkQueue handle;
    pthread_mutex_t lock; /* held for one vkQueueSubmit at a time, for nothing else */
    uint32_t streams;     /* under the device's lock */
} vulkan_queue;

/* One VkBuffer over one VkDeviceMemory, of which allocations are parts. */
typedef struct vulkan_block {
    struct vulkan_block *next;
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t address, bytes;
    uint8_t *host; /* NULL: not mapped */
    uint32_t type;
    vulkan_ranges ranges;
} vulkan_block;

/* A timeline semaphore that no stream has now. */
typedef struct vulkan_timeline {
    struct vulkan_timeline *next;
    VkSemaphore semaphore;
    uint64_t value; /* the last that a submission signals: values only grow */
} vulkan_timeline;

typedef struct vulkan_device {
    const vulkan_physical *physical;
    VkDevice handle;
    vulkan_calls vk;
    atomic_int lost; /* the VkResult that said so; VK_SUCCESS: alive */
    bool forked;     /* in the child of a fork: no call may reach the device */
    vulkan_queue queues[VULKAN_MAX_QUEUES];
    uint32_t queue_count;
    queue_limits limits;
    VkPipelineLayout layout;
    uint32_t push_bytes; /* of the layout */
    vulkan_cache cache;

    pthread_mutex_t lock; /* of what follows */
    vulkan_timeline *timelines;
    vulkan_block *blocks;
    uint32_t block_count;
    uint32_t types[3];           /* the memory type of each queue_memory_kind */
    const char *type_reasons[3]; /* why each was taken; static */
} vulkan_device;

slip_status vulkan_device_open(uint32_t index, vulkan_device **out) SLIP_MUST_USE;
void vulkan_device_close(vulkan_device *device); /* takes NULL */
void vulkan_device_describe(vulkan_device *device,
                            void (*line)(void *user, const char *name, const char *value),
                            void *user);

/* Waits until nothing is pending: for ways out that find no better end. Any thread. */
void vulkan_device_idle(vulkan_device *device);

/* LOST where the device has been lost. */
slip_status vulkan_device_alive(vulkan_device *device) SLIP_MUST_USE;
/* Latches a loss. */
slip_status vulkan_device_fail(vulkan_device *device, VkResult result, const char *call,
                               const char *file, int line);

static inline slip_status vulkan_checked(vulkan_device *device, VkResult result, const char *call,
                                         const char *file, int line)
{
    return result == VK_SUCCESS ? SLIP_OK : vulkan_device_fail(device, result, call, file, line);
}

/* Makes a call of the device's table; its status. */
#define VULKAN_CALL(device, name, ...)                                                             \
    vulkan_checked((device), (device)->vk.name(__VA_ARGS__), #name, __FILE__, __LINE__)

/* ---- memory: vulkan_memory.c ---------------------------------------------------------------- */

/* Chooses the types. UNSUPPORTED where the device lacks one. */
slip_status vulkan_memory_init(vulkan_device *device) SLIP_MUST_USE;
void vulkan_memory_finish(vulkan_device *device); /* every block, used or not */
slip_status vulkan_memory_alloc(vulkan_device *device, uint64_t bytes, queue_memory_kind kind,
                                queue_memory *out) SLIP_MUST_USE;
void vulkan_memory_free(vulkan_device *device, queue_memory *memory);
void vulkan_memory_trim(vulkan_device *device);

/* ---- kernels: vulkan_kernel.c --------------------------------------------------------------- */

slip_status vulkan_layout_make(vulkan_device *device) SLIP_MUST_USE;
slip_status vulkan_kernel_new(vulkan_device *device, const queue_code *code, uint64_t data,
                              queue_kernel *out) SLIP_MUST_USE;
void vulkan_kernel_drop(vulkan_device *device, queue_kernel *kernel);

/* ---- the self-test: vulkan_selftest.c ------------------------------------------------------- */

/* The bits of queue_limits.numerics. */
slip_status vulkan_selftest(vulkan_device *device, uint32_t *out) SLIP_MUST_USE;

#endif
