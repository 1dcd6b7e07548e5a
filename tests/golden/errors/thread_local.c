/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        static _Thread_local i32 seen;
        x[i] = seen;
    }
}
