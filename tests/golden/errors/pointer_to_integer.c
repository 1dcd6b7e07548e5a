/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], u64 y[n])
{
    slip_for (i, n)
        y[i] = (u64)&x[i];
}
