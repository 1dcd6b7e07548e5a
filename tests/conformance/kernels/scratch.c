/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.c - kernels whose scratch overflows an ordinary stack in plain C.
 */
#include <slipway/kernel.h>

slip_kernel i64 reverse_by_scratch(i32 n, i32 x[n])
{
    i32 copy[n];
    i64 sum = 0;
    slip_for (i, n)
        copy[i] = x[n - 1 - i];
    slip_for (i, n) {
        x[i] = copy[i];
        sum += copy[i];
    }
    return sum;
}

slip_kernel i64 sum_of_scratch(i32 n)
{
    i32 scratch[n];
    i64 sum = 0;
    slip_for (i, n)
        scratch[i] = n - 1 - i;
    slip_for (i, n)
        sum += scratch[i];
    return sum;
}
