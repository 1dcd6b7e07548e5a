/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read_test.c - a module comes back as it was written, and no change of its bytes does harm.
 */
#include "module/read.h"

#include <stdlib.h>
#include <string.h>

#include "module/codec.h"
#include "module/print.h"
#include "module/whole.h"
#include "support/check.h"

/* A copy whose end is the end of its heap block, so that a read past it is seen. */
static uint8_t *exact_copy(const void *bytes, size_t size)
{
    uint8_t *made = malloc(size ? size : 1);

    CHECK(made != NULL);
    memcpy(made, bytes, size);
    return made;
}

static void every_field_comes_back(void)
{
    whole w;
    mem_arena arena = { 0 };
    const mod_module *back = NULL;
    text told = { 0 }, expected = { 0 };

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(mod_read(&arena, text_get(&file), file.bytes, &back), SLIP_OK);
    whole_tell(&expected, &w.m);
    whole_tell(&told, back);
    CHECK_TEXT(text_get(&told), text_get(&expected));
    text_finish(&told);
    text_finish(&expected);
    text_finish(&file);
    mem_arena_finish(&arena);
}

/* Reads; where that succeeds the module must stand being told and printed. Returns the status. */
static slip_status try_read(mem_arena *arena, const uint8_t *bytes, size_t size)
{
    const mod_module *made = NULL, *untouched = made;
    size_t mark = arena->used;
    text told = { 0 };

    fail_clear();
    slip_status status = mod_read(arena, bytes, size, &made);
    if (status == SLIP_OK) {
        CHECK_STATUS(mod_check(made), SLIP_OK);
        mod_print(&told, made);
        CHECK_EQ_I64(told.status, SLIP_OK);
        text_finish(&told);
    } else {
        CHECK_EQ_I64(status, SLIP_ERR_FORMAT);
        CHECK_EQ_I64(fail_last()->code, SLIP_ERR_FORMAT);
        CHECK(fail_last()->message[0] != 0);
        CHECK(made == untouched);
    }
    mem_arena_rewind(arena, mark);
    return status;
}

/* As found, the checksum refuses every change of every byte. */
static void any_changed_bit_is_refused(void)
{
    whole w;
    mem_arena arena = { 0 };

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    uint8_t *bytes = exact_copy(text_get(&file), file.bytes);
    for (size_t i = 0; i < file.bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[i] ^= (uint8_t)(1u << bit);
            if (try_read(&arena, bytes, file.bytes) != SLIP_ERR_FORMAT)
                CHECK_FAIL("bit %u of byte %zu may be changed", bit, i);
            bytes[i] ^= (uint8_t)(1u << bit);
        }
    free(bytes);
    text_finish(&file);
    mem_arena_finish(&arena);
}

/* With the checksum made to fit, the numbers themselves must be refused or be harmless. */
static void any_changed_byte_is_harmless_when_the_checksum_fits(void)
{
    static const uint8_t masks[] = { 0x01, 0x02, 0x04, 0x10, 0x40, 0x80, 0xff, 0x7f };
    whole w;
    mem_arena arena = { 0 };
    uint32_t refused = 0, passed = 0;

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    uint8_t *bytes = exact_copy(text_get(&file), file.bytes);
    for (size_t i = MOD_HEADER_BYTES; i < file.bytes; i++)
        for (size_t m = 0; m < sizeof masks; m++) {
            bytes[i] ^= masks[m];
            whole_mend(bytes, file.bytes);
            if (try_read(&arena, bytes, file.bytes) == SLIP_OK)
                passed++;
            else
                refused++;
            bytes[i] ^= masks[m];
        }
    /* Places, names, flags, data and code may hold anything; everything else may not. */
    CHECK(passed > 1000);
    CHECK(refused > 4000);
    free(bytes);
    text_finish(&file);
    mem_arena_finish(&arena);
}

/* Runs of bytes: what a single one cannot make, such as counts of 0xffffffff. */
static void any_changed_word_is_harmless_when_the_checksum_fits(void)
{
    static const uint32_t words[] = { 0,          1,          0x7fffffff, 0x80000000,
                                      0xfffffffe, 0xffffffff, 0x00010000 };
    whole w;
    mem_arena arena = { 0 };

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    uint8_t *bytes = exact_copy(text_get(&file), file.bytes);
    for (size_t i = MOD_HEADER_BYTES; i + 4 <= file.bytes; i++)
        for (size_t m = 0; m < sizeof words / sizeof words[0]; m++) {
            memcpy(bytes + i, &words[m], 4);
            whole_mend(bytes, file.bytes);
            (void)try_read(&arena, bytes, file.bytes);
            memcpy(bytes + i, text_get(&file) + i, 4);
        }
    free(bytes);
    text_finish(&file);
    mem_arena_finish(&arena);
}

static void a_file_cut_anywhere_is_refused(void)
{
    whole w;
    mem_arena arena = { 0 };

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    for (size_t size = 0; size < file.bytes; size++) {
        uint8_t *bytes = exact_copy(text_get(&file), size);
        if (try_read(&arena, bytes, size) != SLIP_ERR_FORMAT)
            CHECK_FAIL("a file cut to %zu bytes is read", size);
        if (size >= MOD_HEADER_BYTES) {
            whole_mend(bytes, size);
            if (try_read(&arena, bytes, size) != SLIP_ERR_FORMAT)
                CHECK_FAIL("a file cut to %zu bytes is read, its header made to fit", size);
        }
        free(bytes);
    }
    text_finish(&file);
    mem_arena_finish(&arena);
}

static void expect_message(const uint8_t *bytes, size_t size, const char *part)
{
    mem_arena arena = { 0 };
    const mod_module *made = NULL;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(mod_read(&arena, bytes, size, &made), SLIP_ERR_FORMAT);
    CHECK_CONTAINS(fail_last()->message, part);
    CHECK(made == NULL);
    mem_arena_finish(&arena);
}

/* What the header may not be, with the message that says so. */
static void header_refusals_say_what_is_wrong(void)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *part;
    } rows[] = {
        { 0, 'X', "not a module file" },
        { 7, '\r', "not a module file" },
        { 8, 2, "format 2; this build reads format 4" },
        { 13, 1, "reserved" },
        { 20, 1, "its header says" },
        { 24, 0x55, "checksum" },
    };
    whole w;

    whole_make(&w);
    text file = whole_bytes(&w);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        uint8_t *bytes = exact_copy(text_get(&file), file.bytes);
        bytes[rows[r].at] =
            bytes[rows[r].at] == rows[r].value ? (uint8_t)(rows[r].value + 1) : rows[r].value;
        expect_message(bytes, file.bytes, rows[r].part);
        free(bytes);
    }
    expect_message((const uint8_t *)"", 0, "not a module file");
    text_finish(&file);
}

static void a_byte_too_many_is_refused(void)
{
    whole w;

    whole_make(&w);
    text file = whole_bytes(&w);
    text_bytes(&file, "", 1);
    uint8_t *bytes = exact_copy(text_get(&file), file.bytes);
    expect_message(bytes, file.bytes, "its header says");
    whole_mend(bytes, file.bytes);
    expect_message(bytes, file.bytes, "bytes follow the end");
    free(bytes);
    text_finish(&file);
}

/* The body as a stream of one's own: what codec.c itself refuses. */
static void body_refusals_say_what_is_wrong(void)
{
    static const struct {
        uint8_t body[16];
        size_t size;
        const char *part;
    } rows[] = {
        { { 1, 0 }, 2, "a number is cut off" },
        { { 9, 0, 0, 0, 'a' }, 5, "a text is cut off" },
        { { 2, 0, 0, 0, 'a', 0 }, 6, "holds a zero byte" },
        { { 0, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 1 }, 13, "more items than there are bytes" },
        { { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 16, "cut off" },
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t size = MOD_HEADER_BYTES + rows[r].size;
        uint8_t start[MOD_HEADER_BYTES + 16] = MOD_MAGIC;
        start[8] = MOD_FORMAT_VERSION;
        memcpy(start + MOD_HEADER_BYTES, rows[r].body, rows[r].size);
        whole_mend(start, size);
        uint8_t *bytes = exact_copy(start, size);
        expect_message(bytes, size, rows[r].part);
        free(bytes);
    }
}

/* A list's items take memory many times their bytes; an arena without room ends the reading, not
 * the program. */
static void an_arena_without_room_is_told(void)
{
    whole w;
    mem_arena arena = { 0 };
    const mod_module *made = NULL;
    uint32_t refused = 0;

    whole_make(&w);
    text file = whole_bytes(&w);
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    size_t reserved = arena.reserved;
    for (size_t room = 0;; room += 256, refused++) {
        arena.reserved = room;
        fail_clear();
        slip_status status = mod_read(&arena, text_get(&file), file.bytes, &made);
        arena.reserved = reserved;
        mem_arena_rewind(&arena, 0);
        if (status == SLIP_OK)
            break;
        CHECK_EQ_I64(status, SLIP_ERR_MEMORY);
        CHECK_EQ_I64(fail_last()->code, SLIP_ERR_MEMORY);
        CHECK(made == NULL);
    }
    CHECK(refused > 10);
    text_finish(&file);
    mem_arena_finish(&arena);
}

static const check_case cases[] = {
    CASE(every_field_comes_back),
    CASE(any_changed_bit_is_refused),
    CASE(any_changed_byte_is_harmless_when_the_checksum_fits),
    CASE(any_changed_word_is_harmless_when_the_checksum_fits),
    CASE(a_file_cut_anywhere_is_refused),
    CASE(header_refusals_say_what_is_wrong),
    CASE(a_byte_too_many_is_refused),
    CASE(body_refusals_say_what_is_wrong),
    CASE(an_arena_without_room_is_told),
};
CHECK_MAIN(cases)
