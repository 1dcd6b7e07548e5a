/* SPDX-License-Identifier: Apache-2.0 */
/* vulkan_selftest_numbers.h - the self-test's bits as numbers. */
#ifndef SLIPWAY_TESTS_DRIVER_VULKAN_SELFTEST_NUMBERS_H
#define SLIPWAY_TESTS_DRIVER_VULKAN_SELFTEST_NUMBERS_H

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "driver/vulkan_selftest.h"

static inline double selftest_value(uint32_t width, uint64_t bits)
{
    float f;
    double d;

    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return width == 32 ? (double)f : d;
}

static inline bool selftest_is_denormal32(uint64_t bits)
{
    return (bits & 0x7f800000) == 0 && (bits & 0x7fffff) != 0;
}

/* How far x lies from the middle between two floats, in halves of a unit: 0 at it, 1 at a float. */
static inline double selftest_from_middle(mpfr_t x, mpfr_prec_t precision)
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

#endif
