/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, i8 x[n])
{
    slip_for (i, n) {
        const char *text = "abc";
        x[i] = text[i % 3];
    }
}
