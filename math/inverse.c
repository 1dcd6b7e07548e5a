/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inverse.c - asin, acos, atan, atan2.
 *
 * asin: to 1/2 a polynomial; above, pi/2 - 2 asin(sqrt((1 - x) / 2)). atan: of t up to tan pi/8 a
 * polynomial; above, pi/4 + atan((t - 1) / (t + 1)); above tan 3 pi/8, pi/2 - atan(1 / t).
 */
#include <math.h>

#include "parts.h"
#include "polynomials.h"
#include <slipway/slip_math.h>

#define SLIP_HALF_PI_F32 0x1.921fb6p+0f
#define SLIP_HALF_PI_LOW_F32 -0x1.777a5cp-25f
#define SLIP_HALF_PI_F64 0x1.921fb54442d18p+0
#define SLIP_HALF_PI_LOW_F64 0x1.1a62633145c07p-54

/* asin of s + rest is s + asin_part: s = |x|, or the root of (1 - |x|) / 2 where |x| > 1/2. */
typedef struct arc_f32 {
    f32 s, more;
} arc_f32;

typedef struct arc_f64 {
    f64 s, more;
} arc_f64;

static inline arc_f32 arc_f32_of(f32 a)
{
    const bool large = a > 0.5f;
    const f32 z = large ? (1.0f - a) * 0.5f : a * a;
    arc_f32 out;

    out.s = a;
    out.more = 0.0f;
    if (large) {
        const f32 root = sqrtf(z), p = root * root;
        const f32 left = (z - p) - product_rest_f32(root, root, p);
        out.s = root;
        out.more = root > 0.0f ? left / (2.0f * root) : 0.0f;
    }
    out.more += out.s * z * asin_poly_f32(z);
    return out;
}

static inline arc_f64 arc_f64_of(f64 a)
{
    const bool large = a > 0.5;
    const f64 z = large ? (1.0 - a) * 0.5 : a * a;
    arc_f64 out;

    out.s = a;
    out.more = 0.0;
    if (large) {
        const f64 root = sqrt(z), p = root * root;
        const f64 left = (z - p) - product_rest_f64(root, root, p);
        out.s = root;
        out.more = root > 0.0 ? left / (2.0 * root) : 0.0;
    }
    out.more += out.s * z * asin_poly_f64(z);
    return out;
}

f32 slip_asinf(f32 x)
{
    const f32 a = abs_f32(x);
    const arc_f32 arc = arc_f32_of(a);
    const f32 half = SLIP_HALF_PI_F32 - 2.0f * arc.s;
    const f32 lost = sum_rest_f32(SLIP_HALF_PI_F32, -2.0f * arc.s, half);
    const f32 far = half + (lost + (SLIP_HALF_PI_LOW_F32 - 2.0f * arc.more));

    return with_sign_f32(a > 0.5f ? far : arc.s + arc.more, x);
}

f64 slip_asin(f64 x)
{
    const f64 a = abs_f64(x);
    const arc_f64 arc = arc_f64_of(a);
    const f64 half = SLIP_HALF_PI_F64 - 2.0 * arc.s;
    const f64 lost = sum_rest_f64(SLIP_HALF_PI_F64, -2.0 * arc.s, half);
    const f64 far = half + (lost + (SLIP_HALF_PI_LOW_F64 - 2.0 * arc.more));

    return with_sign_f64(a > 0.5 ? far : arc.s + arc.more, x);
}

f32 slip_acosf(f32 x)
{
    const f32 a = abs_f32(x);
    const arc_f32 arc = arc_f32_of(a);
    const f32 s = with_sign_f32(arc.s, x), more = x < 0.0f ? -arc.more : arc.more;
    const f32 base = a > 0.5f ? (x < 0.0f ? 2.0f * SLIP_HALF_PI_F32 : 0.0f) : SLIP_HALF_PI_F32;
    const f32 low =
        a > 0.5f ? (x < 0.0f ? 2.0f * SLIP_HALF_PI_LOW_F32 : 0.0f) : SLIP_HALF_PI_LOW_F32;
    const f32 part = a > 0.5f ? 2.0f * s : -s, part_more = a > 0.5f ? 2.0f * more : -more;
    const f32 sum = base + part;

    return sum + (any_sum_rest_f32(base, part, sum) + (low + part_more));
}

f64 slip_acos(f64 x)
{
    const f64 a = abs_f64(x);
    const arc_f64 arc = arc_f64_of(a);
    const f64 s = with_sign_f64(arc.s, x), more = x < 0.0 ? -arc.more : arc.more;
    const f64 base = a > 0.5 ? (x < 0.0 ? 2.0 * SLIP_HALF_PI_F64 : 0.0) : SLIP_HALF_PI_F64;
    const f64 low = a > 0.5 ? (x < 0.0 ? 2.0 * SLIP_HALF_PI_LOW_F64 : 0.0) : SLIP_HALF_PI_LOW_F64;
    const f64 part = a > 0.5 ? 2.0 * s : -s, part_more = a > 0.5 ? 2.0 * more : -more;
    const f64 sum = base + part;

    return sum + (any_sum_rest_f64(base, part, sum) + (low + part_more));
}

/*
 * atan(up / down), up and down not negative and not both 0, as base + (q + more): base is 0, pi/4
 * or pi/2, told in eighths of a turn.
 */
typedef struct slope_f32 {
    f32 q, more, eighths;
} slope_f32;

typedef struct slope_f64 {
    f64 q, more, eighths;
} slope_f64;

static inline slope_f32 slope_f32_of(f32 up, f32 down)
{
    const bool steep = up > 0x1.3504f4p+1f * down;
    const bool middle = !steep && up > 0x1.a8279ap-2f * down;
    const f32 above = steep ? -down : middle ? up - down : up;
    const f32 below = steep ? up : middle ? up + down : down;
    const f32 q = above / below, z = q * q, p = q * below;
    const f32 lost =
        middle ? any_sum_rest_f32(up, -down, above) - q * any_sum_rest_f32(up, down, below) : 0.0f;
    const f32 left = ((above - p) - product_rest_f32(q, below, p)) + lost;
    slope_f32 out;

    out.q = q;
    out.more = q * (z * atan_poly_f32(z)) + (abs_f32(q) > 0x1p-20f ? left / below : 0.0f);
    out.eighths = steep ? 2.0f : middle ? 1.0f : 0.0f;
    return out;
}

static inline slope_f64 slope_f64_of(f64 up, f64 down)
{
    const bool steep = up > 0x1.3504f333f9de6p+1 * down;
    const bool middle = !steep && up > 0x1.a827999fcef32p-2 * down;
    const f64 above = steep ? -down : middle ? up - down : up;
    const f64 below = steep ? up : middle ? up + down : down;
    const f64 q = above / below, z = q * q, p = q * below;
    const f64 lost =
        middle ? any_sum_rest_f64(up, -down, above) - q * any_sum_rest_f64(up, down, below) : 0.0;
    const f64 left = ((above - p) - product_rest_f64(q, below, p)) + lost;
    slope_f64 out;

    out.q = q;
    out.more = q * (z * atan_poly_f64(z)) + (abs_f64(q) > 0x1p-40 ? left / below : 0.0);
    out.eighths = steep ? 2.0 : middle ? 1.0 : 0.0;
    return out;
}

/* eighths * pi/4 + q + more, eighths at most 4 and an integer. */
static inline f32 angle_f32(f32 eighths, f32 q, f32 more)
{
    const f32 base = eighths * 0x1.92p-1f, sum = base + q; /* few digits: exact */
    const f32 low = eighths * 0x1.fb5444p-13f;

    return sum + (any_sum_rest_f32(base, q, sum) + (low + more));
}

static inline f64 angle_f64(f64 eighths, f64 q, f64 more)
{
    const f64 base = eighths * 0x1.921fb544p-1, sum = base + q;
    const f64 low = eighths * 0x1.0b4611a626331p-35;

    return sum + (any_sum_rest_f64(base, q, sum) + (low + more));
}

f32 slip_atanf(f32 x)
{
    const slope_f32 t = slope_f32_of(abs_f32(x), 1.0f);

    return with_sign_f32(angle_f32(t.eighths, t.q, t.more), x);
}

f64 slip_atan(f64 x)
{
    const slope_f64 t = slope_f64_of(abs_f64(x), 1.0);

    return with_sign_f64(angle_f64(t.eighths, t.q, t.more), x);
}

f32 slip_atan2f(f32 y, f32 x)
{
    const f32 ax = abs_f32(x), ay = abs_f32(y);
    const bool both = ax == ay && (ax == 0.0f || ax == SLIP_INF_F32);
    const f32 most = ax > ay ? ax : ay;
    const f32 k = most > 0x1p+100f ? 0x1p-30f : most < 0x1p-60f ? 0x1p+80f : 1.0f;
    const f32 up = both ? (ax == 0.0f ? 0.0f : 1.0f) : ay * k, down = both ? 1.0f : ax * k;
    const slope_f32 t = slope_f32_of(up, down);
    const bool back = (slip_f32_bits(x) & SLIP_SIGN_F32) != 0;
    const f32 angle =
        angle_f32(back ? 4.0f - t.eighths : t.eighths, back ? -t.q : t.q, back ? -t.more : t.more);

    return x != x || y != y ? SLIP_NAN_F32 : with_sign_f32(angle, y);
}

f64 slip_atan2(f64 y, f64 x)
{
    const f64 ax = abs_f64(x), ay = abs_f64(y);
    const bool both = ax == ay && (ax == 0.0 || ax == SLIP_INF_F64);
    const f64 most = ax > ay ? ax : ay;
    const f64 k = most > 0x1p+1000 ? 0x1p-100 : most < 0x1p-500 ? 0x1p+600 : 1.0;
    const f64 up = both ? (ax == 0.0 ? 0.0 : 1.0) : ay * k, down = both ? 1.0 : ax * k;
    const slope_f64 t = slope_f64_of(up, down);
    const bool back = (slip_f64_bits(x) & SLIP_SIGN_F64) != 0;
    const f64 angle =
        angle_f64(back ? 4.0 - t.eighths : t.eighths, back ? -t.q : t.q, back ? -t.more : t.more);

    return x != x || y != y ? SLIP_NAN_F64 : with_sign_f64(angle, y);
}
