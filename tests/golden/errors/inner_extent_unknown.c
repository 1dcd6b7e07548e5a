/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n][2][2][2][2])
{
    slip_for (i, n)
        x[i][0][0][0][0] = 1;
}
