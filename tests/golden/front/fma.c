/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 a, f64 d, f32 x[n], f64 y[n])
{
    slip_for (i, n) {
        x[i] = a * x[i] + 1;
        x[i] = 1 - a * x[i];
        x[i] = -(a * x[i]) - x[0];
        x[i] = a * x[0] + a * x[1];
        x[i] += a * x[2];
        x[i] -= a * x[3];
        y[i] = a * x[i] + d;      /* the product is f32: not fused */
        f32 p = a * a;
        x[i] = p + (a > 0 ? a * a : a);
    }
}
