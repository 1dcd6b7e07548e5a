/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_describe.c - a device in lines of text, for people: what no fact and no field of
 * slip_device_info says.
 */
#include <inttypes.h>
#include <stdio.h>

#include "driver/describe.h"
#include "driver/vulkan_device.h"
#include "driver/vulkan_instance.h"

static const char *type_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_OTHER:
        return "other";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return "software on the CPU";
    }
    return "unknown";
}

static void tell_memory(printer *p, const vulkan_device *device)
{
    static const char *const kinds[] = { "device memory", "upload memory", "read-back memory" };
    const VkPhysicalDeviceMemoryProperties *memory = &device->physical->memory;

    for (int kind = 0; kind < 3; kind++) {
        const VkMemoryType *type = &memory->memoryTypes[device->types[kind]];
        text_add(&p->t, "type %u, %s; heap of %" PRIu64 " MiB", device->types[kind],
                 device->type_reasons[kind], memory->memoryHeaps[type->heapIndex].size >> 20);
        tell(p, kinds[kind]);
    }
    text_add(&p->t, "%" PRIu64 " bytes", device->limits.max_memory);
    tell(p, "largest allocation");
}

static void add_word(text *t, bool wanted, const char *word)
{
    if (wanted)
        text_add(t, "%s%s", t->bytes ? " " : "", word);
}

static void tell_floats(printer *p, const vulkan_physical *physical)
{
    static const char *const widths[] = { "f16 float controls", "f32 float controls",
                                          "f64 float controls" };

    for (int width = VULKAN_WIDTH_32; width < VULKAN_WIDTHS; width++) {
        const vulkan_floats *f = &physical->floats[width];
        add_word(&p->t, f->preserve_denorm, "DenormPreserve");
        add_word(&p->t, f->preserve_signs, "SignedZeroInfNanPreserve");
        add_word(&p->t, f->nearest_even, "RoundingModeRTE");
        add_word(&p->t, p->t.bytes == 0, "none");
        tell(p, widths[width]);
    }
}

/* As SLIPWAY_WITHOUT takes it. */
static void small_letters(const char *name, size_t room, char *out)
{
    size_t k = 0;

    for (; name[k] && k + 1 < room; k++)
        out[k] = (char)(name[k] >= 'A' && name[k] <= 'Z' ? name[k] - 'A' + 'a' : name[k]);
    out[k] = '\0';
}

static void tell_facts(printer *p, const vulkan_device *device)
{
    static const char *const numerics[][2] = {
#define TEXT_(name, text) { #name, text },
        QUEUE_NUMERICS(TEXT_)
#undef TEXT_
    };
    static const char *const needs[] = {
#define NAME_(name) #name,
        DRV_NEEDS(NAME_)
#undef NAME_
    };

    for (int k = 0; k < DRV_NEED_COUNT; k++)
        add_word(&p->t, device->limits.has >> k & 1, needs[k]);
    add_word(&p->t, p->t.bytes == 0, "nothing beyond what every device must");
    tell(p, "has");
    for (int k = 0; k < QUEUE_NUMERIC_COUNT; k++) {
        char name[32];
        small_letters(numerics[k][0], sizeof name, name);
        text_add(&p->t, "%-3s  %s", device->limits.numerics >> k & 1 ? "yes" : "no",
                 numerics[k][1]);
        tell(p, name);
    }
}

static void tell_skipped(printer *p)
{
    const vulkan_instance *instance;

    if (vulkan_instance_get(&instance) != SLIP_OK)
        return; /* a device is open, so there is one */
    for (uint32_t k = 0; k < instance->skipped_count; k++) {
        text_add(&p->t, "%s: %s", instance->skipped[k].info.name, instance->skipped[k].why_not);
        tell(p, "not usable");
    }
}

void vulkan_device_describe(vulkan_device *device,
                            void (*line)(void *user, const char *name, const char *value),
                            void *user)
{
    const VkPhysicalDeviceProperties *p = &device->physical->properties;
    printer to = { .line = line, .user = user };

    text_add(&to.t, "%s", type_name(p->deviceType));
    tell(&to, "type");
    text_add(&to.t, "%u.%u.%u", p->apiVersion >> 22 & 0x7f, p->apiVersion >> 12 & 0x3ff,
             p->apiVersion & 0xfff);
    tell(&to, "Vulkan");
    text_add(&to.t, "%s", device->physical->driver);
    tell(&to, "driver");
    text_add(&to.t, "%u of family %u%s", device->queue_count, device->physical->family,
             device->queue_count == 1 ? "; its streams take turns" : "");
    tell(&to, "queues");
    tell_memory(&to, device);
    text_add(&to.t, "%u bytes", device->push_bytes);
    tell(&to, "push constants");
    text_add(&to.t, "%u", device->limits.max_local);
    tell(&to, "largest workgroup");
    tell_floats(&to, device->physical);
    tell_facts(&to, device);
    text_add(&to.t, "%s%s%s", device->cache.state, device->cache.folder[0] ? ", " : "",
             device->cache.folder);
    tell(&to, "pipeline cache");
    tell_skipped(&to);
    text_finish(&to.t);
}
