/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_words.c - the words of a SPIR-V module (SPIR-V specification, clause 2.3).
 */
#include "driver/vulkan_words.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum {
    MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
};

void vulkan_words_finish(vulkan_words *w)
{
    mem_free(w->data);
    *w = (vulkan_words){ 0 };
}

void vulkan_words_add(vulkan_words *w, uint32_t word)
{
    if (w->status == SLIP_OK)
        w->status = mem_grow((void **)&w->data, &w->capacity, w->count + 1, sizeof *w->data);
    if (w->status == SLIP_OK)
        w->data[w->count++] = word;
}

void vulkan_words_op(vulkan_words *w, uint32_t opcode, uint32_t count, const uint32_t *operands)
{
    vulkan_words_add(w, (count + 1) << 16 | opcode);
    for (uint32_t k = 0; k < count; k++)
        vulkan_words_add(w, operands[k]);
}

/* ---- float controls ------------------------------------------------------------------------- */

/* SPIR-V, clauses 3.6 (execution modes) and 3.31 (capabilities). A shader that must flush denormals
 * or round toward zero cannot do without: such modes are no rows here, and stay. */
static const struct {
    uint32_t mode, capability;
    size_t has; /* offset of the fact in vulkan_floats */
} controls[] = {
    { 4459, 4464, offsetof(vulkan_floats, preserve_denorm) }, /* DenormPreserve */
    { 4461, 4466, offsetof(vulkan_floats, preserve_signs) },  /* SignedZeroInfNanPreserve */
    { 4462, 4467, offsetof(vulkan_floats, nearest_even) },    /* RoundingModeRTE */
};

enum { CONTROL_COUNT = sizeof controls / sizeof controls[0] };

static bool reported(const vulkan_floats floats[3], size_t control, uint32_t width)
{
    const vulkan_floats *at = width == 16   ? &floats[VULKAN_WIDTH_16]
                              : width == 32 ? &floats[VULKAN_WIDTH_32]
                              : width == 64 ? &floats[VULKAN_WIDTH_64]
                                            : NULL;
    bool has = false;

    if (at)
        memcpy(&has, (const char *)at + controls[control].has, sizeof has);
    return has;
}

/* The row of an instruction that sets a mode; CONTROL_COUNT for any other. */
static size_t control_of_mode(const uint32_t *op, uint32_t length)
{
    size_t k = CONTROL_COUNT;

    if ((op[0] & 0xffff) == OP_EXECUTION_MODE && length == 4)
        for (k = 0; k < CONTROL_COUNT && controls[k].mode != op[2]; k++)
            ;
    return k;
}

static size_t control_of_capability(const uint32_t *op, uint32_t length)
{
    size_t k = CONTROL_COUNT;

    if ((op[0] & 0xffff) == OP_CAPABILITY && length == 2)
        for (k = 0; k < CONTROL_COUNT && controls[k].capability != op[1]; k++)
            ;
    return k;
}

/* Every instruction lies inside; *needed gets a bit per control that some mode keeps. */
static slip_status check(const uint32_t *words, size_t count, const vulkan_floats floats[3],
                         uint32_t *needed)
{
    *needed = 0;
    if (count < HEADER_WORDS || words[0] != MAGIC)
        return SLIP_FAIL(SLIP_ERR_FORMAT, "a shader does not begin as SPIR-V does");
    for (size_t at = HEADER_WORDS; at < count;) {
        uint32_t length = words[at] >> 16;
        if (length == 0 || length > count - at)
            return SLIP_FAIL(SLIP_ERR_FORMAT,
                             "a shader's instruction at word %zu has %u words, and %zu are left",
                             at, length, count - at);
        size_t control = control_of_mode(words + at, length);
        if (control < CONTROL_COUNT && reported(floats, control, words[at + 3]))
            *needed |= 1u << control;
        at += length;
    }
    return SLIP_OK;
}

static bool kept(const uint32_t *op, uint32_t length, const vulkan_floats floats[3],
                 uint32_t needed)
{
    size_t control = control_of_mode(op, length);

    if (control < CONTROL_COUNT)
        return reported(floats, control, op[3]);
    control = control_of_capability(op, length);
    return control == CONTROL_COUNT || needed >> control & 1;
}

slip_status vulkan_words_fit(const uint8_t *bytes, uint64_t size, const vulkan_floats floats[3],
                             vulkan_words *out)
{
    vulkan_words made = { 0 };
    uint32_t needed;

    if (size % 4 != 0 || size > UINT64_C(1) << 30)
        return SLIP_FAIL(SLIP_ERR_FORMAT,
                         "a shader has %" PRIu64 " bytes: no multiple of 4, or more than 1 GiB",
                         size);
    size_t count = (size_t)size / 4;
    slip_status status = mem_grow((void **)&made.data, &made.capacity, count + 1, 4);
    if (status != SLIP_OK)
        return status;
    memcpy(made.data, bytes, (size_t)size);
    status = check(made.data, count, floats, &needed);
    if (status != SLIP_OK) {
        vulkan_words_finish(&made);
        return status;
    }
    made.count = HEADER_WORDS;
    for (size_t at = HEADER_WORDS; at < count;) {
        uint32_t length = made.data[at] >> 16;
        if (kept(made.data + at, length, floats, needed)) {
            memmove(made.data + made.count, made.data + at, length * sizeof *made.data);
            made.count += length;
        }
        at += length;
    }
    *out = made;
    return SLIP_OK;
}
