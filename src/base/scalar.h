/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar.h - the scalar types and operations of the language, and their exact values.
 *
 * One row per type and per operation. The IR's folding, the launch program that the runtime
 * evaluates on the host, and the generated code of every target follow these rows; where C
 * leaves a result open the row gives the language's value (LANGUAGE rules: wrap, masked
 * shifts, x / 0 is 0, x % 0 is x, saturating conversion, NaN to integer is 0).
 *
 * A value is 64 bits: integers sign- or zero-extended by their type, f32 bits in the low half,
 * bool 0 or 1. Must be compiled without contraction.
 */
#ifndef SLIPWAY_BASE_SCALAR_H
#define SLIPWAY_BASE_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* name, bytes, is signed integer, is integer, is float, C type in generated headers, NumPy name */
#define SCALAR_TYPES(X)                                                                           \
    X(bool, 1, 0, 0, 0, "bool", "|b1")                                                            \
    X(i8, 1, 1, 1, 0, "int8_t", "|i1")                                                            \
    X(u8, 1, 0, 1, 0, "uint8_t", "|u1")                                                           \
    X(i16, 2, 1, 1, 0, "int16_t", "<i2")                                                          \
    X(u16, 2, 0, 1, 0, "uint16_t", "<u2")                                                         \
    X(i32, 4, 1, 1, 0, "int32_t", "<i4")                                                          \
    X(u32, 4, 0, 1, 0, "uint32_t", "<u4")                                                         \
    X(i64, 8, 1, 1, 0, "int64_t", "<i8")                                                          \
    X(u64, 8, 0, 1, 0, "uint64_t", "<u8")                                                         \
    X(f32, 4, 1, 0, 1, "float", "<f4")                                                            \
    X(f64, 8, 1, 0, 1, "double", "<f8")

typedef enum scalar_type {
#define SCALAR_ENUM_(name, bytes, is_signed, is_integer, is_float, c, npy) SCALAR_##name,
    SCALAR_TYPES(SCALAR_ENUM_)
#undef SCALAR_ENUM_
        SCALAR_TYPE_COUNT
} scalar_type;

typedef struct scalar_type_row {
    const char *name; /* "i32" */
    uint8_t bytes;
    bool is_signed, is_integer, is_float;
    const char *c_name, *npy_name;
} scalar_type_row;

extern const scalar_type_row scalar_types[SCALAR_TYPE_COUNT];

/*
 * name, operands. The type of an operation is the type of its first value operand; its result has
 * that type too, except comparisons (bool), convert and bitcast (the destination type, `type`,
 * from the source type, `from`). select takes bool, then two of `type`.
 *
 *   shl shr     the count (same type) is taken modulo the width; shr of a signed type keeps the sign
 *   div rem     integers: x / 0 is 0, x % 0 is x, MIN / -1 wraps, MIN % -1 is 0. f32/f64: IEEE
 *               division; rem is C's fmod
 *   min max     a NaN loses to a number; -0 is below +0
 *   not         bitwise; for bool the logical not
 *   and or xor  integers and bool
 *   eq ne lt le comparisons; ordered for floats, except ne which is true for NaN
 *   convert     integers wrap to the width; float to integer truncates, saturates at the
 *               destination's range (also for 8 and 16 bits), NaN gives 0; to bool: != 0
 *   bitcast     between types of the same size
 *   abs         f32/f64 clears the sign; integers wrap
 *   sqrt floor ceil trunc rint  floats; rint rounds to even
 *   fma         floats; one rounding
 */
#define SCALAR_OPS(X)                                                                             \
    X(add, 2) X(sub, 2) X(mul, 2) X(div, 2) X(rem, 2) X(min, 2) X(max, 2)                         \
    X(and, 2) X(or, 2) X(xor, 2) X(shl, 2) X(shr, 2)                                              \
    X(eq, 2) X(ne, 2) X(lt, 2) X(le, 2)                                                           \
    X(neg, 1) X(not, 1) X(abs, 1) X(sqrt, 1) X(floor, 1) X(ceil, 1) X(trunc, 1) X(rint, 1)        \
    X(convert, 1) X(bitcast, 1) X(select, 3) X(fma, 3)

typedef enum scalar_op {
#define SCALAR_OP_ENUM_(name, operands) SCALAR_OP_##name,
    SCALAR_OPS(SCALAR_OP_ENUM_)
#undef SCALAR_OP_ENUM_
        SCALAR_OP_COUNT
} scalar_op;

typedef struct scalar_op_row {
    const char *name;
    uint8_t operands;
} scalar_op_row;

extern const scalar_op_row scalar_ops[SCALAR_OP_COUNT];

/* Is `op` defined for this type (and source type, for convert and bitcast)? */
bool scalar_allowed(scalar_op op, scalar_type type, scalar_type from);

/* The value of op on a, b, c (unused ones ignored). `type` as in the table; `from` only for convert
 * and bitcast. scalar_allowed must hold. */
uint64_t scalar_eval(scalar_op op, scalar_type type, scalar_type from, uint64_t a, uint64_t b,
                     uint64_t c);

/* The same for extents and host bounds: false where an integer result is not exact (overflow, division
 * or remainder by zero, a shift by the width or more or one that loses bits to the left, a conversion
 * to a type that cannot hold the value, apart from a fraction cut off); *out is then untouched. */
bool scalar_eval_exact(scalar_op op, scalar_type type, scalar_type from, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t *out);

/* Any bit pattern, made canonical for its type (extended, high half cleared, bool 0 or 1). */
uint64_t scalar_canonical(scalar_type type, uint64_t bits);
uint64_t scalar_load(scalar_type type, const void *memory);
void scalar_store(scalar_type type, void *memory, uint64_t bits);

/* Prints so that scalar_parse gives the same bits: integers in decimal, floats as C hexadecimal or
 * inf, -inf, nan(0x...) with all bits, bool as true or false. `out` has room for 40. scalar_parse reads
 * the longest such text at `from` (floats also in decimal), refuses an integer out of range, skips no
 * space, and depends on no locale. */
void scalar_print(scalar_type type, uint64_t bits, char out[40]);
bool scalar_parse(scalar_type type, const char *from, const char **end, uint64_t *out);
bool scalar_type_named(const char *name, size_t length, scalar_type *out);

#endif
