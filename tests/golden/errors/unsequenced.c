/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static i32 bump(i32 *p) { return ++*p; }
static i32 pair(i32 a, i32 b) { return 10 * a + b; }

slip_kernel void f(i32 n, i32 x[n])
{
    slip_for (i, n) {
        i32 k = 0;
        x[i] = pair(bump(&k), bump(&k));
        x[k] = k++;
        k = k++;
    }
}
