/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - rules about where things stand: pragmas in the text, and calls of functions with tasks.
 *
 * Pragmas leave no trace in clang's tree, so the text is searched for them; what an #if leaves out
 * is free.
 */
#include <ctype.h>
#include <string.h>

#include "front/lower.h"

/* ---- calls of functions that contain tasks
 * ------------------------------------------------------- */

static bool is_task_call(const node *n)
{
    return n->kind == N_CALL && n->decl->has_task;
}

/* An expression that is a statement of its own, an initialiser, or the right side of = or return.
 */
static const node *whole(const node *n)
{
    while (n->kind == N_CAST)
        n = n->kids[0];
    return n;
}

static void inside(front *f, const node *n, bool allowed)
{
    if (!n)
        return;
    if (is_task_call(n) && !allowed)
        front_error(f, n->place,
                    "call it in a statement of its own and keep the result in a variable",
                    "`%s` contains a slip_for and is called inside an expression", n->decl->name);
    for (uint32_t i = 0; i < n->count; i++)
        inside(f, n->kids[i], false);
}

static void whole_expression(front *f, const node *n)
{
    n = whole(n);
    if (n->kind == N_ASSIGN) {
        inside(f, n->kids[0], false);
        whole_expression(f, n->kids[1]);
        return;
    }
    inside(f, n, true);
}

void front_check_task_calls(front *f, const node *n)
{
    if (!n)
        return;
    if (n->kind <= N_LITERAL) {
        whole_expression(f, n);
        return;
    }
    if (n->kind == N_DECL && n->decl->init)
        whole_expression(f, n->decl->init);
    bool condition =
        n->kind == N_IF || n->kind == N_WHILE || n->kind == N_SWITCH || n->kind == N_CASE;
    for (uint32_t i = 0; i < n->count; i++) {
        bool is_condition =
            (condition && i == 0) || (n->kind == N_FOR && i == 1) || (n->kind == N_DO && i == 1);
        if (n->kids[i] && is_condition)
            inside(f, n->kids[i], false);
        else
            front_check_task_calls(f, n->kids[i]);
    }
}

/* ---- pragmas
 * ------------------------------------------------------------------------------------------- */

static bool word_at(const char *s, size_t size, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at + n <= size && memcmp(s + at, word, n) == 0 &&
           !(at + n < size && (isalnum((unsigned char)s[at + n]) || s[at + n] == '_')) &&
           !(at > 0 && (isalnum((unsigned char)s[at - 1]) || s[at - 1] == '_'));
}

static size_t skip_blanks(const char *s, size_t size, size_t at)
{
    while (at < size && (s[at] == ' ' || s[at] == '\t'))
        at++;
    return at;
}

/* Is there a pragma at the # or _Pragma at `at` that is neither `once` nor `unroll`? */
static bool bad_pragma(const char *s, size_t size, size_t at, size_t *word)
{
    if (s[at] == '#') {
        at = skip_blanks(s, size, at + 1);
        if (!word_at(s, size, at, "pragma"))
            return false;
        at = skip_blanks(s, size, at + strlen("pragma"));
    } else {
        at = skip_blanks(s, size, at + strlen("_Pragma"));
        while (at < size && (s[at] == '(' || s[at] == '"' || s[at] == ' '))
            at++;
    }
    *word = at;
    return !word_at(s, size, at, "once") && !word_at(s, size, at, "unroll");
}

static size_t skip_comment_or_text(const char *s, size_t size, size_t at)
{
    if (s[at] == '/' && at + 1 < size && s[at + 1] == '/') {
        while (at < size && s[at] != '\n')
            at++;
    } else if (s[at] == '/' && at + 1 < size && s[at + 1] == '*') {
        for (at += 2; at + 1 < size && !(s[at] == '*' && s[at + 1] == '/'); at++)
            ;
        at++;
    } else if (s[at] == '"' || s[at] == '\'') {
        char quote = s[at++];
        while (at < size && s[at] != quote && s[at] != '\n')
            at += s[at] == '\\' ? 2 : 1;
    }
    return at;
}

typedef struct pragma_search {
    front *f;
    CXTranslationUnit detailed; /* made when a first pragma is met: it knows what #if leaves out */
} pragma_search;

static bool left_out(pragma_search *p, CXFile file, unsigned at)
{
    CXString name = clang_getFileName(file);
    if (!p->detailed)
        p->detailed = front_parse_detailed(p->f);
    CXFile same = p->detailed ? clang_getFile(p->detailed, clang_getCString(name)) : NULL;
    clang_disposeString(name);
    if (!same)
        return false;
    CXSourceRangeList *ranges = clang_getSkippedRanges(p->detailed, same);
    bool out = false;
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned from, to;
        clang_getExpansionLocation(clang_getRangeStart(ranges->ranges[i]), NULL, NULL, NULL, &from);
        clang_getExpansionLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, NULL, NULL, &to);
        out = out || (at >= from && at < to);
    }
    clang_disposeSourceRangeList(ranges);
    return out;
}

static void refuse_pragma(pragma_search *p, CXFile file, const char *s, size_t size, size_t at,
                          size_t word)
{
    unsigned line, column;
    size_t end = word;
    CXString name = clang_getFileName(file);

    while (end < size && s[end] != '\n' && s[end] != '"' && end - word < 40)
        end++;
    clang_getExpansionLocation(clang_getLocationForOffset(p->f->tu, file, (unsigned)at), NULL,
                               &line, &column, NULL);
    ir_place place = { ir_file(p->f->m, clang_getCString(name)), line, column };
    clang_disposeString(name);
    front_error(p->f, place,
                "only `once` and `unroll` mean something here; put it under `#ifndef __SLIPC__`",
                "#pragma %.*s in a kernel file", (int)(end - word), s + word);
}

static void search_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    pragma_search *p = data;
    size_t size, word;
    const char *s = clang_getFileContents(p->f->tu, file, &size);
    (void)stack;
    (void)depth;

    if (!s || front_builtin_file(p->f, file))
        return;
    bool line_start = true;
    for (size_t at = 0; at < size; at++) {
        char c = s[at];
        bool directive = line_start && c == '#';
        if ((directive || (c == '_' && word_at(s, size, at, "_Pragma"))) &&
            bad_pragma(s, size, at, &word) && !left_out(p, file, (unsigned)at))
            refuse_pragma(p, file, s, size, at, word);
        if (c == '\n')
            line_start = true;
        else if (c != ' ' && c != '\t')
            line_start = false;
        if (c == '/' || c == '"' || c == '\'')
            at = skip_comment_or_text(s, size, at);
        if (at < size && s[at] == '\n')
            line_start = true;
    }
}

void front_check_pragmas(front *f)
{
    pragma_search p = { .f = f };
    clang_getInclusions(f->tu, search_file, &p);
    if (p.detailed)
        clang_disposeTranslationUnit(p.detailed);
}
