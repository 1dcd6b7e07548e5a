/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan.c - Vulkan devices: the table of the queue family.
 *
 * Translates and nothing more; what a call does stands beside its part. Must never decide what to
 * run, where, or in which order.
 */
#include <string.h>

#include "base/fail.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_instance.h"
#include "driver/vulkan_stream.h"

static slip_status check(void)
{
    SLIP_TRY(vulkan_instance_check());
    return vulkan_cache_check();
}

static uint32_t device_count(void)
{
    const vulkan_instance *instance;

    if (vulkan_instance_missing())
        return 0;
    return vulkan_instance_get(&instance) == SLIP_OK ? instance->device_count : 0;
}

static slip_status info(uint32_t index, drv_info *out)
{
    const vulkan_instance *instance;

    SLIP_TRY(vulkan_instance_get(&instance));
    if (index >= instance->device_count)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "there is no vulkan:%u; there are %u devices", index,
                         instance->device_count);
    *out = instance->devices[index].info;
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    vulkan_device *made = NULL;

    SLIP_TRY(vulkan_device_open(index, &made));
    *out = made;
    return SLIP_OK;
}

static void close_device(void *self)
{
    vulkan_device_close(self);
}

static void after_fork(void *self)
{
    vulkan_device *device = self;

    device->forked = true;
}

static void limits(void *self, queue_limits *out)
{
    *out = ((vulkan_device *)self)->limits;
}

static void without(void *self, uint32_t numerics)
{
    ((vulkan_device *)self)->limits.numerics &= ~numerics;
}

static void describe(void *self, void (*line)(void *user, const char *name, const char *value),
                     void *user)
{
    vulkan_device_describe(self, line, user);
}

static slip_status alloc(void *self, uint64_t bytes, queue_memory_kind kind, queue_memory *out)
{
    return vulkan_memory_alloc(self, bytes, kind, out);
}

static void free_memory(void *self, queue_memory *memory)
{
    vulkan_memory_free(self, memory);
}

static void trim(void *self)
{
    vulkan_memory_trim(self);
}

static slip_status kernel_new(void *self, const queue_code *code, uint64_t data, queue_kernel *out)
{
    return vulkan_kernel_new(self, code, data, out);
}

static void kernel_drop(void *self, queue_kernel *kernel)
{
    vulkan_kernel_drop(self, kernel);
}

static void cache_save(void *self)
{
    vulkan_cache_save(self);
}

static slip_status stream_open(void *self, void **out)
{
    vulkan_stream *made = NULL;

    SLIP_TRY(vulkan_stream_open(self, &made));
    *out = made;
    return SLIP_OK;
}

static void stream_close(void *self, void *stream)
{
    (void)self;
    vulkan_stream_close(stream);
}

const queue_driver vulkan_driver_table = {
    .name = "vulkan",
    .check = check,
    .missing = vulkan_instance_missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    .close = close_device,
    .after_fork = after_fork,
    .limits = limits,
    .without = without,
    .describe = describe,
    .alloc = alloc,
    .free = free_memory,
    .trim = trim,
    .kernel_new = kernel_new,
    .kernel_drop = kernel_drop,
    .cache_save = cache_save,
    .stream_open = stream_open,
    .stream_close = stream_close,
    .copy = vulkan_stream_copy,
    .zero = vulkan_stream_zero,
    .dispatch = vulkan_stream_dispatch,
    .barrier = vulkan_stream_barrier,
    .submit = vulkan_stream_submit,
    .discard = vulkan_stream_discard,
    .wait = vulkan_stream_wait,
    .reached = vulkan_stream_reached,
};
