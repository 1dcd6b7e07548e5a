/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_rows.h - every number, size and place of src/driver/vulkan_api.h, as rows. Included once
 * with our declarations and once with the official ones.
 */
#ifndef SLIPWAY_TESTS_DRIVER_VULKAN_ROWS_H
#define SLIPWAY_TESTS_DRIVER_VULKAN_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct vulkan_row {
    const char *what;
    int64_t value;
} vulkan_row;

/* The official values; NULL where the official header is not here. */
const vulkan_row *vulkan_official_rows(size_t *out_count);

/* clang-format off */
#define VULKAN_ROWS(NUMBER, SIZE, PLACE) \
    NUMBER(VK_TRUE) \
    NUMBER(VK_FALSE) \
    NUMBER(VK_WHOLE_SIZE) \
    NUMBER(VK_API_VERSION_1_2) \
    NUMBER(VK_SUCCESS) \
    NUMBER(VK_NOT_READY) \
    NUMBER(VK_TIMEOUT) \
    NUMBER(VK_INCOMPLETE) \
    NUMBER(VK_ERROR_OUT_OF_HOST_MEMORY) \
    NUMBER(VK_ERROR_OUT_OF_DEVICE_MEMORY) \
    NUMBER(VK_ERROR_INITIALIZATION_FAILED) \
    NUMBER(VK_ERROR_DEVICE_LOST) \
    NUMBER(VK_ERROR_MEMORY_MAP_FAILED) \
    NUMBER(VK_ERROR_LAYER_NOT_PRESENT) \
    NUMBER(VK_ERROR_EXTENSION_NOT_PRESENT) \
    NUMBER(VK_ERROR_FEATURE_NOT_PRESENT) \
    NUMBER(VK_ERROR_INCOMPATIBLE_DRIVER) \
    NUMBER(VK_ERROR_TOO_MANY_OBJECTS) \
    NUMBER(VK_ERROR_FRAGMENTED_POOL) \
    NUMBER(VK_ERROR_UNKNOWN) \
    NUMBER(VK_ERROR_OUT_OF_POOL_MEMORY) \
    NUMBER(VK_ERROR_FRAGMENTATION) \
    NUMBER(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS) \
    NUMBER(VK_ERROR_VALIDATION_FAILED_EXT) \
    NUMBER(VK_ERROR_INVALID_SHADER_NV) \
    NUMBER(VK_STRUCTURE_TYPE_APPLICATION_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_SUBMIT_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_MEMORY_BARRIER) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) \
    NUMBER(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) \
    NUMBER(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO) \
    NUMBER(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT) \
    NUMBER(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES) \
    NUMBER(VK_DRIVER_ID_MESA_LLVMPIPE) \
    NUMBER(VK_PHYSICAL_DEVICE_TYPE_OTHER) \
    NUMBER(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU) \
    NUMBER(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) \
    NUMBER(VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU) \
    NUMBER(VK_PHYSICAL_DEVICE_TYPE_CPU) \
    NUMBER(VK_SHARING_MODE_EXCLUSIVE) \
    NUMBER(VK_COMMAND_BUFFER_LEVEL_PRIMARY) \
    NUMBER(VK_PIPELINE_BIND_POINT_COMPUTE) \
    NUMBER(VK_SEMAPHORE_TYPE_TIMELINE) \
    NUMBER(VK_PIPELINE_CACHE_HEADER_VERSION_ONE) \
    NUMBER(VK_SHADER_STAGE_COMPUTE_BIT) \
    NUMBER(VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT) \
    NUMBER(VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT) \
    NUMBER(VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) \
    NUMBER(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) \
    NUMBER(VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR) \
    NUMBER(VK_QUEUE_GRAPHICS_BIT) \
    NUMBER(VK_QUEUE_COMPUTE_BIT) \
    NUMBER(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) \
    NUMBER(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) \
    NUMBER(VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) \
    NUMBER(VK_MEMORY_PROPERTY_HOST_CACHED_BIT) \
    NUMBER(VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) \
    NUMBER(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT) \
    NUMBER(VK_BUFFER_USAGE_TRANSFER_SRC_BIT) \
    NUMBER(VK_BUFFER_USAGE_TRANSFER_DST_BIT) \
    NUMBER(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) \
    NUMBER(VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) \
    NUMBER(VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT) \
    NUMBER(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) \
    NUMBER(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) \
    NUMBER(VK_PIPELINE_STAGE_TRANSFER_BIT) \
    NUMBER(VK_PIPELINE_STAGE_HOST_BIT) \
    NUMBER(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT) \
    NUMBER(VK_ACCESS_SHADER_READ_BIT) \
    NUMBER(VK_ACCESS_SHADER_WRITE_BIT) \
    NUMBER(VK_ACCESS_TRANSFER_READ_BIT) \
    NUMBER(VK_ACCESS_TRANSFER_WRITE_BIT) \
    NUMBER(VK_ACCESS_HOST_READ_BIT) \
    NUMBER(VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT) \
    NUMBER(VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) \
    NUMBER(VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT) \
    NUMBER(VK_MAX_EXTENSION_NAME_SIZE) \
    NUMBER(VK_MAX_DESCRIPTION_SIZE) \
    NUMBER(VK_MAX_PHYSICAL_DEVICE_NAME_SIZE) \
    NUMBER(VK_MAX_DRIVER_NAME_SIZE) \
    NUMBER(VK_MAX_DRIVER_INFO_SIZE) \
    NUMBER(VK_MAX_MEMORY_TYPES) \
    NUMBER(VK_MAX_MEMORY_HEAPS) \
    NUMBER(VK_UUID_SIZE) \
    SIZE(VkBool32) \
    SIZE(VkFlags) \
    SIZE(VkDeviceSize) \
    SIZE(VkDeviceAddress) \
    SIZE(VkResult) \
    SIZE(VkStructureType) \
    SIZE(VkInstance) \
    SIZE(VkPhysicalDevice) \
    SIZE(VkDevice) \
    SIZE(VkQueue) \
    SIZE(VkCommandBuffer) \
    SIZE(VkBuffer) \
    SIZE(VkDeviceMemory) \
    SIZE(VkSemaphore) \
    SIZE(VkFence) \
    SIZE(VkShaderModule) \
    SIZE(VkPipelineCache) \
    SIZE(VkPipelineLayout) \
    SIZE(VkPipeline) \
    SIZE(VkCommandPool) \
    SIZE(VkDescriptorSetLayout) \
    SIZE(VkDebugUtilsMessengerEXT) \
    SIZE(VkApplicationInfo) \
    PLACE(VkApplicationInfo, sType) \
    PLACE(VkApplicationInfo, pNext) \
    PLACE(VkApplicationInfo, pApplicationName) \
    PLACE(VkApplicationInfo, applicationVersion) \
    PLACE(VkApplicationInfo, pEngineName) \
    PLACE(VkApplicationInfo, engineVersion) \
    PLACE(VkApplicationInfo, apiVersion) \
    SIZE(VkInstanceCreateInfo) \
    PLACE(VkInstanceCreateInfo, sType) \
    PLACE(VkInstanceCreateInfo, pNext) \
    PLACE(VkInstanceCreateInfo, flags) \
    PLACE(VkInstanceCreateInfo, pApplicationInfo) \
    PLACE(VkInstanceCreateInfo, enabledLayerCount) \
    PLACE(VkInstanceCreateInfo, ppEnabledLayerNames) \
    PLACE(VkInstanceCreateInfo, enabledExtensionCount) \
    PLACE(VkInstanceCreateInfo, ppEnabledExtensionNames) \
    SIZE(VkExtensionProperties) \
    PLACE(VkExtensionProperties, extensionName) \
    PLACE(VkExtensionProperties, specVersion) \
    SIZE(VkLayerProperties) \
    PLACE(VkLayerProperties, layerName) \
    PLACE(VkLayerProperties, specVersion) \
    PLACE(VkLayerProperties, implementationVersion) \
    PLACE(VkLayerProperties, description) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, sType) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, pNext) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, flags) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, pMessageIdName) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, messageIdNumber) \
    PLACE(VkDebugUtilsMessengerCallbackDataEXT, pMessage) \
    SIZE(VkDebugUtilsMessengerCreateInfoEXT) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, sType) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, pNext) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, flags) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, messageSeverity) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, messageType) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, pfnUserCallback) \
    PLACE(VkDebugUtilsMessengerCreateInfoEXT, pUserData) \
    SIZE(VkValidationFeaturesEXT) \
    PLACE(VkValidationFeaturesEXT, sType) \
    PLACE(VkValidationFeaturesEXT, pNext) \
    PLACE(VkValidationFeaturesEXT, enabledValidationFeatureCount) \
    PLACE(VkValidationFeaturesEXT, pEnabledValidationFeatures) \
    PLACE(VkValidationFeaturesEXT, disabledValidationFeatureCount) \
    PLACE(VkValidationFeaturesEXT, pDisabledValidationFeatures) \
    SIZE(VkPhysicalDeviceLimits) \
    PLACE(VkPhysicalDeviceLimits, maxPushConstantsSize) \
    PLACE(VkPhysicalDeviceLimits, maxMemoryAllocationCount) \
    PLACE(VkPhysicalDeviceLimits, bufferImageGranularity) \
    PLACE(VkPhysicalDeviceLimits, maxComputeWorkGroupCount) \
    PLACE(VkPhysicalDeviceLimits, maxComputeWorkGroupInvocations) \
    PLACE(VkPhysicalDeviceLimits, maxComputeWorkGroupSize) \
    SIZE(VkPhysicalDeviceSparseProperties) \
    SIZE(VkPhysicalDeviceProperties) \
    PLACE(VkPhysicalDeviceProperties, apiVersion) \
    PLACE(VkPhysicalDeviceProperties, driverVersion) \
    PLACE(VkPhysicalDeviceProperties, vendorID) \
    PLACE(VkPhysicalDeviceProperties, deviceID) \
    PLACE(VkPhysicalDeviceProperties, deviceType) \
    PLACE(VkPhysicalDeviceProperties, deviceName) \
    PLACE(VkPhysicalDeviceProperties, pipelineCacheUUID) \
    PLACE(VkPhysicalDeviceProperties, limits) \
    PLACE(VkPhysicalDeviceProperties, sparseProperties) \
    SIZE(VkPhysicalDeviceProperties2) \
    PLACE(VkPhysicalDeviceProperties2, sType) \
    PLACE(VkPhysicalDeviceProperties2, pNext) \
    PLACE(VkPhysicalDeviceProperties2, properties) \
    SIZE(VkPhysicalDeviceVulkan11Properties) \
    PLACE(VkPhysicalDeviceVulkan11Properties, sType) \
    PLACE(VkPhysicalDeviceVulkan11Properties, pNext) \
    PLACE(VkPhysicalDeviceVulkan11Properties, maxMemoryAllocationSize) \
    SIZE(VkPhysicalDeviceVulkan12Properties) \
    PLACE(VkPhysicalDeviceVulkan12Properties, sType) \
    PLACE(VkPhysicalDeviceVulkan12Properties, pNext) \
    PLACE(VkPhysicalDeviceVulkan12Properties, driverID) \
    PLACE(VkPhysicalDeviceVulkan12Properties, driverName) \
    PLACE(VkPhysicalDeviceVulkan12Properties, driverInfo) \
    PLACE(VkPhysicalDeviceVulkan12Properties, conformanceVersion) \
    PLACE(VkPhysicalDeviceVulkan12Properties, denormBehaviorIndependence) \
    PLACE(VkPhysicalDeviceVulkan12Properties, roundingModeIndependence) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat16) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat32) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderSignedZeroInfNanPreserveFloat64) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat16) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat32) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormPreserveFloat64) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat16) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat32) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderDenormFlushToZeroFloat64) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat16) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat32) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTEFloat64) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat16) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat32) \
    PLACE(VkPhysicalDeviceVulkan12Properties, shaderRoundingModeRTZFloat64) \
    PLACE(VkPhysicalDeviceVulkan12Properties, maxTimelineSemaphoreValueDifference) \
    SIZE(VkPhysicalDeviceMaintenance4Properties) \
    PLACE(VkPhysicalDeviceMaintenance4Properties, sType) \
    PLACE(VkPhysicalDeviceMaintenance4Properties, pNext) \
    PLACE(VkPhysicalDeviceMaintenance4Properties, maxBufferSize) \
    SIZE(VkPhysicalDeviceFeatures) \
    PLACE(VkPhysicalDeviceFeatures, shaderFloat64) \
    PLACE(VkPhysicalDeviceFeatures, shaderInt64) \
    PLACE(VkPhysicalDeviceFeatures, shaderInt16) \
    SIZE(VkPhysicalDeviceFeatures2) \
    PLACE(VkPhysicalDeviceFeatures2, sType) \
    PLACE(VkPhysicalDeviceFeatures2, pNext) \
    PLACE(VkPhysicalDeviceFeatures2, features) \
    SIZE(VkPhysicalDeviceVulkan11Features) \
    PLACE(VkPhysicalDeviceVulkan11Features, sType) \
    PLACE(VkPhysicalDeviceVulkan11Features, pNext) \
    PLACE(VkPhysicalDeviceVulkan11Features, storageBuffer16BitAccess) \
    SIZE(VkPhysicalDeviceVulkan12Features) \
    PLACE(VkPhysicalDeviceVulkan12Features, sType) \
    PLACE(VkPhysicalDeviceVulkan12Features, pNext) \
    PLACE(VkPhysicalDeviceVulkan12Features, storageBuffer8BitAccess) \
    PLACE(VkPhysicalDeviceVulkan12Features, shaderBufferInt64Atomics) \
    PLACE(VkPhysicalDeviceVulkan12Features, shaderInt8) \
    PLACE(VkPhysicalDeviceVulkan12Features, timelineSemaphore) \
    PLACE(VkPhysicalDeviceVulkan12Features, bufferDeviceAddress) \
    SIZE(VkQueueFamilyProperties) \
    PLACE(VkQueueFamilyProperties, queueFlags) \
    PLACE(VkQueueFamilyProperties, queueCount) \
    PLACE(VkQueueFamilyProperties, timestampValidBits) \
    PLACE(VkQueueFamilyProperties, minImageTransferGranularity) \
    SIZE(VkMemoryType) \
    PLACE(VkMemoryType, propertyFlags) \
    PLACE(VkMemoryType, heapIndex) \
    SIZE(VkMemoryHeap) \
    PLACE(VkMemoryHeap, size) \
    PLACE(VkMemoryHeap, flags) \
    SIZE(VkPhysicalDeviceMemoryProperties) \
    PLACE(VkPhysicalDeviceMemoryProperties, memoryTypeCount) \
    PLACE(VkPhysicalDeviceMemoryProperties, memoryTypes) \
    PLACE(VkPhysicalDeviceMemoryProperties, memoryHeapCount) \
    PLACE(VkPhysicalDeviceMemoryProperties, memoryHeaps) \
    SIZE(VkDeviceQueueCreateInfo) \
    PLACE(VkDeviceQueueCreateInfo, sType) \
    PLACE(VkDeviceQueueCreateInfo, pNext) \
    PLACE(VkDeviceQueueCreateInfo, flags) \
    PLACE(VkDeviceQueueCreateInfo, queueFamilyIndex) \
    PLACE(VkDeviceQueueCreateInfo, queueCount) \
    PLACE(VkDeviceQueueCreateInfo, pQueuePriorities) \
    SIZE(VkDeviceCreateInfo) \
    PLACE(VkDeviceCreateInfo, sType) \
    PLACE(VkDeviceCreateInfo, pNext) \
    PLACE(VkDeviceCreateInfo, flags) \
    PLACE(VkDeviceCreateInfo, queueCreateInfoCount) \
    PLACE(VkDeviceCreateInfo, pQueueCreateInfos) \
    PLACE(VkDeviceCreateInfo, enabledLayerCount) \
    PLACE(VkDeviceCreateInfo, ppEnabledLayerNames) \
    PLACE(VkDeviceCreateInfo, enabledExtensionCount) \
    PLACE(VkDeviceCreateInfo, ppEnabledExtensionNames) \
    PLACE(VkDeviceCreateInfo, pEnabledFeatures) \
    SIZE(VkBufferCreateInfo) \
    PLACE(VkBufferCreateInfo, sType) \
    PLACE(VkBufferCreateInfo, pNext) \
    PLACE(VkBufferCreateInfo, flags) \
    PLACE(VkBufferCreateInfo, size) \
    PLACE(VkBufferCreateInfo, usage) \
    PLACE(VkBufferCreateInfo, sharingMode) \
    PLACE(VkBufferCreateInfo, queueFamilyIndexCount) \
    PLACE(VkBufferCreateInfo, pQueueFamilyIndices) \
    SIZE(VkMemoryRequirements) \
    PLACE(VkMemoryRequirements, size) \
    PLACE(VkMemoryRequirements, alignment) \
    PLACE(VkMemoryRequirements, memoryTypeBits) \
    SIZE(VkMemoryAllocateInfo) \
    PLACE(VkMemoryAllocateInfo, sType) \
    PLACE(VkMemoryAllocateInfo, pNext) \
    PLACE(VkMemoryAllocateInfo, allocationSize) \
    PLACE(VkMemoryAllocateInfo, memoryTypeIndex) \
    SIZE(VkMemoryAllocateFlagsInfo) \
    PLACE(VkMemoryAllocateFlagsInfo, sType) \
    PLACE(VkMemoryAllocateFlagsInfo, pNext) \
    PLACE(VkMemoryAllocateFlagsInfo, flags) \
    PLACE(VkMemoryAllocateFlagsInfo, deviceMask) \
    SIZE(VkBufferDeviceAddressInfo) \
    PLACE(VkBufferDeviceAddressInfo, sType) \
    PLACE(VkBufferDeviceAddressInfo, pNext) \
    PLACE(VkBufferDeviceAddressInfo, buffer) \
    SIZE(VkShaderModuleCreateInfo) \
    PLACE(VkShaderModuleCreateInfo, sType) \
    PLACE(VkShaderModuleCreateInfo, pNext) \
    PLACE(VkShaderModuleCreateInfo, flags) \
    PLACE(VkShaderModuleCreateInfo, codeSize) \
    PLACE(VkShaderModuleCreateInfo, pCode) \
    SIZE(VkPipelineCacheCreateInfo) \
    PLACE(VkPipelineCacheCreateInfo, sType) \
    PLACE(VkPipelineCacheCreateInfo, pNext) \
    PLACE(VkPipelineCacheCreateInfo, flags) \
    PLACE(VkPipelineCacheCreateInfo, initialDataSize) \
    PLACE(VkPipelineCacheCreateInfo, pInitialData) \
    SIZE(VkPipelineCacheHeaderVersionOne) \
    PLACE(VkPipelineCacheHeaderVersionOne, headerSize) \
    PLACE(VkPipelineCacheHeaderVersionOne, headerVersion) \
    PLACE(VkPipelineCacheHeaderVersionOne, vendorID) \
    PLACE(VkPipelineCacheHeaderVersionOne, deviceID) \
    PLACE(VkPipelineCacheHeaderVersionOne, pipelineCacheUUID) \
    SIZE(VkSpecializationMapEntry) \
    PLACE(VkSpecializationMapEntry, constantID) \
    PLACE(VkSpecializationMapEntry, offset) \
    PLACE(VkSpecializationMapEntry, size) \
    SIZE(VkSpecializationInfo) \
    PLACE(VkSpecializationInfo, mapEntryCount) \
    PLACE(VkSpecializationInfo, pMapEntries) \
    PLACE(VkSpecializationInfo, dataSize) \
    PLACE(VkSpecializationInfo, pData) \
    SIZE(VkPipelineShaderStageCreateInfo) \
    PLACE(VkPipelineShaderStageCreateInfo, sType) \
    PLACE(VkPipelineShaderStageCreateInfo, pNext) \
    PLACE(VkPipelineShaderStageCreateInfo, flags) \
    PLACE(VkPipelineShaderStageCreateInfo, stage) \
    PLACE(VkPipelineShaderStageCreateInfo, module) \
    PLACE(VkPipelineShaderStageCreateInfo, pName) \
    PLACE(VkPipelineShaderStageCreateInfo, pSpecializationInfo) \
    SIZE(VkComputePipelineCreateInfo) \
    PLACE(VkComputePipelineCreateInfo, sType) \
    PLACE(VkComputePipelineCreateInfo, pNext) \
    PLACE(VkComputePipelineCreateInfo, flags) \
    PLACE(VkComputePipelineCreateInfo, stage) \
    PLACE(VkComputePipelineCreateInfo, layout) \
    PLACE(VkComputePipelineCreateInfo, basePipelineHandle) \
    PLACE(VkComputePipelineCreateInfo, basePipelineIndex) \
    SIZE(VkPushConstantRange) \
    PLACE(VkPushConstantRange, stageFlags) \
    PLACE(VkPushConstantRange, offset) \
    PLACE(VkPushConstantRange, size) \
    SIZE(VkPipelineLayoutCreateInfo) \
    PLACE(VkPipelineLayoutCreateInfo, sType) \
    PLACE(VkPipelineLayoutCreateInfo, pNext) \
    PLACE(VkPipelineLayoutCreateInfo, flags) \
    PLACE(VkPipelineLayoutCreateInfo, setLayoutCount) \
    PLACE(VkPipelineLayoutCreateInfo, pSetLayouts) \
    PLACE(VkPipelineLayoutCreateInfo, pushConstantRangeCount) \
    PLACE(VkPipelineLayoutCreateInfo, pPushConstantRanges) \
    SIZE(VkSemaphoreCreateInfo) \
    PLACE(VkSemaphoreCreateInfo, sType) \
    PLACE(VkSemaphoreCreateInfo, pNext) \
    PLACE(VkSemaphoreCreateInfo, flags) \
    SIZE(VkSemaphoreTypeCreateInfo) \
    PLACE(VkSemaphoreTypeCreateInfo, sType) \
    PLACE(VkSemaphoreTypeCreateInfo, pNext) \
    PLACE(VkSemaphoreTypeCreateInfo, semaphoreType) \
    PLACE(VkSemaphoreTypeCreateInfo, initialValue) \
    SIZE(VkSemaphoreWaitInfo) \
    PLACE(VkSemaphoreWaitInfo, sType) \
    PLACE(VkSemaphoreWaitInfo, pNext) \
    PLACE(VkSemaphoreWaitInfo, flags) \
    PLACE(VkSemaphoreWaitInfo, semaphoreCount) \
    PLACE(VkSemaphoreWaitInfo, pSemaphores) \
    PLACE(VkSemaphoreWaitInfo, pValues) \
    SIZE(VkCommandPoolCreateInfo) \
    PLACE(VkCommandPoolCreateInfo, sType) \
    PLACE(VkCommandPoolCreateInfo, pNext) \
    PLACE(VkCommandPoolCreateInfo, flags) \
    PLACE(VkCommandPoolCreateInfo, queueFamilyIndex) \
    SIZE(VkCommandBufferAllocateInfo) \
    PLACE(VkCommandBufferAllocateInfo, sType) \
    PLACE(VkCommandBufferAllocateInfo, pNext) \
    PLACE(VkCommandBufferAllocateInfo, commandPool) \
    PLACE(VkCommandBufferAllocateInfo, level) \
    PLACE(VkCommandBufferAllocateInfo, commandBufferCount) \
    SIZE(VkCommandBufferBeginInfo) \
    PLACE(VkCommandBufferBeginInfo, sType) \
    PLACE(VkCommandBufferBeginInfo, pNext) \
    PLACE(VkCommandBufferBeginInfo, flags) \
    PLACE(VkCommandBufferBeginInfo, pInheritanceInfo) \
    SIZE(VkBufferCopy) \
    PLACE(VkBufferCopy, srcOffset) \
    PLACE(VkBufferCopy, dstOffset) \
    PLACE(VkBufferCopy, size) \
    SIZE(VkMemoryBarrier) \
    PLACE(VkMemoryBarrier, sType) \
    PLACE(VkMemoryBarrier, pNext) \
    PLACE(VkMemoryBarrier, srcAccessMask) \
    PLACE(VkMemoryBarrier, dstAccessMask) \
    SIZE(VkTimelineSemaphoreSubmitInfo) \
    PLACE(VkTimelineSemaphoreSubmitInfo, sType) \
    PLACE(VkTimelineSemaphoreSubmitInfo, pNext) \
    PLACE(VkTimelineSemaphoreSubmitInfo, waitSemaphoreValueCount) \
    PLACE(VkTimelineSemaphoreSubmitInfo, pWaitSemaphoreValues) \
    PLACE(VkTimelineSemaphoreSubmitInfo, signalSemaphoreValueCount) \
    PLACE(VkTimelineSemaphoreSubmitInfo, pSignalSemaphoreValues) \
    SIZE(VkSubmitInfo) \
    PLACE(VkSubmitInfo, sType) \
    PLACE(VkSubmitInfo, pNext) \
    PLACE(VkSubmitInfo, waitSemaphoreCount) \
    PLACE(VkSubmitInfo, pWaitSemaphores) \
    PLACE(VkSubmitInfo, pWaitDstStageMask) \
    PLACE(VkSubmitInfo, commandBufferCount) \
    PLACE(VkSubmitInfo, pCommandBuffers) \
    PLACE(VkSubmitInfo, signalSemaphoreCount) \
    PLACE(VkSubmitInfo, pSignalSemaphores)
/* clang-format on */

#define VULKAN_NUMBER_ROW_(name) { #name, (int64_t)name },
#define VULKAN_SIZE_ROW_(type) { "sizeof " #type, (int64_t)sizeof(type) },
#define VULKAN_PLACE_ROW_(type, member)                                                            \
    { #type "." #member, (int64_t)(offsetof(type, member) * 4096 + sizeof((type *)0)->member) },

#endif
