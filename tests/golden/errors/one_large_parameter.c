/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

typedef struct table {
    f32 v[1010];
} table_t;

slip_kernel void f(i32 n, f32 y[n], table_t t)
{
    slip_for (i, n)
        y[i] = t.v[i];
}
