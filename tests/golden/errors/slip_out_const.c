/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, slip_out const f32 x[n], slip_out i32 m)
{
    slip_for (i, n)
        m = (i32)x[i];
}
