/* SPDX-License-Identifier: Apache-2.0 */
/* Updates: native, by attempts, and of a part of a word. What a shader needs is told with lines. */
#include <math.h>
#include <slipway/kernel.h>

slip_kernel void updates(i32 n, const i32 at[n], u32 count[8], f32 sum[8], u8 small[8], f64 wide[8])
{
    slip_for (i, n) {
        count[at[i] & 7] += 1;
        sum[at[i] & 7] += 0.5f;
        small[at[i] & 7] ^= 3;
        wide[at[i] & 7] *= 2;
    }
}

slip_kernel void left_out(i32 n, const f32 x[n], f32 y[n])
{
    slip_for (i, n)
        y[i] = erff(x[i]);
}
