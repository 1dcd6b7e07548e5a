/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp_parts.h - what the functions made of exponentials share: x = n ln 2 + r with polynomials of
 * r, and 2^r.
 */
#ifndef SLIP_MATH_EXP_PARTS_H
#define SLIP_MATH_EXP_PARTS_H

#include "parts.h"
#include "polynomials.h"

/* sinh r = r + sinh_rest and cosh r = 1 + cosh_rest; what r itself lost is in sinh_rest. */
typedef struct exp_f32 {
    f32 r, sinh_rest, cosh_rest;
    i32 n;
} exp_f32;

typedef struct exp_f64 {
    f64 r, sinh_rest, cosh_rest;
    i32 n;
} exp_f64;

/* ln 2 in two parts: n times the first is exact. */
static inline exp_f32 exp_reduce_f32(f32 x)
{
    const f32 shifted = x * 0x1.715476p+0f + SLIP_ROUNDER_F32, n = shifted - SLIP_ROUNDER_F32;
    const f32 near = x - n * 0x1.62ep-1f, far = n * 0x1.0bfbe8p-15f;
    const f32 r = near - far, z = r * r;
    exp_f32 out;

    out.n = rounded_i32_f32(shifted);
    out.r = r;
    out.sinh_rest = r * z * sinh_poly_f32(z) + ((near - r) - far);
    out.cosh_rest = z * cosh_poly_f32(z);
    return out;
}

static inline exp_f64 exp_reduce_f64(f64 x)
{
    const f64 shifted = x * 0x1.71547652b82fep+0 + SLIP_ROUNDER_F64;
    const f64 n = shifted - SLIP_ROUNDER_F64;
    const f64 near = x - n * 0x1.62e42fefa3p-1, far = n * 0x1.3de6af278ece6p-42;
    const f64 r = near - far, z = r * r;
    exp_f64 out;

    out.n = rounded_i32_f64(shifted);
    out.r = r;
    out.sinh_rest = r * z * sinh_poly_f64(z) + ((near - r) - far);
    out.cosh_rest = z * cosh_poly_f64(z);
    return out;
}

/* 2^(r + rest) for |r| <= 1/2 and a far smaller rest: 1 + r ln 2 is kept in two parts. */
static inline f32 exp2_sum_f32(f32 r, f32 rest)
{
    const f32 t = r * 0x1.62e43p-1f, main = 1.0f + t;
    const f32 low =
        product_rest_f32(r, 0x1.62e43p-1f, t) + (r * -0x1.05c61p-29f + rest * 0x1.62e43p-1f);

    return main + (sum_rest_f32(1.0f, t, main) + (low + r * r * exp2_poly_f32(r)));
}

static inline f64 exp2_sum_f64(f64 r, f64 rest)
{
    const f64 t = r * 0x1.62e42fefa39efp-1, main = 1.0 + t;
    const f64 low = product_rest_f64(r, 0x1.62e42fefa39efp-1, t) +
                    (r * 0x1.abc9e3b39803fp-56 + rest * 0x1.62e42fefa39efp-1);

    return main + (sum_rest_f64(1.0, t, main) + (low + r * r * exp2_poly_f64(r)));
}

#endif
