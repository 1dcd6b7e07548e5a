/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeats.c - kernels that are called again and again: arguments that only tasks are given, and
 * arguments that decide how far tasks go, how many there are, and what they are given.
 */
#include <slipway/kernel.h>

struct step {
    i32 add;
    i32 times;
};

slip_kernel void add_scaled(i32 n, i32 a, const i32 x[n], i32 y[n])
{
    slip_for (i, n)
        y[i] += a * x[i] + 1;
}

/* The task is given what a loop counts. */
slip_kernel void count_steps(i32 n, i32 steps, i32 a, i32 x[n])
{
    for (i32 s = 0; s < steps; s++) {
        slip_for (i, n)
            x[i] = 3 * x[i] + a * s;
    }
}

/* Tasks are given what the argument has become. */
slip_kernel void halve(i32 n, i32 m, i32 x[n])
{
    while (m > 1) {
        slip_for (i, n)
            x[i] += m;
        m /= 2;
    }
}

slip_kernel void add_struct(i32 n, struct step by, i32 x[n])
{
    slip_for (i, n)
        x[i] = 2 * x[i] + by.add;
}

/* The host reads the struct. */
slip_kernel void add_times(i32 n, struct step by, i32 x[n])
{
    for (i32 k = 0; k < by.times; k++) {
        slip_for (i, n)
            x[i] = 2 * x[i] + by.add;
    }
}

/* Two ranges of one array; the host decides which tasks there are. */
slip_kernel void part(i32 n, i64 from, i64 to, i32 both, i32 a, i32 x[n])
{
    slip_for_range (i, from, to)
        x[i] += a;
    if (both) {
        slip_for (i, n)
            x[i] ^= a;
    }
}

/* More launches, and more bytes of arguments, than are kept. */
slip_kernel void many(i32 n, i32 steps, i64 a, i64 b, i64 c, i64 d, i64 e, i64 f, i64 g, i64 h,
                      i64 x[n])
{
    for (i32 s = 0; s < steps; s++) {
        slip_for (i, n)
            x[i] = 5 * x[i] + a - b + c - d + e - f + g - h + s;
    }
}
