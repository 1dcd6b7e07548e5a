/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail.c - the record of the first failure on each thread.
 *
 * Fixed size and per thread: recording allocates nothing and takes no lock, so running out of
 * memory can be reported. Must never print and never overwrite a standing record.
 */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local slip_error record;

static const char cut_mark[] = "...";
enum { MOST = sizeof record.message - 1, MARK = sizeof cut_mark - 1 };

/* Ends the text at a character of UTF-8 that begins at `at` or before, with the mark behind it;
 * its new length. */
static size_t cut(char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    memcpy(text + at, cut_mark, sizeof cut_mark);
    return at + MARK;
}

/* Only over an empty record: no vendor call stands in it. */
static void write_record(slip_status code, const char *file, int line, const char *format,
                         va_list args)
{
    record.code = code;
    record.file = file;
    record.line = line;
    int length = vsnprintf(record.message, sizeof record.message, format, args);
    if (length < 0)
        record.message[0] = '\0';
    else if (length > MOST)
        cut(record.message, MOST - MARK);
}

slip_status fail_at(slip_status code, const char *file, int line, const char *format, ...)
{
    if (record.code == SLIP_OK) {
        va_list args;
        va_start(args, format);
        write_record(code, file, line, format, args);
        va_end(args);
    }
    return code;
}

slip_status fail_native(slip_status code, const char *file, int line, int32_t vendor_code,
                        const char *vendor_call, const char *format, ...)
{
    if (record.code == SLIP_OK) {
        va_list args;
        va_start(args, format);
        write_record(code, file, line, format, args);
        va_end(args);
        record.vendor_code = vendor_code;
        record.vendor_call = vendor_call;
    }
    return code;
}

/* What was being done stays whole where there is room for it beside half a message. */
void fail_note(const char *format, ...)
{
    char note[sizeof record.message] = "; ";
    size_t used = strlen(record.message);
    va_list args;

    if (record.code == SLIP_OK)
        return;
    va_start(args, format);
    int more = vsnprintf(note + 2, sizeof note - 2, format, args);
    va_end(args);
    if (more < 0)
        return;
    size_t length = (size_t)more + 2;
    if (used + length > MOST && length > MOST / 2)
        length = cut(note, MOST / 2 - MARK);
    if (used + length > MOST)
        used = cut(record.message, MOST - MARK - length);
    memcpy(record.message + used, note, length + 1);
}

/* One that holds no failure is zero. */
static __attribute__((cold, noinline)) void clear(void)
{
    record = (slip_error){ 0 };
}

__attribute__((hot)) void fail_clear(void)
{
    if (record.code != SLIP_OK)
        clear();
}

void fail_restore(const slip_error *before)
{
    record = *before;
}

const slip_error *fail_last(void)
{
    return &record;
}

const char *fail_name(slip_status code)
{
    switch (code) {
#define FAIL_NAME_(name, value, text)                                                              \
    case name:                                                                                     \
        return #name;
        SLIP_STATUS_ROWS(FAIL_NAME_)
#undef FAIL_NAME_
    }
    return "unknown status";
}
