/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_words.c - see spirv_words.h. SPIR-V 1.5, 2.3: an instruction's first word holds its length
 * in words above its opcode; a text is its bytes, low byte first, with at least one zero byte.
 */
#include "target/spirv_words.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum { MOST_WORDS = 65535, MOST_MODULE_WORDS = 1 << 28 };

void spirv_words_finish(spirv_words *w)
{
    mem_free(w->at);
    *w = (spirv_words){ 0 };
}

void spirv_words_clear(spirv_words *w)
{
    w->count = 0;
    w->open = 0;
}

/* Room for `more` words; false when there is none. */
static bool reserve(spirv_words *w, size_t more)
{
    if (w->status != SLIP_OK)
        return false;
    if (w->count + more > MOST_MODULE_WORDS)
        w->status =
            SLIP_FAIL(SLIP_ERR_UNSUPPORTED, "a shader of more than %d words", MOST_MODULE_WORDS);
    else if (w->count + more > w->capacity)
        w->status = mem_grow((void **)&w->at, &w->capacity, w->count + more, sizeof *w->at);
    return w->status == SLIP_OK;
}

void spirv_words_add(spirv_words *w, uint32_t word)
{
    if (reserve(w, 1))
        w->at[w->count++] = word;
}

void spirv_words_begin(spirv_words *w, spirv_op op)
{
    w->open = w->count;
    spirv_words_add(w, (uint32_t)op);
}

void spirv_words_text(spirv_words *w, const char *text)
{
    size_t bytes = strlen(text), words = bytes / 4 + 1;

    for (size_t k = 0; k < words; k++) {
        uint32_t word = 0;
        for (size_t b = 0; b < 4 && 4 * k + b < bytes; b++)
            word |= (uint32_t)(uint8_t)text[4 * k + b] << (8 * b);
        spirv_words_add(w, word);
    }
}

void spirv_words_end(spirv_words *w)
{
    size_t length = w->count - w->open;

    if (w->status != SLIP_OK)
        return;
    if (length > MOST_WORDS) {
        w->status = SLIP_FAIL(SLIP_ERR_UNSUPPORTED,
                              "a shader's instruction of %zu words; SPIR-V has room for %d", length,
                              MOST_WORDS);
        return;
    }
    w->at[w->open] |= (uint32_t)length << 16;
}

void spirv_words_put(spirv_words *w, spirv_op op, const uint32_t *operands, uint32_t count)
{
    spirv_words_begin(w, op);
    for (uint32_t k = 0; k < count; k++)
        spirv_words_add(w, operands[k]);
    spirv_words_end(w);
}

void spirv_words_append(spirv_words *w, const spirv_words *from)
{
    if (from->status != SLIP_OK && w->status == SLIP_OK)
        w->status = from->status;
    if (from->count == 0 || !reserve(w, from->count))
        return;
    memcpy(w->at + w->count, from->at, from->count * sizeof *w->at);
    w->count += from->count;
}
