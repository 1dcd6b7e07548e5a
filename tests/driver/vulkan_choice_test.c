/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_choice_test.c - what is chosen of a device's memory types and queues: tables of devices as
 * their makers' drivers list them.
 */
#include "driver/vulkan_physical.h"
#include "driver/vulkan_types.h"
#include "support/check.h"

enum {
    L = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    V = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    C = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    K = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    UNCACHED_AMD = 0x80, /* VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD */

};

static const uint64_t gib = UINT64_C(1) << 30;

typedef struct machine {
    const char *name;
    uint64_t heaps[3];
    struct {
        VkFlags flags;
        uint32_t heap;
    } types[8];
    uint32_t type_count;
    bool shares;
    uint32_t device, upload, readback; /* expected */
    bool mapped;
} machine;

static const machine machines[] = {
    { "a discrete card, all of its memory visible",
      { 24, 64, 0 },
      { { 0, 1 }, { L, 0 }, { V | C, 1 }, { V | C | K, 1 }, { L | V | C, 0 } },
      5,
      false,
      1,
      2,
      3,
      false },
    { "a discrete card, the last types uncached ones",
      { 16, 32, 0 },
      { { L, 0 },
        { V | C, 1 },
        { L | V | C, 0 },
        { V | C | K, 1 },
        { L | UNCACHED_AMD, 0 },
        { V | C | UNCACHED_AMD, 1 } },
      6,
      false,
      0,
      1,
      3,
      false },
    { "a discrete card that shows all memory as one kind",
      { 8, 16, 0 },
      { { L | V | C, 0 }, { V | C, 1 } },
      2,
      false,
      0,
      1,
      1,
      false },
    { "a desktop chip: one heap, cached and not",
      { 12, 0, 0 },
      { { L | V | C, 0 }, { L | V | C | K, 0 } },
      2,
      true,
      1,
      0,
      1,
      true },
    { "a phone-like chip: cached memory that is not coherent",
      { 6, 0, 0 },
      { { L | V | C, 0 }, { L | V | K, 0 } },
      2,
      true,
      0,
      0,
      0,
      false },
    { "an APU with a small part of its own",
      { 1, 14, 0 },
      { { L, 0 }, { V | C, 1 }, { L | V | C, 0 }, { V | C | K, 1 } },
      4,
      true,
      3,
      1,
      3,
      true },
    { "the CPU itself", { 2, 0, 0 }, { { L | V | C | K, 0 } }, 1, true, 0, 0, 0, true },
};

static VkPhysicalDeviceMemoryProperties memory_of(const machine *m)
{
    VkPhysicalDeviceMemoryProperties memory = { .memoryTypeCount = m->type_count,
                                                .memoryHeapCount = 3 };

    for (uint32_t k = 0; k < m->type_count; k++)
        memory.memoryTypes[k] = (VkMemoryType){ m->types[k].flags, m->types[k].heap };
    for (uint32_t k = 0; k < 3; k++)
        memory.memoryHeaps[k].size = m->heaps[k] * gib;
    return memory;
}

static void each_machine_gets_the_types_that_suit_it(void)
{
    for (size_t k = 0; k < sizeof machines / sizeof machines[0]; k++) {
        const machine *m = &machines[k];
        VkPhysicalDeviceMemoryProperties memory = memory_of(m);
        vulkan_types got;
        CHECK_STATUS(vulkan_types_choose(&memory, UINT32_MAX, m->shares, &got), SLIP_OK);
        if (got.type[QUEUE_MEMORY_DEVICE] != m->device ||
            got.type[QUEUE_MEMORY_UPLOAD] != m->upload ||
            got.type[QUEUE_MEMORY_READBACK] != m->readback || got.device_mapped != m->mapped)
            CHECK_FAIL("%s: types %u, %u, %u, mapped %d", m->name, got.type[0], got.type[1],
                       got.type[2], got.device_mapped);
    }
}

static void types_that_buffers_may_not_use_are_left_out(void)
{
    VkPhysicalDeviceMemoryProperties memory = memory_of(&machines[0]);
    vulkan_types got;

    CHECK_STATUS(vulkan_types_choose(&memory, 1u << 4 | 1u << 3, false, &got), SLIP_OK);
    CHECK_EQ_U64(got.type[QUEUE_MEMORY_DEVICE], 4);
    CHECK_EQ_U64(got.type[QUEUE_MEMORY_UPLOAD], 3);
    CHECK_EQ_U64(got.type[QUEUE_MEMORY_READBACK], 3);
    CHECK_STATUS(vulkan_types_choose(&memory, 1u << 1, false, &got), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "none of the 5 memory types");
}

static void the_family_with_most_queues_is_taken_and_no_more_than_eight(void)
{
    enum { G = VK_QUEUE_GRAPHICS_BIT, COMPUTE = VK_QUEUE_COMPUTE_BIT, TRANSFER = 4 };
    static const VkQueueFamilyProperties big[] = { { .queueFlags = G | COMPUTE, .queueCount = 16 },
                                                   { .queueFlags = TRANSFER, .queueCount = 2 },
                                                   { .queueFlags = COMPUTE, .queueCount = 8 } },
                                         split[] = { { .queueFlags = G | COMPUTE, .queueCount = 1 },
                                                     { .queueFlags = COMPUTE, .queueCount = 4 } },
                                         small[] = { { .queueFlags = TRANSFER, .queueCount = 1 },
                                                     { .queueFlags = G | COMPUTE,
                                                       .queueCount = 1 } },
                                         none[] = { { .queueFlags = G, .queueCount = 1 },
                                                    { .queueFlags = COMPUTE } };
    uint32_t family = 99, queues = 99;

    CHECK(vulkan_physical_family(big, 3, &family, &queues));
    CHECK(family == 2 && queues == 8);
    CHECK(vulkan_physical_family(split, 2, &family, &queues));
    CHECK(family == 1 && queues == 4);
    CHECK(vulkan_physical_family(small, 2, &family, &queues));
    CHECK(family == 1 && queues == 1);
    CHECK(!vulkan_physical_family(none, 2, &family, &queues));
    CHECK(!vulkan_physical_family(NULL, 0, &family, &queues));
}

static const check_case cases[] = {
    CASE(each_machine_gets_the_types_that_suit_it),
    CASE(types_that_buffers_may_not_use_are_left_out),
    CASE(the_family_with_most_queues_is_taken_and_no_more_than_eight),
};

CHECK_MAIN(cases)
