/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_test.c - the slots of the Vulkan driver's table, on the first device that is here.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_instance.h"
#include "support/check.h"

static const uint64_t spin = 100000;

static void every_slot_is_filled(void)
{
    void *slots[sizeof(queue_driver) / sizeof(void *)];

    memcpy(slots, vulkan, sizeof *vulkan);
    for (size_t k = 0; k < sizeof slots / sizeof slots[0]; k++)
        CHECK(slots[k] != NULL);
    CHECK_TEXT(vulkan->name, "vulkan");
}

static void a_device_has_a_name_and_takes_spirv(void)
{
    drv_info info;

    vulkan_case_begin();
    CHECK(vulkan->device_count() >= 1);
    CHECK_STATUS(vulkan->info(0, &info), SLIP_OK);
    CHECK(info.name[0] != '\0');
    CHECK(info.memory_bytes > 1 << 20);
    CHECK_EQ_U64(info.target_count, 1);
    CHECK_TEXT(info.targets[0], "spirv");
    CHECK_STATUS(vulkan->info(vulkan->device_count(), &info), SLIP_ERR_NOT_FOUND);
    CHECK_CONTAINS(fail_last()->message, "there is no vulkan:");
    vulkan_instance_drop();
}

static void limits_are_what_vulkan_promises_at_least(void)
{
    void *self = vulkan_case_open();
    queue_limits limits;

    vulkan->limits(self, &limits);
    for (int axis = 0; axis < 3; axis++)
        CHECK(limits.max_groups[axis] >= 65535); /* table "Required Limits" of the specification */
    CHECK(limits.max_local >= 128);
    CHECK(limits.max_push_bytes >= 128);
    CHECK(limits.max_memory >= 1 << 30);
    CHECK(limits.queues >= 1);
    vulkan_case_close(self);
}

static void wait_for_all(void *stream, uint64_t value)
{
    uint64_t reached = 0;

    CHECK_STATUS(vulkan->wait(stream, value, spin), SLIP_OK);
    CHECK_STATUS(vulkan->reached(stream, &reached), SLIP_OK);
    CHECK(reached >= value);
}

static void copies_and_zeroes_move_the_bytes_named_and_no_others(void)
{
    void *self = vulkan_case_open(), *stream = NULL;
    queue_memory up, device, back;
    uint64_t value = 0;

    CHECK_STATUS(vulkan->alloc(self, 1000, QUEUE_MEMORY_UPLOAD, &up), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, 1000, QUEUE_MEMORY_DEVICE, &device), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, 1000, QUEUE_MEMORY_READBACK, &back), SLIP_OK);
    CHECK(up.host && back.host);
    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    for (int k = 0; k < 1000; k++)
        up.host[k] = (uint8_t)(k * 7 + 1);
    memset(back.host, 0xee, 1000);

    CHECK_STATUS(vulkan->copy(stream, &device, 3, &up, 5, 901), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_TASKS), SLIP_OK);
    CHECK_STATUS(vulkan->zero(stream, &device, 100, 200), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_TASKS), SLIP_OK);
    CHECK_STATUS(vulkan->copy(stream, &back, 10, &device, 3, 901), SLIP_OK);
    CHECK_STATUS(vulkan->copy(stream, &back, 0, &device, 0, 0), SLIP_OK); /* nothing */
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_HOST), SLIP_OK);
    CHECK_STATUS(vulkan->submit(stream, NULL, 0, &value), SLIP_OK);
    wait_for_all(stream, value);

    for (int k = 0; k < 1000; k++) {
        int source = k - 10; /* of the 901 bytes */
        int at = source + 3; /* in device memory */
        uint8_t expected = source < 0 || source >= 901 ? 0xee
                           : at >= 100 && at < 300     ? 0
                                                       : (uint8_t)((source + 5) * 7 + 1);
        CHECK_EQ_U64(back.host[k], expected);
    }
    vulkan->stream_close(self, stream);
    vulkan->free(self, &up);
    CHECK(up.buffer == NULL && up.host == NULL);
    vulkan->free(self, &device);
    vulkan->free(self, &back);
    vulkan_case_close(self);
}

static void a_dispatch_runs_each_invocation_once(void)
{
    enum { N = 100003 };
    void *self = vulkan_case_open(), *stream = NULL;
    queue_code code = vulkan_case_shader("add");
    queue_kernel kernel;
    queue_memory from, to;
    uint64_t value = 0;

    CHECK_STATUS(vulkan->kernel_new(self, &code, 0, &kernel), SLIP_OK);
    CHECK_EQ_U64(kernel.local, 64);
    CHECK_STATUS(vulkan->alloc(self, N * 4, QUEUE_MEMORY_UPLOAD, &from), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, N * 4 + 4, QUEUE_MEMORY_READBACK, &to), SLIP_OK);
    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    for (uint32_t k = 0; k < N; k++)
        ((uint32_t *)(void *)from.host)[k] = k * k;
    ((uint32_t *)(void *)to.host)[N] = 77;
    vulkan_case_add push = { to.address, from.address, N, 5 };
    uint32_t groups[3] = { (N + 63) / 64, 1, 1 };
    CHECK_STATUS(vulkan->dispatch(stream, &kernel, &push, sizeof push, groups), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_TASKS), SLIP_OK);
    push.from = to.address; /* in place, a second time */
    CHECK_STATUS(vulkan->dispatch(stream, &kernel, &push, sizeof push, groups), SLIP_OK);
    CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_HOST), SLIP_OK);
    CHECK_STATUS(vulkan->submit(stream, NULL, 0, &value), SLIP_OK);
    wait_for_all(stream, value);
    for (uint32_t k = 0; k < N; k++)
        CHECK_EQ_U64(((uint32_t *)(void *)to.host)[k], k * k + 10);
    CHECK_EQ_U64(((uint32_t *)(void *)to.host)[N], 77);
    vulkan->stream_close(self, stream);
    vulkan->kernel_drop(self, &kernel);
    vulkan->free(self, &from);
    vulkan->free(self, &to);
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

static const check_case cases[] = {
    CASE(every_slot_is_filled),
    CASE(a_device_has_a_name_and_takes_spirv),
    CASE(limits_are_what_vulkan_promises_at_least),
    CASE(copies_and_zeroes_move_the_bytes_named_and_no_others),
    CASE(a_dispatch_runs_each_invocation_once),
};

CHECK_MAIN(cases)
