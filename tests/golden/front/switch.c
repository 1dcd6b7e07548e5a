/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        switch (x[i]) {
        case 0:
            x[i] = 1;
            break;
        case 1:
        case 2:
            x[i] = 2;
            break;
        default:
            x[i] = 3;
        }
        switch (x[i]) {
        case 1:
            x[i] += 1;
        case 2:
            if (i > 4)
                break;
            x[i] += 2;
        }
    }
}
