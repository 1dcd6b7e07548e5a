/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exp.c - e^x, 2^x and e^x - 1.
 *
 * x = n ln 2 + r with |r| <= ln 2 / 2; e^r = cosh r + sinh r, each a polynomial in r^2. Nothing
 * branches: what is out of range is clamped to where the scaling overflows or underflows.
 */
#include "exp_parts.h"
#include <slipway/slip_math.h>

f32 slip_expf(f32 x)
{
    const exp_f32 e = exp_reduce_f32(x < -160.0f ? -160.0f : x > 130.0f ? 130.0f : x);

    return scale_f32(1.0f + (e.r + (e.sinh_rest + e.cosh_rest)), e.n);
}

f64 slip_exp(f64 x)
{
    const exp_f64 e = exp_reduce_f64(x < -800.0 ? -800.0 : x > 750.0 ? 750.0 : x);

    return scale_f64(1.0 + (e.r + (e.sinh_rest + e.cosh_rest)), e.n);
}

f32 slip_exp2f(f32 x)
{
    const f32 in = x < -200.0f ? -200.0f : x > 200.0f ? 200.0f : x;
    const f32 shifted = in + SLIP_ROUNDER_F32, r = in - (shifted - SLIP_ROUNDER_F32);

    return scale_f32(exp2_sum_f32(r, 0.0f), rounded_i32_f32(shifted));
}

f64 slip_exp2(f64 x)
{
    const f64 in = x < -1200.0 ? -1200.0 : x > 1200.0 ? 1200.0 : x;
    const f64 shifted = in + SLIP_ROUNDER_F64, r = in - (shifted - SLIP_ROUNDER_F64);

    return scale_f64(exp2_sum_f64(r, 0.0), rounded_i32_f64(shifted));
}

/* 2^n (e^r - 2^-n): the whole number 1 - 2^-n and r are added exactly. */
f32 slip_expm1f(f32 x)
{
    const exp_f32 e = exp_reduce_f32(x < -30.0f ? -30.0f : x > 130.0f ? 130.0f : x);
    const f32 whole = 1.0f - power_f32(e.n < 60 ? -e.n : -60);
    const f32 sum = whole + e.r, rest = any_sum_rest_f32(whole, e.r, sum);

    return with_sign_f32(scale_f32(sum + (rest + (e.sinh_rest + e.cosh_rest)), e.n), x);
}

f64 slip_expm1(f64 x)
{
    const exp_f64 e = exp_reduce_f64(x < -60.0 ? -60.0 : x > 750.0 ? 750.0 : x);
    const f64 whole = 1.0 - power_f64(e.n < 100 ? -e.n : -100);
    const f64 sum = whole + e.r, rest = any_sum_rest_f64(whole, e.r, sum);

    return with_sign_f64(scale_f64(sum + (rest + (e.sinh_rest + e.cosh_rest)), e.n), x);
}
