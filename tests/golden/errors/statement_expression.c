/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] = ({ i32 k = i; k + 1; });
}
