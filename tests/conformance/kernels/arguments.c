/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - many arguments, arrays that are equal or overlap, extents that cannot be.
 */
#include <slipway/kernel.h>

/* Field case 40: argument j holds j. */
slip_kernel i32 sum8(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                     const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0];
}

slip_kernel i32 sum16(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0];
}

slip_kernel i32 sum17(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1],
                      const i32 a17[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0] + a17[0];
}

slip_kernel i32 sum32(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1],
                      const i32 a17[1], const i32 a18[1], const i32 a19[1], const i32 a20[1],
                      const i32 a21[1], const i32 a22[1], const i32 a23[1], const i32 a24[1],
                      const i32 a25[1], const i32 a26[1], const i32 a27[1], const i32 a28[1],
                      const i32 a29[1], const i32 a30[1], const i32 a31[1], const i32 a32[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0] + a17[0] + a18[0] + a19[0] +
           a20[0] + a21[0] + a22[0] + a23[0] + a24[0] + a25[0] + a26[0] + a27[0] + a28[0] +
           a29[0] + a30[0] + a31[0] + a32[0];
}

slip_kernel i32 sum33(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1],
                      const i32 a17[1], const i32 a18[1], const i32 a19[1], const i32 a20[1],
                      const i32 a21[1], const i32 a22[1], const i32 a23[1], const i32 a24[1],
                      const i32 a25[1], const i32 a26[1], const i32 a27[1], const i32 a28[1],
                      const i32 a29[1], const i32 a30[1], const i32 a31[1], const i32 a32[1],
                      const i32 a33[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0] + a17[0] + a18[0] + a19[0] +
           a20[0] + a21[0] + a22[0] + a23[0] + a24[0] + a25[0] + a26[0] + a27[0] + a28[0] +
           a29[0] + a30[0] + a31[0] + a32[0] + a33[0];
}

slip_kernel i32 sum34(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1],
                      const i32 a17[1], const i32 a18[1], const i32 a19[1], const i32 a20[1],
                      const i32 a21[1], const i32 a22[1], const i32 a23[1], const i32 a24[1],
                      const i32 a25[1], const i32 a26[1], const i32 a27[1], const i32 a28[1],
                      const i32 a29[1], const i32 a30[1], const i32 a31[1], const i32 a32[1],
                      const i32 a33[1], const i32 a34[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0] + a17[0] + a18[0] + a19[0] +
           a20[0] + a21[0] + a22[0] + a23[0] + a24[0] + a25[0] + a26[0] + a27[0] + a28[0] +
           a29[0] + a30[0] + a31[0] + a32[0] + a33[0] + a34[0];
}

slip_kernel i32 sum64(const i32 a1[1], const i32 a2[1], const i32 a3[1], const i32 a4[1],
                      const i32 a5[1], const i32 a6[1], const i32 a7[1], const i32 a8[1],
                      const i32 a9[1], const i32 a10[1], const i32 a11[1], const i32 a12[1],
                      const i32 a13[1], const i32 a14[1], const i32 a15[1], const i32 a16[1],
                      const i32 a17[1], const i32 a18[1], const i32 a19[1], const i32 a20[1],
                      const i32 a21[1], const i32 a22[1], const i32 a23[1], const i32 a24[1],
                      const i32 a25[1], const i32 a26[1], const i32 a27[1], const i32 a28[1],
                      const i32 a29[1], const i32 a30[1], const i32 a31[1], const i32 a32[1],
                      const i32 a33[1], const i32 a34[1], const i32 a35[1], const i32 a36[1],
                      const i32 a37[1], const i32 a38[1], const i32 a39[1], const i32 a40[1],
                      const i32 a41[1], const i32 a42[1], const i32 a43[1], const i32 a44[1],
                      const i32 a45[1], const i32 a46[1], const i32 a47[1], const i32 a48[1],
                      const i32 a49[1], const i32 a50[1], const i32 a51[1], const i32 a52[1],
                      const i32 a53[1], const i32 a54[1], const i32 a55[1], const i32 a56[1],
                      const i32 a57[1], const i32 a58[1], const i32 a59[1], const i32 a60[1],
                      const i32 a61[1], const i32 a62[1], const i32 a63[1], const i32 a64[1])
{
    return a1[0] + a2[0] + a3[0] + a4[0] + a5[0] + a6[0] + a7[0] + a8[0] + a9[0] + a10[0] +
           a11[0] + a12[0] + a13[0] + a14[0] + a15[0] + a16[0] + a17[0] + a18[0] + a19[0] +
           a20[0] + a21[0] + a22[0] + a23[0] + a24[0] + a25[0] + a26[0] + a27[0] + a28[0] +
           a29[0] + a30[0] + a31[0] + a32[0] + a33[0] + a34[0] + a35[0] + a36[0] + a37[0] +
           a38[0] + a39[0] + a40[0] + a41[0] + a42[0] + a43[0] + a44[0] + a45[0] + a46[0] +
           a47[0] + a48[0] + a49[0] + a50[0] + a51[0] + a52[0] + a53[0] + a54[0] + a55[0] +
           a56[0] + a57[0] + a58[0] + a59[0] + a60[0] + a61[0] + a62[0] + a63[0] + a64[0];
}

/* Each array gets its own number in its first element. */
slip_kernel void write40(i32 n, i32 a1[n], i32 a2[n], i32 a3[n], i32 a4[n], i32 a5[n], i32 a6[n],
                         i32 a7[n], i32 a8[n], i32 a9[n], i32 a10[n], i32 a11[n], i32 a12[n],
                         i32 a13[n], i32 a14[n], i32 a15[n], i32 a16[n], i32 a17[n], i32 a18[n],
                         i32 a19[n], i32 a20[n], i32 a21[n], i32 a22[n], i32 a23[n], i32 a24[n],
                         i32 a25[n], i32 a26[n], i32 a27[n], i32 a28[n], i32 a29[n], i32 a30[n],
                         i32 a31[n], i32 a32[n], i32 a33[n], i32 a34[n], i32 a35[n], i32 a36[n],
                         i32 a37[n], i32 a38[n], i32 a39[n], i32 a40[n])
{
    slip_for (i, n) {
        a1[i] += 1;
        a2[i] += 2;
        a3[i] += 3;
        a4[i] += 4;
        a5[i] += 5;
        a6[i] += 6;
        a7[i] += 7;
        a8[i] += 8;
        a9[i] += 9;
        a10[i] += 10;
        a11[i] += 11;
        a12[i] += 12;
        a13[i] += 13;
        a14[i] += 14;
        a15[i] += 15;
        a16[i] += 16;
        a17[i] += 17;
        a18[i] += 18;
        a19[i] += 19;
        a20[i] += 20;
        a21[i] += 21;
        a22[i] += 22;
        a23[i] += 23;
        a24[i] += 24;
        a25[i] += 25;
        a26[i] += 26;
        a27[i] += 27;
        a28[i] += 28;
        a29[i] += 29;
        a30[i] += 30;
        a31[i] += 31;
        a32[i] += 32;
        a33[i] += 33;
        a34[i] += 34;
        a35[i] += 35;
        a36[i] += 36;
        a37[i] += 37;
        a38[i] += 38;
        a39[i] += 39;
        a40[i] += 40;
    }
}

/* Scalars of all widths between arrays. */
slip_kernel void interleaved(i8 s0, const i8 v0[1], u8 s1, i16 s2, u16 s3, const u16 v3[1],
                             i32 s4, u32 s5, i64 s6, const i64 v6[1], u64 s7, f32 s8, f64 s9,
                             const f64 v9[1], i8 s10, u8 s11, i16 s12, const i16 v12[1], u16 s13,
                             i32 s14, u32 s15, const u32 v15[1], i64 s16, u64 s17, f32 s18,
                             const f32 v18[1], f64 s19, slip_out f64 out[20])
{
    out[0] = (f64)s0 + (f64)v0[0];
    out[1] = (f64)s1;
    out[2] = (f64)s2;
    out[3] = (f64)s3 + (f64)v3[0];
    out[4] = (f64)s4;
    out[5] = (f64)s5;
    out[6] = (f64)s6 + (f64)v6[0];
    out[7] = (f64)s7;
    out[8] = (f64)s8;
    out[9] = (f64)s9 + (f64)v9[0];
    out[10] = (f64)s10;
    out[11] = (f64)s11;
    out[12] = (f64)s12 + (f64)v12[0];
    out[13] = (f64)s13;
    out[14] = (f64)s14;
    out[15] = (f64)s15 + (f64)v15[0];
    out[16] = (f64)s16;
    out[17] = (f64)s17;
    out[18] = (f64)s18 + (f64)v18[0];
    out[19] = (f64)s19;
}

/* Element i of one and n - 1 - i of the other: equal arrays would lose updates. */
slip_kernel void opposite_ends(i32 n, i32 a[n], i32 b[n])
{
    slip_for (i, n) {
        a[i] += 1;
        b[n - 1 - i] += 1;
    }
}

/* Each task touches one of the two: equal arrays are ordered like one. */
slip_kernel void tasks_apart(i32 n, i32 a[n], const i32 b[n], slip_out i32 out[n])
{
    slip_for (i, n)
        a[i] *= 3;
    slip_for (i, n)
        out[i] = b[n - 1 - i];
    slip_for (i, n)
        a[i] += 1;
}

/* Serial statements see the parameters as one memory too. */
slip_kernel i32 serial_alias(i32 a[2], i32 b[2])
{
    a[0] = 5;
    b[0] += 1;
    a[1] = a[0] * 10;
    return b[1];
}

slip_kernel void same_index(i32 n, const f32 x[n], f32 y[n], f32 z[n])
{
    slip_for (i, n) {
        f32 t = x[i] * 2;
        y[i] = t + z[i];
        z[i] = t - y[i];
    }
}

slip_kernel void copy_forward(i32 n, const i32 from[n], i32 to[n])
{
    slip_for (i, n)
        to[i] = from[i];
}

slip_kernel void product_extent(i32 n, i32 m, f32 x[n * m])
{
    slip_for (i, n)
        x[i * m] = 1;
}

slip_kernel void quotient_extent(i32 n, i32 m, f32 x[n / m])
{
    slip_for (i, 1)
        x[i] = 1;
}

slip_kernel void plain_extent(i32 n, f32 x[n])
{
    slip_for (i, n)
        x[i] += 1;
}

slip_kernel void product_scratch(i32 n, i32 m, f32 x[1])
{
    f32 t[n * m];
    slip_for (i, 1)
        t[i] = x[0];
    slip_for (i, 1)
        x[i] = t[0] + 1;
}

slip_kernel void product_bound(i32 n, i32 m, i32 x[1])
{
    slip_for (i, n * m)
        x[0] += 1;
}

/* A slow start, so that launches of two threads overlap. */
slip_kernel void stamp(i32 n, i32 tag, i32 rounds, i32 x[n])
{
    slip_for (i, n) {
        i32 v = tag;
        for (i32 k = 0; k < rounds; ++k)
            v = v * 3 + k;
        for (i32 k = rounds - 1; k >= 0; --k)
            v = (v - k) * -1431655765; /* times three is one */
        x[i] = v;
    }
}
