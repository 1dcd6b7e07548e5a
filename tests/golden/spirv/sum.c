/* SPDX-License-Identifier: Apache-2.0 */
/* A reduction: 64 lanes a block of 1,024 iterations, and finish over the blocks' results. */
#include <slipway/kernel.h>

slip_kernel f32 sum(i32 n, const f32 x[n])
{
    f32 s = 0;

    slip_for (i, n)
        s += x[i];
    return s;
}
