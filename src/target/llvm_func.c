/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_func.c - a module as LLVM text: helpers, tables, tasks, and what they all share.
 *
 * Everything is hidden or internal: an image has no undefined names but the table of imports. The
 * attribute no-builtins keeps LLVM from making library calls out of loops. Levels differ in how
 * reductions fill registers, and in nothing else but attributes, which a text for several leaves
 * out.
 */
#include "target/llvm_emit.h"

#include <inttypes.h>
#include <string.h>

#include "target/llvm_fold.h"
#include "target/llvm_gpu.h"

void llvm_func_begin(llvm_emit *e, const ir_func *f)
{
    text_clear(&e->entry);
    text_clear(&e->body);
    e->func = f;
    e->prefix = "";
    e->end_block = 0;
    e->temps = 0;
    e->blocks = 0;
    e->at_block = 0;
    e->open = true;
    e->level_count = 0;
}

void llvm_func_end(llvm_emit *e, const char *signature)
{
    text_add(&e->top, "\n%s {\nentry:\n", signature);
    text_bytes(&e->top, text_get(&e->entry), strlen(text_get(&e->entry)));
    text_bytes(&e->top, text_get(&e->body), strlen(text_get(&e->body)));
    text_add(&e->top, "}\n");
}

enum { FEW_CALLS = 4 };

typedef struct calls {
    const ir_func *of;
    uint32_t count;
} calls;

static bool count_call(ir_op *op, void *user)
{
    calls *c = user;

    c->count += op->code == IR_call && op->func == c->of;
    return true;
}

/*
 * A loop is vectorised only if all that it calls is put into it, and LLVM's own limit is below the
 * size of a sine. So the math library's functions go where they are called, unless that is many
 * places: fifty powers are fifty calls.
 */
static bool goes_inline(const llvm_emit *e, const ir_func *f)
{
    calls c = { .of = f };

    if (e->options->debug || e->options->optimize < 2 || strncmp(f->name, "slip.", 5) != 0)
        return false;
    for (const ir_func *g = e->m->funcs; g; g = g->next)
        ir_walk_func(g, count_call, &c);
    return c.count <= FEW_CALLS;
}

void llvm_helper(llvm_emit *e, const ir_func *f)
{
    const char *result = f->result->kind == IR_SCALAR ? llvm_type_name(f->result) : "void";
    text signature = { 0 };

    llvm_func_begin(e, f);
    text_add(&signature, "define internal fastcc %s %s(", result,
             llvm_quoted(e, "helper.", f->name));
    for (uint32_t i = 0; i < f->param_count; i++)
        text_add(&signature, "%s%s %%a%u", i ? ", " : "", llvm_type_name(f->params[i].op->type), i);
    text_add(&signature, goes_inline(e, f) ? ") alwaysinline #0" : ") #0");
    llvm_region(e, f->body);
    if (e->open && strcmp(result, "void") == 0)
        llvm_line(e, "ret void");
    else if (e->open) /* only where the source has a path without a return */
        llvm_line(e, "ret %s zeroinitializer", result);
    llvm_func_end(e, text_get(&signature));
    if (signature.status != SLIP_OK && e->status == SLIP_OK)
        e->status = signature.status;
    text_finish(&signature);
}

void llvm_table(llvm_emit *e, const ir_table *t)
{
    text_add(&e->top, "%s = internal unnamed_addr ", llvm_quoted(e, "table.", t->name));
    if (e->gpu)
        text_add(&e->top, "addrspace(%u) ", e->gpu->table_space);
    text_add(&e->top, "constant [%" PRIu64 " x i8] c\"", t->type->size);
    for (uint64_t i = 0; i < t->type->size; i++)
        text_add(&e->top, "\\%02X", t->data[i]);
    text_add(&e->top, "\", align %" PRIu64 "\n", t->type->align < 16 ? 16 : t->type->align);
}

/* What LLVM may still call by name where a copy or fill is long. */
void llvm_memory_functions(llvm_emit *e)
{
    text_add(&e->top,
             "\ndefine hidden ptr @memcpy(ptr noalias returned %%to, ptr noalias readonly %%from, "
             "i64 %%n) #0 {\nentry:\n  br label %%head\nhead:\n"
             "  %%i = phi i64 [ 0, %%entry ], [ %%next, %%body ]\n"
             "  %%more = icmp ult i64 %%i, %%n\n  br i1 %%more, label %%body, label %%done\nbody:\n"
             "  %%p = getelementptr inbounds i8, ptr %%from, i64 %%i\n"
             "  %%q = getelementptr inbounds i8, ptr %%to, i64 %%i\n"
             "  %%b = load i8, ptr %%p, align 1\n  store i8 %%b, ptr %%q, align 1\n"
             "  %%next = add nuw i64 %%i, 1\n  br label %%head\ndone:\n  ret ptr %%to\n}\n");
    text_add(&e->top,
             "\ndefine hidden ptr @memset(ptr returned %%to, i32 %%value, i64 %%n) #0 {\n"
             "entry:\n  %%b = trunc i32 %%value to i8\n  br label %%head\nhead:\n"
             "  %%i = phi i64 [ 0, %%entry ], [ %%next, %%body ]\n"
             "  %%more = icmp ult i64 %%i, %%n\n  br i1 %%more, label %%body, label %%done\nbody:\n"
             "  %%q = getelementptr inbounds i8, ptr %%to, i64 %%i\n"
             "  store i8 %%b, ptr %%q, align 1\n"
             "  %%next = add nuw i64 %%i, 1\n  br label %%head\ndone:\n  ret ptr %%to\n}\n");
}

static void module_end(llvm_emit *e)
{
    const char *bits = e->rows[1] ? NULL : e->row->vector_bits;

    if (e->import_count)
        text_add(&e->top, "\n@slip_imports = external hidden global [%u x ptr], align 8\n",
                 e->import_count);
    if (e->uses_memory_calls)
        llvm_memory_functions(e);
    llvm_fold_functions(e);
    text_add(&e->top, "\nattributes #0 = { nounwind \"no-builtins\"%s%s%s%s }\n",
             e->options->debug ? " noinline \"frame-pointer\"=\"all\"" : "",
             bits ? " \"prefer-vector-width\"=\"" : "", bits ? bits : "", bits ? "\"" : "");
    text_add(&e->top, "attributes #2 = { nounwind minsize optsize \"no-builtins\" }\n"
                      "attributes #3 = { nounwind noinline minsize optsize \"no-builtins\" }\n");
    text_add(&e->top, "attributes #1 = { nounwind willreturn nosync nofree memory(none) }\n");
    text_add(&e->top,
             "\n!0 = !{}\n!1 = distinct !{}\n"
             "!2 = !{!\"llvm.loop.parallel_accesses\", !1}\n"
             "!3 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n"
             "!4 = !{!\"llvm.loop.unroll.disable\"}\n%s",
             text_get(&e->meta));
}

static slip_status emit_status(const llvm_emit *e)
{
    if (e->status != SLIP_OK)
        return e->status;
    if (e->top.status != SLIP_OK)
        return e->top.status;
    if (e->entry.status != SLIP_OK)
        return e->entry.status;
    if (e->body.status != SLIP_OK)
        return e->body.status;
    return e->meta.status;
}

void llvm_source_free(llvm_source *source)
{
    for (uint32_t p = 0; p < LLVM_PARTS; p++)
        text_finish(&source->parts[p]);
}

/* The tasks of part p, and all helpers: LLVM drops those that none of them calls. */
static void print_part(llvm_emit *e, const uint8_t *parts, uint32_t p)
{
    uint32_t at = 0;

    e->metadata = 5;
    e->uses_memory_calls = false;
    memset(e->uses_fold, 0, sizeof e->uses_fold);
    text_clear(&e->meta);
    text_add(&e->top, "target datalayout = \"%s\"\ntarget triple = \"%s\"\n\n", e->row->layout,
             e->row->triple);
    for (const ir_table *t = e->m->tables; t; t = t->next)
        llvm_table(e, t);
    for (const ir_func *f = e->m->funcs; f && e->status == SLIP_OK; f = f->next) {
        if (f->kind == IR_HELPER && !f->shader_only)
            llvm_helper(e, f);
        if (f->kind != IR_TASK || parts[at++] != p)
            continue;
        llvm_task(e, f);
    }
    module_end(e);
}

slip_status llvm_print(const ir_module *m, const target_row *const *rows,
                       const target_options *options, mem_arena *arena, llvm_source *out)
{
    llvm_emit *e = arena_new(arena, sizeof *e);
    llvm_source made = { 0 };
    const uint8_t *parts = NULL;
    slip_status status = SLIP_OK;

    e->m = m;
    e->rows = rows;
    e->row = rows[0];
    e->level = "";
    e->options = options;
    e->arena = arena;
    e->imports = arena_new(arena, sizeof(char *) * 2 * MATHS_IMPORT_COUNT);
    e->gpu = llvm_gpu_of(e->row);
    made.part_count = e->gpu ? 1 : llvm_split(m, arena, &parts);
    for (uint32_t p = 0; p < made.part_count && status == SLIP_OK; p++) {
        if (e->gpu)
            llvm_gpu_print(e);
        else
            print_part(e, parts, p);
        status = emit_status(e);
        made.parts[p] = e->top;
        e->top = (text){ 0 };
    }
    made.imports = e->imports;
    made.import_count = e->import_count;
    made.levels_differ = e->levels_differ;
    if (status == SLIP_OK)
        *out = made;
    else
        llvm_source_free(&made);
    text_finish(&e->entry);
    text_finish(&e->body);
    text_finish(&e->meta);
    return status;
}
