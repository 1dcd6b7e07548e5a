/* SPDX-License-Identifier: Apache-2.0 */
/*
 * left_out.c - warnings of math functions that the CPU alone has, where code is made for GPUs too:
 * the targets leave out each shader that calls one (module/module.h, MATH), which the program would
 * otherwise come to know when it calls the kernel there.
 */
#include "base/fail.h"
#include "compile/compile.h"
#include "ir/launch.h"
#include "mathlib/mathlib.h"
#include "target/maths.h"
#include "target/target.h"

/* A call of such a function, as the source has it, and the kernels that come to it. */
typedef struct found_call {
    const ir_op *op;
    const mod_entry *last;
    const char *kernels; /* "`a`, `b`" */
    uint32_t kernel_count;
} found_call;

typedef struct finder {
    mem_arena *arena;
    const mod_entry *entry;
    found_call *calls;
    uint32_t call_count, call_capacity;
} finder;

static bool same_call(const ir_op *a, const ir_op *b)
{
    return a->math == b->math && a->type == b->type && a->place.file == b->place.file &&
           a->place.line == b->place.line && a->place.column == b->place.column;
}

static found_call *call_of(finder *f, const ir_op *op)
{
    for (uint32_t k = 0; k < f->call_count; k++)
        if (same_call(f->calls[k].op, op))
            return &f->calls[k];
    f->calls =
        arena_grow(f->arena, f->calls, &f->call_capacity, f->call_count + 1, sizeof *f->calls);
    f->calls[f->call_count] = (found_call){ .op = op };
    return &f->calls[f->call_count++];
}

static void find_call(finder *f, const ir_op *op)
{
    found_call *call = call_of(f, op);

    if (call->last == f->entry)
        return;
    call->last = f->entry;
    call->kernels = arena_text(f->arena, "%s%s`%s`", call->kernel_count ? call->kernels : "",
                               call->kernel_count ? ", " : "", f->entry->name);
    call->kernel_count++;
}

static bool find_in_op(ir_op *op, void *user)
{
    finder *f = user;

    if (op->code == IR_math && maths_rows[op->math].way == MATHS_IMPORT && !mathlib_has(op->math))
        find_call(f, op);
    return true;
}

/* "ptx, spirv"; NULL: none of the chosen is a GPU's. */
static const char *shader_targets(mem_arena *arena, const bool chosen[MOD_TARGET_COUNT])
{
    const char *all = NULL;

    for (uint32_t t = 0; t < MOD_TARGET_COUNT; t++)
        if (chosen[t] && mod_has_shaders((mod_target)t))
            all = arena_text(arena, "%s%s%s", all ? all : "", all ? ", " : "", target_rows[t].name);
    return all;
}

static void warn(diag_list *diags, const ir_module *m, const found_call *call, const char *targets)
{
    const ir_place *at = &call->op->place;

    diag_add(diags, DIAG_WARNING, at->line ? m->files[at->file] : NULL, at->line, at->column,
             "compile with --target cpu, or write the function in this file",
             "`%s` has no version for %s: %s %s %s refused there",
             maths_import_name(call->op->math, call->op->type->scalar), targets,
             call->kernel_count == 1 ? "the kernel" : "the kernels", call->kernels,
             call->kernel_count == 1 ? "is" : "are");
}

slip_status compile_warn_left_out(mem_arena *arena, const ir_module *m,
                                  const bool chosen[MOD_TARGET_COUNT], diag_list *diags)
{
    const char *targets = shader_targets(arena, chosen);
    finder f = { .arena = arena };
    ir_reach reach;

    if (!targets)
        return SLIP_OK;
    ir_reach_begin(&reach, m, arena);
    for (const ir_func *task = m->funcs; task; task = task->next)
        if (task->kind == IR_TASK && task->task->entry) {
            f.entry = task->task->entry;
            ir_reach_task(&reach, task, find_in_op, &f);
        }
    for (uint32_t k = 0; k < f.call_count; k++)
        warn(diags, m, &f.calls[k], targets);
    return mem_arena_full(arena) ? SLIP_FAIL(SLIP_ERR_MEMORY, "no memory for the warnings")
                                 : SLIP_OK;
}
