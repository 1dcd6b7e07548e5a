/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trig.c - sin, cos, tan.
 *
 * Both polynomials are evaluated and the quarter picks one: no branch on the main path. Signs are
 * put on at the end, as bits.
 */
#include "polynomials.h"
#include "trig_reduce.h"
#include <slipway/slip_math.h>

/* What is to be added to r, and to 1 - r^2 / 2. */
static inline f32 sin_rest_f32(turn_f32 t, f32 z)
{
    return t.r * z * sin_poly_f32(z) + t.rest * (1.0f - 0.5f * z);
}

static inline f64 sin_rest_f64(turn_f64 t, f64 z)
{
    return t.r * z * sin_poly_f64(z) + t.rest * (1.0 - 0.5 * z);
}

static inline f32 cos_rest_f32(turn_f32 t, f32 z, f32 main)
{
    return ((1.0f - main) - 0.5f * z) + (z * z * cos_poly_f32(z) - t.r * t.rest);
}

static inline f64 cos_rest_f64(turn_f64 t, f64 z, f64 main)
{
    return ((1.0 - main) - 0.5 * z) + (z * z * cos_poly_f64(z) - t.r * t.rest);
}

static inline f32 wave_f32(turn_f32 t, u32 quarter, u32 sign)
{
    const f32 z = t.r * t.r, main = 1.0f - 0.5f * z;
    const f32 s = t.r + sin_rest_f32(t, z), c = main + cos_rest_f32(t, z, main);
    const u32 bits = slip_f32_bits((quarter & 1) != 0 ? c : s);

    return slip_bits_f32(bits ^ sign ^ ((quarter & 2) << 30));
}

static inline f64 wave_f64(turn_f64 t, u32 quarter, u64 sign)
{
    const f64 z = t.r * t.r, main = 1.0 - 0.5 * z;
    const f64 s = t.r + sin_rest_f64(t, z), c = main + cos_rest_f64(t, z, main);
    const u64 bits = slip_f64_bits((quarter & 1) != 0 ? c : s);

    return slip_bits_f64(bits ^ sign ^ ((u64)(quarter & 2) << 62));
}

f32 slip_sinf(f32 x)
{
    const turn_f32 t = turn_f32_of(abs_f32(x));

    return wave_f32(t, t.quarter, slip_f32_bits(x) & SLIP_SIGN_F32);
}

f64 slip_sin(f64 x)
{
    const turn_f64 t = turn_f64_of(abs_f64(x));

    return wave_f64(t, t.quarter, slip_f64_bits(x) & SLIP_SIGN_F64);
}

f32 slip_cosf(f32 x)
{
    const turn_f32 t = turn_f32_of(abs_f32(x));

    return wave_f32(t, t.quarter + 1, 0);
}

f64 slip_cos(f64 x)
{
    const turn_f64 t = turn_f64_of(abs_f64(x));

    return wave_f64(t, t.quarter + 1, 0);
}

/* sin / cos, or -cos / sin in the odd quarters, each as a sum of two parts. */
f32 slip_tanf(f32 x)
{
    const turn_f32 t = turn_f32_of(abs_f32(x));
    const f32 z = t.r * t.r, main = 1.0f - 0.5f * z;
    const f32 s_rest = sin_rest_f32(t, z), s = t.r + s_rest, sl = sum_rest_f32(t.r, s_rest, s);
    const f32 c_rest = cos_rest_f32(t, z, main), c = main + c_rest;
    const f32 cl = sum_rest_f32(main, c_rest, c);
    const bool odd = (t.quarter & 1) != 0;
    const f32 q = quotient_f32(odd ? -c : s, odd ? -cl : sl, odd ? s : c, odd ? sl : cl);

    return slip_bits_f32(slip_f32_bits(q) ^ (slip_f32_bits(x) & SLIP_SIGN_F32));
}

f64 slip_tan(f64 x)
{
    const turn_f64 t = turn_f64_of(abs_f64(x));
    const f64 z = t.r * t.r, main = 1.0 - 0.5 * z;
    const f64 s_rest = sin_rest_f64(t, z), s = t.r + s_rest, sl = sum_rest_f64(t.r, s_rest, s);
    const f64 c_rest = cos_rest_f64(t, z, main), c = main + c_rest;
    const f64 cl = sum_rest_f64(main, c_rest, c);
    const bool odd = (t.quarter & 1) != 0;
    const f64 q = quotient_f64(odd ? -c : s, odd ? -cl : sl, odd ? s : c, odd ? sl : cl);

    return slip_bits_f64(slip_f64_bits(q) ^ (slip_f64_bits(x) & SLIP_SIGN_F64));
}
