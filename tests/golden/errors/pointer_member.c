/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct node {
    struct node *next;
    i32 value;
};

slip_kernel void f(i32 n, struct node x[n])
{
    slip_for (i, n)
        x[i].value = 0;
}
