/* SPDX-License-Identifier: Apache-2.0 */
/* wild.c - stores far from its array, which is a mistake. */
#include <slipway/kernel.h>

slip_kernel void wild(i32 n, f32 x[n], i64 k)
{
    slip_for (i, n)
        x[i + k] = 1;
}
