/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_eval.c - the value of every scalar operation, one function per family of types.
 *
 * Integers are computed in 64 bits without sign and made canonical at the end; f32 is computed
 * in float and f64 in double, each operation rounded once. A NaN that arithmetic makes is the
 * positive quiet one, whatever the host's unit would give. Must be compiled without contraction
 * and run in the default rounding mode.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/scalar_parts.h"

_Static_assert(FLT_EVAL_METHOD == 0, "float and double are computed in their own precision");

uint64_t scalar_canonical(scalar_type type, uint64_t bits)
{
    uint64_t mask = scalar_mask(type), sign = mask ^ (mask >> 1);

    if (type == SCALAR_bool)
        return (bits & 0xff) != 0;
    bits &= mask;
    return scalar_types[type].is_integer && scalar_types[type].is_signed ? (bits ^ sign) - sign
                                                                         : bits;
}

static float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof value);
    return value;
}

static double f64_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

double scalar_float(scalar_type type, uint64_t bits)
{
    return type == SCALAR_f32 ? (double)f32_of(bits) : f64_of(bits);
}

static uint64_t bits_f32(float value)
{
    uint32_t bits;

    if (isnan(value))
        return 0x7fc00000;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_f64(double value)
{
    uint64_t bits;

    if (isnan(value))
        return 0x7ff8000000000000;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* a / b and a % b, magnitudes and signs as C's, with the language's values at b = 0 and -1. */
static uint64_t int_div(scalar_type type, uint64_t a, uint64_t b)
{
    if (b == 0)
        return 0;
    if (!scalar_types[type].is_signed)
        return a / b;
    return (int64_t)b == -1 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t int_rem(scalar_type type, uint64_t a, uint64_t b)
{
    if (b == 0)
        return a;
    if (!scalar_types[type].is_signed)
        return a % b;
    return (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static bool int_less(scalar_type type, uint64_t a, uint64_t b)
{
    return scalar_types[type].is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t int_shr(scalar_type type, uint64_t a, uint32_t count)
{
    uint64_t fill = scalar_types[type].is_signed && (int64_t)a < 0 ? ~(UINT64_MAX >> count) : 0;

    return a >> count | fill;
}

static uint64_t eval_int(scalar_op op, scalar_type type, uint64_t a, uint64_t b)
{
    uint32_t count = (uint32_t)b & (scalar_width(type) - 1);

    switch (op) {
    case SCALAR_OP_add:
        return scalar_canonical(type, a + b);
    case SCALAR_OP_sub:
        return scalar_canonical(type, a - b);
    case SCALAR_OP_mul:
        return scalar_canonical(type, a * b);
    case SCALAR_OP_div:
        return scalar_canonical(type, int_div(type, a, b));
    case SCALAR_OP_rem:
        return scalar_canonical(type, int_rem(type, a, b));
    case SCALAR_OP_min:
        return int_less(type, b, a) ? b : a;
    case SCALAR_OP_max:
        return int_less(type, a, b) ? b : a;
    case SCALAR_OP_and:
        return a & b;
    case SCALAR_OP_or:
        return a | b;
    case SCALAR_OP_xor:
        return scalar_canonical(type, a ^ b);
    case SCALAR_OP_shl:
        return scalar_canonical(type, a << count);
    case SCALAR_OP_shr:
        return scalar_canonical(type, int_shr(type, a, count));
    case SCALAR_OP_eq:
        return a == b;
    case SCALAR_OP_ne:
        return a != b;
    case SCALAR_OP_lt:
        return int_less(type, a, b);
    case SCALAR_OP_le:
        return !int_less(type, b, a);
    case SCALAR_OP_neg:
        return scalar_canonical(type, 0 - a);
    case SCALAR_OP_not:
        return type == SCALAR_bool ? !a : scalar_canonical(type, ~a);
    case SCALAR_OP_abs:
        return int_less(type, a, 0) ? scalar_canonical(type, 0 - a) : a;
    case SCALAR_OP_sqrt:
    case SCALAR_OP_floor:
    case SCALAR_OP_ceil:
    case SCALAR_OP_trunc:
    case SCALAR_OP_rint:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_fma:
    case SCALAR_OP_COUNT:
        break;
    }
    return 0;
}

/* Picks a or b by their bits, so that a NaN handed on keeps its payload. */
static uint64_t pick_float(bool want_less, double x, double y, uint64_t a, uint64_t b)
{
    if (isnan(x))
        return b;
    if (isnan(y))
        return a;
    if (x == y) /* both zero, or equal: the sign decides */
        return (signbit(x) != 0) == want_less ? a : b;
    return (x < y) == want_less ? a : b;
}

static uint64_t eval_f32(scalar_op op, uint64_t a, uint64_t b, uint64_t c)
{
    float x = f32_of(a), y = f32_of(b);

    switch (op) {
    case SCALAR_OP_add:
        return bits_f32(x + y);
    case SCALAR_OP_sub:
        return bits_f32(x - y);
    case SCALAR_OP_mul:
        return bits_f32(x * y);
    case SCALAR_OP_div:
        return bits_f32(x / y);
    case SCALAR_OP_rem:
        return bits_f32(fmodf(x, y));
    case SCALAR_OP_min:
    case SCALAR_OP_max:
        return pick_float(op == SCALAR_OP_min, (double)x, (double)y, a, b);
    case SCALAR_OP_eq:
        return x == y;
    case SCALAR_OP_ne:
        return x != y;
    case SCALAR_OP_lt:
        return x < y;
    case SCALAR_OP_le:
        return x <= y;
    case SCALAR_OP_neg:
        return a ^ 0x80000000;
    case SCALAR_OP_abs:
        return a & 0x7fffffff;
    case SCALAR_OP_sqrt:
        return bits_f32(sqrtf(x));
    case SCALAR_OP_floor:
        return bits_f32(floorf(x));
    case SCALAR_OP_ceil:
        return bits_f32(ceilf(x));
    case SCALAR_OP_trunc:
        return bits_f32(truncf(x));
    case SCALAR_OP_rint:
        return bits_f32(rintf(x));
    case SCALAR_OP_fma:
        return bits_f32(fmaf(x, y, f32_of(c)));
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
    case SCALAR_OP_not:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_COUNT:
        break;
    }
    return 0;
}

static uint64_t eval_f64(scalar_op op, uint64_t a, uint64_t b, uint64_t c)
{
    double x = f64_of(a), y = f64_of(b);

    switch (op) {
    case SCALAR_OP_add:
        return bits_f64(x + y);
    case SCALAR_OP_sub:
        return bits_f64(x - y);
    case SCALAR_OP_mul:
        return bits_f64(x * y);
    case SCALAR_OP_div:
        return bits_f64(x / y);
    case SCALAR_OP_rem:
        return bits_f64(fmod(x, y));
    case SCALAR_OP_min:
    case SCALAR_OP_max:
        return pick_float(op == SCALAR_OP_min, x, y, a, b);
    case SCALAR_OP_eq:
        return x == y;
    case SCALAR_OP_ne:
        return x != y;
    case SCALAR_OP_lt:
        return x < y;
    case SCALAR_OP_le:
        return x <= y;
    case SCALAR_OP_neg:
        return a ^ 0x8000000000000000;
    case SCALAR_OP_abs:
        return a & 0x7fffffffffffffff;
    case SCALAR_OP_sqrt:
        return bits_f64(sqrt(x));
    case SCALAR_OP_floor:
        return bits_f64(floor(x));
    case SCALAR_OP_ceil:
        return bits_f64(ceil(x));
    case SCALAR_OP_trunc:
        return bits_f64(trunc(x));
    case SCALAR_OP_rint:
        return bits_f64(rint(x));
    case SCALAR_OP_fma:
        return bits_f64(fma(x, y, f64_of(c)));
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
    case SCALAR_OP_not:
    case SCALAR_OP_convert:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_COUNT:
        break;
    }
    return 0;
}

/* A power of two is exact in double for every width: the bounds are compared before the cast. */
static uint64_t float_to_int(scalar_type type, double value)
{
    uint32_t width = scalar_width(type);

    if (isnan(value))
        return 0;
    if (scalar_types[type].is_signed) {
        double limit = ldexp(1.0, (int)width - 1);
        if (value >= limit)
            return scalar_highest(type);
        return value < -limit ? scalar_lowest(type) : (uint64_t)(int64_t)value;
    }
    if (value >= ldexp(1.0, (int)width))
        return scalar_highest(type);
    return value <= 0 ? 0 : (uint64_t)value;
}

static uint64_t convert(scalar_type type, scalar_type from, uint64_t a)
{
    bool from_float = scalar_types[from].is_float;
    bool from_signed = !from_float && scalar_types[from].is_signed;
    double value = scalar_float(from, a);

    if (type == SCALAR_bool)
        return from_float ? value != 0 : a != 0;
    if (type == SCALAR_f32) {
        if (from_float)
            return bits_f32((float)value);
        return bits_f32(from_signed ? (float)(int64_t)a : (float)a);
    }
    if (type == SCALAR_f64) {
        if (from_float)
            return bits_f64(value);
        return bits_f64(from_signed ? (double)(int64_t)a : (double)a);
    }
    return from_float ? float_to_int(type, value) : scalar_canonical(type, a);
}

uint64_t scalar_eval(scalar_op op, scalar_type type, scalar_type from, uint64_t a, uint64_t b,
                     uint64_t c)
{
    if (op == SCALAR_OP_convert)
        return convert(type, from, a);
    if (op == SCALAR_OP_bitcast) /* f32 bits have no sign to extend, an i32's have */
        return scalar_canonical(type, a);
    if (op == SCALAR_OP_select)
        return a ? b : c;
    if (type == SCALAR_f32)
        return eval_f32(op, a, b, c);
    if (type == SCALAR_f64)
        return eval_f64(op, a, b, c);
    return eval_int(op, type, a, b);
}
