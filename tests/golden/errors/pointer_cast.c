/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], u32 y[n])
{
    slip_for (i, n)
        y[i] = *(u32 *)&x[i];
}
