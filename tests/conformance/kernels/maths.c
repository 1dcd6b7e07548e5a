/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maths.c - <math.h> and abs: a row of `out` per function.
 */
#include <math.h>
#include <stdlib.h>
#include <slipway/kernel.h>

slip_kernel void exact_f32(i32 n, const f32 x[n], slip_out f32 out[9][n])
{
    slip_for (i, n) {
        out[0][i] = sqrtf(x[i]);
        out[1][i] = fabsf(x[i]);
        out[2][i] = floorf(x[i]);
        out[3][i] = ceilf(x[i]);
        out[4][i] = truncf(x[i]);
        out[5][i] = rintf(x[i]);
        out[6][i] = nearbyintf(x[i]);
        out[7][i] = roundf(x[i]);
        out[8][i] = copysignf(3, x[i]);
    }
}

slip_kernel void exact_f64(i32 n, const f64 x[n], slip_out f64 out[9][n])
{
    slip_for (i, n) {
        out[0][i] = sqrt(x[i]);
        out[1][i] = fabs(x[i]);
        out[2][i] = floor(x[i]);
        out[3][i] = ceil(x[i]);
        out[4][i] = trunc(x[i]);
        out[5][i] = rint(x[i]);
        out[6][i] = nearbyint(x[i]);
        out[7][i] = round(x[i]);
        out[8][i] = copysign(3, x[i]);
    }
}

slip_kernel void two_operands_f32(i32 n, const f32 x[n], const f32 y[n], slip_out f32 out[7][n])
{
    slip_for (i, n) {
        out[0][i] = fmodf(x[i], y[i]);
        out[1][i] = remainderf(x[i], y[i]);
        out[2][i] = fdimf(x[i], y[i]);
        out[3][i] = nextafterf(x[i], y[i]);
        out[4][i] = copysignf(x[i], y[i]);
        out[5][i] = x[i] == y[i] ? 0 : fminf(x[i], y[i]);
        out[6][i] = x[i] == y[i] ? 0 : fmaxf(x[i], y[i]);
    }
}

slip_kernel void two_operands_f64(i32 n, const f64 x[n], const f64 y[n], slip_out f64 out[7][n])
{
    slip_for (i, n) {
        out[0][i] = fmod(x[i], y[i]);
        out[1][i] = remainder(x[i], y[i]);
        out[2][i] = fdim(x[i], y[i]);
        out[3][i] = nextafter(x[i], y[i]);
        out[4][i] = copysign(x[i], y[i]);
        out[5][i] = x[i] == y[i] ? 0 : fmin(x[i], y[i]);
        out[6][i] = x[i] == y[i] ? 0 : fmax(x[i], y[i]);
    }
}

slip_kernel void angles_f32(i32 n, const f32 x[n], const f32 y[n], slip_out f32 out[7][n])
{
    slip_for (i, n) {
        out[0][i] = sinf(x[i]);
        out[1][i] = cosf(x[i]);
        out[2][i] = tanf(x[i]);
        out[3][i] = asinf(x[i] * 0.01f);
        out[4][i] = acosf(x[i] * 0.01f);
        out[5][i] = atanf(x[i]);
        out[6][i] = atan2f(x[i], y[i]);
    }
}

slip_kernel void angles_f64(i32 n, const f64 x[n], const f64 y[n], slip_out f64 out[7][n])
{
    slip_for (i, n) {
        out[0][i] = sin(x[i]);
        out[1][i] = cos(x[i]);
        out[2][i] = tan(x[i]);
        out[3][i] = asin(x[i] * 0.01);
        out[4][i] = acos(x[i] * 0.01);
        out[5][i] = atan(x[i]);
        out[6][i] = atan2(x[i], y[i]);
    }
}

slip_kernel void hyperbolic_f32(i32 n, const f32 x[n], slip_out f32 out[6][n])
{
    slip_for (i, n) {
        out[0][i] = sinhf(x[i]);
        out[1][i] = coshf(x[i]);
        out[2][i] = tanhf(x[i]);
        out[3][i] = asinhf(x[i]);
        out[4][i] = acoshf(x[i]);
        out[5][i] = atanhf(x[i] * 0.01f);
    }
}

slip_kernel void hyperbolic_f64(i32 n, const f64 x[n], slip_out f64 out[6][n])
{
    slip_for (i, n) {
        out[0][i] = sinh(x[i]);
        out[1][i] = cosh(x[i]);
        out[2][i] = tanh(x[i]);
        out[3][i] = asinh(x[i]);
        out[4][i] = acosh(x[i]);
        out[5][i] = atanh(x[i] * 0.01);
    }
}

slip_kernel void powers_f32(i32 n, const f32 x[n], const f32 y[n], slip_out f32 out[10][n])
{
    slip_for (i, n) {
        out[0][i] = expf(x[i]);
        out[1][i] = exp2f(x[i]);
        out[2][i] = expm1f(x[i]);
        out[3][i] = logf(x[i]);
        out[4][i] = log2f(x[i]);
        out[5][i] = log10f(x[i]);
        out[6][i] = log1pf(x[i]);
        out[7][i] = powf(x[i], y[i]);
        out[8][i] = cbrtf(x[i]);
        out[9][i] = hypotf(x[i], y[i]);
    }
}

slip_kernel void powers_f64(i32 n, const f64 x[n], const f64 y[n], slip_out f64 out[10][n])
{
    slip_for (i, n) {
        out[0][i] = exp(x[i]);
        out[1][i] = exp2(x[i]);
        out[2][i] = expm1(x[i]);
        out[3][i] = log(x[i]);
        out[4][i] = log2(x[i]);
        out[5][i] = log10(x[i]);
        out[6][i] = log1p(x[i]);
        out[7][i] = pow(x[i], y[i]);
        out[8][i] = cbrt(x[i]);
        out[9][i] = hypot(x[i], y[i]);
    }
}

slip_kernel void special_functions(i32 n, const f32 x[n], const f64 y[n], slip_out f32 narrow[4][n],
                                   slip_out f64 wide[4][n])
{
    slip_for (i, n) {
        narrow[0][i] = erff(x[i]);
        narrow[1][i] = erfcf(x[i]);
        narrow[2][i] = tgammaf(x[i]);
        narrow[3][i] = lgammaf(x[i]);
        wide[0][i] = erf(y[i]);
        wide[1][i] = erfc(y[i]);
        wide[2][i] = tgamma(y[i]);
        wide[3][i] = lgamma(y[i]);
    }
}

/* A float argument of a double function is widened, its result narrowed on the store. */
slip_kernel void double_functions_of_floats(i32 n, const f32 x[n], const i32 k[n],
                                            slip_out f32 out[4][n])
{
    slip_for (i, n) {
        out[0][i] = sin(x[i]);
        out[1][i] = exp(x[i] / 10);
        out[2][i] = sqrt(k[i]);
        out[3][i] = sqrtf(k[i]) + floor(x[i]);
    }
}

slip_kernel void integer_magnitudes(i32 n, const i32 x[n], const i64 y[n], slip_out i32 a[n],
                                    slip_out i64 b[n], slip_out i64 c[n])
{
    slip_for (i, n) {
        a[i] = abs(x[i]);
        b[i] = labs(y[i]);
        c[i] = llabs(y[i]);
    }
}

slip_kernel void on_constants(slip_out f64 out[10])
{
    out[0] = sqrt(2.0);
    out[1] = floor(-2.5);
    out[2] = rint(2.5);
    out[3] = rint(3.5);
    out[4] = round(-2.5);
    out[5] = fmod(-7.5, 2);
    out[6] = fabs(-0.0);
    out[7] = trunc(-0.5);
    out[8] = (f64)sqrtf(0.5f);
    out[9] = fma(3, 4, 5);
}

/* Simple shapes in which a compiler may look for vector or paired forms. */
slip_kernel void sine_and_cosine(i32 n, const f32 angle[n], f32 x[n], f32 y[n])
{
    slip_for (i, n) {
        f32 c = cosf(angle[i]), s = sinf(angle[i]);
        f32 rotated = c * x[i] - s * y[i];
        y[i] = s * x[i] + c * y[i];
        x[i] = rotated;
    }
}
