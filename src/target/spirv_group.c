/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_group.c - the divisions and roots of straight code, with one test for all of them.
 *
 *     r = sqrt x; p = mul x, r; q = div m, p
 * becomes
 *     r' = refined root; p' = mul x, r'; q' = refined quotient
 *     if any may be wrong { r" = sqrt x; p" = mul x, r"; q" = div m, p" }
 *     q = q' or q"
 *
 * A group begins with an op that spirv_native refines, and ends with the last such op before one
 * that uses a value of the group and is not pure. The ops between that use none are written once,
 * where they stood; the others once more, behind the branch, each with a test of its own. What is
 * computed from a wrong value is thrown away, so none of it may write, load, branch or leave.
 */
#include "target/spirv_native.h"

enum { MOST_OPS = 48 };

typedef struct group {
    const ir_op *ops[MOST_OPS]; /* that need a refined value, or are one, in order */
    bool used[MOST_OPS];        /* by what follows the group */
    spirv_id values[MOST_OPS];
    uint32_t count, refined;
    const ir_op *last;
} group;

static bool is_refined(const spirv_emit *e, const ir_op *op)
{
    if (op->type->kind != IR_SCALAR || e->hoisted[op->id])
        return false;
    if (op->code == IR_math && op->math == IR_MATH_rsqrt)
        return spirv_native_refines(e, SCALAR_OP_sqrt, op->type->scalar) &&
               spirv_native_refines(e, SCALAR_OP_div, op->type->scalar);
    return (op->code == IR_div || op->code == IR_sqrt) &&
           spirv_native_refines(e, (scalar_op)op->code, op->type->scalar);
}

/* The number of the op in the group; its count if it is not in it. */
static uint32_t number_of(const group *g, const ir_op *op)
{
    uint32_t k = 0;

    while (k < g->count && g->ops[k] != op)
        k++;
    return k;
}

static bool uses_any(const group *g, const ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        if (number_of(g, op->in[i]) < g->count)
            return true;
    return false;
}

static void find_group(const spirv_emit *e, group *g, const ir_op *first)
{
    uint32_t count = 0;

    for (const ir_op *op = first; op && op->region_count == 0; op = op->next) {
        bool refined = is_refined(e, op);
        if ((ir_codes[op->code].flags & IR_EXIT) != 0)
            break;
        if (!refined && !uses_any(g, op))
            continue;
        if ((ir_codes[op->code].flags & IR_PURE) == 0 || g->count == MOST_OPS ||
            g->refined == SPIRV_MOST_REFINED)
            break;
        g->ops[g->count++] = op;
        if (refined) {
            g->refined++;
            g->last = op;
            count = g->count;
        }
    }
    g->count = count;
}

static bool note_uses(ir_op *op, void *user)
{
    group *g = user;

    for (uint32_t i = 0; i < op->in_count; i++) {
        uint32_t k = number_of(g, op->in[i]);
        if (k < g->count)
            g->used[k] = true;
    }
    return true;
}

static void find_uses(group *g)
{
    for (ir_op *op = g->last->next; op; op = op->next) {
        note_uses(op, g);
        for (uint32_t k = 0; k < op->region_count; k++)
            ir_walk(op->regions[k], note_uses, g);
    }
}

/* All ops up to the last, each as if the refined values were right; a bool, whether they are. */
static spirv_id write_guesses(spirv_emit *e, const group *g, const ir_op *first)
{
    spirv_guess guess = { 0 };

    e->guess = &guess;
    for (const ir_op *op = first; op != g->last->next; op = op->next)
        if (!e->hoisted[op->id])
            spirv_one(e, op);
    spirv_id right = spirv_window_test(e);
    e->guess = NULL;
    return right;
}

/* With a test for each refined value, unless there is but one. */
static void write_again(spirv_emit *e, const group *g)
{
    spirv_guess wrong = { .is_wrong = true };

    e->guess = g->refined == 1 ? &wrong : NULL;
    for (uint32_t k = 0; k < g->count; k++)
        spirv_one(e, g->ops[k]);
    e->guess = NULL;
}

const ir_op *spirv_group(spirv_emit *e, const ir_op *first)
{
    group g = { .count = 0 };

    if (!is_refined(e, first))
        return NULL;
    find_group(e, &g, first);
    find_uses(&g);
    spirv_id right = write_guesses(e, &g, first), rare, merge, before = e->block;
    if (right == 0) /* of constants */
        return g.last;
    for (uint32_t k = 0; k < g.count; k++)
        g.values[k] = spirv_value(e, g.ops[k]);
    rare = spirv_new(e);
    merge = spirv_new(e);
    spirv_branch_rarely(e, spirv_make1(e, SPIRV_LogicalNot, spirv_type(e, SPIRV_BOOL), right), rare,
                        merge);
    spirv_block_begin(e, rare);
    write_again(e, &g);
    uint32_t join[4] = { 0, before, 0, e->block };
    spirv_block_begin(e, merge);
    for (uint32_t k = 0; k < g.count; k++) {
        if (!g.used[k])
            continue;
        join[0] = g.values[k];
        join[2] = spirv_value(e, g.ops[k]);
        spirv_set(e, g.ops[k],
                  spirv_make(e, SPIRV_Phi, spirv_type_value(e, g.ops[k]->type), join, 4));
    }
    return g.last;
}
