/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform_values.c - the same values on every run and machine, for each scalar type.
 *
 * Needs no libm and no random source of the system. Must never depend on anything but its
 * arguments.
 */
#include "conform_values.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t conform_bytes(conform_type type)
{
    switch (type) {
    case TYPE_i8:
    case TYPE_u8:
    case TYPE_bool:
        return 1;
    case TYPE_i16:
    case TYPE_u16:
        return 2;
    case TYPE_i32:
    case TYPE_u32:
    case TYPE_f32:
        return 4;
    case TYPE_i64:
    case TYPE_u64:
    case TYPE_f64:
        return 8;
    }
    return 0;
}

/* splitmix64: the k-th value of stream `seed`. */
static uint64_t mix(uint64_t seed, uint64_t k)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + (k + 1) * 0xd1342543de82ef95u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static double special_float(uint64_t r, int wide)
{
    static const float narrow_values[] = { 0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY,
                                           FLT_MAX, -FLT_MAX, FLT_MIN, FLT_EPSILON, 0.5f,
                                           16777216.0f, 1e-40f, -1e-45f };
    static const double wide_values[] = { 0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, DBL_MAX,
                                          -DBL_MAX, DBL_MIN, DBL_EPSILON, 0.5,
                                          9007199254740992.0, 1e-310, -5e-324 };
    uint64_t pick = r % 15;

    if (pick == 14)
        return (double)NAN;
    return wide ? wide_values[pick] : (double)narrow_values[pick];
}

/* In (-100, 100), every mantissa bit in play; one in eight in (-1e-3, 1e-3). */
static double plain_float(uint64_t r)
{
    double unit = (double)(int64_t)r / 9223372036854775808.0;

    return unit * ((r & 7) == 3 ? 1e-3 : 100.0);
}

static uint64_t special_integer(uint64_t r, int bits, int is_signed)
{
    uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t values[] = { 0, 1, ~(uint64_t)0, top, top - 1, top + 1, 2, 7,
                                is_signed ? ~(uint64_t)0 - 1 : ~(uint64_t)0 };

    return values[r % 9];
}

static void put_float(unsigned char *at, int wide, conform_fill fill, uint64_t r)
{
    double value = 0;
    float narrow;

    if (fill == EXACT)
        value = (double)(int)(r >> 32) / 268435456.0; /* (-8, 8) */
    else if (fill != ZERO)
        value = fill == WILD && (r >> 60) < 4 ? special_float(r >> 8, wide) : plain_float(r);
    if (fill == EXACT)
        value = (double)(int)value;
    narrow = (float)value;
    if (wide)
        memcpy(at, &value, sizeof value);
    else
        memcpy(at, &narrow, sizeof narrow);
}

static void put_integer(unsigned char *at, conform_type type, conform_fill fill, uint64_t r)
{
    int is_signed = type == TYPE_i8 || type == TYPE_i16 || type == TYPE_i32 || type == TYPE_i64;
    size_t bytes = conform_bytes(type);
    uint64_t value = 0;

    if (fill == EXACT)
        value = is_signed ? (r >> 32) % 17 - 8 : (r >> 32) % 9;
    else if (fill != ZERO)
        value = fill == WILD && (r >> 60) < 4 ? special_integer(r >> 8, (int)bytes * 8, is_signed)
                                              : r >> 3;
    memcpy(at, &value, bytes); /* little-endian, as the language is */
}

void conform_fill_values(void *out, conform_type type, conform_fill fill, size_t count,
                         uint64_t seed)
{
    unsigned char *at = out;
    size_t bytes = conform_bytes(type);

    for (size_t i = 0; i < count; i++, at += bytes) {
        uint64_t r = mix(seed, i);
        if (type == TYPE_bool)
            *at = fill == ZERO ? 0 : (unsigned char)(r >> 63);
        else if (type == TYPE_f32 || type == TYPE_f64)
            put_float(at, type == TYPE_f64, fill, r);
        else
            put_integer(at, type, fill, r);
    }
}
