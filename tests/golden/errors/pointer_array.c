/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], f32 y[n])
{
    slip_for (i, n) {
        f32 *both[2] = { x, y };
        both[i % 2][i] = 0;
    }
}
