/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#include <assert.h>
#include <stdio.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        assert(x[i]++ > 0);
        printf("%d\n", x[i]++);
    }
}
