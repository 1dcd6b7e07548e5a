/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant.c - constant expressions by the language's own arithmetic, and `static const` tables.
 *
 * clang is never asked to evaluate: its evaluator crashes on some initialisers.
 */
#include "front/lower.h"

const operator_row *front_operator(int clang)
{
    static const operator_row rows[] = {
        { CXBinaryOperator_Mul, SCALAR_OP_mul, false },
        { CXBinaryOperator_Div, SCALAR_OP_div, false },
        { CXBinaryOperator_Rem, SCALAR_OP_rem, false },
        { CXBinaryOperator_Add, SCALAR_OP_add, false },
        { CXBinaryOperator_Sub, SCALAR_OP_sub, false },
        { CXBinaryOperator_Shl, SCALAR_OP_shl, false },
        { CXBinaryOperator_Shr, SCALAR_OP_shr, false },
        { CXBinaryOperator_And, SCALAR_OP_and, false },
        { CXBinaryOperator_Xor, SCALAR_OP_xor, false },
        { CXBinaryOperator_Or, SCALAR_OP_or, false },
        { CXBinaryOperator_LT, SCALAR_OP_lt, false },
        { CXBinaryOperator_LE, SCALAR_OP_le, false },
        { CXBinaryOperator_GT, SCALAR_OP_lt, true },
        { CXBinaryOperator_GE, SCALAR_OP_le, true },
        { CXBinaryOperator_EQ, SCALAR_OP_eq, false },
        { CXBinaryOperator_NE, SCALAR_OP_ne, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].clang == clang)
            return &rows[i];
    }
    return NULL;
}

static bool binary_value(front *f, const node *n, uint64_t *out)
{
    const node *left = n->kids[0], *right = n->kids[1];
    uint64_t a, b;

    if (left->type->kind != FT_SCALAR || right->type->kind != FT_SCALAR)
        return false;
    if (n->op == CXBinaryOperator_LAnd || n->op == CXBinaryOperator_LOr) {
        if (!constant_value(f, left, SCALAR_bool, &a))
            return false;
        if (a == (n->op == CXBinaryOperator_LOr)) {
            *out = a;
            return true;
        }
        return constant_value(f, right, SCALAR_bool, out);
    }
    scalar_type s = left->type->scalar;
    if (!constant_value(f, left, s, &a) || !constant_value(f, right, s, &b))
        return false;
    const operator_row *row = front_operator(n->op);
    if (row && scalar_allowed(row->op, s, s)) {
        *out = row->swapped ? scalar_eval(row->op, s, s, b, a, 0)
                            : scalar_eval(row->op, s, s, a, b, 0);
        return true;
    }
    return false;
}

static bool unary_value(front *f, const node *n, uint64_t *out)
{
    const node *of = n->kids[0];
    uint64_t a;

    if (n->op == CXUnaryOperator_LNot) {
        if (of->type->kind != FT_SCALAR || !constant_value(f, of, SCALAR_bool, &a))
            return false;
        *out = !a;
        return true;
    }
    if ((n->op != CXUnaryOperator_Minus && n->op != CXUnaryOperator_Not) ||
        !constant_value(f, of, n->type->scalar, &a))
        return false;
    scalar_op op = n->op == CXUnaryOperator_Minus ? SCALAR_OP_neg : SCALAR_OP_not;
    *out = scalar_eval(op, n->type->scalar, n->type->scalar, a, 0, 0);
    return true;
}

/* A file-scope constant's initialiser becomes a tree when it is first used. */
static void load_init(front *f, fdecl *d)
{
    CXCursor init = clang_Cursor_getVarDeclInitializer(d->cursor);
    if (!d->init && !clang_Cursor_isNull(init))
        d->init = front_expr(f, init);
}

/* The value in the node's own type. */
static bool own_value(front *f, const node *n, uint64_t *out)
{
    uint64_t c;

    if (n->kind == N_INT || n->kind == N_FLOAT) {
        *out = n->bits;
        return true;
    }
    if (n->kind == N_CAST)
        return n->kids[0]->type->kind == FT_SCALAR &&
               constant_value(f, n->kids[0], n->type->scalar, out);
    if (n->kind == N_CALL)
        return n->decl->is_builtin && builtin_constant(n, out);
    if (n->kind == N_UNARY)
        return unary_value(f, n, out);
    if (n->kind == N_BINARY)
        return binary_value(f, n, out);
    if (n->kind == N_COND)
        return n->kids[0]->type->kind == FT_SCALAR &&
               constant_value(f, n->kids[0], SCALAR_bool, &c) &&
               constant_value(f, n->kids[c ? 1 : 2], n->type->scalar, out);
    if (n->kind == N_REF && n->decl->kind == D_VAR && n->decl->is_const &&
        (!n->decl->func || n->decl->is_static)) {
        fdecl *d = n->decl;
        load_init(f, d);
        if (!d->init || d->mark) /* mark: its own initialiser is being evaluated */
            return false;
        d->mark = 1;
        bool known = constant_value(f, d->init, d->type->scalar, out);
        d->mark = 0;
        return known;
    }
    return false;
}

bool constant_value(front *f, const node *n, scalar_type as, uint64_t *out)
{
    uint64_t own;
    scalar_type s;

    while (n->kind == N_INIT_LIST && n->count == 1)
        n = n->kids[0];
    if (n->type->kind != FT_SCALAR || !own_value(f, n, &own))
        return false;
    s = n->type->scalar;
    bool logical = n->kind == N_BINARY && n->op >= CXBinaryOperator_LT &&
                   n->op <= CXBinaryOperator_LOr && n->op != CXBinaryOperator_And &&
                   n->op != CXBinaryOperator_Xor && n->op != CXBinaryOperator_Or;
    own = scalar_canonical(logical ? SCALAR_bool : s, own);
    *out = s == as ? own : scalar_eval(SCALAR_OP_convert, as, s, own, 0, 0);
    return true;
}

/* ---- tables
 * -------------------------------------------------------------------------------------- */

typedef struct filling {
    front *f;
    const ftype *root;
    uint8_t *data;
    bool failed;
} filling;

static void fill_leaf(void *user, const init_step *path, uint32_t depth, const ftype *type,
                      node *value)
{
    filling *w = user;
    const ftype *at = w->root;
    uint64_t offset = 0, bits;

    for (uint32_t i = 0; i < depth; i++) {
        if (path[i].field) {
            offset += at->ir->fields[path[i].field->index].offset;
            at = path[i].field->type;
        } else {
            at = at->elem;
            offset += path[i].index * front_storage(w->f, at)->size;
        }
    }
    if (type->kind != FT_SCALAR || !constant_value(w->f, value, type->scalar, &bits)) {
        if (!w->failed)
            front_error(w->f, value->place, "compute it in the kernel, or pass it as a parameter",
                        "an element of a constant table is not a constant");
        w->failed = true;
        return;
    }
    scalar_store(type->scalar, w->data + offset, bits);
}

static void fill_data(filling *w, fdecl *d)
{
    if (!d->init)
        return;
    if (d->init->kind == N_INIT_LIST && d->type->kind != FT_SCALAR)
        init_walk(w->f, d->type, d->init, fill_leaf, w);
    else
        fill_leaf(w, NULL, 0, d->type, d->init);
}

static void try_leaf(void *user, const init_step *path, uint32_t depth, const ftype *type,
                     node *value)
{
    filling *w = user;
    uint64_t bits;
    (void)path;
    (void)depth;
    w->failed =
        w->failed || type->kind != FT_SCALAR || !constant_value(w->f, value, type->scalar, &bits);
}

bool constant_initialiser(front *f, const fdecl *d)
{
    filling w = { .f = f, .root = d->type };
    if (!d->init || d->init->kind != N_INIT_LIST || d->type->kind == FT_SCALAR ||
        d->type->kind == FT_POINTER || (d->type->kind == FT_ARRAY && d->type->runtime))
        return false;
    init_walk(f, d->type, d->init, try_leaf, &w);
    return !w.failed;
}

const ir_table *constant_table(front *f, fdecl *d)
{
    if (d->table)
        return d->table;
    if (d->mark == 2)
        return NULL; /* refused before */
    d->mark = 2;
    load_init(f, d);
    if (!ftype_usable(f, d->type, d->place, arena_text(f->arena, "`%s`", d->name)))
        return NULL;
    if (d->type->kind == FT_POINTER || (d->type->kind == FT_ARRAY && d->type->runtime)) {
        front_error(f, d->place, "use a constant table of numbers",
                    "`%s` cannot be a constant table", d->name);
        return NULL;
    }
    const ir_type *storage = front_storage(f, d->type);
    filling w = { .f = f, .root = d->type, .data = arena_new(f->arena, storage->size + 1) };
    fill_data(&w, d);
    if (w.failed)
        return NULL;
    d->mark = 0;
    const char *name =
        d->func ? arena_text(f->arena, "%s.%s.%u", d->func->name, d->name, f->table_names++)
                : d->name;
    d->table = ir_table_new(f->m, name, storage, w.data);
    return d->table;
}
