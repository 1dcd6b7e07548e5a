/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static i32 sign(i32 v)
{
    if (v > 0)
        return 1;
    if (v < 0)
        return -1;
}

slip_kernel i32 f(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] = sign(x[i]);
    while (1) {
        if (n > 2)
            break;
    }
}
