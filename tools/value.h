/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value.h - scalar types as the shell sees them: their names, ranges, texts and random values.
 *
 * A text gives a value exactly or is refused with the range; nothing is rounded to fit, wrapped or
 * guessed, except that a decimal fraction takes the nearest number of its float type.
 */
#ifndef SLIPWAY_TOOLS_VALUE_H
#define SLIPWAY_TOOLS_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

/* name as slip_param_info gives it, bytes, NumPy's kind, integers: smallest and largest */
#define VALUE_TYPES(X)                                                                             \
    X(bool, 1, 'b', 0, 1)                                                                          \
    X(i8, 1, 'i', INT8_MIN, INT8_MAX)                                                              \
    X(u8, 1, 'u', 0, UINT8_MAX)                                                                    \
    X(i16, 2, 'i', INT16_MIN, INT16_MAX)                                                           \
    X(u16, 2, 'u', 0, UINT16_MAX)                                                                  \
    X(i32, 4, 'i', INT32_MIN, INT32_MAX)                                                           \
    X(u32, 4, 'u', 0, UINT32_MAX)                                                                  \
    X(i64, 8, 'i', INT64_MIN, INT64_MAX)                                                           \
    X(u64, 8, 'u', 0, UINT64_MAX)                                                                  \
    X(f32, 4, 'f', 0, 0)                                                                           \
    X(f64, 8, 'f', 0, 0)

typedef enum value_type {
#define VALUE_ENUM_(name, bytes, kind, low, high) VALUE_##name,
    VALUE_TYPES(VALUE_ENUM_)
#undef VALUE_ENUM_
        VALUE_TYPE_COUNT
} value_type;

typedef struct value_type_row {
    const char *name;
    uint32_t bytes;
    char kind; /* b i u f */
    int64_t low;
    uint64_t high;
} value_type_row;

extern const value_type_row value_types[VALUE_TYPE_COUNT];

/* VALUE_TYPE_COUNT where the name is of no scalar type (a struct's). */
value_type value_type_named(const char *name);

/*
 * value_parse - the bytes of a value.
 *
 *   what   named in refusals: "n"
 *   text   integers: decimal or 0x..., with a sign; bool: true false 1 0; floats: decimal or
 *          hexadecimal, inf, nan
 *   out    value_types[type].bytes of it, in the host's byte order
 *
 * Errors   ARGUMENT   no such value of the type; the message says what the type takes
 */
slip_status value_parse(value_type type, const char *what, const char *text, void *out);

/* An integer into its type's bytes; ARGUMENT where it does not fit. */
slip_status value_from_count(value_type type, const char *what, uint64_t count, void *out);

enum { VALUE_TEXT_BYTES = 40 };
/* The shortest decimal text that reads back as the same value, of 6 (f32) or 15 digits at least:
 * 0.25, 1e+30, nan, true. */
const char *value_print(value_type type, const void *value, char out[VALUE_TEXT_BYTES]);
/* False for infinities and NaNs, which JSON has no number for. */
bool value_is_finite(value_type type, const void *value);

/*
 * value_fill_random - `count` values, decided by the seed alone.
 *
 * Value k comes from word k of SplitMix64 started at the seed: integers are its top bits; bool its
 * top bit; f32 and f64 its top 24 or 53 bits, divided down to [0, 1).
 */
void value_fill_random(value_type type, uint64_t seed, void *out, uint64_t count);

#endif
