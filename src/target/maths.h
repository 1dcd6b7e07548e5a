/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths.h - how each math function of the IR is had on the CPU: one row each.
 *
 * An import is a C library function that the runtime puts into the image's table (driver/
 * cpu_math.c knows the same names). Everything else is a few instructions in line.
 */
#ifndef SLIPWAY_TARGET_MATHS_H
#define SLIPWAY_TARGET_MATHS_H

#include <stdint.h>

#include "ir/ir.h"

typedef enum maths_way {
    MATHS_LINKED,    /* a function of the module: mathlib/ has made calls of the operations */
    MATHS_IMPORT,    /* a call through the image's table */
    MATHS_INTRINSIC, /* an LLVM intrinsic that every target has in line */
    MATHS_INLINE     /* written out by llvm_math */
} maths_way;

typedef struct maths_row {
    const char *name; /* C's, for double; f32 has an f after it */
    uint8_t operands;
    maths_way way;
    const char *intrinsic; /* "llvm.copysign" */
} maths_row;

extern const maths_row maths_rows[IR_MATH_COUNT];

/* Operations that may need the C library: remainder where nobody links it (the scalar one), fma where
 * the target has none. Both are exact, so nothing tells whose they are. */
enum { MATHS_FMOD = IR_MATH_fmod, MATHS_FMA = IR_MATH_COUNT, MATHS_IMPORT_COUNT };

/* The C name of an import, "powf". `k` is an ir_math or MATHS_FMA. */
const char *maths_import_name(uint32_t k, scalar_type type);

#endif
