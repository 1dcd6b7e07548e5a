/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refine_test.c - math/refine.c over inverses and inverse roots as bad as they may be, against this
 * processor's division and square root.
 *
 * The source itself is compiled here. The first cases are proofs: all divisors' significands with
 * every inverse near theirs, which is division by what refine.c says; and all square roots.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/numerics.h"
#include "math/ulp.h"
#include "support/check.h"

#define slip_refined_divf test_divf
#define slip_refined_sqrtf test_sqrtf
#define slip_refined_brief_sqrtf test_brief
#define slip_refinable_divf test_divides
#define slip_refinable_sqrtf test_roots
#include "../../math/refine.c"

enum { NEAREST = 20 };

/* The floats within `reach` of a true value, which is not 0. */
static uint32_t floats_near(double truth, double reach, float out[2 * NEAREST])
{
    uint32_t count = 0, nearest = ulp_bits_f32((float)truth);

    for (uint32_t bits = nearest - NEAREST; bits < nearest + NEAREST; bits++)
        if (fabs((double)ulp_f32(bits) - truth) <= reach)
            out[count++] = ulp_f32(bits);
    return count;
}

/* Within 2^-20 of 1 / b, and a little more for what spirv_refine.c adds up. */
static uint32_t inverses_of(float b, float out[2 * NEAREST])
{
    double truth = 1.0 / (double)b;

    return floats_near(truth, fabs(truth) * (0x1p-20 + 0x1p-30), out);
}

static void divide(float a, float b)
{
    float inverses[2 * NEAREST], right = a / b;
    uint32_t count = inverses_of(b, inverses);

    CHECK(count >= 15);
    for (uint32_t k = 0; k < count; k++) {
        float got = test_divf(a, b, inverses[k]);
        if (ulp_bits_f32(got) != ulp_bits_f32(right))
            CHECK_FAIL("%a / %a with an inverse of %a is %a; it should be %a", (double)a, (double)b,
                       (double)inverses[k], (double)got, (double)right);
    }
}

static const uint32_t hard_roots[] = { NUMERIC_HARD_ROOTS };

static bool is_hard(float x)
{
    for (size_t k = 0; k < sizeof hard_roots / sizeof hard_roots[0]; k++)
        if (ulp_bits_f32(x) == hard_roots[k])
            return true;
    return false;
}

static void take_root(float x)
{
    float inverses[2 * NEAREST], right = sqrtf(x);
    double truth = 1.0 / sqrt((double)x);
    uint32_t count = floats_near(truth, 2 * ldexp(1.0, ilogb(truth) - 23), inverses); /* 2 ULP */

    for (uint32_t k = 0; k < count; k++) {
        float got = test_sqrtf(x, inverses[k]);
        if (ulp_bits_f32(got) != ulp_bits_f32(right))
            CHECK_FAIL("the root of %a with an inverse root of %a is %a; it should be %a",
                       (double)x, (double)inverses[k], (double)got, (double)right);
    }
}

static float sized(uint32_t significand, int exponent)
{
    return ldexpf((float)significand, exponent - 23);
}

/* ---- proofs ---------------------------------------------------------------------------------- */

/* |r b - 1| < 1 / (B + 1), and <= 2^-24 - 2^-46, in integers: b = B 2^-23, r = R 2^-24. */
static void every_divisor_has_an_inverse_near_enough(void)
{
    float inverses[2 * NEAREST];

    for (uint32_t b = 1u << 23; b < 1u << 24; b++) {
        uint32_t count = inverses_of(sized(b, 0), inverses);
        for (uint32_t k = 0; k < count; k++) {
            double r = (double)refined_inverse(sized(b, 0), inverses[k]) * 0x1p+24;
            int64_t off = llabs((int64_t)b * (int64_t)r - (INT64_C(1) << 47));
            if (r != trunc(r) || off > (1 << 23) - (b == (1u << 24) - 1 ? 1 : 2) ||
                off * (int64_t)(b + 1) >= INT64_C(1) << 47)
                CHECK_FAIL("1 / %u from %a is %a * 2^24", b, (double)inverses[k], r);
        }
    }
}

/* The one divisor with a larger bound. */
static void every_quotient_by_all_ones_is_rounded_correctly(void)
{
    for (uint32_t a = 1u << 23; a < 1u << 24; a++)
        divide(sized(a, 0), sized((1u << 24) - 1, 0));
}

/* Each of the few is one: with some inverse root it is wrong, and no other number is with any. */
static void brief_roots_are_wrong_for_few_numbers(void)
{
    float inverses[2 * NEAREST];

    for (uint32_t bits = 0x3f800000; bits < 0x40800000; bits++) {
        float x = ulp_f32(bits), right = sqrtf(x);
        double truth = 1.0 / sqrt((double)x);
        uint32_t count = floats_near(truth, 2 * ldexp(1.0, ilogb(truth) - 23), inverses), wrong = 0;
        for (uint32_t k = 0; k < count; k++)
            wrong += ulp_bits_f32(test_brief(x, inverses[k])) != ulp_bits_f32(right);
        if ((wrong > 0) != is_hard(x))
            CHECK_FAIL("the brief root of %a is wrong with %u inverse roots", (double)x, wrong);
    }
}

static void every_square_root_is_rounded_correctly(void)
{
    for (uint32_t x = 1u << 23; x < 1u << 24; x++) {
        take_root(sized(x, 0));
        take_root(sized(x, 1));
    }
}

/* ---- the theorem ----------------------------------------------------------------------------- */

/* 1 / odd modulo 2^32, by Newton's method. */
static uint32_t inverse_of_odd(uint32_t odd)
{
    uint32_t x = odd;

    for (int k = 0; k < 5; k++)
        x *= 2 - odd * x;
    return x;
}

/*
 * The dividends of 24 bits whose quotients by b, which is odd, lie off a middle of two floats by
 * distance / (2 b) of a unit: a 2^e = m b + distance with an odd m of 25 bits, and e the 24 or 25
 * that leaves a below or above b.
 */
static void divide_next_to_middles(uint32_t b, int32_t distance)
{
    for (uint32_t e = 24; e <= 25; e++) {
        uint32_t m = (0 - (uint32_t)distance) * inverse_of_odd(b) & ((1u << e) - 1);
        for (; m < 1u << 25; m += 1u << e) {
            int64_t product = (int64_t)m * b + distance;
            uint64_t a = (uint64_t)product >> e;
            if (m >> 24 == 1 && a >> 23 == 1)
                divide(sized((uint32_t)a, 0), sized(b, 0));
        }
    }
}

static void quotients_next_to_middles_are_rounded_correctly(void)
{
    uint64_t state = 0x2545f4914f6cdd1du;

    for (uint32_t b = (1u << 24) - 1; b > (1u << 24) - 20000; b -= 2)
        for (int32_t distance = -31; distance <= 31; distance += 2)
            divide_next_to_middles(b, distance);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t b = (uint32_t)(ulp_random(&state) >> 41) | 1u << 23 | 1;
        for (int32_t distance = -5; distance <= 5; distance += 2)
            divide_next_to_middles(b, distance);
    }
}

/* Significands that are hard in one way or another: around powers of two, and at random. */
static uint32_t some_significand(uint64_t *state)
{
    uint64_t bits = ulp_random(state);
    uint32_t low = (uint32_t)(bits >> 32) & 31;

    switch (bits % 4) {
    case 0:
        return (1u << 24) - 1 - low;
    case 1:
        return (1u << 23) + low;
    default:
        return 1u << 23 | (uint32_t)(bits >> 41);
    }
}

static void quotients_and_roots_are_rounded_correctly_at_all_exponents_taken(void)
{
    uint64_t state = 0x2545f4914f6cdd1du;

    for (uint32_t i = 0; i < 1500000; i++) {
        bool border = i % 3 == 0;
        uint64_t bits = ulp_random(&state);
        int first = border ? (bits & 1 ? 61 : -62) : (int)(bits % 124) - 62;
        int second = border ? (bits & 2 ? 61 : -62) : (int)(bits / 124 % 124) - 62;
        float a = sized(some_significand(&state), first);
        float b = sized(some_significand(&state), second);
        float x = sized(some_significand(&state),
                        border ? (bits & 4 ? 127 : -64) : (int)(bits % 192) - 64);
        a = bits & 16 ? -a : a;
        b = bits & 32 ? -b : b;
        CHECK(test_divides(a, b) == 1 && test_roots(x) == 1);
        divide(a, b);
        take_root(x);
    }
}

/* ---- the range ------------------------------------------------------------------------------- */

static void what_lies_outside_the_range_is_not_taken(void)
{
    static const float outside[] = {
        0,        0x1p-149f,        0x1.fffffcp-127f, 0x1p-126f, 0x1.fffffep-63f,
        0x1p+62f, 0x1.fffffep+127f, INFINITY,         NAN
    };
    static const float no_root[] = { 0, 0x1p-149f, 0x1p-126f, 0x1.fffffep-65f, INFINITY, NAN };

    for (uint32_t k = 0; k < sizeof outside / sizeof outside[0]; k++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            float x = copysignf(outside[k], (float)sign);
            CHECK(test_divides(x, 1) == 0 && test_divides(1, x) == 0 && test_divides(x, x) == 0);
            CHECK(test_divides(x, -1) == 0 && test_divides(-1, x) == 0);
        }
    }
    for (uint32_t k = 0; k < sizeof no_root / sizeof no_root[0]; k++)
        CHECK(test_roots(no_root[k]) == 0 && test_roots(-no_root[k]) == 0);
    CHECK(test_divides(ldexpf(1, NUMERIC_QUOTIENT_LEAST), 1) == 1);
    CHECK(test_divides(1, nextafterf(ldexpf(1, NUMERIC_QUOTIENT_END), 0)) == 1);
    CHECK(test_divides(1, ldexpf(1, NUMERIC_QUOTIENT_END)) == 0);
    CHECK(test_divides(nextafterf(ldexpf(1, NUMERIC_QUOTIENT_LEAST), 0), 1) == 0);
    CHECK(test_roots(ldexpf(1, NUMERIC_ROOT_LEAST)) == 1 && NUMERIC_ROOT_END == 128);
    CHECK(test_roots(nextafterf(ldexpf(1, NUMERIC_ROOT_LEAST), 0)) == 0);
    CHECK(test_roots(0x1.fffffep+127f) == 1);
    CHECK(test_roots(-1.0f) == 0 && test_roots(-0x1p-64f) == 0 && test_roots(-0x1p+127f) == 0);
}

static const check_case cases[] = {
    CASE(every_divisor_has_an_inverse_near_enough),
    CASE(every_quotient_by_all_ones_is_rounded_correctly),
    CASE(brief_roots_are_wrong_for_few_numbers),
    CASE(every_square_root_is_rounded_correctly),
    CASE(quotients_next_to_middles_are_rounded_correctly),
    CASE(quotients_and_roots_are_rounded_correctly_at_all_exponents_taken),
    CASE(what_lies_outside_the_range_is_not_taken),
};
CHECK_MAIN(cases)
