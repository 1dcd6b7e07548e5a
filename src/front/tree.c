/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.c - statements: clang's cursors to nodes. Constructs the language does not have are
 * refused here, each with what to write instead.
 */
#include <string.h>

#include "front/tree.h"

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data)
{
    cursors *out = data;
    (void)parent;
    out->at = arena_grow(out->arena, out->at, &out->capacity, out->count + 1, sizeof *out->at);
    out->at[out->count++] = c;
    return CXChildVisit_Continue;
}

cursors front_kids(front *f, CXCursor c)
{
    cursors out = { .arena = f->arena };
    clang_visitChildren(c, collect, &out);
    return out;
}

ir_place front_place(front *f, CXCursor c)
{
    CXSourceLocation at = clang_isDeclaration(clang_getCursorKind(c))
                              ? clang_getCursorLocation(c)
                              : clang_getRangeStart(clang_getCursorExtent(c));
    CXFile file;
    unsigned line, column;

    clang_getExpansionLocation(at, &file, &line, &column, NULL);
    if (!file)
        return (ir_place){ 0 };
    if (file != f->last_file) {
        CXString name = clang_getFileName(file);
        f->last_index = ir_file(f->m, clang_getCString(name));
        f->last_file = file;
        clang_disposeString(name);
    }
    return (ir_place){ f->last_index, line, column };
}

node *node_new(front *f, node_kind kind, CXCursor c)
{
    node *n = arena_new(f->arena, sizeof *n);
    n->kind = kind;
    n->place = front_place(f, c);
    if (mem_arena_full(f->arena))
        f->full = true;
    return n;
}

node *node_with(front *f, node_kind kind, CXCursor c, uint32_t count)
{
    node *n = node_new(f, kind, c);
    n->count = count;
    n->kids = arena_new(f->arena, (count + 1) * sizeof *n->kids);
    return n;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static const char *const const_advice = "pass it as a parameter, or make it `static const`";

static node *var_decl(front *f, CXCursor c)
{
    fdecl *d = front_decl(f, c);
    node *n = node_new(f, N_DECL, c);
    CXCursor init = clang_Cursor_getVarDeclInitializer(c);
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(c);

    n->decl = d;
    if (clang_getCursorTLSKind(c) != CXTLS_None)
        front_error(f, d->place, "declare a plain variable", "`%s` is thread-local", d->name);
    else if (storage == CX_SC_Extern)
        front_error(f, d->place, const_advice, "`%s` is extern", d->name);
    else if (d->is_static && !d->is_const)
        front_error(f, d->place, "make it const, or keep the value in an array parameter",
                    "`%s` is a static variable that can be written", d->name);
    ftype_usable(f, d->type, d->place, arena_text(f->arena, "`%s`", d->name));
    if (d->type->kind == FT_ARRAY && d->type->runtime)
        d->dims = front_dims(f, c, &d->dim_count);
    else if (d->type->kind == FT_POINTER && d->type->elem->kind == FT_ARRAY)
        d->dims = front_dims(f, c, &d->dim_count);
    if (!clang_Cursor_isNull(init))
        d->init = front_expr(f, init);
    return n;
}

static bool declares_nothing(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_EnumDecl || kind == CXCursor_UnionDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_StaticAssert;
}

static node *decl_stmt(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *block = node_with(f, N_BLOCK, c, kids.count);

    block->bare = true;
    block->count = 0;
    for (uint32_t i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(kids.at[i]);
        if (kind == CXCursor_VarDecl) {
            block->kids[block->count++] = var_decl(f, kids.at[i]);
        } else if (kind == CXCursor_TypedefDecl &&
                   front_type(f, clang_getTypedefDeclUnderlyingType(kids.at[i]))->runtime) {
            front_error(f, front_place(f, kids.at[i]), "write the extents in each declaration",
                        "a typedef names an array with run-time extents");
        } else if (kind == CXCursor_FunctionDecl) {
            front_decl(f, kids.at[i]);
        } else if (!declares_nothing(kind)) {
            front_error(f, front_place(f, kids.at[i]), NULL,
                        "kernels cannot hold this declaration");
        }
    }
    return block->count == 1 ? block->kids[0] : block;
}

/* ---- statements
 * ---------------------------------------------------------------------------------- */

static node *parts(front *f, node_kind kind, CXCursor c, uint32_t exprs)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, kind, c, kids.count);
    for (uint32_t i = 0; i < kids.count; i++)
        n->kids[i] = i < exprs ? front_expr(f, kids.at[i]) : front_stmt(f, kids.at[i]);
    return n;
}

static node *do_stmt(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_DO, c, 2);
    n->kids[0] = front_stmt(f, kids.at[0]);
    n->kids[1] = front_expr(f, kids.at[1]);
    return n;
}

static node *block_stmt(front *f, CXCursor c)
{
    return parts(f, N_BLOCK, c, 0);
}

/* Attributes and loop hints stand around the statement they belong to. */
static node *look_through(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    for (uint32_t i = kids.count; i-- > 0;) {
        enum CXCursorKind kind = clang_getCursorKind(kids.at[i]);
        if (clang_isStatement(kind) || clang_isExpression(kind))
            return front_stmt(f, kids.at[i]);
    }
    return node_new(f, N_EMPTY, c);
}

static node *refused(front *f, CXCursor c)
{
    static const struct {
        enum CXCursorKind kind;
        const char *what, *advice;
    } rows[] = {
        { CXCursor_GotoStmt, "`goto`",
          "use a loop with break or continue, or a function with return" },
        { CXCursor_LabelStmt, "a label",
          "use a loop with break or continue, or a function with return" },
        { CXCursor_IndirectGotoStmt, "`goto`", "use switch" },
        { CXCursor_GCCAsmStmt, "inline assembly", "write it in C" },
        { CXCursor_MSAsmStmt, "inline assembly", "write it in C" },
    };
    const char *what = "this statement", *advice = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].kind == clang_getCursorKind(c)) {
            what = rows[i].what;
            advice = rows[i].advice;
        }
    }
    front_error(f, front_place(f, c), advice, "%s cannot stand in a kernel", what);
    return node_new(f, N_EMPTY, c);
}

node *front_stmt(front *f, CXCursor c)
{
    enum CXCursorKind kind = clang_getCursorKind(c);

    if (clang_isExpression(kind))
        return front_expr(f, c);
    if (kind == CXCursor_CompoundStmt)
        return block_stmt(f, c);
    if (kind == CXCursor_DeclStmt)
        return decl_stmt(f, c);
    if (kind == CXCursor_IfStmt)
        return parts(f, N_IF, c, 1);
    if (kind == CXCursor_ForStmt)
        return front_for(f, c);
    if (kind == CXCursor_WhileStmt)
        return parts(f, N_WHILE, c, 1);
    if (kind == CXCursor_DoStmt)
        return do_stmt(f, c);
    if (kind == CXCursor_SwitchStmt)
        return parts(f, N_SWITCH, c, 1);
    if (kind == CXCursor_CaseStmt)
        return parts(f, N_CASE, c, 1);
    if (kind == CXCursor_DefaultStmt)
        return parts(f, N_DEFAULT, c, 0);
    if (kind == CXCursor_BreakStmt)
        return node_new(f, N_BREAK, c);
    if (kind == CXCursor_ContinueStmt)
        return node_new(f, N_CONTINUE, c);
    if (kind == CXCursor_ReturnStmt)
        return parts(f, N_RETURN, c, 1);
    if (kind == CXCursor_NullStmt)
        return node_new(f, N_EMPTY, c);
    if (kind == CXCursor_UnexposedStmt)
        return look_through(f, c);
    return refused(f, c);
}

node *front_var_decl(front *f, CXCursor c)
{
    return var_decl(f, c);
}
