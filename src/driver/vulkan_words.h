/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_words.h - SPIR-V words: written for the self-test, and cut down to what a device has.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_WORDS_H
#define SLIPWAY_DRIVER_VULKAN_WORDS_H

#include "driver/vulkan_physical.h"

/* Growing words with a sticky status, checked once at the end. A zeroed one is empty. */
typedef struct vulkan_words {
    uint32_t *data;
    size_t count, capacity;
    slip_status status;
} vulkan_words;

void vulkan_words_finish(vulkan_words *w);
void vulkan_words_add(vulkan_words *w, uint32_t word);
/* One instruction: its opcode, then `count` operands. */
void vulkan_words_op(vulkan_words *w, uint32_t opcode, uint32_t count, const uint32_t *operands);

/*
 * vulkan_words_fit - copies a module without the float-control execution modes that the device does
 * not report for their width, and without the capabilities that then no mode needs.
 *
 *   bytes    a multiple of 4, at most 1 GiB; need not be aligned
 *
 * Errors   FORMAT  no SPIR-V, or an instruction reaches past the end
 */
slip_status vulkan_words_fit(const uint8_t *bytes, uint64_t size, const vulkan_floats floats[3],
                             vulkan_words *out) SLIP_MUST_USE;

#endif
