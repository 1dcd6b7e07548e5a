/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_block (b, n / 4, 4) {
        slip_lanes (t)
            x[b * 4 + t] = 1;
    }
}
