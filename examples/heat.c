/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.c - heat along a rod with closed ends: a loop around two tasks, and scratch memory that
 * lives for one call. Host program: heat_main.c. From the shell:
 *
 *   slipway run examples/heat.c heat n=1000 steps=100 k=0.25 u=@u.npy --out u=v.npy
 */
#include <slipway/kernel.h>

slip_kernel void heat(i32 n, i32 steps, f32 k, f32 u[n])
{
    f32 next[n];

    for (i32 s = 0; s < steps; ++s) {
        slip_for (i, n) {
            i32 l = i > 0 ? i - 1 : 0;
            i32 r = i < n - 1 ? i + 1 : n - 1;
            next[i] = u[i] + k * (u[l] - 2 * u[i] + u[r]);
        }
        slip_for (i, n)
            u[i] = next[i];
    }
}
