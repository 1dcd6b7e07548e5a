/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#include <math.h>
#include <stdlib.h>

slip_kernel void f(i32 n, i32 x[n], f32 y[n], f64 z[n])
{
    slip_for (i, n) {
        y[i] = sinf(y[i]) + fabsf(y[i]) + fmaxf(y[i], 1) + powf(y[i], 2) + slip_rsqrt(y[i]);
        z[i] = sin(z[i]) + floor(z[i]) + fma(z[i], 2, 1) + atan2(z[i], INFINITY);
        x[i] = abs(x[i]) + isnan(y[i]) + slip_min(x[i], 3) + (i32)slip_f32_bits(y[i]);
        u32 bits;
        memcpy(&bits, &y[i], sizeof bits);
        memset(&y[i], 0, sizeof y[i]);
        x[i] += (i32)bits;
    }
}
