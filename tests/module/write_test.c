/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write_test.c - the file's bytes, spelled out as docs/module-format.md gives them.
 */
#include "module/write.h"

#include <string.h>

#include "base/mem.h"
#include "module/whole.h"
#include "support/check.h"

#define NO 0xff, 0xff, 0xff, 0xff
#define W(value) (value), 0, 0, 0

static void check_bytes(const text *file, const uint8_t *expected, size_t size)
{
    const uint8_t *got = (const uint8_t *)text_get(file);

    CHECK_EQ_U64(file->bytes, size);
    for (size_t i = 0; i < size; i++)
        if (got[i] != expected[i])
            CHECK_FAIL("byte %zu is 0x%02x, expected 0x%02x", i, got[i], expected[i]);
}

/* The checksum was computed apart, from the text of the XXH64 specification. */
static void an_empty_module_has_these_bytes(void)
{
    static const uint8_t expected[] = { 'S',  'L',  'I',   'P',  'M',  'O',  'D',  '\n',
                                        W(4), W(0), W(35), W(0), 0x70, 0xcd, 0x0e, 0xde,
                                        0x0f, 0x7b, 0xb7,  0xbb, W(3), 'm',  'e',  '!',
                                        NO,   W(0), NO,    W(0), W(0), W(0), W(0) };
    const mod_module m = { .producer = "me!" };
    text file = { 0 };

    CHECK_STATUS(mod_write(&m, &file), SLIP_OK);
    check_bytes(&file, expected, sizeof expected);
    text_finish(&file);
}

static void a_file_is_appended_and_the_same_each_time(void)
{
    whole w, again;
    text one = { 0 };

    whole_make(&w);
    whole_make(&again);
    text alone = whole_bytes(&again);
    text_add(&one, "before");
    CHECK_STATUS(mod_write(&w.m, &one), SLIP_OK);
    CHECK_EQ_U64(one.bytes, alone.bytes + 6);
    CHECK(memcmp(text_get(&one), "before", 6) == 0);
    CHECK(memcmp(text_get(&one) + 6, text_get(&alone), alone.bytes) == 0);
    text_finish(&one);
    text_finish(&alone);
}

/* Numbers as the page gives them, found at their places in the whole module. */
static void fields_lie_where_the_page_says(void)
{
    static const uint8_t start[] = { W(7), 'b',  'y', ' ', 'h',  'a',  'n', 'd', W(5), '-',
                                     '-',  'f',  'm', 'a', W(2), W(5), 'a', 'l', 'l',  '.',
                                     'c',  W(6), 'm', 'o', 'r',  'e',  '.', 'h', W(43) };
    static const uint8_t after_text[] = { W(12),
                                          0xf0,
                                          0xf1,
                                          0xf2,
                                          0xf3,
                                          0xf4,
                                          0xf5,
                                          0xf6,
                                          0xf7,
                                          0xf8,
                                          0xf9,
                                          0xfa,
                                          0xfb,
                                          W(4),
                                          W(2),
                                          W(3),
                                          'a',
                                          'l',
                                          'l',
                                          W(5),
                                          /* param n */ W(1),
                                          'n',
                                          0,
                                          5,
                                          NO,
                                          W(4),
                                          W(4),
                                          0,
                                          0,
                                          0,
                                          0,
                                          NO,
                                          NO,
                                          NO,
                                          NO,
                                          NO,
                                          NO,
                                          NO,
                                          NO,
                                          W(0),
                                          W(0),
                                          W(3),
                                          W(14),
                                          /* param p */ W(1),
                                          'p',
                                          1 };
    whole w;

    whole_make(&w);
    text file = whole_bytes(&w);
    const uint8_t *body = (const uint8_t *)text_get(&file) + 32;
    CHECK(memcmp(body, start, sizeof start) == 0);
    CHECK(memcmp(body + sizeof start, w.m.header_text, 43) == 0);
    CHECK(memcmp(body + sizeof start + 43, after_text, sizeof after_text) == 0);
    CHECK(memcmp(text_get(&file) + file.bytes - WHOLE_TEXT_BYTES, "// none", 8) == 0);
    text_finish(&file);
}

static void no_memory_while_writing_is_told(void)
{
    whole w;

    whole_make(&w);
    for (uint64_t k = 1;; k++) {
        text file = { 0 };
        mem_fail_at(k);
        fail_clear();
        slip_status status = mod_write(&w.m, &file);
        mem_fail_at(0);
        text_finish(&file);
        CHECK_EQ_U64(mem_live(), 0);
        if (status == SLIP_OK) {
            CHECK(k > 2);
            break;
        }
        CHECK_EQ_I64(status, SLIP_ERR_MEMORY);
        CHECK_EQ_I64(fail_last()->code, SLIP_ERR_MEMORY);
    }
}

static const check_case cases[] = {
    CASE(an_empty_module_has_these_bytes),
    CASE(a_file_is_appended_and_the_same_each_time),
    CASE(fields_lie_where_the_page_says),
    CASE(no_memory_while_writing_is_told),
};
CHECK_MAIN(cases)
