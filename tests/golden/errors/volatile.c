/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, volatile f32 x[n])
{
    slip_for (i, n)
        x[i] = 1;
}
