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

/* Only over an empty record: no vendor call stands in it. */
static void write_record(slip_status code, const char *file, int line, const char *format,
                         va_list args)
{
    record.code = code;
    record.file = file;
    record.line = line;
    if (vsnprintf(record.message, sizeof record.message, format, args) < 0)
        record.message[0] = '\0';
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

void fail_note(const char *format, ...)
{
    size_t used = strlen(record.message);
    size_t room = sizeof record.message - used;

    if (record.code == SLIP_OK)
        return;
    int lead = snprintf(record.message + used, room, "; ");
    if (lead < 0 || (size_t)lead >= room)
        return;
    va_list args;
    va_start(args, format);
    if (vsnprintf(record.message + used + lead, room - (size_t)lead, format, args) < 0)
        record.message[used] = '\0';
    va_end(args);
}

/* One that holds no failure is zero. */
void fail_clear(void)
{
    if (record.code != SLIP_OK)
        record = (slip_error){ 0 };
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
#define FAIL_NAME_(name, value, text)                                                             \
    case name:                                                                                    \
        return #name;
        SLIP_STATUS_ROWS(FAIL_NAME_)
#undef FAIL_NAME_
    }
    return "unknown status";
}
