/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beyond.c - what the language defines and C does not: division by zero, INT_MIN / -1, shift
 * counts, floats out of an integer's range, minima of zeros.
 *
 * slipc sees the bare operators. Any other compiler sees expressions that spell out the meaning,
 * so that the same file still serves as a reference; the constants of the test are worked out by
 * hand and hold for both.
 */
#include <limits.h>
#include <math.h>
#include <slipway/kernel.h>

#ifdef __SLIPC__

#define DIV(a, b) ((a) / (b))
#define REM(a, b) ((a) % (b))
#define SHL(a, k, width) ((a) << (k))
#define SHR(a, k, width) ((a) >> (k))
#define DIV_SET(x, b) (x) /= (b)
#define REM_SET(x, b) (x) %= (b)
#define SHL_SET(x, k, width) (x) <<= (k)
#define SHR_SET(x, k, width) (x) >>= (k)
#define TO(T, v) ((T)(v))
#define TO_IMPLIED(T, v) (v)
#define FMINF(a, b) fminf(a, b)
#define FMAXF(a, b) fmaxf(a, b)
#define FMIN(a, b) fmin(a, b)
#define FMAX(a, b) fmax(a, b)

#else

#define MINUS_ONE(b) ((b) < 0 && (b) == (__typeof__((b) + 0))-1)
#define DIV(a, b) ((b) == 0 ? (a) * 0 + (b) * 0 : MINUS_ONE(b) ? -(a) : (a) / ((b) ? (b) : 1))
#define REM(a, b) ((b) == 0 ? (a) : MINUS_ONE(b) ? (a) * 0 + (b) * 0 : (a) % ((b) ? (b) : 1))
#define SHL(a, k, width) ((a) << ((k) & ((width) - 1)))
#define SHR(a, k, width) ((a) >> ((k) & ((width) - 1)))
#define DIV_SET(x, b) (x) = DIV(x, b)
#define REM_SET(x, b) (x) = REM(x, b)
#define SHL_SET(x, k, width) (x) = SHL(x, k, width)
#define SHR_SET(x, k, width) (x) = SHR(x, k, width)
#define TO(T, v) saturate_##T((f64)(v))
#define TO_IMPLIED(T, v) saturate_##T((f64)(v))
#define FMINF(a, b) slip_min(a, b)
#define FMAXF(a, b) slip_max(a, b)
#define FMIN(a, b) slip_min(a, b)
#define FMAX(a, b) slip_max(a, b)

/* A float of either width is a double exactly. `above` is the first double past the range. */
#define SATURATE(T, low, high, above)                                                             \
    static T saturate_##T(f64 v)                                                                  \
    {                                                                                             \
        return v != v ? 0 : v <= (f64)(low) ? (low) : v >= (above) ? (high) : (T)v;               \
    }
SATURATE(i8, INT8_MIN, INT8_MAX, 128.0)
SATURATE(u8, 0, UINT8_MAX, 256.0)
SATURATE(i16, INT16_MIN, INT16_MAX, 32768.0)
SATURATE(u16, 0, UINT16_MAX, 65536.0)
SATURATE(i32, INT32_MIN, INT32_MAX, 2147483648.0)
SATURATE(u32, 0, UINT32_MAX, 4294967296.0)
SATURATE(i64, INT64_MIN, INT64_MAX, 9223372036854775808.0)
SATURATE(u64, 0, UINT64_MAX, 18446744073709551616.0)

#endif

slip_kernel void divide_signed(i32 n, const i8 a8[n], const i8 b8[n], const i16 a16[n],
                               const i16 b16[n], const i32 a32[n], const i32 b32[n],
                               const i64 a64[n], const i64 b64[n], slip_out i8 q8[n],
                               slip_out i8 r8[n], slip_out i16 q16[n], slip_out i16 r16[n],
                               slip_out i32 q32[n], slip_out i32 r32[n], slip_out i64 q64[n],
                               slip_out i64 r64[n])
{
    slip_for (i, n) {
        q8[i] = DIV(a8[i], b8[i]);
        r8[i] = REM(a8[i], b8[i]);
        q16[i] = DIV(a16[i], b16[i]);
        r16[i] = REM(a16[i], b16[i]);
        q32[i] = DIV(a32[i], b32[i]);
        r32[i] = REM(a32[i], b32[i]);
        q64[i] = DIV(a64[i], b64[i]);
        r64[i] = REM(a64[i], b64[i]);
    }
}

slip_kernel void divide_unsigned(i32 n, const u8 a8[n], const u8 b8[n], const u32 a32[n],
                                 const u32 b32[n], const u64 a64[n], const u64 b64[n],
                                 slip_out u8 q8[n], slip_out u8 r8[n], slip_out u32 q32[n],
                                 slip_out u32 r32[n], slip_out u64 q64[n], slip_out u64 r64[n])
{
    slip_for (i, n) {
        q8[i] = DIV(a8[i], b8[i]);
        r8[i] = REM(a8[i], b8[i]);
        q32[i] = DIV(a32[i], b32[i]);
        r32[i] = REM(a32[i], b32[i]);
        q64[i] = DIV(a64[i], b64[i]);
        r64[i] = REM(a64[i], b64[i]);
    }
}

slip_kernel void divide_in_place(i32 n, i32 q[n], i64 r[n], const i32 b[n], const i64 c[n])
{
    slip_for (i, n) {
        DIV_SET(q[i], b[i]);
        REM_SET(r[i], c[i]);
    }
}

/* Field case 22: only lane 0 divides; the guard must hold in vector code. */
slip_kernel void guarded_division(i32 n, const i32 a[n], const i32 b[n], i32 out[n])
{
    slip_for (i, n)
        if (b[i] != 0)
            out[i] = DIV(a[i], b[i]);
}

slip_kernel void constant_division(i32 zero, slip_out i32 out[8], slip_out i64 wide[4])
{
    const i32 none = 0;
    out[0] = DIV(7, none);
    out[1] = REM(7, none);
    out[2] = DIV(INT_MIN, -1);
    out[3] = REM(INT_MIN, -1);
    out[4] = DIV(INT_MIN, zero - 1);
    out[5] = REM(INT_MIN, zero - 1);
    out[6] = DIV(-7, zero);
    out[7] = REM(-7, zero);
    wide[0] = DIV(LLONG_MIN, (i64)zero - 1);
    wide[1] = REM(LLONG_MIN, (i64)zero - 1);
    wide[2] = DIV(5L, (i64)zero);
    wide[3] = REM(5L, (i64)zero);
}

/* The count is taken modulo the width of the promoted left operand. */
slip_kernel void shift_by_any_count(i32 n, const i32 k[n], const i32 s[n], const u32 u[n],
                                    const i64 l[n], const u8 b[n], slip_out i32 sl[n],
                                    slip_out i32 sr[n], slip_out u32 ul[n], slip_out u32 ur[n],
                                    slip_out i64 ll[n], slip_out i64 lr[n], slip_out i32 bl[n])
{
    slip_for (i, n) {
        sl[i] = SHL(s[i], k[i], 32);
        sr[i] = SHR(s[i], k[i], 32);
        ul[i] = SHL(u[i], k[i], 32);
        ur[i] = SHR(u[i], k[i], 32);
        ll[i] = SHL(l[i], k[i], 64);
        lr[i] = SHR(l[i], k[i], 64);
        bl[i] = SHL(b[i], k[i], 32);
    }
}

slip_kernel void shift_in_place(i32 n, const u64 k[n], i32 s[n], u64 u[n], u16 h[n])
{
    slip_for (i, n) {
        SHL_SET(s[i], k[i], 32);
        SHR_SET(u[i], k[i], 64);
        SHL_SET(h[i], k[i], 32);
    }
}

slip_kernel void constant_shifts(slip_out i32 out[4], slip_out i64 wide[2])
{
    out[0] = SHL(1, 33, 32);
    out[1] = SHR(-8, 34, 32);
    out[2] = SHL(1, -1, 32);
    out[3] = SHR(0x40000000, 32, 32);
    wide[0] = SHL(1L, 65, 64);
    wide[1] = SHR(-8L, 66, 64);
}

slip_kernel void saturate_f32(i32 n, const f32 x[n], slip_out i8 a[n], slip_out u8 b[n],
                              slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                              slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n])
{
    slip_for (i, n) {
        a[i] = TO(i8, x[i]);
        b[i] = TO(u8, x[i]);
        c[i] = TO(i16, x[i]);
        d[i] = TO(u16, x[i]);
        e[i] = TO(i32, x[i]);
        f[i] = TO(u32, x[i]);
        g[i] = TO(i64, x[i]);
        h[i] = TO(u64, x[i]);
    }
}

slip_kernel void saturate_f64(i32 n, const f64 x[n], slip_out i8 a[n], slip_out u8 b[n],
                              slip_out i16 c[n], slip_out u16 d[n], slip_out i32 e[n],
                              slip_out u32 f[n], slip_out i64 g[n], slip_out u64 h[n])
{
    slip_for (i, n) {
        a[i] = TO(i8, x[i]);
        b[i] = TO(u8, x[i]);
        c[i] = TO(i16, x[i]);
        d[i] = TO(u16, x[i]);
        e[i] = TO(i32, x[i]);
        f[i] = TO(u32, x[i]);
        g[i] = TO(i64, x[i]);
        h[i] = TO(u64, x[i]);
    }
}

/* Implied conversions saturate as casts do. */
slip_kernel void saturate_implied(i32 n, const f32 x[n], slip_out u8 a[n], slip_out i32 b[n],
                                  slip_out u64 c[n])
{
    slip_for (i, n) {
        a[i] = TO_IMPLIED(u8, x[i]);
        b[i] = TO_IMPLIED(i32, x[i]);
        c[i] = TO_IMPLIED(u64, x[i]);
    }
}

slip_kernel void constant_saturation(slip_out i64 out[10])
{
    out[0] = TO(i32, 3e9f);
    out[1] = TO(i32, NAN);
    out[2] = TO(u8, 300.f);
    out[3] = TO(u8, -5.f);
    out[4] = TO(i8, -1e30);
    out[5] = TO(u16, INFINITY);
    out[6] = TO(i64, 1e19);
    out[7] = TO(i64, -INFINITY);
    out[8] = TO(u32, 4294967295.5);
    out[9] = (i64)TO(u64, -1e-3);
}

/* Field case 25. fminf and fmaxf: a NaN loses, -0 is below +0; so do slip_min and slip_max. */
slip_kernel void smaller_and_larger(i32 n, const f32 x[n], const f32 y[n], const f64 p[n],
                                    const f64 q[n], slip_out f32 a[n], slip_out f32 b[n],
                                    slip_out f32 c[n], slip_out f32 d[n], slip_out f64 e[n],
                                    slip_out f64 f[n])
{
    slip_for (i, n) {
        a[i] = FMINF(x[i], y[i]);
        b[i] = FMAXF(x[i], y[i]);
        c[i] = slip_min(x[i], y[i]);
        d[i] = slip_max(x[i], y[i]);
        e[i] = FMIN(p[i], q[i]);
        f[i] = FMAX(p[i], q[i]);
    }
}

slip_kernel void signed_wrap(i32 n, const i32 a[n], const i32 b[n], const i64 c[n],
                             slip_out i32 sum[n], slip_out i32 product[n], slip_out i32 negated[n],
                             slip_out i64 wide[n], slip_out bool grows[n])
{
    slip_for (i, n) {
        sum[i] = a[i] + b[i];
        product[i] = a[i] * b[i];
        negated[i] = -a[i];
        wide[i] = c[i] * c[i] - c[i];
        grows[i] = a[i] + 1 > a[i];
    }
}
