/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        i32 s = 0;
        for (;;) {
            if (s++ > 4)
                break;
        }
        do {
            if (s == 2)
                continue;
            --s;
        } while (s > 0);
        while (s < x[i])
            s += 3;
        x[i] = s;
    }
}
