/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_instance.h - the Vulkan library, the one instance of this process, and its devices.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_INSTANCE_H
#define SLIPWAY_DRIVER_VULKAN_INSTANCE_H

#include <stdatomic.h>
#include <stdint.h>

#include "driver/vulkan_physical.h"

typedef struct vulkan_instance {
    void *library; /* of dlopen; never closed: layers and drivers keep threads in it */
    vulkan_instance_proc proc;
    vulkan_globals globals;
    VkInstance handle;
    vulkan_instance_calls vk;
    VkDebugUtilsMessengerEXT messenger; /* NULL: no validation */
    vulkan_physical *devices;           /* [device_count], usable, in the loader's order */
    uint32_t device_count;
    vulkan_physical *skipped; /* [skipped_count], with why_not */
    uint32_t skipped_count;
} vulkan_instance;

/*
 * vulkan_instance_get - the instance; made by the first call, with SLIPWAY_VULKAN_LIBRARY naming
 * the library and SLIPWAY_VULKAN_VALIDATE turning the validation layer on (1, or gpu).
 *
 * Errors   NOT_FOUND    no library, or no device that is usable; the record says why
 *          UNSUPPORTED  Vulkan older than 1.2, no validation layer where it was asked for, or
 *                       another process, whose fork this one is, has loaded it
 *          MEMORY       tried again by the next call; every other failure is kept
 * Threads  any
 */
slip_status vulkan_instance_get(const vulkan_instance **out) SLIP_MUST_USE;
/* The reason for which vulkan_instance_get fails, NULL where it does not; valid on this thread
 * until it is asked again. */
const char *vulkan_instance_missing(void);
/* ARGUMENT where SLIPWAY_VULKAN_VALIDATE has a value that it does not take. */
slip_status vulkan_instance_check(void) SLIP_MUST_USE;

/* Messages of the validation layer so far, each of which went to stderr too. */
uint64_t vulkan_instance_messages(void);
/* Tests only: forget the instance, or why there is none. No device is open. */
void vulkan_instance_drop(void);

#endif
