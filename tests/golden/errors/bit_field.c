/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct flags {
    u32 on : 1, rest : 31;
};

slip_kernel void f(i32 n, struct flags x[n])
{
    slip_for (i, n)
        x[i].on = 1;
}
