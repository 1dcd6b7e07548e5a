/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_words.h - a growing list of SPIR-V words that counts each instruction's words itself.
 *
 * Shape (c) of the error rules: the status is sticky and looked at once, at the end of a module.
 * An instruction is spirv_words_begin, operands, spirv_words_end.
 */
#ifndef SLIPWAY_TARGET_SPIRV_WORDS_H
#define SLIPWAY_TARGET_SPIRV_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

#include "target/spirv_spec.h"

typedef struct spirv_words {
    uint32_t *at;
    size_t count, capacity;
    size_t open;        /* where the instruction at hand began */
    slip_status status; /* the first failure; later calls do nothing */
} spirv_words;

/* A zeroed one is empty and ready. */
void spirv_words_finish(spirv_words *w);
void spirv_words_clear(spirv_words *w); /* keeps the memory, and a failure */

void spirv_words_begin(spirv_words *w, spirv_op op);
void spirv_words_add(spirv_words *w, uint32_t word);
void spirv_words_text(spirv_words *w, const char *text); /* UTF-8, ended and padded by zeros */
/* Fills in the length; refuses an instruction of more than 65,535 words. */
void spirv_words_end(spirv_words *w);

/* A whole instruction. */
void spirv_words_put(spirv_words *w, spirv_op op, const uint32_t *operands, uint32_t count);
void spirv_words_append(spirv_words *w, const spirv_words *from); /* a failure comes along */

#endif
