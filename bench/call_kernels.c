/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_kernels.c - the kernels of call_cost.c: next to no work, so that what a call costs is seen.
 */
#include <slipway/kernel.h>

slip_kernel void no_task(void) {}

/* One small task, no arrays. */
slip_kernel void one_task(i32 n)
{
    i32 t[4];

    slip_for (i, n)
        t[i & 3] = 1;
}

slip_kernel void one_array(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] = 1;
}

slip_kernel void eight_arrays(i32 n, i32 a[n], i32 b[n], i32 c[n], i32 d[n], i32 e[n], i32 f[n], i32 g[n], i32 h[n])
{
    slip_for (i, n) {
        a[i] = 1;
        b[i] = 1;
        c[i] = 1;
        d[i] = 1;
        e[i] = 1;
        f[i] = 1;
        g[i] = 1;
        h[i] = 1;
    }
}

slip_kernel void eight_scalars(i32 n, i32 x[n], i32 a, i32 b, i32 c, i32 d, i32 e, i32 f, i32 g, i32 h)
{
    slip_for (i, n)
        x[i] = a + b + c + d + e + f + g + h;
}

slip_kernel i64 one_result(i32 n)
{
    i64 sum = 0;

    slip_for (i, n)
        sum += i;
    return sum;
}

slip_kernel void eight_tasks(i32 n, i32 x[n])
{
    for (i32 k = 0; k < 8; k++) {
        slip_for (i, n)
            x[i] += k;
    }
}
