/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the whole stack launch on look-alikes: one kernel for each way to wait. */
#include <slipway/kernel.h>

slip_kernel void bump(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] += 1;
}

slip_kernel i64 spread(i32 n, const i32 x[n], slip_out i32 a[n], slip_out i32 b[n])
{
    i64 total = 0;

    slip_for (i, n) {
        a[i] = x[i] + 1;
        b[i] = 2 * x[i];
        total += x[i];
    }
    return total;
}

/* `steps` passes to and fro through scratch. */
slip_kernel void shift(i32 n, i32 steps, i32 x[n])
{
    i32 next[n];

    for (i32 s = 0; s < steps; s++) {
        slip_for (i, n)
            next[i] = x[i == 0 ? n - 1 : i - 1];
        slip_for (i, n)
            x[i] = next[i];
    }
}

/* Sections that share what they read, and a task that joins them. */
slip_kernel i64 parts(i32 n, const i32 x[n], i32 a[n], i32 b[n])
{
    i64 total = 0;

    slip_sections {
        slip_section {
            i32 own[n];
            slip_for (i, n)
                own[i] = 3 * x[i];
            slip_for (i, n)
                a[i] = own[n - 1 - i];
        }
        slip_section {
            slip_for (i, n)
                b[i] = x[i] - 5;
        }
    }
    slip_for (i, n)
        total += (i64)a[i] - b[i];
    return total;
}

/* Until no element is above the limit: decided on the device. */
slip_kernel i32 settle(i32 n, i32 limit, i32 x[n])
{
    i32 rounds = 0;
    bool more = true;

    while (more) {
        i32 most = 0;
        slip_for (i, n)
            x[i] = x[i] / 2;
        slip_for (i, n)
            slip_atomic_max(&most, x[i]);
        more = most > limit;
        rounds += 1;
    }
    return rounds;
}

struct wide {
    i32 add[1000];
};

slip_kernel void widen(i32 n, struct wide w, i32 x[n])
{
    slip_for (i, n)
        x[i] += w.add[i % 1000];
}
