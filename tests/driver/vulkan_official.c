/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_official.c - the official header's numbers, sizes and places; and, when it is compiled,
 * that our table of entry points has the official types.
 */
#include "driver/vulkan_rows.h"

#if __has_include(<vulkan/vulkan_core.h>)

#include <vulkan/vulkan_core.h>

#define SLIPWAY_DRIVER_VULKAN_API_H /* the official declarations stand in for ours */
#include "driver/vulkan_symbols.h"

#define SAME_R_(name, params, args)                                                                \
    _Static_assert(_Generic((PFN_##name)0, VkResult(*) params : 1, default : 0), #name);
#define SAME_O_(type, name, params, args)                                                          \
    _Static_assert(_Generic((PFN_##name)0, type(*) params : 1, default : 0), #name);

VULKAN_GLOBAL_SYMBOLS(SAME_R_, SAME_O_)
VULKAN_INSTANCE_SYMBOLS(SAME_R_, SAME_O_)
VULKAN_OPTIONAL_SYMBOLS(SAME_R_, SAME_O_)
VULKAN_DEVICE_SYMBOLS(SAME_R_, SAME_O_)

static const vulkan_row rows[] = { VULKAN_ROWS(VULKAN_NUMBER_ROW_, VULKAN_SIZE_ROW_,
                                               VULKAN_PLACE_ROW_) };

const vulkan_row *vulkan_official_rows(size_t *out_count)
{
    *out_count = sizeof rows / sizeof rows[0];
    return rows;
}

#else

const vulkan_row *vulkan_official_rows(size_t *out_count)
{
    *out_count = 0;
    return NULL;
}

#endif
