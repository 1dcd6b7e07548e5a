/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slip_math.h - the math library of kernels: one source, in kernel C, for every device.
 *
 * slipc puts the functions that a kernel uses into its code; under SLIP_REFERENCE a C compiler's
 * calls of sinf and its kin come here too, so that both sides run one algorithm. Every function
 * takes and gives denormals, signed zeros, infinities and NaNs as C's Annex F says; a NaN's sign
 * and payload mean nothing. f32 functions use no f64, and none uses a fused multiply-add.
 *
 * Errors, in units of the last place, are in docs/guide/math.md as tests/math measures them.
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

#ifdef __cplusplus
}
#endif
#endif
