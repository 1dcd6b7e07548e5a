/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - growing text with a sticky status.
 *
 * Must never lose a failure: once memory ran out every later add is a no-op and the status
 * stays until text_finish.
 */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

void text_finish(text *t)
{
    mem_free(t->data);
    *t = (text){ 0 };
}

/* Room for `bytes` more and the terminator. */
static bool reserve(text *t, size_t bytes)
{
    uint64_t need;

    if (t->status != SLIP_OK)
        return false;
    if (!mem_add(t->bytes, bytes, &need) || !mem_add(need, 1, &need))
        t->status = SLIP_FAIL(SLIP_ERR_MEMORY, "a text of %zu + %zu bytes", t->bytes, bytes);
    else
        t->status = mem_grow((void **)&t->data, &t->capacity, need, 1);
    return t->status == SLIP_OK;
}

void text_bytes(text *t, const void *data, size_t bytes)
{
    if (!reserve(t, bytes))
        return;
    if (bytes)
        memcpy(t->data + t->bytes, data, bytes);
    t->bytes += bytes;
    t->data[t->bytes] = '\0';
}

void text_addv(text *t, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0 && t->status == SLIP_OK)
        t->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "the format \"%s\" cannot be printed", format);
    if (length >= 0 && reserve(t, (size_t)length)) {
        vsnprintf(t->data + t->bytes, (size_t)length + 1, format, again);
        t->bytes += (size_t)length;
    }
    va_end(again);
}

void text_add(text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_addv(t, format, args);
    va_end(args);
}

void text_clear(text *t)
{
    t->bytes = 0;
    if (t->data)
        t->data[0] = '\0';
}

const char *text_get(const text *t)
{
    return t->status == SLIP_OK && t->data ? t->data : "";
}

/*
 * Bytes of the well-formed UTF-8 sequence at `s`, or 0. Overlong forms, surrogates and code
 * points past U+10FFFF are not well-formed (Unicode 15, table 3-7).
 */
static size_t utf8_length(const unsigned char *s)
{
    unsigned char low = 0x80, high = 0xbf;
    size_t length;

    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        length = 2;
    else if (s[0] >= 0xe0 && s[0] <= 0xef)
        length = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        length = 4;
    else
        return 0;
    if (s[0] == 0xe0)
        low = 0xa0;
    if (s[0] == 0xed)
        high = 0x9f;
    if (s[0] == 0xf0)
        low = 0x90;
    if (s[0] == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (s[i] < 0x80 || s[i] > 0xbf) /* the terminator stops here too */
            return 0;
    return length;
}

void text_json(text *t, const char *value)
{
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const unsigned char *s = (const unsigned char *)value;

    text_bytes(t, "\"", 1);
    while (*s) {
        const char *escape = strchr(named, *s);
        size_t length = utf8_length(s);
        if (escape)
            text_add(t, "\\%c", letters[escape - named]);
        else if (*s < 0x20)
            text_add(t, "\\u%04x", *s);
        else if (length)
            text_bytes(t, s, length);
        else
            text_add(t, "\xef\xbf\xbd");
        s += length ? length : 1;
    }
    text_bytes(t, "\"", 1);
}
