/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types.c - kernels for the tests of slipway run: one of each kind for every scalar type.
 */
#include <slipway/kernel.h>

#define KERNELS(T)                                                                                \
    slip_kernel T echo_##T(T a) { return a; }                                                     \
    slip_kernel void scale_##T(i64 n, T a, const T x[n], slip_out T y[n])                         \
    {                                                                                             \
        slip_for (i, n)                                                                           \
            y[i] = (T)(a * x[i]);                                                                 \
    }                                                                                             \
    slip_kernel void transpose_##T(i32 h, i32 w, const T x[h][w], slip_out T y[w][h])             \
    {                                                                                             \
        slip_for2 (r, h, c, w)                                                                    \
            y[c][r] = x[r][c];                                                                    \
    }                                                                                             \
    slip_kernel void bump_##T(i32 h, i32 w, T x[h][w])                                            \
    {                                                                                             \
        slip_for2 (r, h, c, w)                                                                    \
            x[r][c] = (T)(x[r][c] + (T)(r * 10 + c));                                             \
    }

KERNELS(i8)
KERNELS(u8)
KERNELS(i16)
KERNELS(u16)
KERNELS(i32)
KERNELS(u32)
KERNELS(i64)
KERNELS(u64)
KERNELS(f32)
KERNELS(f64)

slip_kernel bool echo_bool(bool a)
{
    return a;
}

slip_kernel void scale_bool(i64 n, bool a, const bool x[n], slip_out bool y[n])
{
    slip_for (i, n)
        y[i] = a && x[i];
}

slip_kernel void transpose_bool(i32 h, i32 w, const bool x[h][w], slip_out bool y[w][h])
{
    slip_for2 (r, h, c, w)
        y[c][r] = x[r][c];
}

slip_kernel void bump_bool(i32 h, i32 w, bool x[h][w])
{
    slip_for2 (r, h, c, w)
        x[r][c] = !x[r][c];
}
