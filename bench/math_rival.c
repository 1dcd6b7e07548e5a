/* SPDX-License-Identifier: Apache-2.0 */
/* math_rival.c - the loops of math_kernels.c over the C library, for clang -O3 -march=native. */
#include "math_rival.h"

#include <math.h>

#define LOOPS_(name, call_f32, call_f64)                                                           \
    void rival_##name##_f32(int32_t n, const float *restrict x, float *restrict y)                 \
    {                                                                                              \
        for (int32_t i = 0; i < n; ++i)                                                            \
            y[i] = call_f32;                                                                       \
    }                                                                                              \
    void rival_##name##_f64(int32_t n, const double *restrict x, double *restrict y)               \
    {                                                                                              \
        for (int32_t i = 0; i < n; ++i)                                                            \
            y[i] = call_f64;                                                                       \
    }

LOOPS_(sin, sinf(x[i]), sin(x[i]))
LOOPS_(exp, expf(x[i]), exp(x[i]))
LOOPS_(log, logf(x[i]), log(x[i]))
LOOPS_(pow, powf(x[i], 1.7f), pow(x[i], 1.7))
LOOPS_(tan, tanf(x[i]), tan(x[i]))
LOOPS_(atan, atanf(x[i]), atan(x[i]))
LOOPS_(tanh, tanhf(x[i]), tanh(x[i]))
