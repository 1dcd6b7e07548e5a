/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refine.c - division and square root of f32, correctly rounded, for devices whose own are not, or
 * take long, but whose fma is fused.
 *
 * Only for numbers that slip_refinable_divf or slip_refinable_sqrtf takes: no intermediate value is
 * then 0 where it matters, a denormal or too large. fmaf in this file is the device's own
 * (target/spirv_native.c), and `near` is made from its inverse roots, which are taken to be within
 * 2 ULP, all that Vulkan promises (Vulkan 1.3, "Precision of GLSL.std.450 Instructions").
 *
 * Division. `near` is 1 / b but for 2^-20 of it. Let B be the significand of b, an integer of 24
 * bits, u the unit in the last place of a / b, and r an inverse of b with w = |r b - 1|.
 *   - w < 2^-24, and |a / b| < 2^24 u: so a r is off by less than u, and q, that rounded, by less
 *     than 2 u. The step takes the rest a - b q and rounds q + rest * r, which is a / b + d with
 *     d = rest / b * (r b - 1), and what the rest lost when it had more than 24 digits: less than
 *     2^-22 u together. It goes wrong only if a middle m of two floats lies between a / b and that,
 *     or is that. No quotient of floats is an m (m B would have more digits than a has), and
 *     |a / b - m| is k u / (2 B) for a whole k. So only quotients as near as 2^-22 u to m matter.
 *   - For these a r is less than u from m if w <= 2^-24 - 2^-46, and q is one of the two floats
 *     beside m (the lower one too where it is a power of two: a r is off by half of u there).
 *     B = 2^24 - 1 has a larger w, but quotients so near to an m only where |a / b| is about 2^23
 * u.
 *   - Then the rest is exact: a multiple of ulp(b) u, as a is, and fewer than 2^24 of these. And
 *     |rest / b| <= u / 2 + k u / (2 B), so d reaches m only if w >= k / (B + k). What is wanted of
 * r is w < 1 / (B + 1).
 *   - It holds if r is 1 / b rounded, but for B = 2^24 - 1, whose inverse lies so near to a middle
 *     that r must be the float above. A step of Newton's method ends up to 2^-40 of itself below
 *     1 / b, and is rounded; 2^-39, added to the step, has it end above, which sizes far from 2^24
 *     can bear and those near to it need. tests/math/refine_test.c tries both bounds of w for every
 *     B with every float within 2^-20 of 1 / b.
 *
 * Square root. `near` is 1 / sqrt(x) within 2 ULP. One step on g, near sqrt(x), and h, near
 * 1 / (2 sqrt(x)), leaves g a neighbour of the root; x - g g is then exact, and one more step
 * rounds right. That is shown by trying all: the significands of two neighbouring exponents stand
 * for all numbers, since the powers of 4 only scale every value, and of each the test takes every
 * float within 2 ULP of 1 / sqrt(x). Without the step on g and h, roots are wrong for few numbers
 * and with few inverse roots (base/numerics.h): a device that gets these right gets all right.
 */
#include "parts.h"
#include <math.h>
#include <slipway/slip_math.h>

/* Both sizes in [2^-62, 2^62): quotients are normal, and rests at least 2^-109 or 0. */
i32 slip_refinable_divf(f32 x, f32 y)
{
    const u32 least = 65u << 24, span = 124u << 24; /* of the bits without the sign, doubled */
    const bool x_in = slip_f32_bits(x) * 2 - least < span;
    const bool y_in = slip_f32_bits(y) * 2 - least < span;

    return (x_in & y_in) ? 1 : 0;
}

static inline f32 refined_inverse(f32 y, f32 near)
{
    return fmaf(near, fmaf(-y, near, 1.0f) + 0x1p-39f, near);
}

f32 slip_refined_divf(f32 x, f32 y, f32 near)
{
    const f32 r = refined_inverse(y, near), q = x * r;

    return fmaf(fmaf(-y, q, x), r, q);
}

/* [2^-64, infinity): rests are at least 2^-112 or 0. */
i32 slip_refinable_sqrtf(f32 x)
{
    const u32 least = 63u << 23;

    return slip_f32_bits(x) - least < 0x7f800000u - least ? 1 : 0;
}

f32 slip_refined_sqrtf(f32 x, f32 near)
{
    const f32 g0 = x * near, h0 = 0.5f * near;
    const f32 off = fmaf(-h0, g0, 0.5f), g = fmaf(g0, off, g0), h = fmaf(h0, off, h0);

    return fmaf(fmaf(-g, g, x), h, g);
}

f32 slip_refined_brief_sqrtf(f32 x, f32 near)
{
    const f32 g = x * near, h = 0.5f * near;

    return fmaf(fmaf(-g, g, x), h, g);
}
