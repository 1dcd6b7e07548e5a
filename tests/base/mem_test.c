/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mem_test.c - sizes that do not fit, blocks that are counted, requests that fail, the arena.
 */
#include "base/mem.h"

#include <string.h>

#include "support/check.h"

static void products_and_sums_are_refused_exactly_where_they_overflow(void)
{
    uint64_t out = 7;

    CHECK(mem_mul(UINT64_C(0xffffffff), UINT64_C(0x100000001), &out));
    CHECK_EQ_U64(out, UINT64_MAX); /* 2^64 - 1 = (2^32 - 1)(2^32 + 1) */
    out = 7;
    CHECK(!mem_mul(UINT64_C(0x100000000), UINT64_C(0x100000000), &out));
    CHECK(!mem_mul(UINT64_MAX, 2, &out));
    CHECK_EQ_U64(out, 7);
    CHECK(mem_mul(UINT64_MAX, 0, &out));
    CHECK_EQ_U64(out, 0);
    CHECK(mem_add(UINT64_MAX - 5, 5, &out));
    CHECK_EQ_U64(out, UINT64_MAX);
    out = 7;
    CHECK(!mem_add(UINT64_MAX - 5, 6, &out));
    CHECK_EQ_U64(out, 7);
}

static void new_memory_is_zero_and_counted(void)
{
    uint64_t before = mem_live();
    unsigned char *p = NULL, *empty = NULL;

    CHECK_STATUS(mem_new(1000, (void **)&p), SLIP_OK);
    for (size_t i = 0; i < 1000; i++)
        CHECK_EQ_U64(p[i], 0);
    CHECK_STATUS(mem_new(0, (void **)&empty), SLIP_OK);
    CHECK(empty != NULL);
    CHECK_EQ_U64(mem_live(), before + 2);
    mem_free(p);
    mem_free(empty);
    mem_free(NULL);
    CHECK_EQ_U64(mem_live(), before);
}

static void aligned_memory_is_zero_and_counted(void)
{
    uint64_t before = mem_live();

    for (size_t align = 8; align <= 4096; align *= 2)
        for (size_t bytes = 0; bytes < 200; bytes += 33) {
            unsigned char *p = NULL;
            CHECK_STATUS(mem_new_aligned(bytes, align, (void **)&p), SLIP_OK);
            CHECK_EQ_U64((uintptr_t)p % align, 0);
            for (size_t i = 0; i < bytes; i++)
                CHECK_EQ_U64(p[i], 0);
            if (bytes > 0)
                memset(p, 0xa5, bytes);
            CHECK_EQ_U64(mem_live(), before + 1);
            mem_free_aligned(p);
            CHECK_EQ_U64(mem_live(), before);
        }
    mem_free_aligned(NULL);
    CHECK_EQ_U64(mem_live(), before);
}

static void growing_keeps_the_old_and_zeroes_the_rest(void)
{
    uint64_t before = mem_live();
    uint32_t *list = NULL;
    size_t capacity = 0;

    for (uint32_t i = 0; i < 1000; i++) {
        CHECK_STATUS(mem_grow((void **)&list, &capacity, i + 1, sizeof *list), SLIP_OK);
        CHECK(capacity > i);
        for (size_t rest = i; rest < capacity; rest++)
            CHECK_EQ_U64(list[rest], 0);
        list[i] = i * 3 + 1;
    }
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_EQ_U64(list[i], i * 3 + 1);
    CHECK_EQ_U64(mem_live(), before + 1);
    size_t wanted = capacity * 5 + 3; /* more than doubling gives */
    CHECK_STATUS(mem_grow((void **)&list, &capacity, wanted, sizeof *list), SLIP_OK);
    CHECK(capacity >= wanted);
    CHECK_EQ_U64(list[wanted - 1], 0);
    mem_free(list);
    CHECK_EQ_U64(mem_live(), before);
}

static void a_request_that_cannot_be_met_changes_nothing(void)
{
    uint64_t before = mem_live();
    uint64_t *list = NULL;
    size_t capacity = 0;
    void *kept = &capacity;

    CHECK_STATUS(mem_new(SIZE_MAX / 2 + 1, &kept), SLIP_ERR_MEMORY);
    CHECK(kept == &capacity);
    CHECK_STATUS(mem_new_aligned(SIZE_MAX - 20, 64, &kept), SLIP_ERR_MEMORY);
    CHECK(kept == &capacity);
    CHECK_STATUS(mem_grow((void **)&list, &capacity, SIZE_MAX / 8 + 2, 8), SLIP_ERR_MEMORY);
    CHECK_STATUS(mem_grow((void **)&list, &capacity, SIZE_MAX / 2, 8), SLIP_ERR_MEMORY);
    CHECK(list == NULL && capacity == 0);
    CHECK_STATUS(mem_grow((void **)&list, &capacity, 3, 8), SLIP_OK);
    list[2] = 42;
    size_t had = capacity;
    CHECK_STATUS(mem_grow((void **)&list, &capacity, SIZE_MAX, 8), SLIP_ERR_MEMORY);
    CHECK_EQ_U64(capacity, had);
    CHECK_EQ_U64(list[2], 42);
    mem_free(list);
    CHECK_EQ_U64(mem_live(), before);
}

/* Three requests, made so that each may fail. */
static slip_status make_three(void *out[3])
{
    void *made[3] = { 0 };
    size_t capacity = 0;
    slip_status status = mem_new(8, &made[0]);

    if (status != SLIP_OK)
        goto fail;
    status = mem_grow(&made[1], &capacity, 5, 8);
    if (status != SLIP_OK)
        goto fail;
    status = mem_new(16, &made[2]);
    if (status != SLIP_OK)
        goto fail;
    memcpy(out, made, sizeof made);
    return SLIP_OK;
fail:
    for (int i = 0; i < 3; i++)
        mem_free(made[i]);
    return status;
}

static void the_kth_request_fails_and_only_that_one(void)
{
    uint64_t before = mem_live(), k;

    for (k = 1;; k++) {
        void *out[3] = { 0 };
        fail_clear();
        mem_fail_at(k);
        slip_status status = make_three(out);
        CHECK_EQ_I64(fail_last()->code, status);
        if (status == SLIP_OK) {
            mem_fail_at(0);
            for (int i = 0; i < 3; i++)
                mem_free(out[i]);
            break;
        }
        CHECK(out[0] == NULL);
        CHECK_EQ_U64(mem_live(), before);
        CHECK_STATUS(make_three(out), SLIP_OK); /* the countdown is spent */
        for (int i = 0; i < 3; i++)
            mem_free(out[i]);
    }
    CHECK_EQ_U64(k, 4);
    CHECK_EQ_U64(mem_live(), before);
}

static void a_grow_that_fits_makes_no_request(void)
{
    void *list = NULL;
    size_t capacity = 0;

    CHECK_STATUS(mem_grow(&list, &capacity, 4, 4), SLIP_OK);
    mem_fail_at(1);
    CHECK_STATUS(mem_grow(&list, &capacity, capacity, 4), SLIP_OK);
    CHECK_STATUS(mem_grow(&list, &capacity, capacity + 1, 4), SLIP_ERR_MEMORY);
    mem_fail_at(0);
    mem_free(list);
}

static void arena_blocks_are_zero_aligned_and_apart(void)
{
    mem_arena arena = { 0 };
    uint8_t *blocks[100];

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    for (size_t i = 0; i < 100; i++) {
        blocks[i] = arena_new(&arena, i);
        CHECK(blocks[i] != NULL);
        CHECK_EQ_U64((uintptr_t)blocks[i] % 16, 0);
        for (size_t at = 0; at < i; at++)
            CHECK_EQ_U64(blocks[i][at], 0);
        memset(blocks[i], (int)i, i);
    }
    for (size_t i = 0; i < 100; i++)
        for (size_t at = 0; at < i; at++)
            CHECK_EQ_U64(blocks[i][at], i);
    CHECK(!mem_arena_full(&arena));
    mem_arena_finish(&arena);
    mem_arena_finish(&arena);
}

static void an_arena_is_full_at_its_limit_and_still_has_head_room(void)
{
    mem_arena arena = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK(arena.limit < arena.reserved);
    CHECK(arena_new(&arena, arena.limit - 64) != NULL); /* untouched pages cost nothing */
    CHECK(!mem_arena_full(&arena));
    CHECK(arena_new(&arena, 128) != NULL);
    CHECK(mem_arena_full(&arena));
    CHECK(arena_new(&arena, 1 << 20) != NULL);
    CHECK(arena_new(&arena, arena.reserved) == NULL);
    CHECK(arena_new(&arena, SIZE_MAX) == NULL);
    CHECK(arena_new(&arena, 1) != NULL); /* a refusal takes nothing */
    mem_arena_finish(&arena);
}

static void arena_arrays_grow_with_their_contents(void)
{
    mem_arena arena = { 0 };
    uint16_t *list = NULL;
    uint32_t capacity = 0;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    for (uint32_t i = 0; i < 500; i++) {
        list = arena_grow(&arena, list, &capacity, i + 1, sizeof *list);
        CHECK(list != NULL && capacity > i);
        CHECK_EQ_U64(list[i], 0);
        list[i] = (uint16_t)(i ^ 0x55);
    }
    for (uint32_t i = 0; i < 500; i++)
        CHECK_EQ_U64(list[i], i ^ 0x55);
    uint32_t had = capacity;
    CHECK(arena_grow(&arena, list, &capacity, UINT32_MAX, 1 << 20) == NULL);
    CHECK_EQ_U64(capacity, had);
    mem_arena_finish(&arena);
}

static void arena_texts_are_formatted_copied_and_terminated(void)
{
    mem_arena arena = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_TEXT(arena_text(&arena, "%s_%d", "axis", 3), "axis_3");
    CHECK_TEXT(arena_text(&arena, "%s", ""), "");
    CHECK_TEXT(arena_copy(&arena, "headless", 4), "head");
    CHECK_TEXT(arena_copy(&arena, NULL, 0), "");
    mem_arena_finish(&arena);
}

static void an_arena_counts_as_one_request_and_one_block(void)
{
    uint64_t before = mem_live();
    mem_arena arena = { 0 };

    mem_fail_at(1);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_ERR_MEMORY);
    CHECK(arena.base == NULL);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_EQ_U64(mem_live(), before + 1);
    mem_arena_finish(&arena);
    CHECK_EQ_U64(mem_live(), before);
}

static const check_case cases[] = {
    CASE(products_and_sums_are_refused_exactly_where_they_overflow),
    CASE(new_memory_is_zero_and_counted),
    CASE(aligned_memory_is_zero_and_counted),
    CASE(growing_keeps_the_old_and_zeroes_the_rest),
    CASE(a_request_that_cannot_be_met_changes_nothing),
    CASE(the_kth_request_fails_and_only_that_one),
    CASE(a_grow_that_fits_makes_no_request),
    CASE(arena_blocks_are_zero_aligned_and_apart),
    CASE(an_arena_is_full_at_its_limit_and_still_has_head_room),
    CASE(arena_arrays_grow_with_their_contents),
    CASE(arena_texts_are_formatted_copied_and_terminated),
    CASE(an_arena_counts_as_one_request_and_one_block),
};
CHECK_MAIN(cases)
