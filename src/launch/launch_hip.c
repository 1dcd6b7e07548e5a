/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_hip.c - the stream launcher over the HIP driver.
 */
#include "launch/launch_stream.h"

static const char *missing(void)
{
    return hip_driver_table.missing();
}

static uint32_t device_count(void)
{
    return hip_driver_table.device_count();
}

static slip_status info(uint32_t index, drv_info *out)
{
    return hip_driver_table.info(index, out);
}

static slip_status open_device(uint32_t index, void **out)
{
    return lanes_device_open(&hip_driver_table, "hip", index, out);
}

const launcher launch_stream_hip = {
    .name = "hip",
    .missing = missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    LAUNCH_STREAM_SLOTS,
};
