/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_result.c - the codes that Vulkan's calls return, and the status of each.
 */
#include "driver/vulkan_result.h"

#include "base/fail.h"

/* Clause 3.7.3, "Return Codes". A success code other than VK_SUCCESS, where it was not asked for,
 * is a failure of the driver. */
#define VULKAN_RESULTS(X)                                                                          \
    X(VK_SUCCESS, SLIP_OK)                                                                         \
    X(VK_NOT_READY, SLIP_ERR_DEVICE)                                                               \
    X(VK_TIMEOUT, SLIP_ERR_TIMEOUT)                                                                \
    X(VK_INCOMPLETE, SLIP_ERR_DEVICE)                                                              \
    X(VK_ERROR_OUT_OF_HOST_MEMORY, SLIP_ERR_MEMORY)                                                \
    X(VK_ERROR_OUT_OF_DEVICE_MEMORY, SLIP_ERR_MEMORY)                                              \
    X(VK_ERROR_INITIALIZATION_FAILED, SLIP_ERR_DEVICE)                                             \
    X(VK_ERROR_DEVICE_LOST, SLIP_ERR_LOST)                                                         \
    X(VK_ERROR_MEMORY_MAP_FAILED, SLIP_ERR_MEMORY)                                                 \
    X(VK_ERROR_LAYER_NOT_PRESENT, SLIP_ERR_UNSUPPORTED)                                            \
    X(VK_ERROR_EXTENSION_NOT_PRESENT, SLIP_ERR_UNSUPPORTED)                                        \
    X(VK_ERROR_FEATURE_NOT_PRESENT, SLIP_ERR_UNSUPPORTED)                                          \
    X(VK_ERROR_INCOMPATIBLE_DRIVER, SLIP_ERR_UNSUPPORTED)                                          \
    X(VK_ERROR_TOO_MANY_OBJECTS, SLIP_ERR_MEMORY)                                                  \
    X(VK_ERROR_FRAGMENTED_POOL, SLIP_ERR_MEMORY)                                                   \
    X(VK_ERROR_UNKNOWN, SLIP_ERR_DEVICE)                                                           \
    X(VK_ERROR_OUT_OF_POOL_MEMORY, SLIP_ERR_MEMORY)                                                \
    X(VK_ERROR_FRAGMENTATION, SLIP_ERR_MEMORY)                                                     \
    X(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, SLIP_ERR_DEVICE)                                    \
    X(VK_ERROR_VALIDATION_FAILED_EXT, SLIP_ERR_DEVICE)                                             \
    X(VK_ERROR_INVALID_SHADER_NV, SLIP_ERR_FORMAT)

static const struct {
    VkResult result;
    slip_status status;
    const char *name;
} rows[] = {
#define ROW_(result, status) { result, status, #result },
    VULKAN_RESULTS(ROW_)
#undef ROW_
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const char *vulkan_result_name(VkResult result)
{
    for (size_t k = 0; k < ROW_COUNT; k++)
        if (rows[k].result == result)
            return rows[k].name;
    return "a code without a name here";
}

slip_status vulkan_result_status(VkResult result)
{
    for (size_t k = 0; k < ROW_COUNT; k++)
        if (rows[k].result == result)
            return rows[k].status;
    return SLIP_ERR_DEVICE;
}

slip_status vulkan_result_fail(VkResult result, const char *call, const char *file, int line)
{
    slip_status status = vulkan_result_status(result);

    return fail_native(status, file, line, (int32_t)result, call,
                       status == SLIP_ERR_LOST ? "the device is lost, as %s tells: %s (%d)"
                                               : "%s: %s (%d)",
                       call, vulkan_result_name(result), (int)result);
}
