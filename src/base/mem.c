/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mem.c - checked sizes, counted heap blocks, and the arena of one compile.
 *
 * Every heap block of both libraries comes from here, so that tests can fail the k-th request
 * and see what is left. Must never abort: what does not fit is reported as SLIP_ERR_MEMORY.
 */
#define _GNU_SOURCE
#include "base/mem.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"

#if defined(__SANITIZE_ADDRESS__)
#define MEM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_ASAN 1
#endif
#endif
#ifdef MEM_ASAN
#include <sanitizer/asan_interface.h>
#endif

enum {
#ifdef SLIP_TEST_SMALL
    FIRST_ELEMENTS = 1, /* growth runs in every test */
#else
    FIRST_ELEMENTS = 8,
#endif
    ARENA_ALIGN = 16,
#ifdef MEM_ASAN
    ARENA_GAP = 16 /* poisoned bytes after each block, so that an overrun is seen */
#else
    ARENA_GAP = 0
#endif
};

/* The head room between limit and reserved is as large as the limit itself. */
static const size_t arena_most = (size_t)2 << 30;
static const size_t arena_least = (size_t)64 << 20;

static atomic_uint_fast64_t live_blocks;
static atomic_uint_fast64_t fail_countdown; /* 0: off; 1: the next request fails */

bool mem_mul(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t product;

    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *out = product;
    return true;
}

bool mem_add(uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t sum;

    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

void mem_fail_at(uint64_t k)
{
    atomic_store(&fail_countdown, k);
}

uint64_t mem_live(void)
{
    return atomic_load(&live_blocks);
}

/* Counts one request; true for the one that a test wants to fail. */
static bool told_to_fail(void)
{
    uint_fast64_t left = atomic_load(&fail_countdown);

    while (left != 0)
        if (atomic_compare_exchange_weak(&fail_countdown, &left, left - 1))
            return left == 1;
    return false;
}

/* `beside`: bytes that no message counts. `out` is the address of some T *, not of a void *: hence
 * memcpy in place of an assignment. */
static slip_status new_beside(size_t bytes, size_t beside, void **out)
{
    uint64_t all;
    void *made = NULL;

    if (!told_to_fail() && mem_add(bytes, beside, &all) && all <= SIZE_MAX / 2)
        made = calloc(1, all ? all : 1);
    if (!made)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %zu bytes", bytes);
    atomic_fetch_add(&live_blocks, 1);
    memcpy(out, &made, sizeof made);
    return SLIP_OK;
}

slip_status mem_new(size_t bytes, void **out)
{
    return new_beside(bytes, 0, out);
}

/* The heap's block is noted just before what is given out. */
slip_status mem_new_aligned(size_t bytes, size_t align, void **out)
{
    void *block = NULL;

    SLIP_TRY(new_beside(bytes, sizeof block + align - 1, &block));
    uintptr_t start = ((uintptr_t)block + sizeof block + align - 1) & ~(uintptr_t)(align - 1);
    void **made = (void **)start;
    made[-1] = block;
    memcpy(out, &made, sizeof made);
    return SLIP_OK;
}

slip_status mem_grow(void **ptr, size_t *capacity, size_t count, size_t element_bytes)
{
    void *old, *made;
    size_t elements = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
    uint64_t bytes;

    if (count <= *capacity)
        return SLIP_OK;
    if (elements < FIRST_ELEMENTS)
        elements = FIRST_ELEMENTS;
    if (elements < count)
        elements = count;
    memcpy(&old, ptr, sizeof old);
    if (!mem_mul(elements, element_bytes, &bytes) || bytes > SIZE_MAX / 2)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %zu elements of %zu bytes", elements,
                         element_bytes);
    made = told_to_fail() ? NULL : realloc(old, bytes ? bytes : 1);
    if (!made)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for %zu elements of %zu bytes", elements,
                         element_bytes);
    if (!old)
        atomic_fetch_add(&live_blocks, 1);
    memset((char *)made + *capacity * element_bytes, 0, (elements - *capacity) * element_bytes);
    memcpy(ptr, &made, sizeof made);
    *capacity = elements;
    return SLIP_OK;
}

void mem_free(void *ptr)
{
    if (!ptr)
        return;
    atomic_fetch_sub(&live_blocks, 1);
    free(ptr);
}

void mem_free_aligned(void *ptr)
{
    if (ptr)
        mem_free(((void **)ptr)[-1]);
}

slip_status mem_arena_init(mem_arena *arena)
{
    size_t reserved = arena_most;
    void *base = MAP_FAILED;

    if (!told_to_fail())
        for (; reserved >= arena_least; reserved /= 2) {
            base = mmap(NULL, reserved, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (base != MAP_FAILED)
                break;
        }
    if (base == MAP_FAILED)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "no %zu MiB of address space for a compile",
                         arena_least >> 20);
    atomic_fetch_add(&live_blocks, 1);
    *arena = (mem_arena){ .base = base, .limit = reserved / 2, .reserved = reserved };
    return SLIP_OK;
}

void mem_arena_finish(mem_arena *arena)
{
    if (arena->base) {
#ifdef MEM_ASAN
        ASAN_UNPOISON_MEMORY_REGION(arena->base, arena->used);
#endif
        munmap(arena->base, arena->reserved);
        atomic_fetch_sub(&live_blocks, 1);
    }
    *arena = (mem_arena){ 0 };
}

bool mem_arena_full(const mem_arena *arena)
{
    return arena->used > arena->limit;
}

void mem_arena_rewind(mem_arena *arena, size_t mark)
{
#ifdef MEM_ASAN
    ASAN_UNPOISON_MEMORY_REGION(arena->base + mark, arena->used - mark);
#endif
    memset(arena->base + mark, 0, arena->used - mark);
    arena->used = mark;
}

/* Unused pages are zero and no block is handed out twice, so nothing is cleared here. */
void *arena_new(mem_arena *arena, size_t bytes)
{
    uint8_t *made = arena->base + arena->used;
    size_t room = arena->reserved - arena->used;

    if (room < ARENA_ALIGN + ARENA_GAP || bytes > room - ARENA_ALIGN - ARENA_GAP)
        return NULL;
    arena->used += (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN + ARENA_GAP;
#ifdef MEM_ASAN
    ASAN_POISON_MEMORY_REGION(made + bytes, (size_t)(arena->base + arena->used - made) - bytes);
#endif
    return made;
}

char *arena_text(mem_arena *arena, const char *format, ...)
{
    va_list args, again;
    char *made = NULL;

    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0)
        made = arena_new(arena, (size_t)length + 1);
    if (made)
        vsnprintf(made, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return made;
}

char *arena_copy(mem_arena *arena, const char *text, size_t bytes)
{
    char *made = bytes < SIZE_MAX ? arena_new(arena, bytes + 1) : NULL;

    if (made && bytes)
        memcpy(made, text, bytes);
    return made;
}

void *arena_grow(mem_arena *arena, void *old, uint32_t *capacity, uint32_t count,
                 size_t element_bytes)
{
    uint32_t elements = *capacity > UINT32_MAX / 2 ? UINT32_MAX : *capacity * 2;
    uint64_t bytes;
    void *made;

    if (count <= *capacity)
        return old;
    if (elements < FIRST_ELEMENTS)
        elements = FIRST_ELEMENTS;
    if (elements < count)
        elements = count;
    if (!mem_mul(elements, element_bytes, &bytes))
        return NULL;
    made = arena_new(arena, bytes);
    if (!made)
        return NULL;
    if (*capacity)
        memcpy(made, old, *capacity * element_bytes);
    *capacity = elements;
    return made;
}
