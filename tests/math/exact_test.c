/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exact_test.c - functions of math/ whose result is exact or correctly rounded: bit for bit the C
 * library's and the processor's, on random bit patterns of every kind.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/ulp.h"
#include "support/check.h"
#include <slipway/slip_math.h>

enum { TRIES = 400000 };

/* Any bits; often a special number, a denormal, or one of an exponent near that of `beside`. */
static double any_f64(uint64_t *state, double beside)
{
    static const double special[] = { 0,
                                      1,
                                      2,
                                      0.5,
                                      3,
                                      INFINITY,
                                      NAN,
                                      0x1p-1074,
                                      0x1p-1022,
                                      0x1.fffffffffffffp+1023,
                                      0x1.fffffffffffffp-1023 };
    uint64_t bits = ulp_random(state), sign = ulp_random(state) << 63;

    switch (ulp_random(state) % 6) {
    case 0:
        return copysign(special[bits % 11], sign ? -1.0 : 1.0);
    case 1:
        return ulp_f64((bits & 0x800fffffffffffff)); /* a denormal */
    case 2:
        return ulp_f64((bits & 0x000fffffffffffff) | (ulp_bits_f64(beside) & 0x7ff0000000000000) |
                       sign);
    case 3:
        return ldexp((double)((int64_t)bits >> (bits & 63)), (int)(ulp_random(state) % 120) - 60);
    case 4:
        return beside * (1 + (double)(int)(bits % 9 - 4) * 0x1p-52);
    default:
        return ulp_f64(bits);
    }
}

static float any_f32(uint64_t *state, float beside)
{
    static const float special[] = {
        0, 1, 2, 0.5f, 3, INFINITY, NAN, 0x1p-149f, 0x1p-126f, 0x1.fffffep+127f, 0x1.fffffcp-127f
    };
    uint32_t bits = (uint32_t)ulp_random(state), sign = (uint32_t)ulp_random(state) << 31;

    switch (ulp_random(state) % 6) {
    case 0:
        return copysignf(special[bits % 11], sign ? -1.0f : 1.0f);
    case 1:
        return ulp_f32(bits & 0x807fffff);
    case 2:
        return ulp_f32((bits & 0x007fffff) | (ulp_bits_f32(beside) & 0x7f800000) | sign);
    case 3:
        return ldexpf((float)((int32_t)bits >> (bits & 31)), (int)(ulp_random(state) % 60) - 30);
    case 4:
        return beside * (1 + (float)(int)(bits % 9 - 4) * 0x1p-23f);
    default:
        return ulp_f32(bits);
    }
}

static void same_f64(const char *name, double got, double want, double x, double y, double z)
{
    if (!(isnan(got) && isnan(want)) && ulp_bits_f64(got) != ulp_bits_f64(want))
        CHECK_FAIL("%s(%a, %a, %a) is %a; it should be %a", name, x, y, z, got, want);
}

static void same_f32(const char *name, float got, float want, float x, float y, float z)
{
    if (!(isnan(got) && isnan(want)) && ulp_bits_f32(got) != ulp_bits_f32(want))
        CHECK_FAIL("%sf(%a, %a, %a) is %a; it should be %a", name, (double)x, (double)y, (double)z,
                   (double)got, (double)want);
}

#define ONE_(name, want_f64, want_f32)                                                             \
    same_f64(#name, slip_##name(x), want_f64, x, y, z);                                            \
    same_f32(#name, slip_##name##f(a), want_f32, a, b, c);
#define TWO_(name, want_f64, want_f32)                                                             \
    same_f64(#name, slip_##name(x, y), want_f64, x, y, z);                                         \
    same_f32(#name, slip_##name##f(a, b), want_f32, a, b, c);

#define EACH_                                                                                      \
    uint64_t state = 0x2545f4914f6cdd1du;                                                          \
    double x = 1, y = 1, z = 1;                                                                    \
    float a = 1, b = 1, c = 1;                                                                     \
    for (uint32_t i = 0; i < TRIES; i++, x = any_f64(&state, y), y = any_f64(&state, x),           \
                  z = any_f64(&state, x * y), a = any_f32(&state, b), b = any_f32(&state, a),      \
                  c = any_f32(&state, a * b))

static void division_is_rounded_correctly(void)
{
    EACH_{ TWO_(soft_div, x / y, a / b) }(void)z;
}

static void the_square_root_is_rounded_correctly(void)
{
    EACH_
    {
        ONE_(soft_sqrt, sqrt(x), sqrtf(a))
    }
}

static void a_fused_multiply_and_add_rounds_once(void)
{
    EACH_
    {
        same_f64("fma", slip_fma(x, y, z), fma(x, y, z), x, y, z);
        same_f64("fma", slip_fma(x, y, -(x * y)), fma(x, y, -(x * y)), x, y, -(x * y));
        same_f32("fma", slip_fmaf(a, b, c), fmaf(a, b, c), a, b, c);
        same_f32("fma", slip_fmaf(a, b, -(a * b)), fmaf(a, b, -(a * b)), a, b, -(a * b));
    }
}

static void numbers_round_to_integers_as_in_C(void)
{
    EACH_
    {
        ONE_(rint, rint(x), rintf(a))
        ONE_(nearbyint, nearbyint(x), nearbyintf(a))
        ONE_(floor, floor(x), floorf(a))
        ONE_(ceil, ceil(x), ceilf(a))
        ONE_(trunc, trunc(x), truncf(a))
        ONE_(round, round(x), roundf(a))
        ONE_(fabs, fabs(x), fabsf(a))
    }
}

/* Annex F.10.7.2: a remainder of 0 has x's sign. glibc 2.36 gives -0 for some positive x. */
static double signed_rest(double rest, double x)
{
    return rest == 0 ? copysign(0.0, x) : rest;
}

static void remainders_are_exact(void)
{
    EACH_{ TWO_(fmod, fmod(x, y), fmodf(a, b))
               TWO_(remainder, signed_rest(remainder(x, y), x),
                    (float)signed_rest((double)remainderf(a, b), (double)a)) }(void)z;
}

/* The C library's look at whether a NaN signals; kernels do not. */
static double least(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x == 0 && y == 0 ? (signbit(x) ? x : y) : fmin(x, y);
}

static double most(double x, double y)
{
    if (isnan(x) || isnan(y))
        return isnan(x) ? y : x;
    return x == 0 && y == 0 ? (signbit(x) ? y : x) : fmax(x, y);
}

static void signs_neighbours_and_bounds_are_as_in_C(void)
{
    EACH_{ TWO_(copysign, copysign(x, y), copysignf(a, b))
               TWO_(nextafter, nextafter(x, y), nextafterf(a, b))
                   TWO_(fdim, fdim(x, y), fdimf(a, b))
                       TWO_(fmin, least(x, y), (float)least((double)a, (double)b))
                           TWO_(fmax, most(x, y), (float)most((double)a, (double)b)) }(void)z;
}

/* All divisors of one dividend's neighbourhood, where a quotient's last digit is hardest. */
static void division_of_neighbours_is_rounded_correctly(void)
{
    for (uint32_t i = 0; i < 2048; i++) {
        for (uint32_t k = 0; k < 512; k++) {
            float a = ulp_f32(0x3f800000u + i * 4099), b = ulp_f32(0x3fffffffu - k * 16001);
            same_f32("soft_div", slip_soft_divf(a, b), a / b, a, b, 0);
            same_f32("soft_div", slip_soft_divf(a * 0x1p-126f, b * 2), a * 0x1p-126f / (b * 2), a,
                     b, 0);
        }
    }
    for (uint32_t i = 0; i < 1u << 22; i++) {
        float a = ulp_f32(i * 509);
        same_f32("soft_sqrt", slip_soft_sqrtf(a), sqrtf(a), a, 0, 0);
    }
}

static const check_case cases[] = {
    CASE(division_is_rounded_correctly),
    CASE(the_square_root_is_rounded_correctly),
    CASE(a_fused_multiply_and_add_rounds_once),
    CASE(numbers_round_to_integers_as_in_C),
    CASE(remainders_are_exact),
    CASE(signs_neighbours_and_bounds_are_as_in_C),
    CASE(division_of_neighbours_is_rounded_correctly),
};
CHECK_MAIN(cases)
