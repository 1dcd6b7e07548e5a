/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.c - operations on floats where denormals, zeros' signs and NaNs decide: what devices get
 * wrong by themselves.
 */
#include <math.h>
#include <slipway/kernel.h>

#define COMPARED(a, b)                                                                             \
    ((u32)((a) < (b)) | (u32)((a) <= (b)) << 1 | (u32)((a) > (b)) << 2 | (u32)((a) >= (b)) << 3 |  \
     (u32)((a) == (b)) << 4 | (u32)((a) != (b)) << 5)

slip_kernel void compare_pairs(i32 n, const f32 x[n], const f32 y[n], const f64 p[n],
                               const f64 q[n], slip_out u32 narrow[n], slip_out u32 wide[n],
                               slip_out u32 mixed[n])
{
    slip_for (i, n) {
        narrow[i] = COMPARED(x[i], y[i]);
        wide[i] = COMPARED(p[i], q[i]);
        mixed[i] = COMPARED(x[i], q[i]) | COMPARED(p[i], y[i]) << 8;
    }
}

slip_kernel void compare_to_constants(i32 n, const f32 x[n], const f64 p[n], slip_out u64 narrow[n],
                                      slip_out u64 wide[n])
{
    slip_for (i, n) {
        u64 a = 0, b = 0;
        a = a << 6 | COMPARED(x[i], 0.0f);
        a = a << 6 | COMPARED(-0.0f, x[i]);
        a = a << 6 | COMPARED(x[i], 1e-40f);
        a = a << 6 | COMPARED(-0x1p-149f, x[i]);
        a = a << 6 | COMPARED(x[i], 0x1p-126f);
        a = a << 6 | COMPARED(x[i], -1.0f);
        a = a << 6 | COMPARED(x[i], INFINITY);
        a = a << 2 | (x[i] ? 2 : 0) | (!x[i] ? 1 : 0);
        narrow[i] = a;
        b = b << 6 | COMPARED(p[i], 0.0);
        b = b << 6 | COMPARED(-0.0, p[i]);
        b = b << 6 | COMPARED(p[i], 1e-310);
        b = b << 6 | COMPARED(-0x1p-1074, p[i]);
        b = b << 6 | COMPARED(p[i], 0x1p-1022);
        b = b << 6 | COMPARED(p[i], -1.0);
        b = b << 6 | COMPARED(p[i], (f64)INFINITY);
        b = b << 2 | (p[i] ? 2 : 0) | (!p[i] ? 1 : 0);
        wide[i] = b;
    }
}

slip_kernel void least_and_most(i32 n, const f32 x[n], const f32 y[n], const f64 p[n],
                                const f64 q[n], slip_out f32 narrow[n][2], slip_out f64 wide[n][2])
{
    slip_for (i, n) {
        narrow[i][0] = slip_min(x[i], y[i]);
        narrow[i][1] = slip_max(x[i], y[i]);
        wide[i][0] = slip_min(p[i], q[i]);
        wide[i][1] = slip_max(p[i], q[i]);
    }
}

slip_kernel void whole_numbers(i32 n, const f32 x[n], const f64 p[n], slip_out f32 narrow[n][6],
                               slip_out f64 wide[n][6])
{
    slip_for (i, n) {
        narrow[i][0] = floorf(x[i]);
        narrow[i][1] = ceilf(x[i]);
        narrow[i][2] = truncf(x[i]);
        narrow[i][3] = rintf(x[i]);
        narrow[i][4] = roundf(x[i]);
        narrow[i][5] = fabsf(-x[i]);
        wide[i][0] = floor(p[i]);
        wide[i][1] = ceil(p[i]);
        wide[i][2] = trunc(p[i]);
        wide[i][3] = rint(p[i]);
        wide[i][4] = round(p[i]);
        wide[i][5] = fabs(-p[i]);
    }
}

slip_kernel void convert_floats(i32 n, const f32 x[n], const f64 p[n], slip_out f64 wide[n],
                                slip_out f32 narrow[n], slip_out bool set[n], slip_out u8 small[n],
                                slip_out i64 large[n])
{
    slip_for (i, n) {
        wide[i] = x[i];
        narrow[i] = (f32)p[i];
        set[i] = x[i];
        small[i] = (bool)p[i];
        large[i] = (i64)slip_max(slip_min(x[i], 1e6f), -1e6f);
    }
}

/* Each loop makes zeros that a compiler which unrolls it knows. */
slip_kernel void zeros_from_loops(i32 n, const f32 x[n], const f64 p[n], slip_out f32 narrow[n][5],
                                  slip_out f64 wide[n][5])
{
    slip_for (i, n) {
        f32 sum = 0, last = 1, product = 5;
        f64 wide_sum = 0, wide_last = 1, wide_product = 5;
        for (i32 k = 0; k < 2; ++k) {
            sum += x[i];
            wide_sum += p[i];
            narrow[i][k] = sum;
            wide[i][k] = wide_sum;
        }
        for (i32 k = 1; k >= 0; --k) {
            last = (f32)k - x[i];
            wide_last = (f64)k - p[i];
        }
        for (i32 k = 0; k < 2; ++k) {
            narrow[i][2] = product * x[i];
            wide[i][2] = wide_product * p[i];
            product -= 5;
            wide_product -= 5;
        }
        for (i32 k = -1; k < 1; ++k) {
            narrow[i][3] = (f32)k / x[i];
            wide[i][3] = x[i] / (f64)k;
        }
        narrow[i][4] = last;
        wide[i][4] = wide_last;
    }
}
