/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the look-alike drivers launch by hand. */
#include <slipway/kernel.h>

slip_kernel void add(i32 n, const i32 x[n], i32 y[n])
{
    slip_for (i, n) {
        y[i] = y[i] + x[i];
    }
}

slip_kernel void table(i32 n, i32 m, i32 t[n][m])
{
    slip_for2(i, n, j, m) {
        t[i][j] = 100 * i + j;
    }
}

slip_kernel i64 sum(i32 n, const i32 x[n])
{
    i64 s = 0;

    slip_for (i, n) {
        s += x[i];
    }
    return s;
}
