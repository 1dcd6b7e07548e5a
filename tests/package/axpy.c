/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axpy.c - the kernel of README.md: an array updated, and a sum returned.
 */
#include <slipway/kernel.h>

slip_kernel f32 axpy(i64 n, f32 a, const f32 x[n], f32 y[n])
{
    f32 sum = 0;

    slip_for (i, n) {
        y[i] += a * x[i];
        sum += y[i];
    }
    return sum;
}
