/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shapes.c - kernels for the tests of slipway run: extents, structs, results, refusals.
 */
#include <slipway/kernel.h>

struct point {
    f32 x, y;
    i32 tag;
};

struct pair {
    i64 low, high;
};

/* 3 and 4 axes: a value that says where it stands. */
slip_kernel void stamp3(u16 a, u16 b, u16 c, slip_out i32 x[a][b][c])
{
    slip_for3 (i, a, j, b, k, c)
        x[i][j][k] = i * 10000 + j * 100 + k;
}

slip_kernel void add4(i32 a, i32 b, i32 c, i32 d, const f64 x[a][b][c][d], f64 y[a][b][c][d])
{
    slip_for3 (i, a, j, b, k, c) {
        for (i32 l = 0; l < d; ++l)
            y[i][j][k][l] += x[i][j][k][l];
    }
}

/* Extents that are not parameters by themselves. */
slip_kernel void pairs(i32 n, const f32 x[2 * n], slip_out f32 y[n + 1])
{
    slip_for (i, n + 1)
        y[i] = i < n ? x[2 * i] + x[2 * i + 1] : -1.0f;
}

slip_kernel void fixed(f32 x[4])
{
    slip_for (i, 4)
        x[i] = x[i] * 2;
}

slip_kernel void one(f64 x[1])
{
    slip_for (i, 1)
        x[i] = x[i] + 1;
}

/* An array whose extent the signature does not know. */
slip_kernel void negate(i32 n, f32 *x)
{
    slip_for (i, n)
        x[i] = -x[i];
}

slip_kernel void rows(i32 n, f32 x[][3])
{
    slip_for (i, n)
        x[i][2] = x[i][0] + x[i][1];
}

slip_kernel void move(i32 n, struct point by, struct point p[n])
{
    slip_for (i, n) {
        p[i].x += by.x;
        p[i].y += by.y;
        p[i].tag = by.tag;
    }
}

slip_kernel struct pair ends(i32 n, const i64 x[n])
{
    struct pair e = { x[0], x[n - 1] };
    return e;
}

slip_kernel i64 total(i32 n, const i32 x[n])
{
    i64 s = 0;

    slip_for (i, n)
        s += x[i];
    return s;
}

slip_kernel f32 ratio(f32 a, f32 b)
{
    return a / b;
}

slip_kernel void nothing(void)
{
}
