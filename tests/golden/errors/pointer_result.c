/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 *at(f32 *x, i32 i) { return x + i; }

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n)
        *at(x, i) = 1;
}
