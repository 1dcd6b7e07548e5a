/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix_sum.c - running sums in parallel, in three passes: the sum of each block, running sums
 * of those by doubling strides, then the running sums inside each block. The host decides how
 * often the middle pass runs. Host program: prefix_sum_main.c.
 */
#include <slipway/kernel.h>

enum { BLOCK = 256 };

/* sum[i] = x[0] + ... + x[i] */
slip_kernel void prefix_sum(i32 n, const i32 x[n], slip_out i64 sum[n])
{
    i32 blocks = n / BLOCK + (n % BLOCK > 0);
    i64 part[blocks];
    i64 next[blocks];

    slip_for (b, blocks) {
        i32 end = slip_min(n - b * BLOCK, BLOCK);
        i64 s = 0;
        for (i32 i = 0; i < end; ++i)
            s += x[b * BLOCK + i];
        part[b] = s;
    }
    for (i32 stride = 1; stride < blocks; stride *= 2) {
        slip_for (b, blocks)
            next[b] = b < stride ? part[b] : part[b] + part[b - stride];
        slip_for (b, blocks)
            part[b] = next[b];
    }
    slip_for (b, blocks) {
        i32 end = slip_min(n - b * BLOCK, BLOCK);
        i64 s = b > 0 ? part[b - 1] : 0;
        for (i32 i = 0; i < end; ++i) {
            s += x[b * BLOCK + i];
            sum[b * BLOCK + i] = s;
        }
    }
}
