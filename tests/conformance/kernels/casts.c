/* SPDX-License-Identifier: Apache-2.0 */
/*
 * casts.c - conversions between all scalar types where C defines them, written and implied.
 * Conversions of floats out of range are in beyond.c.
 */
#include <math.h>
#include <slipway/kernel.h>

#define TO_EACH(v)                                                                                \
    a[i] = (i8)(v);                                                                               \
    b[i] = (u8)(v);                                                                               \
    c[i] = (i16)(v);                                                                              \
    d[i] = (u16)(v);                                                                              \
    e[i] = (i32)(v);                                                                              \
    f[i] = (u32)(v);                                                                              \
    g[i] = (i64)(v);                                                                              \
    h[i] = (u64)(v);                                                                              \
    p[i] = (f32)(v);                                                                              \
    q[i] = (f64)(v);                                                                              \
    t[i] = (bool)(v);

slip_kernel void from_i8(i32 n, const i8 x[n], slip_out i8 a[n], slip_out u8 b[n],
                         slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                         slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                         slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_u8(i32 n, const u8 x[n], slip_out i8 a[n], slip_out u8 b[n],
                         slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                         slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                         slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_i16(i32 n, const i16 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_u16(i32 n, const u16 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_i32(i32 n, const i32 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_u32(i32 n, const u32 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_i64(i32 n, const i64 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_u64(i32 n, const u64 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

slip_kernel void from_bool(i32 n, const bool x[n], slip_out i8 a[n], slip_out u8 b[n],
                           slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                           slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                           slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(x[i])
    }
}

/* Magnitudes below 100: in range everywhere. */
slip_kernel void from_f32(i32 n, const f32 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(fabsf(x[i]))
        a[i] = (i8)x[i];
        c[i] = (i16)(x[i] * 300);
        e[i] = (i32)(x[i] * 2e7f);
        f[i] = (u32)(fabsf(x[i]) * 4e7f);
        g[i] = (i64)(x[i] * 9e16f);
        h[i] = (u64)(fabsf(x[i]) * 1.8e17f);
        t[i] = x[i];
    }
}

slip_kernel void from_f64(i32 n, const f64 x[n], slip_out i8 a[n], slip_out u8 b[n],
                          slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                          slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n],
                          slip_out f32 p[n], slip_out f64 q[n], slip_out bool t[n])
{
    slip_for (i, n) {
        TO_EACH(fabs(x[i]))
        a[i] = (i8)x[i];
        c[i] = (i16)(x[i] * 300);
        e[i] = (i32)(x[i] * 2e7f);
        f[i] = (u32)(fabs(x[i]) * 4e7f);
        g[i] = (i64)(x[i] * 9e16f);
        h[i] = (u64)(fabs(x[i]) * 1.8e17f);
        t[i] = x[i];
    }
}

/* Any value at all: widening, narrowing between floats, and truth. */
slip_kernel void between_floats(i32 n, const f32 x[n], const f64 y[n], slip_out f64 wide[n],
                                slip_out f32 narrow[n], slip_out bool tx[n], slip_out bool ty[n])
{
    slip_for (i, n) {
        wide[i] = x[i];
        narrow[i] = (f32)y[i];
        tx[i] = x[i];
        ty[i] = (bool)y[i];
    }
}

static u8 narrow_argument(u8 x, i8 y)
{
    return x + y;
}

static f32 narrow_result(f64 x)
{
    return x;
}

static i16 integer_result(i64 x)
{
    return x;
}

/* Implied by assignment, argument and return. */
slip_kernel void implied(i32 n, const i64 x[n], const f64 y[n], slip_out i32 a[n],
                         slip_out f64 b[n], slip_out u16 c[n], slip_out f32 d[n])
{
    slip_for (i, n) {
        i8 low = x[i];
        u16 sum = low + x[i];
        f32 number = x[i];
        a[i] = narrow_argument(x[i], x[i] >> 8);
        b[i] = narrow_result(y[i]);
        c[i] = integer_result(x[i] + sum);
        d[i] = number + low;
    }
}

slip_kernel void chains(i32 n, const i64 x[n], const f64 y[n], slip_out i64 a[n],
                        slip_out f64 b[n])
{
    slip_for (i, n) {
        a[i] = (i64)(u32)(i16)(u8)x[i] + (i64)(i8)(u64)(i32)x[i] + (u32)-(i8)x[i];
        b[i] = (f64)(f32)y[i] + (f64)(f32)(i32)x[i] + (f32)(u64)x[i];
    }
}

/* Ternaries and comparisons convert to the common type first. */
slip_kernel void common_types(i32 n, const i8 x[n], const u32 y[n], const f32 z[n],
                              slip_out f64 a[n], slip_out i64 b[n])
{
    slip_for (i, n) {
        a[i] = i & 1 ? x[i] : z[i];
        b[i] = i & 1 ? x[i] : y[i];
        b[i] += i & 2 ? (u8)x[i] : (i64)-1;
    }
}

/* Sign-extended numbers beside constants of 64 bits, written there or found after unrolling. */
slip_kernel void widened_beside_constants(i32 n, const i8 x[n], const i16 y[n], const i32 z[n],
                                          slip_out i32 a[n], slip_out i64 b[n])
{
    slip_for (i, n) {
        i64 limits[4] = { -100, 10, -5000000000, 5000000000 };
        i32 below = 0;
        for (i32 k = 0; k < 4; ++k) {
            below = below * 8 + ((i64)x[i] < limits[k]);
            below += 2 * ((i64)y[i] <= limits[k]) + 4 * (limits[k] > (i64)z[i]);
        }
        a[i] = below + 4096 * (z[i] < 10LL) + 8192 * (-3LL <= y[i]) + 16384 * (0LL > x[i]);
        b[i] = slip_min((i64)z[i], (i64)20) ^ slip_max((i64)x[i], (i64)-7);
    }
}

slip_kernel void bits_of_floats(i32 n, const f32 x[n], const f64 y[n], slip_out u32 a[n],
                                slip_out u64 b[n], slip_out f32 c[n], slip_out f64 d[n])
{
    slip_for (i, n) {
        a[i] = slip_f32_bits(x[i]) ^ 0x80000000u;
        b[i] = slip_f64_bits(y[i]) >> 52;
        c[i] = slip_bits_f32(slip_f32_bits(x[i]) & 0x7fffffff);
        d[i] = slip_bits_f64(slip_f64_bits(y[i]) & ~(u64)0xffffffff);
    }
}

slip_kernel void bits_by_memcpy(i32 n, const f32 x[n], const u64 y[n], slip_out u32 a[n],
                                slip_out f64 b[n], slip_out i64 c[n])
{
    slip_for (i, n) {
        f64 wide;
        i64 back;
        u64 exponent = (y[i] & 0x000fffffffffffff) | 0x3ff0000000000000;
        memcpy(&a[i], &x[i], sizeof(u32));
        memcpy(&wide, &exponent, sizeof wide);
        b[i] = wide;
        memcpy(&back, &wide, 8);
        c[i] = back;
    }
}
