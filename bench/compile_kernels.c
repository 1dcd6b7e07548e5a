/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_kernels.c - what compile_time.sh compiles: the kernels of four examples and a reduction, in
 * exactly 100 lines. Nothing calls them.
 */

#include <math.h>

#include <slipway/kernel.h>

slip_kernel void saxpy(i32 n, f32 a, const f32 x[n], f32 y[n])
{
    slip_for (i, n)
        y[i] = a * x[i] + y[i];
}

slip_kernel f32 dot(i32 n, const f32 x[n], const f32 y[n])
{
    f32 sum = 0;

    slip_for (i, n)
        sum += x[i] * y[i];
    return sum;
}

/* Heat along a rod with closed ends. */
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

/* Bodies that attract one another: all pairs, then a step of time. `soft` keeps two bodies that
 * meet from an infinite force; the gravitational constant is 1. */
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

/*
 * The Mandelbrot set. count[y][x] = steps until the point left the circle of radius 2, `limit` if
 * it did not. The picture is centred on (cx, cy), `size` wide.
 */
slip_kernel void mandelbrot(i32 h, i32 w, i32 limit, f64 cx, f64 cy, f64 size,
                            slip_out i32 count[h][w])
{
    f64 pixel = size / w;

    slip_for2 (y, h, x, w) {
        f64 a = cx + (2 * x - w + 1) * pixel / 2;
        f64 b = cy + (2 * y - h + 1) * pixel / 2;
        f64 re = 0;
        f64 im = 0;
        i32 k = 0;

        /* Each point goes its own way: how long the loop runs differs from one to the next, which
         * is what a device with many lanes finds hard and a processor does not. */
        while (k < limit && re * re + im * im <= 4) {
            f64 t = re * re - im * im + a;

            im = 2 * re * im + b;
            re = t;
            ++k;
        }
        count[y][x] = k;
    }
}
