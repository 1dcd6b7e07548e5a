/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 twice(f32 v) { return 2 * v; }

slip_kernel void f(i32 n, f32 x[n])
{
    f32 (*op)(f32) = twice;
    slip_for (i, n)
        x[i] = op(x[i]);
}
