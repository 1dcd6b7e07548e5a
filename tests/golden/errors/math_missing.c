/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n], f64 y[n])
{
    slip_for (i, n) {
        i32 e;
        x[i] = ldexpf(x[i], 3);
        y[i] = frexp(y[i], &e);
        y[i] = lround(y[i]) + ilogb(y[i]) + logb(y[i]) + scalbn(y[i], 2);
        y[i] = modf(y[i], &y[i]) + toupper(3);
    }
}
