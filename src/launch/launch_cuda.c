/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cuda.c - the stream launcher over the CUDA driver.
 */
#include "launch/launch_stream.h"

static const char *missing(void)
{
    return cuda_driver_table.missing();
}

static uint32_t device_count(void)
{
    return cuda_driver_table.device_count();
}

static slip_status info(uint32_t index, drv_info *out)
{
    return cuda_driver_table.info(index, out);
}

static slip_status open_device(uint32_t index, void **out)
{
    return lanes_device_open(&cuda_driver_table, "cuda", index, out);
}

const launcher launch_stream_cuda = {
    .name = "cuda",
    .missing = missing,
    .device_count = device_count,
    .info = info,
    .open = open_device,
    LAUNCH_STREAM_SLOTS,
};
