/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_value.c - scalar expressions. C's conversions stand in the tree; each operator becomes one
 * op of its operands' type. Constants are folded by the language's own arithmetic.
 */
#include "front/lower.h"

/* ---- small builders ---- */

void lower_need_error(lower *l)
{
    ir_place at = l->b.place;

    if (l->f->diags->errors == 0)
        diag_add(l->f->diags, DIAG_ERROR, at.line ? l->f->m->files[at.file] : NULL, at.line,
                 at.column, "please report it with this line",
                 "slipc does not know this form of an expression");
}

ir_op *lower_undef(lower *l, const ftype *t)
{
    lower_need_error(l);
    const ir_type *type = t->kind == FT_SCALAR ? t->ir : ir_type_scalar(l->f->m, SCALAR_i32);
    return ir_build(&l->b, IR_undef, type, NULL, 0);
}

bool lower_is_const(const ir_op *op, uint64_t bits)
{
    return op->code == IR_const && op->bits == bits;
}

/* An op on constants alone: its constant, or NULL. */
static ir_op *folded(lower *l, scalar_op op, scalar_type type, scalar_type from, ir_op *a, ir_op *b)
{
    if (a->code != IR_const || (b && b->code != IR_const) || !scalar_allowed(op, type, from))
        return NULL;
    bool compares =
        op == SCALAR_OP_eq || op == SCALAR_OP_ne || op == SCALAR_OP_lt || op == SCALAR_OP_le;
    uint64_t bits = scalar_eval(op, type, from, a->bits, b ? b->bits : 0, 0);
    return ir_const(&l->b, compares ? SCALAR_bool : type, bits);
}

ir_op *lower_convert(lower *l, scalar_type to, ir_op *a)
{
    if (a->type->kind != IR_SCALAR || a->type->scalar == to)
        return a;
    ir_op *constant = folded(l, SCALAR_OP_convert, to, a->type->scalar, a, NULL);
    return constant ? constant : ir_convert(&l->b, to, a);
}

/* The old value of the update whose region is being made: its operator must stay to be seen. */
static bool is_old_value(const lower *l, const ir_op *a)
{
    const ir_region *r = l->b.region;

    return r->owner && r->owner->code == IR_update && r->arg_count > 0 && a == r->args[0];
}

ir_op *lower_binary(lower *l, scalar_op op, ir_op *a, ir_op *b)
{
    ir_op *constant = folded(l, op, a->type->scalar, a->type->scalar, a, b);
    if (constant)
        return constant;
    if (a->type->scalar == SCALAR_i64 && !is_old_value(l, a) &&
        !is_old_value(l, b)) { /* index arithmetic: keep x * 1 and x + 0 out of the text */
        if ((op == SCALAR_OP_mul && lower_is_const(b, 1)) ||
            (op == SCALAR_OP_add && lower_is_const(b, 0)))
            return a;
        if ((op == SCALAR_OP_mul && lower_is_const(a, 1)) ||
            (op == SCALAR_OP_add && lower_is_const(a, 0)))
            return b;
    }
    return ir_binary(&l->b, op, a, b);
}

ir_op *lower_unary(lower *l, scalar_op op, ir_op *a)
{
    ir_op *constant = folded(l, op, a->type->scalar, a->type->scalar, a, NULL);
    return constant ? constant : ir_unary(&l->b, op, a);
}

ir_op *lower_index(lower *l, node *n)
{
    return lower_convert(l, SCALAR_i64, lower_value(l, n));
}

ir_op *lower_arith(lower *l, int op, ir_op *a, ir_op *b)
{
    const operator_row *row = front_operator(op);
    if (!row)
        return a;
    return row->swapped ? lower_binary(l, row->op, b, a) : lower_binary(l, row->op, a, b);
}

/* ---- values ---- */

static ir_op *conditional(lower *l, node *n)
{
    ir_op *c = lower_condition(l, n->kids[0]);

    if (n->type->kind == FT_SCALAR && lower_cheap(n->kids[1]) && lower_cheap(n->kids[2])) {
        ir_op *a = lower_value(l, n->kids[1]);
        ir_op *b = lower_value(l, n->kids[2]);
        return ir_select(&l->b, c, a, b);
    }
    bool scalar = n->type->kind == FT_SCALAR;
    ir_op *chosen = ir_if(&l->b, c, scalar ? n->type->ir : ir_type_void(l->f->m));
    for (uint32_t side = 0; side < 2; side++) {
        ir_enter(&l->b, chosen, side);
        if (scalar)
            ir_yield(&l->b, lower_value(l, n->kids[side + 1]));
        else
            lower_effect(l, n->kids[side + 1]);
    }
    ir_leave(&l->b, chosen);
    return chosen;
}

static ir_op *cast_value(lower *l, node *n)
{
    node *from = n->kids[0];
    scalar_type to = n->type->scalar;

    if (from->type->kind == FT_POINTER) {
        if (to == SCALAR_bool)
            return lower_condition(l, from);
        front_error(l->f, n->place, "keep an index instead", "a pointer is turned into an integer");
        return lower_undef(l, n->type);
    }
    if (to == SCALAR_bool || lower_is_condition(from))
        return lower_convert(l, to, lower_condition(l, from));
    ir_op *narrow = lower_narrowed(l, n);
    if (narrow)
        return narrow;
    return lower_convert(l, to, lower_value(l, from));
}

/* Does f64 occur in the type, at any depth? */
static bool holds_f64(const ftype *t)
{
    while (t->kind == FT_POINTER || t->kind == FT_ARRAY)
        t = t->elem;
    for (uint32_t i = 0; t->kind == FT_STRUCT && i < t->field_count; i++) {
        if (holds_f64(t->fields[i]->type))
            return true;
    }
    return t->kind == FT_SCALAR && t->scalar == SCALAR_f64;
}

static bool asks_for_f64(const fdecl *d)
{
    for (uint32_t i = 0; i < d->param_count; i++) {
        if (holds_f64(d->params[i]->type))
            return true;
    }
    return holds_f64(d->result);
}

/* A helper is warned about only where no kernel of the file wants f64. */
static void warn_f64(lower *l, const node *n)
{
    const front *f = l->f;

    if (l->f64_warned || n->type->kind != FT_SCALAR || n->type->scalar != SCALAR_f64)
        return;
    l->f64_warned = true;
    bool asked = asks_for_f64(l->inst->decl);
    for (uint32_t i = 0; i < f->kernel_count && !l->inst->decl->is_kernel; i++)
        asked = asked || asks_for_f64(f->kernels[i]);
    if (!asked)
        front_warn(l->f, n->place, "write constants as 0.5f, or cast where f64 is meant",
                   "f64 arithmetic in a %s whose parameters have none",
                   l->inst->decl->is_kernel ? "kernel" : "function");
}

static ir_op *binary(lower *l, node *n)
{
    if (n->op == CXBinaryOperator_Comma) {
        lower_effect(l, n->kids[0]);
        return lower_value(l, n->kids[1]);
    }
    if (lower_is_condition(n))
        return lower_convert(l, n->type->scalar, lower_condition(l, n));
    if (n->kids[0]->type->kind == FT_POINTER)
        return lower_pointer_difference(l, n);
    warn_f64(l, n);
    ir_op *fused = l->f->fma ? lower_fused(l, n) : NULL;
    if (fused)
        return fused;
    ir_op *a = lower_value(l, n->kids[0]);
    ir_op *b = lower_value(l, n->kids[1]);
    l->b.place = n->place;
    if (a->type->kind != IR_SCALAR || b->type->kind != IR_SCALAR)
        return lower_undef(l, n->type);
    if (n->op == CXBinaryOperator_Shl || n->op == CXBinaryOperator_Shr)
        b = lower_convert(l, a->type->scalar, b);
    return lower_arith(l, n->op, a, b);
}

static bool steps(const node *n)
{
    return n->op == CXUnaryOperator_PreInc || n->op == CXUnaryOperator_PreDec ||
           n->op == CXUnaryOperator_PostInc || n->op == CXUnaryOperator_PostDec;
}

static ir_op *unary_value(lower *l, node *n)
{
    if (steps(n))
        return lower_step(l, n, true);
    if (n->op == CXUnaryOperator_Deref)
        return lower_load(l, lower_place(l, n));
    if (n->op == CXUnaryOperator_LNot)
        return lower_convert(l, n->type->scalar, lower_condition(l, n));
    ir_op *a = lower_value(l, n->kids[0]);
    if (n->op == CXUnaryOperator_Minus)
        return lower_unary(l, SCALAR_OP_neg, a);
    if (n->op == CXUnaryOperator_Not)
        return lower_unary(l, SCALAR_OP_not, a);
    front_error(l->f, n->place, NULL, "this operator cannot stand here");
    return lower_undef(l, n->type);
}

static ir_op *reference(lower *l, node *n)
{
    fdecl *d = n->decl;
    uint64_t bits;

    if (d->kind == D_FUNC) {
        front_error(l->f, n->place, "call it by its name", "`%s` is used as a function pointer",
                    d->name);
        return lower_undef(l, n->type);
    }
    if (d->bind.stamp == l->f->stamp && d->bind.value)
        return d->bind.value;
    if (lower_is_table(d) && n->type->kind == FT_SCALAR &&
        constant_value(l->f, n, n->type->scalar, &bits))
        return ir_const(&l->b, d->type->scalar, bits);
    return lower_load(l, lower_place(l, n));
}

static ir_op *scalar_value(lower *l, node *n)
{
    switch (n->kind) {
    case N_INT:
    case N_FLOAT:
        return ir_const(&l->b, n->type->scalar, n->bits);
    case N_REF:
        return reference(l, n);
    case N_MEMBER:
    case N_INDEX:
    case N_LITERAL:
        return lower_load(l, lower_place(l, n));
    case N_CALL:
        return lower_call(l, n, NULL);
    case N_UNARY:
        return unary_value(l, n);
    case N_BINARY:
        return binary(l, n);
    case N_ASSIGN:
        return lower_assign(l, n, true);
    case N_COMPOUND:
        return lower_compound(l, n, true);
    case N_COND:
        return conditional(l, n);
    case N_CAST:
        return cast_value(l, n);
    case N_STRING:
        front_error(l->f, n->place, "text can only be the format of printf",
                    "a string literal stands outside printf and assert");
        break;
    case N_BAD:
    case N_INIT_LIST:
    case N_DESIGNATED:
    case N_BLOCK:
    case N_DECL:
    case N_IF:
    case N_FOR:
    case N_WHILE:
    case N_DO:
    case N_SWITCH:
    case N_CASE:
    case N_DEFAULT:
    case N_BREAK:
    case N_CONTINUE:
    case N_RETURN:
    case N_EMPTY:
    case N_TASK:
    case N_SECTIONS:
    case N_SECTION:
        break;
    }
    return lower_undef(l, n->type);
}

ir_op *lower_value(lower *l, node *n)
{
    l->b.place = n->place;
    if (n->type->kind != FT_SCALAR) {
        lower_effect(l, n);
        return lower_undef(l, n->type);
    }
    ir_op *value = scalar_value(l, n);
    bool right = value && value->type->kind == IR_SCALAR && value->type->scalar == n->type->scalar;
    return right ? value : lower_undef(l, n->type); /* wrong only after an error */
}

/* ---- effects ---- */

void lower_effect(lower *l, node *n)
{
    l->b.place = n->place;
    if (n->kind == N_CAST && n->type->kind == FT_VOID) {
        lower_effect(l, n->kids[0]);
    } else if (n->kind == N_ASSIGN) {
        lower_assign(l, n, false);
    } else if (n->kind == N_COMPOUND) {
        lower_compound(l, n, false);
    } else if (n->kind == N_UNARY && steps(n)) {
        lower_step(l, n, false);
    } else if (n->kind == N_BINARY && n->op == CXBinaryOperator_Comma) {
        lower_effect(l, n->kids[0]);
        lower_effect(l, n->kids[1]);
    } else if (n->kind == N_COND && n->type->kind != FT_SCALAR) {
        conditional(l, n);
    } else if (n->kind == N_CALL) {
        spot ignored = { 0 };
        if (n->type->kind == FT_STRUCT)
            ignored = lower_temp(l, n->type, ".ignored");
        lower_call(l, n, n->type->kind == FT_STRUCT ? &ignored : NULL);
    } else if (n->type->kind == FT_SCALAR) {
        lower_value(l, n);
    } else if (n->type->kind == FT_STRUCT) {
        lower_place(l, n);
    } else if (n->type->kind == FT_POINTER) {
        lower_pointer(l, n);
    }
}
