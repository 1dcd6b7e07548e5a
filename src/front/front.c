/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.c - one compile: parse, take over clang's diagnostics, find kernels, lower what they reach.
 *
 * The model is the same on every host: LP64, little-endian, signed plain char, our own headers.
 */
#include "front/front.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "front/builtin.h"
#include "front/lower.h"

/* ---- diagnostics -------------------------------------------------------------------------------
 */

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
        { "undeclared function", "", "define it in this file, or in a header that this file includes" },
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

/* "include the header <stdlib.h> or explicitly provide a declaration for 'malloc'", which ours lacks. */
static bool advises_in_vain(const char *note)
{
    const char *header = strstr(note, "include the header <"), *name = strrchr(note, ' ');

    if (!header || !name || strlen(name) < 4)
        return false;
    header += strlen("include the header <");
    size_t header_bytes = strcspn(header, ">"), name_bytes = strlen(name) - 3; /* " 'name'" */
    for (uint32_t i = 0; i < builtin_header_count; i++) {
        const char *path = builtin_headers[i].path + sizeof BUILTIN_DIR;
        if (strlen(path) != header_bytes || strncmp(path, header, header_bytes) != 0)
            continue;
        for (const char *at = builtin_headers[i].text; (at = strstr(at, "(")) != NULL; at++) {
            if ((size_t)(at - builtin_headers[i].text) > name_bytes &&
                strncmp(at - name_bytes, name + 2, name_bytes) == 0)
                return false;
        }
    }
    return true;
}

static bool stands_at(front *f, CXFile file, unsigned offset, const char *word)
{
    size_t size = 0, length = strlen(word);
    const char *text = file ? clang_getFileContents(f->tu, file, &size) : NULL;

    return text && offset <= size && length <= size - offset && memcmp(text + offset, word, length) == 0;
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
    const char *advice = NULL;
    if (severity == DIAG_ERROR)
        advice = clang_advice(message, stands_at(f, file, offset, "slip_for"));
    /* Notes about our macros help nobody. */
    if (severity == DIAG_ERROR || !(ours || advises_in_vain(message)))
        diag_add(f->diags, severity, path ? arena_copy(f->arena, path, strlen(path)) : NULL, line,
                 column, advice, "%s", message);
    clang_disposeString(name);
    clang_disposeString(spelling);

    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        take_diagnostic(f, note);
        clang_disposeDiagnostic(note);
    }
}

static void take_diagnostics(front *f)
{
    unsigned n = clang_getNumDiagnostics(f->tu);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(f->tu, i);
        take_diagnostic(f, d);
        clang_disposeDiagnostic(d);
    }
}

/* ---- parsing
 * ------------------------------------------------------------------------------------- */

static const char *const fixed_args[] = {
    "-xc",
    "-std=c11",
    "-pedantic-errors",
    "-fsigned-char",
    "--target=x86_64-unknown-linux-gnu",
    "-nostdinc",
    "-D__SLIPC__",
    "-fwrapv",
    "-fno-spell-checking",
    "-Wno-pass-failed",
    "-Wno-unknown-pragmas",
    "-Wno-ignored-pragmas",
    "-Wno-main-return-type",
    "-Wno-return-type",
    "-Wno-unsequenced",
};

static enum CXErrorCode parse_with(front *f, unsigned flags, CXTranslationUnit *out)
{
    const front_options *o = f->options;
    uint32_t fixed = sizeof fixed_args / sizeof fixed_args[0], n = 0, file_count = 0;
    const char **args = arena_new(
        f->arena,
        (fixed + o->include_dir_count + o->define_count + builtin_header_count + 1) * sizeof *args);
    struct CXUnsavedFile *files = arena_new(f->arena, (builtin_header_count + 1) * sizeof *files);

    for (uint32_t i = 0; i < fixed; i++)
        args[n++] = fixed_args[i];
    args[n++] = "-I" BUILTIN_DIR; /* before the user's, and still system headers */
    for (uint32_t i = 0; i < o->include_dir_count; i++)
        args[n++] = arena_text(f->arena, "-I%s", o->include_dirs[i]);
    for (uint32_t i = 0; i < o->define_count; i++)
        args[n++] = arena_text(f->arena, "-D%s", o->defines[i]);
    for (uint32_t i = 0; i < builtin_header_count; i++)
        args[n++] = arena_text(f->arena, "--system-header-prefix=%s",
                               builtin_headers[i].path + sizeof BUILTIN_DIR);
    for (uint32_t i = 0; i < builtin_header_count; i++)
        files[file_count++] =
            (struct CXUnsavedFile){ builtin_headers[i].path, builtin_headers[i].text,
                                    builtin_headers[i].bytes };
    if (f->source)
        files[file_count++] = (struct CXUnsavedFile){ f->path, f->source, strlen(f->source) };
    return clang_parseTranslationUnit2(f->index, f->path, args, (int)n, files, file_count, flags,
                                       out);
}

CXTranslationUnit front_parse_detailed(front *f)
{
    CXTranslationUnit made = NULL;
    return parse_with(f, CXTranslationUnit_DetailedPreprocessingRecord, &made) == CXError_Success
               ? made
               : NULL;
}

/* libclang does not say why. */
static slip_status refuse_parse(const front *f, enum CXErrorCode code)
{
    FILE *file = f->source ? NULL : fopen(f->path, "rb");

    if (!f->source && !file)
        return SLIP_FAIL(SLIP_ERR_NOT_FOUND, "cannot read %s: %s", f->path, strerror(errno));
    if (file)
        fclose(file);
    return SLIP_FAIL(f->source ? SLIP_ERR_INTERNAL : SLIP_ERR_NOT_FOUND,
                     "%s cannot be parsed (libclang's code %d)", f->path, (int)code);
}

static slip_status parse(front *f)
{
    enum CXErrorCode code = parse_with(f, 0, &f->tu);
    if (code != CXError_Success)
        return refuse_parse(f, code);
    f->main_file = clang_getFile(f->tu, f->path);
    return SLIP_OK;
}

static void note_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    front_files *files = ((void **)data)[0];
    front *f = ((void **)data)[1];
    CXString name = clang_getFileName(file);
    const char *path = clang_getCString(name);
    (void)stack;
    (void)depth;

    if (strncmp(path, BUILTIN_DIR, strlen(BUILTIN_DIR)) != 0) {
        files->paths = arena_grow(f->arena, files->paths, &files->capacity, files->count + 1,
                                  sizeof *files->paths);
        files->paths[files->count++] = arena_copy(f->arena, path, strlen(path));
    }
    clang_disposeString(name);
}

/* ---- kernels
 * ----------------------------------------------------------------------------------------- */

/* Kernels; of a library, what other files may call. */
static enum CXChildVisitResult find_kernel(CXCursor c, CXCursor parent, CXClientData data)
{
    front *f = data;
    bool library = f->options->library;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || front_from_builtin(f, c) ||
        (library ? clang_getCursorLinkage(c) != CXLinkage_External : !clang_Cursor_hasAttrs(c)))
        return CXChildVisit_Continue;
    fdecl *d = front_decl(f, c);
    if ((!library && !d->is_kernel) || !clang_isCursorDefinition(c))
        return CXChildVisit_Continue;
    f->kernels = arena_grow(f->arena, f->kernels, &f->kernel_capacity, f->kernel_count + 1,
                            sizeof *f->kernels);
    f->kernels[f->kernel_count++] = d;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult find_function(CXCursor c, CXCursor parent, CXClientData data)
{
    CXCursor *found = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c) ||
        !clang_Location_isFromMainFile(clang_getCursorLocation(c)))
        return CXChildVisit_Continue;
    *found = c;
    return CXChildVisit_Break;
}

/* The first function of the file, which may lack the mark; else the file's first line. */
static ir_place unmarked_place(front *f)
{
    CXCursor found = clang_getNullCursor();

    clang_visitChildren(clang_getTranslationUnitCursor(f->tu), find_function, &found);
    if (!clang_Cursor_isNull(found))
        return front_place(f, found);
    return (ir_place){ ir_file(f->m, f->path), 1, 1 };
}

static void lower_all(front *f)
{
    clang_visitChildren(clang_getTranslationUnitCursor(f->tu), find_kernel, f);
    if (f->kernel_count == 0) {
        front_error(f, unmarked_place(f),
                    "mark an entry point: slip_kernel void name(i32 n, f32 x[n])",
                    "the file has no kernel");
        return;
    }
    if (!front_reach(f))
        return;
    for (uint32_t i = 0; i < f->kernel_count; i++) {
        lower_instance(f, f->kernels[i], NULL, !f->options->library);
        if (!f->options->library)
            front_header_items(f, f->kernels[i]);
    }
    lower_pending(f);
}

static slip_status finish(front *f)
{
    if (f->full || mem_arena_full(f->arena))
        return SLIP_FAIL(SLIP_ERR_MEMORY, "the kernel file is too large for one compile");
    if (f->diags->errors)
        return SLIP_FAIL(SLIP_ERR_COMPILE, "the kernel file was refused with %u error%s",
                         f->diags->errors, f->diags->errors == 1 ? "" : "s");
    return SLIP_OK;
}

static slip_status compile(front *f, front_files *files)
{
    SLIP_TRY(parse(f));
    if (files)
        clang_getInclusions(f->tu, note_file, (void *[]){ files, f });
    take_diagnostics(f);
    front_check_pragmas(f);
    if (f->diags->errors == 0)
        lower_all(f);
    return finish(f);
}

slip_status front_compile(const char *path, const char *source, const front_options *options,
                          diag_list *diags, ir_module *m, front_files *files)
{
    static const front_options none = { 0 };
    front *f = arena_new(m->arena, sizeof *f);

    *f = (front){ .arena = m->arena, .m = m, .diags = diags, .path = path, .source = source };
    f->options = options ? options : &none;
    f->fma = f->options->fma;
    m->fma = f->fma;
    f->index = clang_createIndex(0, 0);
    if (!f->index)
        return SLIP_FAIL(SLIP_ERR_MEMORY, "libclang could not be started");
    slip_status status = compile(f, files);
    if (f->tu)
        clang_disposeTranslationUnit(f->tu);
    clang_disposeIndex(f->index);
    return status;
}
