/* SPDX-License-Identifier: Apache-2.0 */
/* numbers.c - kernels on arithmetic and conversions, within what C defines. */
#include <limits.h>
#include <math.h>
#include <slipway/kernel.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])

KERNEL(conversions)
{
    slip_for (i, n) {
        i8 c = (i8)a[i];
        u8 uc = (u8)a[i];
        i16 s = (i16)(a[i] * 7);
        u16 us = (u16)(a[i] * 7);
        u32 u = (u32)a[i];
        i64 l = a[i];
        u64 ul = (u64)a[i];
        f32 f = b[i];
        f64 d = b[i] / 3.0;
        bool t = a[i] & 1, t2 = b[i] > 0, t3 = f;
        z[i] = c + uc * 3 + s - us + (i64)(u / 3) + l * 5 + (i64)(ul >> 40) + (i64)(f * 10) +
               (i64)(d * 100) + t + t2 * 2 + t3 * 4;
        x[i] = (c < u) + (c < l) * 2 + (s > us) * 4 + ((u8)(uc + 200) < uc) * 8 +
               (-1 < (i32)u) * 16 + (l < (i64)ul) * 32;
        y[i] = (f32)u + (f32)l + (f32)d + c + t;
        h[i] = (u8)(c + uc);
        c += 100;
        uc *= 3;
        s <<= 3;
        us >>= 2;
        x[i] += c + uc + s + us;
        uc <<= 9; /* in int: 0, whatever the width of u8 */
        us >>= 17;
        s >>= 18;
        x[i] += uc * 3 + us * 5 + s * 7;
        x[i] ^= 'a' + sizeof(f64) + (i32)sizeof a[i];
        x[i] += -(u8)3 + ~uc + (+c);
        z[i] += a[i] > 3 ? 1u : -1; /* unsigned */
    }
}

KERNEL(compound)
{
    slip_for (i, n) {
        x[i] += 3;
        x[i] -= a[i];
        x[i] *= 3;
        x[i] /= 7;
        x[i] %= 1000;
        x[i] <<= 2;
        x[i] >>= 1;
        x[i] &= 0xffff;
        x[i] |= 0x30;
        x[i] ^= a[i] & 15;
        y[i] += 1;
        y[i] *= 0.5;
        y[i] -= b[i] * 2.5f;
        y[i] /= 3;
        y[i] += 0.1;
        z[i] += (u32)a[i];
        z[i] *= -2;
        z[i] -= 3u;
        h[i] += 200;
        h[i] <<= 1;
        h[i] -= a[i];
        i32 local = a[i];
        local += 2.75f;
        local *= 1.5;
        i32 old = x[i]++, now = ++x[i], less = z[i]-- > 0;
        f32 q = 1;
        f32 was = q++, is = --q;
        x[i] += local + old * 3 + now + less + (i32)(was + is) + h[i]++ + (x[i] & 1);
    }
}

KERNEL(integers)
{
    slip_for (i, n) {
        i32 p = a[i], q = (i & 7) - 3 ? (i & 7) - 3 : 5;
        x[i] = p / q + p % q * 7 + (p >> 2) + (p << 3) + (p & q) + (p | q) + (p ^ q) + ~p;
        u32 up = (u32)p, uq = (u32)(q * q);
        x[i] += (i32)(up / uq + up % uq + (up >> 5) + (up << 7));
        z[i] = (i64)p * p * q - (i64)up * (i64)uq + ((i64)p << 20) + ((u64)up >> 3 > 9);
        i32 wrap = INT_MAX;
        wrap += p & 15;
        x[i] += wrap;
        x[i] = x[i] * 1664525 + 1013904223;
        x[i] += slip_min(p, q) + slip_max(p, 3) + (i32)slip_max(up, 2u);
        z[i] += slip_min((i64)p, z[i]);
    }
}

KERNEL(floats)
{
    slip_for (i, n) {
        f32 f = b[i], g = f * f + 0.25f;
        f64 d = f;
        y[i] = sqrtf(g) + fabsf(f) + floorf(f) + ceilf(f) * 2 + truncf(f) * 3 + rintf(f * 4) +
               fminf(f, 1) + fmaxf(f, -1);
        y[i] += (f32)(sqrt(d * d) + fabs(d) + floor(d) + fmin(d, 0.5)) + (f32)sqrt(g);
        y[i] = y[i] * 2 - f / 3 + -f;
        y[i] += (f32)(f * 0.5) + (f32)(f / 3.0) + (f32)(0.1 * f + 1.0) + (f32)(a[i] * 0.5);
        x[i] = (i32)f + isnan(f) * 2 + !!isinf(f / (f - f)) * 4 + (signbit(f) != 0) * 8 +
               !!isfinite(f) * 16 + (f != f) + (f <= g) + (g > d);
        x[i] +=
            (i32)(slip_f32_bits(f) >> 20) + (slip_bits_f32(slip_f32_bits(f) ^ 0x80000000u) == -f);
        z[i] = (i64)(slip_f64_bits(d) >> 12);
        y[i] += slip_rsqrt(g) + fmaf(f, g, 1) + slip_min(f, 2) + (f32)slip_max(d, 0.5);
        if (isnan(NAN) && INFINITY > 1e38f && -INFINITY < 0)
            y[i] += (f32)M_PI;
        f32 list[2] = { INFINITY, -0.0f };
        y[i] += list[0] > 1 ? (f32)signbit(list[1]) * 0 : 1;
    }
}
