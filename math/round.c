/* SPDX-License-Identifier: Apache-2.0 */
/*
 * round.c - the functions whose result is exact: rounding to integers, signs, smallest and largest,
 * neighbours. On a device that has them they are its instructions; here they are for the others.
 */
#include "parts.h"
#include <slipway/slip_math.h>

/* Numbers this large are integers. */
#define SLIP_WHOLE_F32 0x1p+23f
#define SLIP_WHOLE_F64 0x1p+52

static inline f32 nearest_f32(f32 x)
{
    const f32 a = abs_f32(x);

    return a < SLIP_WHOLE_F32 ? with_sign_f32((a + SLIP_WHOLE_F32) - SLIP_WHOLE_F32, x) : x;
}

static inline f64 nearest_f64(f64 x)
{
    const f64 a = abs_f64(x);

    return a < SLIP_WHOLE_F64 ? with_sign_f64((a + SLIP_WHOLE_F64) - SLIP_WHOLE_F64, x) : x;
}

f32 slip_rintf(f32 x)
{
    return nearest_f32(x);
}

f64 slip_rint(f64 x)
{
    return nearest_f64(x);
}

f32 slip_nearbyintf(f32 x)
{
    return nearest_f32(x);
}

f64 slip_nearbyint(f64 x)
{
    return nearest_f64(x);
}

f32 slip_floorf(f32 x)
{
    const f32 n = nearest_f32(x);

    return n > x ? with_sign_f32(n - 1.0f, x) : n;
}

f64 slip_floor(f64 x)
{
    const f64 n = nearest_f64(x);

    return n > x ? with_sign_f64(n - 1.0, x) : n;
}

f32 slip_ceilf(f32 x)
{
    const f32 n = nearest_f32(x);

    return n < x ? with_sign_f32(n + 1.0f, x) : n;
}

f64 slip_ceil(f64 x)
{
    const f64 n = nearest_f64(x);

    return n < x ? with_sign_f64(n + 1.0, x) : n;
}

static inline f32 cut_f32(f32 a)
{
    const f32 n = nearest_f32(a);

    return n > a ? n - 1.0f : n;
}

static inline f64 cut_f64(f64 a)
{
    const f64 n = nearest_f64(a);

    return n > a ? n - 1.0 : n;
}

f32 slip_truncf(f32 x)
{
    return with_sign_f32(cut_f32(abs_f32(x)), x);
}

f64 slip_trunc(f64 x)
{
    return with_sign_f64(cut_f64(abs_f64(x)), x);
}

/* Halves go away from 0. */
f32 slip_roundf(f32 x)
{
    const f32 a = abs_f32(x), n = cut_f32(a);

    return with_sign_f32(a - n >= 0.5f ? n + 1.0f : n, x);
}

f64 slip_round(f64 x)
{
    const f64 a = abs_f64(x), n = cut_f64(a);

    return with_sign_f64(a - n >= 0.5 ? n + 1.0 : n, x);
}

f32 slip_fabsf(f32 x)
{
    return abs_f32(x);
}

f64 slip_fabs(f64 x)
{
    return abs_f64(x);
}

f32 slip_copysignf(f32 x, f32 y)
{
    return with_sign_f32(x, y);
}

f64 slip_copysign(f64 x, f64 y)
{
    return with_sign_f64(x, y);
}

f32 slip_fminf(f32 x, f32 y)
{
    return slip_min(x, y);
}

f64 slip_fmin(f64 x, f64 y)
{
    return slip_min(x, y);
}

f32 slip_fmaxf(f32 x, f32 y)
{
    return slip_max(x, y);
}

f64 slip_fmax(f64 x, f64 y)
{
    return slip_max(x, y);
}

f32 slip_fdimf(f32 x, f32 y)
{
    return x <= y ? 0.0f : x - y;
}

f64 slip_fdim(f64 x, f64 y)
{
    return x <= y ? 0.0 : x - y;
}

/* Away from 0 the bits count up, towards it down. */
f32 slip_nextafterf(f32 x, f32 y)
{
    const u32 bits = slip_f32_bits(x);

    if (x != x || y != y)
        return SLIP_NAN_F32;
    if (x == y)
        return y;
    if (x == 0.0f)
        return slip_bits_f32((slip_f32_bits(y) & SLIP_SIGN_F32) | 1);
    return slip_bits_f32((x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}

f64 slip_nextafter(f64 x, f64 y)
{
    const u64 bits = slip_f64_bits(x);

    if (x != x || y != y)
        return SLIP_NAN_F64;
    if (x == y)
        return y;
    if (x == 0.0)
        return slip_bits_f64((slip_f64_bits(y) & SLIP_SIGN_F64) | 1);
    return slip_bits_f64((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
