/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        i += 1;
        x[i] = 1;
    }
}
