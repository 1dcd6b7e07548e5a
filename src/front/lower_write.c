/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_write.c - assignment, compound assignment, ++ and --.
 *
 * On memory that other iterations may touch a compound assignment is one `update` op; its value is
 * that of this one update. On a variable of the invocation it is load, compute, store.
 */
#include "front/lower.h"

spot lower_struct_assign(lower *l, node *n)
{
    spot to = lower_place(l, n->kids[0]);
    spot from = lower_place(l, n->kids[1]);

    l->b.place = n->place;
    lower_copy(l, to, from);
    return to;
}

ir_op *lower_assign(lower *l, node *n, bool wanted)
{
    if (n->type->kind == FT_POINTER) {
        lower_pointer(l, n);
        return NULL;
    }
    if (n->type->kind == FT_STRUCT) {
        lower_struct_assign(l, n);
        return NULL;
    }
    spot to = lower_place(l, n->kids[0]);
    ir_op *value = lower_value(l, n->kids[1]);
    l->b.place = n->place;
    lower_store(l, to, value);
    return wanted ? value : NULL;
}

/* What a compound assignment does to the old value. */
typedef struct change {
    int op;             /* CXBinaryOperatorKind */
    scalar_type type;   /* of the object */
    scalar_type common; /* in which it computes */
    ir_op *right;       /* in `common`; for shifts of the promoted left type */
    ir_op *factor;      /* --fma: right is the product right * factor */
    bool negate;        /* of that product */
} change;

static scalar_type promoted(scalar_type t)
{
    return scalar_types[t].bytes < 4 ? SCALAR_i32 : t;
}

static scalar_type common_type(scalar_type a, scalar_type b)
{
    a = promoted(a);
    b = promoted(b);
    if (scalar_types[a].is_float || scalar_types[b].is_float) {
        if (!scalar_types[a].is_float)
            return b;
        if (!scalar_types[b].is_float)
            return a;
        return a == SCALAR_f64 || b == SCALAR_f64 ? SCALAR_f64 : SCALAR_f32;
    }
    if (scalar_types[a].bytes != scalar_types[b].bytes)
        return scalar_types[a].bytes > scalar_types[b].bytes ? a : b;
    return scalar_types[a].is_signed ? b : a;
}

static ir_op *changed(lower *l, const change *c, ir_op *old)
{
    ir_op *a = lower_convert(l, c->common, old);
    ir_op *value;

    if (c->factor) { /* old + x*y, old - x*y */
        bool minus = (c->op == CXBinaryOperator_Sub) != c->negate;
        ir_op *x = minus ? ir_unary(&l->b, SCALAR_OP_neg, c->right) : c->right;
        ir_op *in[3] = { x, c->factor, a };
        value = ir_build(&l->b, IR_fma, a->type, in, 3);
    } else {
        value = lower_arith(l, c->op, a, c->right);
    }
    return lower_convert(l, c->type, value);
}

/* Applies the change; the old and the new value where they are wanted. */
static void apply(lower *l, spot to, const change *c, ir_op **old, ir_op **new)
{
    ir_op *at = lower_address(l, to);

    if (at->type->elem->kind != IR_SCALAR || at->type->elem->scalar != c->type)
        return;
    if (!lower_updates(&to)) {
        ir_op *was = ir_load(&l->b, at);
        ir_op *is = changed(l, c, was);
        ir_store(&l->b, at, is);
        if (old)
            *old = was;
        if (new)
            *new = is;
        return;
    }
    ir_op *update = ir_update(&l->b, at);
    ir_enter(&l->b, update, 0);
    ir_yield(&l->b, changed(l, c, update->regions[0]->args[0]));
    ir_leave(&l->b, update);
    if (old)
        *old = update;
    if (new)
        *new = changed(l, c, update);
}

static bool fuse_right(lower *l, change *c, node *right)
{
    const node *mul;
    bool negated;

    if (!l->f->fma || (c->op != CXBinaryOperator_Add && c->op != CXBinaryOperator_Sub) ||
        !scalar_types[c->common].is_float || !fuse_factor(right, c->common, &mul, &negated))
        return false;
    c->right = lower_value(l, mul->kids[0]);
    c->factor = lower_value(l, mul->kids[1]);
    c->negate = negated;
    return true;
}

ir_op *lower_compound(lower *l, node *n, bool wanted)
{
    node *right = n->kids[1];

    if (n->type->kind == FT_POINTER) {
        lower_pointer(l, n);
        return NULL;
    }
    if (n->type->kind != FT_SCALAR || right->type->kind != FT_SCALAR)
        return lower_undef(l, n->type);
    bool shift = n->op == CXBinaryOperator_Shl || n->op == CXBinaryOperator_Shr;
    change c = { .op = n->op, .type = n->type->scalar };
    c.common = shift ? promoted(c.type) : common_type(c.type, right->type->scalar);

    spot to = lower_place(l, n->kids[0]);
    bool narrow = !shift && c.type == SCALAR_f32 && c.common == SCALAR_f64 && narrow_exact(right) &&
                  n->op != CXBinaryOperator_Rem;
    if (narrow) {
        c.common = SCALAR_f32;
        c.right = narrow_value(l, right);
    } else if (!fuse_right(l, &c, right)) {
        c.right = lower_convert(l, c.common, lower_value(l, right));
    }
    l->b.place = n->place;
    ir_op *new = NULL;
    apply(l, to, &c, NULL, wanted ? &new : NULL);
    return new ? new : wanted ? lower_undef(l, n->type) : NULL;
}

ir_op *lower_step(lower *l, node *n, bool wanted)
{
    bool down = n->op == CXUnaryOperator_PreDec || n->op == CXUnaryOperator_PostDec;

    if (n->type->kind == FT_POINTER) {
        lower_pointer(l, n);
        return NULL;
    }
    if (n->type->kind != FT_SCALAR)
        return lower_undef(l, n->type);
    change c = { .op = down ? CXBinaryOperator_Sub : CXBinaryOperator_Add,
                 .type = n->type->scalar };
    c.common = common_type(c.type, SCALAR_i32);
    spot to = lower_place(l, n->kids[0]);
    ir_op *one = lower_convert(l, c.common, ir_const(&l->b, SCALAR_i32, 1));
    ir_op *old = NULL, *new = NULL;
    c.right = one;
    l->b.place = n->place;
    apply(l, to, &c, wanted && n->post ? &old : NULL, wanted && !n->post ? &new : NULL);
    ir_op *value = n->post ? old : new;
    return value ? value : wanted ? lower_undef(l, n->type) : NULL;
}
