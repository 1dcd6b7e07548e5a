/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#define FOREVER for (;;)

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        FOREVER {
            if (x[i]-- < 0)
                break;
        }
    }
}
