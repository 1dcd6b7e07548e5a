/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void slip_call(i32 n, f32 x[n])
{
    slip_for (i, n)
        x[i] = 0;
}

slip_kernel void open_ended(i32 n, ...)
{
}

slip_kernel void nameless(struct { i32 a; } s, i32 out[1])
{
    out[0] = s.a;
}
