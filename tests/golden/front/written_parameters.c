/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

struct range {
    i32 lo, hi;
};

slip_kernel void f(i32 n, struct range s, f32 *p, f32 x[n])
{
    n -= 1;
    s.hi = n;
    p++;
    slip_for_range (i, s.lo, s.hi)
        p[i] = x[i];
}
