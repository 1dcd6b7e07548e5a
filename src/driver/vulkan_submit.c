/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_submit.c - sends what a stream has recorded, and waits for its timeline.
 */
#define _GNU_SOURCE
#include "base/fail.h"
#include "base/mem.h"
#include "driver/spin.h"
#include "driver/vulkan_stream_parts.h"

/* ---- submitting ----------------------------------------------------------------------------- */

static slip_status fill_waits(vulkan_waits *w, const queue_point *after, uint32_t count)
{
    SLIP_TRY(mem_grow((void **)&w->semaphores, &w->semaphore_room, count, sizeof *w->semaphores));
    SLIP_TRY(mem_grow((void **)&w->values, &w->value_room, count, sizeof *w->values));
    SLIP_TRY(mem_grow((void **)&w->stages, &w->stage_room, count, sizeof *w->stages));
    for (uint32_t k = 0; k < count; k++) {
        w->semaphores[k] = ((vulkan_stream *)after[k].stream)->timeline->semaphore;
        w->values[k] = after[k].value;
        w->stages[k] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    return SLIP_OK;
}

/*
 * The signal covers every command before it in the queue's submission order, the wait every one
 * after it (clauses 7.4.1, 7.4.2). Both make memory available and visible, but not to the host.
 */
static slip_status send(vulkan_stream *s, VkCommandBuffer what, uint32_t wait_count)
{
    const uint64_t value = s->submitted + 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait_count,
        .pWaitSemaphoreValues = s->waits.values,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value,
    };
    const VkSubmitInfo batch = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &values,
        .waitSemaphoreCount = wait_count,
        .pWaitSemaphores = s->waits.semaphores,
        .pWaitDstStageMask = s->waits.stages,
        .commandBufferCount = what ? 1 : 0,
        .pCommandBuffers = &what,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &s->timeline->semaphore,
    };

    pthread_mutex_lock(&s->queue->lock);
    VkResult result = s->device->vk.vkQueueSubmit(s->queue->handle, 1, &batch, NULL);
    pthread_mutex_unlock(&s->queue->lock);
    return vulkan_checked(s->device, result, "vkQueueSubmit", __FILE__, __LINE__);
}

slip_status vulkan_stream_submit(void *stream, const queue_point *after, uint32_t count,
                                 uint64_t *out)
{
    vulkan_stream *s = stream;
    VkCommandBuffer what = NULL;
    slip_status status = vulkan_device_alive(s->device);

    if (status != SLIP_OK)
        goto fail;
    if (s->open == VULKAN_NOT_OPEN && count == 0) {
        *out = s->submitted;
        return SLIP_OK;
    }
    status = fill_waits(&s->waits, after, count);
    if (status != SLIP_OK)
        goto fail;
    if (s->open != VULKAN_NOT_OPEN) {
        what = s->lists[s->open].handle;
        status = VULKAN_CALL(s->device, vkEndCommandBuffer, what);
        if (status != SLIP_OK)
            goto fail;
    }
    status = send(s, what, count);
    if (status != SLIP_OK)
        goto fail;
    s->submitted++;
    if (what)
        s->lists[s->open].value = s->submitted;
    s->open = VULKAN_NOT_OPEN;
    *out = s->submitted;
    return SLIP_OK;

fail:
    vulkan_stream_discard(s);
    return status;
}

/* ---- waiting: any thread -------------------------------------------------------------------- */

slip_status vulkan_stream_reached(void *stream, uint64_t *out)
{
    vulkan_stream *s = stream;
    uint64_t value = 0;

    SLIP_TRY(vulkan_device_alive(s->device));
    SLIP_TRY(VULKAN_CALL(s->device, vkGetSemaphoreCounterValue, s->device->handle,
                         s->timeline->semaphore, &value));
    *out = value;
    return SLIP_OK;
}

static slip_status spin(vulkan_stream *s, uint64_t value, uint64_t spin_ns)
{
    uint64_t reached = 0, end = spin_now_ns() + spin_ns;

    for (;;) {
        SLIP_TRY(vulkan_stream_reached(s, &reached));
        if (reached >= value || spin_now_ns() >= end)
            return SLIP_OK;
        spin_rest();
    }
}

/* Having seen the value is not having waited: the wait, which then does not block, orders what the
 * host does next after the signal (clause 7.4.4). */
slip_status vulkan_stream_wait(void *stream, uint64_t value, uint64_t spin_ns)
{
    vulkan_stream *s = stream;
    const VkSemaphoreWaitInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                       .semaphoreCount = 1,
                                       .pSemaphores = &s->timeline->semaphore,
                                       .pValues = &value };

    SLIP_TRY(vulkan_device_alive(s->device));
    if (spin_ns > 0)
        SLIP_TRY(spin(s, value, spin_ns));
    VkResult result = VK_TIMEOUT;
    while (result == VK_TIMEOUT)
        result = s->device->vk.vkWaitSemaphores(s->device->handle, &info, UINT64_MAX);
    return vulkan_checked(s->device, result, "vkWaitSemaphores", __FILE__, __LINE__);
}
