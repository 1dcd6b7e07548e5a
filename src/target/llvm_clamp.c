/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_clamp.c - a clamped index widened to 64 bits: `i > 0 ? i - 1 : 0`, `i < m ? i + 1 : m`.
 *
 * i32 arithmetic wraps, so LLVM must widen the chosen sum step by step. Where the condition that
 * chooses a sum also shows that it does not wrap, the sum and the choice are made in 64 bits, from
 * the index that the loop already holds there. The value is the same for all operands: an arm whose
 * sum might wrap when it is chosen is widened as it stands.
 */
#include "target/llvm_emit.h"

/* What a condition says of two i32 values: low < high, or low <= high. */
typedef struct order {
    const ir_op *low, *high;
    bool strict;
} order;

static bool is_i32(const ir_op *op)
{
    return ir_is_scalar(op->type, SCALAR_i32);
}

/* What holds where `condition` is `truth`. */
static bool order_of(const ir_op *condition, bool truth, order *out)
{
    while (condition->code == IR_not) {
        condition = condition->in[0];
        truth = !truth;
    }
    if ((condition->code != IR_lt && condition->code != IR_le) || !is_i32(condition->in[0]))
        return false;
    const ir_op *a = condition->in[0], *b = condition->in[1];
    bool strict = condition->code == IR_lt;
    *out = truth ? (order){ a, b, strict } : (order){ b, a, !strict };
    return true;
}

/* base + step of an arm that adds or subtracts a constant. */
static bool sum_of(const ir_op *arm, const ir_op **base, int64_t *step)
{
    if ((arm->code != IR_add && arm->code != IR_sub) || arm->in[1]->code != IR_const)
        return false;
    *base = arm->in[0];
    *step = (int32_t)arm->in[1]->bits;
    if (arm->code == IR_sub)
        *step = -*step;
    return true;
}

/* Whether base + step stays within i32 where `o` holds. */
static bool stays(const order *o, const ir_op *base, int64_t step)
{
    bool up = base == o->low && step > 0, down = base == o->high && step < 0;
    const ir_op *bound = up ? o->high : o->low;

    if (!up && !down)
        return false;
    if (o->strict && (step == 1 || step == -1)) /* at most as far as the bound */
        return true;
    if (bound->code != IR_const)
        return false;
    int64_t nearest = (int32_t)bound->bits + (o->strict ? (up ? -1 : 1) : 0);
    return nearest + step >= INT32_MIN && nearest + step <= INT32_MAX;
}

static bool arm_stays(const ir_op *select, uint32_t arm, const ir_op **base, int64_t *step)
{
    order o;

    return sum_of(select->in[arm], base, step) && order_of(select->in[0], arm == 1, &o) &&
           stays(&o, *base, *step);
}

static const char *wide(llvm_emit *e, const ir_op *op)
{
    const char *made;

    if (op->code == IR_const)
        return llvm_const(e, SCALAR_i64, (uint64_t)(int64_t)(int32_t)op->bits);
    made = llvm_wide_index(e, op);
    if (made)
        return made;
    made = llvm_temp(e);
    llvm_line(e, "%s = sext i32 %s to i64", made, llvm_value(e, op));
    return made;
}

bool llvm_clamp(llvm_emit *e, const ir_op *op)
{
    const ir_op *select = op->in[0], *base[3] = { NULL, NULL, NULL };
    int64_t step[3] = { 0, 0, 0 };
    const char *arms[3] = { NULL, NULL, NULL };
    bool some = false;

    if (op->code != IR_convert || select->code != IR_select || !is_i32(select) ||
        (!ir_is_scalar(op->type, SCALAR_i64) && !ir_is_scalar(op->type, SCALAR_u64)))
        return false;
    for (uint32_t k = 1; k <= 2; k++)
        if (arm_stays(select, k, &base[k], &step[k]))
            some = true;
        else
            base[k] = NULL;
    if (!some)
        return false;
    for (uint32_t k = 1; k <= 2; k++) {
        arms[k] = wide(e, base[k] ? base[k] : select->in[k]);
        if (base[k]) {
            const char *sum = llvm_temp(e);
            /* Of two numbers of 32 bits: nsw, and it may be made where it is not chosen. */
            llvm_line(e, "%s = add nsw i64 %s, %lld", sum, arms[k], (long long)step[k]);
            arms[k] = sum;
        }
    }
    llvm_line(e, "%s = select i1 %s, i64 %s, i64 %s", llvm_value(e, op),
              llvm_value(e, select->in[0]), arms[1], arms[2]);
    return true;
}
