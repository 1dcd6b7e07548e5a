/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_shim.c - puts the shim in the driver's way.
 */
#define _GNU_SOURCE
#include "driver/vulkan_shim.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver/vulkan_instance.h"
#include "support/check.h"

static const char *const path = CHECK_BUILD "/driver_shaders/libvulkan_shim.so";

vulkan_shim *vulkan_shim_begin(void)
{
    if (access(path, R_OK) != 0)
        check_skip("vulkan", "the build has no shim");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    vulkan_shim *state = dlsym(library, "vulkan_shim_state");
    CHECK(state != NULL);
    vulkan_instance_drop();
    *state = (vulkan_shim){ .result = VK_ERROR_OUT_OF_HOST_MEMORY };
    setenv("SLIPWAY_VULKAN_LIBRARY", path, 1);
    return state;
}

void vulkan_shim_end(void)
{
    vulkan_instance_drop();
    unsetenv("SLIPWAY_VULKAN_LIBRARY");
}
