/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    f32 *p = x;
    slip_for (i, n) {
        p = x + i;
        *p = 1;
    }
}
