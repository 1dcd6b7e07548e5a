/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

static f32 first(const f32 *p) { return p[0]; }

slip_kernel void f(i32 n, f32 u[n], f32 v[n])
{
    f32 *src = u, *dst = v;
    for (i32 s = 0; s < 3; ++s) {
        slip_for (i, n) {
            f32 own[4] = { 0 };
            f32 *p = own + (i & 1);
            *p++ = src[i];
            own[3] = *p;
            const f32 *q = i > 2 ? src : dst + 1;
            dst[i] = first(own) + first(q);
        }
        f32 *t = src;
        src = dst;
        dst = t;
    }
}
