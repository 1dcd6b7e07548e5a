/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_promote.c - a load of a local variable becomes the value that was stored last.
 *
 *     store %v, %a ... %5 = load %v ... %6 = add %5, %b
 * becomes
 *     store %v, %a ... %6 = add %a, %b
 *
 * for scalars, and for members and elements at constant places, through copies of structs too.
 * What is known before an op with regions is known inside it too, but for what a loop, task or
 * section writes itself; after it, but for what it writes. Two loads with nothing written between
 * are one.
 *
 * At kernel level a value moves only if the launch program can compute it from parameters and
 * constants: anything else would have to outlive the serial task that makes it, as the variable
 * does.
 *
 * needs   nothing (fold first: it finds constant places)
 * keeps   all stores and variables: dce takes those that nothing loads       breaks   ids
 */
#include <string.h>

#include "base/fail.h"
#include "ir/leaf.h"
#include "ir/pass.h"

enum { MOST_KNOWN = 256 }; /* leaves remembered at one point; the oldest are forgotten */

typedef struct known {
    ir_leaf leaf;
    ir_op *value;
} known;

typedef struct promoter {
    mem_arena *arena;
    ir_func *func;
    ir_clone_map *values; /* load -> the value that stands for it */
    known *facts;         /* MOST_KNOWN of them */
    uint32_t count;
    bool *launch;         /* by id: the launch program can compute it */
    bool kernel_level;    /* in a kernel, outside its tasks */
    const ir_op *task;    /* the task around; NULL outside tasks */
} promoter;

/* ---- what the launch program can compute ----------------------------------------------------- */

static void note_launch(promoter *p, const ir_op *op)
{
    bool launch = ir_is_launch_code(op);

    for (uint32_t i = 0; launch && i < op->in_count; i++)
        launch = p->launch[op->in[i]->id];
    p->launch[op->id] = launch;
}

/* ---- what is known at a point ---------------------------------------------------------------- */

static void forget(promoter *p, const ir_leaf *written)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < p->count; i++)
        if (!ir_leaf_overlap(&p->facts[i].leaf, written))
            p->facts[kept++] = p->facts[i];
    p->count = kept;
}

static void learn(promoter *p, const ir_leaf *leaf, ir_op *value)
{
    if (!leaf->known || (p->kernel_level && !p->launch[value->id]))
        return;
    if (p->count == MOST_KNOWN)
        memmove(p->facts, p->facts + 1, --p->count * sizeof *p->facts);
    p->facts[p->count++] = (known){ *leaf, value };
}

/* Is the variable one of the kernel's, seen from inside a task? What an iteration stores in it is the launch pass's to
 * judge: as a value of its own it would hide that iterations share it. */
static bool shared_by_iterations(const promoter *p, const ir_op *var)
{
    const ir_region *r = var->parent;

    while (p->task && r && r->owner && r->owner != p->task)
        r = r->owner->parent;
    return p->task && !(r && r->owner == p->task);
}

static ir_op *recall(const promoter *p, const ir_leaf *leaf, const ir_type *type)
{
    for (uint32_t i = 0; leaf->known && i < p->count; i++) {
        const known *k = &p->facts[i];
        if (k->leaf.var == leaf->var && k->leaf.byte == leaf->byte && k->value->type == type)
            return k->value;
    }
    return NULL;
}

/* Whatever the op itself may write: the bytes behind its first input, or behind any of a call's. */
static void forget_written(promoter *p, const ir_op *op)
{
    bool writes = (ir_codes[op->code].flags & IR_WRITES) != 0;
    uint32_t count = op->code == IR_call || op->in_count == 0 ? op->in_count : 1;

    for (uint32_t i = 0; writes && i < count; i++) {
        if (op->in[i]->type->kind != IR_PTR)
            continue;
        ir_leaf leaf = ir_leaf_of(op->in[i]);
        if (op->code == IR_call || op->code == IR_fill)
            leaf.known = false; /* the callee may step on; a fill has a size of its own */
        forget(p, &leaf);
    }
}

static bool forget_visited(ir_op *op, void *user)
{
    forget_written(user, op);
    return true;
}

/* Whatever the op's regions write; with `after`, only those whose end leads to what follows. */
static void forget_below(promoter *p, const ir_op *op, bool after)
{
    bool branches = op->code == IR_if || op->code == IR_switch;

    for (uint32_t i = 0; i < op->region_count; i++)
        if (!(after && branches && op->type->kind == IR_VOID && ir_region_ended(op->regions[i])))
            ir_walk(op->regions[i], forget_visited, p);
}

/* ---- the walk, in program order -------------------------------------------------------------- */

static void promote_region(promoter *p, ir_region *r);

/* May the regions run more than once, or beside one another? */
static bool repeats(ir_code code)
{
    return code == IR_loop || code == IR_task || code == IR_sections || code == IR_update;
}

static void promote_below(promoter *p, ir_op *op)
{
    bool kernel_level = p->kernel_level;
    const ir_op *task = p->task;
    known *saved;
    uint32_t count;

    if (op->region_count == 0)
        return;
    if (repeats(op->code))
        forget_below(p, op, false);
    count = p->count;
    saved = arena_new(p->arena, count * sizeof *saved);
    memcpy(saved, p->facts, count * sizeof *saved);
    p->kernel_level = kernel_level && op->code != IR_task;
    p->task = op->code == IR_task ? op : task;
    for (uint32_t i = 0; i < op->region_count; i++) {
        promote_region(p, op->regions[i]);
        memcpy(p->facts, saved, count * sizeof *saved);
        p->count = count;
    }
    p->kernel_level = kernel_level;
    p->task = task;
    if (!repeats(op->code))
        forget_below(p, op, true);
}

/* What is known of the source of a copy is known of its target too. */
static void promote_copy(promoter *p, ir_op *op)
{
    ir_leaf to = ir_leaf_of(op->in[0]), from = ir_leaf_of(op->in[1]);
    uint32_t count;

    if (to.var && to.var == from.var && to.known && from.known && to.byte == from.byte)
        return;
    forget(p, &to);
    count = p->count;
    for (uint32_t i = 0; to.known && from.known && i < count && p->count < MOST_KNOWN; i++) {
        known k = p->facts[i];
        if (!to.var || k.leaf.var != from.var || k.leaf.byte < from.byte ||
            k.leaf.byte + k.leaf.bytes > from.byte + from.bytes)
            continue;
        k.leaf.var = to.var;
        k.leaf.byte += to.byte - from.byte;
        learn(p, &k.leaf, k.value);
    }
}

static void promote_op(promoter *p, ir_op *op)
{
    ir_leaf leaf = { 0 };

    if (op->code == IR_load || op->code == IR_store)
        leaf = ir_leaf_of(op->in[0]);
    if (op->code == IR_load && leaf.var && !op->relaxed) {
        ir_op *value = recall(p, &leaf, op->type);
        if (value) {
            ir_clone_map_set(p->values, op, value);
            ir_remove(op);
        } else {
            learn(p, &leaf, op);
        }
        return;
    }
    if (op->code == IR_copy)
        promote_copy(p, op);
    else
        forget_written(p, op);
    if (op->code == IR_store && leaf.var && !shared_by_iterations(p, leaf.var))
        learn(p, &leaf, op->in[1]);
    promote_below(p, op);
}

static void promote_region(promoter *p, ir_region *r)
{
    ir_op *next;

    for (ir_op *op = r->first; op; op = next) {
        next = op->next;
        for (uint32_t i = 0; i < op->in_count; i++) {
            ir_op *to = ir_clone_map_get(p->values, op->in[i]);
            if (to)
                op->in[i] = to;
        }
        note_launch(p, op);
        promote_op(p, op);
    }
}

static void promote_func(ir_module *m, ir_func *f)
{
    uint32_t ids = ir_number(f);
    promoter p = { .arena = m->arena, .func = f, .values = ir_clone_map_new(m),
                   .facts = arena_new(m->arena, MOST_KNOWN * sizeof(known)),
                   .launch = arena_new(m->arena, ids * sizeof(bool)),
                   .kernel_level = f->kind == IR_KERNEL };

    for (uint32_t i = 0; i < f->param_count; i++)
        p.launch[f->params[i].op->id] = true;
    promote_region(&p, f->body);
}

slip_status pass_promote(ir_module *m, diag_list *diags, mod_module **launch)
{
    (void)diags;
    (void)launch;
    for (ir_func *f = m->funcs; f; f = f->next) {
        if (mem_arena_full(m->arena))
            return SLIP_FAIL(SLIP_ERR_MEMORY, "promoting in %s needs more than the %zu bytes of "
                             "one compile", f->name, m->arena->limit);
        promote_func(m, f);
    }
    return SLIP_OK;
}
