/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of stream_case.h, for the look-alike drivers. */
#include <slipway/kernel.h>

slip_kernel void add(i32 n, i32 k, i32 x[n])
{
    slip_for (i, n)
        x[i] = x[i] + k;
}
