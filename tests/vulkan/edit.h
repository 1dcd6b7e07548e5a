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

/* A shader being written. */
typedef struct edit_words {
    uint32_t *out;
    size_t count;
    uint32_t bound; /* the least id that is free */
} edit_words;

void edit_put(edit_words *made, uint32_t op, uint32_t count, const uint32_t *operands);

/* An instruction of an `edit *e` that has such words as `made`. */
#define PUT(op, ...)                                                                               \
    edit_put(&e->made, op, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t),                 \
             (uint32_t[]){ __VA_ARGS__ })

/* Each library's own: the words of the shader as it is to be, of malloc. */
uint32_t *edit_shader(const uint32_t *words, size_t count, size_t *out_count);

#endif
