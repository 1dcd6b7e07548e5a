/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_body.c - what an invocation of the self-test computes, word by word.
 *
 * Numbers are loaded and stored as integers, so that nothing but the operation itself can change
 * them.
 */
#include "driver/vulkan_selftest_parts.h"

static uint32_t unary(selftest_shader *s, uint32_t opcode, uint32_t type, uint32_t a)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(opcode, type, id, a);
    return id;
}

static uint32_t binary(selftest_shader *s, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(opcode, type, id, a, b);
    return id;
}

/* The address of element `index` of the array that push constant `member` points to. */
static uint32_t element(selftest_shader *s, uint32_t member, uint32_t index, uint32_t bytes)
{
    uint32_t at = binary(s, OP_ACCESS_CHAIN, ID_PUSH_U64, ID_PUSH, member);
    uint32_t base = unary(s, OP_LOAD, ID_U64, at);
    uint32_t offset = binary(s, OP_I_MUL, ID_U64, index, bytes);

    return binary(s, OP_I_ADD, ID_U64, base, offset);
}

static uint32_t word_at(selftest_shader *s, uint32_t base, uint32_t number)
{
    uint32_t address = binary(s, OP_I_ADD, ID_U64, base, ID_OFFSETS + number);

    return unary(s, OP_CONVERT_U_TO_PTR, ID_WORD_PTR, address);
}

static uint32_t load_word(selftest_shader *s, uint32_t base, uint32_t number)
{
    vulkan_words *w = s->words;
    uint32_t from = word_at(s, base, number), id = s->bound++;

    OP(OP_LOAD, ID_U64, id, from, MEMORY_ALIGNED, 8);
    return id;
}

static uint32_t load_float(selftest_shader *s, uint32_t base, uint32_t number, uint32_t width)
{
    uint32_t word = load_word(s, base, number);

    if (width == 32)
        word = unary(s, OP_U_CONVERT, ID_U32, word);
    return unary(s, OP_BITCAST, width == s->width ? ID_FLOAT : ID_F32, word);
}

static void store(selftest_shader *s, uint32_t base, uint32_t number, uint32_t width,
                  uint32_t value)
{
    vulkan_words *w = s->words;
    uint32_t word = unary(s, OP_BITCAST, width == 32 ? ID_U32 : ID_U64, value);

    if (width == 32)
        word = unary(s, OP_U_CONVERT, ID_U64, word);
    uint32_t to = word_at(s, base, number);
    OP(OP_STORE, to, word, MEMORY_ALIGNED, 8);
}

/* Answer `number`, of the width's floats. */
static void answer(selftest_shader *s, uint32_t to, uint32_t number, uint32_t value)
{
    store(s, to, number, s->width, value);
}

static uint32_t exact(selftest_shader *s, uint32_t opcode, uint32_t a, uint32_t b)
{
    vulkan_words *w = s->words;
    uint32_t id = ID_EXACT + s->exact++;

    OP(opcode, ID_FLOAT, id, a, b);
    return id;
}

static uint32_t glsl1(selftest_shader *s, uint32_t which, uint32_t a)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(OP_EXT_INST, ID_FLOAT, id, ID_GLSL, which, a);
    return id;
}

static uint32_t glsl2(selftest_shader *s, uint32_t which, uint32_t a, uint32_t b)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(OP_EXT_INST, ID_FLOAT, id, ID_GLSL, which, a, b);
    return id;
}

static uint32_t fused(selftest_shader *s, uint32_t a, uint32_t b, uint32_t c)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(OP_EXT_INST, ID_FLOAT, id, ID_GLSL, EXT_FMA, a, b, c);
    return id;
}

static void put_order(selftest_shader *s, uint32_t to, uint32_t a, uint32_t b)
{
    static const uint32_t compares[4] = { OP_F_ORD_EQUAL, OP_F_UNORD_NOT_EQUAL, OP_F_ORD_LESS_THAN,
                                          OP_F_ORD_LESS_THAN_EQUAL };
    vulkan_words *w = s->words;
    uint32_t all = ID_ZERO;

    for (uint32_t k = 0; k < 4; k++) {
        uint32_t holds = binary(s, compares[k], ID_BOOL, a, b), bit = s->bound++;
        OP(OP_SELECT, ID_U32, bit, holds, ID_BITS + k, ID_ZERO);
        all = binary(s, OP_BITWISE_OR, ID_U32, all, bit);
    }
    store(s, to, 6, 32, all);
}

static void put_arithmetic(selftest_shader *s, uint32_t from, uint32_t to, uint32_t a, uint32_t b)
{
    uint32_t c = load_float(s, from, 2, s->width);
    uint32_t n = unary(s, OP_BITCAST, ID_I64, load_word(s, from, 3));

    answer(s, to, 0, exact(s, OP_F_DIV, a, b));
    answer(s, to, 1, glsl1(s, EXT_SQRT, c));
    answer(s, to, 2, fused(s, a, b, c));
    answer(s, to, 3, exact(s, OP_F_ADD, a, b));
    answer(s, to, 4, exact(s, OP_F_MUL, a, b));
    answer(s, to, 5, unary(s, OP_CONVERT_S_TO_F, ID_FLOAT, n));
}

static void put_choices(selftest_shader *s, uint32_t to, uint32_t a, uint32_t b)
{
    put_order(s, to, a, b);
    answer(s, to, 7, glsl2(s, EXT_N_MIN, a, b));
    answer(s, to, 8, glsl2(s, EXT_N_MAX, a, b));
    answer(s, to, 9, glsl1(s, EXT_FLOOR, a));
    answer(s, to, 10, glsl1(s, EXT_CEIL, a));
    answer(s, to, 11, glsl1(s, EXT_TRUNC, a));
    answer(s, to, 12, glsl1(s, EXT_ROUND_EVEN, a));
}

static void put_zeros(selftest_shader *s, uint32_t to, uint32_t a)
{
    answer(s, to, 13, exact(s, OP_F_ADD, a, ID_FLOAT_ZERO));
    answer(s, to, 14, exact(s, OP_F_SUB, ID_FLOAT_ZERO, a));
    answer(s, to, 15, exact(s, OP_F_MUL, a, ID_FLOAT_ZERO));
    answer(s, to, 16, exact(s, OP_F_DIV, ID_FLOAT_ZERO, a));
    answer(s, to, 17, exact(s, OP_F_DIV, a, ID_FLOAT_ZERO));
}

/* slip_refined_brief_sqrtf of math/refine.c, as target/spirv_refine.c calls it. */
static void put_brief_root(selftest_shader *s, uint32_t from, uint32_t to)
{
    uint32_t c = load_float(s, from, 2, 32), near = glsl1(s, EXT_INVERSE_SQRT, c);
    uint32_t g = exact(s, OP_F_MUL, c, near), h = exact(s, OP_F_MUL, near, ID_FLOAT_HALF);
    uint32_t bits = unary(s, OP_BITCAST, ID_U32, g);
    uint32_t minus =
        unary(s, OP_BITCAST, ID_FLOAT, binary(s, OP_BITWISE_XOR, ID_U32, bits, ID_SIGN));

    answer(s, to, 24, fused(s, fused(s, minus, g, c), h, g));
}

/* 1 < a ? 1 : a where a block is left out: a compiler may make a choice of it again. Ends the block
 * at hand. */
static uint32_t branched(selftest_shader *s, uint32_t above, uint32_t a)
{
    vulkan_words *w = s->words;
    uint32_t yes = s->bound++, merge = s->bound++, value = s->bound++;

    OP(OP_SELECTION_MERGE, merge, 0);
    OP(OP_BRANCH_CONDITIONAL, above, yes, merge);
    OP(OP_LABEL, yes);
    OP(OP_BRANCH, merge);
    OP(OP_LABEL, merge);
    OP(OP_PHI, ID_FLOAT, value, ID_FLOAT_ONE, yes, a, ID_LABEL);
    return value;
}

/* The last of what is computed. */
static void put_clamps(selftest_shader *s, uint32_t to, uint32_t a)
{
    vulkan_words *w = s->words;
    uint32_t above = binary(s, OP_F_ORD_LESS_THAN, ID_BOOL, ID_FLOAT_ONE, a), most = s->bound++;
    uint32_t inside = binary(s, OP_F_ORD_LESS_THAN, ID_BOOL, ID_FLOAT_MINUS_ONE, a);
    uint32_t least = s->bound++;

    OP(OP_SELECT, ID_FLOAT, most, above, ID_FLOAT_ONE, a);
    OP(OP_SELECT, ID_FLOAT, least, inside, a, ID_FLOAT_MINUS_ONE);
    answer(s, to, 21, most);
    answer(s, to, 22, least);
    answer(s, to, 23, branched(s, above, a));
}

void selftest_body(selftest_shader *s)
{
    vulkan_words *w = s->words;

    OP(OP_FUNCTION, ID_VOID, ID_MAIN, 0, ID_FUNCTION);
    OP(OP_LABEL, ID_LABEL);
    uint32_t where = unary(s, OP_LOAD, ID_U32_3, ID_INDEX);
    uint32_t x = binary(s, OP_COMPOSITE_EXTRACT, ID_U32, where, 0);
    uint32_t index = unary(s, OP_U_CONVERT, ID_U64, x);
    uint32_t from = element(s, ID_ZERO, index, ID_CASE_BYTES);
    uint32_t to = element(s, ID_ONE, index, ID_ANSWER_BYTES);
    uint32_t a = load_float(s, from, 0, s->width), b = load_float(s, from, 1, s->width);

    put_arithmetic(s, from, to, a, b);
    put_choices(s, to, a, b);
    put_zeros(s, to, a);
    if (s->width == 64) {
        uint32_t wide = load_float(s, from, 4, 64), narrow = load_float(s, from, 5, 32);
        store(s, to, 18, 32, unary(s, OP_F_CONVERT, ID_F32, wide));
        store(s, to, 19, 64, unary(s, OP_F_CONVERT, ID_FLOAT, narrow));
    }
    answer(s, to, 20, exact(s, OP_F_SUB, a, b));
    if (s->width == 32)
        put_brief_root(s, from, to);
    put_clamps(s, to, a);
    vulkan_words_op(w, OP_RETURN, 0, NULL);
    vulkan_words_op(w, OP_FUNCTION_END, 0, NULL);
}
