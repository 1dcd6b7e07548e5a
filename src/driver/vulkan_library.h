/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_library.h - the Vulkan library as it is loaded: SLIPWAY_VULKAN_LIBRARY, or the loader by
 * its usual names.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_LIBRARY_H
#define SLIPWAY_DRIVER_VULKAN_LIBRARY_H

#include "driver/vulkan_instance.h"

/* Fills library, proc and globals. NOT_FOUND where there is no library, UNSUPPORTED where it lacks
 * an entry point; either is named. */
slip_status vulkan_library_open(vulkan_instance *made) SLIP_MUST_USE;
/* Fills vk, of an instance that has a handle; vkDestroyInstance is there after a failure, unless
 * that is what is missing. */
slip_status vulkan_library_calls(vulkan_instance *made) SLIP_MUST_USE;
/* Puts an entry point into its slot; UNSUPPORTED, naming it and `where` it is missing. */
slip_status vulkan_library_fill(void *slot, PFN_vkVoidFunction found, const char *where,
                                const char *name) SLIP_MUST_USE;

#endif
