/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths.c - the table of math functions. Must name no function that the runtime's table lacks.
 */
#include "target/maths.h"

#include <stddef.h>

#define IMPORTED_(name, operands)                                                                  \
    {                                                                                              \
#name, operands, MATHS_IMPORT, NULL                                                        \
    }
#define LINKED_(name, operands)                                                                    \
    {                                                                                              \
#name, operands, MATHS_LINKED, NULL                                                        \
    }
#define INTRINSIC_(name, operands, llvm)                                                           \
    {                                                                                              \
#name, operands, MATHS_INTRINSIC, llvm                                                     \
    }
#define INLINE_(name, operands)                                                                    \
    {                                                                                              \
#name, operands, MATHS_INLINE, NULL                                                        \
    }

const maths_row maths_rows[IR_MATH_COUNT] = {
    [IR_MATH_sin] = LINKED_(sin, 1),
    [IR_MATH_cos] = LINKED_(cos, 1),
    [IR_MATH_tan] = LINKED_(tan, 1),
    [IR_MATH_asin] = LINKED_(asin, 1),
    [IR_MATH_acos] = LINKED_(acos, 1),
    [IR_MATH_atan] = LINKED_(atan, 1),
    [IR_MATH_sinh] = LINKED_(sinh, 1),
    [IR_MATH_cosh] = LINKED_(cosh, 1),
    [IR_MATH_tanh] = LINKED_(tanh, 1),
    [IR_MATH_asinh] = LINKED_(asinh, 1),
    [IR_MATH_acosh] = LINKED_(acosh, 1),
    [IR_MATH_atanh] = LINKED_(atanh, 1),
    [IR_MATH_exp] = LINKED_(exp, 1),
    [IR_MATH_exp2] = LINKED_(exp2, 1),
    [IR_MATH_expm1] = LINKED_(expm1, 1),
    [IR_MATH_log] = LINKED_(log, 1),
    [IR_MATH_log2] = LINKED_(log2, 1),
    [IR_MATH_log10] = LINKED_(log10, 1),
    [IR_MATH_log1p] = LINKED_(log1p, 1),
    [IR_MATH_cbrt] = LINKED_(cbrt, 1),
    [IR_MATH_erf] = IMPORTED_(erf, 1),
    [IR_MATH_erfc] = IMPORTED_(erfc, 1),
    [IR_MATH_tgamma] = IMPORTED_(tgamma, 1),
    [IR_MATH_lgamma] = IMPORTED_(lgamma, 1),
    [IR_MATH_round] = INTRINSIC_(round, 1, "llvm.round"),
    [IR_MATH_nearbyint] = INTRINSIC_(nearbyint, 1, "llvm.roundeven"),
    [IR_MATH_rsqrt] = INLINE_(rsqrt, 1),
    [IR_MATH_pow] = LINKED_(pow, 2),
    [IR_MATH_atan2] = LINKED_(atan2, 2),
    [IR_MATH_hypot] = LINKED_(hypot, 2),
    [IR_MATH_fmod] = IMPORTED_(fmod, 2),
    [IR_MATH_remainder] = LINKED_(remainder, 2),
    [IR_MATH_copysign] = INTRINSIC_(copysign, 2, "llvm.copysign"),
    [IR_MATH_fdim] = INLINE_(fdim, 2),
    [IR_MATH_nextafter] = LINKED_(nextafter, 2),
};

static const char *const names_f64[MATHS_IMPORT_COUNT] = {
#define NAME_(name, operands) #name,
    IR_MATHS(NAME_)
#undef NAME_
        "fma",
};

static const char *const names_f32[MATHS_IMPORT_COUNT] = {
#define NAME_(name, operands) #name "f",
    IR_MATHS(NAME_)
#undef NAME_
        "fmaf",
};

const char *maths_import_name(uint32_t k, scalar_type type)
{
    return type == SCALAR_f32 ? names_f32[k] : names_f64[k];
}
