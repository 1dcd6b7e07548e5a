/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accuracy_test.c - the functions of math/ against MPFR: the largest error of each is printed and
 * must stay below its limit.
 *
 * f32: numbers evenly spread over all bit patterns, and around each function's hard places. With
 * SLIPWAY_MATH_SWEEP=N in the environment every N-th of the 2^32 patterns (1: all), against the C
 * library's f64 function, whose own error is far below an f32 unit. f64: random numbers, most of
 * them where errors are largest; SLIPWAY_MATH_TRIES says how many. SLIPWAY_MATH_ONLY names one
 * function.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/ulp.h"
#include "support/check.h"

enum { SPREAD = 40000, TRIES = 30000 };

/* Random arguments per function: SLIPWAY_MATH_TRIES, or few enough for every run of the tests. */
static uint32_t tries(void)
{
    const char *given = getenv("SLIPWAY_MATH_TRIES");

    return given && atoi(given) > 0 ? (uint32_t)atoi(given) : TRIES;
}

typedef struct worst {
    double error, x, y;
} worst;

static void keep(worst *w, double error, double x, double y)
{
    if (error > w->error)
        *w = (worst){ error, x, y };
}

static void tell(const char *name, const char *type, const worst *w, double limit)
{
    printf("  %-6s %s  %.3f ulp at %a, %a\n", name, type, w->error, w->x, w->y);
    if (!(w->error <= limit))
        CHECK_FAIL("%s of %s is %g units wrong at %a, %a; at most %g", name, type, w->error, w->x,
                   w->y, limit);
}

/* ---- f32 ------------------------------------------------------------------------------------- */

static void measure_f32(const ulp_row *row, float x, worst *w)
{
    mpfr_t in, truth;

    mpfr_init2(in, 24);
    mpfr_init2(truth, 90);
    mpfr_set_flt(in, x, MPFR_RNDN);
    row->truth(truth, in, MPFR_RNDN);
    keep(w, ulp_error_f32(row->f32(x), truth), (double)x, 0);
    mpfr_clear(in);
    mpfr_clear(truth);
}

/* Where something changes: range ends, breaks of the reductions, multiples of pi/2. */
static const double turning_points[] = {
    0x1p-126,  0x1p-24,  0x1p-12, 0.25,      0.41421356, 0.5,     0.70710678, 0.78539816,
    0.9,       1,        1.41421, 1.5707963, 2,          2.41421, 3.1415927,  4.7123890,
    6.2831853, 10,       12,      16.6,      88.72,      89.41,   103.9,      104,
    126,       128,      149,     150,       1000,       4096,    6433,       1e5,
    8388608,   16777216, 1e9,     1e20,      3e38,       0.3465,  17.33,      24,
};

static void one_f32(const ulp_row *row)
{
    worst w = { 0, 0, 0 };

    for (uint32_t i = 0; i < SPREAD; i++)
        measure_f32(row, ulp_f32((uint32_t)(((uint64_t)i << 32) / SPREAD + i % 97)), &w);
    for (size_t p = 0; p < sizeof turning_points / sizeof turning_points[0]; p++) {
        uint32_t at = ulp_bits_f32((float)turning_points[p]);
        for (uint32_t i = 0; i < 300; i++) {
            measure_f32(row, ulp_f32(at - 150 + i), &w);
            measure_f32(row, -ulp_f32(at - 150 + i), &w);
        }
    }
    for (uint32_t i = 0; i < SPREAD; i++) /* the numbers that programs have */
        measure_f32(row, ulp_f32(0x3c000000u + (uint32_t)(((uint64_t)i * 0x08000000u) / SPREAD)),
                    &w);
    tell(row->name, "f32", &w, row->limit_f32);
}

static double library_error(const ulp_row *row, float x)
{
    double truth = row->library((double)x), got = (double)row->f32(x);
    int exponent;

    if (isnan(truth) || isnan(got))
        return isnan(truth) && isnan(got) ? 0 : 1e30;
    if (isinf(got) || isinf((double)(float)truth))
        return got == (double)(float)truth ? 0 : 1e30;
    if (truth == 0)
        return got == 0 && !signbit(got) == !signbit(truth) ? 0 : 1e30;
    frexp(truth, &exponent);
    return fabs(ldexp(got - truth, exponent - 24 < -149 ? 149 : 24 - exponent));
}

static void sweep_f32(const ulp_row *row, uint64_t stride)
{
    worst w = { 0, 0, 0 };

    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += stride) {
        float x = ulp_f32((uint32_t)bits);
        keep(&w, library_error(row, x), (double)x, 0);
    }
    tell(row->name, "f32 sweep", &w, row->limit_f32);
}

static void f32_functions_are_within_their_limits(void)
{
    const char *stride = getenv("SLIPWAY_MATH_SWEEP"), *only = getenv("SLIPWAY_MATH_ONLY");

    for (uint32_t i = 0; i < ulp_row_count; i++) {
        if (only && strcmp(only, ulp_rows[i].name) != 0)
            continue;
        one_f32(&ulp_rows[i]);
        if (stride && atoll(stride) > 0)
            sweep_f32(&ulp_rows[i], (uint64_t)atoll(stride));
    }
}

/* ---- f64 ------------------------------------------------------------------------------------- */

static void measure_f64(const ulp_row *row, double x, worst *w)
{
    mpfr_t in, truth;

    mpfr_init2(in, 53);
    mpfr_init2(truth, 120);
    mpfr_set_d(in, x, MPFR_RNDN);
    row->truth(truth, in, MPFR_RNDN);
    keep(w, ulp_error_f64(row->f64(x), truth), x, 0);
    mpfr_clear(in);
    mpfr_clear(truth);
}

/* A multiple of pi/2, as near as f64 gets, of a random size. */
static double near_quarter(uint64_t *state)
{
    mpfr_t pi;
    double x;

    mpfr_init2(pi, 1200);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul_2si(pi, pi, -1, MPFR_RNDN);
    mpfr_mul_ui(pi, pi, 1 + ulp_random(state) % 100000, MPFR_RNDN);
    mpfr_mul_2si(pi, pi, (long)(ulp_random(state) % 4 == 0 ? ulp_random(state) % 1000 : 0),
                 MPFR_RNDN);
    x = mpfr_get_d(pi, MPFR_RNDN);
    mpfr_clear(pi);
    return x;
}

static double random_f64(uint64_t *state)
{
    uint64_t bits = ulp_random(state);

    switch (ulp_random(state) % 8) {
    case 0:
        return ulp_f64(bits); /* any */
    case 1:
        return ulp_f64((bits & 0x800fffffffffffff) | 0x3ff0000000000000u) - 1; /* -3 to 1 */
    case 2:
        return ldexp((double)(int64_t)bits, -62) * 750; /* where exp ends */
    case 3:
        return 1 + ldexp((double)(int64_t)bits, -63 - (int)(bits % 50)); /* about 1 */
    case 4:
        return near_quarter(state);
    case 5:
        return ldexp((double)(int64_t)bits, -63 - (int)(ulp_random(state) % 60)); /* below 1 */
    case 6:
        return ldexp((double)(int64_t)bits, -59); /* below 16 */
    default: {
        double p = turning_points[bits % (sizeof turning_points / sizeof turning_points[0])];
        return p * (1 + ldexp((double)(int64_t)ulp_random(state), -63 - 20));
    }
    }
}

/* The worst f64 come to a multiple of pi/2, and others where all digits of 2/pi count. */
static const double far_turns[] = {
    0x1.6ac5b262ca1ffp+849, 0x1.fffffffffffffp+1023, 0x1p+1023, 0x1.921fb54442d18p+0,
    0x1.921fb54442d18p+1,   0x1.2d97c7f3321d2p+2,    0x1p+20,   0x1.fffffffffffffp+19,
    0x1.0000000000001p+20
};

static void f64_functions_are_within_their_limits(void)
{
    const char *only = getenv("SLIPWAY_MATH_ONLY");

    for (uint32_t i = 0; i < ulp_row_count; i++) {
        worst w = { 0, 0, 0 };
        uint64_t state = 0x9e3779b97f4a7c15u;
        if (only && strcmp(only, ulp_rows[i].name) != 0)
            continue;
        for (size_t k = 0; k < sizeof far_turns / sizeof far_turns[0]; k++)
            measure_f64(&ulp_rows[i], far_turns[k], &w);
        for (uint32_t k = 0; k < tries(); k++)
            measure_f64(&ulp_rows[i], random_f64(&state), &w);
        tell(ulp_rows[i].name, "f64", &w, ulp_rows[i].limit_f64);
    }
}

/* ---- two operands ---------------------------------------------------------------------------- */

static void measure_pair(const ulp_pair_row *row, double x, double y, worst *narrow, worst *wide)
{
    mpfr_t a, b, truth;

    mpfr_inits2(53, a, b, (mpfr_ptr)0);
    mpfr_init2(truth, 120);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    row->truth(truth, a, b, MPFR_RNDN);
    keep(wide, ulp_error_f64(row->f64(x, y), truth), x, y);
    mpfr_set_flt(a, (float)x, MPFR_RNDN);
    mpfr_set_flt(b, (float)y, MPFR_RNDN);
    row->truth(truth, a, b, MPFR_RNDN);
    keep(narrow, ulp_error_f32(row->f32((float)x, (float)y), truth), (double)(float)x,
         (double)(float)y);
    mpfr_clears(a, b, truth, (mpfr_ptr)0);
}

/* x^y near the ends of the range: y is what takes x there, nearly. */
static double ending_power(double x, uint64_t *state)
{
    static const double ends[] = { 1024, -1022, -1074, 128, -126, -149, 0.5, 10 };
    double most = ends[ulp_random(state) % 8];

    return most / log2(fabs(x)) * (1 + ldexp((double)(int64_t)ulp_random(state), -63 - 8));
}

static void functions_of_two_are_within_their_limits(void)
{
    for (uint32_t i = 0; i < ulp_pair_row_count; i++) {
        const ulp_pair_row *row = &ulp_pair_rows[i];
        worst narrow = { 0, 0, 0 }, wide = { 0, 0, 0 };
        uint64_t state = 0x853c49e6748fea9bu;
        for (uint32_t k = 0; k < tries(); k++) {
            double x = random_f64(&state), y = random_f64(&state);
            if (k % 4 == 1)
                y = x * (1 + ldexp((double)(int64_t)ulp_random(&state), -63)); /* of one size */
            if (k % 4 == 2)
                y = ending_power(x, &state);
            if (k % 4 == 3)
                x = ldexp((double)(int64_t)ulp_random(&state), -63),
                y = ldexp((double)(int64_t)ulp_random(&state), -60);
            measure_pair(row, x, y, &narrow, &wide);
            measure_pair(row, fabs(x), y, &narrow, &wide);
        }
        tell(row->name, "f32", &narrow, row->limit_f32);
        tell(row->name, "f64", &wide, row->limit_f64);
    }
}

static const check_case cases[] = {
    CASE(f32_functions_are_within_their_limits),
    CASE(f64_functions_are_within_their_limits),
    CASE(functions_of_two_are_within_their_limits),
};
CHECK_MAIN(cases)
