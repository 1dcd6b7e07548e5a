/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_vulkan.c - the queue launcher over the Vulkan driver.
 */
#include "launch/launch_queue.h"

static slip_status check(void)
{
    return vulkan_driver_table.check();
}

static const char *missing(void)
{
    return vulkan_driver_table.missing();
}

static uint32_t device_count(void)
{
    return vulkan_driver_table.device_count();
}

static slip_status info(uint32_t index, drv_info *out)
{
    return vulkan_driver_table.info(index, out);
}

static slip_status open_device(uint32_t index, void **out)
{
    return queue_device_open(&vulkan_driver_table, "vulkan", index, out);
}

const launcher launch_queue_vulkan = {
    .name = "vulkan",
    .check = check,
    .missing = missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    LAUNCH_QUEUE_SLOTS,
};
