/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_inline.c - put the bodies of helpers where they are called.
 *
 *     %5 = call i32 clamp %1, %2      with clamp: if %lt { return 0 }; return %x
 * becomes
 *     %5 = if i32 %lt { yield 0 } else { yield %x }
 * and, where returns stand in loops, switches or among statements,
 *     %r = var ...; block { ... store %r, %v; break 2 ... }; %5 = load %r
 *
 * Inlined are helpers with pointer parameters, those that hold tasks, sections or scratch, kernels
 * called like functions, and bodies below SMALL ops; in a library all. The others stay functions; a
 * helper that nobody calls any more is dropped.
 *
 * needs   no recursion (refused)     keeps   order of effects     breaks   ids
 */
#include <string.h>

#include "base/fail.h"
#include "ir/pass.h"

enum {
    SMALL = 40,        /* ops of a body that is always inlined */
    MOST_TAIL_IFS = 16 /* early returns that nest; with more a block is left by break */
};

typedef enum mark { NEW, OPEN, DONE } mark;

typedef struct callee {
    ir_func *func;
    mark mark;
    bool inlined, called;
} callee;

typedef struct inliner {
    ir_module *module;
    callee *callees; /* every function of the module */
    uint32_t count;
    slip_status status;
} inliner;

static callee *find_callee(const inliner *in, const ir_func *f)
{
    uint32_t i = 0;

    while (in->callees[i].func != f)
        i++;
    return &in->callees[i];
}

/* ---- what to inline -------------------------------------------------------------------------- */

typedef struct survey {
    uint32_t ops;
    bool kernel_level; /* a task, sections or scratch */
} survey;

static bool survey_op(ir_op *op, void *user)
{
    survey *s = user;

    s->ops++;
    s->kernel_level |= op->code == IR_task || op->code == IR_sections || op->code == IR_scratch;
    return true;
}

static bool is_inlined(const ir_func *f)
{
    survey s = { 0 };

    ir_walk(f->body, survey_op, &s);
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i].op->type->kind == IR_PTR)
            return true;
    return f->kind == IR_KERNEL || s.kernel_level || s.ops < SMALL;
}

/* ---- returns --------------------------------------------------------------------------------- */

static bool has_return(const ir_region *r);

static bool op_returns(const ir_op *op)
{
    for (uint32_t i = 0; i < op->region_count; i++)
        if (has_return(op->regions[i]))
            return true;
    return op->code == IR_return;
}

static bool has_return(const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next)
        if (op_returns(op))
            return true;
    return false;
}

/*
 * Do returns stand only last in a region, or in an `if` one branch of which ends, so that the rest
 * of the region can move into the other? *ifs counts those: each becomes a level of nesting.
 */
static bool is_tail(const ir_op *op, uint32_t *ifs)
{
    for (; op; op = op->next) {
        if (op->code == IR_return || !op_returns(op))
            continue;
        if (op->code != IR_if || op->type->kind != IR_VOID || ++*ifs > MOST_TAIL_IFS)
            return false;
        if (!ir_region_ended(op->regions[0]) && !ir_region_ended(op->regions[1]))
            return false;
        if (!is_tail(op->regions[0]->first, ifs) || !is_tail(op->regions[1]->first, ifs))
            return false;
    }
    return true;
}

/* The ops that are reached from the end of a region: one list, then those of `up`. */
typedef struct rest {
    const ir_op *op;
    const struct rest *up;
} rest;

static ir_op *mapped(const ir_clone_map *map, ir_op *op)
{
    ir_op *to = ir_clone_map_get(map, op);

    return to ? to : op;
}

static ir_op *clone_tail(ir_builder *b, ir_clone_map *map, const ir_op *op, const rest *after,
                         const ir_type *type);

/* An `if` with returns: what follows it goes into the branch that falls through. */
static ir_op *clone_tail_if(ir_builder *b, ir_clone_map *map, const ir_op *op, const rest *after,
                            const ir_type *type)
{
    rest next = { op->next, after };

    b->place = op->place;
    ir_op *made = ir_if(b, mapped(map, op->in[0]), type);
    for (uint32_t k = 0; k < 2; k++) {
        ir_builder inner = *b;
        bool ended = ir_region_ended(op->regions[k]);
        ir_enter(&inner, made, k);
        ir_op *value = clone_tail(&inner, map, op->regions[k]->first, ended ? NULL : &next, type);
        if (type->kind == IR_VOID)
            continue;
        if (!value) /* after an endless loop */
            value = ir_build(&inner, IR_undef, type, NULL, 0);
        ir_yield(&inner, value);
    }
    return made;
}

/* Clones to the end of the function; gives the value it returns, NULL if none. */
static ir_op *clone_tail(ir_builder *b, ir_clone_map *map, const ir_op *op, const rest *after,
                         const ir_type *type)
{
    for (;; op = op->next) {
        for (; !op && after; after = after->up)
            op = after->op;
        if (!op)
            return NULL;
        if (op->code == IR_return)
            return op->in_count ? mapped(map, op->in[0]) : NULL;
        if (op_returns(op))
            return clone_tail_if(b, map, op, after, type);
        ir_clone(b, map, op);
    }
}

/* ---- inlining one call ----------------------------------------------------------------------- */

/* In a cloned body: "return v" becomes "store var, v; break out of the block". */
static void turn_returns(ir_builder *b, ir_region *r, ir_op *block, ir_op *var, uint32_t levels)
{
    for (ir_op *op = r->first; op; op = op->next) {
        uint32_t below = levels + (op->code == IR_loop || op->code == IR_block);
        for (uint32_t i = 0; i < op->region_count; i++)
            turn_returns(b, op->regions[i], block, var, below);
        if (op->code != IR_return)
            continue;
        b->region = r;
        b->before = op;
        b->place = op->place;
        if (var && op->in_count)
            ir_store(b, var, op->in[0]);
        if (r != block->regions[0])
            ir_break(b, levels);
        ir_remove(op);
        return;
    }
}

static ir_op *expand_block(ir_builder *b, ir_clone_map *map, const ir_func *f)
{
    ir_op *var = f->result->kind == IR_SCALAR ? ir_var(b, f->result, NULL) : NULL;
    ir_op *block = ir_block(b);
    ir_builder inner = *b;

    ir_enter(&inner, block, 0);
    ir_clone_region_into(&inner, map, f->body);
    turn_returns(&inner, block->regions[0], block, var, 1);
    return var ? ir_load(b, var) : NULL;
}

/* The body of the call's function before the call; gives the value, NULL if there is none. */
static ir_op *expand(inliner *in, ir_func *f, ir_op *call)
{
    ir_builder b = { in->module, f, call->parent, call, call->place };
    ir_clone_map *map = ir_clone_map_new(in->module);
    const ir_func *g = call->func;
    uint32_t ifs = 0;

    if (mem_arena_full(in->module->arena) && in->status == SLIP_OK)
        in->status = SLIP_FAIL(SLIP_ERR_MEMORY, "inlining %s into %s needs more than the %zu bytes "
                               "of one compile", g->name, f->name, in->module->arena->limit);
    if (in->status != SLIP_OK)
        return NULL;
    for (uint32_t i = 0; i < call->in_count; i++)
        ir_clone_map_set(map, g->params[i].op, call->in[i]);
    if (!is_tail(g->body->first, &ifs))
        return expand_block(&b, map, g);
    const ir_type *type = g->result->kind == IR_SCALAR ? g->result : ir_type_void(in->module);
    ir_op *value = clone_tail(&b, map, g->body->first, NULL, type);
    if (!value && type->kind != IR_VOID) /* it never returns */
        value = ir_build(&b, IR_undef, type, NULL, 0);
    return value;
}

/* ---- the whole module ------------------------------------------------------------------------ */

/* In program order, so that the values of calls are known before their uses. */
static void inline_region(inliner *in, ir_func *f, ir_clone_map *values, ir_region *r)
{
    ir_op *next;

    for (ir_op *op = r->first; op && in->status == SLIP_OK; op = next) {
        next = op->next;
        for (uint32_t i = 0; i < op->in_count; i++)
            op->in[i] = mapped(values, op->in[i]);
        for (uint32_t i = 0; i < op->region_count; i++)
            inline_region(in, f, values, op->regions[i]);
        if (op->code != IR_call || !find_callee(in, op->func)->inlined)
            continue;
        ir_op *value = expand(in, f, op);
        if (value)
            ir_clone_map_set(values, op, value);
        ir_remove(op);
    }
}

static void inline_func(inliner *in, callee *c);

static bool inline_callee(ir_op *op, void *user)
{
    inliner *in = user;

    if (op->code == IR_call) {
        callee *c = find_callee(in, op->func);
        c->called = true;
        if (c->mark == OPEN && in->status == SLIP_OK)
            in->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "%s calls itself", op->func->name);
        else if (c->mark == NEW)
            inline_func(in, c);
    }
    return in->status == SLIP_OK;
}

static void inline_func(inliner *in, callee *c)
{
    ir_clone_map *values = ir_clone_map_new(in->module);
    ir_func *f = c->func;

    c->mark = OPEN;
    ir_walk_func(f, inline_callee, in);
    for (uint32_t i = 0; i < f->param_count; i++)
        for (uint32_t d = 0; d < IR_MAX_RANK; d++)
            if (f->params[i].extents[d])
                inline_region(in, f, values, f->params[i].extents[d]);
    inline_region(in, f, values, f->body);
    c->inlined = in->module->library || is_inlined(f);
    c->mark = DONE;
}

static bool calls_other(ir_op *op, void *user)
{
    return !(op->code == IR_call && op->func == user); /* false stops the walk: found */
}

/* Takes out the helpers that were called and are no more; true if it found one. */
static bool drop_uncalled(inliner *in)
{
    bool dropped = false;

    for (uint32_t i = 0; i < in->count; i++) {
        callee *c = &in->callees[i];
        bool called = false;
        if (!c->called || c->func->kind != IR_HELPER)
            continue;
        for (ir_func *f = in->module->funcs; f && !called; f = f->next)
            called = !ir_walk_func(f, calls_other, c->func);
        if (called)
            continue;
        ir_func_remove(in->module, c->func);
        c->called = false;
        dropped = true;
    }
    return dropped;
}

slip_status pass_inline(ir_module *m, diag_list *diags, mod_module **launch)
{
    inliner in = { .module = m };

    (void)diags;
    (void)launch;
    for (ir_func *f = m->funcs; f; f = f->next)
        in.count++;
    in.callees = arena_new(m->arena, in.count * sizeof *in.callees);
    in.count = 0;
    for (ir_func *f = m->funcs; f; f = f->next)
        in.callees[in.count++].func = f;
    for (uint32_t i = 0; i < in.count && in.status == SLIP_OK; i++)
        if (in.callees[i].mark == NEW)
            inline_func(&in, &in.callees[i]);
    while (in.status == SLIP_OK && drop_uncalled(&in))
        ;
    return in.status;
}
