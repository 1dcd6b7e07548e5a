/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_test.c - growing text, its sticky failure, and JSON strings.
 */
#include "base/text.h"

#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static void adds_follow_one_another(void)
{
    text t = { 0 };

    CHECK_TEXT(text_get(&t), "");
    text_add(&t, "%s = %d", "n", 1000);
    text_bytes(&t, ", k", 3);
    text_bytes(&t, NULL, 0);
    text_add(&t, "%s", "");
    CHECK_TEXT(text_get(&t), "n = 1000, k");
    CHECK_EQ_U64(t.bytes, 11);
    text_finish(&t);
    CHECK(t.data == NULL);
}

static void many_small_adds_grow_it(void)
{
    text t = { 0 };

    for (int i = 0; i < 10000; i++)
        text_add(&t, "%d", i % 10);
    CHECK_EQ_U64(t.bytes, 10000);
    CHECK_EQ_U64(strlen(text_get(&t)), 10000);
    for (size_t i = 0; i < 10000; i++)
        CHECK_EQ_I64(text_get(&t)[i], '0' + (int)(i % 10));
    text_finish(&t);
}

static void bytes_may_hold_zeros(void)
{
    text t = { 0 };

    text_bytes(&t, "a\0b", 3);
    text_bytes(&t, "c", 1);
    CHECK_EQ_U64(t.bytes, 4);
    CHECK(memcmp(t.data, "a\0bc", 5) == 0);
    text_finish(&t);
}

static void clearing_keeps_the_memory(void)
{
    text t = { 0 };

    text_add(&t, "%s", "a line of some length");
    size_t capacity = t.capacity;
    text_clear(&t);
    CHECK_TEXT(text_get(&t), "");
    mem_fail_at(1);
    text_add(&t, "short");
    mem_fail_at(0);
    CHECK_TEXT(text_get(&t), "short");
    CHECK_EQ_U64(t.capacity, capacity);
    text_finish(&t);
}

static void a_failure_sticks_and_hides_the_part(void)
{
    uint64_t before = mem_live(), k;

    for (k = 1;; k++) {
        text t = { 0 };
        fail_clear();
        mem_fail_at(k);
        text_add(&t, "%s", "first words, ");
        text_bytes(&t, "more than the first block has room for ......................", 60);
        text_json(&t, "and a third part of the text that needs some more room again ......"
                      "................................................................");
        mem_fail_at(0);
        slip_status status = t.status;
        CHECK_EQ_I64(fail_last()->code, status);
        if (status != SLIP_OK) {
            CHECK_EQ_I64(status, SLIP_ERR_MEMORY);
            CHECK_TEXT(text_get(&t), "");
            text_clear(&t);
            text_add(&t, "later");
            CHECK_TEXT(text_get(&t), "");
            CHECK_EQ_I64(t.status, SLIP_ERR_MEMORY);
        }
        text_finish(&t);
        CHECK_EQ_U64(mem_live(), before);
        if (status == SLIP_OK)
            break;
    }
    CHECK(k >= 4); /* one request at least for each of the three */
}

static void check_json(const char *value, const char *expected)
{
    text t = { 0 };

    text_json(&t, value);
    CHECK_TEXT(text_get(&t), expected);
    text_finish(&t);
}

static void json_escapes_what_must_be_escaped(void)
{
    check_json("", "\"\"");
    check_json("plain /text\x7f", "\"plain /text\x7f\"");
    check_json("a\"b\\c", "\"a\\\"b\\\\c\"");
    check_json("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
    check_json("\x01\x1f", "\"\\u0001\\u001f\"");
}

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static void json_keeps_utf8_and_replaces_what_is_not(void)
{
    check_json("\xc2\x80 \xdf\xbf", "\"\xc2\x80 \xdf\xbf\"");
    check_json("\xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbf", "\"\xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbf\"");
    check_json("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", "\"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\"");
    check_json("\x80", "\"" BAD "\"");
    check_json("\xc0\xaf", "\"" BAD BAD "\"");             /* overlong */
    check_json("\xe0\x9f\xbf", "\"" BAD BAD BAD "\"");     /* overlong */
    check_json("\xed\xa0\x80", "\"" BAD BAD BAD "\"");     /* surrogate */
    check_json("\xf0\x8f\xbf\xbf", "\"" BAD BAD BAD BAD "\"");
    check_json("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""); /* past U+10FFFF */
    check_json("\xf5x", "\"" BAD "x\"");
    check_json("\xe2\x82", "\"" BAD BAD "\"");             /* cut short by the end */
    check_json("\xe2\x82\"", "\"" BAD BAD "\\\"\"");
}

static const check_case cases[] = {
    CASE(adds_follow_one_another),
    CASE(many_small_adds_grow_it),
    CASE(bytes_may_hold_zeros),
    CASE(clearing_keeps_the_memory),
    CASE(a_failure_sticks_and_hides_the_part),
    CASE(json_escapes_what_must_be_escaped),
    CASE(json_keeps_utf8_and_replaces_what_is_not),
};
CHECK_MAIN(cases)
