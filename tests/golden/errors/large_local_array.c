/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        f32 some[300], many[4000];
        some[i % 300] = 1;
        many[i % 4000] = 1;
        x[i] = some[0] + many[0];
    }
}
