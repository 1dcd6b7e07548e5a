/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_fold.c - ops whose value is known, or is another op's, give way to it.
 *
 *     %3 = add i32 %1, %2            with %1 = 2, %2 = 3
 *     %5 = convert f32 %4            with %4 = mul f64 %a, %b, both converted from f32
 *     if %true { A } else { B }
 * becomes
 *     %3 = const i32 5
 *     %5 = mul f32 %x, %y
 *     A
 *
 * Values are scalar_eval's, also where C leaves them open, so that folding never shows. What
 * only the replaced op used stays for dce; what follows an exit that moved up goes.
 *
 * needs   nothing      keeps   order of effects, bits      breaks   ids
 */
#include "base/fail.h"
#include "ir/fold.h"
#include "ir/pass.h"

typedef struct folder {
    ir_builder b;
    ir_clone_map *values; /* op -> what stands for it */
    bool exact;           /* in an extent, where a result that does not fit is the caller's error */
} folder;

/* What stands for the op in the end: a replacement may have been replaced since. */
static ir_op *resolve(const folder *f, ir_op *op)
{
    for (ir_op *to = op; to; to = ir_clone_map_get(f->values, to))
        op = to;
    return op;
}

static void remap(const folder *f, ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        op->in[i] = resolve(f, op->in[i]);
}

/* All uses of an op come after it, where remap finds them. */
static void replace(folder *f, ir_op *op, ir_op *value)
{
    ir_clone_map_set(f->values, op, value);
    ir_remove(op);
}

/* One rule after the other, until none applies to what the last one gave. */
static ir_op *fold_once(folder *f, ir_op *op)
{
    ir_op *value = fold_constants(&f->b, op, f->exact);

    if (!value)
        value = fold_identity(&f->b, op);
    if (!value)
        value = fold_narrow(&f->b, op);
    if (!value)
        value = fold_convert(&f->b, op);
    if (!value)
        value = fold_memory(&f->b, op);
    return value;
}

/* New ops are folded in turn: each stands before `op`, after `before`. */
static ir_op *fold_value(folder *f, ir_op *op)
{
    const ir_op *before = op->prev;
    ir_op *value, *next;

    f->b.region = op->parent;
    f->b.before = op;
    f->b.place = op->place;
    value = fold_once(f, op);
    if (!value)
        return NULL;
    for (ir_op *made = before ? before->next : op->parent->first; made != op; made = next) {
        next = made->next;
        remap(f, made);
        ir_op *better = fold_value(f, made);
        if (better)
            replace(f, made, better);
    }
    return resolve(f, value);
}

/* The region that runs, whatever happens; NULL if that is not known. */
static ir_region *known_region(const ir_op *op)
{
    if ((op->code != IR_if && op->code != IR_switch) || op->in[0]->code != IR_const)
        return NULL;
    if (op->code == IR_if)
        return op->regions[op->in[0]->bits ? 0 : 1];
    for (uint32_t k = 0; k + 1 < op->region_count; k++)
        for (uint32_t i = 0; i < op->cases[k].count; i++)
            if (op->cases[k].values[i] == op->in[0]->bits)
                return op->regions[k];
    return op->regions[op->region_count - 1];
}

static bool ends(const ir_op *op)
{
    return op && (ir_codes[op->code].flags & IR_EXIT) != 0;
}

/*
 * Moves the ops of a branch that is always taken before its op. Where the branch leaves, what
 * follows never runs and goes, unless the region must end in a yield: then all stays.
 */
static bool take_branch(folder *f, ir_op *op, ir_region *taken)
{
    ir_region *r = op->parent;
    bool leaves = ends(taken->last) && taken->last->code != IR_yield;

    if (leaves && r->last->code == IR_yield)
        return false;
    while (taken->first && taken->first->code != IR_yield)
        ir_move_before(taken->first, r, op);
    while (leaves && op->next)
        ir_remove(op->next);
    if (taken->first)
        replace(f, op, taken->first->in[0]);
    else
        ir_remove(op);
    return true;
}

static bool only_consts(const ir_region *r)
{
    const ir_op *op = r->first;

    while (op && op->code == IR_const)
        op = op->next;
    return op && op->code == IR_yield;
}

/* An `if` whose branches only name values becomes a select. */
static ir_op *as_select(folder *f, ir_op *op)
{
    if (op->code != IR_if || op->type->kind == IR_VOID || !only_consts(op->regions[0]) ||
        !only_consts(op->regions[1]))
        return NULL;
    for (uint32_t k = 0; k < 2; k++)
        while (op->regions[k]->first->code == IR_const)
            ir_move_before(op->regions[k]->first, op->parent, op);
    f->b.region = op->parent;
    f->b.before = op;
    f->b.place = op->place;
    ir_op *select = ir_select(&f->b, op->in[0], op->regions[0]->first->in[0],
                              op->regions[1]->first->in[0]);
    ir_op *better = fold_value(f, select);
    if (better)
        replace(f, select, better);
    return better ? better : select;
}

static void fold_region(folder *f, ir_region *r)
{
    ir_op *next;

    for (ir_op *op = r->first; op; op = next) {
        ir_op *prev = op->prev;
        remap(f, op);
        ir_region *taken = known_region(op);
        if (taken && take_branch(f, op, taken)) {
            next = prev ? prev->next : r->first;
            continue;
        }
        for (uint32_t i = 0; i < op->region_count; i++)
            fold_region(f, op->regions[i]);
        ir_op *value = as_select(f, op);
        if (!value)
            value = fold_value(f, op);
        next = op->next;
        if (value)
            replace(f, op, value);
    }
}

static void fold_func(ir_module *m, ir_func *func)
{
    folder f = { .b = { .module = m, .func = func }, .values = ir_clone_map_new(m), .exact = true };

    for (uint32_t i = 0; i < func->param_count; i++)
        for (uint32_t d = 0; d < IR_MAX_RANK; d++)
            if (func->params[i].extents[d])
                fold_region(&f, func->params[i].extents[d]);
    f.exact = false;
    fold_region(&f, func->body);
}

slip_status pass_fold(ir_module *m, diag_list *diags, mod_module **launch)
{
    (void)diags;
    (void)launch;
    for (ir_func *f = m->funcs; f; f = f->next) {
        if (mem_arena_full(m->arena))
            return SLIP_FAIL(SLIP_ERR_MEMORY, "folding %s needs more than the %zu bytes of one "
                             "compile", f->name, m->arena->limit);
        fold_func(m, f);
    }
    return SLIP_OK;
}
