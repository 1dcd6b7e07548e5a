/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool.h - what the commands of slipway share: failures, files, JSON.
 *
 * A tool has one thread and one failure record. The first failure wins, as in the libraries. A
 * failure of the runtime is taken over at once by tool_library, because the next public call would
 * clear the runtime's own record.
 */
#ifndef SLIPWAY_TOOLS_TOOL_H
#define SLIPWAY_TOOLS_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <slipway/status.h>

/* What main returns: done; what was asked for failed; the command line makes no sense. */
enum { TOOL_OK = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 };

/* Records the failure, unless one stands, and returns `code`. */
slip_status tool_fail(slip_status code, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));
/* The status of a call of the runtime, whose failure is recorded here too. */
slip_status tool_library(slip_status status);
/* The same for a call that was given the bytes of a file: the record names it. */
slip_status tool_library_of(slip_status status, const char *file);
void tool_clear(void);
/* The message of the standing failure of this tool; "" if none. */
const char *tool_message(void);
/* Prints the standing failure as slip_report does; returns TOOL_FAILED. */
int tool_report(FILE *to);

#define TOOL_TRY(expr)                                                                             \
    do {                                                                                           \
        slip_status tool_try_ = (expr);                                                            \
        if (tool_try_ != SLIP_OK)                                                                  \
            return tool_try_;                                                                      \
    } while (0)

/* Zeroed memory; NULL and a MEMORY failure. `count` times `bytes` is checked. */
void *tool_new(size_t count, size_t bytes);

/*
 * tool_read - the whole of a file.
 *
 *   out   its bytes and one zero after them                                    taken: free()
 *
 * Errors   NOT_FOUND  it cannot be opened or read      MEMORY
 */
slip_status tool_read(const char *path, void **out, size_t *out_bytes);

/*
 * tool_write - two pieces as one file, which appears whole or not at all.
 *
 * A regular file is written beside its place and renamed into it; anything else (a pipe, a
 * terminal) is written as it stands. `bytes` may be 0 where a piece is NULL.
 */
slip_status tool_write(const char *path, const void *head, size_t head_bytes, const void *body,
                       size_t body_bytes);

/* ---- JSON ----------------------------------------------------------------------------------- */

/* Writes objects and arrays to a stream, two spaces a level. Fill in `to`, zero the rest. */
typedef struct json {
    FILE *to;
    int depth;
    bool started; /* something stands in the innermost object or array */
} json;

/* `key` is NULL in an array and at the top. */
void json_open(json *j, const char *key, char bracket);
void json_close(json *j, char bracket);
/* Quoted and escaped; bytes that are not UTF-8 become U+FFFD. NULL is written as null. */
void json_text(json *j, const char *key, const char *value);
void json_u64(json *j, const char *key, uint64_t value);
void json_bool(json *j, const char *key, bool value);
/* Verbatim: a number's text. */
void json_number(json *j, const char *key, const char *digits);
/* Ends the text at depth 0 with a newline. */
void json_end(json *j);

#endif
