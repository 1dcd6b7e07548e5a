/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value.c - scalar types as the shell sees them: their names, ranges, texts and random values.
 *
 * Must never let a number through that the type cannot hold.
 */
#include "value.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

const value_type_row value_types[VALUE_TYPE_COUNT] = {
#define VALUE_ROW_(name, bytes, kind, low, high) { #name, bytes, kind, low, high },
    VALUE_TYPES(VALUE_ROW_)
#undef VALUE_ROW_
};

value_type value_type_named(const char *name)
{
    uint32_t type = 0;

    while (type < VALUE_TYPE_COUNT && strcmp(value_types[type].name, name) != 0)
        type++;
    return (value_type)type;
}

/* Little-endian hosts only: the low bytes of a word are the narrower integer. */
static void store_bits(value_type type, uint64_t bits, void *out)
{
    memcpy(out, &bits, value_types[type].bytes);
}

static slip_status out_of_range(value_type type, const char *what, const char *text)
{
    const value_type_row *row = &value_types[type];

    return tool_fail(SLIP_ERR_ARGUMENT, "%s=%s: %s takes %" PRId64 " to %" PRIu64, what, text,
                     row->name, row->low, row->high);
}

/* The digits of an integer after its sign; false if it is none. *out_over: it passes 64 bits. */
static bool read_magnitude(const char *digits, uint64_t *out, bool *out_over)
{
    uint64_t base = 10, value = 0;
    bool any = false;

    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        base = 16;
        digits += 2;
    }
    for (; *digits; digits++) {
        char c = *digits;
        uint64_t digit = c >= '0' && c <= '9'   ? (uint64_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint64_t)(c - 'A') + 10
                                                : 99;
        if (digit >= base)
            return false;
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value))
            *out_over = true;
        any = true;
    }
    *out = value;
    return any;
}

static slip_status parse_integer(value_type type, const char *what, const char *text, void *out)
{
    const value_type_row *row = &value_types[type];
    bool negative = text[0] == '-', over = false;
    uint64_t magnitude = 0;

    if (!read_magnitude(text + (text[0] == '-' || text[0] == '+'), &magnitude, &over))
        return tool_fail(SLIP_ERR_ARGUMENT,
                         "%s=%s: %s takes a whole number, %" PRId64 " to %" PRIu64, what, text,
                         row->name, row->low, row->high);
    uint64_t limit = negative ? 0 - (uint64_t)row->low : row->high;
    if (over || magnitude > limit)
        return out_of_range(type, what, text);
    store_bits(type, negative ? 0 - magnitude : magnitude, out);
    return SLIP_OK;
}

static slip_status parse_bool(const char *what, const char *text, void *out)
{
    bool yes = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;

    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return tool_fail(SLIP_ERR_ARGUMENT, "%s=%s: bool takes true, false, 1 or 0", what, text);
    memcpy(out, &yes, 1);
    return SLIP_OK;
}

static slip_status parse_float(value_type type, const char *what, const char *text, void *out)
{
    char *end = NULL;
    double wide = 0;
    float narrow = 0;

    errno = 0;
    if (type == VALUE_f32)
        narrow = strtof(text, &end);
    else
        wide = strtod(text, &end);
    if (end == text || *end || strchr(" \t\n\v\f\r", text[0]) || strchr(text, '('))
        return tool_fail(SLIP_ERR_ARGUMENT, "%s=%s: %s takes a number, inf or nan", what, text,
                         value_types[type].name);
    if (errno == ERANGE && (type == VALUE_f32 ? isinf(narrow) : isinf(wide)))
        return tool_fail(SLIP_ERR_ARGUMENT,
                         "%s=%s: %s takes numbers up to %s; write inf for infinity", what, text,
                         value_types[type].name,
                         type == VALUE_f32 ? "3.40282347e+38" : "1.7976931348623157e+308");
    memcpy(out, type == VALUE_f32 ? (const void *)&narrow : &wide, value_types[type].bytes);
    return SLIP_OK;
}

slip_status value_parse(value_type type, const char *what, const char *text, void *out)
{
    if (type == VALUE_bool)
        return parse_bool(what, text, out);
    if (value_types[type].kind == 'f')
        return parse_float(type, what, text, out);
    return parse_integer(type, what, text, out);
}

slip_status value_from_count(value_type type, const char *what, uint64_t count, void *out)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, count);
    return value_parse(type, what, text, out);
}

static const char *print_float(value_type type, const void *value, char *out)
{
    float narrow = 0;
    double wide = 0;

    if (type == VALUE_f32) {
        memcpy(&narrow, value, sizeof narrow);
        wide = narrow;
    } else {
        memcpy(&wide, value, sizeof wide);
    }
    if (isnan(wide))
        return strcpy(out, "nan");
    for (int digits = type == VALUE_f32 ? 6 : 15, most = digits + 3; digits <= most; digits++) {
        snprintf(out, VALUE_TEXT_BYTES, "%.*g", digits, wide);
        if (type == VALUE_f32 ? strtof(out, NULL) == narrow : strtod(out, NULL) == wide)
            break;
    }
    return out;
}

const char *value_print(value_type type, const void *value, char out[VALUE_TEXT_BYTES])
{
    const value_type_row *row = &value_types[type];
    uint64_t bits = 0;

    if (row->kind == 'f')
        return print_float(type, value, out);
    memcpy(&bits, value, row->bytes);
    if (type == VALUE_bool)
        return strcpy(out, bits ? "true" : "false");
    if (row->kind == 'i' && row->bytes < 8 && bits >> (8 * row->bytes - 1))
        bits |= UINT64_MAX << (8 * row->bytes);
    snprintf(out, VALUE_TEXT_BYTES, row->kind == 'i' ? "%" PRId64 : "%" PRIu64, bits);
    return out;
}

bool value_is_finite(value_type type, const void *value)
{
    float narrow = 0;
    double wide = 0;

    if (type == VALUE_f32)
        memcpy(&narrow, value, sizeof narrow);
    else if (type == VALUE_f64)
        memcpy(&wide, value, sizeof wide);
    return isfinite(narrow) && isfinite(wide);
}

static uint64_t next_word(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void value_fill_random(value_type type, uint64_t seed, void *out, uint64_t count)
{
    uint32_t bytes = value_types[type].bytes;
    unsigned char *at = out;

    for (uint64_t k = 0; k < count; k++, at += bytes) {
        uint64_t word = next_word(&seed);
        float narrow = (float)(word >> 40) * 0x1p-24f;
        double wide = (double)(word >> 11) * 0x1p-53;
        if (type == VALUE_f32)
            memcpy(at, &narrow, sizeof narrow);
        else if (type == VALUE_f64)
            memcpy(at, &wide, sizeof wide);
        else
            store_bits(type, word >> (type == VALUE_bool ? 63 : 64 - 8 * bytes), at);
    }
}
