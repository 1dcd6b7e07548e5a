/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar.c - the scalar types and operations by name, values in memory, which operation a type has,
 * and whether an integer result is exact. What an operation gives is scalar_eval.c's.
 */
#include <math.h>
#include <string.h>

#include "base/scalar_parts.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "memory holds the low byte first");

const scalar_type_row scalar_types[SCALAR_TYPE_COUNT] = {
#define SCALAR_ROW_(name, bytes, is_signed, is_integer, is_float, c, npy)                          \
    { #name, bytes, is_signed, is_integer, is_float, c, npy },
    SCALAR_TYPES(SCALAR_ROW_)
#undef SCALAR_ROW_
};

const scalar_op_row scalar_ops[SCALAR_OP_COUNT] = {
#define SCALAR_OP_ROW_(name, operands) { #name, operands },
    SCALAR_OPS(SCALAR_OP_ROW_)
#undef SCALAR_OP_ROW_
};

uint64_t scalar_load(scalar_type type, const void *memory)
{
    uint64_t bits = 0;

    memcpy(&bits, memory, scalar_types[type].bytes);
    return scalar_canonical(type, bits);
}

void scalar_store(scalar_type type, void *memory, uint64_t bits)
{
    memcpy(memory, &bits, scalar_types[type].bytes);
}

bool scalar_allowed(scalar_op op, scalar_type type, scalar_type from)
{
    bool is_integer = scalar_types[type].is_integer, is_float = scalar_types[type].is_float;

    switch (op) {
    case SCALAR_OP_add:
    case SCALAR_OP_sub:
    case SCALAR_OP_mul:
    case SCALAR_OP_div:
    case SCALAR_OP_rem:
    case SCALAR_OP_min:
    case SCALAR_OP_max:
    case SCALAR_OP_neg:
    case SCALAR_OP_abs:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
        return is_integer || is_float;
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_not:
        return !is_float;
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
        return is_integer;
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_convert:
    case SCALAR_OP_select:
        return true;
    case SCALAR_OP_sqrt:
    case SCALAR_OP_floor:
    case SCALAR_OP_ceil:
    case SCALAR_OP_trunc:
    case SCALAR_OP_rint:
    case SCALAR_OP_fma:
        return is_float;
    case SCALAR_OP_bitcast:
        return type != SCALAR_bool && from != SCALAR_bool &&
               scalar_types[type].bytes == scalar_types[from].bytes;
    case SCALAR_OP_COUNT:
        break;
    }
    return false;
}

/* Is a * 2^count, or its floor for a shift to the right, what the masked shift gives? */
static bool shift_exact(scalar_op op, scalar_type type, uint64_t a, uint64_t count, uint64_t result)
{
    if (count >= scalar_width(type))
        return false;
    return op == SCALAR_OP_shr || scalar_eval(SCALAR_OP_shr, type, type, result, count, 0) == a;
}

static bool convert_exact(scalar_type type, scalar_type from, uint64_t a, uint64_t result)
{
    if (scalar_types[from].is_float) {
        double value = trunc(scalar_float(from, a));
        double back = scalar_types[type].is_signed ? (double)(int64_t)result : (double)result;
        /* The highest 64-bit value rounds up to a power of two, which is out of range. */
        return value == back && !(scalar_width(type) == 64 && result == scalar_highest(type));
    }
    bool result_negative = scalar_types[type].is_signed && (int64_t)result < 0;
    bool source_negative = scalar_types[from].is_signed && (int64_t)a < 0;
    return result == a && result_negative == source_negative;
}

static bool result_exact(scalar_op op, scalar_type type, scalar_type from, uint64_t a, uint64_t b,
                         uint64_t result)
{
    bool is_signed = scalar_types[type].is_signed;
    int64_t s;
    uint64_t u;

    switch (op) {
    case SCALAR_OP_add:
        return is_signed
                   ? !__builtin_add_overflow((int64_t)a, (int64_t)b, &s) && (uint64_t)s == result
                   : !__builtin_add_overflow(a, b, &u) && u == result;
    case SCALAR_OP_sub:
        return is_signed
                   ? !__builtin_sub_overflow((int64_t)a, (int64_t)b, &s) && (uint64_t)s == result
                   : a >= b;
    case SCALAR_OP_mul:
        return is_signed
                   ? !__builtin_mul_overflow((int64_t)a, (int64_t)b, &s) && (uint64_t)s == result
                   : !__builtin_mul_overflow(a, b, &u) && u == result;
    case SCALAR_OP_div:
        return b != 0 && !(is_signed && (int64_t)b == -1 && a == scalar_lowest(type));
    case SCALAR_OP_rem:
        return b != 0;
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
        return shift_exact(op, type, a, b, result);
    case SCALAR_OP_neg:
        return is_signed ? a != scalar_lowest(type) : a == 0;
    case SCALAR_OP_abs:
        return !is_signed || a != scalar_lowest(type);
    case SCALAR_OP_convert:
        return convert_exact(type, from, a, result);
    case SCALAR_OP_min:
    case SCALAR_OP_max:
    case SCALAR_OP_and:
    case SCALAR_OP_or:
    case SCALAR_OP_xor:
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
    case SCALAR_OP_not:
    case SCALAR_OP_sqrt:
    case SCALAR_OP_floor:
    case SCALAR_OP_ceil:
    case SCALAR_OP_trunc:
    case SCALAR_OP_rint:
    case SCALAR_OP_bitcast:
    case SCALAR_OP_select:
    case SCALAR_OP_fma:
    case SCALAR_OP_COUNT:
        break;
    }
    return true;
}

bool scalar_eval_exact(scalar_op op, scalar_type type, scalar_type from, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t *out)
{
    uint64_t result = scalar_eval(op, type, from, a, b, c);

    if (scalar_types[type].is_integer && !result_exact(op, type, from, a, b, result))
        return false;
    *out = result;
    return true;
}
