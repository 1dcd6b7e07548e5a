/* SPDX-License-Identifier: Apache-2.0 */
/* matvec.c - the product of a matrix and a vector, a row an iteration: for kernels.c. */
#include <slipway/kernel.h>

slip_kernel void matvec(i32 n, i32 m, const f32 a[n][m], const f32 x[m], f32 y[n])
{
    slip_for (i, n) {
        f32 sum = 0;
        for (i32 j = 0; j < m; ++j)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}
