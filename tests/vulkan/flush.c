/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flush.c - a Vulkan library between the driver and the real one, behind which every device takes
 * denormals for zeros: in comparisons, minima and maxima, and what its compiler makes one of (a
 * choice between the two numbers that were compared), floor and ceil, and where f32 becomes f64 or
 * the other way round; not in sums and products. So some GPUs are, and no software device is.
 *
 * SLIPWAY_VULKAN_LIBRARY names it, SLIPWAY_TEST_FLUSH the width of the floats that lose their
 * denormals, 32 or 64. Shaders are edited word by word on their way: an operand x of that width
 * becomes x with its fraction cleared where its exponent is 0 (SPIR-V 1.5, 2.3 and 3.32).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "target/spirv_spec.h"
#include "vulkan/edit.h"

typedef struct edit {
    edit_words made;
    uint32_t width;
    uint32_t real, whole, flag;       /* types, 0: the shader has none */
    uint32_t exponent, sign, nothing; /* constants */
    bool *is_real;                    /* by id */
    uint32_t (*compared)[2];          /* by a comparison's id; 0: it is none */
} edit;

/* x flushed, as `id`; 6 instructions of at most 6 words. */
static uint32_t flush_as(edit *e, uint32_t x, uint32_t id)
{
    uint32_t bits = e->made.bound++, exponent = e->made.bound++, small = e->made.bound++,
             zero = e->made.bound++, kept = e->made.bound++;

    PUT(SPIRV_Bitcast, e->whole, bits, x);
    PUT(SPIRV_BitwiseAnd, e->whole, exponent, bits, e->exponent);
    PUT(SPIRV_IEqual, e->flag, small, exponent, e->nothing);
    PUT(SPIRV_BitwiseAnd, e->whole, zero, bits, e->sign);
    PUT(SPIRV_Select, e->whole, kept, small, zero, bits);
    PUT(SPIRV_Bitcast, e->real, id, kept);
    return id;
}

/* An operand: itself where it is no such float. */
static uint32_t flushed(edit *e, uint32_t x)
{
    return e->is_real[x] ? flush_as(e, x, e->made.bound++) : x;
}

static bool compares(uint32_t op)
{
    return op >= SPIRV_FOrdEqual && op <= 191; /* OpFUnordGreaterThanEqual, the last of them */
}

/* Does it choose between the numbers that its condition compared? */
static bool clamps(const edit *e, const uint32_t *words)
{
    const uint32_t *of = e->compared[words[3]], a = words[4], b = words[5];

    return words[1] == e->real && ((of[0] == a && of[1] == b) || (of[0] == b && of[1] == a));
}

static bool flushes(const uint32_t *words)
{
    return words[4] == SPIRV_GLSL_NMIN || words[4] == SPIRV_GLSL_NMAX ||
           words[4] == SPIRV_GLSL_FLOOR || words[4] == SPIRV_GLSL_CEIL;
}

static void edit_one(edit *e, const uint32_t *words, uint32_t length)
{
    uint32_t op = words[0] & 0xffff, made[8], first = op == SPIRV_ExtInst ? 5 : 3;

    memcpy(made, words, (length < 8 ? length : 8) * sizeof *words);
    if (compares(op))
        memcpy(e->compared[words[2]], words + 3, sizeof *e->compared);
    if ((op == SPIRV_FConvert && words[1] == e->real) || (op == SPIRV_Select && clamps(e, words))) {
        /* the result */
        made[2] = e->made.bound++;
        edit_put(&e->made, op, length - 1, made + 1);
        flush_as(e, made[2], words[2]);
    } else if (compares(op) || op == SPIRV_FConvert || (op == SPIRV_ExtInst && flushes(words))) {
        for (uint32_t k = first; k < length; k++)
            made[k] = flushed(e, words[k]);
        edit_put(&e->made, op, length - 1, made + 1);
    } else {
        edit_put(&e->made, op, length - 1, words + 1);
    }
}

/* What is there to work with: types, and which ids are such floats. */
static void look(edit *e, const uint32_t *words, size_t count)
{
    for (size_t at = EDIT_HEADER; at < count; at += words[at] >> 16) {
        const uint32_t *w = words + at, op = w[0] & 0xffff, length = w[0] >> 16;
        if (op == SPIRV_TypeFloat && w[2] == e->width)
            e->real = w[1];
        else if (op == SPIRV_TypeInt && w[2] == e->width && w[3] == 0)
            e->whole = w[1];
        else if (op == SPIRV_TypeBool)
            e->flag = w[1];
        else if (e->real && length > 2 && w[1] == e->real) /* only a result's type is named so */
            e->is_real[w[2]] = true;
    }
}

static uint32_t constant(edit *e, uint64_t value)
{
    uint32_t words[4] = { e->whole, e->made.bound++, (uint32_t)value, (uint32_t)(value >> 32) };

    edit_put(&e->made, SPIRV_Constant, e->width == 64 ? 4 : 3, words);
    return words[1];
}

static void edit_all(edit *e, const uint32_t *words, size_t count)
{
    bool declared = false;

    memcpy(e->made.out, words, EDIT_HEADER * sizeof *words);
    e->made.count = EDIT_HEADER;
    for (size_t at = EDIT_HEADER; at < count; at += words[at] >> 16) {
        if ((words[at] & 0xffff) == SPIRV_Function && !declared) {
            bool wide = e->width == 64;
            e->exponent = constant(e, wide ? UINT64_C(0x7ff) << 52 : 0x7f800000);
            e->sign = constant(e, UINT64_C(1) << (e->width - 1));
            e->nothing = constant(e, 0);
            declared = true;
        }
        edit_one(e, words + at, words[at] >> 16);
    }
    e->made.out[EDIT_BOUND] = e->made.bound;
}

uint32_t *edit_shader(const uint32_t *words, size_t count, size_t *out_count)
{
    const char *width = getenv("SLIPWAY_TEST_FLUSH");
    edit e = { .made.bound = words[EDIT_BOUND],
               .width = width && strcmp(width, "64") == 0 ? 64 : 32 };

    e.is_real = calloc(e.made.bound, sizeof *e.is_real);
    e.compared = calloc(e.made.bound, sizeof *e.compared);
    e.made.out =
        calloc(64 + 40 * count, sizeof *e.made.out); /* an instruction becomes 13 at most */
    if (!e.is_real || !e.compared || !e.made.out)
        abort();
    look(&e, words, count);
    if (e.real && e.whole && e.flag) {
        edit_all(&e, words, count);
    } else {
        memcpy(e.made.out, words, count * sizeof *words);
        e.made.count = count;
    }
    free(e.is_real);
    free(e.compared);
    *out_count = e.made.count;
    return e.made.out;
}
