/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lex.c - tokens of the text form, and the reader's small steps: words, numbers, places, types.
 *
 * The text is hostile input. Must never read past its terminator, recurse without a limit or
 * go on after a failure: form_fail leaves only END to be seen.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "ir/form.h"

void form_fail(form_reader *r, const char *format, ...)
{
    char what[160];
    va_list args;

    if (r->status != SLIP_OK)
        return;
    va_start(args, format);
    int length = vsnprintf(what, sizeof what, format, args);
    va_end(args);
    r->status = SLIP_FAIL(SLIP_ERR_FORMAT, "line %" PRIu32 ": %s", r->line, length < 0 ? "" : what);
    r->token = (form_token){ .kind = FORM_END, .start = "" };
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.';
}

static uint32_t word_length(const char *at)
{
    uint32_t length = 0;

    while (is_word(at[length]) && length < UINT16_MAX)
        length++;
    return length;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character of an escape whose backslash has been read; 0 if there is no such escape. */
static char read_escape(const char **at)
{
    const char *s = *at;

    if (*s == 'n' || *s == '"' || *s == '\\') {
        *at = s + 1;
        return *s == 'n' ? '\n' : *s;
    }
    if (*s != 'x' || hex_digit(s[1]) < 0 || hex_digit(s[2]) < 0)
        return 0;
    *at = s + 3;
    return (char)(hex_digit(s[1]) * 16 + hex_digit(s[2]));
}

static void read_string(form_reader *r)
{
    const char *end = r->at + 1;

    while (*end && *end != '"' && *end != '\n')
        end += *end == '\\' && end[1] ? 2 : 1;
    char *made = arena_new(r->arena, (size_t)(end - r->at) + 1);
    size_t length = 0;
    for (const char *s = r->at + 1; s < end;) {
        char c = *s++;
        if (c == '\\')
            c = read_escape(&s);
        if (!c) {
            form_fail(r, "escapes in a string are \\n, \\\", \\\\ and \\x with two digits");
            return;
        }
        made[length++] = c;
    }
    if (*end != '"') {
        form_fail(r, "a string does not end on its line");
        return;
    }
    r->token = (form_token){ .kind = FORM_STRING, .start = r->at, .string = made };
    r->at = end + 1;
}

static void read_line_ends(form_reader *r)
{
    r->token = (form_token){ .kind = FORM_LINE, .start = r->at };
    for (;; r->at++)
        if (*r->at == ';')
            r->at += strcspn(r->at, "\n") - 1;
        else if (*r->at == '\n')
            r->at_line++;
        else if (*r->at != ' ')
            return;
}

void form_next(form_reader *r)
{
    if (r->status != SLIP_OK)
        return;
    while (*r->at == ' ')
        r->at++;
    r->line = r->at_line;
    r->token = (form_token){ .kind = FORM_MARK, .start = r->at, .length = 1 };
    if (!*r->at) {
        r->token.kind = FORM_END;
    } else if (*r->at == '\n' || *r->at == ';') {
        read_line_ends(r);
    } else if (*r->at == '"') {
        read_string(r);
    } else if (is_word(*r->at)) {
        r->token.kind = FORM_WORD;
        r->token.length = word_length(r->at);
        r->at += r->token.length;
    } else if (*r->at == '%' && is_word(r->at[1])) {
        r->token = (form_token){ FORM_VALUE, r->at + 1, word_length(r->at + 1), NULL };
        r->at += 1 + r->token.length;
    } else {
        r->at++;
    }
}

bool form_is(const form_reader *r, const char *word)
{
    return (r->token.kind == FORM_WORD || r->token.kind == FORM_MARK) &&
           r->token.length == strlen(word) && memcmp(r->token.start, word, r->token.length) == 0;
}

bool form_take(form_reader *r, const char *word)
{
    if (!form_is(r, word))
        return false;
    form_next(r);
    return true;
}

void form_want(form_reader *r, const char *word)
{
    if (!form_take(r, word))
        form_fail(r, "`%s` is wanted here", word);
}

void form_line_end(form_reader *r)
{
    if (mem_arena_full(r->arena) && r->status == SLIP_OK) {
        r->status = SLIP_FAIL(SLIP_ERR_MEMORY, "line %" PRIu32 ": the text needs more memory than "
                              "the %zu bytes of one compile", r->line, r->arena->limit);
        r->token = (form_token){ .kind = FORM_END, .start = "" };
    } else if (r->token.kind == FORM_LINE) {
        form_next(r);
    } else if (r->token.kind != FORM_END) {
        form_fail(r, "the line should end here");
    }
}

void form_skip_lines(form_reader *r)
{
    if (r->token.kind == FORM_LINE)
        form_next(r);
}

const char *form_read_name(form_reader *r)
{
    const char *name = r->token.string;

    if (r->token.kind == FORM_WORD)
        name = arena_copy(r->arena, r->token.start, r->token.length);
    else if (r->token.kind != FORM_STRING)
        form_fail(r, "a name is wanted here");
    form_next(r);
    return name ? name : "";
}

uint64_t form_read_number(form_reader *r, uint64_t most)
{
    uint64_t value = form_read_scalar(r, SCALAR_u64);

    if (value > most)
        form_fail(r, "%" PRIu64 " is more than %" PRIu64, value, most);
    return value;
}

uint32_t form_read_u32(form_reader *r)
{
    if (form_take(r, "none"))
        return MOD_NONE;
    return (uint32_t)form_read_number(r, UINT32_MAX);
}

uint64_t form_read_scalar(form_reader *r, scalar_type type)
{
    uint64_t bits = 0;
    const char *end = NULL;

    if (r->status != SLIP_OK)
        return 0;
    if (r->token.kind == FORM_LINE || !scalar_parse(type, r->token.start, &end, &bits) ||
        is_word(*end)) {
        form_fail(r, "a %s is wanted here", scalar_types[type].name);
        return 0;
    }
    r->at = end;
    form_next(r);
    return bits;
}

ir_place form_read_place(form_reader *r)
{
    ir_place place = { 0 };

    if (!form_take(r, "@"))
        return place;
    place.file = (uint32_t)form_read_number(r, UINT32_MAX);
    form_want(r, ":");
    place.line = (uint32_t)form_read_number(r, UINT32_MAX);
    form_want(r, ":");
    place.column = (uint32_t)form_read_number(r, UINT32_MAX);
    return place;
}

static const ir_type *read_struct_name(form_reader *r)
{
    const char *name = form_read_name(r);

    for (const ir_type *t = r->module->types; t; t = t->next)
        if (t->kind == IR_STRUCT && strcmp(t->name, name) == 0)
            return t;
    form_fail(r, "struct %s is not defined", name);
    return ir_type_void(r->module);
}

static const ir_type *read_array(form_reader *r)
{
    uint64_t count = form_read_number(r, UINT64_MAX), size;

    form_want(r, "x");
    const ir_type *elem = form_read_type(r);
    form_want(r, "]");
    if (elem->size == 0 || !mem_mul(elem->size, count, &size))
        form_fail(r, "an array of %" PRIu64 " elements of %" PRIu64 " bytes", count, elem->size);
    return ir_type_array(r->module, elem, count);
}

static const ir_type *read_type(form_reader *r)
{
    static const char *const pointers[] = { "ptr.global", "ptr.local", "ptr.param", "ptr.table" };
    scalar_type scalar;

    if (r->token.kind == FORM_WORD && scalar_type_named(r->token.start, r->token.length, &scalar)) {
        form_next(r);
        return ir_type_scalar(r->module, scalar);
    }
    if (form_take(r, "struct"))
        return read_struct_name(r);
    if (form_take(r, "["))
        return read_array(r);
    for (int k = 0; k < 4; k++)
        if (form_take(r, pointers[k]))
            return ir_type_ptr(r->module, (ir_space)k, form_read_type(r));
    form_want(r, "void");
    return ir_type_void(r->module);
}

const ir_type *form_read_type(form_reader *r)
{
    const ir_type *type;

    if (r->depth >= IR_MAX_DEPTH) {
        form_fail(r, "more than %d levels", IR_MAX_DEPTH);
        return ir_type_void(r->module);
    }
    r->depth++;
    type = read_type(r);
    r->depth--;
    return type;
}
