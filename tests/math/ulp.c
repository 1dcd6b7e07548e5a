/* SPDX-License-Identifier: Apache-2.0 */
/* ulp.c - the table of functions, and distances in units of the last place. */
#include "math/ulp.h"

#include <math.h>

#include <slipway/slip_math.h>

/* Limits stand a little above what is measured; docs/guide/floating-point.md has the measured
 * errors. */
#define ROW_(name, f32, f64)                                                                       \
    {                                                                                              \
#name, slip_##name##f, slip_##name, name, mpfr_##name, f32, f64                            \
    }
const ulp_row ulp_rows[] = {
    ROW_(sin, 0.9, 0.9),     ROW_(cos, 0.9, 0.9),    ROW_(tan, 1.05, 1.05),
    ROW_(asin, 0.7, 0.7),    ROW_(acos, 0.7, 0.7),   ROW_(atan, 0.85, 0.9),
    ROW_(sinh, 0.85, 0.95),  ROW_(cosh, 0.8, 0.85),  ROW_(tanh, 0.8, 0.85),
    ROW_(asinh, 1.15, 1.15), ROW_(acosh, 0.9, 0.9),  ROW_(atanh, 0.95, 0.95),
    ROW_(exp, 0.95, 0.95),   ROW_(exp2, 0.85, 0.8),  ROW_(expm1, 1.2, 1.4),
    ROW_(log, 0.9, 0.95),    ROW_(log2, 0.9, 0.95),  ROW_(log10, 0.85, 0.85),
    ROW_(log1p, 0.95, 0.95), ROW_(cbrt, 0.51, 0.51),
};
const uint32_t ulp_row_count = sizeof ulp_rows / sizeof ulp_rows[0];
#undef ROW_

#define ROW_(name, f32, f64)                                                                       \
    {                                                                                              \
#name, slip_##name##f, slip_##name, mpfr_##name, f32, f64                                  \
    }
const ulp_pair_row ulp_pair_rows[] = {
    ROW_(pow, 0.9, 0.9),
    ROW_(atan2, 0.85, 0.85),
    ROW_(hypot, 0.75, 0.75),
};
const uint32_t ulp_pair_row_count = sizeof ulp_pair_rows / sizeof ulp_pair_rows[0];
#undef ROW_

static double distance(double got, const mpfr_t truth, double rounded, int digits, long lowest)
{
    mpfr_t gap;
    double size;
    long exponent;

    if (isnan(got) || mpfr_nan_p(truth))
        return isnan(got) && mpfr_nan_p(truth) ? 0 : 1e30;
    if (isinf(got) || isinf(rounded) || mpfr_inf_p(truth))
        return got == rounded ? 0 : 1e30;
    if (mpfr_zero_p(truth))
        return got == 0 && !signbit(got) == !mpfr_signbit(truth) ? 0 : 1e30;
    if (!signbit(got) != !mpfr_signbit(truth))
        return 1e30; /* none of these functions rounds across 0 */
    mpfr_init2(gap, 128);
    mpfr_set_d(gap, got, MPFR_RNDN);
    mpfr_sub(gap, gap, truth, MPFR_RNDN);
    exponent = (long)mpfr_get_exp(truth) - digits;
    mpfr_mul_2si(gap, gap, -(exponent < lowest ? lowest : exponent), MPFR_RNDN);
    size = fabs(mpfr_get_d(gap, MPFR_RNDN));
    mpfr_clear(gap);
    return size;
}

double ulp_error_f32(float got, const mpfr_t truth)
{
    return distance((double)got, truth, (double)mpfr_get_flt(truth, MPFR_RNDN), 24, -149);
}

double ulp_error_f64(double got, const mpfr_t truth)
{
    return distance(got, truth, mpfr_get_d(truth, MPFR_RNDN), 53, -1074);
}

uint64_t ulp_random(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}
