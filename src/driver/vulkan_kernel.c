/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_kernel.c - compute pipelines: no descriptor sets, arguments by push constants and
 * addresses, a device's facts by specialisation constants.
 */
#include <inttypes.h>

#include "base/fail.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_words.h"

enum { MOST_PUSH_BYTES = 256 };

_Static_assert(sizeof(VkPipeline) == sizeof(void *), "queue_kernel.pipeline is a VkPipeline");

slip_status vulkan_layout_make(vulkan_device *device)
{
    uint32_t bytes = device->physical->properties.limits.maxPushConstantsSize;

    device->push_bytes = bytes > MOST_PUSH_BYTES ? MOST_PUSH_BYTES : bytes / 4 * 4;
    const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, device->push_bytes };
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    return VULKAN_CALL(device, vkCreatePipelineLayout, device->handle, &info, NULL,
                       &device->layout);
}

/* Values by SpecId. A row whose id the shader has not does nothing (clause 10.8). */
enum { SPEC_COUNT = 3 + QUEUE_NUMERIC_COUNT };

static void fill_spec(const vulkan_device *device, uint32_t local, uint64_t data,
                      VkSpecializationMapEntry rows[SPEC_COUNT], uint32_t values[SPEC_COUNT])
{
    for (uint32_t k = 0; k < SPEC_COUNT; k++)
        rows[k] = (VkSpecializationMapEntry){ k < 3 ? k : QUEUE_SPEC_NUMERIC + k - 3, 4 * k, 4 };
    values[QUEUE_SPEC_LOCAL] = local;
    values[QUEUE_SPEC_DATA_LOW] = (uint32_t)data;
    values[QUEUE_SPEC_DATA_HIGH] = (uint32_t)(data >> 32);
    for (uint32_t k = 0; k < QUEUE_NUMERIC_COUNT; k++)
        values[3 + k] = device->limits.numerics >> k & 1;
}

_Static_assert(QUEUE_SPEC_LOCAL == 0 && QUEUE_SPEC_DATA_LOW == 1 && QUEUE_SPEC_DATA_HIGH == 2,
               "the first three rows are these");

static slip_status make_pipeline(vulkan_device *device, VkShaderModule module, uint32_t local,
                                 uint64_t data, VkPipeline *out)
{
    VkSpecializationMapEntry rows[SPEC_COUNT];
    uint32_t values[SPEC_COUNT];
    VkPipeline made = NULL;

    fill_spec(device, local, data, rows, values);
    const VkSpecializationInfo spec = { SPEC_COUNT, rows, sizeof values, values };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module,
                   .pName = "main",
                   .pSpecializationInfo = &spec },
        .layout = device->layout,
        .basePipelineIndex = -1,
    };
    SLIP_TRY(VULKAN_CALL(device, vkCreateComputePipelines, device->handle, device->cache.handle, 1,
                         &info, NULL, &made));
    *out = made;
    return SLIP_OK;
}

static slip_status check_code(const vulkan_device *device, const queue_code *code,
                              uint32_t *out_local)
{
    uint32_t most = device->limits.max_local;

    if (code->push_bytes > device->push_bytes)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "a shader has %u bytes of push constants, and the device takes %u",
                         code->push_bytes, device->push_bytes);
    if (code->local > most && code->local_fixed)
        return SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                         "a shader needs %u invocations a workgroup, and the device has at most %u",
                         code->local, most);
    *out_local = code->local > most ? most : code->local;
    return SLIP_OK;
}

slip_status vulkan_kernel_new(vulkan_device *device, const queue_code *code, uint64_t data,
                              queue_kernel *out)
{
    vulkan_words words = { 0 };
    VkShaderModule module = NULL;
    VkPipeline pipeline = NULL;
    uint32_t local = 0;

    SLIP_TRY(vulkan_device_alive(device));
    SLIP_TRY(check_code(device, code, &local));
    SLIP_TRY(vulkan_words_fit(code->words, code->bytes, device->physical->floats, &words));
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = words.count * sizeof *words.data,
        .pCode = words.data,
    };
    slip_status status =
        VULKAN_CALL(device, vkCreateShaderModule, device->handle, &info, NULL, &module);
    vulkan_words_finish(&words);
    if (status != SLIP_OK)
        return status;
    status = make_pipeline(device, module, local, data, &pipeline);
    device->vk.vkDestroyShaderModule(device->handle, module, NULL);
    if (status != SLIP_OK)
        return status;
    *out = (queue_kernel){ .pipeline = pipeline, .local = local };
    return SLIP_OK;
}

void vulkan_kernel_drop(vulkan_device *device, queue_kernel *kernel)
{
    if (!device->forked)
        device->vk.vkDestroyPipeline(device->handle, kernel->pipeline, NULL);
    *kernel = (queue_kernel){ 0 };
}
