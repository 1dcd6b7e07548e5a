/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree_name.c - expressions that name something: variables, members, elements, and functions that
 * are called.
 */
#include "front/tree.h"

node *front_reference(front *f, CXCursor c)
{
    CXCursor to = clang_getCursorReferenced(c);
    enum CXCursorKind kind = clang_getCursorKind(to);
    node *n;

    if (kind == CXCursor_EnumConstantDecl) {
        n = node_new(f, N_INT, c);
        n->type = front_expr_type(f, c);
        n->bits = scalar_canonical(n->type->kind == FT_SCALAR ? n->type->scalar : SCALAR_i32,
                                   (uint64_t)clang_getEnumConstantDeclValue(to));
        return n;
    }
    n = node_new(f, N_REF, c);
    n->type = front_expr_type(f, c);
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl && kind != CXCursor_FunctionDecl)
        return front_bad(f, c, NULL, "this name");
    n->decl = front_decl(f, to);
    if (n->decl->kind == D_PARAM)
        n->type = n->decl->type;
    if (n->decl->kind == D_VAR && !n->decl->func && !n->decl->is_const)
        front_error(f, n->place, "pass it to the kernel as a parameter",
                    "`%s` is a file-scope variable that can be written", n->decl->name);
    return n;
}

/* clang leaves out the anonymous structs on the way to a member: puts them in. */
static bool through_anonymous(front *f, CXCursor c, node **object, const ftype *type,
                              const fdecl *field)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i] == field)
            return true;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        fdecl *d = type->fields[i];
        node *inner;
        if (*d->name || d->type->kind != FT_STRUCT)
            continue;
        inner = node_with(f, N_MEMBER, c, 1);
        inner->type = d->type;
        inner->decl = d;
        inner->kids[0] = *object;
        inner->arrow = (*object)->type->kind == FT_POINTER;
        node *at = inner;
        if (through_anonymous(f, c, &at, d->type, field)) {
            *object = at;
            return true;
        }
    }
    return false;
}

node *front_member(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_MEMBER, c, 1);

    n->type = front_expr_type(f, c);
    n->kids[0] = front_expr(f, kids.at[0]);
    n->decl = front_decl(f, clang_getCursorReferenced(c));
    n->arrow = n->kids[0]->type->kind == FT_POINTER;
    const ftype *of = n->arrow ? n->kids[0]->type->elem : n->kids[0]->type;
    if (of->kind != FT_STRUCT) {
        n->kind = N_BAD;
        ftype_usable(f, of, n->place, "this object");
        return n;
    }
    through_anonymous(f, c, &n->kids[0], of, n->decl);
    n->arrow = n->kids[0]->type->kind == FT_POINTER;
    return n;
}

node *front_subscript(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_INDEX, c, 2);

    n->type = front_expr_type(f, c);
    n->kids[0] = front_expr(f, kids.at[0]);
    n->kids[1] = front_expr(f, kids.at[1]);
    if (n->kids[0]->type->kind != FT_POINTER) { /* 1[a] */
        node *index = n->kids[0];
        n->kids[0] = n->kids[1];
        n->kids[1] = index;
    }
    return n;
}

static void note_call(front *f, fdecl *callee, node *site)
{
    fdecl *from = f->func;
    if (!from || callee->is_builtin)
        return;
    from->callees = arena_grow(f->arena, from->callees, &from->callee_capacity,
                               from->callee_count + 1, sizeof *from->callees);
    from->call_sites = arena_grow(f->arena, from->call_sites, &from->site_capacity,
                                  from->callee_count + 1, sizeof *from->call_sites);
    from->call_sites[from->callee_count] = site;
    from->callees[from->callee_count++] = callee;
}

node *front_call(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    uint32_t args = (uint32_t)clang_Cursor_getNumArguments(c);
    node *n = node_with(f, N_CALL, c, args);
    node *callee = front_expr(f, kids.at[0]);

    n->type = front_expr_type(f, c);
    for (uint32_t i = 0; i < args; i++)
        n->kids[i] = front_expr(f, clang_Cursor_getArgument(c, i));
    if (callee->kind != N_REF || callee->decl->kind != D_FUNC) {
        if (callee->kind != N_BAD)
            front_error(f, n->place, "call the function by its name, or choose with if or switch",
                        "this call goes through a function pointer");
        n->kind = N_BAD;
        return n;
    }
    n->decl = callee->decl;
    note_call(f, n->decl, n);
    return n;
}
