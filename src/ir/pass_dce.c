/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_dce.c - ops without effect whose value nobody uses go.
 *
 *     %3 = mul f32 %1, %2            not used
 *     %4 = var ...; store %4, %1     never loaded
 *     if %5 { }
 * becomes nothing at all.
 *
 * An op is kept if it has an effect that may be seen, or if a kept op uses it. A store, copy or
 * fill into a variable is seen only if a kept op reads the variable. Loops, tasks and sections always
 * stay: a loop may be endless, and a task counts in the launch. A variable of a kernel outside its
 * tasks, all of whose values were known to the host and went into what uses them, stays as a
 * declaration: the module tells of it.
 *
 * needs   nothing      keeps   order, all effects      breaks   ids
 */
#include "base/fail.h"
#include "ir/leaf.h"
#include "ir/pass.h"

typedef struct write { /* a store, copy or fill into a variable */
    struct write *next;
    ir_op *op;
} write;

typedef struct sweeper {
    mem_arena *arena;
    bool *kept;       /* by id */
    write **writes;   /* by the variable's id */
    ir_op **pending;  /* kept, but their inputs are not yet */
    uint32_t pending_count;
    bool *launch; /* by id, in a kernel: the host can compute it */
} sweeper;

static void keep(sweeper *s, ir_op *op)
{
    if (s->kept[op->id])
        return;
    s->kept[op->id] = true;
    s->pending[s->pending_count++] = op; /* each op once: there is room for all */
}

/* Ops that stay whatever is done with their values; regions stay by what is in them. */
static bool has_effect(const ir_op *op)
{
    if (op->code == IR_if || op->code == IR_switch || op->code == IR_block || op->code == IR_yield)
        return false;
    return (ir_codes[op->code].flags & (IR_WRITES | IR_EXIT)) != 0;
}

/* The variable that the op writes and does nothing else with; NULL otherwise. */
static const ir_op *only_written(const ir_op *op)
{
    if (op->code != IR_store && op->code != IR_copy && op->code != IR_fill)
        return NULL;
    return ir_leaf_of(op->in[0]).var;
}

static bool find_roots(ir_op *op, void *user)
{
    sweeper *s = user;
    const ir_op *var = only_written(op);

    if (var) {
        write *w = arena_new(s->arena, sizeof *w);
        *w = (write){ s->writes[var->id], op };
        s->writes[var->id] = w;
    } else if (has_effect(op)) {
        keep(s, op);
    }
    return true;
}

/* A kept op keeps its inputs, the op around it, its yields, and what is written to a variable. */
static void spread(sweeper *s, ir_op *op)
{
    for (uint32_t i = 0; i < op->in_count; i++)
        keep(s, op->in[i]);
    if (op->parent && op->parent->owner)
        keep(s, op->parent->owner);
    for (uint32_t i = 0; i < op->region_count; i++)
        if (op->regions[i]->last && op->regions[i]->last->code == IR_yield)
            keep(s, op->regions[i]->last);
    for (write *w = op->code == IR_var ? s->writes[op->id] : NULL; w; w = w->next)
        keep(s, w->op);
}

static bool note_launch(ir_op *op, void *user)
{
    const sweeper *s = user;
    bool launch = ir_is_launch_code(op);

    for (uint32_t i = 0; launch && i < op->in_count; i++)
        launch = s->launch[op->in[i]->id];
    s->launch[op->id] = launch;
    return true;
}

static bool stores_launch_values(const sweeper *s, const ir_op *var)
{
    for (const write *w = s->writes[var->id]; w; w = w->next)
        if (w->op->code != IR_store || !s->launch[w->op->in[1]->id])
            return false;
    return true;
}

/* What is written to it goes, since nothing reads it. */
static void keep_declarations(sweeper *s, const ir_region *r)
{
    for (const ir_op *op = r->first; op; op = op->next) {
        if (op->code == IR_var && op->name && op->name[0] != '.' && stores_launch_values(s, op))
            s->kept[op->id] = true;
        for (uint32_t i = 0; op->code != IR_task && s->kept[op->id] && i < op->region_count; i++)
            keep_declarations(s, op->regions[i]);
    }
}

static bool remove_dead(ir_op *op, void *user)
{
    const sweeper *s = user;

    if (!s->kept[op->id])
        ir_remove(op);
    return true;
}

/* One region that is nobody's: a body, or an extent, which is there for its yield. */
static void sweep(sweeper *s, const ir_region *r)
{
    ir_walk(r, find_roots, s);
    if (r->last && r->last->code == IR_yield)
        keep(s, r->last);
    while (s->pending_count)
        spread(s, s->pending[--s->pending_count]);
    if (s->launch) {
        ir_walk(r, note_launch, s);
        keep_declarations(s, r);
    }
    ir_walk(r, remove_dead, s);
}

static void sweep_func(ir_module *m, ir_func *f)
{
    uint32_t ids = ir_number(f);
    sweeper s = { .arena = m->arena, .kept = arena_new(m->arena, ids * sizeof *s.kept),
                  .writes = arena_new(m->arena, ids * sizeof *s.writes),
                  .pending = arena_new(m->arena, ids * sizeof *s.pending) };
    bool *launch = arena_new(m->arena, ids * sizeof *launch);

    for (uint32_t i = 0; i < f->param_count; i++)
        for (uint32_t d = 0; d < IR_MAX_RANK; d++)
            if (f->params[i].extents[d])
                sweep(&s, f->params[i].extents[d]);
    for (uint32_t i = 0; i < f->param_count; i++)
        launch[f->params[i].op->id] = true;
    if (f->kind == IR_KERNEL)
        s.launch = launch;
    sweep(&s, f->body);
}

slip_status pass_dce(ir_module *m, diag_list *diags, mod_module **launch)
{
    (void)diags;
    (void)launch;
    for (ir_func *f = m->funcs; f; f = f->next) {
        if (mem_arena_full(m->arena))
            return SLIP_FAIL(SLIP_ERR_MEMORY, "clearing %s needs more than the %zu bytes of one "
                             "compile", f->name, m->arena->limit);
        sweep_func(m, f);
    }
    return SLIP_OK;
}
