/* SPDX-License-Identifier: Apache-2.0 */
#include <slipway/kernel.h>

#ifndef __SLIPC__
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
/* #pragma omp in a comment says nothing */

slip_kernel void f(i32 n, f32 x[n])
{
#pragma STDC FP_CONTRACT ON
    slip_for (i, n) {
#pragma unroll
        for (i32 k = 0; k < 4; ++k)
            x[i] += 1;
        _Pragma("omp simd")
        for (i32 k = 0; k < 4; ++k)
            x[i] += 1;
    }
}
