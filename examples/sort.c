/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort.c - a bitonic sort of any number of keys: merges of width 2, 4, 8, ..., each a row of
 * tasks. A task reads one array and writes the other; then the two change places, which costs
 * nothing, because a kernel-level pointer is the host's. Host program: sort_main.c.
 */
#include <slipway/kernel.h>

/* What belongs at i once i and its partner are in order. Places from n on hold a key above all. */
static i32 in_order(i64 n, const i32 *x, i64 i, i64 partner)
{
    i32 own = x[i];
    if (partner >= n)
        return own;
    i32 other = x[partner];
    return i < partner ? slip_min(own, other) : slip_max(own, other);
}

slip_kernel void sort(i64 n, i32 x[n])
{
    i32 spare[n];
    i32 *from = x;
    i32 *to = spare;
    i32 passes = 0;

    for (i64 width = 2; width / 2 < n; width *= 2) {
        i64 flip = width - 1; /* partners: first the mirror image, then ever nearer ones */
        for (i64 half = width / 2; half > 0; half /= 2) {
            slip_for (i, n)
                to[i] = in_order(n, from, i, i ^ flip);
            i32 *swap = from;
            from = to;
            to = swap;
            flip = half / 2;
            passes += 1;
        }
    }
    if (passes % 2) {
        slip_for (i, n)
            x[i] = spare[i];
    }
}
