/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

f32 outside(f32 v);

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n)
        x[i] = outside(x[i]);
}
