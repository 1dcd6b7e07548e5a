/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 third(f32 v)
{
    return (f32)(v * (1 / 3.0));
}

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        x[i] = (f32)(x[i] * 0.5);       /* the same bits in f32 */
        x[i] = third(x[i]);
        x[i] = (f32)(x[i] * 0.1 + 1.0); /* f64 */
    }
}
