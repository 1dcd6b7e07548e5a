/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.c - see edit.h: every call is the real library's but vkCreateShaderModule.
 */
#define _GNU_SOURCE
#include "vulkan/edit.h"

#include <stdlib.h>
#include <string.h>

#include "driver/vulkan_api.h"
#include "vulkan/real.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name);

typedef VkResult (*create_module)(VkDevice device, const VkShaderModuleCreateInfo *info,
                                  const VkAllocationCallbacks *from, VkShaderModule *out);
typedef PFN_vkVoidFunction (*find_function)(VkDevice device, const char *name);

void edit_put(edit_words *made, uint32_t op, uint32_t count, const uint32_t *operands)
{
    made->out[made->count++] = (count + 1) << 16 | op;
    memcpy(made->out + made->count, operands, count * sizeof *operands);
    made->count += count;
}

static create_module create_real;
static find_function find_real;

static VkResult create_edited(VkDevice device, const VkShaderModuleCreateInfo *info,
                              const VkAllocationCallbacks *from, VkShaderModule *out)
{
    VkShaderModuleCreateInfo other = *info;
    size_t count = 0;
    uint32_t *edited = edit_shader(info->pCode, info->codeSize / 4, &count);

    other.codeSize = 4 * count;
    other.pCode = edited;
    VkResult result = create_real(device, &other, from, out);
    free(edited);
    return result;
}

static PFN_vkVoidFunction find(VkDevice device, const char *name)
{
    PFN_vkVoidFunction found = find_real(device, name);

    if (!found || strcmp(name, "vkCreateShaderModule") != 0)
        return found;
    memcpy(&create_real, &found, sizeof found);
    return (PFN_vkVoidFunction)create_edited;
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    vulkan_instance_proc get = real_instance_proc();
    PFN_vkVoidFunction found = get ? get(instance, name) : NULL;

    if (!found || strcmp(name, "vkGetDeviceProcAddr") != 0)
        return found;
    memcpy(&find_real, &found, sizeof found);
    return (PFN_vkVoidFunction)find;
}
