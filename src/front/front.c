/* SPDX-License-Identifier: Apache-2.0 */
/*
 * front.c - one compile: parse, find kernels, lower what they reach.
 *
 * The model is the same on every host: LP64, little-endian, signed plain char, our own headers.
 */
#include "front/front.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "front/builtin.h"
#include "front/lower.h"

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
    "-Wuninitialized",
    "-Wsometimes-uninitialized",
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
    front_take_diagnostics(f);
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
