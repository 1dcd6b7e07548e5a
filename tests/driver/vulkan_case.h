/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_case.h - what the tests of the Vulkan driver share: a device with validation on where the
 * layer is installed, and shaders that the build has assembled.
 */
#ifndef SLIPWAY_TESTS_DRIVER_VULKAN_CASE_H
#define SLIPWAY_TESTS_DRIVER_VULKAN_CASE_H

#include "driver/queue_driver.h"

#define vulkan (&vulkan_driver_table)

/* The real library, not yet loaded; the validation layer on, the cache file off. Skips the case
 * where there is no Vulkan device; without the layer it runs all the same, unless SLIPWAY_REQUIRE
 * names `validation`. */
void vulkan_case_begin(void);
/* Skips the case where the layer is not installed. */
void vulkan_case_need_layer(void);
/* The first device, opened. */
void *vulkan_case_open(void);
/* Closes it; nothing of it is left, and the validation layer has said nothing. */
void vulkan_case_close(void *self);

/* The words of tests/driver/vulkan/<name>.spvasm, to be freed; skips where they were not built. */
queue_code vulkan_case_shader(const char *name);
void vulkan_case_shader_free(queue_code *code);

/* add.spvasm's arguments. */
typedef struct vulkan_case_add {
    uint64_t to, from;
    uint32_t n, k;
} vulkan_case_add;

#endif
