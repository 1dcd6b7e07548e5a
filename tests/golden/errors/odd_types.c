/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

typedef float four __attribute__((vector_size(16)));

slip_kernel void f(i32 n, f32 x[n])
{
    slip_for (i, n) {
        __int128 wide = i;
        four v = { x[i] };
        x[i] = v[0] + (f32)wide;
    }
}
