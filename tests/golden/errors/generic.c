/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#define ZERO(v) _Generic((v), f32: 0.0f, default: 0)

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n)
        x[i] = ZERO(x[i]);
}
