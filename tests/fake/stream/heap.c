/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - memory of the look-alike's own, under its lock. A sanitizer's heap would say of what one
 * thread frees and another made that nothing orders them, since it does not see the lock.
 *
 * Blocks of powers of two, each behind a header, kept in lists when they are free; large ones are
 * pages of their own.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { HEADER = 64, SMALLEST = 6, CLASSES = 14, CHUNK = 1 << 20 }; /* blocks of 64 to 2^19 bytes */

typedef struct block {
    size_t bytes; /* with the header */
    struct block *next;
} block;

static block *free_blocks[CLASSES];
static uint8_t *chunk;
static size_t chunk_left;

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *malloc(size_t bytes);
HIDDEN void *calloc(size_t count, size_t bytes);
HIDDEN void *realloc(void *old, size_t bytes);
HIDDEN void *aligned_alloc(size_t alignment, size_t bytes);
HIDDEN void free(void *memory);

static void *pages(size_t bytes)
{
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return made == MAP_FAILED ? NULL : made;
}

static block *from_chunk(size_t bytes)
{
    if (chunk_left < bytes) {
        chunk = pages(CHUNK);
        chunk_left = chunk ? CHUNK : 0;
    }
    if (!chunk)
        return NULL;
    block *made = (block *)(void *)chunk;
    chunk += bytes;
    chunk_left -= bytes;
    return made;
}

/* Memory is aligned to 64 bytes. */
void *malloc(size_t bytes)
{
    size_t whole = bytes + HEADER;
    uint32_t class = 0;
    block *made;

    while (class < CLASSES && (size_t)1 << (class + SMALLEST) < whole)
        class ++;
    if (class == CLASSES) {
        made = pages(whole);
    } else {
        whole = (size_t)1 << (class + SMALLEST);
        made = free_blocks[class];
        if (made)
            free_blocks[class] = made->next;
        else
            made = from_chunk(whole);
    }
    if (!made)
        return NULL;
    made->bytes = whole;
    return (uint8_t *)made + HEADER;
}

void free(void *memory)
{
    block *b = memory ? (block *)(void *)((uint8_t *)memory - HEADER) : NULL;
    uint32_t class = 0;

    if (!b)
        return;
    while (class < CLASSES && (size_t)1 << (class + SMALLEST) < b->bytes)
        class ++;
    if (class == CLASSES) {
        munmap(b, b->bytes);
    } else {
        b->next = free_blocks[class];
        free_blocks[class] = b;
    }
}

void *calloc(size_t count, size_t bytes)
{
    void *made = malloc(count * bytes);

    return made ? memset(made, 0, count * bytes) : NULL;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return alignment <= HEADER ? malloc(bytes) : NULL;
}

void *realloc(void *old, size_t bytes)
{
    void *made = malloc(bytes);
    size_t room = old ? ((block *)(void *)((uint8_t *)old - HEADER))->bytes - HEADER : 0;

    if (made && old)
        memcpy(made, old, room < bytes ? room : bytes);
    if (made)
        free(old);
    return made;
}
