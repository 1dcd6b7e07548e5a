/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f64 x[n])
{
    slip_for (i, n) {
        long double wide = x[i];
        x[i] = (f64)wide;
    }
}
