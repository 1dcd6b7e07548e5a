/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        x[i] = (f32)(x[i] * 0.5);       /* the same bits in f32 */
        x[i] = (f32)(x[i] * 0.1 + 1.0); /* f64 */
    }
}
