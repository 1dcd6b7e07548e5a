/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#include <math.h>

slip_kernel void f(i32 n, u8 k, f32 x[n], f64 y[n])
{
    slip_for (i, n) {
        x[i] = x[i] * 0.5;
        x[i] = x[i] / 3.0 ;
        x[i] = sqrt(x[i]);
        x[i] = k + 0.25;
        x[i] = x[i] * 0.1;           /* 0.1 is no f32: f64 */
        x[i] = i * 0.5;              /* i may not be one */
        x[i] = x[i] * 0.5 + 1.0;     /* two operations: f64 */
    }
}
