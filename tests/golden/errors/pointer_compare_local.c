/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        i32 a[4] = { 0 };
        i32 *p = a;
        while (p < a + 4)
            *p++ = i;
        x[i] = a[3];
    }
}
