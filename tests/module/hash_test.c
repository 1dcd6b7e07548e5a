/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash_test.c - the checksum is XXH64 with seed 0: values that its specification and other programs
 * give.
 */
#include "module/hash.h"

#include <string.h>

#include "support/check.h"

static void known_texts_have_their_known_sums(void)
{
    static const struct {
        const char *of;
        uint64_t sum;
    } rows[] = {
        { "", UINT64_C(0xef46db3751d8e999) },
        { "a", UINT64_C(0xd24ec4f1a98c6e5b) },
        { "abc", UINT64_C(0x44bc2cf5ad770999) },
        { "Nobody inspects the spammish repetition", UINT64_C(0xfbcea83c8a378bf1) },
    };

    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        CHECK_EQ_U64(mod_hash(rows[r].of, strlen(rows[r].of)), rows[r].sum);
}

static void every_byte_counts(void)
{
    uint8_t bytes[100] = { 0 };
    uint64_t plain = mod_hash(bytes, sizeof bytes);

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 1;
        CHECK(mod_hash(bytes, sizeof bytes) != plain);
        bytes[i] = 0;
    }
}

static const check_case cases[] = {
    CASE(known_texts_have_their_known_sums),
    CASE(every_byte_counts),
};
CHECK_MAIN(cases)
