/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_memory_test.c - allocations are parts of few blocks, refused with both numbers where they
 * are too large, and given back.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "driver/vulkan_case.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_shim.h"
#include "support/check.h"

static const uint64_t mib = UINT64_C(1) << 20;

static void small_allocations_share_a_block_and_never_overlap(void)
{
    enum { COUNT = 300 };
    void *self = vulkan_case_open();
    queue_memory parts[COUNT];

    for (uint32_t k = 0; k < COUNT; k++) {
        CHECK_STATUS(vulkan->alloc(self, k * 37, QUEUE_MEMORY_UPLOAD, &parts[k]), SLIP_OK);
        CHECK_EQ_U64(parts[k].address % 64, 0);
        CHECK_EQ_U64(parts[k].bytes, k * 37);
        CHECK(parts[k].host != NULL && parts[k].buffer == parts[0].buffer);
        CHECK_EQ_U64(parts[k].address - parts[0].address, parts[k].offset - parts[0].offset);
        memset(parts[k].host, (int)(k & 0xff), parts[k].bytes);
    }
    for (uint32_t k = 0; k < COUNT; k++)
        for (uint64_t byte = 0; byte < parts[k].bytes; byte++)
            CHECK_EQ_U64(parts[k].host[byte], k & 0xff);
    for (uint32_t k = 0; k < COUNT; k++)
        vulkan->free(self, &parts[k]);
    vulkan->free(self, &parts[0]); /* zeroed: nothing to free */
    vulkan_case_close(self);
}

static void too_large_an_allocation_names_both_numbers(void)
{
    void *self = vulkan_case_open();
    queue_memory memory = { .bytes = 11 };
    queue_limits limits;
    char text[64];

    vulkan->limits(self, &limits);
    CHECK_STATUS(vulkan->alloc(self, limits.max_memory + 1, QUEUE_MEMORY_DEVICE, &memory),
                 SLIP_ERR_MEMORY);
    snprintf(text, sizeof text, "%" PRIu64 " bytes: ", limits.max_memory + 1);
    CHECK_CONTAINS(fail_last()->message, text);
    snprintf(text, sizeof text, " at most %" PRIu64, limits.max_memory);
    CHECK_CONTAINS(fail_last()->message, text);
    CHECK_STATUS(vulkan->alloc(self, UINT64_MAX, QUEUE_MEMORY_UPLOAD, &memory), SLIP_ERR_MEMORY);
    CHECK_EQ_U64(memory.bytes, 11);
    /* 1,200,000,000 f32: taken whole, or refused by a limit's name */
    fail_clear();
    if (vulkan->alloc(self, UINT64_C(4800000000), QUEUE_MEMORY_DEVICE, &memory) == SLIP_OK)
        vulkan->free(self, &memory);
    else
        CHECK_CONTAINS(fail_last()->message, "4800000000");
    CHECK_STATUS(vulkan->alloc(self, 4096, QUEUE_MEMORY_DEVICE, &memory), SLIP_OK);
    vulkan->free(self, &memory);
    vulkan_case_close(self);
}

/* ---- with the shim -------------------------------------------------------------------------- */

static void trim_gives_back_what_nobody_uses(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    void *self = vulkan_case_open();
    queue_memory large, small;
    int64_t before = shim->live;

    CHECK_STATUS(vulkan->alloc(self, 200 * mib, QUEUE_MEMORY_DEVICE, &large), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, 1, QUEUE_MEMORY_DEVICE, &small), SLIP_OK);
    CHECK_EQ_I64(shim->live, before + 4); /* a buffer and its memory, twice */
    vulkan->trim(self);
    CHECK_EQ_I64(shim->live, before + 4);
    vulkan->free(self, &large);
    CHECK_EQ_I64(shim->live, before + 4);
    CHECK_STATUS(vulkan->alloc(self, 150 * mib, QUEUE_MEMORY_DEVICE, &large), SLIP_OK);
    CHECK_EQ_I64(shim->live, before + 4); /* used again */
    vulkan->free(self, &large);
    vulkan->trim(self);
    CHECK_EQ_I64(shim->live, before + 2);
    vulkan->free(self, &small);
    vulkan->trim(self);
    CHECK_EQ_I64(shim->live, before);
    vulkan_case_close(self);
    vulkan_shim_end();
}

static void fail_next_allocation(vulkan_shim *shim)
{
    shim->result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    shim->only = "vkAllocateMemory";
    shim->calls = 0;
    shim->fail_at = 1;
    shim->failed = NULL;
}

static void a_device_that_is_full_gives_what_nobody_uses_and_tries_again(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    void *self = vulkan_case_open();
    queue_memory unused, wanted;
    int64_t before = shim->live;

    CHECK_STATUS(vulkan->alloc(self, 200 * mib, QUEUE_MEMORY_DEVICE, &unused), SLIP_OK);
    vulkan->free(self, &unused);
    fail_next_allocation(shim);
    CHECK_STATUS(vulkan->alloc(self, 300 * mib, QUEUE_MEMORY_DEVICE, &wanted), SLIP_OK);
    CHECK_TEXT(shim->failed, "vkAllocateMemory");
    CHECK_EQ_I64(shim->live, before + 2);
    vulkan->free(self, &wanted);
    vulkan->trim(self);

    fail_next_allocation(shim); /* nothing is left to give back */
    CHECK_STATUS(vulkan->alloc(self, 300 * mib, QUEUE_MEMORY_DEVICE, &wanted), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "vkAllocateMemory: VK_ERROR_OUT_OF_DEVICE_MEMORY");
    CHECK_CONTAINS(fail_last()->message, "while allocating 314572800 bytes");
    vulkan_case_close(self);
    vulkan_shim_end();
}

/* The structure of a type in the chain; NULL where it was not asked for. */
static void *in_chain(void *first, VkStructureType type)
{
    VkPhysicalDeviceProperties2 *at = first; /* every one begins with sType, pNext */

    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

static void allow_two_allocations(const char *name, void *out)
{
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0)
        ((VkPhysicalDeviceProperties *)out)->limits.maxMemoryAllocationCount = 2;
}

static void no_more_blocks_are_made_than_a_device_allows(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = allow_two_allocations;
    void *self = vulkan_case_open();
    queue_memory parts[3];

    for (int k = 0; k < 2; k++)
        CHECK_STATUS(vulkan->alloc(self, 130 * mib, QUEUE_MEMORY_DEVICE, &parts[k]), SLIP_OK);
    CHECK_STATUS(vulkan->alloc(self, 130 * mib, QUEUE_MEMORY_DEVICE, &parts[2]), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "2 blocks of memory are in use");
    CHECK_CONTAINS(fail_last()->message, "maxMemoryAllocationCount");
    vulkan->free(self, &parts[1]);
    CHECK_STATUS(vulkan->alloc(self, 140 * mib, QUEUE_MEMORY_DEVICE, &parts[1]), SLIP_OK);
    for (int k = 0; k < 2; k++)
        vulkan->free(self, &parts[k]);
    vulkan_case_close(self);
    vulkan_shim_end();
}

static void allow_small_buffers(const char *name, void *out)
{
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") != 0)
        return;
    VkPhysicalDeviceMaintenance4Properties *m4 =
        in_chain(out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);
    if (m4)
        m4->maxBufferSize = 1000000;
}

static void a_buffer_that_is_too_large_names_both_numbers(void)
{
    vulkan_case_begin();
    vulkan_shim *shim = vulkan_shim_begin();
    shim->edit = allow_small_buffers;
    void *self = vulkan_case_open();
    queue_memory memory;
    queue_limits limits;

    vulkan->limits(self, &limits);
    if (limits.max_memory != 1000000) {
        vulkan_case_close(self);
        vulkan_shim_end();
        check_skip("vulkan-maintenance4", "the device does not say how large buffers may be");
    }
    CHECK_STATUS(vulkan->alloc(self, 1000001, QUEUE_MEMORY_DEVICE, &memory), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "1000001 bytes: a buffer of ");
    CHECK_CONTAINS(fail_last()->message, "at most 1000000 (maxBufferSize)");
    CHECK_STATUS(vulkan->alloc(self, 999000, QUEUE_MEMORY_DEVICE, &memory), SLIP_OK);
    vulkan->free(self, &memory);
    vulkan_case_close(self);
    vulkan_shim_end();
}

static const check_case cases[] = {
    CASE(small_allocations_share_a_block_and_never_overlap),
    CASE(too_large_an_allocation_names_both_numbers),
    CASE(trim_gives_back_what_nobody_uses),
    CASE(a_device_that_is_full_gives_what_nobody_uses_and_tries_again),
    CASE(no_more_blocks_are_made_than_a_device_allows),
    CASE(a_buffer_that_is_too_large_names_both_numbers),
};

CHECK_MAIN(cases)
