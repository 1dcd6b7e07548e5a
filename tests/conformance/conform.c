/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conform.c - runs a case on each device; memory between guards; comparison.
 *
 * Must never leave a case by longjmp (see conform.h): only conform_run, back on the test's own
 * stack, ends the case.
 */
#include "conform_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTES = 64, GUARD = 0xa5 };

/* A block of host memory (guards around `bytes`), or of device memory. */
struct conform_block {
    conform_block *next;
    unsigned char *start; /* NULL: device memory */
    size_t bytes;
    void *resident;
};

/* ---- memory ---- */

static conform_block *block_add(conform *c)
{
    conform_block *block = calloc(1, sizeof *block);

    if (!block) {
        conform_fail(c, "the test ran out of memory");
        return NULL;
    }
    block->next = c->blocks;
    c->blocks = block;
    return block;
}

/* Without memory the case has failed; the block returned then only keeps the test from crashing. */
static void *host_block(conform *c, size_t bytes)
{
    static unsigned char nothing[1];
    conform_block *block = block_add(c);

    if (!block)
        return nothing;
    /* Exactly after the lower guard and of exact size, so that ASan sees the reference overrun. */
    block->start = malloc(GUARD_BYTES + bytes + GUARD_BYTES);
    if (!block->start) {
        conform_fail(c, "the test ran out of memory for %zu bytes", bytes);
        return nothing;
    }
    block->bytes = bytes;
    memset(block->start, GUARD, GUARD_BYTES);
    memset(block->start + GUARD_BYTES + bytes, GUARD, GUARD_BYTES);
    return block->start + GUARD_BYTES;
}

static void check_guards(conform *c, const conform_block *block)
{
    const unsigned char *after = block->start + GUARD_BYTES + block->bytes;

    for (int i = 0; i < GUARD_BYTES; i++) {
        if (block->start[i] != GUARD)
            conform_fail(c, "byte %d before an array of %zu bytes was written",
                         GUARD_BYTES - i, block->bytes);
        if (after[i] != GUARD)
            conform_fail(c, "byte %d after an array of %zu bytes was written", i, block->bytes);
    }
}

void conform_release(conform *c, const conform_block *until)
{
    while (c->blocks != until) {
        conform_block *block = c->blocks;
        c->blocks = block->next;
        if (block->start)
            check_guards(c, block);
        free(block->start);
        if (block->resident)
            slip_free(c->device, block->resident);
        free(block);
    }
}

void *conform_values(conform *c, conform_type type, conform_fill fill, size_t count)
{
    void *values = host_block(c, count * conform_bytes(type));

    if (c->failure[0] == '\0')
        conform_fill_values(values, type, fill, count, ++c->seed);
    return values;
}

conform_pair conform_pair_copy(conform *c, conform_type type, const void *from, size_t count)
{
    size_t bytes = count * conform_bytes(type);
    conform_pair pair = { .count = count, .type = type };

    for (int side = 0; side < 2; side++) {
        pair.side[side] = host_block(c, bytes);
        if (bytes && c->failure[0] == '\0')
            memcpy(pair.side[side], from, bytes);
    }
    return pair;
}

conform_pair conform_pair_make(conform *c, conform_type type, conform_fill fill, size_t count)
{
    return conform_pair_copy(c, type, conform_values(c, type, fill, count), count);
}

void *conform_resident(conform *c, const void *from, size_t bytes)
{
    conform_block *block = block_add(c);
    void *memory = NULL;

    if (!block)
        return NULL;
    conform_status(c, slip_alloc(c->device, bytes, &memory), "slip_alloc");
    block->resident = memory;
    if (memory && bytes)
        conform_status(c, slip_upload(c->on, memory, from, bytes), "slip_upload");
    return memory;
}

void conform_fetch(conform *c, void *to, const void *resident, size_t bytes)
{
    if (c->failure[0] == '\0' && bytes)
        conform_status(c, slip_download(c->on, to, resident, bytes), "slip_download");
}

/* ---- rounds ---- */

bool conform_each(conform *c, int64_t at, const int64_t *sizes, size_t count, int64_t *out_size)
{
    if (at)
        conform_release(c, c->before_rounds);
    c->before_rounds = c->blocks;
    c->size = -1;
    if ((size_t)at == count || c->failure[0] != '\0')
        return false;
    c->size = *out_size = sizes[at];
    return true;
}

bool conform_round(conform *c, int at, int32_t *out_size)
{
    static const int64_t sizes[] = { 0, 1, 7, 64, 1000, 1025, 5000 };
    int64_t size;

    if (!conform_each(c, at, sizes, sizeof sizes / sizeof sizes[0], &size))
        return false;
    *out_size = (int32_t)size;
    return true;
}

/* ---- checks ---- */

void conform_fail(conform *c, const char *format, ...)
{
    va_list args;
    size_t used;

    if (c->failure[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(c->failure, sizeof c->failure, format, args);
    va_end(args);
    used = strlen(c->failure);
    if (c->size >= 0)
        snprintf(c->failure + used, sizeof c->failure - used, ", at size %" PRId64, c->size);
}

void conform_status(conform *c, slip_status status, const char *kernel)
{
    if (status != SLIP_OK)
        conform_fail(c, "%s returned %s: %s", kernel, slip_status_name(status),
                     slip_last_error()->message);
}

void conform_refused(conform *c, slip_status got, slip_status want, const char *part,
                     const char *kernel)
{
    if (got != want)
        conform_fail(c, "%s returned %s, expected %s", kernel, slip_status_name(got),
                     slip_status_name(want));
    else if (!strstr(slip_last_error()->message, part))
        conform_fail(c, "%s says \"%s\", expected it to contain \"%s\"", kernel,
                     slip_last_error()->message, part);
}

/* The value's bits, zero-extended. */
static uint64_t bits_of(conform_type type, const unsigned char *at)
{
    uint64_t bits = 0;

    memcpy(&bits, at, conform_bytes(type)); /* little-endian, as the language is */
    return bits;
}

static double value_of(conform_type type, uint64_t bits)
{
    float narrow;
    double wide;

    switch (type) {
    case TYPE_i8:
        return (int8_t)bits;
    case TYPE_i16:
        return (int16_t)bits;
    case TYPE_i32:
        return (int32_t)bits;
    case TYPE_i64:
        return (double)(int64_t)bits;
    case TYPE_u8:
    case TYPE_u16:
    case TYPE_u32:
    case TYPE_u64:
    case TYPE_bool:
        return (double)bits;
    case TYPE_f32:
        memcpy(&narrow, &bits, sizeof narrow);
        return (double)narrow;
    case TYPE_f64:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
    return 0;
}

/* Equal bits, or both not a number. */
static bool values_equal(conform_type type, uint64_t a, uint64_t b)
{
    if (a == b)
        return true;
    return (type == TYPE_f32 || type == TYPE_f64) && isnan(value_of(type, a)) &&
           isnan(value_of(type, b));
}

static void same_at(conform *c, const char *name, const char *member, size_t index,
                    conform_type type, const void *got, const void *want)
{
    uint64_t a = bits_of(type, got), b = bits_of(type, want);

    if (!values_equal(type, a, b))
        conform_fail(c, "%s[%zu]%s%s is %.17g (0x%" PRIx64 "), expected %.17g (0x%" PRIx64 ")",
                     name, index, *member ? "." : "", member, value_of(type, a), a,
                     value_of(type, b), b);
}

void conform_same(conform *c, const char *name, conform_type type, const void *got,
                  const void *want, size_t count)
{
    size_t bytes = conform_bytes(type);

    if (c->failure[0] != '\0' || count == 0 || memcmp(got, want, count * bytes) == 0)
        return;
    for (size_t i = 0; i < count && c->failure[0] == '\0'; i++)
        same_at(c, name, "", i, type, (const char *)got + i * bytes,
                (const char *)want + i * bytes);
}

void conform_same_fields(conform *c, const char *name, const void *got, const void *want,
                         size_t stride, size_t count, const conform_field *fields,
                         size_t field_count)
{
    for (size_t i = 0; i < count && c->failure[0] == '\0'; i++)
        for (size_t f = 0; f < field_count; f++)
            for (size_t k = 0; k < fields[f].count; k++) {
                size_t at = i * stride + fields[f].offset + k * conform_bytes(fields[f].type);
                same_at(c, name, fields[f].name, i, fields[f].type, (const char *)got + at,
                        (const char *)want + at);
            }
}

void conform_true(conform *c, bool claim, const char *text, const char *file, int line)
{
    if (!claim)
        conform_fail(c, "%s:%d: not so: %s", file, line, text);
}

void conform_i64(conform *c, int64_t got, int64_t want, const char *text, const char *file,
                 int line)
{
    if (got != want)
        conform_fail(c, "%s:%d: %s is %" PRId64 ", expected %" PRId64, file, line, text, got,
                     want);
}

void conform_near(conform *c, double got, double want, double bound, const char *text,
                  const char *file, int line)
{
    if (!(fabs(got - want) <= bound))
        conform_fail(c, "%s:%d: %s is %.17g, expected %.17g within %g", file, line, text, got,
                     want, bound);
}
