/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fused.c - compiled with slipc --fma: which products fuse with which sums.
 *
 * slipc sees plain arithmetic. Any other compiler sees the fused operations spelled out, by the
 * rule: the left operand of + or -, else the right one, that is a product of its own type, through
 * parentheses and unary minus; never through a variable, a call, an assignment or a choice.
 */
#include <math.h>
#include <slipway/kernel.h>

#ifdef __SLIPC__
#define FUSED(plain, spelled) (plain)
#define FUSED_UPDATE(x, plain_update, spelled) plain_update
#else
#define FUSED(plain, spelled) (spelled)
#define FUSED_UPDATE(x, plain_update, spelled) (x) = (spelled)
#endif

static f32 product(f32 a, f32 b)
{
    return a * b;
}

slip_kernel void fused_f32(i32 n, const f32 x[n], const f32 y[n], const f32 z[n],
                           slip_out f32 out[14][n])
{
    slip_for (i, n) {
        const f32 a = x[i], b = y[i], c = z[i];
        f32 p = a * b, s = c, t = c;
        out[0][i] = FUSED(a * b + c, fmaf(a, b, c));
        out[1][i] = FUSED(c + a * b, fmaf(a, b, c));
        out[2][i] = FUSED(a * b - c, fmaf(a, b, -c));
        out[3][i] = FUSED(c - a * b, fmaf(-a, b, c));
        out[4][i] = FUSED(a * b + c * a, fmaf(a, b, c * a));
        out[5][i] = FUSED(-(a * b) + c, fmaf(-a, b, c));
        out[6][i] = FUSED((a * b) + (c), fmaf(a, b, c));
        out[7][i] = FUSED(a * b * c + a, fmaf(a * b, c, a));
        out[8][i] = FUSED(p + c, p + c);
        out[9][i] = FUSED(product(a, b) + c, product(a, b) + c);
        out[10][i] = FUSED((i & 1 ? a * b : b) + c, (i & 1 ? a * b : b) + c);
        FUSED_UPDATE(s, s += a * b, fmaf(a, b, s));
        out[11][i] = s;
        FUSED_UPDATE(t, t -= a * b, fmaf(-a, b, t));
        out[12][i] = t;
        out[13][i] = FUSED(a * b + c + a * c, fmaf(a, c, fmaf(a, b, c)));
    }
}

/* Products of another width do not fuse: they are converted first. */
slip_kernel void fused_f64(i32 n, const f32 x[n], const f64 y[n], const f64 z[n],
                           slip_out f64 out[5][n])
{
    slip_for (i, n) {
        const f64 a = y[i], b = z[i];
        const f32 c = x[i];
        out[0][i] = FUSED(a * b + 1, fma(a, b, 1));
        out[1][i] = FUSED(c * c + a, (f64)(c * c) + a);
        out[2][i] = FUSED(c * a + b, fma((f64)c, a, b));
        out[3][i] = FUSED(1 - a * a, fma(-a, a, 1));
        out[4][i] = FUSED((f32)(a * b) + b, (f64)(f32)(a * b) + b);
    }
}

/* Horner's rule by steps, each fused. */
slip_kernel void fused_polynomial(i32 n, const f64 x[n], slip_out f64 out[n])
{
    slip_for (i, n) {
        f64 p = 0.1;
        for (i32 k = 0; k < 7; ++k)
            FUSED_UPDATE(p, p = p * x[i] + k, fma(p, x[i], k));
        out[i] = p;
    }
}
