/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool.c - failures, files and JSON for the commands of slipway.
 *
 * Must never leave a half-written file under the name that was asked for.
 */
#define _POSIX_C_SOURCE 200809L
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <slipway/slipway.h>

static struct {
    slip_status code;
    char message[1024];
} record;

slip_status tool_fail(slip_status code, const char *format, ...)
{
    va_list args;

    if (record.code != SLIP_OK)
        return code;
    record.code = code;
    va_start(args, format);
    vsnprintf(record.message, sizeof record.message, format, args);
    va_end(args);
    return code;
}

slip_status tool_library(slip_status status)
{
    return status == SLIP_OK ? status : tool_fail(status, "%s", slip_last_error()->message);
}

slip_status tool_library_of(slip_status status, const char *file)
{
    return status == SLIP_OK ? status
                             : tool_fail(status, "%s: %s", file, slip_last_error()->message);
}

void tool_clear(void)
{
    record.code = SLIP_OK;
    record.message[0] = '\0';
}

const char *tool_message(void)
{
    return record.message;
}

int tool_report(FILE *to)
{
    fprintf(to, "%s: %s\n", slip_status_name(record.code), record.message);
    return TOOL_FAILED;
}

void *tool_new(size_t count, size_t bytes)
{
    void *made = calloc(count ? count : 1, bytes ? bytes : 1);

    if (!made)
        tool_fail(SLIP_ERR_MEMORY, "there is no room for %zu x %zu bytes", count, bytes);
    return made;
}

/* ---- files ---------------------------------------------------------------------------------- */

static slip_status read_stream(FILE *from, const char *path, char **data, size_t *out_bytes)
{
    size_t bytes = 0, capacity = 0;

    for (;;) {
        if (capacity - bytes < 2) {
            size_t wider = capacity ? capacity * 2 : 1 << 16;
            char *grown = wider > capacity ? realloc(*data, wider) : NULL;
            if (!grown)
                return tool_fail(SLIP_ERR_MEMORY, "%s: there is no room for more than %zu bytes",
                                 path, bytes);
            *data = grown;
            capacity = wider;
        }
        size_t got = fread(*data + bytes, 1, capacity - bytes - 1, from);
        bytes += got;
        if (got == 0)
            break;
    }
    if (ferror(from))
        return tool_fail(SLIP_ERR_NOT_FOUND, "%s: cannot be read: %s", path, strerror(errno));
    (*data)[bytes] = '\0';
    *out_bytes = bytes;
    return SLIP_OK;
}

slip_status tool_read(const char *path, void **out, size_t *out_bytes)
{
    char *data = NULL;
    size_t bytes = 0;
    FILE *from = fopen(path, "rb");

    if (!from)
        return tool_fail(SLIP_ERR_NOT_FOUND, "%s: cannot be opened: %s", path, strerror(errno));
    slip_status status = read_stream(from, path, &data, &bytes);
    fclose(from);
    if (status != SLIP_OK) {
        free(data);
        return status;
    }
    *out = data;
    *out_bytes = bytes;
    return SLIP_OK;
}

static bool write_pieces(const char *path, const void *head, size_t head_bytes, const void *body,
                         size_t body_bytes)
{
    FILE *to = fopen(path, "wb");

    if (!to)
        return false;
    bool written = (head_bytes == 0 || fwrite(head, 1, head_bytes, to) == head_bytes) &&
                   (body_bytes == 0 || fwrite(body, 1, body_bytes, to) == body_bytes);
    int why = errno;
    bool closed = fclose(to) == 0;
    if (!written)
        errno = why;
    return written && closed;
}

slip_status tool_write(const char *path, const void *head, size_t head_bytes, const void *body,
                       size_t body_bytes)
{
    struct stat at;
    bool regular = stat(path, &at) != 0 || S_ISREG(at.st_mode);
    size_t room = strlen(path) + 32;
    char *beside = tool_new(room, 1);

    if (!beside)
        return SLIP_ERR_MEMORY;
    snprintf(beside, room, regular ? "%s.part-%ld" : "%s", path, (long)getpid());
    bool done = write_pieces(beside, head, head_bytes, body, body_bytes) &&
                (!regular || rename(beside, path) == 0);
    if (!done) {
        tool_fail(SLIP_ERR_NOT_FOUND, "%s: cannot be written: %s", path, strerror(errno));
        if (regular)
            unlink(beside);
    }
    free(beside);
    return done ? SLIP_OK : SLIP_ERR_NOT_FOUND;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* Bytes of the UTF-8 sequence at `s`, or 0 if there is none. */
static int utf8_length(const unsigned char *s)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xc2 ? 0
                 : s[0] < 0xe0 ? 2
                 : s[0] < 0xf0 ? 3
                 : s[0] < 0xf5 ? 4
                               : 0;
    uint32_t code = length > 1 ? s[0] & (0xffu >> (length + 1)) : s[0];

    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (length > 1 &&
        (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)))
        return 0;
    return length;
}

static void put_quoted(FILE *to, const char *value)
{
    const unsigned char *s = (const unsigned char *)value;

    putc('"', to);
    while (*s) {
        int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", to);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else if (*s < 0x20)
            fprintf(to, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)length, to);
        s += length ? length : 1;
    }
    putc('"', to);
}

static void begin_value(json *j, const char *key)
{
    if (j->depth > 0)
        fprintf(j->to, "%s\n%*s", j->started ? "," : "", 2 * j->depth, "");
    j->started = true;
    if (key) {
        put_quoted(j->to, key);
        fputs(": ", j->to);
    }
}

void json_open(json *j, const char *key, char bracket)
{
    begin_value(j, key);
    putc(bracket, j->to);
    j->depth++;
    j->started = false;
}

void json_close(json *j, char bracket)
{
    j->depth--;
    if (j->started)
        fprintf(j->to, "\n%*s", 2 * j->depth, "");
    putc(bracket, j->to);
    j->started = true;
}

void json_text(json *j, const char *key, const char *value)
{
    begin_value(j, key);
    if (value)
        put_quoted(j->to, value);
    else
        fputs("null", j->to);
}

void json_u64(json *j, const char *key, uint64_t value)
{
    begin_value(j, key);
    fprintf(j->to, "%" PRIu64, value);
}

void json_bool(json *j, const char *key, bool value)
{
    begin_value(j, key);
    fputs(value ? "true" : "false", j->to);
}

void json_number(json *j, const char *key, const char *digits)
{
    begin_value(j, key);
    fputs(digits, j->to);
}

void json_end(json *j)
{
    putc('\n', j->to);
    fflush(j->to);
}
