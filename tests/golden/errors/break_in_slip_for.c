/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        for (i32 k = 0; k < 4; ++k)
            if (k == 2)
                break;
        if (x[i] < 0)
            break;
        x[i] = 1;
    }
}
