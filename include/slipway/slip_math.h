/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slip_math.h - the math library of kernels: one source, in kernel C, for every device.
 *
 * slipc puts the functions that a kernel uses into its code; under SLIP_REFERENCE a C compiler's
 * calls of sinf and its kin come here too, so that both sides run one algorithm. Every function
 * takes and gives denormals, signed zeros, infinities and NaNs as C's Annex F says; a NaN's sign
 * and payload mean nothing. f32 functions use no f64, and none but slip_refined_* uses
 * a fused multiply-add.
 *
 * Errors, in units of the last place, are in docs/guide/floating-point.md as tests/math measures them.
 */
#ifndef SLIP_MATH_H
#define SLIP_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(name) for each function of one, two and three operands. */
#define SLIP_MATH_ONE(X)                                                                           \
    X(sin)                                                                                         \
    X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh)       \
        X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(round) X(nearbyint)     \
            X(rint) X(floor) X(ceil) X(trunc) X(fabs) X(soft_sqrt)
#define SLIP_MATH_TWO(X)                                                                           \
    X(pow)                                                                                         \
    X(atan2) X(hypot) X(fmod) X(remainder) X(copysign) X(fdim) X(nextafter) X(fmin) X(fmax)        \
        X(soft_div)
#define SLIP_MATH_THREE(X) X(fma)

#define SLIP_MATH_PROTOTYPE_(name)                                                                 \
    double slip_##name(double x);                                                                  \
    float slip_##name##f(float x);
SLIP_MATH_ONE(SLIP_MATH_PROTOTYPE_)
#undef SLIP_MATH_PROTOTYPE_
#define SLIP_MATH_PROTOTYPE_(name)                                                                 \
    double slip_##name(double x, double y);                                                        \
    float slip_##name##f(float x, float y);
SLIP_MATH_TWO(SLIP_MATH_PROTOTYPE_)
#undef SLIP_MATH_PROTOTYPE_
#define SLIP_MATH_PROTOTYPE_(name)                                                                 \
    double slip_##name(double x, double y, double z);                                              \
    float slip_##name##f(float x, float y, float z);
SLIP_MATH_THREE(SLIP_MATH_PROTOTYPE_)
#undef SLIP_MATH_PROTOTYPE_
/* Quotients and roots where the device's fma is fused; for what `refinable` gives 1 alone. */
float slip_refined_divf(float x, float y, float near);
float slip_refined_sqrtf(float x, float near);
float slip_refined_brief_sqrtf(float x, float near);
int slip_refinable_divf(float x, float y);
int slip_refinable_sqrtf(float x);

#ifdef __cplusplus
}
#endif
/* Calls alone are renamed: a variable may be called log. What is left out is exact in the C library
 * too (remainder is not: glibc 2.36 gives zeros of the wrong sign), or, as erf, erfc, tgamma and
 * lgamma, the C library's on both sides. */
#if defined(SLIP_REFERENCE) && !defined(__SLIPC__)
#include <math.h>
#define sin(...) slip_sin(__VA_ARGS__)
#define sinf(...) slip_sinf(__VA_ARGS__)
#define cos(...) slip_cos(__VA_ARGS__)
#define cosf(...) slip_cosf(__VA_ARGS__)
#define tan(...) slip_tan(__VA_ARGS__)
#define tanf(...) slip_tanf(__VA_ARGS__)
#define asin(...) slip_asin(__VA_ARGS__)
#define asinf(...) slip_asinf(__VA_ARGS__)
#define acos(...) slip_acos(__VA_ARGS__)
#define acosf(...) slip_acosf(__VA_ARGS__)
#define atan(...) slip_atan(__VA_ARGS__)
#define atanf(...) slip_atanf(__VA_ARGS__)
#define sinh(...) slip_sinh(__VA_ARGS__)
#define sinhf(...) slip_sinhf(__VA_ARGS__)
#define cosh(...) slip_cosh(__VA_ARGS__)
#define coshf(...) slip_coshf(__VA_ARGS__)
#define tanh(...) slip_tanh(__VA_ARGS__)
#define tanhf(...) slip_tanhf(__VA_ARGS__)
#define asinh(...) slip_asinh(__VA_ARGS__)
#define asinhf(...) slip_asinhf(__VA_ARGS__)
#define acosh(...) slip_acosh(__VA_ARGS__)
#define acoshf(...) slip_acoshf(__VA_ARGS__)
#define atanh(...) slip_atanh(__VA_ARGS__)
#define atanhf(...) slip_atanhf(__VA_ARGS__)
#define exp(...) slip_exp(__VA_ARGS__)
#define expf(...) slip_expf(__VA_ARGS__)
#define exp2(...) slip_exp2(__VA_ARGS__)
#define exp2f(...) slip_exp2f(__VA_ARGS__)
#define expm1(...) slip_expm1(__VA_ARGS__)
#define expm1f(...) slip_expm1f(__VA_ARGS__)
#define log(...) slip_log(__VA_ARGS__)
#define logf(...) slip_logf(__VA_ARGS__)
#define log2(...) slip_log2(__VA_ARGS__)
#define log2f(...) slip_log2f(__VA_ARGS__)
#define log10(...) slip_log10(__VA_ARGS__)
#define log10f(...) slip_log10f(__VA_ARGS__)
#define log1p(...) slip_log1p(__VA_ARGS__)
#define log1pf(...) slip_log1pf(__VA_ARGS__)
#define cbrt(...) slip_cbrt(__VA_ARGS__)
#define cbrtf(...) slip_cbrtf(__VA_ARGS__)
#define pow(...) slip_pow(__VA_ARGS__)
#define powf(...) slip_powf(__VA_ARGS__)
#define atan2(...) slip_atan2(__VA_ARGS__)
#define atan2f(...) slip_atan2f(__VA_ARGS__)
#define hypot(...) slip_hypot(__VA_ARGS__)
#define hypotf(...) slip_hypotf(__VA_ARGS__)
#define remainder(...) slip_remainder(__VA_ARGS__)
#define remainderf(...) slip_remainderf(__VA_ARGS__)
#endif
#endif
