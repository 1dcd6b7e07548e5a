/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static i32 twice(i32 n) { return 2 * n; }

slip_kernel void f(i32 n, const i32 m[1], f32 x[twice(n)], f32 y[m[0]])
{
    slip_for (i, n)
        x[i] = y[i];
}
