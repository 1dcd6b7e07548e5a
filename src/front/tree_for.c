/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree_for.c - `for` statements: which parts are there, and which are kernel.h's macros.
 *
 * libclang lists only the parts that exist, unlabelled. With all four there is no doubt;
 * otherwise each part's place is compared with the two semicolons in the source text. The text is
 * only read, never parsed beyond brackets, strings and comments.
 */
#include <string.h>

#include "front/tree.h"

/* ---- where the semicolons are ------------------------------------------------------------------
 */

typedef struct for_text {
    unsigned first, second, close; /* offsets of `;`, `;` and `)` */
} for_text;

static size_t skip_quoted(const char *s, size_t at, size_t size)
{
    char quote = s[at++];
    while (at < size && s[at] != quote)
        at += s[at] == '\\' ? 2 : 1;
    return at;
}

static size_t skip_comment(const char *s, size_t at, size_t size)
{
    if (s[at + 1] == '/') {
        while (at < size && s[at] != '\n')
            at++;
        return at;
    }
    for (at += 2; at + 1 < size && !(s[at] == '*' && s[at + 1] == '/'); at++)
        ;
    return at + 1;
}

static bool find_semicolons(const char *s, size_t size, size_t at, for_text *out)
{
    int depth = 0, seen = 0;

    for (; at < size; at++) {
        char c = s[at];
        if (c == '"' || c == '\'') {
            at = skip_quoted(s, at, size);
        } else if (c == '/' && at + 1 < size && (s[at + 1] == '/' || s[at + 1] == '*')) {
            at = skip_comment(s, at, size);
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            if (--depth == 0) {
                out->close = (unsigned)at;
                return seen == 2;
            }
        } else if (c == ';' && depth == 1) {
            *(seen == 0 ? &out->first : &out->second) = (unsigned)at;
            seen++;
        }
    }
    return false;
}

static unsigned start_offset(CXCursor c, CXFile *file)
{
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(c)), file, NULL, NULL,
                               &offset);
    return offset;
}

/* False where the `for` itself comes out of a macro, so that the text says nothing. */
static bool for_parts(front *f, CXCursor c, for_text *out)
{
    CXFile file, spelled_file;
    unsigned spelled;
    unsigned at = start_offset(c, &file);
    size_t size = 0;

    clang_getSpellingLocation(clang_getRangeStart(clang_getCursorExtent(c)), &spelled_file, NULL,
                              NULL, &spelled);
    const char *s = file ? clang_getFileContents(f->tu, file, &size) : NULL;
    return s && spelled == at && clang_File_isEqual(file, spelled_file) && at + 3 < size &&
           memcmp(s + at, "for", 3) == 0 && find_semicolons(s, size, at, out);
}

static node *part_stmt(front *f, CXCursor c)
{
    return clang_isExpression(clang_getCursorKind(c)) ? front_expr(f, c) : front_stmt(f, c);
}

static node *plain_for(front *f, CXCursor c, cursors kids)
{
    node *n = node_with(f, N_FOR, c, 4);
    for_text at_text = { 0 };
    CXFile file;

    if (kids.count != 4 && !for_parts(f, c, &at_text)) {
        front_error(f, n->place, "write the loop out, or give all three parts",
                    "a `for` with a part left out comes from a macro");
        return node_new(f, N_EMPTY, c);
    }
    for (uint32_t i = 0; i < kids.count; i++) {
        unsigned at = start_offset(kids.at[i], &file);
        uint32_t slot = i;
        if (kids.count != 4)
            slot = i + 1 == kids.count ? 3 : at < at_text.first ? 0 : at < at_text.second ? 1 : 2;
        n->kids[slot] = slot == 3 ? front_stmt(f, kids.at[i]) : part_stmt(f, kids.at[i]);
    }
    return n;
}

/* ---- kernel.h's loops
 * ------------------------------------------------------------------------------ */

/* The mark on the variable that a `for` declares, and that variable. */
static const char *for_mark(front *f, cursors kids, CXCursor *var)
{
    if (kids.count != 3 || clang_getCursorKind(kids.at[0]) != CXCursor_DeclStmt)
        return NULL;
    cursors vars = front_kids(f, kids.at[0]);
    if (vars.count != 1 || clang_getCursorKind(vars.at[0]) != CXCursor_VarDecl)
        return NULL;
    *var = vars.at[0];
    return front_mark(f, *var);
}

static const node *unconverted(const node *n)
{
    while (n->kind == N_CAST && n->implicit && n->kids[0]->type->kind == FT_SCALAR)
        n = n->kids[0];
    return n;
}

/* After the promotions; narrow types become int. */
static bool is_signed(const node *n)
{
    scalar_type s = n->type->scalar;
    return scalar_types[s].is_signed || scalar_types[s].bytes < 4;
}

/* Bounds of one sign: a constant that is not negative counts as either. */
static void check_signs(front *f, const node *task, const node *lo, const node *hi)
{
    const node *a = unconverted(lo), *b = unconverted(hi);

    if (a->type->kind != FT_SCALAR || b->type->kind != FT_SCALAR)
        return;
    bool free_a = a->kind == N_INT && (!is_signed(a) || (int64_t)a->bits >= 0);
    bool free_b = b->kind == N_INT && (!is_signed(b) || (int64_t)b->bits >= 0);
    if (is_signed(a) != is_signed(b) && !free_a && !free_b)
        front_error(f, task->place, "convert one bound to the other's type",
                    "the bounds are of mixed signedness: %s and %s",
                    scalar_types[a->type->scalar].name, scalar_types[b->type->scalar].name);
}

static node *zero_bound(front *f, CXCursor c, const ftype *type)
{
    node *n = node_new(f, N_INT, c);
    n->type = type;
    return n;
}

typedef struct task_shape {
    node *bounds[6];
    fdecl *axes[3];
    uint32_t bound_count, axis_count;
} task_shape;

static node *finish_task(front *f, CXCursor c, task_shape *s, CXCursor body)
{
    node *n = node_with(f, N_TASK, c, s->axis_count * 2 + 1);
    bool pairs = s->bound_count == 2 * s->axis_count;

    n->rank = s->axis_count;
    for (uint32_t k = 0; k < s->axis_count; k++) {
        n->axes[k] = s->axes[k];
        n->kids[2 * k] = pairs ? s->bounds[2 * k] : zero_bound(f, c, s->axes[k]->type);
        n->kids[2 * k + 1] = pairs ? s->bounds[2 * k + 1] : s->bounds[k];
        if (pairs)
            check_signs(f, n, n->kids[2 * k], n->kids[2 * k + 1]);
    }
    if (f->func)
        f->func->has_task = true;
    n->kids[2 * s->axis_count] = front_stmt(f, body);
    return n;
}

static node *task(front *f, CXCursor c, cursors kids)
{
    task_shape s = { .bound_count = 0 };
    CXCursor at = c, var;

    for (;;) {
        const char *mark = for_mark(f, kids, &var);
        CXCursor body = kids.at[2];
        if (mark && strcmp(mark, "bound") == 0 && s.bound_count < 6) {
            s.bounds[s.bound_count++] = front_expr(f, clang_Cursor_getVarDeclInitializer(var));
            front_decl(f, var);
        } else if (mark && strcmp(mark, "axis") == 0 && s.axis_count < 3) {
            s.axes[s.axis_count++] = front_decl(f, var);
        }
        if (s.axis_count && (s.axis_count == s.bound_count || 2 * s.axis_count == s.bound_count)) {
            /* slip_for2 has two bounds before its first axis: one axis of two may be slip_for_range
             */
            cursors next = clang_getCursorKind(body) == CXCursor_ForStmt ? front_kids(f, body)
                                                                         : (cursors){ 0 };
            CXCursor inner;
            const char *follows = next.count ? for_mark(f, next, &inner) : NULL;
            if (s.axis_count == s.bound_count || !follows || strcmp(follows, "axis") != 0)
                return finish_task(f, at, &s, body);
        }
        if (clang_getCursorKind(body) != CXCursor_ForStmt)
            break;
        kids = front_kids(f, body);
    }
    front_error(f, front_place(f, c), NULL,
                "this loop uses the words of kernel.h in a form of its own");
    return node_new(f, N_EMPTY, c);
}

static node *section(front *f, CXCursor c, node_kind kind, CXCursor body)
{
    node *n = node_with(f, kind, c, 1);
    n->kids[0] = front_stmt(f, body);
    if (f->func)
        f->func->has_task = true;
    return n;
}

node *front_for(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    CXCursor var;
    const char *mark = for_mark(f, kids, &var);

    if (!mark)
        return plain_for(f, c, kids);
    if (strcmp(mark, "sections") == 0)
        return section(f, c, N_SECTIONS, kids.at[2]);
    if (strcmp(mark, "section") == 0)
        return section(f, c, N_SECTION, kids.at[2]);
    bool tile = strcmp(mark, "lane") == 0;
    if (strcmp(mark, "bound") == 0 || strcmp(mark, "axis") == 0) {
        /* slip_block holds its lane count as a second bound, then a "block" index */
        cursors second = clang_getCursorKind(kids.at[2]) == CXCursor_ForStmt
                             ? front_kids(f, kids.at[2])
                             : (cursors){ 0 };
        cursors third = second.count == 3 && clang_getCursorKind(second.at[2]) == CXCursor_ForStmt
                            ? front_kids(f, second.at[2])
                            : (cursors){ 0 };
        CXCursor inner;
        const char *block = third.count ? for_mark(f, third, &inner) : NULL;
        tile = block && strcmp(block, "block") == 0;
        if (!tile)
            return task(f, c, kids);
    }
    front_error(f, front_place(f, c), "use slip_for; each iteration has its own local arrays",
                "tiles (slip_block, slip_lanes) are not part of this version");
    return node_new(f, N_EMPTY, c);
}
