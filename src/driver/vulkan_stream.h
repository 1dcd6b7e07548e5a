/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_stream.h - an order of command lists on one queue, with one timeline.
 *
 * The contracts are those of queue_driver's slots.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_STREAM_H
#define SLIPWAY_DRIVER_VULKAN_STREAM_H

#include "driver/vulkan_device.h"

typedef struct vulkan_stream vulkan_stream;

slip_status vulkan_stream_open(vulkan_device *device, vulkan_stream **out) SLIP_MUST_USE;
void vulkan_stream_close(vulkan_stream *stream); /* takes NULL */
/* When the device is closed, which is idle: no stream is open. */
void vulkan_timelines_finish(vulkan_device *device);

slip_status vulkan_stream_copy(void *stream, const queue_memory *to, uint64_t to_offset,
                               const queue_memory *from, uint64_t from_offset,
                               uint64_t bytes) SLIP_MUST_USE;
slip_status vulkan_stream_zero(void *stream, const queue_memory *memory, uint64_t offset,
                               uint64_t bytes) SLIP_MUST_USE;
slip_status vulkan_stream_dispatch(void *stream, const queue_kernel *kernel, const void *push,
                                   uint32_t push_bytes, const uint32_t groups[3]) SLIP_MUST_USE;
slip_status vulkan_stream_barrier(void *stream, uint32_t flags) SLIP_MUST_USE;

slip_status vulkan_stream_submit(void *stream, const queue_point *after, uint32_t count,
                                 uint64_t *out) SLIP_MUST_USE;
void vulkan_stream_discard(void *stream);
slip_status vulkan_stream_wait(void *stream, uint64_t value, uint64_t spin_ns) SLIP_MUST_USE;
slip_status vulkan_stream_reached(void *stream, uint64_t *out) SLIP_MUST_USE;

#endif
