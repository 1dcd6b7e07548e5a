/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 sum(i32 n, const f32 x[n])
{
    f32 s = 0;
    slip_for (i, n)
        s += x[i];
    return s;
}

slip_kernel f32 f(i32 n, const f32 x[n])
{
    f32 once = sum(n, x);
    return once + 2 * sum(n, x);
}
