/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag.h - what a compile has to say about the source: a list, in the order found.
 *
 * All problems are reported, not only the first. The tool prints
 *     heat.c:12:9: error: `d` is assigned a different value by each iteration
 *         d = x[i] - 1;
 *         ^
 *     advice: declare `d` inside the slip_for
 */
#ifndef SLIPWAY_BASE_DIAG_H
#define SLIPWAY_BASE_DIAG_H

#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"

typedef enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } diag_severity;

typedef struct diag {
    struct diag *next;
    diag_severity severity;
    const char *file; /* as the user named it; NULL: no place */
    uint32_t line, column;
    const char *message;
    const char *advice; /* what to write instead; NULL if none */
} diag;

typedef struct diag_list {
    mem_arena *arena;
    diag *first, *last;
    uint32_t errors, warnings;
} diag_list;

/* `advice` may be NULL. The message is formatted; a second diagnostic equal in place and message is dropped. */
void diag_add(diag_list *list, diag_severity severity, const char *file, uint32_t line,
              uint32_t column, const char *advice, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* One diagnostic with its source line and caret; `source` is the text of d->file or NULL. */
void diag_print(text *out, const diag *d, const char *source);

#endif
