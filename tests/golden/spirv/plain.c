/* SPDX-License-Identifier: Apache-2.0 */
/* One iteration an invocation: the guard, the indices by reciprocals, arguments, one access. */
#include <slipway/kernel.h>

slip_kernel void add_rows(i32 n, i32 m, f32 k, const f32 x[n][m], f32 y[n][m])
{
    slip_for2 (i, n, j, m)
        y[i][j] += k * x[i][j];
}
