/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        f32 a[2] = { 1, 2 }, b[2] = { 3, 4 };
        f32 *p = a;
        x[i] = p[0];
        p = b;
        x[i] += p[1];
    }
}
