/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu.c - a module's tasks as one text of kernels: shader k is kernel s<k>.
 *
 * What is printed is decided first: a task that calls a function which no GPU has is left out, and
 * its need says where (module.h, MATH). Helpers are those that the other tasks call.
 */
#include "target/llvm_gpu.h"

#include <string.h>

#include "target/shader.h"

/* ---- what is printed ---- */

typedef struct reacher {
    const ir_module *m;
    ir_reach r;
    const ir_op *missing; /* the first call of a function that no GPU has */
} reacher;

const ir_func *llvm_gpu_remainder(const ir_module *m, scalar_type type)
{
    const char *name = type == SCALAR_f32 ? "slip.fmodf" : "slip.fmod";
    const ir_func *f = m->funcs;

    while (f && (f->kind != IR_HELPER || strcmp(f->name, name) != 0))
        f = f->next;
    return f;
}

static bool find_in_op(ir_op *op, void *user)
{
    reacher *r = user;
    bool is_math = op->code == IR_math && maths_rows[op->math].way == MATHS_IMPORT;
    bool is_remainder = (op->code == IR_rem && scalar_types[op->type->scalar].is_float) ||
                        (is_math && op->math == IR_MATH_fmod);
    const ir_func *remainder = NULL;

    if (is_remainder)
        remainder = llvm_gpu_remainder(r->m, op->type->scalar);
    if (remainder)
        ir_reach_add(&r->r, remainder);
    else if ((is_math || is_remainder) && !r->missing)
        r->missing = op;
    return true;
}

static void add_shader(llvm_gpu_plan *plan, const mod_task *task, const ir_op *missing, bool finish)
{
    mod_shader *s = &plan->shaders[plan->shader_count++];

    *s = shader_facts(task, MOD_STREAM_PARAM_BYTES);
    if (finish)
        s->local = MOD_STREAM_FINISH;
    if (missing) {
        s->needs = 1u << MOD_NEED_MATH;
        s->need_places[MOD_NEED_MATH] =
            (mod_place){ missing->place.file, missing->place.line, missing->place.column };
    }
}

void llvm_gpu_plan_make(const ir_module *m, uint32_t symbols, mem_arena *arena, llvm_gpu_plan *out)
{
    uint32_t functions = 0;
    reacher r = { .m = m };

    for (const ir_func *f = m->funcs; f; f = f->next)
        functions++;
    *out = (llvm_gpu_plan){
        .shaders = arena_new(arena, (2 * functions + 1) * sizeof *out->shaders),
        .symbols = arena_new(arena, (symbols + 1) * sizeof *out->symbols),
    };
    ir_reach_begin(&out->reach, m, arena);
    ir_reach_begin(&r.r, m, arena);
    for (uint32_t k = 0; k < symbols; k++)
        out->symbols[k] = (mod_symbol){ MOD_NONE, MOD_NONE };
    for (const ir_func *f = m->funcs; f; f = f->next) {
        if (f->kind != IR_TASK || f->task->index >= symbols)
            continue;
        r.missing = NULL;
        ir_reach_task(&r.r, f, find_in_op, &r);
        for (uint32_t k = 0; k < r.r.count && !r.missing; k++)
            ir_reach_add(&out->reach, r.r.helpers[k]);
        out->symbols[f->task->index].main = out->shader_count;
        add_shader(out, f->task->task, r.missing, false);
        if (f->task->task->reduce_count == 0)
            continue;
        out->symbols[f->task->index].finish = out->shader_count;
        add_shader(out, f->task->task, r.missing, true);
    }
}

/* ---- the text ---- */

static uint32_t symbol_count(const ir_module *m)
{
    uint32_t count = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        if (f->kind == IR_TASK && f->task->index >= count)
            count = f->task->index + 1;
    return count;
}

static void kernels(llvm_emit *e, const llvm_gpu_plan *plan, const ir_func *f)
{
    mod_symbol symbol = plan->symbols[f->task->index];
    const mod_shader *main = &plan->shaders[symbol.main];

    if (main->needs)
        return;
    if (f->task->task->reduce_count == 0) {
        llvm_gpu_task(e, f, main, symbol.main);
        return;
    }
    llvm_gpu_reduce_main(e, f, main, symbol.main);
    llvm_gpu_reduce_finish(e, f, &plan->shaders[symbol.finish], symbol.finish);
}

/* ---- loops ---- */

enum { UNROLLED_OPS = 128, UNROLLED_TIMES = 4 };

/* Ends at what makes a loop no candidate: others within, calls, and what branches widely. */
static bool is_simple(ir_op *op, void *user)
{
    ++*(uint32_t *)user;
    switch ((int)op->code) {
    case IR_loop:
    case IR_block:
    case IR_switch:
    case IR_call:
    case IR_math:
    case IR_update:
    case IR_atomic:
    case IR_cas:
    case IR_return:
        return false;
    }
    return *(uint32_t *)user <= UNROLLED_OPS;
}

/* Does the first `if` compare with a constant? Then LLVM may see how often the loop runs, and knows
 * better. */
static bool is_counted(const ir_op *loop)
{
    const ir_op *op = loop->regions[0]->first;

    while (op && op->code != IR_if)
        op = op->next;
    for (op = op ? op->in[0] : NULL; op && op->code == IR_not;)
        op = op->in[0];
    return op && op->in_count == 2 && (op->in[0]->code == IR_const || op->in[1]->code == IR_const);
}

/* A few passes at once, so that their loads are made together: LLVM's own limit for these targets
 * is lower than nvcc's. */
const char *llvm_gpu_loop_note(llvm_emit *e, const ir_op *loop)
{
    uint32_t ops = 0;

    if (!e->gpu || e->options->optimize < 2 || is_counted(loop) ||
        !ir_walk(loop->regions[0], is_simple, &ops) || !ir_walk(loop->regions[1], is_simple, &ops))
        return "";
    uint32_t n = e->metadata++;
    text_add(&e->meta, "!%u = distinct !{!%u, !2}\n", n, n);
    return llvm_name(e, ", !llvm.loop !%u", n);
}

/* ---- the end of the text ---- */

static void annotations(llvm_emit *e, const llvm_gpu_plan *plan)
{
    uint32_t first = e->metadata;

    for (uint32_t k = 0; e->gpu->annotation && k < plan->shader_count; k++) {
        if (plan->shaders[k].needs)
            continue;
        text_add(&e->meta, "!%u = ", e->metadata++);
        text_add(&e->meta, e->gpu->annotation, k, plan->shaders[k].local);
        text_add(&e->meta, "\n");
    }
    if (first == e->metadata)
        return;
    text_add(&e->top, "\n!nvvm.annotations = !{");
    for (uint32_t k = first; k < e->metadata; k++)
        text_add(&e->top, "%s!%u", k > first ? ", " : "", k);
    text_add(&e->top, "}\n");
}

void llvm_gpu_print(llvm_emit *e)
{
    llvm_gpu_plan plan;

    e->metadata = 4;
    llvm_gpu_plan_make(e->m, symbol_count(e->m), e->arena, &plan);
    text_add(&e->top, "target datalayout = \"%s\"\ntarget triple = \"%s\"\n\n", e->row->layout,
             e->row->triple);
    text_add(&e->top, "%s%s\n", e->gpu->prelude, llvm_gpu_divide);
    for (const ir_table *t = e->m->tables; t; t = t->next)
        llvm_table(e, t);
    for (uint32_t k = 0; k < plan.reach.count && e->status == SLIP_OK; k++)
        llvm_helper(e, plan.reach.helpers[k]);
    for (const ir_func *f = e->m->funcs; f && e->status == SLIP_OK; f = f->next)
        if (f->kind == IR_TASK)
            kernels(e, &plan, f);
    llvm_gpu_folds(e);
    annotations(e, &plan);
    text_add(&e->top, "\nattributes #0 = { nounwind \"no-builtins\"%s }\n",
             e->options->debug ? " noinline" : "");
    text_add(&e->top,
             "\n%s!0 = !{}\n!1 = distinct !{}\n!2 = !{!\"llvm.loop.unroll.count\", i32 %d}\n%s",
             e->gpu->flags, UNROLLED_TIMES, text_get(&e->meta));
}
