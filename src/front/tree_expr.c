/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree_expr.c - expressions: clang's cursors to nodes. What names an object is tree_name.c's.
 *
 * clang_Cursor_Evaluate is asked about literals, sizeof and offsetof only: it crashes on
 * designated initialisers. Implicit casts come without a kind; the types before and after
 * determine them, and a cast to the same type is no cast.
 */
#include <string.h>

#include "front/tree.h"

const ftype *front_expr_type(front *f, CXCursor c)
{
    return front_type(f, clang_getCursorType(c));
}

/* Of an expression that is no object: clang shows what a parameter's array type became as the
 * array. */
static const ftype *value_type(front *f, CXCursor c)
{
    const ftype *t = front_expr_type(f, c);
    return t->kind == FT_ARRAY ? front_pointer(f, t) : t;
}

node *front_bad(front *f, CXCursor c, const char *advice, const char *what)
{
    node *n = node_new(f, N_BAD, c);
    n->type = front_expr_type(f, c);
    front_error(f, n->place, advice, "%s cannot stand in a kernel", what);
    return n;
}

static uint64_t float_bits(scalar_type s, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return s == SCALAR_f64 ? bits : scalar_eval(SCALAR_OP_convert, s, SCALAR_f64, bits, 0, 0);
}

/* A literal, sizeof or offsetof; NULL where clang gives no value (sizeof of a run-time array). */
static node *evaluated(front *f, CXCursor c)
{
    const ftype *type = front_expr_type(f, c);
    CXEvalResult r = clang_Cursor_Evaluate(c);
    CXEvalResultKind kind = r ? clang_EvalResult_getKind(r) : CXEval_UnExposed;
    node *n = NULL;

    if (kind == CXEval_Int && type->kind == FT_SCALAR) {
        n = node_new(f, N_INT, c);
        n->bits = scalar_canonical(type->scalar, clang_EvalResult_isUnsignedInt(r)
                                                     ? clang_EvalResult_getAsUnsigned(r)
                                                     : (uint64_t)clang_EvalResult_getAsLongLong(r));
    } else if (kind == CXEval_Float && type->kind == FT_SCALAR) {
        n = node_new(f, N_FLOAT, c);
        n->bits = float_bits(type->scalar, clang_EvalResult_getAsDouble(r));
    }
    if (n)
        n->type = type;
    if (r)
        clang_EvalResult_dispose(r);
    return n;
}

static node *literal(front *f, CXCursor c)
{
    node *n = evaluated(f, c);
    return n ? n : front_bad(f, c, NULL, "this literal");
}

/* The text between the quotes, escapes as written. */
static node *string(front *f, CXCursor c)
{
    const char *s = front_text(f, clang_getCursorSpelling(c));
    size_t size = strlen(s);
    node *n = node_new(f, N_STRING, c);

    n->type = front_expr_type(f, c);
    n->text = size >= 2 && s[0] == '"' ? arena_copy(f->arena, s + 1, size - 2) : s;
    return n;
}

static node *size_of(front *f, CXCursor c)
{
    node *n = evaluated(f, c);
    return n ? n
             : front_bad(f, c, "multiply the extents",
                         "sizeof of an array whose extents are found at run time");
}

static bool same_type(const ftype *a, const ftype *b)
{
    if (a == b)
        return true;
    return a->kind == FT_SCALAR && b->kind == FT_SCALAR && a->scalar == b->scalar;
}

static node *cast(front *f, CXCursor c, const ftype *to, node *from, bool implicit)
{
    if (to->kind == FT_ARRAY)
        return from; /* a parameter read, or a change of qualifiers */
    if (same_type(to, from->type) && (implicit || to->kind != FT_POINTER))
        return from;
    node *n = node_with(f, N_CAST, c, 1);
    n->type = to;
    n->kids[0] = from;
    n->implicit = implicit;
    return n;
}

/* Casts of references to functions are dropped: calls name their function. */
static node *unexposed(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    const ftype *type = front_expr_type(f, c);

    if (kids.count == 1 && clang_isExpression(clang_getCursorKind(kids.at[0]))) {
        node *from = front_expr(f, kids.at[0]);
        return from->kind == N_REF && from->decl->kind == D_FUNC ? from
                                                                 : cast(f, c, type, from, true);
    }
    if (kids.count >= 1 && (clang_getCursorKind(kids.at[0]) == CXCursor_TypeRef ||
                            clang_getCursorKind(kids.at[0]) == CXCursor_MemberRef)) {
        node *n = evaluated(f, c); /* offsetof */
        if (n)
            return n;
    }
    if (kids.count == 0 && type->kind == FT_SCALAR) {
        node *n = evaluated(f, c);
        if (n)
            return n;
    }
    return front_bad(f, c, NULL, "this expression");
}

static node *unary(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(c);
    node *n = node_with(f, N_UNARY, c, 1);

    n->type = op == CXUnaryOperator_Deref ? front_expr_type(f, c) : value_type(f, c);
    n->op = (int)op;
    n->kids[0] = front_expr(f, kids.at[0]);
    n->post = op == CXUnaryOperator_PostInc || op == CXUnaryOperator_PostDec;
    if (op == CXUnaryOperator_Extension || op == CXUnaryOperator_Plus)
        return cast(f, c, n->type, n->kids[0], true);
    if (op == CXUnaryOperator_Real || op == CXUnaryOperator_Imag)
        return front_bad(f, c, "use a struct of two numbers", "a complex number");
    return n;
}

static int plain_operator(enum CXBinaryOperatorKind op)
{
    static const int rows[][2] = {
        { CXBinaryOperator_MulAssign, CXBinaryOperator_Mul },
        { CXBinaryOperator_DivAssign, CXBinaryOperator_Div },
        { CXBinaryOperator_RemAssign, CXBinaryOperator_Rem },
        { CXBinaryOperator_AddAssign, CXBinaryOperator_Add },
        { CXBinaryOperator_SubAssign, CXBinaryOperator_Sub },
        { CXBinaryOperator_ShlAssign, CXBinaryOperator_Shl },
        { CXBinaryOperator_ShrAssign, CXBinaryOperator_Shr },
        { CXBinaryOperator_AndAssign, CXBinaryOperator_And },
        { CXBinaryOperator_XorAssign, CXBinaryOperator_Xor },
        { CXBinaryOperator_OrAssign, CXBinaryOperator_Or },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i][0] == (int)op)
            return rows[i][1];
    }
    return (int)op;
}

static node *binary(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(c);
    node *n = node_with(f, N_BINARY, c, 2);

    n->type = value_type(f, c);
    n->op = plain_operator(op);
    if (op == CXBinaryOperator_Assign)
        n->kind = N_ASSIGN;
    else if (n->op != (int)op)
        n->kind = N_COMPOUND;
    n->kids[0] = front_expr(f, kids.at[0]);
    n->kids[1] = front_expr(f, kids.at[1]);
    return n;
}

static node *conditional(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_COND, c, 3);
    n->type = value_type(f, c);
    for (uint32_t i = 0; i < 3; i++)
        n->kids[i] = front_expr(f, kids.at[i]);
    return n;
}

/* The operand is the last child; names of types and extents stand before it. */
static node *explicit_cast(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *from = front_expr(f, kids.at[kids.count - 1]);
    const ftype *to = front_expr_type(f, c);
    uint32_t n = 0;

    if (!ftype_usable(f, to, from->place, "the type of this cast"))
        return front_bad(f, c, NULL, "this cast");
    node *out = cast(f, c, to, from, false);
    if (out != from && to->kind == FT_POINTER && to->elem->kind == FT_ARRAY) {
        node **all = arena_new(f->arena, (kids.count + 1) * sizeof *all);
        all[n++] = from;
        for (uint32_t i = kids.count - 1; i-- > 0;) {
            if (clang_isExpression(clang_getCursorKind(kids.at[i])))
                all[n++] = front_expr(f, kids.at[i]);
        }
        out->kids = all;
        out->count = n;
    }
    return out;
}

/* ---- initialisers ------------------------------------------------------------------------------
 */

/* `.a.b[2] = value`: an unexposed node of type void with the designators, then the value. */
static node *designated(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_DESIGNATED, c, kids.count);

    n->type = front_scalar(f, SCALAR_i32);
    for (uint32_t i = 0; i < kids.count; i++) {
        if (clang_getCursorKind(kids.at[i]) == CXCursor_MemberRef) {
            n->kids[i] = node_new(f, N_REF, kids.at[i]);
            n->kids[i]->decl = front_decl(f, clang_getCursorReferenced(kids.at[i]));
            n->kids[i]->type = n->kids[i]->decl->type;
        } else {
            n->kids[i] = front_expr(f, kids.at[i]);
        }
    }
    return n;
}

static node *init_list(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_INIT_LIST, c, kids.count);

    n->type = front_expr_type(f, c);
    for (uint32_t i = 0; i < kids.count; i++) {
        bool is_designated = clang_getCursorKind(kids.at[i]) == CXCursor_UnexposedExpr &&
                             clang_getCursorType(kids.at[i]).kind == CXType_Void;
        n->kids[i] = is_designated ? designated(f, kids.at[i]) : front_expr(f, kids.at[i]);
    }
    return n;
}

static node *compound_literal(front *f, CXCursor c)
{
    cursors kids = front_kids(f, c);
    node *n = node_with(f, N_LITERAL, c, 1);
    n->type = front_expr_type(f, c);
    n->kids[0] = front_expr(f, kids.at[kids.count - 1]);
    if (!ftype_usable(f, n->type, n->place, "this literal"))
        n->kind = N_BAD;
    return n;
}

node *front_expr(front *f, CXCursor c)
{
    switch ((int)clang_getCursorKind(c)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
        return literal(f, c);
    case CXCursor_StringLiteral:
        return string(f, c);
    case CXCursor_ParenExpr:
        return front_expr(f, front_kids(f, c).at[0]);
    case CXCursor_UnexposedExpr:
        return unexposed(f, c);
    case CXCursor_DeclRefExpr:
        return front_reference(f, c);
    case CXCursor_MemberRefExpr:
        return front_member(f, c);
    case CXCursor_ArraySubscriptExpr:
        return front_subscript(f, c);
    case CXCursor_CallExpr:
        return front_call(f, c);
    case CXCursor_UnaryOperator:
        return unary(f, c);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return binary(f, c);
    case CXCursor_ConditionalOperator:
        return conditional(f, c);
    case CXCursor_CStyleCastExpr:
        return explicit_cast(f, c);
    case CXCursor_InitListExpr:
        return init_list(f, c);
    case CXCursor_CompoundLiteralExpr:
        return compound_literal(f, c);
    case CXCursor_UnaryExpr:
        return size_of(f, c);
    case CXCursor_GenericSelectionExpr:
        return front_bad(f, c, "use slip_min and its kin, or one function per type", "_Generic");
    case CXCursor_StmtExpr:
        return front_bad(f, c, "use a static function", "a statement expression");
    case CXCursor_AddrLabelExpr:
        return front_bad(f, c, "use switch", "the address of a label");
    case CXCursor_ImaginaryLiteral:
        return front_bad(f, c, "use a struct of two numbers", "a complex number");
    default: /* clang's kinds, not ours */
        return front_bad(f, c, NULL, "this expression");
    }
}
