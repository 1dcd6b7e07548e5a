/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

union word {
    f32 number;
    u32 bits;
};

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        union word w = { x[i] };
        x[i] = (f32)w.bits;
    }
}
