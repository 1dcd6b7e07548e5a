/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lost_test.c - field case 65: a Vulkan device that is lost in the middle of work.
 *
 * No device here can be made to hang, so that the shim of tests/driver says of a call that it was
 * lost. What is lost is told for good: by every later call, at no wait; the device can be closed,
 * and one opened afterwards works.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "cases.h"
#include "driver/vulkan_shim.h"

#include "kernels.slip.h"

enum { N = 1024, BATCH = 50 };

static const char *const path = CHECK_BUILD "/driver_shaders/libvulkan_shim.so";

/* The state of the shim, which is put in the driver's way before it is first asked for anything. */
static vulkan_shim *shim_between(void)
{
    if (access(path, R_OK) != 0)
        check_skip("vulkan", "the build has no shim");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    vulkan_shim *shim = dlsym(library, "vulkan_shim_state");
    CHECK(shim != NULL);
    setenv("SLIPWAY_VULKAN_LIBRARY", path, 1);
    return shim;
}

static int32_t sent[N], got[N];

/* One call of each kind on a lost device. */
static void check_stays_lost(slip_stream *on, slip_event *event, void *memory)
{
    void *more = NULL;
    int64_t sum = -1;

    CHECK_RESULT(iota(on, N, memory), SLIP_ERR_LOST);
    CHECK_CONTAINS(slip_last_error()->message, "lost");
    CHECK_CONTAINS(slip_last_error()->message, "slow_fill");
    CHECK_RESULT(total_i32(on, N, memory, &sum), SLIP_ERR_LOST);
    CHECK_EQ_I64(sum, -1);
    CHECK_RESULT(slip_upload(on, memory, sent, sizeof sent), SLIP_ERR_LOST);
    CHECK_RESULT(slip_download(on, got, memory, sizeof got), SLIP_ERR_LOST);
    CHECK_RESULT(slip_stream_sync(on), SLIP_ERR_LOST);
    CHECK_RESULT(slip_device_sync(device), SLIP_ERR_LOST);
    CHECK_RESULT(slip_event_record(event, on), SLIP_ERR_LOST);
    CHECK_RESULT(slip_alloc(device, UINT64_C(100) << 20, &more), SLIP_ERR_LOST);
    CHECK_CONTAINS(slip_last_error()->message, "lost");
    CHECK(more == NULL);
}

/* Short kernels in one batch, then the host waits; the call named is the one that says lost. */
static void lose_at(vulkan_shim *shim, const char *call)
{
    slip_stream *on = NULL;
    slip_event *event = NULL;
    void *memory = NULL;
    slip_status status = SLIP_OK;

    *shim = (vulkan_shim){ .result = VK_ERROR_DEVICE_LOST };
    device = open_device();
    OK(slip_stream_create(device, &on));
    OK(slip_event_create(device, &event));
    OK(slip_alloc(device, N * 4, &memory));
    OK(iota(on, N, memory));
    OK(slip_stream_sync(on));
    shim->only = call;
    shim->calls = 0;
    shim->fail_at = 1;
    for (int k = 0; k < BATCH && status == SLIP_OK; k++)
        status = slow_fill(on, N, k, 10, memory);
    if (status == SLIP_OK)
        status = slip_stream_sync(on);
    CHECK_RESULT(status, SLIP_ERR_LOST);
    CHECK_TEXT(shim->failed, call);
    CHECK_CONTAINS(slip_last_error()->message, "not known to have ended, oldest first: ");
    CHECK_CONTAINS(slip_last_error()->message, "slow_fill");
    check_stays_lost(on, event, memory);
    slip_free(device, memory);
    slip_event_destroy(event);
    slip_stream_destroy(on);
    slip_device_close(device);
}

static void check_works(void)
{
    device = open_device();
    memset(got, 0xff, sizeof got);
    OK(iota(slip_default(device), N, got));
    CHECK_EQ_I64(sum_of(slip_default(device), N, got), 523776);
    slip_device_close(device);
}

static void case_65_a_lost_device_stays_lost_and_the_next_one_works(void)
{
    static const char *const calls[] = { "vkQueueSubmit", "vkWaitSemaphores" };
    vulkan_shim *shim = shim_between();

    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; c++) {
        lose_at(shim, calls[c]);
        *shim = (vulkan_shim){ .result = VK_ERROR_DEVICE_LOST };
        check_works();
    }
}

static const check_case cases[] = {
    CASE(case_65_a_lost_device_stays_lost_and_the_next_one_works),
};
CHECK_MAIN(cases)
