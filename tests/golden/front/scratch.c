/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 m, f32 x[n])
{
    f32 grid[m][n][2], fixed[3] = { 1, 2 };
    slip_for2 (r, m, c, n)
        grid[r][c][1] = fixed[2];
    slip_for (i, n) {
        f32 (*row)[2] = grid[m - 1];
        x[i] = row[i][1];
    }
}
