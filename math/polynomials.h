/* SPDX-License-Identifier: Apache-2.0 */
/*
 * polynomials.h - minimax polynomials. Made by math/coefficients/coefficients.py, which says what
 * they are; change it, not this file. The power of two is the largest relative error that each
 * leaves in the function named.
 */
#ifndef SLIP_MATH_POLYNOMIALS_H
#define SLIP_MATH_POLYNOMIALS_H

#include <slipway/kernel.h>

/* (sin r - r) / r^3 of z = r^2, to pi/4: 2^-32.6 */
static inline f32 sin_poly_f32(f32 z)
{
    return -0x1.555556p-3f + z * (0x1.111176p-7f + z * (-0x1.a05bbap-13f + z * 0x1.7cd812p-19f));
}

/* (sin r - r) / r^3 of z = r^2, to pi/4: 2^-63.3 */
static inline f64 sin_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return -0x1.5555555555555p-3 +
           zz * (-0x1.a01a019ffdba6p-13 +
                 zz * (-0x1.ae642ad77c247p-26 + zz * -0x1.9f71c5e3ca621p-41)) +
           z * (0x1.1111111111067p-7 + zz * (0x1.71de3a32aa001p-19 + zz * 0x1.6108b50e7409ep-33));
}

/* (cos r - 1 + r^2 / 2) / r^4 of z = r^2, to pi/4: 2^-33.1 */
static inline f32 cos_poly_f32(f32 z)
{
    return 0x1.55554ap-5f + z * (-0x1.6c0c1ap-10f + z * 0x1.99e0fap-16f);
}

/* (cos r - 1 + r^2 / 2) / r^4 of z = r^2, to pi/4: 2^-69.1 */
static inline f64 cos_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.5555555555555p-5 +
           zz *
               (0x1.a01a019ffb552p-16 + zz * (0x1.1eed6d05a2877p-29 + zz * 0x1.9c342bf0b3a41p-45)) +
           z * (-0x1.6c16c16c16b2ap-10 +
                zz * (-0x1.27e4fb58383a1p-22 + zz * -0x1.93713dcd8ba81p-37));
}

/* (sinh r - r) / r^3 of z = r^2, to ln 2 / 2: 2^-34.3 */
static inline f32 sinh_poly_f32(f32 z)
{
    return 0x1.555556p-3f + z * (0x1.110fbep-7f + z * 0x1.a2e31ep-13f);
}

/* (sinh r - r) / r^3 of z = r^2, to ln 2 / 2: 2^-65.2 */
static inline f64 sinh_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.5555555555555p-3 + zz * (0x1.a01a019ea1903p-13 + zz * 0x1.ae4cf12973d5ep-26) +
           z * (0x1.1111111111386p-7 + zz * (0x1.71de407bd71fap-19 + zz * 0x1.8280a5f7759d6p-33));
}

/* (cosh r - 1) / r^2 of z = r^2, to ln 2 / 2: 2^-33.2 */
static inline f32 cosh_poly_f32(f32 z)
{
    return 0x1p-1f + z * (0x1.5554e6p-5f + z * 0x1.6d4f1p-10f);
}

/* (cosh r - 1) / r^2 of z = r^2, to ln 2 / 2: 2^-70.0 */
static inline f64 cosh_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1p-1 + zz * (0x1.6c16c16c14ffap-10 + zz * 0x1.27e4cc08f539ep-22) +
           z * (0x1.5555555555558p-5 + zz * (0x1.a01a01ad81088p-16 + zz * 0x1.1f8bef50c100cp-29));
}

/* (2^r - 1 - r ln 2) / r^2 of z = r, from -1/2 to 1/2: 2^-30.0 */
static inline f32 exp2_poly_f32(f32 z)
{
    const f32 zz = z * z;

    return 0x1.ebfbep-3f + zz * (0x1.3b29f4p-7f + zz * 0x1.445cdcp-13f) +
           z * (0x1.c6b08ep-5f + zz * (0x1.5d874p-10f + zz * 0x1.00e516p-16f));
}

/* (2^r - 1 - r ln 2) / r^2 of z = r, from -1/2 to 1/2: 2^-58.4 */
static inline f64 exp2_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.ebfbdff82c58fp-3 +
           zz * (0x1.3b2ab6fba4e7fp-7 +
                 zz * (0x1.430912f86964bp-13 +
                       zz * (0x1.62c0224bcf3fp-20 +
                             zz * (0x1.e4ceede358ea2p-28 + zz * 0x1.c4d3fea882b3fp-36)))) +
           z * (0x1.c6b08d704a0c8p-5 +
                zz * (0x1.5d87fe78a37d8p-10 +
                      zz * (0x1.ffcbfc708a0b6p-17 +
                            zz * (0x1.b524e52b7e097p-24 + zz * 0x1.e9f6b0d69c89ep-32))));
}

/* (atan t - t) / t^3 of z = t^2, to tan pi/8: 2^-30.5 */
static inline f32 atan_poly_f32(f32 z)
{
    return -0x1.55554ap-2f +
           z * (0x1.9991e6p-3f +
                z * (-0x1.23ba0ap-3f + z * (0x1.b22aecp-4f + z * -0x1.f3077ap-5f)));
}

/* (atan t - t) / t^3 of z = t^2, to tan pi/8: 2^-63.8 */
static inline f64 atan_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return -0x1.5555555555554p-2 +
           zz * (-0x1.249249246f4a9p-3 +
                 zz * (-0x1.745d144e90f5cp-4 +
                       zz * (-0x1.110be87877341p-4 +
                             zz * (-0x1.ab3a306fc2eeap-5 + zz * -0x1.0fc288399a1aap-5)))) +
           z * (0x1.9999999999583p-3 +
                zz * (0x1.c71c71b44f1d4p-4 +
                      zz * (0x1.3b1364c26ab4dp-4 +
                            zz * (0x1.e1677aa79cd9bp-5 +
                                  zz * (0x1.6fdd497fb908dp-5 + zz * 0x1.e7fce083fc1e1p-7)))));
}

/* (asin t - t) / t^3 of z = t^2, to 1/2: 2^-31.7 */
static inline f32 asin_poly_f32(f32 z)
{
    const f32 zz = z * z;

    return 0x1.55554cp-3f + zz * (0x1.6ca7dap-5f + zz * 0x1.d5870ap-7f) +
           z * (0x1.3338aap-4f + zz * (0x1.04cd2ep-5f + zz * 0x1.349f9p-5f));
}

/* (asin t - t) / t^3 of z = t^2, to 1/2: 2^-59.8 */
static inline f64 asin_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.5555555555578p-3 +
           zz * (0x1.6db6db722adeep-5 +
                 zz * (0x1.6e8bdfdfd1358p-6 +
                       zz * (0x1.ca2138280d18fp-7 +
                             zz * (0x1.618885ade7e26p-7 +
                                   zz * (0x1.64f7fb942d43cp-6 + zz * 0x1.0be017efe3706p-5))))) +
           z * (0x1.333333332df1ep-4 +
                zz * (0x1.f1c71a8bd6116p-6 +
                      zz * (0x1.1c49de803a0a9p-6 +
                            zz * (0x1.7577f1981a68ap-7 +
                                  zz * (0x1.e17c7e2bf71f4p-9 + zz * -0x1.59e882e5992b3p-6)))));
}

/* (ln(1 + f) - f + f^2 / 2) / f^3 of z = f, from sqrt(1/2) - 1 to sqrt 2 - 1: 2^-28.7 */
static inline f32 log_poly_f32(f32 z)
{
    const f32 zz = z * z;

    return 0x1.555546p-2f +
           zz * (0x1.99a69p-3f +
                 zz * (0x1.22d38cp-3f + zz * (0x1.f6214cp-4f + zz * 0x1.6edff4p-5f))) +
           z * (-0x1.0000b6p-2f +
                zz * (-0x1.55124ep-3f + zz * (-0x1.02d392p-3f + zz * -0x1.aca5b4p-4f)));
}

/* (2 atanh s / s - 2) / s^2 of z = s^2, s = f / (2 + f) with f as for log: 2^-66.6 */
static inline f64 atanh_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.5555555555555p-1 +
           zz * (0x1.24924924397f9p-2 + zz * (0x1.745ce1c8a302fp-3 + zz * 0x1.0f6742f9dbf93p-3)) +
           z * (0x1.9999999999d11p-2 +
                zz * (0x1.c71c724b67128p-3 +
                      zz * (0x1.3b20248ae7677p-3 + zz * 0x1.0f0de0d271eedp-3)));
}

/* (2 atanh s / s - 2 - 2 s^2 / 3) / (s^4 ln 2) of z = s^2, for pow: 2^-43.9 */
static inline f32 log2_tail_poly_f32(f32 z)
{
    return 0x1.2776c4p-1f + z * (0x1.a6195p-2f + z * (0x1.47b12cp-2f + z * 0x1.20790ep-2f));
}

/* (2 atanh s / s - 2 - 2 s^2 / 3) / (s^4 ln 2) of z = s^2, for pow: 2^-76.1 */
static inline f64 log2_tail_poly_f64(f64 z)
{
    const f64 zz = z * z;

    return 0x1.2776c50ef9bffp-1 +
           zz * (0x1.484b13d7f7f8p-2 +
                 zz * (0x1.c68f6d2492dfbp-3 +
                       zz * (0x1.5c339f2b75105p-3 + zz * 0x1.7df6e7e726f3cp-3))) +
           z * (0x1.a61762a7adbc4p-2 +
                zz * (0x1.0c9a84785cf5dp-2 +
                      zz * (0x1.89eef9986a168p-3 + zz * 0x1.2bef0ee478f8ap-3)));
}

/* cube root of z, from 1 to 2: 2^-13.7 */
static inline f32 cbrt_poly_f32(f32 z)
{
    return 0x1.1b0bbep-1f + z * (0x1.2c9a22p-1f + z * (-0x1.4dc2dp-3f + z * 0x1.7a8cdp-6f));
}

/* cube root of z, from 1 to 2: 2^-16.7 */
static inline f64 cbrt_poly_f64(f64 z)
{
    return 0x1.0392d9ffcf10bp-1 +
           z * (0x1.6fb1d3a93c9a1p-1 +
                z * (-0x1.33d39f386e9bfp-2 +
                     z * (0x1.60a1e083d13b2p-4 + z * -0x1.5b792996cdd21p-7)));
}

/* 1 / sqrt z, from 1 to 4: where the iteration starts: 2^-5.4 */
static inline f32 inverse_root_poly_f32(f32 z)
{
    return 0x1.55ddc4p+0f + z * (-0x1.a485aep-2f + z * 0x1.a373eap-5f);
}

/* 1 / sqrt z, from 1 to 4: where the iteration starts: 2^-5.4 */
static inline f64 inverse_root_poly_f64(f64 z)
{
    return 0x1.55ddc40d10562p+0 + z * (-0x1.a485ae8d7315p-2 + z * 0x1.a373eba5a07e2p-5);
}

/* 1 / z, from 1 to 2: where the iteration starts: 2^-6.6 */
static inline f32 inverse_poly_f32(f32 z)
{
    return 0x1.0f8d06p+1f + z * (-0x1.7475eap+0f + z * 0x1.4b1d7p-2f);
}

/* 1 / z, from 1 to 2: where the iteration starts: 2^-6.6 */
static inline f64 inverse_poly_f64(f64 z)
{
    return 0x1.0f8d0541bee04p+1 + z * (-0x1.7475e8b00593p+0 + z * 0x1.4b1d6e972d51ap-2);
}

#endif
