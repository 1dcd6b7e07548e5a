/* SPDX-License-Identifier: Apache-2.0 */
/* saxpy.c - the smallest kernel: one task, two arrays. Host program: saxpy_main.c. */
#include <slipway/kernel.h>

slip_kernel void saxpy(i32 n, f32 a, const f32 x[n], f32 y[n])
{
    slip_for (i, n)
        y[i] = a * x[i] + y[i];
}
