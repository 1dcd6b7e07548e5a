/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, const i32 a[n], i32 x[n])
{
    slip_for (i, n) {
        i32 k = a[i];
        if (k >= 0 && k < n)
            x[i] = k > 3 ? k : -k;
        if (k < 0 || a[k] == 0)
            continue;
        x[i] = k == 1 ? a[0] : k / 3;
        x[i] = !(k & 1) + (k > 2);
    }
}
