/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

typedef f32 vec3[3];
typedef f32 mat3[3][3];

slip_kernel void f(i32 n, vec3 x[n], mat3 m[n], vec3 *y, const vec3 z[], vec3 grid[n][n + 1])
{
    slip_for (i, n)
        for (i32 k = 0; k < 3; k++)
            x[i][k] = m[i][k][2] + y[i][k] + z[i][k] + grid[i][i][k];
}
