/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit.h - a Vulkan library between the driver and the real one, which hands shaders on edited, so
 * that a device computes what other devices do. SLIPWAY_VULKAN_LIBRARY names it.
 */
#ifndef SLIPWAY_TESTS_VULKAN_EDIT_H
#define SLIPWAY_TESTS_VULKAN_EDIT_H

#include <stddef.h>
#include <stdint.h>

enum { EDIT_HEADER = 5, EDIT_BOUND = 3 }; /* SPIR-V 1.5, 2.3: words before the first instruction */

/* Each library's own: the words of the shader as it is to be, of malloc. */
uint32_t *edit_shader(const uint32_t *words, size_t count, size_t *out_count);

#endif
