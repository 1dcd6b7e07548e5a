/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f64 x[n], u32 y[n])
{
    slip_for (i, n) {
        memcpy(&y[i], &x[i], sizeof y[i]); /* half an f64 */
        memcpy(&x[i], &x[i + 1], (size_t)n);
    }
}
