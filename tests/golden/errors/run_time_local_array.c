/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 last(i32 n)
{
    f32 t[n];
    t[n - 1] = 1;
    return t[n - 1];
}

slip_kernel void f(i32 n, i32 m, f32 x[n])
{
    slip_for (i, n) {
        f32 row[m];
        row[0] = last(m);
        x[i] = row[0];
    }
}
