/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hyperbolic.c - sinh, cosh, tanh.
 *
 * With x = n ln 2 + r and b = 2^-2n:
 *     sinh x = 2^(n-1) ((1 - b) cosh r + (1 + b) sinh r)
 *     cosh x = 2^(n-1) ((1 + b) cosh r + (1 - b) sinh r)
 * where 1 - b and 1 + b are exact, and at n = 0 the formulas are sinh r and cosh r themselves. Of
 * each the large terms are added without loss: 1 - b, r and b r; or 1 + b, r and -b r.
 */
#include "exp_parts.h"
#include <slipway/slip_math.h>

static inline f32 spread_f32(i32 n)
{
    return power_f32(n < 30 ? -2 * n : -60);
}

static inline f64 spread_f64(i32 n)
{
    return power_f64(n < 60 ? -2 * n : -120);
}

/* Both sums, each in two parts, and n. */
typedef struct waves_f32 {
    f32 sinh, sinh_rest, cosh, cosh_rest;
    i32 n;
} waves_f32;

static inline waves_f32 waves_f32_of(f32 x)
{
    const exp_f32 e = exp_reduce_f32(x);
    const f32 b = spread_f32(e.n), less = 1.0f - b, more = 1.0f + b, br = b * e.r;
    const f32 s = less + e.r, s_rest = any_sum_rest_f32(less, e.r, s);
    const f32 c = more + e.r, c_rest = sum_rest_f32(more, e.r, c);
    const f32 less_lost = (1.0f - less) - b, more_lost = b - (more - 1.0f);
    waves_f32 out;

    out.n = e.n;
    out.sinh = s + br;
    out.sinh_rest = any_sum_rest_f32(s, br, out.sinh) +
                    ((s_rest + less_lost) + (more * e.sinh_rest + less * e.cosh_rest));
    out.cosh = c - br;
    out.cosh_rest = sum_rest_f32(c, -br, out.cosh) +
                    ((c_rest + more_lost) + (less * e.sinh_rest + more * e.cosh_rest));
    return out;
}

f32 slip_sinhf(f32 x)
{
    const f32 a = abs_f32(x);
    const waves_f32 w = waves_f32_of(a > 130.0f ? 130.0f : a);

    return with_sign_f32(scale_f32(w.sinh + w.sinh_rest, w.n - 1), x);
}

f32 slip_coshf(f32 x)
{
    const f32 a = abs_f32(x);
    const waves_f32 w = waves_f32_of(a > 130.0f ? 130.0f : a);

    return scale_f32(w.cosh + w.cosh_rest, w.n - 1);
}

f32 slip_tanhf(f32 x)
{
    const f32 a = abs_f32(x);
    const waves_f32 w = waves_f32_of(a > 12.0f ? 12.0f : a);
    const f32 s = w.sinh + w.sinh_rest, s_rest = any_sum_rest_f32(w.sinh, w.sinh_rest, s);
    const f32 c = w.cosh + w.cosh_rest, c_rest = any_sum_rest_f32(w.cosh, w.cosh_rest, c);

    return with_sign_f32(quotient_f32(s, s_rest, c, c_rest), x);
}

/* Both sums, each in two parts, and n. */
typedef struct waves_f64 {
    f64 sinh, sinh_rest, cosh, cosh_rest;
    i32 n;
} waves_f64;

static inline waves_f64 waves_f64_of(f64 x)
{
    const exp_f64 e = exp_reduce_f64(x);
    const f64 b = spread_f64(e.n), less = 1.0 - b, more = 1.0 + b, br = b * e.r;
    const f64 s = less + e.r, s_rest = any_sum_rest_f64(less, e.r, s);
    const f64 c = more + e.r, c_rest = sum_rest_f64(more, e.r, c);
    const f64 less_lost = (1.0 - less) - b, more_lost = b - (more - 1.0);
    waves_f64 out;

    out.n = e.n;
    out.sinh = s + br;
    out.sinh_rest = any_sum_rest_f64(s, br, out.sinh) +
                    ((s_rest + less_lost) + (more * e.sinh_rest + less * e.cosh_rest));
    out.cosh = c - br;
    out.cosh_rest = sum_rest_f64(c, -br, out.cosh) +
                    ((c_rest + more_lost) + (less * e.sinh_rest + more * e.cosh_rest));
    return out;
}

f64 slip_sinh(f64 x)
{
    const f64 a = abs_f64(x);
    const waves_f64 w = waves_f64_of(a > 750.0 ? 750.0 : a);

    return with_sign_f64(scale_f64(w.sinh + w.sinh_rest, w.n - 1), x);
}

f64 slip_cosh(f64 x)
{
    const f64 a = abs_f64(x);
    const waves_f64 w = waves_f64_of(a > 750.0 ? 750.0 : a);

    return scale_f64(w.cosh + w.cosh_rest, w.n - 1);
}

f64 slip_tanh(f64 x)
{
    const f64 a = abs_f64(x);
    const waves_f64 w = waves_f64_of(a > 24.0 ? 24.0 : a);
    const f64 s = w.sinh + w.sinh_rest, s_rest = any_sum_rest_f64(w.sinh, w.sinh_rest, s);
    const f64 c = w.cosh + w.cosh_rest, c_rest = any_sum_rest_f64(w.cosh, w.cosh_rest, c);

    return with_sign_f64(quotient_f64(s, s_rest, c, c_rest), x);
}
