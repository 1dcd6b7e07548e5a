/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_selftest_judge_test.c - a device that gets a kind of answer wrong in the self-test loses
 * that fact and no other.
 */
#define _GNU_SOURCE
#include "driver/vulkan_selftest_numbers.h"
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

/* Every fact that the width has to do with. */
static uint32_t all_of(uint32_t width)
{
    return width == 32 ? 1u << NUMERIC_DIV_F32 | 1u << NUMERIC_SQRT_F32 | 1u << NUMERIC_FMA_F32 |
                             1u << NUMERIC_FUSED_F32 | 1u << NUMERIC_BRIEF_F32 |
                             1u << NUMERIC_DENORM_F32 | 1u << NUMERIC_COMPARE_F32 |
                             1u << NUMERIC_MINMAX_F32 | 1u << NUMERIC_WHOLE_F32 |
                             1u << NUMERIC_NEAREST | 1u << NUMERIC_ZEROS | 1u << NUMERIC_CLAMP_F32
                       : 1u << NUMERIC_DIV_F64 | 1u << NUMERIC_SQRT_F64 | 1u << NUMERIC_FMA_F64 |
                             1u << NUMERIC_DENORM_F64 | 1u << NUMERIC_COMPARE_F64 |
                             1u << NUMERIC_MINMAX_F64 | 1u << NUMERIC_WHOLE_F64 |
                             1u << NUMERIC_NEAREST | 1u << NUMERIC_ZEROS | 1u << NUMERIC_NARROW |
                             1u << NUMERIC_WIDEN | 1u << NUMERIC_CLAMP_F64;
}

/* What a device that gives `got` loses. */
static void check_loses(uint32_t width, uint32_t lost)
{
    uint32_t bits = vulkan_selftest_judge(width, cases, right, got);

    CHECK_EQ_U64(all_of(width) & ~bits, lost);
    CHECK_EQ_U64(bits & ~all_of(width), 0);
}

static uint64_t bits_f32(float f)
{
    uint64_t bits = 0;

    memcpy(&bits, &f, sizeof f);
    return bits;
}

static float f32_of(uint64_t bits)
{
    return (float)selftest_value(32, bits);
}

static void right_answers_earn_every_bit(void)
{
    load(32);
    check_loses(32, 0);
    for (int k = 0; k < COUNT; k++) /* another NaN is as good */
        if (isnan(f32_of(got[k].quotient)))
            got[k].quotient = 0xffc01234;
    check_loses(32, 0);
    load(64);
    check_loses(64, 0);
}

/* A reciprocal and a product: what fast division is. Off by one unit at most, and often right. */
static void division_by_reciprocal_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].quotient = bits_f32(f32_of(cases[k].a) * (1 / f32_of(cases[k].b)));
    check_loses(32, 1u << NUMERIC_DIV_F32);
    load(64);
    for (int k = 0; k < COUNT; k++) {
        double value = selftest_value(64, cases[k].a) * (1 / selftest_value(64, cases[k].b));
        memcpy(&got[k].quotient, &value, 8);
    }
    check_loses(64, 1u << NUMERIC_DIV_F64);
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
        mpfr_set_d(a, selftest_value(32, cases[k].a), MPFR_RNDN);
        mpfr_set_d(b, selftest_value(32, cases[k].b), MPFR_RNDN);
        mpfr_div(x, a, b, MPFR_RNDN);
        got[k].quotient = bits_f32(mpfr_get_flt(x, MPFR_RNDN));
        wrong += got[k].quotient != right[k].quotient;
    }
    CHECK(wrong > 50);
    check_loses(32, 1u << NUMERIC_DIV_F32);
    mpfr_clears(a, b, x, (mpfr_ptr)0);
}

static void a_root_by_reciprocal_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].root = bits_f32(f32_of(cases[k].c) * (1 / sqrtf(f32_of(cases[k].c))));
    check_loses(32, 1u << NUMERIC_SQRT_F32);
}

/* The briefest steps from the float `off` away from the inverse root: right for nearly all numbers.
 */
static void brief_roots_from_inverse_roots_that_are_off_are_found(void)
{
    for (int off = -1; off <= 1; off++) {
        int wrong = 0;
        load(32);
        for (int k = 0; k < COUNT; k++) {
            float c = f32_of(cases[k].c), near = (float)(1 / sqrt((double)c));
            if (!(c >= 0x1p-64f && c < INFINITY))
                continue;
            if (off != 0)
                near = nextafterf(near, off < 0 ? 0 : INFINITY);
            float g = c * near;
            got[k].brief_root = bits_f32(fmaf(fmaf(-g, g, c), 0.5f * near, g));
            wrong += got[k].brief_root != right[k].root;
        }
        CHECK(wrong < COUNT / 4);
        check_loses(32, off == 0 ? 0 : 1u << NUMERIC_BRIEF_F32);
    }
}

static void fma_that_rounds_the_product_is_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++) {
        float product = f32_of(cases[k].a) * f32_of(cases[k].b);
        got[k].fused = bits_f32(product + f32_of(cases[k].c));
    }
    check_loses(32, 1u << NUMERIC_FMA_F32 | 1u << NUMERIC_FUSED_F32);
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
    check_loses(32, 1u << NUMERIC_FMA_F32);
}

static void flushed_denormals_are_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++) {
        float a = f32_of(flushed(cases[k].a)), b = f32_of(flushed(cases[k].b));
        got[k].sum = flushed(bits_f32(a + b));
        got[k].product = flushed(bits_f32(a * b));
    }
    check_loses(32, 1u << NUMERIC_DENORM_F32);
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
            mpfr_set_d(a, selftest_value(32, cases[k].a), MPFR_RNDN);
            mpfr_set_d(b, selftest_value(32, cases[k].b), MPFR_RNDN);
            if (kind == 0 && mpfr_add(x, a, b, MPFR_RNDN) == 0)
                got[k].sum = toward_zero(x);
            if (kind == 1 && mpfr_mul(x, a, b, MPFR_RNDN) == 0)
                got[k].product = toward_zero(x);
            if (kind == 2 && mpfr_set_si(x, cases[k].n, MPFR_RNDN) == 0)
                got[k].converted = toward_zero(x);
        }
        check_loses(32, 1u << NUMERIC_NEAREST);
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
        if (cases[k].n != 0 && selftest_from_middle(x, 24) == 0)
            got[k].converted = bits_f32(mpfr_get_flt(x, MPFR_RNDA));
    }
    check_loses(32, 1u << NUMERIC_NEAREST);
    mpfr_clear(x);
}

static void wrong_narrowing_of_f64_is_found(void)
{
    load(64);
    for (int k = 300; k < COUNT; k++) {
        float down = f32_of(right[k].narrowed);
        if (!selftest_is_denormal32(right[k].narrowed) &&
            fabs((double)down) > fabs(selftest_value(64, cases[k].wide)))
            got[k].narrowed = bits_f32(nextafterf(down, 0));
    }
    check_loses(64, 1u << NUMERIC_NEAREST);
}

/* ---- denormals taken for zeros, by one kind of operation ------------------------------------- */

static void comparisons_that_flush_are_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++) {
        float a = f32_of(flushed(cases[k].a)), b = f32_of(flushed(cases[k].b));
        got[k].order = (uint64_t)(a == b) | (uint64_t)(a != b) << 1 | (uint64_t)(a < b) << 2 |
                       (uint64_t)(a <= b) << 3;
    }
    check_loses(32, 1u << NUMERIC_COMPARE_F32 | 1u << NUMERIC_CLAMP_F32);
}

/* Each of the four alone. */
static void one_comparison_that_flushes_is_found(void)
{
    for (int which = 0; which < 4; which++) {
        load(32);
        for (int k = 0; k < COUNT; k++) {
            float a = f32_of(flushed(cases[k].a)), b = f32_of(flushed(cases[k].b));
            bool holds = which == 0 ? a == b : which == 1 ? a != b : which == 2 ? a < b : a <= b;
            got[k].order = (right[k].order & ~(UINT64_C(1) << which)) | (uint64_t)holds << which;
        }
        check_loses(32, 1u << NUMERIC_COMPARE_F32 | 1u << NUMERIC_CLAMP_F32);
    }
}

static void minima_and_maxima_that_flush_are_found(void)
{
    for (int which = 0; which < 2; which++) {
        load(32);
        for (int k = 0; k < COUNT; k++) {
            uint64_t *of = which ? &got[k].most : &got[k].least;
            *of = flushed(*of);
        }
        check_loses(32, 1u << NUMERIC_MINMAX_F32);
    }
}

static void a_minimum_that_does_not_know_zeros_apart_is_found(void)
{
    load(64);
    for (int k = 0; k < COUNT; k++)
        if (selftest_value(64, cases[k].a) == 0 && selftest_value(64, cases[k].b) == 0)
            got[k].least = cases[k].a;
    check_loses(64, 1u << NUMERIC_MINMAX_F64);
}

static void whole_numbers_of_flushed_denormals_are_found(void)
{
    for (int which = 0; which < 2; which++) {
        load(32);
        for (int k = 0; k < COUNT; k++) {
            float a = f32_of(flushed(cases[k].a));
            if (which)
                got[k].floor = bits_f32(floorf(a));
            else
                got[k].ceil = bits_f32(ceilf(a));
        }
        check_loses(32, 1u << NUMERIC_WHOLE_F32);
    }
}

static void whole_numbers_without_the_zeros_sign_are_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].trunc &= got[k].trunc == 0x80000000 ? 0 : UINT64_MAX;
    check_loses(32, 1u << NUMERIC_WHOLE_F32);
    load(32);
    for (int k = 0; k < COUNT; k++) /* halves go up */
        if (f32_of(cases[k].a) == 0.5f)
            got[k].rint = bits_f32(1);
    check_loses(32, 1u << NUMERIC_WHOLE_F32);
}

static void conversions_that_flush_are_found(void)
{
    load(64);
    for (int k = 0; k < COUNT; k++)
        got[k].narrowed = flushed(right[k].narrowed);
    check_loses(64, 1u << NUMERIC_NARROW);
    load(64);
    for (int k = 0; k < COUNT; k++) {
        double value = selftest_value(32, flushed(cases[k].narrow));
        memcpy(&got[k].widened, &value, sizeof value);
    }
    check_loses(64, 1u << NUMERIC_WIDEN);
}

static void differences_that_flush_are_found(void)
{
    load(32);
    for (int k = 0; k < COUNT; k++)
        got[k].difference = flushed(right[k].difference);
    check_loses(32, 1u << NUMERIC_DENORM_F32);
}

/* Each of the three alone. */
static void choices_that_flush_are_found(void)
{
    for (int which = 0; which < 3; which++) {
        int changed = 0;
        load(32);
        for (int k = 0; k < COUNT; k++) {
            uint64_t *of = which == 0   ? &got[k].at_most
                           : which == 1 ? &got[k].at_least
                                        : &got[k].at_most_later;
            changed += *of != flushed(*of);
            *of = flushed(*of);
        }
        CHECK(changed > 50);
        check_loses(32, 1u << NUMERIC_CLAMP_F32);
    }
}

/* ---- zeros that a compiler knows ------------------------------------------------------------- */

static void each_operation_with_a_known_zero_counts(void)
{
    for (int which = 0; which < 5; which++) {
        load(32);
        for (int k = 0; k < COUNT; k++) {
            uint64_t a = cases[k].a;
            if (which == 0)
                got[k].zero_sum = a;
            else if (which == 1)
                got[k].zero_difference = a ^ 0x80000000;
            else if (which == 2)
                got[k].zero_product = 0;
            else if (which == 3)
                got[k].zero_quotient = 0;
            else
                got[k].by_zero = 0;
        }
        check_loses(32, 1u << NUMERIC_ZEROS);
    }
}

static const check_case all[] = {
    CASE(right_answers_earn_every_bit),
    CASE(division_by_reciprocal_is_found),
    CASE(division_rounded_twice_is_found),
    CASE(a_root_by_reciprocal_is_found),
    CASE(brief_roots_from_inverse_roots_that_are_off_are_found),
    CASE(fma_that_rounds_the_product_is_found),
    CASE(fma_that_flushes_denormals_is_fused_for_the_rest),
    CASE(flushed_denormals_are_found),
    CASE(sums_products_or_conversions_rounded_to_zero_are_found),
    CASE(conversions_that_round_middles_up_are_found),
    CASE(wrong_narrowing_of_f64_is_found),
    CASE(comparisons_that_flush_are_found),
    CASE(one_comparison_that_flushes_is_found),
    CASE(minima_and_maxima_that_flush_are_found),
    CASE(a_minimum_that_does_not_know_zeros_apart_is_found),
    CASE(whole_numbers_of_flushed_denormals_are_found),
    CASE(whole_numbers_without_the_zeros_sign_are_found),
    CASE(conversions_that_flush_are_found),
    CASE(differences_that_flush_are_found),
    CASE(choices_that_flush_are_found),
    CASE(each_operation_with_a_known_zero_counts),
};

CHECK_MAIN(all)
