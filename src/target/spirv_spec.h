/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_spec.h - the numbers of SPIR-V that shaders are made of (SPIR-V 1.5, chapter 3, and the
 * GLSL.std.450 extended instructions).
 *
 * One row per instruction: name, opcode, operands. Operands, as the printer reads them: t the
 * result's type, r the result, i an id, n a number, s text; a star repeats the letter before it.
 */
#ifndef SLIPWAY_TARGET_SPIRV_SPEC_H
#define SLIPWAY_TARGET_SPIRV_SPEC_H

#include <stdint.h>

#define SPIRV_OPS(X)                                                                               \
    X(Undef, 1, "tr")                                                                              \
    X(Name, 5, "is")                                                                               \
    X(ExtInstImport, 11, "rs")                                                                     \
    X(ExtInst, 12, "trini*")                                                                       \
    X(MemoryModel, 14, "nn")                                                                       \
    X(EntryPoint, 15, "nisi*")                                                                     \
    X(ExecutionMode, 16, "inn*")                                                                   \
    X(Capability, 17, "n")                                                                         \
    X(TypeVoid, 19, "r")                                                                           \
    X(TypeBool, 20, "r")                                                                           \
    X(TypeInt, 21, "rnn")                                                                          \
    X(TypeFloat, 22, "rn")                                                                         \
    X(TypeVector, 23, "rin")                                                                       \
    X(TypeArray, 28, "rii")                                                                        \
    X(TypeStruct, 30, "ri*")                                                                       \
    X(TypePointer, 32, "rni")                                                                      \
    X(TypeFunction, 33, "ri*")                                                                     \
    X(ConstantTrue, 41, "tr")                                                                      \
    X(ConstantFalse, 42, "tr")                                                                     \
    X(Constant, 43, "trn*")                                                                        \
    X(ConstantComposite, 44, "tri*")                                                               \
    X(SpecConstantTrue, 48, "tr")                                                                  \
    X(SpecConstant, 50, "trn*")                                                                    \
    X(SpecConstantComposite, 51, "tri*")                                                           \
    X(Function, 54, "trni")                                                                        \
    X(FunctionParameter, 55, "tr")                                                                 \
    X(FunctionEnd, 56, "")                                                                         \
    X(FunctionCall, 57, "tri*")                                                                    \
    X(Variable, 59, "trni*")                                                                       \
    X(Load, 61, "trin*")                                                                           \
    X(Store, 62, "iin*")                                                                           \
    X(AccessChain, 65, "tri*")                                                                     \
    X(Decorate, 71, "inn*")                                                                        \
    X(MemberDecorate, 72, "innn*")                                                                 \
    X(CompositeConstruct, 80, "tri*")                                                              \
    X(CompositeExtract, 81, "trin*")                                                               \
    X(ConvertFToU, 109, "tri")                                                                     \
    X(ConvertFToS, 110, "tri")                                                                     \
    X(ConvertSToF, 111, "tri")                                                                     \
    X(ConvertUToF, 112, "tri")                                                                     \
    X(UConvert, 113, "tri")                                                                        \
    X(SConvert, 114, "tri")                                                                        \
    X(FConvert, 115, "tri")                                                                        \
    X(ConvertUToPtr, 120, "tri")                                                                   \
    X(Bitcast, 124, "tri")                                                                         \
    X(IAdd, 128, "trii")                                                                           \
    X(FAdd, 129, "trii")                                                                           \
    X(ISub, 130, "trii")                                                                           \
    X(FSub, 131, "trii")                                                                           \
    X(IMul, 132, "trii")                                                                           \
    X(FMul, 133, "trii")                                                                           \
    X(UDiv, 134, "trii")                                                                           \
    X(FDiv, 136, "trii")                                                                           \
    X(UMulExtended, 151, "trii")                                                                   \
    X(LogicalEqual, 164, "trii")                                                                   \
    X(LogicalNotEqual, 165, "trii")                                                                \
    X(LogicalOr, 166, "trii")                                                                      \
    X(LogicalAnd, 167, "trii")                                                                     \
    X(LogicalNot, 168, "tri")                                                                      \
    X(Select, 169, "triii")                                                                        \
    X(IEqual, 170, "trii")                                                                         \
    X(INotEqual, 171, "trii")                                                                      \
    X(UGreaterThan, 172, "trii")                                                                   \
    X(SGreaterThan, 173, "trii")                                                                   \
    X(UGreaterThanEqual, 174, "trii")                                                              \
    X(SGreaterThanEqual, 175, "trii")                                                              \
    X(ULessThan, 176, "trii")                                                                      \
    X(SLessThan, 177, "trii")                                                                      \
    X(ULessThanEqual, 178, "trii")                                                                 \
    X(SLessThanEqual, 179, "trii")                                                                 \
    X(FOrdEqual, 180, "trii")                                                                      \
    X(FUnordNotEqual, 183, "trii")                                                                 \
    X(FOrdLessThan, 184, "trii")                                                                   \
    X(FOrdGreaterThan, 186, "trii")                                                                \
    X(FOrdLessThanEqual, 188, "trii")                                                              \
    X(FOrdGreaterThanEqual, 190, "trii")                                                           \
    X(ShiftRightLogical, 194, "trii")                                                              \
    X(ShiftRightArithmetic, 195, "trii")                                                           \
    X(ShiftLeftLogical, 196, "trii")                                                               \
    X(BitwiseOr, 197, "trii")                                                                      \
    X(BitwiseXor, 198, "trii")                                                                     \
    X(BitwiseAnd, 199, "trii")                                                                     \
    X(Not, 200, "tri")                                                                             \
    X(BitFieldSExtract, 202, "triii")                                                              \
    X(ControlBarrier, 224, "iii")                                                                  \
    X(AtomicLoad, 227, "triii")                                                                    \
    X(AtomicExchange, 229, "triiii")                                                               \
    X(AtomicCompareExchange, 230, "triiiiii")                                                      \
    X(AtomicIAdd, 234, "triiii")                                                                   \
    X(AtomicISub, 235, "triiii")                                                                   \
    X(AtomicSMin, 236, "triiii")                                                                   \
    X(AtomicUMin, 237, "triiii")                                                                   \
    X(AtomicSMax, 238, "triiii")                                                                   \
    X(AtomicUMax, 239, "triiii")                                                                   \
    X(AtomicAnd, 240, "triiii")                                                                    \
    X(AtomicOr, 241, "triiii")                                                                     \
    X(AtomicXor, 242, "triiii")                                                                    \
    X(Phi, 245, "tri*")                                                                            \
    X(LoopMerge, 246, "iin")                                                                       \
    X(SelectionMerge, 247, "in")                                                                   \
    X(Label, 248, "r")                                                                             \
    X(Branch, 249, "i")                                                                            \
    X(BranchConditional, 250, "iii")                                                               \
    X(Switch, 251, "iin*")                                                                         \
    X(Return, 253, "")                                                                             \
    X(ReturnValue, 254, "i")                                                                       \
    X(Unreachable, 255, "")

typedef enum spirv_op {
#define SPIRV_OP_ENUM_(name, number, operands) SPIRV_##name = number,
    SPIRV_OPS(SPIRV_OP_ENUM_)
#undef SPIRV_OP_ENUM_
} spirv_op;

enum { SPIRV_MAGIC = 0x07230203, SPIRV_VERSION = 0x00010500 };

enum spirv_capability {
    SPIRV_CAP_SHADER = 1,
    SPIRV_CAP_FLOAT64 = 10,
    SPIRV_CAP_INT64 = 11,
    SPIRV_CAP_INT64_ATOMICS = 12,
    SPIRV_CAP_STORAGE_16BIT = 4433,
    SPIRV_CAP_STORAGE_8BIT = 4448,
    SPIRV_CAP_DENORM_PRESERVE = 4464,
    SPIRV_CAP_SIGNED_ZERO_INF_NAN_PRESERVE = 4466,
    SPIRV_CAP_ROUNDING_MODE_RTE = 4467,
    SPIRV_CAP_PHYSICAL_ADDRESSES = 5347
};

enum spirv_storage {
    SPIRV_INPUT = 1,
    SPIRV_WORKGROUP = 4,
    SPIRV_PRIVATE = 6,
    SPIRV_FUNCTION = 7,
    SPIRV_PUSH_CONSTANT = 9,
    SPIRV_PHYSICAL = 5349
};

enum spirv_enumerant {
    SPIRV_ADDRESSING_PHYSICAL64 = 5348,
    SPIRV_MEMORY_GLSL450 = 1,
    SPIRV_MODEL_COMPUTE = 5,
    SPIRV_MODE_LOCAL_SIZE = 17,
    SPIRV_MODE_DENORM_PRESERVE = 4459,
    SPIRV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    SPIRV_MODE_ROUNDING_MODE_RTE = 4462,
    SPIRV_DECORATE_SPEC_ID = 1,
    SPIRV_DECORATE_BLOCK = 2,
    SPIRV_DECORATE_ARRAY_STRIDE = 6,
    SPIRV_DECORATE_BUILTIN = 11,
    SPIRV_DECORATE_OFFSET = 35,
    SPIRV_DECORATE_NO_CONTRACTION = 42,
    SPIRV_BUILTIN_NUM_WORKGROUPS = 24,
    SPIRV_BUILTIN_WORKGROUP_SIZE = 25,
    SPIRV_BUILTIN_WORKGROUP_ID = 26,
    SPIRV_BUILTIN_LOCAL_INDEX = 29,
    SPIRV_ACCESS_VOLATILE = 1,
    SPIRV_ACCESS_ALIGNED = 2,
    SPIRV_SELECT_NONE = 0,
    SPIRV_SELECT_DONT_FLATTEN = 2,
    SPIRV_SCOPE_DEVICE = 1,
    SPIRV_SCOPE_WORKGROUP = 2,
    SPIRV_ACQUIRE_RELEASE = 8,
    SPIRV_UNIFORM_MEMORY = 64,
    SPIRV_WORKGROUP_MEMORY = 256
};

/* GLSL.std.450 */
enum spirv_glsl {
    SPIRV_GLSL_ROUND_EVEN = 2,
    SPIRV_GLSL_TRUNC = 3,
    SPIRV_GLSL_FLOOR = 8,
    SPIRV_GLSL_CEIL = 9,
    SPIRV_GLSL_SQRT = 31,
    SPIRV_GLSL_INVERSE_SQRT = 32,
    SPIRV_GLSL_FMA = 50,
    SPIRV_GLSL_NMIN = 79,
    SPIRV_GLSL_NMAX = 80
};

#endif
