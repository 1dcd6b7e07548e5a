/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_api_test.c - our declarations of Vulkan are the official ones; every code has its status.
 */
#include <string.h>

#include "driver/vulkan_result.h"
#include "driver/vulkan_rows.h"
#include "driver/vulkan_symbols.h"
#include "support/check.h"

static const vulkan_row rows[] = { VULKAN_ROWS(VULKAN_NUMBER_ROW_, VULKAN_SIZE_ROW_,
                                               VULKAN_PLACE_ROW_) };

static void numbers_sizes_and_places_are_the_official_ones(void)
{
    size_t count = 0;
    const vulkan_row *official = vulkan_official_rows(&count);

    if (!official)
        check_skip("vulkan-headers", "there is no <vulkan/vulkan_core.h>");
    CHECK_EQ_U64(count, sizeof rows / sizeof rows[0]);
    for (size_t k = 0; k < count; k++) {
        CHECK_TEXT(rows[k].what, official[k].what);
        if (rows[k].value != official[k].value)
            CHECK_FAIL("%s: %lld here, %lld in the official header", rows[k].what,
                       (long long)rows[k].value, (long long)official[k].value);
    }
}

static void a_failed_call_is_recorded_with_its_name_and_code(void)
{
    CHECK_STATUS(vulkan_result_fail(VK_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory", "f.c", 3),
                 SLIP_ERR_MEMORY);
    CHECK_TEXT(fail_last()->message, "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    CHECK_TEXT(fail_last()->vendor_call, "vkAllocateMemory");
    CHECK_EQ_I64(fail_last()->vendor_code, -2);
    CHECK_STATUS(vulkan_result_fail((VkResult)-77, "vkX", "f.c", 3), SLIP_ERR_DEVICE);
    CHECK_CONTAINS(fail_last()->message, "vkX: a code without a name here (-77)");
}

static void codes_mean_what_a_caller_can_act_on(void)
{
    CHECK_EQ_I64(vulkan_result_status(VK_SUCCESS), SLIP_OK);
    CHECK_EQ_I64(vulkan_result_status(VK_ERROR_OUT_OF_HOST_MEMORY), SLIP_ERR_MEMORY);
    CHECK_EQ_I64(vulkan_result_status(VK_ERROR_TOO_MANY_OBJECTS), SLIP_ERR_MEMORY);
    CHECK_EQ_I64(vulkan_result_status(VK_ERROR_DEVICE_LOST), SLIP_ERR_LOST);
    CHECK_EQ_I64(vulkan_result_status(VK_ERROR_EXTENSION_NOT_PRESENT), SLIP_ERR_UNSUPPORTED);
    CHECK_EQ_I64(vulkan_result_status(VK_ERROR_INITIALIZATION_FAILED), SLIP_ERR_DEVICE);
    CHECK_EQ_I64(vulkan_result_status(VK_TIMEOUT), SLIP_ERR_TIMEOUT);
}

static const check_case cases[] = {
    CASE(numbers_sizes_and_places_are_the_official_ones),
    CASE(a_failed_call_is_recorded_with_its_name_and_code),
    CASE(codes_mean_what_a_caller_can_act_on),
};

CHECK_MAIN(cases)
