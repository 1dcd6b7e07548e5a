/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagnostics.c - errors and warnings of a compile: the front's own, and clang's taken over with an
 * advice of ours where one helps.
 */
#include <stdarg.h>
#include <string.h>

#include "front/builtin.h"
#include "front/tree.h"

static void report(front *f, diag_severity severity, ir_place place, const char *advice,
                   const char *format, va_list args)
{
    text message = { 0 };
    const char *file = place.line ? f->m->files[place.file] : NULL;

    text_addv(&message, format, args);
    diag_add(f->diags, severity, file, place.line, place.column, advice, "%s", text_get(&message));
    text_finish(&message);
}

void front_error(front *f, ir_place place, const char *advice, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(f, DIAG_ERROR, place, advice, format, args);
    va_end(args);
}

void front_warn(front *f, ir_place place, const char *advice, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(f, DIAG_WARNING, place, advice, format, args);
    va_end(args);
}

/* What clang says of C, and what to write instead here: the first row whose parts are all in it. */
static const char *clang_advice(const char *message, bool at_slip_for)
{
    static const struct {
        const char *part, *other, *advice;
    } rows[] = {
        { "'slipway/slipway.h' file not found", "",
          "programs include it; a kernel file includes <slipway/kernel.h> alone" },
        { "file not found", "",
          "kernels have stdint, stddef, stdbool, limits, float, math, assert, string, stdio and "
          "stdlib; put host code under `#ifndef __SLIPC__`" },
        { "unknown type name 'slip_kernel'", "", "write #include <slipway/kernel.h> before it" },
        { "undeclared identifier 'slip_for", "",
          "write slip_for (i, n), slip_for_range (i, lo, hi), slip_for2 (y, h, x, w) or "
          "slip_for3 (z, d, y, h, x, w)" },
        { "undeclared function 'slip_atomic_", "",
          "updates such as `x += v` and `x |= v` are atomic as they stand; the functions are "
          "slip_atomic_min, slip_atomic_max, slip_atomic_exchange and "
          "slip_atomic_compare_exchange" },
        { "undeclared function 'slip_", "", "write #include <slipway/kernel.h> before it" },
        { "undeclared library function", "alloc'",
          "declare an array outside the slip_for: f32 scratch[n] has the length of the call" },
        { "undeclared function", "",
          "define it in this file, or in a header that this file includes" },
        { "with const-qualified type", "assign",
          "the index of a slip_for, `const` variables and `const` arrays cannot be changed" },
        { "read-only variable is not assignable", "",
          "`const` is for what the kernel only reads; leave it out where it writes" },
    };

    if (at_slip_for && strstr(message, "expected ';' in 'for' statement"))
        return "the index of a slip_for is a name without a type: slip_for (i, n)";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strstr(message, rows[i].part) && strstr(message, rows[i].other))
            return rows[i].advice;
    }
    return NULL;
}

/* What a note names: "include the header <stdlib.h> or explicitly provide a declaration for
 * 'malloc'". */
typedef struct told_function {
    const char *header, *name;
    size_t header_bytes, name_bytes;
} told_function;

static bool read_note(const char *note, told_function *out)
{
    const char *header = strstr(note, "include the header <"), *name = strrchr(note, ' ');

    if (!header || !name || strlen(name) < 4)
        return false;
    header += strlen("include the header <");
    *out =
        (told_function){ header, name + 2, strcspn(header, ">"), strlen(name) - 3 }; /* " 'name'" */
    return true;
}

/* Its text; NULL: kernels have no such header. */
static const char *header_text(const told_function *told)
{
    for (uint32_t i = 0; i < builtin_header_count; i++) {
        const char *path = builtin_headers[i].path + sizeof BUILTIN_DIR;
        if (strlen(path) == told->header_bytes &&
            strncmp(path, told->header, told->header_bytes) == 0)
            return builtin_headers[i].text;
    }
    return NULL;
}

static bool in_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The function or macro that a line of a header declares: what stands before its first parenthesis.
 */
static const char *declared_in(const char *line, size_t *out_bytes)
{
    const char *end = line + strcspn(line, "(\n"), *start = end;

    while (*end == '(' && start > line && in_name(start[-1]))
        start--;
    *out_bytes = (size_t)(end - start);
    return start;
}

static bool declares(const char *text, const char *name, size_t bytes)
{
    size_t found_bytes;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *found = declared_in(line, &found_bytes);
        if (found_bytes == bytes && strncmp(found, name, bytes) == 0)
            return true;
    }
    return false;
}

/* The functions that the header has; of `sin` and `sinf` the former. */
static const char *functions_of(front *f, const told_function *told, const char *text)
{
    const char *all = NULL;
    bool some_f32 = false;
    size_t bytes;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *found = declared_in(line, &bytes);
        bool f32 = bytes > 1 && found[bytes - 1] == 'f' && declares(text, found, bytes - 1);
        some_f32 = some_f32 || f32;
        if (bytes > 0 && !f32)
            all = arena_text(f->arena, "%s%s%.*s", all ? all : "", all ? ", " : "", (int)bytes,
                             found);
    }
    if (!all)
        return NULL;
    return arena_text(f->arena, "<%.*s> has %s%s", (int)told->header_bytes, told->header, all,
                      some_f32 ? "; for f32 with an f: sinf" : "");
}

/* Ours lacks what the note says it has. */
static bool advises_in_vain(const char *note)
{
    told_function told;
    const char *text = read_note(note, &told) ? header_text(&told) : "";

    return !text || (*text && !declares(text, told.name, told.name_bytes));
}

/* In the stead of clang's words about a function of C that kernels do not have: NULL where it is
 * another matter. *advice is set where it is NULL. */
static const char *lacks_function(front *f, CXDiagnostic d, const char **advice)
{
    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    const char *message = NULL;

    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        CXString spelling = clang_getDiagnosticSpelling(note);
        told_function told;
        if (advises_in_vain(clang_getCString(spelling)) &&
            read_note(clang_getCString(spelling), &told)) {
            const char *text = header_text(&told);
            message =
                arena_text(f->arena, "kernels have no `%.*s`", (int)told.name_bytes, told.name);
            if (!*advice)
                *advice = text ? functions_of(f, &told, text)
                               : "define it in this file, or in a header that this file includes";
        }
        clang_disposeString(spelling);
        clang_disposeDiagnostic(note);
    }
    return message;
}

static bool stands_at(front *f, CXFile file, unsigned offset, const char *word)
{
    size_t size = 0, length = strlen(word);
    const char *text = file ? clang_getFileContents(f->tu, file, &size) : NULL;

    return text && offset <= size && length <= size - offset &&
           memcmp(text + offset, word, length) == 0;
}

static void take_diagnostic(front *f, CXDiagnostic d)
{
    enum CXDiagnosticSeverity given = clang_getDiagnosticSeverity(d);
    diag_severity severity = given >= CXDiagnostic_Error     ? DIAG_ERROR
                             : given == CXDiagnostic_Warning ? DIAG_WARNING
                                                             : DIAG_NOTE;
    if (given == CXDiagnostic_Ignored)
        return;
    CXFile file;
    unsigned line, column, offset;
    clang_getExpansionLocation(clang_getDiagnosticLocation(d), &file, &line, &column, &offset);
    CXString name = clang_getFileName(file), spelling = clang_getDiagnosticSpelling(d);
    const char *path = file ? clang_getCString(name) : NULL;
    const char *message = clang_getCString(spelling);
    bool ours = path && strncmp(path, BUILTIN_DIR, strlen(BUILTIN_DIR)) == 0;
    const char *advice = NULL, *lacking = NULL;
    if (severity == DIAG_ERROR) {
        advice = clang_advice(message, stands_at(f, file, offset, "slip_for"));
        lacking = lacks_function(f, d, &advice);
    }
    /* Notes about our macros help nobody. */
    if (severity == DIAG_ERROR || !(ours || advises_in_vain(message)))
        diag_add(f->diags, severity, path ? arena_copy(f->arena, path, strlen(path)) : NULL, line,
                 column, advice, "%s", lacking ? lacking : message);
    clang_disposeString(name);
    clang_disposeString(spelling);

    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        take_diagnostic(f, note);
        clang_disposeDiagnostic(note);
    }
}

void front_take_diagnostics(front *f)
{
    unsigned n = clang_getNumDiagnostics(f->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(f->tu, i);
        take_diagnostic(f, d);
        clang_disposeDiagnostic(d);
    }
}
