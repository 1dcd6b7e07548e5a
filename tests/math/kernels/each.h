/* SPDX-License-Identifier: Apache-2.0 */
/* each.h - the functions that each.c has kernels for. */
#ifndef SLIPWAY_TESTS_MATH_EACH_H
#define SLIPWAY_TESTS_MATH_EACH_H

#define EACH_OF_ONE(X)                                                                             \
    X(sin)                                                                                         \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh)       \
        X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt)
#define EACH_OF_TWO(X) X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(nextafter)

#endif
