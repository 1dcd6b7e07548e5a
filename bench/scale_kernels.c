/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_kernels.c - what vulkan/queue_cost.c and cuda/launch_cost.c call: the smallest of tasks,
 * once and many times.
 */
#include <slipway/kernel.h>

slip_kernel void scale(i32 n, f32 a, f32 x[n])
{
    slip_for (i, n)
        x[i] = x[i] * a + 1;
}

slip_kernel void scale_often(i32 n, i32 times, f32 a, f32 x[n])
{
    for (i32 k = 0; k < times; k++) {
        slip_for (i, n)
            x[i] = x[i] * a + 1;
    }
}
