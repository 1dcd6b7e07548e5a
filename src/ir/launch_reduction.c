/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_reduction.c - is an update of a variable a reduction: one operator that folds in one
 * value, whose outcome does not depend on the order of the iterations?
 */
#include "ir/launch_parts.h"

static bool depends(const ir_op *op, const ir_op *on, const ir_region *r)
{
    if (op == on)
        return true;
    for (uint32_t i = 0; op->parent == r && i < op->in_count; i++)
        if (depends(op->in[i], on, r))
            return true;
    return false;
}

static bool is_old(const ir_op *op, const ir_op *old)
{
    return op == old || (op->code == IR_convert && op->in[0] == old);
}

static bool foldable(ir_code code)
{
    return code == IR_add || code == IR_sub || code == IR_mul || code == IR_and || code == IR_or ||
           code == IR_xor || code == IR_min || code == IR_max;
}

/* Is the value plainly 0 or 1, whatever it was widened to? */
static bool is_truth(const ir_op *value)
{
    while (value->code == IR_convert)
        value = value->in[0];
    if (value->code == IR_and && value->in[1]->code == IR_const)
        value = value->in[1];
    return value->type->scalar == SCALAR_bool || (value->code == IR_const && value->bits <= 1);
}

/*
 * C computes `b += x` of a bool in a wider type and stores whether the outcome is 0. With x of 0 or
 * 1 that is b | x, and b ^ x for -= and ^=; with others it depends on the order of the iterations:
 * 1 and then -1 leave 0, -1 and then 1 leave 1.
 */
static bool bool_reduction(launch_reduction *out, ir_code code)
{
    if (code == IR_and || code == IR_mul) {
        out->lowest = code == IR_and && out->value->type->scalar != SCALAR_bool;
        out->op = SCALAR_OP_and;
        return true;
    }
    if (code != IR_add && code != IR_sub && code != IR_xor)
        return true;
    if (is_truth(out->value)) {
        out->op = code == IR_add ? SCALAR_OP_or : SCALAR_OP_xor;
        out->negate = false;
        return true;
    }
    out->why = "what a bool becomes by += -= or ^= of numbers depends on their order";
    out->advice = "declare it i32 to count, or write `|=`, which only asks for a number that is "
                  "not 0";
    return false;
}

bool launch_reduction_of(const ir_op *update, launch_reduction *out)
{
    scalar_type type = update->type->scalar;

    *out = (launch_reduction){ .type = type };
    if (update->code == IR_atomic) {
        out->op = update->scalar == SCALAR_OP_sub ? SCALAR_OP_add : update->scalar;
        out->negate = update->scalar == SCALAR_OP_sub;
        out->value = update->in[1];
        return update->scalar != SCALAR_OP_COUNT;
    }
    const ir_region *r = update->regions[0];
    const ir_op *old = r->args[0], *x = r->last->in[0];

    if (x->code == IR_convert && x->parent == r)
        x = x->in[0];
    if (x->parent != r)
        return false;
    bool fused = x->code == IR_fma && is_old(x->in[2], old) && !depends(x->in[0], old, r) &&
                 !depends(x->in[1], old, r);
    if (!fused && !foldable(x->code))
        return false;
    bool left = is_old(x->in[0], old), right = is_old(x->in[1], old);
    if (!fused && (left == right || (x->code == IR_sub && !left) || depends(x->in[left], old, r)))
        return false;
    if (scalar_types[x->type->scalar].is_float && !scalar_types[type].is_float) {
        out->why = "an integer is reduced with a floating operand";
        return false;
    }
    if (fused) {
        out->op = SCALAR_OP_add;
        out->value = x->in[0];
        out->factor = x->in[1];
        return true;
    }
    out->op = x->code == IR_sub ? SCALAR_OP_add : (scalar_op)x->code;
    out->negate = x->code == IR_sub;
    out->value = x->in[left];
    return type != SCALAR_bool || bool_reduction(out, x->code);
}

bool launch_is_update(const ir_op *op)
{
    return op->code == IR_update || op->code == IR_atomic;
}

bool launch_is_reduced(const launch *l, const ir_op *update)
{
    if (!launch_is_update(update) || !launch_fact_of(l, update)->task)
        return false;
    const ir_op *root = launch_root(update->in[0]);
    return root->code == IR_var && !launch_fact_of(l, root)->task;
}
