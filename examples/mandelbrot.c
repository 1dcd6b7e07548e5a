/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mandelbrot.c - the Mandelbrot set: one task over a picture, with work that differs from point to
 * point. Host program: mandelbrot_main.c.
 */
#include <slipway/kernel.h>

/* count[y][x] = steps until the point left the circle of radius 2, `limit` if it did not. The
 * picture is centred on (cx, cy), `size` wide. */
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
        while (k < limit && re * re + im * im <= 4) {
            f64 t = re * re - im * im + a;
            im = 2 * re * im + b;
            re = t;
            ++k;
        }
        count[y][x] = k;
    }
}
