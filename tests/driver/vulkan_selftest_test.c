/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_test.c - the self-test's cases are hard, its answers right (by MPFR), and a
 * device that gets a kind of answer wrong loses that bit and no other.
 */
#define _GNU_SOURCE
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "driver/vulkan_case.h"
#include "driver/vulkan_selftest.h"
#include "support/check.h"

enum { COUNT = VULKAN_SELFTEST_CASES };

static vulkan_selftest_case cases[COUNT];
static vulkan_selftest_answer right[COUNT], got[COUNT];

static void load(uint32_t width)
{
    vulkan_selftest_cases(width, cases);
    vulkan_selftest_answers(width, cases, right);
    memcpy(got, right, sizeof got);
}

/* ---- numbers by MPFR ------------------------------------------------------------------------ */

static double value_of(uint32_t width, uint64_t bits)
{
    float f;
    double d;

    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return width == 32 ? (double)f : d;
}

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

    if (isnan(value_of(width, expected)) && isnan(value_of(width, got_bits)))
        return;
    if (got_bits != expected)
        CHECK_FAIL("%s of case %d, %u bits: %#llx, by MPFR %#llx", what, number, width,
                   (unsigned long long)got_bits, (unsigned long long)expected);
}

static void check_width(uint32_t width)
{
    mpfr_t a, b, c, x;
    mpfr_prec_t precision = width == 32 ? 24 : 53;

    load(width);
    mpfr_inits2(precision, a, b, c, x, (mpfr_ptr)0);
    mpfr_set_emin(width == 32 ? -148 : -1073);
    mpfr_set_emax(width == 32 ? 128 : 1024);
    for (int k = 0; k < COUNT; k++) {
        mpfr_set_d(a, value_of(width, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, value_of(width, cases[k].b), MPFR_RNDN);
        mpfr_set_d(c, value_of(width, cases[k].c), MPFR_RNDN);
        check_bits(width, right[k].quotient, x, mpfr_div(x, a, b, MPFR_RNDN), "quotient", k);
        check_bits(width, right[k].root, x, mpfr_sqrt(x, c, MPFR_RNDN), "root", k);
        check_bits(width, right[k].fused, x, mpfr_fma(x, a, b, c, MPFR_RNDN), "fma", k);
        check_bits(width, right[k].sum, x, mpfr_add(x, a, b, MPFR_RNDN), "sum", k);
        check_bits(width, right[k].product, x, mpfr_mul(x, a, b, MPFR_RNDN), "product", k);
        check_bits(width, right[k].converted, x, mpfr_set_si(x, cases[k].n, MPFR_RNDN), "i64", k);
    }
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clears(a, b, c, x, (mpfr_ptr)0);
}

static void right_answers_are_those_of_mpfr(void)
{
    check_width(32);
    check_width(64);
}

/* How far x lies from the middle between two floats, in halves of a unit: 0 at it, 1 at a float. */
static double from_middle(mpfr_t x, mpfr_prec_t precision)
{
    mpfr_t scaled, floor_;

    mpfr_inits2(300, scaled, floor_, (mpfr_ptr)0);
    mpfr_mul_2si(scaled, x, precision - mpfr_get_exp(x), MPFR_RNDN);
    mpfr_floor(floor_, scaled);
    mpfr_sub(scaled, scaled, floor_, MPFR_RNDN);
    double distance = fabs(mpfr_get_d(scaled, MPFR_RNDN) - 0.5) * 2;
    mpfr_clears(scaled, floor_, (mpfr_ptr)0);
    return distance;
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
        mpfr_set_d(a, value_of(width, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, value_of(width, cases[k].b), MPFR_RNDN);
        mpfr_div(x, a, b, MPFR_RNDN);
        quotients += from_middle(x, precision) < near_enough;
        mpfr_set_d(a, value_of(width, cases[k].c), MPFR_RNDN);
        if (mpfr_sgn(a) > 0) {
            mpfr_sqrt(x, a, MPFR_RNDN);
            roots += from_middle(x, precision) < ldexp(near_enough, 12);
        }
        double fused = value_of(width, right[k].fused), product = value_of(width, right[k].product);
        residues += fused != 0 && fabs(fused) < fabs(product) * ldexp(1, 1 - (int)precision);
        mpfr_set_si(x, cases[k].n, MPFR_RNDN);
        if (cases[k].n != 0)
            middles += from_middle(x, precision) == 0;
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

/* ---- devices that are wrong ----------------------------------------------------------------- */

static uint32_t all_of(uint32_t width)
{
    return width == 32 ? 1u << QUEUE_NUMERIC_DIV_F32 | 1u << QUEUE_NUMERIC_SQRT_F32 |
                             1u << QUEUE_NUMERIC_FMA_F32 | 1u << QUEUE_NUMERIC_FUSED_F32 |
                             1u << QUEUE_NUMERIC_DENORM_F32
                       : 1u << QUEUE_NUMERIC_DIV_F64 | 1u << QUEUE_NUMERIC_SQRT_F64 |
                             1u << QUEUE_NUMERIC_FMA_F64 | 1u << QUEUE_NUMERIC_DENORM_F64;
}

/* What a device that gives `got` loses. */
static void check_loses(uint32_t width, uint32_t lost, bool lost_nearest)
{
    bool nearest = false;
    uint32_t bits = vulkan_selftest_judge(width, cases, right, got, &nearest);

    CHECK_EQ_U64(all_of(width) & ~bits, lost);
    CHECK_EQ_U64(bits & ~all_of(width), 0);
    CHECK_EQ_U64(nearest, !lost_nearest);
}

static uint64_t bits_f32(float f)
{
    uint64_t bits = 0;

    memcpy(&bits, &f, sizeof f);
    return bits;
}

static float f32_of(uint64_t bits)
{
    return (float)value_of(32, bits);
}

static void right_answers_earn_every_bit(void)
{
    load(32);
    check_loses(32, 0, false);
    for (int k = 0; k < COUNT; k++) /* another NaN is as good */
        if (isnan(f32_of(got[k].quotient)))
            got[k].quotient = 0xffc01234;
    check_loses(32, 0, false);
    load(64);
    check_loses(64, 0, false);
}

/* A reciprocal and a product: what fast division is. Off by one unit at most, and often right. */
static void division_by_reciprocal_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].quotient = bits_f32(f32_of(cases[k].a) * (1 / f32_of(cases[k].b)));
    check_loses(32, 1u << QUEUE_NUMERIC_DIV_F32, false);
    load(64);
    for (int k = 0; k < COUNT; k++) {
        double value = value_of(64, cases[k].a) * (1 / value_of(64, cases[k].b));
        memcpy(&got[k].quotient, &value, 8);
    }
    check_loses(64, 1u << QUEUE_NUMERIC_DIV_F64, false);
}

/* One Newton step more than fast division takes: a quotient that is wrong only next to a middle,
 * here by rounding a quotient of 2 bits more a second time. */
static void division_rounded_twice_is_found(void)
{
    mpfr_t a, b, x;
    int wrong = 0;

    load(32);
    mpfr_inits2(24, a, b, (mpfr_ptr)0);
    mpfr_init2(x, 26);
    for (int k = 256; k < COUNT; k++) {
        mpfr_set_d(a, value_of(32, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, value_of(32, cases[k].b), MPFR_RNDN);
        mpfr_div(x, a, b, MPFR_RNDN);
        got[k].quotient = bits_f32(mpfr_get_flt(x, MPFR_RNDN));
        wrong += got[k].quotient != right[k].quotient;
    }
    CHECK(wrong > 50);
    check_loses(32, 1u << QUEUE_NUMERIC_DIV_F32, false);
    mpfr_clears(a, b, x, (mpfr_ptr)0);
}

static void a_root_by_reciprocal_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].root = bits_f32(f32_of(cases[k].c) * (1 / sqrtf(f32_of(cases[k].c))));
    check_loses(32, 1u << QUEUE_NUMERIC_SQRT_F32, false);
}

static void fma_that_rounds_the_product_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++) {
        float product = f32_of(cases[k].a) * f32_of(cases[k].b);
        got[k].fused = bits_f32(product + f32_of(cases[k].c));
    }
    check_loses(32, 1u << QUEUE_NUMERIC_FMA_F32 | 1u << QUEUE_NUMERIC_FUSED_F32, false);
}

static uint64_t flushed(uint64_t bits)
{
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static void fma_that_flushes_denormals_is_fused_for_the_rest(void)
{
    int wrong = 0;

    load(32);
    for (int k = 0; k < COUNT; k++) {
        got[k].fused = flushed(right[k].fused);
        wrong += got[k].fused != right[k].fused;
    }
    CHECK(wrong > 0);
    check_loses(32, 1u << QUEUE_NUMERIC_FMA_F32, false);
}

static void flushed_denormals_are_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++) {
        float a = f32_of(flushed(cases[k].a)), b = f32_of(flushed(cases[k].b));
        got[k].sum = flushed(bits_f32(a + b));
        got[k].product = flushed(bits_f32(a * b));
    }
    check_loses(32, 1u << QUEUE_NUMERIC_DENORM_F32, false);
}

static uint64_t toward_zero(mpfr_t x)
{
    return bits_f32(mpfr_get_flt(x, MPFR_RNDZ));
}

static void sums_products_or_conversions_rounded_to_zero_are_found(void)
{
    mpfr_t a, b, x;

    mpfr_inits2(24, a, b, (mpfr_ptr)0);
    mpfr_init2(x, 300);
    for (int kind = 0; kind < 3; kind++) {
        load(32);
        for (int k = 256; k < COUNT; k++) {
            mpfr_set_d(a, value_of(32, cases[k].a), MPFR_RNDN);
            mpfr_set_d(b, value_of(32, cases[k].b), MPFR_RNDN);
            if (kind == 0 && mpfr_add(x, a, b, MPFR_RNDN) == 0)
                got[k].sum = toward_zero(x);
            if (kind == 1 && mpfr_mul(x, a, b, MPFR_RNDN) == 0)
                got[k].product = toward_zero(x);
            if (kind == 2 && mpfr_set_si(x, cases[k].n, MPFR_RNDN) == 0)
                got[k].converted = toward_zero(x);
        }
        check_loses(32, 0, true);
    }
    mpfr_clears(a, b, x, (mpfr_ptr)0);
}

static void conversions_that_round_middles_up_are_found(void)
{
    mpfr_t x;

    mpfr_init2(x, 64);
    load(32);
    for (int k = 0; k < COUNT; k++) {
        mpfr_set_si(x, cases[k].n, MPFR_RNDN);
        if (cases[k].n != 0 && from_middle(x, 24) == 0)
            got[k].converted = bits_f32(mpfr_get_flt(x, MPFR_RNDA));
    }
    check_loses(32, 0, true);
    mpfr_clear(x);
}

static void wrong_narrowing_of_f64_is_found(void)
{
    load(64);
    for (int k = 300; k < COUNT; k++) {
        float down = f32_of(right[k].narrowed);
        if (fabs((double)down) > fabs(value_of(64, cases[k].a)))
            got[k].narrowed = bits_f32(nextafterf(down, 0));
    }
    check_loses(64, 0, true);
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

/* What is known of Mesa's software device from tests of its own kind: all right, but fma is a
 * product and a sum. Elsewhere the bits are what they are. */
static void the_software_device_does_all_but_fma_right(void)
{
    void *self = vulkan_case_open();
    queue_limits limits;

    vulkan->limits(self, &limits);
    vulkan->describe(self, keep_driver, NULL);
    CHECK_EQ_U64(limits.numerics >> QUEUE_NUMERIC_COUNT, 0);
    if (strncmp(found_driver, "llvmpipe Mesa 22.3.6", 20) == 0)
        CHECK_EQ_U64(limits.numerics, (1u << QUEUE_NUMERIC_COUNT) - 1 -
                                          (1u << QUEUE_NUMERIC_FMA_F32) -
                                          (1u << QUEUE_NUMERIC_FUSED_F32) -
                                          (1u << QUEUE_NUMERIC_FMA_F64));
    vulkan_case_close(self);
}

static const check_case all[] = {
    CASE(right_answers_are_those_of_mpfr),
    CASE(cases_lie_next_to_where_rounding_turns),
    CASE(right_answers_earn_every_bit),
    CASE(division_by_reciprocal_is_found),
    CASE(division_rounded_twice_is_found),
    CASE(a_root_by_reciprocal_is_found),
    CASE(fma_that_rounds_the_product_is_found),
    CASE(fma_that_flushes_denormals_is_fused_for_the_rest),
    CASE(flushed_denormals_are_found),
    CASE(sums_products_or_conversions_rounded_to_zero_are_found),
    CASE(conversions_that_round_middles_up_are_found),
    CASE(wrong_narrowing_of_f64_is_found),
    CASE(the_software_device_does_all_but_fma_right),
};

CHECK_MAIN(all)
