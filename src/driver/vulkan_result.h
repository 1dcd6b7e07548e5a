/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_result.h - what a VkResult means to us: one row per code.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_RESULT_H
#define SLIPWAY_DRIVER_VULKAN_RESULT_H

#include <slipway/status.h>

#include "driver/vulkan_api.h"

const char *vulkan_result_name(VkResult result); /* "VK_ERROR_DEVICE_LOST" */
slip_status vulkan_result_status(VkResult result);

/* Records that `call` (static) gave `result`, which is no success; returns its status. */
slip_status vulkan_result_fail(VkResult result, const char *call, const char *file, int line);

#endif
