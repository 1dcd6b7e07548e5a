/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_symbols.h - the entry points of Vulkan that this driver calls: one row each, and the
 * tables that loading fills. Every call goes through these tables.
 *
 * R(name, parameters, arguments) is a row of a function that returns a VkResult, O of any other:
 * O(type, name, parameters, arguments). The last column lets a test write a function that stands
 * between. Optional rows may be NULL where their extension is not enabled.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_SYMBOLS_H
#define SLIPWAY_DRIVER_VULKAN_SYMBOLS_H

#include "driver/vulkan_api.h"

/* clang-format off */
#define VULKAN_GLOBAL_SYMBOLS(R, O) \
    R(vkEnumerateInstanceVersion, (uint32_t *version), (version)) \
    R(vkEnumerateInstanceExtensionProperties, (const char *layer, uint32_t *count, \
      VkExtensionProperties *list), (layer, count, list)) \
    R(vkEnumerateInstanceLayerProperties, (uint32_t *count, VkLayerProperties *list), (count, \
      list)) \
    R(vkCreateInstance, (const VkInstanceCreateInfo *info, const VkAllocationCallbacks *from, \
      VkInstance *out), (info, from, out))

#define VULKAN_INSTANCE_SYMBOLS(R, O) \
    O(void, vkDestroyInstance, (VkInstance instance, const VkAllocationCallbacks *from), \
      (instance, from)) \
    R(vkEnumeratePhysicalDevices, (VkInstance instance, uint32_t *count, \
      VkPhysicalDevice *list), (instance, count, list)) \
    O(void, vkGetPhysicalDeviceProperties, (VkPhysicalDevice physical, \
      VkPhysicalDeviceProperties *out), (physical, out)) \
    O(void, vkGetPhysicalDeviceProperties2, (VkPhysicalDevice physical, \
      VkPhysicalDeviceProperties2 *out), (physical, out)) \
    O(void, vkGetPhysicalDeviceFeatures2, (VkPhysicalDevice physical, \
      VkPhysicalDeviceFeatures2 *out), (physical, out)) \
    O(void, vkGetPhysicalDeviceMemoryProperties, (VkPhysicalDevice physical, \
      VkPhysicalDeviceMemoryProperties *out), (physical, out)) \
    O(void, vkGetPhysicalDeviceQueueFamilyProperties, (VkPhysicalDevice physical, \
      uint32_t *count, VkQueueFamilyProperties *list), (physical, count, list)) \
    R(vkEnumerateDeviceExtensionProperties, (VkPhysicalDevice physical, const char *layer, \
      uint32_t *count, VkExtensionProperties *list), (physical, layer, count, list)) \
    R(vkCreateDevice, (VkPhysicalDevice physical, const VkDeviceCreateInfo *info, \
      const VkAllocationCallbacks *from, VkDevice *out), (physical, info, from, out)) \
    O(PFN_vkVoidFunction, vkGetDeviceProcAddr, (VkDevice device, const char *name), (device, \
      name))

#define VULKAN_OPTIONAL_SYMBOLS(R, O) \
    R(vkCreateDebugUtilsMessengerEXT, (VkInstance instance, \
      const VkDebugUtilsMessengerCreateInfoEXT *info, const VkAllocationCallbacks *from, \
      VkDebugUtilsMessengerEXT *out), (instance, info, from, out)) \
    O(void, vkDestroyDebugUtilsMessengerEXT, (VkInstance instance, \
      VkDebugUtilsMessengerEXT messenger, const VkAllocationCallbacks *from), (instance, \
      messenger, from))

#define VULKAN_DEVICE_SYMBOLS(R, O) \
    O(void, vkDestroyDevice, (VkDevice device, const VkAllocationCallbacks *from), (device, \
      from)) \
    O(void, vkGetDeviceQueue, (VkDevice device, uint32_t family, uint32_t index, VkQueue *out), \
      (device, family, index, out)) \
    R(vkDeviceWaitIdle, (VkDevice device), (device)) \
    R(vkCreateBuffer, (VkDevice device, const VkBufferCreateInfo *info, \
      const VkAllocationCallbacks *from, VkBuffer *out), (device, info, from, out)) \
    O(void, vkDestroyBuffer, (VkDevice device, VkBuffer buffer, \
      const VkAllocationCallbacks *from), (device, buffer, from)) \
    O(void, vkGetBufferMemoryRequirements, (VkDevice device, VkBuffer buffer, \
      VkMemoryRequirements *out), (device, buffer, out)) \
    R(vkAllocateMemory, (VkDevice device, const VkMemoryAllocateInfo *info, \
      const VkAllocationCallbacks *from, VkDeviceMemory *out), (device, info, from, out)) \
    O(void, vkFreeMemory, (VkDevice device, VkDeviceMemory memory, \
      const VkAllocationCallbacks *from), (device, memory, from)) \
    R(vkBindBufferMemory, (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, \
      VkDeviceSize offset), (device, buffer, memory, offset)) \
    R(vkMapMemory, (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, \
      VkDeviceSize bytes, VkFlags flags, void **out), (device, memory, offset, bytes, flags, \
      out)) \
    O(VkDeviceAddress, vkGetBufferDeviceAddress, (VkDevice device, \
      const VkBufferDeviceAddressInfo *info), (device, info)) \
    R(vkCreateShaderModule, (VkDevice device, const VkShaderModuleCreateInfo *info, \
      const VkAllocationCallbacks *from, VkShaderModule *out), (device, info, from, out)) \
    O(void, vkDestroyShaderModule, (VkDevice device, VkShaderModule module, \
      const VkAllocationCallbacks *from), (device, module, from)) \
    R(vkCreatePipelineCache, (VkDevice device, const VkPipelineCacheCreateInfo *info, \
      const VkAllocationCallbacks *from, VkPipelineCache *out), (device, info, from, out)) \
    O(void, vkDestroyPipelineCache, (VkDevice device, VkPipelineCache cache, \
      const VkAllocationCallbacks *from), (device, cache, from)) \
    R(vkGetPipelineCacheData, (VkDevice device, VkPipelineCache cache, size_t *bytes, \
      void *out), (device, cache, bytes, out)) \
    R(vkCreatePipelineLayout, (VkDevice device, const VkPipelineLayoutCreateInfo *info, \
      const VkAllocationCallbacks *from, VkPipelineLayout *out), (device, info, from, out)) \
    O(void, vkDestroyPipelineLayout, (VkDevice device, VkPipelineLayout layout, \
      const VkAllocationCallbacks *from), (device, layout, from)) \
    R(vkCreateComputePipelines, (VkDevice device, VkPipelineCache cache, uint32_t count, \
      const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *from, \
      VkPipeline *out), (device, cache, count, infos, from, out)) \
    O(void, vkDestroyPipeline, (VkDevice device, VkPipeline pipeline, \
      const VkAllocationCallbacks *from), (device, pipeline, from)) \
    R(vkCreateSemaphore, (VkDevice device, const VkSemaphoreCreateInfo *info, \
      const VkAllocationCallbacks *from, VkSemaphore *out), (device, info, from, out)) \
    O(void, vkDestroySemaphore, (VkDevice device, VkSemaphore semaphore, \
      const VkAllocationCallbacks *from), (device, semaphore, from)) \
    R(vkGetSemaphoreCounterValue, (VkDevice device, VkSemaphore semaphore, uint64_t *out), \
      (device, semaphore, out)) \
    R(vkWaitSemaphores, (VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout_ns), \
      (device, info, timeout_ns)) \
    R(vkCreateCommandPool, (VkDevice device, const VkCommandPoolCreateInfo *info, \
      const VkAllocationCallbacks *from, VkCommandPool *out), (device, info, from, out)) \
    O(void, vkDestroyCommandPool, (VkDevice device, VkCommandPool pool, \
      const VkAllocationCallbacks *from), (device, pool, from)) \
    R(vkAllocateCommandBuffers, (VkDevice device, const VkCommandBufferAllocateInfo *info, \
      VkCommandBuffer *out), (device, info, out)) \
    R(vkBeginCommandBuffer, (VkCommandBuffer list, const VkCommandBufferBeginInfo *info), (list, \
      info)) \
    R(vkEndCommandBuffer, (VkCommandBuffer list), (list)) \
    R(vkResetCommandBuffer, (VkCommandBuffer list, VkFlags flags), (list, flags)) \
    O(void, vkCmdBindPipeline, (VkCommandBuffer list, VkPipelineBindPoint point, \
      VkPipeline pipeline), (list, point, pipeline)) \
    O(void, vkCmdPushConstants, (VkCommandBuffer list, VkPipelineLayout layout, VkFlags stages, \
      uint32_t offset, uint32_t bytes, const void *values), (list, layout, stages, offset, \
      bytes, values)) \
    O(void, vkCmdDispatch, (VkCommandBuffer list, uint32_t x, uint32_t y, uint32_t z), (list, x, \
      y, z)) \
    O(void, vkCmdCopyBuffer, (VkCommandBuffer list, VkBuffer from, VkBuffer to, uint32_t count, \
      const VkBufferCopy *regions), (list, from, to, count, regions)) \
    O(void, vkCmdFillBuffer, (VkCommandBuffer list, VkBuffer to, VkDeviceSize offset, \
      VkDeviceSize bytes, uint32_t word), (list, to, offset, bytes, word)) \
    O(void, vkCmdPipelineBarrier, (VkCommandBuffer list, VkFlags from, VkFlags to, \
      VkFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory, \
      uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count, \
      const VkImageMemoryBarrier *images), (list, from, to, flags, memory_count, memory, \
      buffer_count, buffers, image_count, images)) \
    R(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *batches, \
      VkFence fence), (queue, count, batches, fence))
/* clang-format on */

#define VULKAN_SLOT_R_(name, params, args) VkResult(*name) params;
#define VULKAN_SLOT_O_(type, name, params, args) type(*name) params;

typedef struct vulkan_globals {
    VULKAN_GLOBAL_SYMBOLS(VULKAN_SLOT_R_, VULKAN_SLOT_O_)
} vulkan_globals;

typedef struct vulkan_instance_calls {
    VULKAN_INSTANCE_SYMBOLS(VULKAN_SLOT_R_, VULKAN_SLOT_O_)
    VULKAN_OPTIONAL_SYMBOLS(VULKAN_SLOT_R_, VULKAN_SLOT_O_)
} vulkan_instance_calls;

typedef struct vulkan_calls {
    VULKAN_DEVICE_SYMBOLS(VULKAN_SLOT_R_, VULKAN_SLOT_O_)
} vulkan_calls;

#undef VULKAN_SLOT_R_
#undef VULKAN_SLOT_O_

typedef PFN_vkVoidFunction (*vulkan_instance_proc)(VkInstance instance, const char *name);

#endif
