/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nbody.c - bodies that attract one another: all pairs, then a step of time. The first task
 * moves the velocities alone, so every body sees the others where they were. Host program:
 * nbody_main.c.
 */
#include <math.h>

#include <slipway/kernel.h>

/* `soft` keeps two bodies that meet from an infinite force; the gravitational constant is 1. */
slip_kernel void nbody(i32 n, i32 steps, f32 dt, f32 soft, const f32 mass[n], f32 pos[n][3],
                       f32 vel[n][3])
{
    for (i32 s = 0; s < steps; ++s) {
        slip_for (i, n) {
            f32 ax = 0;
            f32 ay = 0;
            f32 az = 0;
            for (i32 j = 0; j < n; ++j) {
                f32 dx = pos[j][0] - pos[i][0];
                f32 dy = pos[j][1] - pos[i][1];
                f32 dz = pos[j][2] - pos[i][2];
                f32 square = dx * dx + dy * dy + dz * dz + soft * soft;
                f32 pull = mass[j] / (square * sqrtf(square));
                ax += pull * dx;
                ay += pull * dy;
                az += pull * dz;
            }
            vel[i][0] = vel[i][0] + dt * ax;
            vel[i][1] = vel[i][1] + dt * ay;
            vel[i][2] = vel[i][2] + dt * az;
        }
        slip_for2 (i, n, c, 3)
            pos[i][c] = pos[i][c] + dt * vel[i][c];
    }
}
