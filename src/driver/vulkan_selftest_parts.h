/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_parts.h - what the two files of the self-test's shader share.
 */
#ifndef SLIPWAY_DRIVER_VULKAN_SELFTEST_PARTS_H
#define SLIPWAY_DRIVER_VULKAN_SELFTEST_PARTS_H

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
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FUNCTION = 33,
    OP_CONSTANT = 43,
    OP_CONSTANT_NULL = 46,
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
    OP_F_SUB = 131,
    OP_I_MUL = 132,
    OP_F_MUL = 133,
    OP_F_DIV = 136,
    OP_SELECT = 169,
    OP_F_ORD_EQUAL = 180,
    OP_F_UNORD_NOT_EQUAL = 183,
    OP_F_ORD_LESS_THAN = 184,
    OP_F_ORD_LESS_THAN_EQUAL = 188,
    OP_BITWISE_OR = 197,
    OP_BITWISE_XOR = 198,
    OP_PHI = 245,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_RETURN = 253,
    EXT_ROUND_EVEN = 2,
    EXT_TRUNC = 3,
    EXT_FLOOR = 8,
    EXT_CEIL = 9,
    EXT_SQRT = 31,
    EXT_INVERSE_SQRT = 32,
    EXT_FMA = 50,
    EXT_N_MIN = 79,
    EXT_N_MAX = 80,
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

/* Sums, differences, products and quotients of the body. */
enum { SELFTEST_EXACT = 11, SELFTEST_EXACT64 = 9 };

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
    ID_BOOL,
    ID_F32, /* of 64-bit floats only */
    ID_U32_3,
    ID_FUNCTION,
    ID_ARGUMENTS,
    ID_INDEX_PTR,
    ID_PUSH_PTR,
    ID_PUSH_U64,
    ID_WORD_PTR,
    ID_ZERO,
    ID_ONE,
    ID_FLOAT_ZERO,
    ID_FLOAT_ONE,
    ID_FLOAT_MINUS_ONE,
    ID_FLOAT_HALF,
    ID_SIGN,
    ID_CASE_BYTES,
    ID_ANSWER_BYTES,
    ID_BITS,                  /* 1, 2, 4, 8 */
    ID_OFFSETS = ID_BITS + 4, /* 0, 8, 16 ..: the words of a case and of an answer */
    ID_EXACT = ID_OFFSETS + VULKAN_SELFTEST_ANSWERS, /* NoContraction, as all of our shaders' are */
    ID_LABEL = ID_EXACT + SELFTEST_EXACT,
    FIRST_RESULT
};

#define OPERANDS(...)                                                                              \
    sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (uint32_t[])                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define OP(opcode, ...) vulkan_words_op(w, opcode, OPERANDS(__VA_ARGS__))

typedef struct selftest_shader {
    vulkan_words *words;
    uint32_t width, bound, exact; /* exact: how many of ID_EXACT are in use */
} selftest_shader;

/* vulkan_selftest_body.c: the function; everything before it is there. */
void selftest_body(selftest_shader *s);

#endif
