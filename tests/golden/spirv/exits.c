/* SPDX-License-Identifier: Apache-2.0 */
/* An exit that must cross a loop sets a code, and the code is tested behind that loop. */
#include <slipway/kernel.h>

slip_kernel void exits(i32 n, const i32 x[n], i32 y[n])
{
    slip_for (i, n) {
        i32 sum = 0;
        for (i32 a = 0; a < 8; a++) {
            for (i32 b = 0; b < 8; b++) {
                if (x[b] == a)
                    continue;
                switch (x[a] + b) {
                case 1:
                    sum += 2;
                    break;
                case 2:
                    if (sum > 9)
                        break;
                    sum += 3;
                default:
                    sum += 1;
                }
            }
            if (sum > 100)
                break;
        }
        do {
            if (sum == 7)
                continue;
            sum -= 5;
        } while (sum > 0);
        y[i] = sum;
    }
}
