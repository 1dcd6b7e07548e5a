/* SPDX-License-Identifier: Apache-2.0 */
/*
 * real.h - the real Vulkan library, for those that stand in front of it.
 */
#ifndef SLIPWAY_TESTS_VULKAN_REAL_H
#define SLIPWAY_TESTS_VULKAN_REAL_H

#include <dlfcn.h>
#include <string.h>

#include "driver/vulkan_api.h"
#include "driver/vulkan_symbols.h"

/* NULL: there is none. Not for threads the first time. */
static inline vulkan_instance_proc real_instance_proc(void)
{
    static vulkan_instance_proc get;

    if (!get) {
        void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
        memcpy(&get, &symbol, sizeof symbol);
    }
    return get;
}

#endif
