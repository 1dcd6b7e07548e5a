/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_case.c - a Vulkan device for a test.
 */
#define _GNU_SOURCE
#include "driver/vulkan_case.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "driver/vulkan_instance.h"
#include "support/check.h"

static int pin(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    (void)user;
    if (info->dlpi_name[0])
        (void)dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
}

/* Keeps the drivers and layers that the loader has loaded: what their globals hold would look
 * leaked to a sanitizer once they are gone, and TSan ends a program that unloads one it was told
 * of. */
static void pin_libraries(void)
{
    dl_iterate_phdr(pin, NULL);
}

/* The library then tells so of a missing layer. */
static bool layer_is_missing(void)
{
    static enum { UNKNOWN, HERE, MISSING } known;
    const char *why;

    if (known == UNKNOWN) {
        setenv("SLIPWAY_VULKAN_VALIDATE", "1", 1);
        vulkan_instance_drop();
        why = vulkan->missing();
        known = why && strstr(why, "needs the layer VK_LAYER_KHRONOS_validation") ? MISSING : HERE;
        pin_libraries();
        vulkan_instance_drop();
        if (known == MISSING)
            printf("without validation: %s\n", why);
    }
    return known == MISSING;
}

void vulkan_case_need_layer(void)
{
    if (layer_is_missing())
        check_skip("validation", "the validation layer is not installed");
}

static void need_device(void)
{
    bool deaf = layer_is_missing();

    if (deaf)
        check_absent("validation", "the validation layer is not installed");
    setenv("SLIPWAY_VULKAN_VALIDATE", deaf ? "0" : "1", 1);
    if (!getenv("SLIPWAY_CACHE_DIR"))
        setenv("SLIPWAY_CACHE", "0", 1);
    const char *missing = vulkan->missing();
    if (missing)
        check_skip("vulkan", missing);
    pin_libraries();
}

void vulkan_case_begin(void)
{
    unsetenv("SLIPWAY_VULKAN_LIBRARY"); /* of a case that ended early */
    vulkan_instance_drop();
    need_device();
}

void *vulkan_case_open(void)
{
    void *self = NULL;

    need_device();
    CHECK_STATUS(vulkan->open(0, &self), SLIP_OK);
    return self;
}

void vulkan_case_close(void *self)
{
    vulkan->close(self);
    vulkan_instance_drop();
    CHECK_EQ_U64(mem_live(), 0);
    CHECK_EQ_U64(vulkan_instance_messages(), 0);
}

queue_code vulkan_case_shader(const char *name)
{
    char path[512];
    size_t bytes = 0;

    snprintf(path, sizeof path, "%s/driver_shaders/%s.spv", CHECK_BUILD, name);
    if (access(path, R_OK) != 0)
        check_skip("spirv", "the build found no spirv-as to assemble test shaders with");
    char *words = check_read(path, &bytes);
    return (queue_code){ .words = (const uint8_t *)words,
                         .bytes = bytes,
                         .push_bytes = sizeof(vulkan_case_add),
                         .local = 64 };
}

void vulkan_case_shader_free(queue_code *code)
{
    free((void *)(uintptr_t)code->words);
}
