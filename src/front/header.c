/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.c - what the generated header needs so that a kernel's parameters have their types: a
 * struct defined in the kernel file is repeated in standard types, one from an included header is
 * had by including that header as it was spelled.
 */
#include <string.h>

#include "front/lower.h"

/* ---- #include lines
 * -------------------------------------------------------------------------------- */

typedef struct include_search {
    front *f;
    CXFile wanted;
    unsigned line; /* of the directive in the main file */
} include_search;

static void match_include(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    include_search *s = data;

    if (depth == 0 || !clang_File_isEqual(file, s->wanted))
        return;
    for (unsigned i = 0; i < depth; i++) {
        CXFile from;
        unsigned line;
        clang_getExpansionLocation(stack[i], &from, &line, NULL, NULL);
        if (clang_File_isEqual(from, s->f->main_file))
            s->line = line;
    }
}

/* The text of a line, with what stands before # and after the name cut off. */
static const char *include_line(front *f, unsigned line)
{
    size_t size, at = 0;
    const char *s = clang_getFileContents(f->tu, f->main_file, &size);

    for (unsigned now = 1; s && now < line && at < size; at++)
        now += s[at] == '\n';
    while (at < size && s[at] != '#' && s[at] != '\n')
        at++;
    size_t end = at;
    while (end < size && s[end] != '\n' && s[end] != '"' && s[end] != '<')
        end++;
    if (end >= size || s[end] == '\n')
        return NULL;
    char close = s[end] == '<' ? '>' : '"';
    for (end++; end < size && s[end] != '\n' && s[end] != close; end++)
        ;
    return arena_copy(f->arena, s + at, end + 1 - at);
}

/* ---- struct definitions
 * ------------------------------------------------------------------------------ */

static void add_member(text *out, front *f, const fdecl *d, unsigned depth);

static void add_members(text *out, front *f, const ftype *s, unsigned depth)
{
    for (uint32_t i = 0; i < s->field_count; i++)
        add_member(out, f, s->fields[i], depth);
}

static void add_extents(text *out, const ftype *t)
{
    for (; t->kind == FT_ARRAY; t = t->elem)
        text_add(out, "[%llu]", (unsigned long long)t->count);
}

static void add_member(text *out, front *f, const fdecl *d, unsigned depth)
{
    const ftype *inner = ftype_inner(d->type);

    text_add(out, "%*s", (int)depth * 4, "");
    if (inner->kind == FT_SCALAR) {
        text_add(out, "%s", scalar_types[inner->scalar].c_name);
    } else if (strncmp(inner->ir->name, "anon.", 5) == 0) {
        text_add(out, "struct {\n");
        add_members(out, f, inner, depth + 1);
        text_add(out, "%*s}", (int)depth * 4, "");
    } else {
        text_add(out, "struct %s", inner->ir->name);
    }
    if (*d->name)
        text_add(out, " %s", d->name);
    add_extents(out, d->type);
    text_add(out, ";\n");
}

/* Both `struct vec` and, where the source says so, `vec` name it. */
static void define_struct(front *f, const ftype *s)
{
    text out = { 0 };
    bool typedefed = s->tagless;

    text_add(&out, "%sstruct %s {\n", typedefed ? "typedef " : "", s->ir->name);
    add_members(&out, f, s, 1);
    text_add(&out, typedefed ? "} %s;\n" : "};\n%.0s", s->ir->name);
    ir_header_add(f->m, typedefed ? s->ir->name : arena_text(f->arena, "struct %s", s->ir->name),
                  text_get(&out));
    text_finish(&out);
}

static bool known(const front *f, const char *name, const char *lines)
{
    for (uint32_t i = 0; i < f->m->header_item_count; i++) {
        if (strcmp(f->m->header_items[i].name, name) == 0 ||
            (lines && strcmp(f->m->header_items[i].text, lines) == 0))
            return true;
    }
    return false;
}

/* ---- names that the kernel file gives to structs ------------------------------------------- */

typedef struct typedef_search {
    front *f;
    const ftype *wanted;
} typedef_search;

static enum CXChildVisitResult add_typedef(CXCursor c, CXCursor parent, CXClientData data)
{
    const typedef_search *s = data;
    const char *name = front_text(s->f, clang_getCursorSpelling(c));
    CXFile file;

    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_TypedefDecl)
        return CXChildVisit_Continue;
    CXType type = clang_getCanonicalType(clang_getTypedefDeclUnderlyingType(c));
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
    if (!clang_File_isEqual(file, s->f->main_file) || clang_isConstQualifiedType(type) ||
        !clang_equalCursors(clang_getCanonicalCursor(clang_getTypeDeclaration(type)),
                            clang_getCanonicalCursor(s->wanted->record)) ||
        known(s->f, name, NULL))
        return CXChildVisit_Continue;
    ir_header_add(s->f->m, name,
                  arena_text(s->f->arena, "typedef %s%s %s;\n", s->wanted->tagless ? "" : "struct ",
                             s->wanted->ir->name, name));
    return CXChildVisit_Continue;
}

/* Every name of the struct that the kernel file itself gives. */
static void add_typedefs(front *f, const ftype *s)
{
    typedef_search search = { f, s };

    clang_visitChildren(clang_getTranslationUnitCursor(f->tu), add_typedef, &search);
}

static void need_struct(front *f, const ftype *s)
{
    CXFile file;
    const char *tagged = arena_text(f->arena, "struct %s", s->ir->name);

    if (known(f, tagged, NULL) || known(f, s->ir->name, NULL))
        return;
    clang_getExpansionLocation(clang_getCursorLocation(s->record), &file, NULL, NULL, NULL);
    if (!clang_File_isEqual(file, f->main_file)) {
        include_search search = { .f = f, .wanted = file };
        clang_getInclusions(f->tu, match_include, &search);
        const char *line = search.line ? include_line(f, search.line) : NULL;
        if (line) {
            ir_header_add(f->m, s->tagless ? s->ir->name : tagged,
                          arena_text(f->arena, "%s\n", line));
            add_typedefs(f, s);
            return;
        }
    }
    for (uint32_t i = 0; i < s->field_count; i++) {
        const ftype *inner = ftype_inner(s->fields[i]->type);
        if (inner->kind == FT_STRUCT && strncmp(inner->ir->name, "anon.", 5) != 0)
            need_struct(f, inner);
    }
    define_struct(f, s);
    add_typedefs(f, s);
}

void front_header_items(front *f, fdecl *kernel)
{
    for (uint32_t i = 0; i <= kernel->param_count; i++) {
        const ftype *t = i < kernel->param_count ? kernel->params[i]->type : kernel->result;
        t = ftype_inner(t->kind == FT_POINTER ? t->elem : t);
        if (t->kind == FT_STRUCT)
            need_struct(f, t);
    }
}
