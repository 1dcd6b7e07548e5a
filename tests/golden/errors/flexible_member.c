/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct list {
    i32 count;
    f32 at[];
};

slip_kernel void f(i32 n, struct list *x)
{
    slip_for (i, n)
        x->at[i] = 1;
}
