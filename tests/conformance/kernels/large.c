/* SPDX-License-Identifier: Apache-2.0 */
/*
 * large.c - arrays of gigabytes.
 */
#include <slipway/kernel.h>

/* Byte offsets above 2^32. */
slip_kernel void ends_of_a_large_array(i64 n, f32 x[n])
{
    slip_for_range (i, n - 3, n)
        x[i] = (f32)(n - i);
    slip_for (i, 3)
        x[i] = (f32)i;
    x[n / 2] = 7;
}
