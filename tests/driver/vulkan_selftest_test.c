/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_test.c - the self-test's cases are hard, and its answers right (by MPFR).
 */
#define _GNU_SOURCE
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "driver/vulkan_case.h"
#include "driver/vulkan_selftest_numbers.h"
#include "support/check.h"

enum { COUNT = VULKAN_SELFTEST_CASES };

static vulkan_selftest_case cases[COUNT];
static vulkan_selftest_answer right[COUNT];

static void load(uint32_t width)
{
    vulkan_selftest_cases(width, cases);
    vulkan_selftest_answers(width, cases, right);
}

/* ---- numbers by MPFR ------------------------------------------------------------------------ */

/* The number, rounded once already to the precision, as the width's bits. */
static uint64_t bits_of(uint32_t width, mpfr_t x, int ternary)
{
    uint64_t bits = 0;

    mpfr_subnormalize(x, ternary, MPFR_RNDN);
    if (width == 32) {
        float f = mpfr_get_flt(x, MPFR_RNDN);
        memcpy(&bits, &f, sizeof f);
    } else {
        double d = mpfr_get_d(x, MPFR_RNDN);
        memcpy(&bits, &d, sizeof d);
    }
    return bits;
}

static void check_bits(uint32_t width, uint64_t got_bits, mpfr_t x, int ternary, const char *what,
                       int number)
{
    uint64_t expected = bits_of(width, x, ternary);

    if (isnan(selftest_value(width, expected)) && isnan(selftest_value(width, got_bits)))
        return;
    if (got_bits != expected)
        CHECK_FAIL("%s of case %d, %u bits: %#llx, by MPFR %#llx", what, number, width,
                   (unsigned long long)got_bits, (unsigned long long)expected);
}

/* Comparisons, and which of two is less: -0 and 0 are equal, but -0 is the lesser. */
static void check_order(uint32_t width, mpfr_t a, mpfr_t b, int k)
{
    bool ordered = !mpfr_unordered_p(a, b), equal = ordered && mpfr_equal_p(a, b);
    bool less = ordered && mpfr_less_p(a, b), first = less;

    CHECK_EQ_U64(right[k].order, (uint64_t)equal | (uint64_t)!equal << 1 | (uint64_t)less << 2 |
                                     (uint64_t)(less || equal) << 3);
    if (equal)
        first = mpfr_signbit(a) && !mpfr_signbit(b);
    if (!ordered)
        first = mpfr_nan_p(b); /* a NaN loses */
    uint64_t least = first ? cases[k].a : cases[k].b;
    if (!ordered || !equal || mpfr_signbit(a) != mpfr_signbit(b)) {
        CHECK_EQ_U64(right[k].least, least);
        CHECK_EQ_U64(right[k].most, !ordered ? least : first ? cases[k].b : cases[k].a);
    } else { /* one number */
        CHECK_EQ_U64(right[k].least, cases[k].a);
        CHECK_EQ_U64(right[k].most, cases[k].a);
    }
    (void)width;
}

static void check_whole(uint32_t width, mpfr_t a, int k)
{
    mpfr_t x;

    mpfr_init2(x, 53);
    mpfr_floor(x, a);
    check_bits(width, right[k].floor, x, 0, "floor", k);
    mpfr_ceil(x, a);
    check_bits(width, right[k].ceil, x, 0, "ceil", k);
    mpfr_trunc(x, a);
    check_bits(width, right[k].trunc, x, 0, "trunc", k);
    mpfr_roundeven(x, a);
    check_bits(width, right[k].rint, x, 0, "rint", k);
    mpfr_clear(x);
}

static void check_width(uint32_t width)
{
    mpfr_t a, b, c, x, zero;
    mpfr_prec_t precision = width == 32 ? 24 : 53;

    load(width);
    mpfr_inits2(precision, a, b, c, x, zero, (mpfr_ptr)0);
    mpfr_set_zero(zero, 1);
    mpfr_set_emin(width == 32 ? -148 : -1073);
    mpfr_set_emax(width == 32 ? 128 : 1024);
    for (int k = 0; k < COUNT; k++) {
        mpfr_set_d(a, selftest_value(width, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, selftest_value(width, cases[k].b), MPFR_RNDN);
        mpfr_set_d(c, selftest_value(width, cases[k].c), MPFR_RNDN);
        check_bits(width, right[k].quotient, x, mpfr_div(x, a, b, MPFR_RNDN), "quotient", k);
        check_bits(width, right[k].root, x, mpfr_sqrt(x, c, MPFR_RNDN), "root", k);
        check_bits(width, right[k].fused, x, mpfr_fma(x, a, b, c, MPFR_RNDN), "fma", k);
        check_bits(width, right[k].sum, x, mpfr_add(x, a, b, MPFR_RNDN), "sum", k);
        check_bits(width, right[k].product, x, mpfr_mul(x, a, b, MPFR_RNDN), "product", k);
        check_bits(width, right[k].converted, x, mpfr_set_si(x, cases[k].n, MPFR_RNDN), "i64", k);
        check_bits(width, right[k].zero_sum, x, mpfr_add(x, a, zero, MPFR_RNDN), "a + 0", k);
        check_bits(width, right[k].zero_difference, x, mpfr_sub(x, zero, a, MPFR_RNDN), "0 - a", k);
        check_bits(width, right[k].zero_product, x, mpfr_mul(x, a, zero, MPFR_RNDN), "a * 0", k);
        check_bits(width, right[k].zero_quotient, x, mpfr_div(x, zero, a, MPFR_RNDN), "0 / a", k);
        check_bits(width, right[k].by_zero, x, mpfr_div(x, a, zero, MPFR_RNDN), "a / 0", k);
        check_bits(width, right[k].difference, x, mpfr_sub(x, a, b, MPFR_RNDN), "a - b", k);
        mpfr_set(x, a, MPFR_RNDN);
        if (mpfr_cmp_si(a, 1) > 0 && !mpfr_nan_p(a))
            mpfr_set_si(x, 1, MPFR_RNDN);
        check_bits(width, right[k].at_most, x, 0, "1 < a ? 1 : a", k);
        check_bits(width, right[k].at_most_later, x, 0, "1 < a ? 1 : a by a branch", k);
        mpfr_set_si(x, -1, MPFR_RNDN);
        if (mpfr_cmp_si(a, -1) > 0 && !mpfr_nan_p(a))
            mpfr_set(x, a, MPFR_RNDN);
        check_bits(width, right[k].at_least, x, 0, "-1 < a ? a : -1", k);
        check_order(width, a, b, k);
        check_whole(width, a, k);
    }
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clears(a, b, c, x, zero, (mpfr_ptr)0);
}

static void right_answers_are_those_of_mpfr(void)
{
    check_width(32);
    check_width(64);
}

/* An f64's f32, and an f32's f64. */
static void conversions_between_floats_are_those_of_mpfr(void)
{
    int denormals = 0, middles = 0;
    mpfr_t exact, x;

    load(64);
    mpfr_init2(exact, 53);
    mpfr_init2(x, 24);
    for (int k = 0; k < COUNT; k++) {
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
        mpfr_set_d(exact, selftest_value(64, cases[k].wide), MPFR_RNDN);
        mpfr_set_emin(-148);
        mpfr_set_emax(128);
        int ternary = mpfr_check_range(x, mpfr_set(x, exact, MPFR_RNDN), MPFR_RNDN);
        check_bits(32, right[k].narrowed, x, ternary, "narrowed", k);
        mpfr_set_emin(-1073);
        mpfr_set_emax(1024);
        mpfr_set_d(exact, selftest_value(32, cases[k].narrow), MPFR_RNDN);
        check_bits(64, right[k].widened, exact, 0, "widened", k);
        if (selftest_is_denormal32(right[k].narrowed)) {
            denormals++;
            double units = ldexp(selftest_value(64, cases[k].wide), 150);
            middles += units == rint(units) && fmod(units, 2) != 0;
        }
    }
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    CHECK(denormals > 200);
    CHECK(middles > 80);
    mpfr_clears(exact, x, (mpfr_ptr)0);
}

static void check_hardness(uint32_t width)
{
    mpfr_prec_t precision = width == 32 ? 24 : 53;
    double near_enough = ldexp(1, width == 32 ? -18 : -47);
    int quotients = 0, roots = 0, residues = 0, middles = 0;
    mpfr_t a, b, x;

    load(width);
    mpfr_inits2(53, a, b, (mpfr_ptr)0);
    mpfr_init2(x, 300);
    for (int k = 256; k < COUNT; k++) {
        mpfr_set_d(a, selftest_value(width, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, selftest_value(width, cases[k].b), MPFR_RNDN);
        mpfr_div(x, a, b, MPFR_RNDN);
        quotients += selftest_from_middle(x, precision) < near_enough;
        mpfr_set_d(a, selftest_value(width, cases[k].c), MPFR_RNDN);
        if (mpfr_sgn(a) > 0) {
            mpfr_sqrt(x, a, MPFR_RNDN);
            roots += selftest_from_middle(x, precision) < ldexp(near_enough, 12);
        }
        double fused = selftest_value(width, right[k].fused),
               product = selftest_value(width, right[k].product);
        residues += fused != 0 && fabs(fused) < fabs(product) * ldexp(1, 1 - (int)precision);
        mpfr_set_si(x, cases[k].n, MPFR_RNDN);
        if (cases[k].n != 0)
            middles += selftest_from_middle(x, precision) == 0;
    }
    CHECK(quotients >= 380);
    CHECK(roots >= 380);
    CHECK(residues >= 350);
    CHECK(middles >= (width == 32 ? 8 : 8));
    mpfr_clears(a, b, x, (mpfr_ptr)0);
}

static void cases_lie_next_to_where_rounding_turns(void)
{
    check_hardness(32);
    check_hardness(64);
}

/* ---- this device ---------------------------------------------------------------------------- */

static const char *found_driver;

static void keep_driver(void *user, const char *name, const char *value)
{
    static char text[200];

    (void)user;
    if (strcmp(name, "driver") == 0) {
        snprintf(text, sizeof text, "%s", value);
        found_driver = text;
    }
}

/* What is known of Mesa's software device from tests of its own kind: fma is a product and a sum,
 * minima may keep the wrong zero, and zeros that are known are dropped. */
static void the_software_device_does_the_rest_right(void)
{
    const uint32_t wrong = 1u << NUMERIC_FMA_F32 | 1u << NUMERIC_FUSED_F32 | 1u << NUMERIC_FMA_F64 |
                           1u << NUMERIC_MINMAX_F32 | 1u << NUMERIC_MINMAX_F64 |
                           1u << NUMERIC_ZEROS | 1u << NUMERIC_BRIEF_F32;
    void *self = vulkan_case_open();
    queue_limits limits;
    char other[200];

    vulkan->limits(self, &limits);
    vulkan->describe(self, keep_driver, NULL);
    CHECK_EQ_U64(limits.numerics >> NUMERIC_COUNT, 0);
    vulkan_case_close(self);
    if (strncmp(found_driver, "llvmpipe Mesa 22.3.6", 20) != 0) {
        snprintf(other, sizeof other, "this device's driver is %.160s", found_driver);
        check_skip("llvmpipe Mesa 22.3.6", other);
    }
    CHECK_EQ_U64(limits.numerics, ((1u << NUMERIC_COUNT) - 1) & ~wrong);
}

static const check_case all[] = {
    CASE(right_answers_are_those_of_mpfr),
    CASE(conversions_between_floats_are_those_of_mpfr),
    CASE(cases_lie_next_to_where_rounding_turns),
    CASE(the_software_device_does_the_rest_right),
};

CHECK_MAIN(all)
