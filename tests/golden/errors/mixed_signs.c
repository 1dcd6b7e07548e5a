/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 lo, u32 n, f32 x[n])
{
    slip_for_range (i, lo, n)
        x[i] = 1;
    slip_for_range (i, 0, n)
        x[i] = 1;
}
