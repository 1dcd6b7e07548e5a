/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim.c - the library of vulkan_shim.h: a wrapper per row of the driver's table of symbols.
 *
 * One device at a time. Not for threads.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <string.h>

#include "driver/vulkan_shim.h"
#include "driver/vulkan_symbols.h"
#include "vulkan/real.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern vulkan_shim vulkan_shim_state;
EXPORT PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name);

vulkan_shim vulkan_shim_state;

#define ALL_SYMBOLS(R, O)                                                                          \
    VULKAN_GLOBAL_SYMBOLS(R, O)                                                                    \
    VULKAN_INSTANCE_SYMBOLS(R, O) VULKAN_OPTIONAL_SYMBOLS(R, O) VULKAN_DEVICE_SYMBOLS(R, O)

#define REAL_R_(name, params, args) VkResult(*name) params;
#define REAL_O_(type, name, params, args) type(*name) params;
static struct {
    ALL_SYMBOLS(REAL_R_, REAL_O_)
} real;

static int begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Counts the call; whether it is the one to fail. */
static int fails(const char *name)
{
    vulkan_shim *shim = &vulkan_shim_state;

    if (shim->only && strcmp(shim->only, name) != 0)
        return 0;
    if (++shim->calls != shim->fail_at)
        return 0;
    shim->failed = name;
    return 1;
}

static void succeeded(const char *name)
{
    vulkan_shim *shim = &vulkan_shim_state;

    /* command buffers go with their pool */
    shim->live += begins(name, "vkCreate") || strcmp(name, "vkAllocateMemory") == 0;
    shim->polls += strcmp(name, "vkGetSemaphoreCounterValue") == 0;
    shim->waits += strcmp(name, "vkWaitSemaphores") == 0;
}

/* Before a submission: `third` is its batch. */
static void asked(const char *name, uintptr_t third)
{
    if (vulkan_shim_state.edit && strcmp(name, "vkQueueSubmit") == 0)
        vulkan_shim_state.edit(name, (void *)third);
}

/* `second` is the handle, where the first argument is what it belongs to. */
static void called(const char *name, uintptr_t second)
{
    vulkan_shim *shim = &vulkan_shim_state;
    int whole = strcmp(name, "vkDestroyInstance") == 0 || strcmp(name, "vkDestroyDevice") == 0;

    if ((begins(name, "vkDestroy") || begins(name, "vkFree")) && (whole || second != 0))
        shim->live--;
    if (begins(name, "vkGetPhysicalDevice") && shim->edit)
        shim->edit(name, (void *)second);
}

/* A barrier's stages and accesses: the arguments of vkCmdPipelineBarrier, then those of any other.
 */
static void witness(const char *name, ...)
{
    vulkan_shim *shim = &vulkan_shim_state;
    va_list args;

    if (strcmp(name, "vkCmdPipelineBarrier") != 0)
        return;
    va_start(args, name);
    (void)va_arg(args, VkCommandBuffer);
    shim->barrier.from = va_arg(args, VkFlags);
    shim->barrier.to = va_arg(args, VkFlags);
    (void)va_arg(args, VkFlags);
    (void)va_arg(args, uint32_t);
    const VkMemoryBarrier *memory = va_arg(args, const VkMemoryBarrier *);
    shim->barrier.written = memory->srcAccessMask;
    shim->barrier.used = memory->dstAccessMask;
    va_end(args);
}

#define OPEN(...) __VA_ARGS__
#define THIRD(...) THIRD_(__VA_ARGS__, 0, 0, 0)
#define THIRD_(first, second, third, ...) (uintptr_t)(third)
#define SECOND(...) SECOND_(__VA_ARGS__, 0)
#define SECOND_(first, second, ...) (uintptr_t)(second)

#define WRAP_R_(name, params, args)                                                                \
    static VkResult wrap_##name params                                                             \
    {                                                                                              \
        if (fails(#name))                                                                          \
            return vulkan_shim_state.result;                                                       \
        asked(#name, THIRD args);                                                                  \
        VkResult result = real.name args;                                                          \
        if (result == VK_SUCCESS)                                                                  \
            succeeded(#name);                                                                      \
        return result;                                                                             \
    }
#define WRAP_O_(type, name, params, args)                                                          \
    static type wrap_##name params WRAP_BODY_##type(name, args)
#define WRAP_BODY_void(name, args)                                                                 \
    {                                                                                              \
        real.name args;                                                                            \
        called(#name, SECOND args);                                                                \
        witness(#name, OPEN args);                                                                 \
    }
#define WRAP_BODY_VkDeviceAddress(name, args)                                                      \
    {                                                                                              \
        return real.name args;                                                                     \
    }
#define WRAP_BODY_PFN_vkVoidFunction(name, args)                                                   \
    {                                                                                              \
        return find_device args;                                                                   \
    }

static PFN_vkVoidFunction find_device(VkDevice device, const char *name);

ALL_SYMBOLS(WRAP_R_, WRAP_O_)

/* Every row: its name, where the real function is kept, the wrapper. */
#define ROW_R_(name, params, args) { #name, &real.name, (PFN_vkVoidFunction)wrap_##name },
#define ROW_O_(type, name, params, args) ROW_R_(name, params, args)
static const struct {
    const char *name;
    void *slot;
    PFN_vkVoidFunction wrapper;
} rows[] = { ALL_SYMBOLS(ROW_R_, ROW_O_) };

static PFN_vkVoidFunction wrapped(const char *name, PFN_vkVoidFunction found)
{
    const char *hidden = vulkan_shim_state.hidden;

    if (!found || (hidden && strcmp(hidden, name) == 0))
        return NULL;
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(rows[k].name, name) == 0) {
            memcpy(rows[k].slot, &found, sizeof found);
            return rows[k].wrapper;
        }
    return found;
}

static PFN_vkVoidFunction find_device(VkDevice device, const char *name)
{
    return wrapped(name, real.vkGetDeviceProcAddr(device, name));
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    vulkan_instance_proc get = real_instance_proc();

    return get ? wrapped(name, get(instance, name)) : NULL;
}
