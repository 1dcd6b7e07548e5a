/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_physical.h - what a device is and has, as it is listed; nothing is opened.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_PHYSICAL_H
#define SLIPWAY_DRIVER_VULKAN_PHYSICAL_H

#include <stdbool.h>

#include "driver/queue_driver.h"
#include "driver/vulkan_symbols.h"

/* What a float-control execution mode can be asked for at one width. */
typedef struct vulkan_floats {
    bool preserve_signs;  /* SignedZeroInfNanPreserve */
    bool preserve_denorm; /* DenormPreserve */
    bool nearest_even;    /* RoundingModeRTE */
} vulkan_floats;

enum { VULKAN_WIDTH_16, VULKAN_WIDTH_32, VULKAN_WIDTH_64, VULKAN_WIDTHS };
enum { VULKAN_MAX_QUEUES = 8 };

typedef struct vulkan_physical {
    VkPhysicalDevice handle;
    drv_info info;
    char why_not[160]; /* empty: usable */
    VkPhysicalDeviceProperties properties;
    char driver[160]; /* name and version of the driver, as it says */
    VkPhysicalDeviceMemoryProperties memory;
    uint64_t max_allocation_bytes; /* maxMemoryAllocationSize */
    uint64_t max_buffer_bytes;     /* maxBufferSize; UINT64_MAX: the device does not say */
    vulkan_floats floats[VULKAN_WIDTHS];
    uint32_t has;    /* a bit per drv_need */
    uint32_t family; /* of queues */
    uint32_t queue_count;
    bool portability_subset; /* the extension must be enabled */
} vulkan_physical;

/* Fills *out, whose why_not says where the device cannot be used. Fails where a call does. */
slip_status vulkan_physical_read(const vulkan_instance_calls *vk, VkPhysicalDevice handle,
                                 vulkan_physical *out) SLIP_MUST_USE;

/* The family to take queues from: with compute, most queues (up to VULKAN_MAX_QUEUES), then
 * without graphics, then the first. False where there is none. */
bool vulkan_physical_family(const VkQueueFamilyProperties *families, uint32_t count,
                            uint32_t *out_family, uint32_t *out_queues);

/* A device with these features, those of vulkan_physical.has among them, is made from this chain.
 */
typedef struct vulkan_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
} vulkan_features;

/* *out must stay where it is while used. */
void vulkan_physical_features(uint32_t has, vulkan_features *out);

/* "VK_KHR_..." is in the list. */
bool vulkan_extension_listed(const VkExtensionProperties *list, uint32_t count, const char *name);

#endif
