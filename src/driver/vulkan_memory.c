/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_memory.c - device memory: blocks of the driver's, parted among allocations.
 *
 * A block is of one memory type, with one buffer over all of it, mapped for as long as it lives
 * where the host can reach it. Blocks are kept until trim, or until the device has no more.
 */
#include <inttypes.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_types.h"

static const uint64_t block_bytes = UINT64_C(64) << 20;

static VkBufferCreateInfo buffer_info(uint64_t bytes)
{
    /* One queue family: exclusive, with no transfer of ownership ever (clause 12.6). */
    return (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
}

/* memoryTypeBits is the same for all buffers of one usage (clause 12.7): a small one tells. */
slip_status vulkan_memory_init(vulkan_device *device)
{
    const vulkan_physical *physical = device->physical;
    VkPhysicalDeviceType type = physical->properties.deviceType;
    VkBufferCreateInfo info = buffer_info(VULKAN_GRANULE);
    VkMemoryRequirements needs;
    VkBuffer probe = NULL;
    vulkan_types types;

    SLIP_TRY(VULKAN_CALL(device, vkCreateBuffer, device->handle, &info, NULL, &probe));
    device->vk.vkGetBufferMemoryRequirements(device->handle, probe, &needs);
    device->vk.vkDestroyBuffer(device->handle, probe, NULL);
    bool shares =
        type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    SLIP_TRY(vulkan_types_choose(&physical->memory, needs.memoryTypeBits, shares, &types));
    for (uint32_t kind = 0; kind < 3; kind++) {
        device->types[kind] = types.type[kind];
        device->type_reasons[kind] = types.reason[kind];
    }
    device->limits.device_mapped = types.device_mapped;
    device->limits.max_memory = physical->max_allocation_bytes < physical->max_buffer_bytes
                                    ? physical->max_allocation_bytes
                                    : physical->max_buffer_bytes;
    return SLIP_OK;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void block_drop(vulkan_device *device, vulkan_block *block)
{
    if (!device->forked) {
        device->vk.vkDestroyBuffer(device->handle, block->buffer, NULL);
        device->vk.vkFreeMemory(device->handle, block->memory, NULL); /* unmaps, clause 11.2.4 */
    }
    vulkan_ranges_finish(&block->ranges);
    mem_free(block);
}

static slip_status block_allocate(vulkan_device *device, vulkan_block *block)
{
    VkMemoryRequirements needs;

    device->vk.vkGetBufferMemoryRequirements(device->handle, block->buffer, &needs);
    if (needs.size > device->physical->max_allocation_bytes)
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "%" PRIu64 " bytes of memory: the device allocates at most %" PRIu64
                         " at once (maxMemoryAllocationSize)",
                         needs.size, device->physical->max_allocation_bytes);
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        /* VUID-vkBindBufferMemory-bufferDeviceAddress-03339 */
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs.size,
        .memoryTypeIndex = block->type,
    };
    return VULKAN_CALL(device, vkAllocateMemory, device->handle, &info, NULL, &block->memory);
}

static slip_status block_place(vulkan_device *device, vulkan_block *block)
{
    const VkFlags mapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkFlags flags = device->physical->memory.memoryTypes[block->type].propertyFlags;
    const VkBufferDeviceAddressInfo where = { .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                              .buffer = block->buffer };
    void *host = NULL;

    SLIP_TRY(
        VULKAN_CALL(device, vkBindBufferMemory, device->handle, block->buffer, block->memory, 0));
    if ((flags & mapped) == mapped)
        SLIP_TRY(VULKAN_CALL(device, vkMapMemory, device->handle, block->memory, 0, VK_WHOLE_SIZE,
                             0, &host));
    block->host = host;
    block->address = device->vk.vkGetBufferDeviceAddress(device->handle, &where);
    if (block->address == 0 || block->address % 64 != 0)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "the device gives a buffer the address %#" PRIx64
                         ", which is no multiple of 64",
                         block->address);
    return SLIP_OK;
}

static slip_status block_make(vulkan_device *device, uint64_t bytes, uint32_t type,
                              vulkan_block **out)
{
    VkBufferCreateInfo info = buffer_info(bytes);
    vulkan_block *made = NULL;
    slip_status status = mem_new(sizeof *made, (void **)&made);

    if (status != SLIP_OK)
        return status;
    made->bytes = bytes;
    made->type = type;
    status = vulkan_ranges_init(&made->ranges, bytes);
    if (status != SLIP_OK)
        goto fail;
    status = VULKAN_CALL(device, vkCreateBuffer, device->handle, &info, NULL, &made->buffer);
    if (status != SLIP_OK)
        goto fail;
    status = block_allocate(device, made);
    if (status != SLIP_OK)
        goto fail;
    status = block_place(device, made);
    if (status != SLIP_OK)
        goto fail;
    *out = made;
    return SLIP_OK;

fail:
    block_drop(device, made);
    return status;
}

/* Under the lock, as what follows. True where a block was given back. */
static bool trim(vulkan_device *device)
{
    bool any = false;

    for (vulkan_block **at = &device->blocks; *at;) {
        vulkan_block *block = *at;
        if (block->ranges.live > 0) {
            at = &block->next;
            continue;
        }
        *at = block->next;
        device->block_count--;
        block_drop(device, block);
        any = true;
    }
    return any;
}

/* ---- allocations ---------------------------------------------------------------------------- */

static slip_status take(vulkan_device *device, uint64_t bytes, uint32_t type,
                        vulkan_block **out_block, uint64_t *out_offset)
{
    bool found = false;

    *out_block = NULL;
    for (vulkan_block *block = device->blocks; block; block = block->next) {
        if (block->type != type)
            continue;
        SLIP_TRY(vulkan_ranges_take(&block->ranges, bytes, &found, out_offset));
        if (found) {
            *out_block = block;
            return SLIP_OK;
        }
    }
    return SLIP_OK;
}

/* A block for `bytes`: larger, so that others find room in it, unless the heap is small. */
static slip_status add_block(vulkan_device *device, uint64_t bytes, uint32_t type)
{
    const VkPhysicalDeviceMemoryProperties *memory = &device->physical->memory;
    uint64_t heap = memory->memoryHeaps[memory->memoryTypes[type].heapIndex].size;
    uint64_t usual = block_bytes,
             most = device->physical->properties.limits.maxMemoryAllocationCount;
    vulkan_block *made;

    if (usual > heap / 16)
        usual = heap / 16 / VULKAN_GRANULE * VULKAN_GRANULE;
    if (usual > device->limits.max_memory)
        usual = device->limits.max_memory / VULKAN_GRANULE * VULKAN_GRANULE;
    if (device->block_count >= most && !trim(device))
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "%u blocks of memory are in use: the device has no more than %" PRIu64
                         " (maxMemoryAllocationCount)",
                         device->block_count, most);
    slip_status status = block_make(device, bytes > usual ? bytes : usual, type, &made);
    if (status == SLIP_ERR_MEMORY && (trim(device) || bytes < usual)) {
        fail_clear();
        status = block_make(device, bytes, type, &made);
    }
    if (status != SLIP_OK)
        return status;
    made->next = device->blocks;
    device->blocks = made;
    device->block_count++;
    return SLIP_OK;
}

static slip_status check_size(const vulkan_device *device, uint64_t bytes, uint64_t *out)
{
    const vulkan_physical *physical = device->physical;
    bool fits = vulkan_granules(bytes, out);

    if (!fits || *out > physical->max_allocation_bytes)
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "%" PRIu64 " bytes: %.64s allocates at most %" PRIu64
                         " at once (maxMemoryAllocationSize)",
                         bytes, physical->info.name, physical->max_allocation_bytes);
    if (*out > physical->max_buffer_bytes)
        return SLIP_FAIL(SLIP_ERR_MEMORY,
                         "%" PRIu64 " bytes: a buffer of %.64s has at most %" PRIu64
                         " (maxBufferSize)",
                         bytes, physical->info.name, physical->max_buffer_bytes);
    return SLIP_OK;
}

slip_status vulkan_memory_alloc(vulkan_device *device, uint64_t bytes, queue_memory_kind kind,
                                queue_memory *out)
{
    vulkan_block *block = NULL;
    uint64_t size = 0, offset = 0;

    SLIP_TRY(vulkan_device_alive(device));
    SLIP_TRY(check_size(device, bytes, &size));
    uint32_t type = device->types[kind];
    pthread_mutex_lock(&device->lock);
    slip_status status = take(device, size, type, &block, &offset);
    if (status == SLIP_OK && !block) {
        status = add_block(device, size, type);
        if (status == SLIP_OK)
            status = take(device, size, type, &block, &offset);
    }
    pthread_mutex_unlock(&device->lock);
    if (status != SLIP_OK) {
        fail_note("while allocating %" PRIu64 " bytes", bytes);
        return status;
    }
    bool mapped = block->host && (kind != QUEUE_MEMORY_DEVICE || device->limits.device_mapped);
    *out = (queue_memory){
        .buffer = block->buffer,
        .offset = offset,
        .bytes = bytes,
        .address = block->address + offset,
        .host = mapped ? block->host + offset : NULL,
        .owner = block,
    };
    return SLIP_OK;
}

void vulkan_memory_free(vulkan_device *device, queue_memory *memory)
{
    vulkan_block *block = memory->owner;

    if (block) {
        pthread_mutex_lock(&device->lock);
        vulkan_ranges_give(&block->ranges, memory->offset, memory->bytes);
        pthread_mutex_unlock(&device->lock);
    }
    *memory = (queue_memory){ 0 };
}

void vulkan_memory_trim(vulkan_device *device)
{
    pthread_mutex_lock(&device->lock);
    trim(device);
    pthread_mutex_unlock(&device->lock);
}

void vulkan_memory_finish(vulkan_device *device)
{
    while (device->blocks) {
        vulkan_block *block = device->blocks;
        device->blocks = block->next;
        block_drop(device, block);
    }
    device->block_count = 0;
}
