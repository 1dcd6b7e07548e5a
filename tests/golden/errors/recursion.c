/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static i32 even(i32 n);
static i32 odd(i32 n) { return n == 0 ? 0 : even(n - 1); }
static i32 even(i32 n) { return n == 0 ? 1 : odd(n - 1); }

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n)
        x[i] = even(i);
}
