/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_library.c - finds the Vulkan library and its entry points.
 */
#define _GNU_SOURCE
#include "driver/vulkan_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

#if defined(__APPLE__)
static const char *const library_names[] = { "libvulkan.1.dylib", "libMoltenVK.dylib" };
#else
static const char *const library_names[] = { "libvulkan.so.1", "libvulkan.so" };
#endif

static slip_status open_library(vulkan_instance *made)
{
    const char *named = getenv("SLIPWAY_VULKAN_LIBRARY");
    char said[200] = "";

    if (named && *named) {
        made->library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
        if (!made->library)
            return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "SLIPWAY_VULKAN_LIBRARY: %.200s", dlerror());
    }
    for (size_t k = 0; !made->library && k < sizeof library_names / sizeof *library_names; k++) {
        made->library = dlopen(library_names[k], RTLD_NOW | RTLD_LOCAL);
        if (!made->library && k == 0) /* of the others the reason is that they are not there */
            snprintf(said, sizeof said, "%s", dlerror());
    }
    if (!made->library)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "there is no Vulkan loader: %.200s", said);
    void *symbol = dlsym(made->library, "vkGetInstanceProcAddr");
    if (!symbol)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "%s has no vkGetInstanceProcAddr",
                         named && *named ? named : library_names[0]);
    memcpy(&made->proc, &symbol, sizeof symbol);
    return SLIP_OK;
}

slip_status vulkan_library_fill(void *slot, PFN_vkVoidFunction found, const char *where,
                                const char *name)
{
    if (!found)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "the %s has no %s", where, name);
    memcpy(slot, &found, sizeof found);
    return SLIP_OK;
}

#define FILL_GLOBAL_R_(name, params, args)                                                         \
    SLIP_TRY(vulkan_library_fill(&made->globals.name, made->proc(NULL, #name), "Vulkan library",   \
                                 #name));
#define FILL_R_(name, params, args)                                                                \
    SLIP_TRY(vulkan_library_fill(&made->vk.name, made->proc(made->handle, #name),                  \
                                 "Vulkan library", #name));
#define FILL_O_(type, name, params, args) FILL_R_(name, params, args)
#define FILL_OPTIONAL_R_(name, params, args)                                                       \
    if ((found = made->proc(made->handle, #name)) != NULL)                                         \
        memcpy(&made->vk.name, &found, sizeof found);
#define FILL_OPTIONAL_O_(type, name, params, args) FILL_OPTIONAL_R_(name, params, args)

static slip_status fill_globals(vulkan_instance *made)
{
    VULKAN_GLOBAL_SYMBOLS(FILL_GLOBAL_R_, FILL_O_)
    return SLIP_OK;
}

slip_status vulkan_library_calls(vulkan_instance *made)
{
    PFN_vkVoidFunction found;

    /* vkDestroyInstance comes first: the failure of a later row calls it. */
    VULKAN_INSTANCE_SYMBOLS(FILL_R_, FILL_O_)
    VULKAN_OPTIONAL_SYMBOLS(FILL_OPTIONAL_R_, FILL_OPTIONAL_O_)
    return SLIP_OK;
}

slip_status vulkan_library_open(vulkan_instance *made)
{
    SLIP_TRY(open_library(made));
    return fill_globals(made);
}
