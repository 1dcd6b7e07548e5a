/* SPDX-License-Identifier: Apache-2.0 */
/* fused.c - kernels for --fma; the reference is clang with -ffp-contract=on, by the same rule. */
#include <math.h>
#include <slipway/kernel.h>

#define KERNEL(name)                                                                               \
    slip_kernel void name(i32 n, i32 m, const i32 a[n], const f32 b[n], i32 x[n], f32 y[n],        \
                          i64 z[n], u8 h[n])

static f32 product(f32 p, f32 q)
{
    return p * q;
}

KERNEL(fused)
{
    slip_for (i, n) {
        f32 p = b[i] * 1.1f, q = b[(i + 1) % n] * 0.37f, r = y[i] * 1.7f;
        f64 d = p, e = q, g = r;
        i32 k = 0;
        y[i] = p * q + r;
        y[i] += p * q - r;
        y[i] += r - p * q;
        y[i] += r + p * q;
        y[i] -= p * r;
        y[i] += -(p * q) + r;
        y[i] += -(p * q) - r;
        y[i] += r - -(p * q);
        y[i] += p * q + q * r;
        y[i] += p * q - q * r;
        y[i] += (k++, p * r) + q;
        y[i] += q + ((p * r));
        y[i] += product(p, q) + r;
        f32 t = p * q;
        y[i] += t + r;
        y[i] = y[i] + (t = q * r);
        y[i] += (p > q ? p * r : q * r) + t;
        y[i] += (f32)(p * q) + r;
        y[i] += p * q * r + t;
        y[i] += p * (q + r * t) + q;
        y[i] += (f32)(d * e + g) + (f32)(g - d * e);
        y[i] += (f32)(d * e + p * q);
        y[i] += (p * q + r) * (q - r * p);
        y[i] += fmaf(p, q, r) + p * q;
        x[i] = (i32)(p * q + r > q * r) + k;
        z[i] = (i64)slip_f64_bits(d * g - e);
    }
}
