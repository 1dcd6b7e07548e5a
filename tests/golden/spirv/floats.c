/* SPDX-License-Identifier: Apache-2.0 */
/* What the device's own operations are asked for, and what stands beside them: comparisons of two
 * values, with 0, a denormal and 1; a minimum, a floor, conversions; a sum whose start is known. */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void floats(i32 n, const f32 x[n], const f64 p[n], f32 y[n], f64 q[n])
{
    slip_for (i, n) {
        f32 sum = 0;
        for (i32 k = 0; k < 3; ++k)
            sum += x[i];
        if (x[i] < y[i] && x[i] > 0 && x[i] != 0 && y[i] <= 1e-40f && y[i] >= 1)
            y[i] = slip_min(sum, floorf(x[i]));
        else
            y[i] = (f32)p[i];
        q[i] = x[i];
    }
}
