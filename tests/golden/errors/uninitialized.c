/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

/* The second kernel is right: tasks run, and who sets `z` reads it. */
slip_kernel i32 read_unset(i32 n, i32 c, f32 x[n])
{
    i32 sum;

    slip_for (i, n) {
        i32 u, w;
        if (c)
            w = 1;
        x[i] = 6 + u + w;
    }
    slip_for (i, n)
        sum += x[i] > 0;
    return sum;
}

slip_kernel i32 read_set(i32 n, i32 c, f32 x[n])
{
    i32 last, m;

    slip_for (once, 1)
        last = n;
    slip_for (i, n) {
        i32 w, z, q[4];
        switch (c) {
        case 0: w = 1; break;
        default: w = 3;
        }
        for (i32 k = 0; k < 4; k++)
            q[k] = k;
        if (c > 3)
            z = 1;
        if (c > 3)
            w += z;
        x[i] = w + q[2];
    }
    slip_sections {
        slip_section { m = 3; }
        slip_section { x[0] = 2; }
    }
    return last + m;
}
