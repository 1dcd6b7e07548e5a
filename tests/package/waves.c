/* SPDX-License-Identifier: Apache-2.0 */
/* waves.c - a kernel that calls the math library. */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void waves(i32 n, const f32 x[n], f32 y[n])
{
    slip_for (i, n)
        y[i] = expf(-x[i]) * sinf(100 * x[i]);
}
