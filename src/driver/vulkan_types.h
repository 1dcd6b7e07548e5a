/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_types.h - which memory type serves which purpose: a choice from numbers, no call.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_TYPES_H
#define SLIPWAY_DRIVER_VULKAN_TYPES_H

#include "driver/queue_driver.h"
#include "driver/vulkan_api.h"

typedef struct vulkan_types {
    uint32_t type[3];      /* by queue_memory_kind */
    const char *reason[3]; /* static */
    bool device_mapped;    /* the host may use QUEUE_MEMORY_DEVICE as fast as its own */
} vulkan_types;

/*
 * vulkan_types_choose - one type for each kind.
 *
 *   usable    a bit per type that buffers may lie in (memoryTypeBits)
 *   shares    the device computes in the host's memory: integrated, or the CPU itself
 *
 * All that the host maps is HOST_COHERENT, which some type that buffers may lie in always is
 * (clause 11.2.1). Errors  UNSUPPORTED  a driver that breaks that promise
 */
slip_status vulkan_types_choose(const VkPhysicalDeviceMemoryProperties *memory, uint32_t usable,
                                bool shares, vulkan_types *out) SLIP_MUST_USE;

#endif
