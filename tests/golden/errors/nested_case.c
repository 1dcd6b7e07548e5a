/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        switch (x[i]) {
        case 0:
            if (i > 2) {
            case 1:
                x[i] = 7;
            }
            break;
        default:
            x[i] = 8;
        }
    }
}
