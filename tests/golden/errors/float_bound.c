/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(f32 n, f32 x[4])
{
    slip_for (i, n)
        x[i] = 1;
}
