/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

slip_kernel void builtins(i32 n, i32 x[n], f32 y[n])
{
    i32 bits = __builtin_popcount(n);
    slip_for (i, n) {
        x[i] = __builtin_clz(x[i]) + bits + __builtin_abs(i);
        y[i] = __builtin_sqrtf(y[i]) + (f32)__builtin_isinf_sign(y[i]);
    }
}
