/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream_table.c - the tables of the stream family: one per vendor, all slots shared but for which
 * library they begin with.
 */
#include "base/fail.h"
#include "driver/stream_device.h"

static uint32_t device_count(drv_once *once)
{
    void *made;

    if (drv_once_missing(once))
        return 0;
    return drv_once_get(once, &made) == SLIP_OK ? ((const stream_library *)made)->device_count : 0;
}

static slip_status info(drv_once *once, uint32_t index, drv_info *out)
{
    const stream_physical *physical;
    void *made;

    SLIP_TRY(drv_once_get(once, &made));
    SLIP_TRY(stream_library_device(made, index, &physical));
    *out = physical->info;
    return SLIP_OK;
}

static slip_status open_device(drv_once *once, uint32_t index, void **out)
{
    stream_device *device;
    void *made;

    SLIP_TRY(drv_once_get(once, &made));
    SLIP_TRY(stream_device_open(made, index, &device));
    *out = device;
    return SLIP_OK;
}

#define STREAM_VENDORS(X) X(cuda, "CUDA") X(hip, "HIP")

#define TABLE_(family, title)                                                                      \
    static drv_once family##_once =                                                                \
        DRV_ONCE_INIT(title, stream_library_make, stream_library_drop, &family##_vendor);          \
    static const char *family##_missing(void)                                                      \
    {                                                                                              \
        return drv_once_missing(&family##_once);                                                   \
    }                                                                                              \
    static uint32_t family##_device_count(void)                                                    \
    {                                                                                              \
        return device_count(&family##_once);                                                       \
    }                                                                                              \
    static slip_status family##_info(uint32_t index, drv_info *out)                                \
    {                                                                                              \
        return info(&family##_once, index, out);                                                   \
    }                                                                                              \
    static slip_status family##_open(uint32_t index, void **out)                                   \
    {                                                                                              \
        return open_device(&family##_once, index, out);                                            \
    }                                                                                              \
    const stream_driver family##_driver_table = {                                                  \
        .name = #family,                                                                           \
        .missing = family##_missing,                                                               \
        .device_count = family##_device_count,                                                     \
        .info = family##_info,                                                                     \
        .open = family##_open,                                                                     \
        STREAM_DRIVER_SLOTS,                                                                       \
    };

STREAM_VENDORS(TABLE_)

#define FORGET_(family, title) drv_once_forget(&family##_once);

void stream_table_forget(void)
{
    STREAM_VENDORS(FORGET_)
}
