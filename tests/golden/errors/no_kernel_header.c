/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/slipway.h>

slip_kernel void f(int n, float x[n])
{
    slip_for (i, n)
        x[i] = 1;
}
