/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_words_test.c - the word writer: lengths, texts, what does not fit; and the printer on words
 * that are no SPIR-V.
 */
#include "target/spirv_words.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"
#include "target/spirv_code.h"

static void an_instruction_counts_its_words(void)
{
    spirv_words w = { 0 };
    const uint32_t operands[3] = { 7, 8, 9 };

    spirv_words_put(&w, SPIRV_IAdd, operands, 3);
    spirv_words_put(&w, SPIRV_Return, NULL, 0);
    spirv_words_begin(&w, SPIRV_Branch);
    spirv_words_add(&w, 5);
    spirv_words_end(&w);
    CHECK_EQ_U64(w.count, 7);
    CHECK_EQ_U64(w.at[0], 4u << 16 | 128);
    CHECK_EQ_U64(w.at[3], 9);
    CHECK_EQ_U64(w.at[4], 1u << 16 | 253);
    CHECK_EQ_U64(w.at[5], 2u << 16 | 249);
    CHECK_EQ_I64(w.status, SLIP_OK);
    spirv_words_finish(&w);
}

/* SPIR-V 1.5, 2.2.1: at least one zero byte, and zeros to the end of the word. */
static void texts_end_in_zeros(void)
{
    static const struct {
        const char *text;
        uint32_t count, words[2];
    } rows[] = {
        { "", 1, { 0 } },
        { "a", 1, { 0x61 } },
        { "main", 2, { 0x6e69616d, 0 } },
        { "\xc3\xa9xyz", 2, { 0x7978a9c3, 0x7a } },
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        spirv_words w = { 0 };
        spirv_words_text(&w, rows[k].text);
        CHECK_EQ_U64(w.count, rows[k].count);
        CHECK(memcmp(w.at, rows[k].words, rows[k].count * sizeof(uint32_t)) == 0);
        spirv_words_finish(&w);
    }
}

static void an_instruction_of_65536_words_is_refused(void)
{
    for (uint32_t count = 65535; count <= 65536; count++) {
        spirv_words w = { 0 };
        spirv_words_begin(&w, SPIRV_TypeStruct);
        for (uint32_t k = 1; k < count; k++)
            spirv_words_add(&w, k);
        spirv_words_end(&w);
        CHECK_EQ_I64(w.status, count == 65535 ? SLIP_OK : SLIP_ERR_UNSUPPORTED);
        if (count == 65535)
            CHECK_EQ_U64(w.at[0], 65535u << 16 | 30);
        else
            CHECK_CONTAINS(fail_last()->message, "instruction of 65536 words");
        spirv_words_finish(&w);
        fail_clear();
    }
}

static void lists_are_joined_with_their_failures(void)
{
    spirv_words a = { 0 }, b = { 0 };

    spirv_words_add(&a, 1);
    spirv_words_add(&b, 2);
    spirv_words_append(&a, &b);
    CHECK_EQ_U64(a.count, 2);
    CHECK_EQ_U64(a.at[1], 2);
    b.status = SLIP_ERR_MEMORY;
    spirv_words_append(&a, &b);
    CHECK_EQ_I64(a.status, SLIP_ERR_MEMORY);
    CHECK_EQ_U64(a.count, 2);
    spirv_words_finish(&a);
    spirv_words_finish(&b);
}

static void no_memory_is_told_once_and_stays(void)
{
    spirv_words w = { 0 };

    mem_fail_at(1);
    spirv_words_put(&w, SPIRV_Return, NULL, 0);
    CHECK_EQ_I64(w.status, SLIP_ERR_MEMORY);
    spirv_words_put(&w, SPIRV_Return, NULL, 0);
    CHECK_EQ_U64(w.count, 0);
    spirv_words_finish(&w);
    CHECK_EQ_U64(mem_live(), 0);
}

static void expect_text(const uint32_t *words, size_t count, const char *want)
{
    text out = { 0 };

    spirv_print(&out, words, count);
    CHECK_TEXT(text_get(&out), want);
    text_finish(&out);
}

static void any_words_are_printed(void)
{
    const uint32_t words[] = { SPIRV_MAGIC,
                               SPIRV_VERSION,
                               0,
                               9,
                               0, /* header */
                               2u << 16 | 17,
                               1, /* Capability */
                               4u << 16 | 21,
                               2,
                               32,
                               0, /* TypeInt */
                               3u << 16 | 5,
                               2,
                               0x006e, /* Name */
                               5u << 16 | 128,
                               2,
                               3,
                               4,
                               5,
                               2u << 16 | 4242,
                               6,
                               1u << 16, /* unknown */
                               9u << 16 | 253 };
    const size_t count = sizeof words / sizeof *words;

    expect_text(words, count,
                "; SPIR-V 1.5, ids below 9\n  Capability 1\n  %2 = TypeInt 32 0\n"
                "  Name %2 \"n\"\n  %3 = IAdd %2 %4 %5\nopcode 4242 6\nopcode 0\n"
                "; an instruction is cut off\n");
    expect_text(words, 4, "; no SPIR-V\n");
    expect_text(words + 1, count - 1, "; no SPIR-V\n");
    expect_text(words, 6, "; SPIR-V 1.5, ids below 9\n; an instruction is cut off\n");
}

static const check_case cases[] = {
    CASE(an_instruction_counts_its_words),          CASE(texts_end_in_zeros),
    CASE(an_instruction_of_65536_words_is_refused), CASE(lists_are_joined_with_their_failures),
    CASE(no_memory_is_told_once_and_stays),         CASE(any_words_are_printed),
};
CHECK_MAIN(cases)
