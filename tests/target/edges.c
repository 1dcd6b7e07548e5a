/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edges.c - zeros, ones, limits and their neighbours; for floats also what conversions to integers
 * saturate at, denormals, infinities and NaNs.
 */
#include "target/edges.h"

#include <string.h>

uint64_t edge_f32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

static uint64_t edge_f64(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, 8);
    return bits;
}

static const double float_edges[] = { 0.0,
                                      -0.0,
                                      1,
                                      -1,
                                      0.5,
                                      -0.5,
                                      1.5,
                                      -1.5,
                                      2.5,
                                      3,
                                      -7,
                                      127,
                                      128,
                                      -128,
                                      -129,
                                      255,
                                      255.5,
                                      256,
                                      300,
                                      32767,
                                      32768,
                                      -32769,
                                      65535,
                                      65536,
                                      2147483647.0,
                                      2147483648.0,
                                      -2147483648.0,
                                      -2147483649.0,
                                      4294967295.0,
                                      4294967296.0,
                                      9223372036854775808.0,
                                      -9223372036854775808.0,
                                      18446744073709551616.0,
                                      1e20,
                                      -1e20,
                                      0.1,
                                      4194304.5,
                                      8388609,
                                      1e-40,
                                      1e-310 };

uint32_t edges_of_type(scalar_type type, uint64_t out[EDGES_MOST])
{
    const scalar_type_row *row = &scalar_types[type];
    uint32_t count = 0, width = 8u * row->bytes;

    if (row->is_float) {
        for (size_t k = 0; k < sizeof float_edges / sizeof *float_edges; k++)
            out[count++] =
                type == SCALAR_f32 ? edge_f32((float)float_edges[k]) : edge_f64(float_edges[k]);
        out[count++] = type == SCALAR_f32 ? 0x7f800000 : 0x7ff0000000000000;
        out[count++] = type == SCALAR_f32 ? 0xff800000 : 0xfff0000000000000;
        out[count++] = type == SCALAR_f32 ? 0x7fc00000 : 0x7ff8000000000000;
        out[count++] = type == SCALAR_f32 ? 0x7f800001 : 0x7ff0000000000001;
        out[count++] = type == SCALAR_f32 ? 1 : 1;
        return count;
    }
    if (type == SCALAR_bool) {
        out[0] = 0;
        out[1] = 1;
        return 2;
    }
    const int64_t small[] = {
        0, 1, -1, 2, -2, 3, 7, -7, 10, 0x55, -100, width - 1, width, width + 1
    };
    for (size_t k = 0; k < sizeof small / sizeof *small; k++)
        out[count++] = scalar_canonical(type, (uint64_t)small[k]);
    for (int64_t d = -2; d <= 2; d++) {
        out[count++] = scalar_canonical(type, ((uint64_t)1 << (width - 1)) + (uint64_t)d);
        out[count++] = scalar_canonical(type, (UINT64_MAX >> (64 - width)) + (uint64_t)d);
    }
    out[count++] = scalar_canonical(type, 0x123456789abcdef0);
    return count;
}
