/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_shader.c - the self-test's shader, word by word.
 *
 * SPIR-V 1.5, which Vulkan 1.2 takes. Numbers are loaded and stored as integers, so that nothing
 * but the operation itself can change them.
 */
#include "driver/vulkan_selftest.h"

/* SPIR-V specification, clause 3.49 and the enumerations before it; GLSL.std.450, clause 2. */
enum {
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_MEMORY_MODEL = 14,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FUNCTION = 33,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_COMPOSITE_EXTRACT = 81,
    OP_CONVERT_S_TO_F = 111,
    OP_U_CONVERT = 113,
    OP_F_CONVERT = 115,
    OP_CONVERT_U_TO_PTR = 120,
    OP_BITCAST = 124,
    OP_I_ADD = 128,
    OP_F_ADD = 129,
    OP_I_MUL = 132,
    OP_F_MUL = 133,
    OP_F_DIV = 136,
    OP_LABEL = 248,
    OP_RETURN = 253,
    EXT_SQRT = 31,
    EXT_FMA = 50,
    CAPABILITY_SHADER = 1,
    CAPABILITY_FLOAT64 = 10,
    CAPABILITY_INT64 = 11,
    CAPABILITY_PHYSICAL_STORAGE_BUFFER_ADDRESSES = 5347,
    CAPABILITY_DENORM_PRESERVE = 4464,
    CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE = 4466,
    CAPABILITY_ROUNDING_MODE_RTE = 4467,
    MODE_LOCAL_SIZE = 17,
    MODE_DENORM_PRESERVE = 4459,
    MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    MODE_ROUNDING_MODE_RTE = 4462,
    CLASS_INPUT = 1,
    CLASS_PUSH_CONSTANT = 9,
    CLASS_PHYSICAL_STORAGE_BUFFER = 5349,
    DECORATION_BLOCK = 2,
    DECORATION_BUILTIN = 11,
    DECORATION_OFFSET = 35,
    DECORATION_NO_CONTRACTION = 42,
    BUILTIN_GLOBAL_INVOCATION_ID = 28,
    MEMORY_ALIGNED = 2,
};

/* Ids that have a name; results of operations are numbered from FIRST_RESULT. */
enum {
    ID_GLSL = 1,
    ID_MAIN,
    ID_INDEX,
    ID_PUSH,
    ID_VOID,
    ID_U32,
    ID_U64,
    ID_I64,
    ID_FLOAT,
    ID_F32, /* ID_FLOAT's other name where that is 32 bits wide: not defined then */
    ID_U32_3,
    ID_FUNCTION,
    ID_ARGUMENTS,
    ID_INDEX_PTR,
    ID_PUSH_PTR,
    ID_PUSH_U64,
    ID_WORD_PTR,
    ID_ZERO,
    ID_ONE,
    ID_CASE_BYTES,
    ID_ANSWER_BYTES,
    ID_OFFSETS, /* 0, 8, 16 ..: the words of a case and of an answer */
    ID_LABEL = ID_OFFSETS + VULKAN_SELFTEST_ANSWERS,
    FIRST_RESULT
};

#define OPERANDS(...)                                                                              \
    sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (uint32_t[])                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define OP(opcode, ...) vulkan_words_op(w, opcode, OPERANDS(__VA_ARGS__))

typedef struct shader {
    vulkan_words *words;
    uint32_t width, bound;
} shader;

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

static void put_head(shader *s)
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
}

static void put_types(shader *s)
{
    vulkan_words *w = s->words;

    OP(OP_TYPE_VOID, ID_VOID);
    OP(OP_TYPE_INT, ID_U32, 32, 0);
    OP(OP_TYPE_INT, ID_U64, 64, 0);
    OP(OP_TYPE_INT, ID_I64, 64, 1);
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
    OP(OP_CONSTANT, ID_U64, ID_CASE_BYTES, sizeof(vulkan_selftest_case), 0);
    OP(OP_CONSTANT, ID_U64, ID_ANSWER_BYTES, sizeof(vulkan_selftest_answer), 0);
    for (uint32_t k = 0; k < VULKAN_SELFTEST_ANSWERS; k++)
        OP(OP_CONSTANT, ID_U64, ID_OFFSETS + k, 8 * k, 0);
    OP(OP_VARIABLE, ID_INDEX_PTR, ID_INDEX, CLASS_INPUT);
    OP(OP_VARIABLE, ID_PUSH_PTR, ID_PUSH, CLASS_PUSH_CONSTANT);
}

/* ---- the body ------------------------------------------------------------------------------- */

static uint32_t unary(shader *s, uint32_t opcode, uint32_t type, uint32_t a)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(opcode, type, id, a);
    return id;
}

static uint32_t binary(shader *s, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    vulkan_words *w = s->words;
    uint32_t id = s->bound++;

    OP(opcode, type, id, a, b);
    return id;
}

/* The address of element `index` of the array that push constant `member` points to. */
static uint32_t element(shader *s, uint32_t member, uint32_t index, uint32_t bytes)
{
    uint32_t at = binary(s, OP_ACCESS_CHAIN, ID_PUSH_U64, ID_PUSH, member);
    uint32_t base = unary(s, OP_LOAD, ID_U64, at);
    uint32_t offset = binary(s, OP_I_MUL, ID_U64, index, bytes);

    return binary(s, OP_I_ADD, ID_U64, base, offset);
}

static uint32_t word_at(shader *s, uint32_t base, uint32_t number)
{
    uint32_t address = binary(s, OP_I_ADD, ID_U64, base, ID_OFFSETS + number);

    return unary(s, OP_CONVERT_U_TO_PTR, ID_WORD_PTR, address);
}

static uint32_t load_word(shader *s, uint32_t base, uint32_t number)
{
    vulkan_words *w = s->words;
    uint32_t from = word_at(s, base, number), id = s->bound++;

    OP(OP_LOAD, ID_U64, id, from, MEMORY_ALIGNED, 8);
    return id;
}

static uint32_t load_float(shader *s, uint32_t base, uint32_t number)
{
    uint32_t word = load_word(s, base, number);

    if (s->width == 32)
        word = unary(s, OP_U_CONVERT, ID_U32, word);
    return unary(s, OP_BITCAST, ID_FLOAT, word);
}

static void store(shader *s, uint32_t base, uint32_t number, uint32_t width, uint32_t value)
{
    vulkan_words *w = s->words;
    uint32_t word = unary(s, OP_BITCAST, width == 32 ? ID_U32 : ID_U64, value);

    if (width == 32)
        word = unary(s, OP_U_CONVERT, ID_U64, word);
    uint32_t to = word_at(s, base, number);
    OP(OP_STORE, to, word, MEMORY_ALIGNED, 8);
}

static void put_body(shader *s)
{
    vulkan_words *w = s->words;

    OP(OP_FUNCTION, ID_VOID, ID_MAIN, 0, ID_FUNCTION);
    OP(OP_LABEL, ID_LABEL);
    uint32_t where = unary(s, OP_LOAD, ID_U32_3, ID_INDEX);
    uint32_t x = binary(s, OP_COMPOSITE_EXTRACT, ID_U32, where, 0);
    uint32_t index = unary(s, OP_U_CONVERT, ID_U64, x);
    uint32_t from = element(s, ID_ZERO, index, ID_CASE_BYTES);
    uint32_t to = element(s, ID_ONE, index, ID_ANSWER_BYTES);
    uint32_t a = load_float(s, from, 0), b = load_float(s, from, 1), c = load_float(s, from, 2);
    uint32_t n = unary(s, OP_BITCAST, ID_I64, load_word(s, from, 3));
    uint32_t root = s->bound++, fused = s->bound++;

    store(s, to, 0, s->width, binary(s, OP_F_DIV, ID_FLOAT, a, b));
    OP(OP_EXT_INST, ID_FLOAT, root, ID_GLSL, EXT_SQRT, c);
    store(s, to, 1, s->width, root);
    OP(OP_EXT_INST, ID_FLOAT, fused, ID_GLSL, EXT_FMA, a, b, c);
    store(s, to, 2, s->width, fused);
    store(s, to, 3, s->width, binary(s, OP_F_ADD, ID_FLOAT, a, b));
    store(s, to, 4, s->width, binary(s, OP_F_MUL, ID_FLOAT, a, b));
    store(s, to, 5, s->width, unary(s, OP_CONVERT_S_TO_F, ID_FLOAT, n));
    if (s->width == 64)
        store(s, to, 6, 32, unary(s, OP_F_CONVERT, ID_F32, a));
    vulkan_words_op(w, OP_RETURN, 0, NULL);
    vulkan_words_op(w, OP_FUNCTION_END, 0, NULL);
}

void vulkan_selftest_shader(uint32_t width, vulkan_words *out)
{
    shader s = { .words = out, .width = width, .bound = FIRST_RESULT };

    /* magic number, version, generator, bound (filled below), schema */
    vulkan_words_add(out, 0x07230203);
    vulkan_words_add(out, 0x00010500);
    vulkan_words_add(out, 0);
    vulkan_words_add(out, 0);
    vulkan_words_add(out, 0);
    put_head(&s);
    put_types(&s);
    put_body(&s);
    if (out->status == SLIP_OK)
        out->data[3] = s.bound;
}
