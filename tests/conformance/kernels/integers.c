/* SPDX-License-Identifier: Apache-2.0 */
/*
 * integers.c - integer arithmetic where C defines it (with signed overflow wrapping): every
 * operator at every width, promotions, mixed types, compound assignment.
 */
#include <limits.h>
#include <slipway/kernel.h>

/* One array of each integer type: names that the bodies below share. */
#define EACH_TYPE(X)                                                                              \
    X(a)                                                                                          \
    X(b)                                                                                          \
    X(c)                                                                                          \
    X(d)                                                                                          \
    X(e)                                                                                          \
    X(f)                                                                                          \
    X(g)                                                                                          \
    X(h)

slip_kernel void add_sub_mul(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n], u32 f[n],
                             i64 g[n], u64 h[n], const u64 v[n])
{
    slip_for (i, n) {
        u64 k = v[i];
#define STEP(x)                                                                                   \
    x[i] += k;                                                                                    \
    x[i] = x[i] * x[i] - x[i];                                                                    \
    x[i] -= 3;                                                                                    \
    x[i] *= (u8)k;
        EACH_TYPE(STEP)
#undef STEP
    }
}

slip_kernel void and_or_xor_not(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n], u32 f[n],
                                i64 g[n], u64 h[n], const u64 v[n])
{
    slip_for (i, n) {
        u64 k = v[i];
#define STEP(x)                                                                                   \
    x[i] &= k | 0x0f;                                                                             \
    x[i] |= k >> 7;                                                                               \
    x[i] ^= ~x[i] << 1;                                                                           \
    x[i] = ~x[i];
        EACH_TYPE(STEP)
#undef STEP
    }
}

/* Divisors are never zero and never -1. */
slip_kernel void divide_and_remain(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n],
                                   u32 f[n], i64 g[n], u64 h[n], const u8 v[n])
{
    slip_for (i, n) {
        i32 k = v[i] % 120 + 2;
#define STEP(x)                                                                                   \
    x[i] /= i & 1 ? k : -k;                                                                       \
    x[i] = x[i] * 7 + x[i] % k;                                                                   \
    x[i] %= k + 3;
        STEP(a)
        STEP(c)
        STEP(e)
        STEP(g)
#undef STEP
#define STEP(x)                                                                                   \
    x[i] = x[i] / k + x[i] % k;                                                                   \
    x[i] /= k;                                                                                    \
    x[i] %= k + 3;
        STEP(b)
        STEP(d)
        STEP(f)
        STEP(h)
#undef STEP
    }
}

slip_kernel void shift_left_and_right(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n],
                                      u32 f[n], i64 g[n], u64 h[n], const u8 v[n])
{
    slip_for (i, n) {
        i32 k = v[i] & 7;
        u64 wide = (u64)k * 4;
#define STEP(x)                                                                                   \
    x[i] >>= k;                                                                                   \
    x[i] = (x[i] << k) + (x[i] >> 1);                                                             \
    x[i] <<= 1;
        EACH_TYPE(STEP)
#undef STEP
        e[i] ^= e[i] >> wide;
        f[i] ^= f[i] << (k * 4);
        g[i] ^= g[i] >> (wide * 2);
        h[i] ^= h[i] << (k * 8);
    }
}

slip_kernel void plus_plus_minus_minus(i32 n, i8 a[n], u8 b[n], i16 c[n], u16 d[n], i32 e[n],
                                       u32 f[n], i64 g[n], u64 h[n], slip_out i64 sum[n])
{
    slip_for (i, n) {
        i64 s = 0;
#define STEP(x)                                                                                   \
    s = s * 3 + (i64)x[i]++;                                                                      \
    s += (i64)++x[i];                                                                             \
    s -= (i64)x[i]--;                                                                             \
    s ^= (i64)--x[i];                                                                             \
    x[i]++;
        EACH_TYPE(STEP)
#undef STEP
        sum[i] = s;
    }
}

slip_kernel void negate_and_not(i32 n, const i8 a[n], const u8 b[n], const i16 c[n],
                                const u16 d[n], const i32 e[n], const u32 f[n], const i64 g[n],
                                const u64 h[n], slip_out i64 out[n])
{
    slip_for (i, n) {
        i64 s = 0;
#define STEP(x) s = s * 5 + (i64)-x[i] + !x[i] * 1000 + (i64)+x[i] + (i64)~x[i];
        EACH_TYPE(STEP)
#undef STEP
        out[i] = s;
    }
}

/* Bit k of the result: comparison k. Types differ on the two sides. */
slip_kernel void compare_all(i32 n, const i8 a[n], const u8 b[n], const i16 c[n], const u16 d[n],
                             const i32 e[n], const u32 f[n], const i64 g[n], const u64 h[n],
                             slip_out u64 out[n])
{
    slip_for (i, n) {
        u64 bits = 0;
#define STEP(x, y)                                                                                \
    bits = bits << 1 | (x[i] < y[i]);                                                             \
    bits = bits << 1 | (x[i] <= y[i]);                                                            \
    bits = bits << 1 | (x[i] > y[i]);                                                             \
    bits = bits << 1 | (x[i] >= y[i]);                                                            \
    bits = bits << 1 | (x[i] == y[i]);                                                            \
    bits = bits << 1 | (x[i] != y[i]);
        STEP(a, b)
        STEP(a, c)
        STEP(b, d)
        STEP(c, e)
        STEP(d, e)
        STEP(e, g)
        STEP(f, g)
        STEP(f, h)
        STEP(b, h)
        STEP(h, h)
#undef STEP
        out[i] = bits;
    }
}

/* u8 + u8 is int; ~u8 is negative; u16 * u16 wraps as int; u32 beats i32; i64 holds u32. */
slip_kernel void promote(i32 n, const u8 a[n], const u8 b[n], const u16 c[n], const i32 d[n],
                         const u32 e[n], slip_out i64 out[n])
{
    slip_for (i, n) {
        i64 s = a[i] - b[i];
        s = s * 3 + (~a[i] < 0);
        s += c[i] * c[i];
        s ^= (d[i] < 0) == (d[i] + e[i] < e[i]);
        s += (i64)(d[i] + e[i]);
        s -= (i64)d[i] * e[i];
        s += -1 < e[i] ? 5 : 9;
        s += (i8)(a[i] << 3) + (a[i] << 3 >> 2);
        out[i] = s;
    }
}

/* The right side decides the type of the operation, the left side that of the result. */
slip_kernel void compound_mixed(i32 n, i8 a[n], u16 b[n], i32 c[n], u32 d[n], i64 e[n],
                                const i64 wide[n], const u32 flat[n], const f32 small[n])
{
    slip_for (i, n) {
        a[i] += wide[i];
        a[i] *= flat[i];
        b[i] -= wide[i];
        b[i] |= flat[i];
        c[i] += flat[i];
        c[i] /= (flat[i] | 1);
        d[i] *= wide[i];
        d[i] >>= wide[i] & 31;
        e[i] -= flat[i];
        e[i] %= (wide[i] | 1) == -1 ? 7 : (wide[i] | 1);
        c[i] /= 1024;
        c[i] += small[i];
        a[i] = 5;
        a[i] *= small[i];
        e[i] >>= 44;
        e[i] -= small[i];
    }
}

/* Field case 19: a % 3 for a = -4..3, and three large ones. */
slip_kernel void remainder_truncates(i32 n, const i32 a[n], const i32 b[n], slip_out i32 r[n])
{
    slip_for (i, n)
        r[i] = a[i] % b[i];
}

/* Field case 20, at each signed width. */
slip_kernel void quotients(i32 n, const i8 a[n], const i8 b[n], slip_out i8 q8[n],
                           slip_out i8 r8[n], slip_out i16 q16[n], slip_out i16 r16[n],
                           slip_out i32 q32[n], slip_out i32 r32[n], slip_out i64 q64[n],
                           slip_out i64 r64[n])
{
    slip_for (i, n) {
        i16 a16 = a[i], b16 = b[i];
        i32 a32 = a[i], b32 = b[i];
        i64 a64 = a[i], b64 = b[i];
        q8[i] = a[i] / b[i];
        r8[i] = a[i] % b[i];
        q16[i] = a16 / b16;
        r16[i] = a16 % b16;
        q32[i] = a32 / b32;
        r32[i] = a32 % b32;
        q64[i] = a64 / b64;
        r64[i] = a64 % b64;
    }
}

/* The same quotients where both operands are constants. */
slip_kernel void constant_quotients(slip_out i32 q[12])
{
    q[0] = -7 / 2;
    q[1] = 7 / -2;
    q[2] = -1 / 2;
    q[3] = -6 / 5;
    q[4] = 6 / -5;
    q[5] = -7 / 3;
    q[6] = -7 % 2;
    q[7] = 7 % -2;
    q[8] = -1 % 2;
    q[9] = -6 % 5;
    q[10] = 6 % -5;
    q[11] = -7 % 3;
}

/* Field case 23. */
slip_kernel void right_shifts(const u32 u[2], const i32 s[2], const i8 c[1], const u8 b[1],
                              const u16 w[1], const u64 l[1], slip_out i64 out[7])
{
    i8 k = c[0];
    out[0] = u[0] >> 4;
    out[1] = s[0] >> 2;
    out[2] = u[1] >> 2;
    k >>= 1;
    out[3] = k;
    out[4] = b[0] >> 3;
    out[5] = w[0] >> 9;
    out[6] = (i64)(l[0] >> 60);
}

slip_kernel void literals(slip_out i64 s[12], slip_out u64 u[6])
{
    s[0] = 2147483647 + 0;
    s[1] = 2147483648;
    s[2] = -2147483648;
    s[3] = 0x80000000 > 0;
    s[4] = 0x7fffffffffffffff;
    s[5] = 'A' + '\n' + '\x7f' + '\101';
    s[6] = '\xff' < 0;
    s[7] = 010 + 0x1F;
    s[8] = INT_MIN;
    s[9] = LLONG_MIN;
    s[10] = -1 < 1u;
    s[11] = -1L < 1u;
    u[0] = 0xffffffffffffffff;
    u[1] = 4294967295u + 1;
    u[2] = 4294967295ul + 1;
    u[3] = UINT64_MAX;
    u[4] = 1ull << 63;
    u[5] = ~0u;
}

/* Xorshift, multiply-and-rotate, population count: wrap and shift over many steps. */
slip_kernel void hash_steps(i32 n, i32 rounds, u32 narrow[n], u64 wide[n], slip_out u8 bits[n])
{
    slip_for (i, n) {
        u32 x = narrow[i] | 1;
        u64 y = wide[i] + 0x9e3779b97f4a7c15u;
        u8 count = 0;
        for (i32 r = 0; r < rounds; ++r) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            y = (y ^ y >> 30) * 0xbf58476d1ce4e5b9u;
            y = y << 23 | y >> 41;
            y += x;
        }
        for (u64 rest = y; rest; rest &= rest - 1)
            ++count;
        narrow[i] = x;
        wide[i] = y;
        bits[i] = count;
    }
}

static i32 gcd(i32 a, i32 b)
{
    while (b != 0) {
        i32 t = a % b;
        a = b;
        b = t;
    }
    return a;
}

slip_kernel void greatest_divisor(i32 n, const i32 a[n], const i32 b[n], slip_out i32 out[n])
{
    slip_for (i, n)
        out[i] = gcd((a[i] & 0xffff) + 1, (b[i] & 0xffff) + 1);
}

slip_kernel void modular_power(i32 n, const u32 base[n], u64 exponent, u64 modulus,
                               slip_out u64 out[n])
{
    slip_for (i, n) {
        u64 result = 1, factor = base[i] % modulus;
        for (u64 e = exponent; e > 0; e >>= 1) {
            if (e & 1)
                result = result * factor % modulus;
            factor = factor * factor % modulus;
        }
        out[i] = result;
    }
}
