/* SPDX-License-Identifier: Apache-2.0 */
/* math_rival.h - the rival's loops: math_rival.c. */
#ifndef SLIPWAY_BENCH_MATH_RIVAL_H
#define SLIPWAY_BENCH_MATH_RIVAL_H

#include <stdint.h>

#define BENCH_MATHS(X) X(sin) X(exp) X(log) X(pow) X(tan) X(atan) X(tanh)

#define RIVAL_(name)                                                                               \
    void rival_##name##_f32(int32_t n, const float *x, float *y);                                  \
    void rival_##name##_f64(int32_t n, const double *x, double *y);
BENCH_MATHS(RIVAL_)
#undef RIVAL_

#endif
