/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar_text.c - scalars as text, and back to the same bits.
 *
 * Must not depend on the process's locale: the decimal point is always a full stop.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scalar.h"

enum { PRINT_BYTES = 40 };

/* f32 is printed as the double of the same value: the text is as exact and its exponent shorter. */
static void print_float(scalar_type type, uint64_t bits, char out[PRINT_BYTES])
{
    double value;

    if (type == SCALAR_f32) {
        uint32_t low = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &low, sizeof narrow);
        value = (double)narrow;
    } else {
        memcpy(&value, &bits, sizeof value);
    }
    if (isnan(value)) {
        snprintf(out, PRINT_BYTES, "nan(0x%" PRIx64 ")", bits);
        return;
    }
    if (isinf(value)) {
        snprintf(out, PRINT_BYTES, "%s", value < 0 ? "-inf" : "inf");
        return;
    }

    uint64_t wide;
    memcpy(&wide, &value, sizeof wide);
    uint64_t fraction = wide & (UINT64_MAX >> 12);
    int exponent = (int)(wide >> 52 & 0x7ff);
    int digits = 13, lead = exponent != 0;
    char hex[17];
    snprintf(hex, sizeof hex, "%013" PRIx64, fraction);
    while (digits > 0 && hex[digits - 1] == '0')
        digits--;
    exponent = exponent ? exponent - 1023 : fraction ? -1022 : 0;
    const char *sign = wide >> 63 ? "-" : "";
    if (digits)
        snprintf(out, PRINT_BYTES, "%s0x%d.%.*sp%+d", sign, lead, digits, hex, exponent);
    else
        snprintf(out, PRINT_BYTES, "%s0x%dp%+d", sign, lead, exponent);
}

void scalar_print(scalar_type type, uint64_t bits, char out[40])
{
    bits = scalar_canonical(type, bits);
    if (scalar_types[type].is_float)
        print_float(type, bits, out);
    else if (type == SCALAR_bool)
        snprintf(out, PRINT_BYTES, "%s", bits ? "true" : "false");
    else if (scalar_types[type].is_signed)
        snprintf(out, PRINT_BYTES, "%" PRId64, (int64_t)bits);
    else
        snprintf(out, PRINT_BYTES, "%" PRIu64, bits);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool parse_integer(scalar_type type, const char *from, const char **end, uint64_t *out)
{
    bool negative = *from == '-';
    uint64_t value = 0, bits;

    if (negative)
        from++;
    if (!is_digit(*from))
        return false;
    for (; is_digit(*from); from++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*from - '0'), &value))
            return false;
    bits = scalar_canonical(type, negative ? 0 - value : value);
    if (bits != (negative ? 0 - value : value))
        return false;
    /* The wrap kept the 64 bits; the sign must have been kept too. */
    if (value && (scalar_types[type].is_signed && (int64_t)bits < 0) != negative)
        return false;
    *end = from;
    *out = bits;
    return true;
}

/* nan(0x7fc00000): the bits of the whole number; they must be a NaN's. */
static bool parse_nan(scalar_type type, const char *from, const char **end, uint64_t *out)
{
    uint64_t infinity = type == SCALAR_f32 ? 0x7f800000 : 0x7ff0000000000000;
    uint64_t sign = type == SCALAR_f32 ? 0x80000000 : 0x8000000000000000;
    uint64_t bits;
    char *stop;

    if (strncmp(from, "nan(0x", 6) != 0)
        return false;
    errno = 0;
    bits = strtoull(from + 6, &stop, 16);
    if (errno || stop == from + 6 || *stop != ')' || from[6] == '-' || from[6] == '+')
        return false;
    if (scalar_canonical(type, bits) != bits || (bits & ~sign) <= infinity)
        return false;
    *end = stop + 1;
    *out = bits;
    return true;
}

static bool parse_float(scalar_type type, const char *from, const char **end, uint64_t *out)
{
    const char *number = from + (*from == '-');
    bool infinite = strncmp(number, "inf", 3) == 0;
    char *stop = NULL;
    uint64_t bits = 0;

    if (!is_digit(*number) && *number != '.' && !infinite)
        return parse_nan(type, from, end, out);
    if (infinite) {
        bits = type == SCALAR_f32 ? 0x7f800000 : 0x7ff0000000000000;
        if (number != from)
            bits |= type == SCALAR_f32 ? 0x80000000 : 0x8000000000000000;
        *end = number + 3;
        *out = bits;
        return true;
    }

    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return false;
    if (type == SCALAR_f32) {
        float value = strtof_l(from, &stop, plain);
        memcpy(&bits, &value, sizeof value);
    } else {
        double value = strtod_l(from, &stop, plain);
        memcpy(&bits, &value, sizeof value);
    }
    freelocale(plain);
    if (stop == from)
        return false;
    *end = stop;
    *out = bits;
    return true;
}

bool scalar_parse(scalar_type type, const char *from, const char **end, uint64_t *out)
{
    if (scalar_types[type].is_float)
        return parse_float(type, from, end, out);
    if (type == SCALAR_bool)
        for (uint64_t value = 0; value < 2; value++) {
            const char *word = value ? "true" : "false";
            if (strncmp(from, word, strlen(word)) == 0) {
                *end = from + strlen(word);
                *out = value;
                return true;
            }
        }
    return parse_integer(type, from, end, out);
}

bool scalar_type_named(const char *name, size_t length, scalar_type *out)
{
    for (int i = 0; i < SCALAR_TYPE_COUNT; i++)
        if (strlen(scalar_types[i].name) == length &&
            memcmp(scalar_types[i].name, name, length) == 0) {
            *out = (scalar_type)i;
            return true;
        }
    return false;
}
