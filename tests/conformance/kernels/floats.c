/* SPDX-License-Identifier: Apache-2.0 */
/*
 * floats.c - strict floating point: no operation is fused, widened, narrowed or reordered.
 */
#include <float.h>
#include <math.h>
#include <slipway/kernel.h>

#ifndef M_PI /* the language has it; strict C does not */
#define M_PI 3.14159265358979323846
#endif

slip_kernel void arithmetic_f32(i32 n, const f32 x[n], const f32 y[n], slip_out f32 sum[n],
                                slip_out f32 difference[n], slip_out f32 product[n],
                                slip_out f32 quotient[n], slip_out f32 negative[n])
{
    slip_for (i, n) {
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
        product[i] = x[i] * y[i];
        quotient[i] = x[i] / y[i];
        negative[i] = -x[i];
    }
}

slip_kernel void arithmetic_f64(i32 n, const f64 x[n], const f64 y[n], slip_out f64 sum[n],
                                slip_out f64 difference[n], slip_out f64 product[n],
                                slip_out f64 quotient[n], slip_out f64 negative[n])
{
    slip_for (i, n) {
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
        product[i] = x[i] * y[i];
        quotient[i] = x[i] / y[i];
        negative[i] = -x[i];
    }
}

/* Quotients and roots that need one another, with others' work and stores between. */
slip_kernel void quotients_of_roots(i32 n, const f32 x[n], const f32 y[n], slip_out f32 a[n],
                                    slip_out f32 b[n], slip_out f32 c[n], slip_out f32 d[n],
                                    slip_out u32 e[n])
{
    slip_for (i, n) {
        f32 u = x[i], v = y[i], pull = v / (u * sqrtf(u));
        a[i] = pull; /* this far one test, one for what is stored next, and so on */
        f32 back = 1 / u, none = sqrtf(sqrtf(back * back) * back); /* where u < 0 */
        e[i] = none == none ? 2u : 0u;
        f32 length = sqrtf(u * u + v * v), inverse = 1.0f / length, ratio = v / u, sum = 0;
        i32 whole = ratio > -1e9f && ratio < 1e9f ? (i32)ratio : 7;
        e[i] ^= (u32)whole ^ (inverse < pull ? 1u : 0u);
        f32 square = u * u, fourth = square * square;
        b[i] = v / fourth + sqrtf(square * u) / sqrtf(sqrtf(u)) + v / (u * fourth * sqrtf(fourth));
        b[i] = b[i] + u * inverse + v / length / sqrtf(length) + x[i] / (y[i] * y[i] * y[i]);
        for (i32 k = 1; k < 4; ++k)
            sum += (f32)k / (sqrtf(u * (f32)k) - pull * (v / (f32)k)) + u / 3;
        c[i] = sum;
        d[i] = slip_rsqrt(u) / (u > 0 ? sqrtf(v / u) : 0.0f - u);
    }
}

/* What fusing would change: a * b - c where c is the rounded product. */
slip_kernel void never_fused(i32 n, const f32 a[n], const f32 b[n], const f64 p[n],
                             const f64 q[n], slip_out f32 narrow[n], slip_out f64 wide[n],
                             slip_out f32 updated[n])
{
    slip_for (i, n) {
        f32 product = a[i] * b[i];
        f64 wide_product = p[i] * q[i];
        f32 s = -product;
        narrow[i] = a[i] * b[i] - product;
        wide[i] = p[i] * q[i] - wide_product;
        s += a[i] * b[i];
        updated[i] = s;
    }
}

/* Fused where it is written. */
slip_kernel void fused_where_written(i32 n, const f32 a[n], const f32 b[n], const f64 p[n],
                                     const f64 q[n], slip_out f32 narrow[n],
                                     slip_out f64 wide[n])
{
    slip_for (i, n) {
        narrow[i] = fmaf(a[i], b[i], -(a[i] * b[i]));
        wide[i] = fma(p[i], q[i], -(p[i] * q[i]));
    }
}

/* Sums in the order written: no reassociation. */
slip_kernel void in_the_order_written(i32 n, const f32 x[n + 8], slip_out f32 left[n],
                                      slip_out f32 right[n], slip_out f32 looped[n])
{
    slip_for (i, n) {
        f32 s = 0;
        left[i] = x[i] + x[i + 1] + x[i + 2] + x[i + 3];
        right[i] = x[i] + (x[i + 1] + (x[i + 2] + x[i + 3]));
        for (i32 k = 0; k < 8; ++k)
            s += x[i + k];
        looped[i] = s;
    }
}

/* Bit k of the result: comparison k. */
slip_kernel void compare_floats(i32 n, const f32 x[n], const f32 y[n], const f64 p[n],
                                slip_out u32 out[n])
{
    slip_for (i, n) {
        u32 bits = 0;
        bits = bits << 1 | (x[i] < y[i]);
        bits = bits << 1 | (x[i] <= y[i]);
        bits = bits << 1 | (x[i] > y[i]);
        bits = bits << 1 | (x[i] >= y[i]);
        bits = bits << 1 | (x[i] == y[i]);
        bits = bits << 1 | (x[i] != y[i]);
        bits = bits << 1 | !(x[i] < y[i]);
        bits = bits << 1 | (x[i] == x[i]);
        bits = bits << 1 | (x[i] < p[i]);
        bits = bits << 1 | (p[i] != y[i]);
        bits = bits << 1 | (x[i] ? 1 : 0);
        bits = bits << 1 | !p[i];
        bits = bits << 1 | (x[i] && y[i]);
        bits = bits << 1 | (x[i] || p[i]);
        bits = bits << 1 | (isnan(x[i]) != 0);
        bits = bits << 1 | (isinf(p[i]) != 0);
        bits = bits << 1 | (isfinite(x[i]) != 0);
        bits = bits << 1 | (signbit(x[i]) != 0);
        bits = bits << 1 | (signbit(p[i]) != 0);
        out[i] = bits;
    }
}

/* Field case 25: the ternaries keep C's meaning with a NaN on either side. */
slip_kernel void choose_by_comparison(i32 n, const f32 a[n], const f32 b[n], slip_out f32 x[n],
                                      slip_out f32 y[n], slip_out f32 z[n])
{
    slip_for (i, n) {
        x[i] = a[i] > b[i] ? a[i] : b[i];
        y[i] = b[i] > a[i] ? b[i] : a[i];
        z[i] = a[i] < 0 ? -a[i] : a[i];
    }
}

/* Field case 26: a denormal product, from constants and at run time. */
slip_kernel void denormal_product(f32 a, f32 b, f64 p, f64 q, slip_out f32 out[2],
                                  slip_out f64 wide[2])
{
    out[0] = 1e-10f * 1e-30f;
    wide[0] = 1e-160 * 1e-150;
    slip_for (i, 1) {
        out[i + 1] = a * b;
        wide[i + 1] = p * q;
    }
}

slip_kernel void denormals_survive(i32 n, const u32 bits[n], slip_out f32 half[n],
                                   slip_out f32 twice[n], slip_out f32 sum[n])
{
    slip_for (i, n) {
        f32 x = slip_bits_f32(bits[i] & 0x807fffff);
        half[i] = x * 0.5f;
        twice[i] = x + x;
        sum[i] = x + FLT_MIN;
    }
}

/* f32 with f64: the operation is in f64, the store rounds once. */
slip_kernel void mixed_widths(i32 n, const f32 x[n], const f64 y[n], slip_out f32 narrow[n],
                              slip_out f64 wide[n], slip_out f32 half[n], f32 updated[n])
{
    slip_for (i, n) {
        narrow[i] = x[i] * y[i];
        wide[i] = x[i] + y[i];
        half[i] = x[i] * 0.5;
        updated[i] += x[i] * 0.1;
        updated[i] *= y[i];
        updated[i] -= 1;
    }
}

/* The double operation on two floats, rounded to float, is the float operation. */
slip_kernel void double_literals(i32 n, const f32 x[n], slip_out f32 a[n], slip_out f32 b[n],
                                 slip_out f32 c[n], slip_out f32 d[n], slip_out f32 e[n])
{
    slip_for (i, n) {
        a[i] = x[i] + 0.25;
        b[i] = x[i] / 3.0;
        c[i] = 1.0 - x[i];
        d[i] = sqrt(x[i]);
        e[i] = x[i] * 0.1; /* 0.1 is no float: this one stays in double */
    }
}

slip_kernel void negative_zeros(i32 n, const f32 x[n], slip_out f32 a[n], slip_out f32 b[n],
                                slip_out f32 c[n], slip_out f32 d[n])
{
    slip_for (i, n) {
        a[i] = x[i] + 0.0f;
        b[i] = x[i] - 0.0f;
        c[i] = 0.0f - x[i];
        d[i] = x[i] * -0.0f;
    }
}

/* What fast mathematics would simplify. */
slip_kernel void not_simplified(i32 n, const f32 x[n], const f64 y[n], slip_out f32 a[n],
                                slip_out f32 b[n], slip_out f32 c[n], slip_out f64 d[n])
{
    slip_for (i, n) {
        f32 t = x[i] + 1e8f;
        a[i] = t - 1e8f;
        b[i] = x[i] / x[i];
        c[i] = x[i] - x[i] + x[i] * 0.0f;
        d[i] = (y[i] + 1e300) - 1e300 + y[i] / 3 * 3;
    }
}

slip_kernel void float_limits(slip_out f32 x[8], slip_out f64 y[8])
{
    x[0] = FLT_MAX;
    x[1] = FLT_MIN;
    x[2] = FLT_EPSILON;
    x[3] = INFINITY;
    x[4] = -INFINITY;
    x[5] = NAN;
    x[6] = 0x1.8p-140f;
    x[7] = 16777217;
    y[0] = DBL_MAX;
    y[1] = DBL_MIN;
    y[2] = DBL_EPSILON;
    y[3] = 1e-320;
    y[4] = 0x1.fffffffffffffp+1023;
    y[5] = 0.1f;
    y[6] = M_PI;
    y[7] = 9007199254740993;
}

slip_kernel void increments_of_floats(i32 n, f32 x[n], f64 y[n], slip_out f64 seen[n])
{
    slip_for (i, n) {
        f64 s = x[i]++;
        s += --y[i];
        s += y[i]--;
        s -= ++x[i];
        x[i] /= 3;
        y[i] *= 1.5f;
        seen[i] = s;
    }
}

/* Horner, Newton and a compensated sum: any change of order shows. */
slip_kernel void long_chains(i32 n, const f32 x[n], const f64 y[n], slip_out f32 horner[n],
                             slip_out f64 root[n], slip_out f64 compensated[n])
{
    slip_for (i, n) {
        f32 p = 1.0f / 5040;
        f64 r = 1, s = 0, lost = 0;
        p = p * x[i] + 1.0f / 720;
        p = p * x[i] + 1.0f / 120;
        p = p * x[i] + 1.0f / 24;
        p = p * x[i] + 1.0f / 6;
        horner[i] = p * x[i] * x[i];
        for (i32 k = 0; k < 12; ++k) {
            f64 term = y[i] / (k + 1) - lost, t = s + term;
            r = 0.5 * (r + (y[i] < 0 ? -y[i] : y[i]) / r);
            lost = (t - s) - term;
            s = t;
        }
        root[i] = r;
        compensated[i] = s + lost;
    }
}
