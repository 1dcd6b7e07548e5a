/* SPDX-License-Identifier: Apache-2.0 */
/* math_kernels.c - loops that do little but call one math function. */
#include <math.h>
#include <slipway/kernel.h>

#define LOOPS_(name, call_f32, call_f64)                                                           \
    slip_kernel void name##_f32(i32 n, const f32 x[n], slip_out f32 y[n])                          \
    {                                                                                              \
        slip_for (i, n)                                                                            \
            y[i] = call_f32;                                                                       \
    }                                                                                              \
    slip_kernel void name##_f64(i32 n, const f64 x[n], slip_out f64 y[n])                          \
    {                                                                                              \
        slip_for (i, n)                                                                            \
            y[i] = call_f64;                                                                       \
    }

LOOPS_(sin, sinf(x[i]), sin(x[i]))
LOOPS_(exp, expf(x[i]), exp(x[i]))
LOOPS_(log, logf(x[i]), log(x[i]))
LOOPS_(pow, powf(x[i], 1.7f), pow(x[i], 1.7))
LOOPS_(tan, tanf(x[i]), tan(x[i]))
LOOPS_(atan, atanf(x[i]), atan(x[i]))
LOOPS_(tanh, tanhf(x[i]), tanh(x[i]))
