/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_stream.c - opens streams and records lists.
 *
 * A stream owns a command pool and command buffers ("lists") in it; a list is used again when the
 * timeline has passed the value that its submission signals. What several streams share is the
 * queue, whose lock is taken once a submission, and the device's latch.
 */
#include "driver/vulkan_stream.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_stream_parts.h"

enum {
    MOST_LISTS = 64, /* then a new one waits for the oldest */
    MOST_PUSH_WORDS = 64,
};

/* ---- opening -------------------------------------------------------------------------------- */

/* The queue with fewest streams, the first of these. */
static vulkan_queue *join_queue(vulkan_device *device)
{
    vulkan_queue *best = &device->queues[0];

    pthread_mutex_lock(&device->lock);
    for (uint32_t k = 1; k < device->queue_count; k++)
        if (device->queues[k].streams < best->streams)
            best = &device->queues[k];
    best->streams++;
    pthread_mutex_unlock(&device->lock);
    return best;
}

static void leave_queue(vulkan_device *device, vulkan_queue *queue)
{
    pthread_mutex_lock(&device->lock);
    queue->streams--;
    pthread_mutex_unlock(&device->lock);
}

/*
 * A timeline outlives its stream and serves the next one: a driver may still look at a semaphore
 * for a moment after the host has seen the value that a batch signals. So does Mesa, which emulates
 * timelines, at the semaphores that a batch has waited for.
 */
static slip_status take_timeline(vulkan_device *device, vulkan_timeline **out)
{
    const VkSemaphoreTypeCreateInfo type = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                             .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE };
    const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                         .pNext = &type };
    vulkan_timeline *made;

    pthread_mutex_lock(&device->lock);
    made = device->timelines;
    if (made)
        device->timelines = made->next;
    pthread_mutex_unlock(&device->lock);
    if (!made) {
        SLIP_TRY(mem_new(sizeof *made, (void **)&made));
        slip_status status =
            VULKAN_CALL(device, vkCreateSemaphore, device->handle, &info, NULL, &made->semaphore);
        if (status != SLIP_OK) {
            mem_free(made);
            return status;
        }
    }
    *out = made;
    return SLIP_OK;
}

static void give_timeline(vulkan_device *device, vulkan_timeline *timeline)
{
    pthread_mutex_lock(&device->lock);
    timeline->next = device->timelines;
    device->timelines = timeline;
    pthread_mutex_unlock(&device->lock);
}

void vulkan_timelines_finish(vulkan_device *device)
{
    while (device->timelines) {
        vulkan_timeline *timeline = device->timelines;
        device->timelines = timeline->next;
        if (!device->forked)
            device->vk.vkDestroySemaphore(device->handle, timeline->semaphore, NULL);
        mem_free(timeline);
    }
}

slip_status vulkan_stream_open(vulkan_device *device, vulkan_stream **out)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->physical->family,
    };
    vulkan_stream *made = NULL;
    slip_status status = vulkan_device_alive(device);

    if (status != SLIP_OK)
        return status;
    status = mem_new(sizeof *made, (void **)&made);
    if (status != SLIP_OK)
        return status;
    made->device = device;
    made->open = VULKAN_NOT_OPEN;
    made->queue = join_queue(device);
    status = take_timeline(device, &made->timeline);
    if (status != SLIP_OK)
        goto fail;
    made->submitted = made->seen = made->timeline->value;
    status = VULKAN_CALL(device, vkCreateCommandPool, device->handle, &pool, NULL, &made->pool);
    if (status != SLIP_OK)
        goto fail;
    *out = made;
    return SLIP_OK;

fail:
    vulkan_stream_close(made);
    return status;
}

/* A pool takes its command buffers with it (clause 6.2). */
void vulkan_stream_close(vulkan_stream *s)
{
    if (!s)
        return;
    vulkan_device *device = s->device;
    /* A loss does not end what is pending; waiting for it ends in finite time (clause 5.2.3). */
    if (atomic_load(&device->lost) != VK_SUCCESS)
        vulkan_device_idle(device);
    if (!device->forked)
        device->vk.vkDestroyCommandPool(device->handle, s->pool, NULL);
    if (s->timeline) {
        s->timeline->value = s->submitted;
        give_timeline(device, s->timeline);
    }
    leave_queue(device, s->queue);
    mem_free(s->lists);
    mem_free(s->waits.semaphores);
    mem_free(s->waits.values);
    mem_free(s->waits.stages);
    mem_free(s);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static slip_status add_list(vulkan_stream *s, int *out)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    vulkan_list made = { 0 };

    SLIP_TRY(mem_grow((void **)&s->lists, &s->list_capacity, s->list_count + 1, sizeof *s->lists));
    SLIP_TRY(
        VULKAN_CALL(s->device, vkAllocateCommandBuffers, s->device->handle, &info, &made.handle));
    *out = (int)s->list_count;
    s->lists[s->list_count++] = made;
    return SLIP_OK;
}

/* The oldest list: VULKAN_NOT_OPEN where there is none. */
static int oldest(const vulkan_stream *s)
{
    int found = VULKAN_NOT_OPEN;

    for (size_t k = 0; k < s->list_count; k++)
        if (found == VULKAN_NOT_OPEN || s->lists[k].value < s->lists[found].value)
            found = (int)k;
    return found;
}

/* A list that no submission uses. */
static slip_status find_list(vulkan_stream *s, int *out)
{
    int found = oldest(s);

    if (found != VULKAN_NOT_OPEN && s->lists[found].value > s->seen)
        SLIP_TRY(vulkan_stream_reached(s, &s->seen));
    if (found == VULKAN_NOT_OPEN || s->lists[found].value > s->seen) {
        if (s->list_count < MOST_LISTS)
            return add_list(s, out);
        SLIP_TRY(vulkan_stream_wait(s, s->lists[found].value, 0));
        s->seen = s->lists[found].value;
    }
    *out = found;
    return SLIP_OK;
}

/* Beginning a list that was used before resets it (clause 6.4). */
static slip_status begin(vulkan_stream *s)
{
    static const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    int found = VULKAN_NOT_OPEN;

    SLIP_TRY(vulkan_device_alive(s->device));
    if (s->open != VULKAN_NOT_OPEN)
        return SLIP_OK;
    SLIP_TRY(find_list(s, &found));
    SLIP_TRY(VULKAN_CALL(s->device, vkBeginCommandBuffer, s->lists[found].handle, &info));
    s->open = found;
    s->bound = NULL;
    return SLIP_OK;
}

void vulkan_stream_discard(void *stream)
{
    vulkan_stream *s = stream;

    if (s->open == VULKAN_NOT_OPEN)
        return;
    /* A list that could not be reset is begun anew later, which resets it too. */
    if (!s->device->forked)
        (void)s->device->vk.vkResetCommandBuffer(s->lists[s->open].handle, 0);
    s->lists[s->open].value = 0;
    s->open = VULKAN_NOT_OPEN;
}

/* ---- recording ------------------------------------------------------------------------------ */

static slip_status check_part(const queue_memory *memory, uint64_t offset, uint64_t bytes)
{
    if (offset > memory->bytes || bytes > memory->bytes - offset)
        return SLIP_FAIL(SLIP_ERR_INTERNAL,
                         "%" PRIu64 " bytes at %" PRIu64 " of memory of %" PRIu64 " bytes", bytes,
                         offset, memory->bytes);
    return SLIP_OK;
}

slip_status vulkan_stream_copy(void *stream, const queue_memory *to, uint64_t to_offset,
                               const queue_memory *from, uint64_t from_offset, uint64_t bytes)
{
    vulkan_stream *s = stream;

    SLIP_TRY(check_part(to, to_offset, bytes));
    SLIP_TRY(check_part(from, from_offset, bytes));
    SLIP_TRY(begin(s));
    const VkBufferCopy region = { from->offset + from_offset, to->offset + to_offset, bytes };
    if (bytes > 0)
        s->device->vk.vkCmdCopyBuffer(s->lists[s->open].handle, from->buffer, to->buffer, 1,
                                      &region);
    return SLIP_OK;
}

slip_status vulkan_stream_zero(void *stream, const queue_memory *memory, uint64_t offset,
                               uint64_t bytes)
{
    vulkan_stream *s = stream;

    SLIP_TRY(check_part(memory, offset, bytes));
    if (offset % 4 != 0 || bytes % 4 != 0) /* VUID-vkCmdFillBuffer-dstOffset-00025, size-00028 */
        return SLIP_FAIL(SLIP_ERR_INTERNAL,
                         "%" PRIu64 " bytes at %" PRIu64 " to be zeroed: no multiples of 4", bytes,
                         offset);
    SLIP_TRY(begin(s));
    if (bytes > 0)
        s->device->vk.vkCmdFillBuffer(s->lists[s->open].handle, memory->buffer,
                                      memory->offset + offset, bytes, 0);
    return SLIP_OK;
}

static slip_status check_groups(const vulkan_device *device, const uint32_t groups[3])
{
    const uint32_t *most = device->limits.max_groups;

    for (int axis = 0; axis < 3; axis++)
        if (groups[axis] > most[axis])
            return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                             "%u workgroups on axis %d, and the device takes at most %u",
                             groups[axis], axis, most[axis]);
    return SLIP_OK;
}

slip_status vulkan_stream_dispatch(void *stream, const queue_kernel *kernel, const void *push,
                                   uint32_t push_bytes, const uint32_t groups[3])
{
    vulkan_stream *s = stream;
    vulkan_device *device = s->device;
    uint32_t words[MOST_PUSH_WORDS];

    if (push_bytes > device->push_bytes)
        return SLIP_FAIL(SLIP_ERR_INTERNAL, "%u bytes of push constants, and the layout has %u",
                         push_bytes, device->push_bytes);
    SLIP_TRY(check_groups(device, groups));
    SLIP_TRY(begin(s));
    VkCommandBuffer to = s->lists[s->open].handle;
    if (s->bound != kernel->pipeline) {
        device->vk.vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
        s->bound = kernel->pipeline;
    }
    if (push_bytes > 0) {
        /* whole words: VUID-vkCmdPushConstants-size-00369 */
        words[(push_bytes - 1) / 4] = 0;
        memcpy(words, push, push_bytes);
        device->vk.vkCmdPushConstants(to, device->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                      (push_bytes + 3) / 4 * 4, words);
    }
    device->vk.vkCmdDispatch(to, groups[0], groups[1], groups[2]);
    return SLIP_OK;
}

/*
 * A barrier's scopes are all commands of the queue before and after it, across lists and
 * submissions (clause 7.6). What the host wrote before a submission is visible to it without one
 * (clause 7.9); what the host reads needs its own access in the second scope, even after a wait
 * for the timeline (clause 7.3, the note on fences).
 */
slip_status vulkan_stream_barrier(void *stream, uint32_t flags)
{
    const VkFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    vulkan_stream *s = stream;
    VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER };
    VkFlags after = 0;

    if (flags == 0)
        return SLIP_OK;
    SLIP_TRY(begin(s));
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    if (flags & QUEUE_BARRIER_TASKS) {
        after |= stages;
        barrier.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                 VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (flags & QUEUE_BARRIER_HOST) {
        after |= VK_PIPELINE_STAGE_HOST_BIT;
        barrier.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    }
    s->device->vk.vkCmdPipelineBarrier(s->lists[s->open].handle, stages, after, 0, 1, &barrier, 0,
                                       NULL, 0, NULL);
    return SLIP_OK;
}
