/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void bits(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] = __builtin_bit_cast(int, 1.0f);
}
