/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numerics.h - what a device's numbers are like, and the numbers of a shader's specialisation
 * constants: shared by the compiler, which emits them, and drivers, which set them.
 *
 * A driver finds each of these by running it when a device is opened (LANGUAGE rules 1, 20). Bit k
 * of a set of them is specialisation constant SPEC_NUMERIC + k, a bool: true selects the device's
 * own operation, false the corrected sequence. SLIPWAY_WITHOUT takes them back by name, in small
 * letters: compare_f32.
 */
#ifndef SLIPWAY_BASE_NUMERICS_H
#define SLIPWAY_BASE_NUMERICS_H

#define NUMERICS(X)                                                                                \
    X(DIV_F32, "f32 division is correctly rounded")                                                \
    X(SQRT_F32, "f32 square root is correctly rounded")                                            \
    X(DIV_F64, "f64 division is correctly rounded")                                                \
    X(SQRT_F64, "f64 square root is correctly rounded")                                            \
    X(FMA_F32, "f32 fma is fused")                                                                 \
    X(FMA_F64, "f64 fma is fused")                                                                 \
    X(DENORM_F32, "f32 denormals are kept")                                                        \
    X(DENORM_F64, "f64 denormals are kept")                                                        \
    X(NEAREST, "arithmetic and conversions round to nearest even")                                 \
    X(FUSED_F32, "f32 fma is fused where no number is a denormal")                                 \
    X(COMPARE_F32, "f32 comparisons tell denormals apart")                                         \
    X(COMPARE_F64, "f64 comparisons tell denormals apart")                                         \
    X(MINMAX_F32, "f32 minimum and maximum are right")                                             \
    X(MINMAX_F64, "f64 minimum and maximum are right")                                             \
    X(WHOLE_F32, "f32 floor, ceil, trunc and rint are right")                                      \
    X(WHOLE_F64, "f64 floor, ceil, trunc and rint are right")                                      \
    X(NARROW, "f64 to f32 keeps denormals")                                                        \
    X(WIDEN, "f32 to f64 keeps denormals")                                                         \
    X(ZEROS, "a zero that the device's compiler knows has its sign")                               \
    X(CLAMP_F32, "f32 denormals stay when a comparison chooses them")                              \
    X(CLAMP_F64, "f64 denormals stay when a comparison chooses them")                              \
    X(BRIEF_F32, "f32 inverse roots are near enough for the briefest square root")

typedef enum numeric {
#define NUMERIC_ENUM_(name, text) NUMERIC_##name,
    NUMERICS(NUMERIC_ENUM_)
#undef NUMERIC_ENUM_
        NUMERIC_COUNT
} numeric;

/* The numbers in [1, 4) whose square roots the briefest steps of math/refine.c may get wrong, as
 * bits; but for powers of 4 there are no others (tests/math/refine_test.c tries all). */
#define NUMERIC_HARD_ROOTS                                                                         \
    0x3fa97bef, 0x402a177f, 0x403b8bcc, 0x404d142a, 0x405ae03b, 0x405f5fa5, 0x406e9372, 0x3ffc114a

/* Sizes in [2^LEAST, 2^END) are those for which math/refine.c is right: of both operands of a
 * division, and of a number whose root is taken. */
enum {
    NUMERIC_QUOTIENT_LEAST = -62,
    NUMERIC_QUOTIENT_END = 62,
    NUMERIC_ROOT_LEAST = -64,
    NUMERIC_ROOT_END = 128
};

/* SpecId of: invocations a workgroup; the device address of the constant tables; numeric 0. */
enum { SPEC_LOCAL = 0, SPEC_DATA_LOW = 1, SPEC_DATA_HIGH = 2, SPEC_NUMERIC = 16 };

#endif
