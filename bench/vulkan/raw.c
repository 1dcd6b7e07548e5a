/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw.c - see raw.h. Written against the Vulkan 1.2 API with nothing between.
 */
#include "raw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEED(call)                                                                                 \
    do {                                                                                           \
        VkResult result_ = (call);                                                                 \
        if (result_ != VK_SUCCESS) {                                                               \
            fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, (int)result_);       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static void open_instance(raw_device *d, uint32_t index)
{
    VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                              .apiVersion = VK_API_VERSION_1_2 };
    VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                  .pApplicationInfo = &app };
    VkPhysicalDevice devices[16];
    VkPhysicalDeviceProperties properties;
    uint32_t count = 16;

    NEED(vkCreateInstance(&info, NULL, &d->instance));
    NEED(vkEnumeratePhysicalDevices(d->instance, &count, devices));
    if (index >= count) {
        fprintf(stderr, "there are %u Vulkan devices\n", count);
        exit(1);
    }
    d->physical = devices[index];
    vkGetPhysicalDeviceProperties(d->physical, &properties);
    memcpy(d->name, properties.deviceName, sizeof d->name);
    vkGetPhysicalDeviceMemoryProperties(d->physical, &d->memory);
}

static uint32_t compute_family(raw_device *d)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;

    vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
    for (uint32_t f = 0; f < count; f++)
        if (families[f].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return f;
    fprintf(stderr, "no queue computes\n");
    exit(1);
}

void raw_open(raw_device *d, uint32_t index)
{
    float priority = 1;

    open_instance(d, index);
    uint32_t family = compute_family(d);
    VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = family,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority };
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
        .timelineSemaphore = VK_TRUE
    };
    VkDeviceCreateInfo device = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queue };
    NEED(vkCreateDevice(d->physical, &device, NULL, &d->device));
    vkGetDeviceQueue(d->device, family, 0, &d->queue);

    VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = family };
    NEED(vkCreateCommandPool(d->device, &pool, NULL, &d->pool));
    VkCommandBufferAllocateInfo lists = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = d->pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = RAW_LISTS };
    NEED(vkAllocateCommandBuffers(d->device, &lists, d->lists));
    VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
    NEED(vkCreateFence(d->device, &fence, NULL, &d->fence));
    VkSemaphoreTypeCreateInfo kind = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                       .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE };
    VkSemaphoreCreateInfo timeline = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                       .pNext = &kind };
    NEED(vkCreateSemaphore(d->device, &timeline, NULL, &d->timeline));
}

static uint32_t memory_type(const raw_device *d, uint32_t allowed, VkMemoryPropertyFlags wanted,
                            VkMemoryPropertyFlags unwanted)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < d->memory.memoryTypeCount; t++) {
            VkMemoryPropertyFlags flags = d->memory.memoryTypes[t].propertyFlags;
            if ((allowed >> t & 1) && (flags & wanted) == wanted &&
                (pass == 1 || !(flags & unwanted)))
                return t;
        }
    fprintf(stderr, "no memory type has properties %#x\n", wanted);
    exit(1);
}

raw_buffer raw_buffer_new(raw_device *d, size_t bytes, raw_kind kind)
{
    VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                 VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = bytes,
                                .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                         VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                         VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT };
    VkMemoryRequirements needs;
    raw_buffer b = { 0 };

    NEED(vkCreateBuffer(d->device, &info, NULL, &b.buffer));
    vkGetBufferMemoryRequirements(d->device, b.buffer, &needs);
    VkMemoryAllocateFlagsInfo flags = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT };
    VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs.size,
        .memoryTypeIndex =
            kind == RAW_HOST
                ? memory_type(d, needs.memoryTypeBits, host, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
                : memory_type(d, needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
    };
    NEED(vkAllocateMemory(d->device, &memory, NULL, &b.memory));
    NEED(vkBindBufferMemory(d->device, b.buffer, b.memory, 0));
    if (kind == RAW_HOST)
        NEED(vkMapMemory(d->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.host));
    VkBufferDeviceAddressInfo address = { .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = b.buffer };
    b.address = vkGetBufferDeviceAddress(d->device, &address);
    return b;
}

/* The whole file; its size in *bytes. */
static uint32_t *read_words(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint32_t *words = malloc(1 << 20);

    if (!file || !words) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    *bytes = fread(words, 1, 1 << 20, file);
    fclose(file);
    return words;
}

raw_pipeline raw_pipeline_new(raw_device *d, const char *path, uint32_t push_bytes)
{
    raw_pipeline p = { .push_bytes = push_bytes };
    VkShaderModule module;
    size_t bytes;
    uint32_t *words = read_words(path, &bytes);

    VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                      .codeSize = bytes,
                                      .pCode = words };
    NEED(vkCreateShaderModule(d->device, &code, NULL, &module));
    VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes };
    VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range };
    NEED(vkCreatePipelineLayout(d->device, &layout, NULL, &p.layout));
    VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main" },
        .layout = p.layout
    };
    NEED(vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &p.pipeline));
    vkDestroyShaderModule(d->device, module, NULL);
    free(words);
    return p;
}

void raw_begin(VkCommandBuffer list)
{
    VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT };
    NEED(vkBeginCommandBuffer(list, &info));
}

void raw_copy(VkCommandBuffer list, raw_buffer from, raw_buffer to, size_t bytes)
{
    VkBufferCopy copy = { 0, 0, bytes };
    vkCmdCopyBuffer(list, from.buffer, to.buffer, 1, &copy);
}

void raw_barrier(VkCommandBuffer list)
{
    VkMemoryBarrier memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                               .dstAccessMask =
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };
    vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &memory, 0, NULL, 0, NULL);
}

void raw_dispatch(VkCommandBuffer list, raw_pipeline p, const void *push, uint32_t groups)
{
    uint32_t y = groups > 65535 ? (groups + 65534) / 65535 : 1;

    vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
    vkCmdPushConstants(list, p.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, p.push_bytes, push);
    vkCmdDispatch(list, (groups + y - 1) / y, y, 1);
}

void raw_end(VkCommandBuffer list)
{
    NEED(vkEndCommandBuffer(list));
}

static void submit(raw_device *d, VkCommandBuffer list, VkFence fence, bool timeline)
{
    uint64_t value = d->value + 1;
    VkTimelineSemaphoreSubmitInfo values = { .sType =
                                                 VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                             .signalSemaphoreValueCount = 1,
                                             .pSignalSemaphoreValues = &value };
    VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = 1,
                          .pCommandBuffers = &list };

    if (timeline) {
        info.pNext = &values;
        info.signalSemaphoreCount = 1;
        info.pSignalSemaphores = &d->timeline;
        d->value = value;
    }
    NEED(vkQueueSubmit(d->queue, 1, &info, fence));
}

void raw_submit(raw_device *d, VkCommandBuffer list)
{
    submit(d, list, VK_NULL_HANDLE, false);
}

void raw_submit_fence(raw_device *d, VkCommandBuffer list)
{
    submit(d, list, d->fence, false);
    NEED(vkWaitForFences(d->device, 1, &d->fence, VK_TRUE, UINT64_MAX));
    NEED(vkResetFences(d->device, 1, &d->fence));
}

void raw_submit_timeline(raw_device *d, VkCommandBuffer list)
{
    uint64_t reached = 0;

    submit(d, list, VK_NULL_HANDLE, true);
    do {
        NEED(vkGetSemaphoreCounterValue(d->device, d->timeline, &reached));
    } while (reached < d->value);
}

void raw_idle(raw_device *d)
{
    NEED(vkQueueWaitIdle(d->queue));
}
