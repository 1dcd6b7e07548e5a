/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - growing text (and bytes), with a sticky status checked once at the end.
 */
#ifndef SLIPWAY_BASE_TEXT_H
#define SLIPWAY_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <slipway/status.h>

typedef struct text {
    char *data; /* terminated whenever not NULL */
    size_t bytes, capacity;
    slip_status status; /* the first failure; later adds do nothing */
} text;

/* A zeroed text is empty and ready. */
void text_finish(text *t);
void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_addv(text *t, const char *format, va_list args);
void text_bytes(text *t, const void *data, size_t bytes);
void text_clear(text *t);            /* keeps the memory, and a failure */
const char *text_get(const text *t); /* "" if empty or failed */

/* JSON string with quotes and escapes; invalid UTF-8 bytes become U+FFFD. */
void text_json(text *t, const char *value);

#endif
