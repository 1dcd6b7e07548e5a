/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel f32 f(i32 n, const f32 x[n], i32 h[8], u8 b[8], f32 y[8])
{
    f32 s = 0, top = -1;
    slip_for (i, n) {
        i32 own = i;
        own += 2;
        s += x[i];
        h[own & 7]++;
        b[i & 7] *= 3;
        y[i & 7] += 0.1;
        i32 slot = --h[0];
        own = slip_atomic_min(&h[1], slot);
        own += slip_atomic_exchange(&h[2], own);
        slip_atomic_compare_exchange(&h[3], slot, own);
        slip_atomic_max(&top, x[i]);
    }
    s += top;
    return s;
}
