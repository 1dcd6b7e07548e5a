/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npy_header.c - the header of a .npy file: a Python dictionary in a box.
 *
 *     \x93NUMPY major minor length { 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } \n
 *
 * The length has 2 bytes in version 1 and 4 in versions 2 and 3, little-endian. Must accept exactly
 * the three keys, each once, in any order, and no escapes, expressions or comments. See NumPy's
 * NEP 1 (numpy.lib.format).
 */
#include "npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

typedef struct scan {
    const char *at, *end;
    const char *name;
    slip_status status; /* the first failure; later reads do nothing */
} scan;

static void refuse(scan *s, slip_status code, const char *what)
{
    if (s->status == SLIP_OK)
        s->status = tool_fail(code, "%s: %s", s->name, what);
}

static void skip_blanks(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t'))
        s->at++;
}

static bool take(scan *s, char wanted)
{
    skip_blanks(s);
    if (s->status != SLIP_OK || s->at == s->end || *s->at != wanted)
        return false;
    s->at++;
    return true;
}

static void need(scan *s, char wanted)
{
    char what[64];

    if (s->status == SLIP_OK && !take(s, wanted)) {
        snprintf(what, sizeof what, "the .npy header lacks a '%c'", wanted);
        refuse(s, SLIP_ERR_FORMAT, what);
    }
}

/* A quoted string without escapes, copied and terminated. */
static void take_string(scan *s, char *out, size_t room)
{
    out[0] = '\0';
    skip_blanks(s);
    char quote = s->at < s->end ? *s->at : '\0';
    if (quote != '\'' && quote != '"') {
        refuse(s, SLIP_ERR_FORMAT, "the .npy header has no string where one belongs");
        return;
    }
    const char *from = ++s->at;
    while (s->at < s->end && *s->at != quote && *s->at != '\\' && *s->at != '\n' && *s->at != '\0')
        s->at++;
    size_t length = (size_t)(s->at - from);
    if (s->at == s->end || *s->at != quote || length >= room) {
        refuse(s, SLIP_ERR_FORMAT, "the .npy header has a string that does not end");
        return;
    }
    s->at++;
    memcpy(out, from, length);
    out[length] = '\0';
}

static bool take_word(scan *s, const char *word)
{
    size_t length = strlen(word);

    skip_blanks(s);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool take_bool(scan *s)
{
    if (take_word(s, "True"))
        return true;
    if (!take_word(s, "False"))
        refuse(s, SLIP_ERR_FORMAT, "'fortran_order' of the .npy header is neither True nor False");
    return false;
}

static uint64_t take_extent(scan *s)
{
    uint64_t extent = 0;
    bool any = false, over = false;

    skip_blanks(s);
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++, any = true)
        over |= __builtin_mul_overflow(extent, 10u, &extent) ||
                __builtin_add_overflow(extent, (uint64_t)(*s->at - '0'), &extent);
    if (!any || over || extent > INT64_MAX)
        refuse(s, SLIP_ERR_FORMAT, "'shape' of the .npy header holds something that is no extent");
    return extent;
}

/* (), (5,), (5, 6), (5, 6,); (5) is a number to Python. */
static void take_shape(scan *s, npy_header *out)
{
    need(s, '(');
    bool ended = take(s, ')');
    while (s->status == SLIP_OK && !ended) {
        uint64_t extent = take_extent(s);
        if (out->rank == NPY_MAX_RANK)
            refuse(s, SLIP_ERR_UNSUPPORTED, "the array has more than 32 dimensions");
        else
            out->shape[out->rank++] = extent;
        bool comma = take(s, ',');
        ended = take(s, ')');
        if (!comma && (!ended || out->rank == 1))
            refuse(s, SLIP_ERR_FORMAT, "'shape' of the .npy header is no tuple");
    }
}

/* '<f4': byte order, kind, size. */
static void set_type(scan *s, const char *descr, npy_header *out)
{
    char what[256], digits[16] = "";
    char order = descr[0], kind = order ? descr[1] : '\0';
    uint32_t bytes = 0, type = VALUE_TYPE_COUNT;
    int used = 0;

    bool well_formed = kind && strchr("<>|", order) &&
                       sscanf(descr + 2, "%9[0-9]%n", digits, &used) == 1 &&
                       descr[2 + used] == '\0' && digits[0] != '0';
    if (well_formed) {
        sscanf(digits, "%" SCNu32, &bytes);
        well_formed = order != '|' || bytes == 1 || kind == 'V';
        for (type = 0; type < VALUE_TYPE_COUNT; type++)
            if (value_types[type].kind == kind && value_types[type].bytes == bytes)
                break;
    }
    if (!well_formed || (type == VALUE_TYPE_COUNT && kind != 'V')) {
        snprintf(what, sizeof what,
                 "the element type is '%s'; kernels have b1 i1 u1 i2 u2 i4 u4 i8 u8 f4 f8, "
                 "and V<bytes> for structs",
                 descr);
        refuse(s, SLIP_ERR_UNSUPPORTED, what);
    }
    out->type = (value_type)type;
    out->item_bytes = bytes;
    out->swapped = order == '>' && bytes > 1 && kind != 'V';
}

static void take_descr(scan *s, npy_header *out)
{
    char descr[64];

    skip_blanks(s);
    if (s->at < s->end && *s->at == '[') {
        refuse(s, SLIP_ERR_UNSUPPORTED,
               "the elements are records; save a view of raw bytes, "
               "a.view('V%d' % a.itemsize), for an array of structs");
        return;
    }
    take_string(s, descr, sizeof descr);
    if (s->status == SLIP_OK)
        set_type(s, descr, out);
}

static void take_dictionary(scan *s, npy_header *out)
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    unsigned seen = 0;
    char key[32];

    need(s, '{');
    while (s->status == SLIP_OK && !take(s, '}')) {
        unsigned k = 0;
        take_string(s, key, sizeof key);
        need(s, ':');
        while (k < 3 && strcmp(keys[k], key) != 0)
            k++;
        if (s->status == SLIP_OK && (k == 3 || seen & 1u << k))
            refuse(s, SLIP_ERR_FORMAT,
                   "the .npy header has other keys than 'descr', 'fortran_order' and "
                   "'shape', or one twice");
        if (s->status != SLIP_OK)
            return;
        seen |= 1u << k;
        if (k == 0)
            take_descr(s, out);
        else if (k == 1)
            out->fortran = take_bool(s);
        else
            take_shape(s, out);
        if (!take(s, ',')) {
            need(s, '}');
            break;
        }
    }
    skip_blanks(s);
    if (s->status == SLIP_OK && (seen != 7 || s->at != s->end))
        refuse(s, SLIP_ERR_FORMAT,
               seen != 7 ? "the .npy header lacks one of 'descr', 'fortran_order' and 'shape'"
                         : "the .npy header goes on after its dictionary");
}

bool npy_measure(uint32_t rank, const uint64_t *shape, uint32_t item_bytes, uint64_t *out_count,
                 uint64_t *out_bytes)
{
    uint64_t count = 1;
    bool over = false;

    for (uint32_t k = 0; k < rank; k++)
        if (shape[k] == 0)
            count = 0;
    for (uint32_t k = 0; k < rank && count; k++)
        over |= __builtin_mul_overflow(count, shape[k], &count);
    *out_count = count;
    over |= __builtin_mul_overflow(count, (uint64_t)item_bytes, out_bytes);
    return !over && *out_bytes <= PTRDIFF_MAX;
}

/* Finds the dictionary in the box; sets where the data begins. */
static slip_status open_box(const unsigned char *b, size_t size, scan *s, npy_header *out)
{
    if (size < 10 || memcmp(b, "\x93NUMPY", 6) != 0)
        return tool_fail(SLIP_ERR_FORMAT, "%s: this is no .npy file", s->name);
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return tool_fail(SLIP_ERR_FORMAT,
                         "%s: .npy version %d.%d; versions 1.0, 2.0 and 3.0 are read", s->name,
                         b[6], b[7]);
    size_t start = b[6] == 1 ? 10 : 12;
    uint64_t length = b[8] | (uint64_t)b[9] << 8;
    if (b[6] > 1 && size >= 12)
        length |= (uint64_t)b[10] << 16 | (uint64_t)b[11] << 24;
    if (size < start || length > size - start)
        return tool_fail(SLIP_ERR_FORMAT,
                         "%s: cut off in the .npy header, which has %" PRIu64 " bytes", s->name,
                         length);
    out->data_offset = start + (size_t)length;
    s->at = (const char *)b + start;
    s->end = s->at + length;
    return SLIP_OK;
}

slip_status npy_header_read(const void *bytes, size_t size, const char *name, npy_header *out)
{
    npy_header made = { 0 };
    scan s = { .name = name };

    TOOL_TRY(open_box(bytes, size, &s, &made));
    take_dictionary(&s, &made);
    if (!npy_measure(made.rank, made.shape, made.item_bytes, &made.count, &made.bytes))
        refuse(&s, SLIP_ERR_FORMAT, "the shape of the .npy header passes 2^63 bytes");
    if (s.status == SLIP_OK)
        *out = made;
    return s.status;
}

const char *npy_descr_text(value_type type, uint32_t item_bytes, char out[NPY_DESCR_BYTES])
{
    bool raw = type == VALUE_TYPE_COUNT;

    snprintf(out, NPY_DESCR_BYTES, "%c%c%" PRIu32, raw || item_bytes == 1 ? '|' : '<',
             raw ? 'V' : value_types[type].kind, item_bytes);
    return out;
}

const char *npy_shape_text(uint32_t rank, const uint64_t *shape, char out[NPY_SHAPE_TEXT_BYTES])
{
    size_t at = 1;

    strcpy(out, "(");
    for (uint32_t k = 0; k < rank; k++)
        at += (size_t)snprintf(out + at, NPY_SHAPE_TEXT_BYTES - at, "%s%" PRIu64, k ? ", " : "",
                               shape[k]);
    strcpy(out + at, rank == 1 ? ",)" : ")");
    return out;
}

size_t npy_header_write(const npy_array *array, char out[NPY_HEADER_BYTES])
{
    char shape[NPY_SHAPE_TEXT_BYTES], descr[NPY_DESCR_BYTES];
    size_t room = NPY_HEADER_BYTES - 10;

    memcpy(out, "\x93NUMPY\x01\x00", 8);
    size_t length = (size_t)snprintf(
        out + 10, room, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
        npy_descr_text(array->type, array->item_bytes, descr), array->fortran ? "True" : "False",
        npy_shape_text(array->rank, array->shape, shape));
    size_t whole = (10 + length + 1 + 63) / 64 * 64;
    memset(out + 10 + length, ' ', whole - 10 - length);
    out[whole - 1] = '\n';
    out[8] = (char)((whole - 10) & 0xff);
    out[9] = (char)((whole - 10) >> 8);
    return whole;
}
