/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void heat(i32 n, i32 steps, f32 k, f32 u[n])
{
    f32 next[n];

    for (i32 s = 0; s < steps; ++s) {
        slip_for (i, n) {
            i32 l = i > 0 ? i - 1 : 0;
            i32 r = i < n - 1 ? i + 1 : n - 1;
            next[i] = u[i] + k * (u[l] - 2 * u[i] + u[r]);
        }
        slip_for (i, n)
            u[i] = next[i];
    }
}
