/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chance.c - chance that follows from the seed alone, texts that live as long as the maker, and
 * lines of source.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/make.h"

/* SplitMix64: every seed gives a sequence of its own. */
uint32_t pick(maker *m, uint32_t below)
{
    m->random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = m->random;

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return below ? (uint32_t)((z >> 32) * below >> 32) : 0;
}

bool chance(maker *m, uint32_t percent)
{
    return pick(m, 100) < percent;
}

typedef struct chunk {
    struct chunk *next;
    size_t used, bytes;
    char text[];
} chunk;

static void *need(void *memory)
{
    if (!memory) {
        fputs("the generator is out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

static char *take(maker *m, size_t bytes)
{
    chunk *c = m->chunks;

    if (!c || c->bytes - c->used < bytes) {
        size_t size = bytes > 65536 ? bytes : 65536;
        c = need(malloc(sizeof *c + size));
        *c = (chunk){ .next = m->chunks, .bytes = size };
        m->chunks = c;
    }
    c->used += bytes;
    return c->text + c->used - bytes;
}

const char *format(maker *m, const char *pattern, ...)
{
    va_list args, again;

    va_start(args, pattern);
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(NULL, 0, pattern, args);
    char *made = take(m, length + 1);
    vsnprintf(made, length + 1, pattern, again);
    va_end(again);
    va_end(args);
    return made;
}

static void add(maker *m, const char *text, size_t length)
{
    if (m->bytes + length + 1 > m->capacity) {
        m->capacity = 2 * (m->bytes + length + 1);
        m->out = need(realloc(m->out, m->capacity));
    }
    memcpy(m->out + m->bytes, text, length);
    m->bytes += length;
    m->out[m->bytes] = 0;
}

/* A line that ends a block goes out by one step, one that opens a block takes the next ones in. */
void line(maker *m, const char *pattern, ...)
{
    va_list args, again;

    va_start(args, pattern);
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(NULL, 0, pattern, args);
    char *made = take(m, length + 1);
    vsnprintf(made, length + 1, pattern, again);
    va_end(again);
    va_end(args);
    if (made[0] == '}')
        m->depth--;
    for (uint32_t i = 0; i < m->depth && length > 0; i++)
        add(m, "    ", 4);
    add(m, made, length);
    add(m, "\n", 1);
    if (length > 0 && made[length - 1] == '{')
        m->depth++;
}

void maker_finish(maker *m)
{
    while (m->chunks) {
        chunk *next = m->chunks->next;
        free(m->chunks);
        m->chunks = next;
    }
}
