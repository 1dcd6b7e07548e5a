/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag.c - the list of diagnostics of one compile, and how one is printed.
 *
 * Keeps the order found. Must never print to a stream: the caller owns the text.
 */
#include "base/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool known(const diag_list *list, const diag *d)
{
    for (const diag *old = list->first; old; old = old->next)
        if (old->line == d->line && old->column == d->column && same_text(old->file, d->file) &&
            same_text(old->message, d->message))
            return true;
    return false;
}

static const char *format_message(mem_arena *arena, const char *format, va_list args)
{
    va_list again;
    char *made = NULL;

    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0)
        made = arena_new(arena, (size_t)length + 1);
    if (made)
        vsnprintf(made, (size_t)length + 1, format, again);
    va_end(again);
    return made ? made : "(no memory for the message)";
}

void diag_add(diag_list *list, diag_severity severity, const char *file, uint32_t line,
              uint32_t column, const char *advice, const char *format, ...)
{
    va_list args;
    diag d = { .severity = severity, .line = line, .column = column };

    va_start(args, format);
    d.message = format_message(list->arena, format, args);
    va_end(args);
    d.file = file;
    if (known(list, &d))
        return;
    d.file = file ? arena_copy(list->arena, file, strlen(file)) : NULL;
    d.advice = advice ? arena_copy(list->arena, advice, strlen(advice)) : NULL;

    if (severity == DIAG_ERROR)
        list->errors++; /* counted even where the entry finds no room: the input is refused */
    if (severity == DIAG_WARNING)
        list->warnings++;
    diag *made = arena_new(list->arena, sizeof *made);
    if (!made)
        return;
    *made = d;
    if (list->last)
        list->last->next = made;
    else
        list->first = made;
    list->last = made;
}

static const char *severity_name(diag_severity severity)
{
    switch (severity) {
    case DIAG_NOTE:
        return "note";
    case DIAG_WARNING:
        return "warning";
    case DIAG_ERROR:
        return "error";
    }
    return "error";
}

/*
 * The line without its indentation, and under it a caret. A column counts bytes from 1, as
 * clang's do; the pad copies tabs and skips the inner bytes of UTF-8 letters, so the caret
 * stands under its letter.
 */
static void print_line(text *out, const diag *d, const char *source)
{
    const char *line = source, *end;
    size_t length, indent = 0;

    for (uint32_t i = 1; i < d->line; i++) {
        line = strchr(line, '\n');
        if (!line)
            return;
        line++;
    }
    end = strchr(line, '\n');
    length = end ? (size_t)(end - line) : strlen(line);
    if (length && line[length - 1] == '\r')
        length--;
    while (indent < length && (line[indent] == ' ' || line[indent] == '\t'))
        indent++;
    if (indent == length)
        return;
    text_add(out, "    %.*s\n", (int)(length - indent), line + indent);
    if (d->column == 0 || d->column > length + 1 || d->column - 1 < indent)
        return;
    text_add(out, "    ");
    for (size_t i = indent; i < d->column - 1; i++)
        if (((unsigned char)line[i] & 0xc0) != 0x80)
            text_add(out, "%c", line[i] == '\t' ? '\t' : ' ');
    text_add(out, "^\n");
}

void diag_print(text *out, const diag *d, const char *source)
{
    if (d->file) {
        text_add(out, "%s:", d->file);
        if (d->line)
            text_add(out, "%u:", d->line);
        if (d->line && d->column)
            text_add(out, "%u:", d->column);
        text_add(out, " ");
    }
    text_add(out, "%s: %s\n", severity_name(d->severity), d->message);
    if (d->file && d->line && source)
        print_line(out, d, source);
    if (d->advice)
        text_add(out, "advice: %s\n", d->advice);
}
