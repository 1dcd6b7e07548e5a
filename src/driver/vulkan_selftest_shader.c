/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_shader.c - the self-test's shader, word by word: all but its function.
 *
 * SPIR-V 1.5, which Vulkan 1.2 takes.
 */
#include "driver/vulkan_selftest_parts.h"

/* "main" as a literal: four bytes and a terminating word. */
enum { TEXT_MAIN = 'm' | 'a' << 8 | 'i' << 16 | 'n' << 24 };
/* "GLSL.std.450" */
enum {
    TEXT_GLSL = 'G' | 'L' << 8 | 'S' << 16 | 'L' << 24,
    TEXT_STD = '.' | 's' << 8 | 't' << 16 | 'd' << 24,
    TEXT_450 = '.' | '4' << 8 | '5' << 16 | '0' << 24
};

static void put_modes(vulkan_words *w, uint32_t width)
{
    OP(OP_EXECUTION_MODE, ID_MAIN, MODE_DENORM_PRESERVE, width);
    OP(OP_EXECUTION_MODE, ID_MAIN, MODE_SIGNED_ZERO_INF_NAN_PRESERVE, width);
    OP(OP_EXECUTION_MODE, ID_MAIN, MODE_ROUNDING_MODE_RTE, width);
}

static void put_head(selftest_shader *s)
{
    vulkan_words *w = s->words;

    OP(OP_CAPABILITY, CAPABILITY_SHADER);
    OP(OP_CAPABILITY, CAPABILITY_INT64);
    if (s->width == 64)
        OP(OP_CAPABILITY, CAPABILITY_FLOAT64);
    OP(OP_CAPABILITY, CAPABILITY_PHYSICAL_STORAGE_BUFFER_ADDRESSES);
    OP(OP_CAPABILITY, CAPABILITY_DENORM_PRESERVE);
    OP(OP_CAPABILITY, CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE);
    OP(OP_CAPABILITY, CAPABILITY_ROUNDING_MODE_RTE);
    OP(OP_EXT_INST_IMPORT, ID_GLSL, TEXT_GLSL, TEXT_STD, TEXT_450, 0);
    OP(OP_MEMORY_MODEL, 5348, 1);                                    /* 64-bit addresses, GLSL450 */
    OP(OP_ENTRY_POINT, 5, ID_MAIN, TEXT_MAIN, 0, ID_INDEX, ID_PUSH); /* GLCompute */
    OP(OP_EXECUTION_MODE, ID_MAIN, MODE_LOCAL_SIZE, VULKAN_SELFTEST_LOCAL, 1, 1);
    put_modes(w, 32);
    if (s->width == 64)
        put_modes(w, 64);
    OP(OP_DECORATE, ID_INDEX, DECORATION_BUILTIN, BUILTIN_GLOBAL_INVOCATION_ID);
    OP(OP_DECORATE, ID_ARGUMENTS, DECORATION_BLOCK);
    OP(OP_MEMBER_DECORATE, ID_ARGUMENTS, 0, DECORATION_OFFSET, 0);
    OP(OP_MEMBER_DECORATE, ID_ARGUMENTS, 1, DECORATION_OFFSET, 8);
    for (uint32_t k = 0; k < (s->width == 32 ? SELFTEST_EXACT : SELFTEST_EXACT64); k++)
        OP(OP_DECORATE, ID_EXACT + k, DECORATION_NO_CONTRACTION);
}

static void put_float(selftest_shader *s, uint32_t id, double value)
{
    const uint64_t bits = vulkan_selftest_number(s->width, value);
    vulkan_words *w = s->words;

    if (s->width == 32)
        OP(OP_CONSTANT, ID_FLOAT, id, (uint32_t)bits);
    else
        OP(OP_CONSTANT, ID_FLOAT, id, (uint32_t)bits, (uint32_t)(bits >> 32));
}

static void put_types(selftest_shader *s)
{
    vulkan_words *w = s->words;

    OP(OP_TYPE_VOID, ID_VOID);
    OP(OP_TYPE_INT, ID_U32, 32, 0);
    OP(OP_TYPE_INT, ID_U64, 64, 0);
    OP(OP_TYPE_INT, ID_I64, 64, 1);
    OP(OP_TYPE_BOOL, ID_BOOL);
    OP(OP_TYPE_FLOAT, ID_FLOAT, s->width);
    if (s->width == 64)
        OP(OP_TYPE_FLOAT, ID_F32, 32);
    OP(OP_TYPE_VECTOR, ID_U32_3, ID_U32, 3);
    OP(OP_TYPE_FUNCTION, ID_FUNCTION, ID_VOID);
    OP(OP_TYPE_STRUCT, ID_ARGUMENTS, ID_U64, ID_U64);
    OP(OP_TYPE_POINTER, ID_INDEX_PTR, CLASS_INPUT, ID_U32_3);
    OP(OP_TYPE_POINTER, ID_PUSH_PTR, CLASS_PUSH_CONSTANT, ID_ARGUMENTS);
    OP(OP_TYPE_POINTER, ID_PUSH_U64, CLASS_PUSH_CONSTANT, ID_U64);
    OP(OP_TYPE_POINTER, ID_WORD_PTR, CLASS_PHYSICAL_STORAGE_BUFFER, ID_U64);
    OP(OP_CONSTANT, ID_U32, ID_ZERO, 0);
    OP(OP_CONSTANT, ID_U32, ID_ONE, 1);
    OP(OP_CONSTANT_NULL, ID_FLOAT, ID_FLOAT_ZERO);
    put_float(s, ID_FLOAT_ONE, 1);
    put_float(s, ID_FLOAT_MINUS_ONE, -1);
    put_float(s, ID_FLOAT_HALF, 0.5);
    OP(OP_CONSTANT, ID_U32, ID_SIGN, 0x80000000);
    for (uint32_t k = 0; k < 4; k++)
        OP(OP_CONSTANT, ID_U32, ID_BITS + k, 1u << k);
    OP(OP_CONSTANT, ID_U64, ID_CASE_BYTES, sizeof(vulkan_selftest_case), 0);
    OP(OP_CONSTANT, ID_U64, ID_ANSWER_BYTES, sizeof(vulkan_selftest_answer), 0);
    for (uint32_t k = 0; k < VULKAN_SELFTEST_ANSWERS; k++)
        OP(OP_CONSTANT, ID_U64, ID_OFFSETS + k, 8 * k, 0);
    OP(OP_VARIABLE, ID_INDEX_PTR, ID_INDEX, CLASS_INPUT);
    OP(OP_VARIABLE, ID_PUSH_PTR, ID_PUSH, CLASS_PUSH_CONSTANT);
}

void vulkan_selftest_shader(uint32_t width, vulkan_words *out)
{
    selftest_shader s = { .words = out, .width = width, .bound = FIRST_RESULT };

    /* magic number, version, generator, bound (filled below), schema */
    vulkan_words_add(out, 0x07230203);
    vulkan_words_add(out, 0x00010500);
    vulkan_words_add(out, 0);
    vulkan_words_add(out, 0);
    vulkan_words_add(out, 0);
    put_head(&s);
    put_types(&s);
    selftest_body(&s);
    if (out->status == SLIP_OK)
        out->data[3] = s.bound;
}
