/* SPDX-License-Identifier: Apache-2.0 */
/* What is launched between the work of other code: one kernel for each way to use lanes and memory.
 */
#include <slipway/kernel.h>

slip_kernel void scale(i32 n, u32 x[n])
{
    slip_for (i, n)
        x[i] = 3 * x[i] + (u32)i;
}

/* Two lanes that read what one wrote before them. */
slip_kernel void spread(i32 n, const u32 x[n], slip_out u32 y[n], slip_out u32 z[n])
{
    slip_sections
    {
        slip_section slip_for (i, n) y[i] = x[i] + 1;
        slip_section slip_for (i, n) z[i] = 2 * x[i];
    }
}

/* Through memory of the launch. */
slip_kernel void rotate(i32 n, u32 x[n])
{
    u32 next[n];

    slip_for (i, n)
        next[i] = x[i == 0 ? n - 1 : i - 1];
    slip_for (i, n)
        x[i] = next[i];
}

/* With an array of the host, and a result. */
slip_kernel u64 gather(i32 n, const u32 h[n], u32 x[n])
{
    u64 total = 0;

    slip_for (i, n) {
        x[i] += h[i];
        total += x[i];
    }
    return total;
}

/* An array of the host that comes back. */
slip_kernel void copy(i32 n, const u32 x[n], slip_out u32 h[n])
{
    slip_for (i, n)
        h[i] = x[i];
}
