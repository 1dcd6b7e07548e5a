/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decl.c - one record per declaration that a kernel reaches, found by clang's cursor.
 *
 * A function's body becomes a tree when something reachable calls it, and not before.
 */
#include <string.h>

#include "front/builtin.h"
#include "front/tree.h"

const char *front_text(front *f, CXString s)
{
    const char *given = clang_getCString(s);
    const char *copy = given ? arena_copy(f->arena, given, strlen(given)) : "";
    clang_disposeString(s);
    return copy;
}

typedef struct mark_search {
    front *f;
    const char *found;
} mark_search;

static enum CXChildVisitResult find_mark(CXCursor c, CXCursor parent, CXClientData data)
{
    mark_search *s = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    CXString spelling = clang_getCursorSpelling(c);
    const char *mark = clang_getCString(spelling);
    if (mark && strncmp(mark, "slip.", 5) == 0)
        s->found = arena_copy(s->f->arena, mark + 5, strlen(mark + 5));
    clang_disposeString(spelling);
    return s->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

const char *front_mark(front *f, CXCursor c)
{
    mark_search s = { .f = f };
    if (clang_Cursor_hasAttrs(c))
        clang_visitChildren(c, find_mark, &s);
    return s.found;
}

bool front_builtin_file(front *f, CXFile file)
{
    if (!file)
        return false;
    for (uint32_t i = 0; i < f->known_count; i++) {
        if (f->known[i].file == file)
            return f->known[i].ours;
    }
    CXString name = clang_getFileName(file);
    bool ours = strncmp(clang_getCString(name), BUILTIN_DIR "/", sizeof BUILTIN_DIR) == 0;
    clang_disposeString(name);
    if (f->known_count < sizeof f->known / sizeof f->known[0])
        f->known[f->known_count++] = (known_file){ file, ours };
    return ours;
}

bool front_from_builtin(front *f, CXCursor c)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
    return front_builtin_file(f, file);
}

node **front_dims(front *f, CXCursor c, uint32_t *count)
{
    cursors all = front_kids(f, c);
    CXCursor init = clang_Cursor_getVarDeclInitializer(c);
    CXCursor written[16];
    uint32_t n = 0, taken = 0;
    node **dims = arena_new(f->arena, 16 * sizeof *dims);

    for (uint32_t i = all.count; i-- > 0;) {
        if (clang_isExpression(clang_getCursorKind(all.at[i])) &&
            !clang_equalCursors(all.at[i], init) && n < 16)
            written[n++] = all.at[i]; /* they come innermost first */
    }
    *count = 0;
    CXType t = clang_getCanonicalType(clang_getCursorType(c));
    while (*count < 16) {
        if (t.kind == CXType_Pointer) {
            t = clang_getPointeeType(t);
            continue;
        }
        if (t.kind == CXType_VariableArray || t.kind == CXType_ConstantArray) {
            CXCursor at = taken < n ? written[taken++] : clang_getNullCursor();
            dims[(*count)++] = clang_Cursor_isNull(at) ? NULL : front_expr(f, at);
        } else if (t.kind == CXType_IncompleteArray) {
            dims[(*count)++] = NULL;
        } else {
            break;
        }
        t = clang_getArrayElementType(t);
    }
    return dims;
}

static void fill_func(front *f, fdecl *d, CXCursor c)
{
    CXCursor def = clang_getCursorDefinition(c);
    if (!clang_Cursor_isNull(def))
        c = def;
    const char *mark = front_mark(f, c);

    d->kind = D_FUNC;
    d->cursor = c;
    d->is_builtin = front_from_builtin(f, c) || strncmp(d->name, "__builtin_", 10) == 0;
    d->is_kernel = mark && strcmp(mark, "kernel") == 0;
    d->result = front_type(f, clang_getCursorResultType(c));
    int n = clang_Cursor_getNumArguments(c);
    d->param_count = n > 0 ? (uint32_t)n : 0;
    d->params = arena_new(f->arena, (d->param_count + 1) * sizeof *d->params);
    if (d->is_builtin)
        return;
    for (uint32_t i = 0; i < d->param_count; i++) {
        CXCursor p = clang_Cursor_getArgument(c, i);
        const char *out = front_mark(f, p);
        d->params[i] = front_decl(f, p);
        d->params[i]->func = d;
        d->params[i]->index = i;
        d->params[i]->is_out = out && strcmp(out, "out") == 0;
    }
    for (uint32_t i = 0; i < d->param_count; i++)
        d->params[i]->dims = front_dims(f, d->params[i]->cursor, &d->params[i]->dim_count);
}

static void fill_var(front *f, fdecl *d, CXCursor c)
{
    CXType t = clang_getCursorType(c);

    d->type = front_type(f, t);
    if (clang_getCursorKind(c) == CXCursor_ParmDecl) {
        d->kind = D_PARAM;
        if (d->type->kind == FT_ARRAY) {
            d->array = d->type;
            d->type = front_pointer(f, d->array);
        }
        return;
    }
    if (clang_getCursorKind(c) == CXCursor_FieldDecl) {
        d->kind = D_FIELD;
        if (strchr(d->name, '('))
            d->name = ""; /* anonymous: clang describes it instead */
        return;
    }
    d->kind = D_VAR;
    d->is_const = clang_isConstQualifiedType(clang_getCanonicalType(t)) != 0;
    d->is_static = clang_Cursor_getStorageClass(c) == CX_SC_Static;
    d->func = f->func;
    enum CXCursorKind above = clang_getCursorKind(clang_getCursorSemanticParent(c));
    if (above == CXCursor_TranslationUnit)
        d->func = NULL;
}

/* A file-scope variable's definition carries the initialiser. */
static CXCursor defining(CXCursor c)
{
    CXCursor def = clang_getCursorDefinition(c);
    return clang_Cursor_isNull(def) ? c : def;
}

fdecl *front_decl(front *f, CXCursor given)
{
    CXCursor c = clang_getCanonicalCursor(given);
    fdecl **bucket = &f->decls[clang_hashCursor(c) % DECL_BUCKETS];

    for (fdecl *d = *bucket; d; d = d->next) {
        if (clang_equalCursors(clang_getCanonicalCursor(d->cursor), c))
            return d;
    }
    fdecl *d = arena_new(f->arena, sizeof *d);
    enum CXCursorKind kind = clang_getCursorKind(c);
    d->cursor = kind == CXCursor_VarDecl ? defining(c) : c;
    d->name = front_text(f, clang_getCursorSpelling(c));
    if (!front_from_builtin(f, d->cursor)) /* our own headers are no files of the module */
        d->place = front_place(f, d->cursor);
    d->next = *bucket;
    *bucket = d;
    if (kind == CXCursor_FunctionDecl)
        fill_func(f, d, c);
    else
        fill_var(f, d, d->cursor);
    return d;
}

/* ---- what a body writes -------------------------------------------------------------------------
 */

static fdecl *root_of(const node *n)
{
    while (n) {
        if (n->kind == N_REF)
            return n->decl->kind == D_FUNC ? NULL : n->decl;
        if (n->kind == N_MEMBER && !n->arrow)
            n = n->kids[0];
        else if (n->kind == N_INDEX && n->kids[0]->kind == N_CAST &&
                 n->kids[0]->kids[0]->type->kind == FT_ARRAY)
            n = n->kids[0]->kids[0];
        else
            return NULL;
    }
    return NULL;
}

void front_mark_written(node *place)
{
    fdecl *root = root_of(place);
    if (root)
        root->written = true;
}

/* Marks every variable that is assigned, or whose address leaves the expression that takes it. */
static void note_writes(const node *n, const node *parent)
{
    if (!n)
        return;
    bool into_const = parent && parent->kind == N_CAST && parent->type->kind == FT_POINTER &&
                      parent->type->const_elem;
    bool steps =
        n->kind == N_UNARY && n->op >= CXUnaryOperator_PostInc && n->op <= CXUnaryOperator_PreDec;
    bool addressed = n->kind == N_UNARY && n->op == CXUnaryOperator_AddrOf;
    bool decays = n->kind == N_CAST && n->kids[0]->type->kind == FT_ARRAY &&
                  n->type->kind == FT_POINTER && !(parent && parent->kind == N_INDEX);
    bool escapes = (addressed || decays) && !into_const && !n->type->const_elem;
    if (n->kind == N_ASSIGN || n->kind == N_COMPOUND || steps || escapes)
        front_mark_written(n->kids[0]);
    for (uint32_t i = 0; i < n->count; i++)
        note_writes(n->kids[i], n);
    if (n->kind == N_DECL && n->decl->init)
        note_writes(n->decl->init, n);
}

static enum CXChildVisitResult find_body(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_CompoundStmt)
        return CXChildVisit_Continue;
    *(CXCursor *)data = c;
    return CXChildVisit_Break;
}

void front_build(front *f, fdecl *func)
{
    CXCursor body = clang_getNullCursor();
    fdecl *outer = f->func;

    if (func->built || func->is_builtin)
        return;
    func->built = true;
    if (!clang_isCursorDefinition(func->cursor))
        return;
    clang_visitChildren(func->cursor, find_body, &body);
    if (clang_Cursor_isNull(body))
        return;
    f->func = func;
    func->body = front_stmt(f, body);
    note_writes(func->body, NULL);
    f->func = outer;
}
