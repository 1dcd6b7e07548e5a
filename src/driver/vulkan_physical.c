/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_physical.c - reads what a Vulkan device has, and says why one cannot be used.
 *
 * Usable: Vulkan 1.2, bufferDeviceAddress, timelineSemaphore, shaderInt64 and a compute queue.
 */
#include "driver/vulkan_physical.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_result.h"

static const char *const targets[] = { "spirv" };

bool vulkan_extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t k = 0; k < count; k++)
        if (strncmp(list[k].extensionName, name, VK_MAX_EXTENSION_NAME_SIZE) == 0)
            return true;
    return false;
}

bool vulkan_physical_family(const VkQueueFamilyProperties *families, uint32_t count,
                            uint32_t *out_family, uint32_t *out_queues)
{
    uint32_t best_score = 0;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t queues = families[k].queueCount;
        if (!(families[k].queueFlags & VK_QUEUE_COMPUTE_BIT) || queues == 0)
            continue;
        if (queues > VULKAN_MAX_QUEUES)
            queues = VULKAN_MAX_QUEUES;
        uint32_t score = 2 * queues + !(families[k].queueFlags & VK_QUEUE_GRAPHICS_BIT);
        if (score <= best_score)
            continue;
        best_score = score;
        *out_family = k;
        *out_queues = queues;
    }
    return best_score > 0;
}

/* Lists may grow between the two calls, which VK_INCOMPLETE then says: ask again. */
static slip_status read_extensions(const vulkan_instance_calls *vk, vulkan_physical *out,
                                   bool *out_maintenance4)
{
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    slip_status status = SLIP_OK;
    VkResult result = VK_INCOMPLETE;

    for (int tries = 0; tries < 8 && result == VK_INCOMPLETE; tries++) {
        mem_free(list);
        list = NULL;
        result = vk->vkEnumerateDeviceExtensionProperties(out->handle, NULL, &count, NULL);
        if (result != VK_SUCCESS)
            break;
        status = mem_new(((size_t)count + 1) * sizeof *list, (void **)&list);
        if (status != SLIP_OK)
            goto done;
        result = vk->vkEnumerateDeviceExtensionProperties(out->handle, NULL, &count, list);
    }
    if (result != VK_SUCCESS) {
        status =
            vulkan_result_fail(result, "vkEnumerateDeviceExtensionProperties", __FILE__, __LINE__);
        goto done;
    }
    out->portability_subset = vulkan_extension_listed(list, count, "VK_KHR_portability_subset");
    *out_maintenance4 = vulkan_extension_listed(list, count, "VK_KHR_maintenance4");

done:
    mem_free(list);
    return status;
}

static void read_properties(const vulkan_instance_calls *vk, bool maintenance4,
                            vulkan_physical *out)
{
    VkPhysicalDeviceMaintenance4Properties m4 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES
    };
    VkPhysicalDeviceVulkan12Properties v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES,
        .pNext = maintenance4 ? &m4 : NULL
    };
    VkPhysicalDeviceVulkan11Properties v11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &v12
    };
    VkPhysicalDeviceProperties2 all = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                        .pNext = &v11 };

    vk->vkGetPhysicalDeviceProperties2(out->handle, &all);
    snprintf(out->driver, sizeof out->driver, "%.63s %.63s (%#x)", v12.driverName, v12.driverInfo,
             out->properties.driverVersion);
    out->max_allocation_bytes = v11.maxMemoryAllocationSize;
    if (v12.driverID !=
        VK_DRIVER_ID_MESA_LLVMPIPE) /* which nests 80 levels, and forgets the rest */
        out->has |= 1u << DRV_NEED_DEPTH;
    out->max_buffer_bytes = maintenance4 ? m4.maxBufferSize : UINT64_MAX;
    out->floats[VULKAN_WIDTH_16] =
        (vulkan_floats){ v12.shaderSignedZeroInfNanPreserveFloat16, v12.shaderDenormPreserveFloat16,
                         v12.shaderRoundingModeRTEFloat16 };
    out->floats[VULKAN_WIDTH_32] =
        (vulkan_floats){ v12.shaderSignedZeroInfNanPreserveFloat32, v12.shaderDenormPreserveFloat32,
                         v12.shaderRoundingModeRTEFloat32 };
    out->floats[VULKAN_WIDTH_64] =
        (vulkan_floats){ v12.shaderSignedZeroInfNanPreserveFloat64, v12.shaderDenormPreserveFloat64,
                         v12.shaderRoundingModeRTEFloat64 };
}

static void chain(vulkan_features *f)
{
    *f = (vulkan_features){
        .core = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2 },
        .v11 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES },
        .v12 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES }
    };
    f->core.pNext = &f->v11;
    f->v11.pNext = &f->v12;
}

/* Returns the name of a feature that must be there and is not; NULL where all are. */
static const char *read_features(const vulkan_instance_calls *vk, vulkan_physical *out)
{
    vulkan_features f;

    chain(&f);
    vk->vkGetPhysicalDeviceFeatures2(out->handle, &f.core);
    const VkPhysicalDeviceFeatures *core = &f.core.features;
    if (core->shaderFloat64)
        out->has |= 1u << DRV_NEED_F64;
    if (f.v12.shaderInt8 && f.v12.storageBuffer8BitAccess)
        out->has |= 1u << DRV_NEED_I8;
    if (core->shaderInt16 && f.v11.storageBuffer16BitAccess)
        out->has |= 1u << DRV_NEED_I16;
    if (f.v12.shaderBufferInt64Atomics)
        out->has |= 1u << DRV_NEED_ATOMIC64;
    return !f.v12.bufferDeviceAddress ? "bufferDeviceAddress"
           : !f.v12.timelineSemaphore ? "timelineSemaphore"
           : !core->shaderInt64       ? "shaderInt64"
                                      : NULL;
}

void vulkan_physical_features(uint32_t has, vulkan_features *out)
{
    chain(out);
    out->core.features.shaderInt64 = VK_TRUE;
    out->core.features.shaderFloat64 = has >> DRV_NEED_F64 & 1;
    out->core.features.shaderInt16 = has >> DRV_NEED_I16 & 1;
    out->v11.storageBuffer16BitAccess = has >> DRV_NEED_I16 & 1;
    out->v12.storageBuffer8BitAccess = has >> DRV_NEED_I8 & 1;
    out->v12.shaderInt8 = has >> DRV_NEED_I8 & 1;
    out->v12.shaderBufferInt64Atomics = has >> DRV_NEED_ATOMIC64 & 1;
    out->v12.timelineSemaphore = VK_TRUE;
    out->v12.bufferDeviceAddress = VK_TRUE;
}

static slip_status read_queues(const vulkan_instance_calls *vk, vulkan_physical *out)
{
    VkQueueFamilyProperties *list = NULL;
    uint32_t count = 0;

    vk->vkGetPhysicalDeviceQueueFamilyProperties(out->handle, &count, NULL);
    SLIP_TRY(mem_new(((size_t)count + 1) * sizeof *list, (void **)&list));
    vk->vkGetPhysicalDeviceQueueFamilyProperties(out->handle, &count, list);
    if (!vulkan_physical_family(list, count, &out->family, &out->queue_count))
        snprintf(out->why_not, sizeof out->why_not, "it has no compute queue");
    mem_free(list);
    return SLIP_OK;
}

static void read_memory(const vulkan_instance_calls *vk, vulkan_physical *out)
{
    vk->vkGetPhysicalDeviceMemoryProperties(out->handle, &out->memory);
    for (uint32_t k = 0; k < out->memory.memoryHeapCount; k++) {
        const VkMemoryHeap *heap = &out->memory.memoryHeaps[k];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap->size > out->info.memory_bytes)
            out->info.memory_bytes = heap->size;
    }
}

static drv_kind kind_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return DRV_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return DRV_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return DRV_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return DRV_SOFTWARE;
    }
    return DRV_SOFTWARE;
}

slip_status vulkan_physical_read(const vulkan_instance_calls *vk, VkPhysicalDevice handle,
                                 vulkan_physical *out)
{
    bool maintenance4 = false;

    *out = (vulkan_physical){ .handle = handle };
    vk->vkGetPhysicalDeviceProperties(handle, &out->properties);
    snprintf(out->info.name, sizeof out->info.name, "%.127s", out->properties.deviceName);
    out->info.kind = kind_of(out->properties.deviceType);
    out->info.targets[0] = targets[0];
    out->info.target_count = 1;
    read_memory(vk, out);
    /* The structures of 1.2 may be asked for only where the device has it (clause 4.1). */
    if (out->properties.apiVersion < VK_API_VERSION_1_2) {
        snprintf(out->why_not, sizeof out->why_not, "it has Vulkan %u.%u, and 1.2 is needed",
                 out->properties.apiVersion >> 22 & 0x7f, out->properties.apiVersion >> 12 & 0x3ff);
        return SLIP_OK;
    }
    SLIP_TRY(read_extensions(vk, out, &maintenance4));
    read_properties(vk, maintenance4, out);
    const char *lacks = read_features(vk, out);
    if (lacks)
        snprintf(out->why_not, sizeof out->why_not, "it lacks the feature %s", lacks);
    else
        SLIP_TRY(read_queues(vk, out));
    return SLIP_OK;
}
