/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_device.c - opens and closes a device, and latches its loss.
 */
#include "driver/vulkan_device.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_instance.h"
#include "driver/vulkan_library.h"
#include "driver/vulkan_stream.h"

slip_status vulkan_device_alive(vulkan_device *device)
{
    int lost = atomic_load_explicit(&device->lost, memory_order_relaxed);

    if (lost == VK_SUCCESS && !device->forked)
        return SLIP_OK;
    if (device->forked)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "%.64s was opened before this process was forked: it stays with the "
                         "parent",
                         device->physical->info.name);
    return SLIP_FAIL(SLIP_ERR_LOST, "%.64s is lost: an earlier call gave %s",
                     device->physical->info.name, vulkan_result_name((VkResult)lost));
}

slip_status vulkan_device_fail(vulkan_device *device, VkResult result, const char *call,
                               const char *file, int line)
{
    if (result == VK_ERROR_DEVICE_LOST)
        atomic_store(&device->lost, result);
    return vulkan_result_fail(result, call, file, line);
}

/* ---- opening -------------------------------------------------------------------------------- */

static slip_status make_device(const vulkan_instance *instance, vulkan_device *made)
{
    static const char *const portability[] = { "VK_KHR_portability_subset" };
    static const float priorities[VULKAN_MAX_QUEUES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const vulkan_physical *physical = made->physical;
    vulkan_features features;

    vulkan_physical_features(physical->has, &features);
    const VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = physical->family,
        .queueCount = physical->queue_count,
        .pQueuePriorities = priorities,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features.core,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queues,
        /* where a device has it, it must be enabled: VUID-VkDeviceCreateInfo-pProperties-04451 */
        .enabledExtensionCount = physical->portability_subset,
        .ppEnabledExtensionNames = portability,
    };
    VkResult result = instance->vk.vkCreateDevice(physical->handle, &info, NULL, &made->handle);
    if (result != VK_SUCCESS) {
        made->handle = NULL;
        return vulkan_result_fail(result, "vkCreateDevice", __FILE__, __LINE__);
    }
    return SLIP_OK;
}

#define FILL_R_(name, params, args)                                                                \
    SLIP_TRY(vulkan_library_fill(&made->vk.name,                                                   \
                                 instance->vk.vkGetDeviceProcAddr(made->handle, #name),            \
                                 "device's driver", #name));
#define FILL_O_(type, name, params, args) FILL_R_(name, params, args)

/* vkDestroyDevice comes first: the failure of a later row calls it. */
static slip_status fill_calls(const vulkan_instance *instance, vulkan_device *made)
{
    VULKAN_DEVICE_SYMBOLS(FILL_R_, FILL_O_)
    return SLIP_OK;
}

static void fill_limits(vulkan_device *made)
{
    const VkPhysicalDeviceLimits *from = &made->physical->properties.limits;
    queue_limits *limits = &made->limits;

    memcpy(limits->max_groups, from->maxComputeWorkGroupCount, sizeof limits->max_groups);
    limits->max_local = from->maxComputeWorkGroupInvocations < from->maxComputeWorkGroupSize[0]
                            ? from->maxComputeWorkGroupInvocations
                            : from->maxComputeWorkGroupSize[0];
    limits->has = made->physical->has;
    limits->queues = made->queue_count;
}

static void take_queues(vulkan_device *made)
{
    for (uint32_t k = 0; k < made->physical->queue_count; k++) {
        made->vk.vkGetDeviceQueue(made->handle, made->physical->family, k, &made->queues[k].handle);
        pthread_mutex_init(&made->queues[k].lock, NULL);
        made->queue_count++;
    }
}

/* The order in which close undoes it, backwards. */
static slip_status set_up(const vulkan_instance *instance, vulkan_device *made)
{
    SLIP_TRY(make_device(instance, made));
    SLIP_TRY(fill_calls(instance, made));
    take_queues(made);
    fill_limits(made);
    SLIP_TRY(vulkan_memory_init(made));
    SLIP_TRY(vulkan_layout_make(made));
    made->limits.max_push_bytes = made->push_bytes;
    SLIP_TRY(vulkan_cache_init(made));
    return vulkan_selftest(made, &made->limits.numerics);
}

slip_status vulkan_device_open(uint32_t index, vulkan_device **out)
{
    const vulkan_instance *instance;
    vulkan_device *made = NULL;

    SLIP_TRY(vulkan_instance_get(&instance));
    if (index >= instance->device_count)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "there is no vulkan:%u; there are %u devices", index,
                         instance->device_count);
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    made->physical = &instance->devices[index];
    pthread_mutex_init(&made->lock, NULL);
    slip_status status = set_up(instance, made);
    if (status != SLIP_OK) {
        fail_note("while opening %.64s", made->physical->info.name);
        vulkan_device_close(made);
        return status;
    }
    *out = made;
    return SLIP_OK;
}

/* Nothing else may use a queue meanwhile (clause 5.3.4, the table of vkDeviceWaitIdle). */
void vulkan_device_idle(vulkan_device *device)
{
    if (device->queue_count == 0 || device->forked)
        return;
    for (uint32_t k = 0; k < device->queue_count; k++)
        pthread_mutex_lock(&device->queues[k].lock);
    (void)device->vk.vkDeviceWaitIdle(device->handle);
    for (uint32_t k = device->queue_count; k > 0; k--)
        pthread_mutex_unlock(&device->queues[k - 1].lock);
}

void vulkan_device_close(vulkan_device *device)
{
    if (!device)
        return;
    if (device->handle && device->cache.handle)
        vulkan_cache_save(device);
    vulkan_device_idle(device);
    vulkan_timelines_finish(device);
    vulkan_cache_finish(device);
    if (device->layout && !device->forked)
        device->vk.vkDestroyPipelineLayout(device->handle, device->layout, NULL);
    vulkan_memory_finish(device);
    if (device->vk.vkDestroyDevice && !device->forked)
        device->vk.vkDestroyDevice(device->handle, NULL);
    for (uint32_t k = 0; k < device->queue_count; k++)
        pthread_mutex_destroy(&device->queues[k].lock);
    pthread_mutex_destroy(&device->lock);
    mem_free(device);
}
