/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mem.h - checked sizes, heap memory that can be made to fail in tests, and the compile arena.
 */
#ifndef SLIPWAY_BASE_MEM_H
#define SLIPWAY_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

/* False where the result does not fit; *out is then untouched. */
bool mem_mul(uint64_t a, uint64_t b, uint64_t *out);
bool mem_add(uint64_t a, uint64_t b, uint64_t *out);

/* Heap memory, zeroed. Fails with SLIP_ERR_MEMORY and leaves *out untouched. Free takes NULL. */
slip_status mem_new(size_t bytes, void **out) SLIP_MUST_USE;
/* Grows *ptr (capacity in elements) so that `count` elements fit, keeping contents and zeroing the
 * rest. */
slip_status mem_grow(void **ptr, size_t *capacity, size_t count,
                     size_t element_bytes) SLIP_MUST_USE;
void mem_free(void *ptr);

enum { MEM_LINE = 64 }; /* bytes of a cache line */

/* The same at a multiple of `align`, a power of two no less than a pointer's size; given back by
 * the other free, which takes NULL. */
slip_status mem_new_aligned(size_t bytes, size_t align, void **out) SLIP_MUST_USE;
void mem_free_aligned(void *ptr);

/* Tests only: the k-th mem_new/mem_grow from now fails (0: none). mem_live counts blocks not freed.
 */
void mem_fail_at(uint64_t k);
uint64_t mem_live(void);

/*
 * mem_arena - memory of one compile, all given back at once.
 *
 * One range of address space is reserved at init and touched as needed, so arena_new never
 * returns NULL while the caller keeps to the limit: users ask mem_arena_full() at statement
 * or function granularity and refuse the input when it says so.
 */
typedef struct mem_arena {
    uint8_t *base;
    size_t used, limit, reserved; /* limit < reserved: the head room between two asks */
} mem_arena;

slip_status mem_arena_init(mem_arena *arena) SLIP_MUST_USE;
void mem_arena_finish(mem_arena *arena); /* takes a zeroed arena */
bool mem_arena_full(const mem_arena *arena);
/* Gives back everything made since `mark` (a value of arena->used): work done again and again in
 * one arena. */
void mem_arena_rewind(mem_arena *arena, size_t mark);
void *arena_new(mem_arena *arena, size_t bytes); /* zeroed, aligned to 16 */
char *arena_text(mem_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_copy(mem_arena *arena, const char *text, size_t bytes); /* terminated */
/* Grows an arena array: returns a place for `count` elements with the old ones kept (the old copy
 * is abandoned). *capacity starts at 0. */
void *arena_grow(mem_arena *arena, void *old, uint32_t *capacity, uint32_t count,
                 size_t element_bytes);

#endif
