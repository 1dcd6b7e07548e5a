/* SPDX-License-Identifier: Apache-2.0 */
/* each.c - a kernel for each function of the math library, in both types: each_sin, each_pow, ... */
#include <math.h>
#include <slipway/kernel.h>

#include "each.h"

#define ONE_(name)                                                                                 \
    slip_kernel void each_##name(i32 n, const f32 x[n], const f64 y[n], slip_out f32 a[n],         \
                                 slip_out f64 b[n])                                                \
    {                                                                                              \
        slip_for (i, n) {                                                                          \
            a[i] = name##f(x[i]);                                                                  \
            b[i] = name(y[i]);                                                                     \
        }                                                                                          \
    }
#define TWO_(name)                                                                                 \
    slip_kernel void each_##name(i32 n, const f32 x[n], const f32 s[n], const f64 y[n],            \
                                 const f64 t[n], slip_out f32 a[n], slip_out f64 b[n])             \
    {                                                                                              \
        slip_for (i, n) {                                                                          \
            a[i] = name##f(x[i], s[i]);                                                            \
            b[i] = name(y[i], t[i]);                                                               \
        }                                                                                          \
    }
EACH_OF_ONE(ONE_)
EACH_OF_TWO(TWO_)
