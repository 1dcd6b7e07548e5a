/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ulp.h - the functions of math/ beside MPFR's, and how far a value lies from the true one.
 */
#ifndef SLIPWAY_TESTS_MATH_ULP_H
#define SLIPWAY_TESTS_MATH_ULP_H

#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>

typedef int ulp_true_one(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int ulp_true_two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

typedef struct ulp_row {
    const char *name; /* "sin" */
    float (*f32)(float);
    double (*f64)(double);
    double (*library)(double); /* the C library's, for sweeps of all f32 numbers; NULL: none */
    ulp_true_one *truth;
    double limit_f32, limit_f64; /* the largest error that passes, in units of the last place */
} ulp_row;

typedef struct ulp_pair_row {
    const char *name;
    float (*f32)(float, float);
    double (*f64)(double, double);
    ulp_true_two *truth;
    double limit_f32, limit_f64;
} ulp_pair_row;

extern const ulp_row ulp_rows[];
extern const ulp_pair_row ulp_pair_rows[];
extern const uint32_t ulp_row_count, ulp_pair_row_count;

/*
 * |got - truth| in units of the last place that the type has at the truth; a huge number where one
 * is NaN, or infinite, or zero of the wrong sign, and the other is not. What the type would round
 * to infinity counts as its infinity.
 */
double ulp_error_f32(float got, const mpfr_t truth);
double ulp_error_f64(double got, const mpfr_t truth);

/* A generator of 64 random bits (xorshift). */
uint64_t ulp_random(uint64_t *state);

static inline float ulp_f32(uint32_t bits)
{
    union {
        uint32_t bits;
        float value;
    } both = { bits };
    return both.value;
}

static inline double ulp_f64(uint64_t bits)
{
    union {
        uint64_t bits;
        double value;
    } both = { bits };
    return both.value;
}

static inline uint32_t ulp_bits_f32(float value)
{
    union {
        float value;
        uint32_t bits;
    } both = { value };
    return both.bits;
}

static inline uint64_t ulp_bits_f64(double value)
{
    union {
        double value;
        uint64_t bits;
    } both = { value };
    return both.bits;
}

#endif
