/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_task.c - the kernel of a task without reductions: which iterations a thread runs.
 *
 * A plain kernel runs at most one iteration a thread; a strided one walks on by the whole grid, and
 * its coordinates are stepped with carries, so that only the first ones are divided (LANGUAGE rule
 * 9). The layout of what a kernel is passed is mod_shader's (module/module.h).
 */
#include "target/llvm_gpu.h"

#include <string.h>

#include "target/llvm_walk.h"

/* { x / count, x % count } by the reciprocal, as module.h has it. */
const char llvm_gpu_divide[] =
    "define internal { i64, i64 } @slip.divide(i64 %x, i64 %count, i32 %magic, i32 %shift) "
    "alwaysinline nounwind {\n"
    "entry:\n  %divides = icmp eq i32 %shift, 255\n  br i1 %divides, label %wide, label %fits\n"
    "wide:\n  %q.wide = udiv i64 %x, %count\n  %p.wide = mul i64 %q.wide, %count\n"
    "  %r.wide = sub i64 %x, %p.wide\n  br label %done\n"
    "fits:\n  %n = trunc i64 %x to i32\n  %n.wide = zext i32 %n to i64\n"
    "  %magic.wide = zext i32 %magic to i64\n  %product = mul i64 %n.wide, %magic.wide\n"
    "  %upper = lshr i64 %product, 32\n  %high = trunc i64 %upper to i32\n"
    "  %power = icmp eq i32 %magic, 0\n  %whole = select i1 %power, i32 %n, i32 %high\n"
    "  %q = lshr i32 %whole, %shift\n  %c = trunc i64 %count to i32\n  %p = mul i32 %q, %c\n"
    "  %r = sub i32 %n, %p\n  %q.fits = zext i32 %q to i64\n  %r.fits = zext i32 %r to i64\n"
    "  br label %done\n"
    "done:\n  %quotient = phi i64 [ %q.wide, %wide ], [ %q.fits, %fits ]\n"
    "  %rest = phi i64 [ %r.wide, %wide ], [ %r.fits, %fits ]\n"
    "  %one = insertvalue { i64, i64 } poison, i64 %quotient, 0\n"
    "  %both = insertvalue { i64, i64 } %one, i64 %rest, 1\n  ret { i64, i64 } %both\n}\n";

static const mod_task *task_of(const llvm_emit *e)
{
    return e->func->task->task;
}

/* ---- what a kernel is passed ---- */

static void param_load(llvm_emit *e, const char *dst, const char *type, uint32_t offset)
{
    const char *ptr = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%params, i64 %u", ptr, offset);
    llvm_line(e, "%s = load %s, ptr %s, align %u" LLVM_FIXED, dst, type, ptr, offset % 8 ? 4 : 8);
}

static void param_pointer(llvm_emit *e, const char *dst, uint32_t offset)
{
    const char *raw = llvm_temp(e);

    param_load(e, raw, llvm_global_type(e), offset);
    llvm_global_cast(e, dst, raw);
}

static void find_block(llvm_emit *e, const mod_shader *shader)
{
    uint32_t header = mod_shader_header(task_of(e)->rank);

    if (shader->inline_block)
        llvm_line(e, "%%block = getelementptr inbounds i8, ptr %%params, i64 %u", header);
    else
        param_pointer(e, "%block", header);
}

static bool reads_cells(const mod_task *task)
{
    bool some = task->predicate != MOD_NONE;

    for (uint32_t k = 0; k < task->rank; k++)
        some = some || task->axes[k].lo_cell != MOD_NONE || task->axes[k].hi_cell != MOD_NONE;
    return some;
}

/* dst = the scalar at a byte of the cells */
static void cell_load(llvm_emit *e, const char *dst, scalar_type type, uint32_t cell)
{
    const char *ptr = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%cells, i64 %u", ptr, cell);
    llvm_line(e, "%s = load %s, ptr %s, align %u", dst, llvm_scalar_name(type), ptr,
              scalar_types[type].bytes);
}

void llvm_gpu_begin(llvm_emit *e, llvm_gpu_kernel *k, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t run;

    if (task->rank > MOD_MAX_AXES || f->param_count != task->rank + task->arg_count) {
        e->status =
            SLIP_FAIL(SLIP_ERR_INTERNAL, "task %u has %u parameters for %u axes and %u args",
                      f->task->index, f->param_count, task->rank, task->arg_count);
        return;
    }
    llvm_func_begin(e, f);
    k->done = llvm_block_new(e);
    if (e->gpu->params_are)
        llvm_line(e, "%s", e->gpu->params_are);
    find_block(e, k->shader);
    llvm_task_args(e);
    if (reads_cells(task))
        param_pointer(e, "%cells", 16);
    if (task->predicate == MOD_NONE)
        return;
    run = llvm_block_new(e);
    cell_load(e, "%predicate", SCALAR_i32, task->predicate);
    llvm_line(e, "%%holds = icmp ne i32 %%predicate, 0");
    llvm_branch_if(e, "%holds", run, k->done);
    llvm_block_begin(e, run);
}

/* The parameter is as long as what is in it: header, and block or address. */
void llvm_gpu_end(llvm_emit *e, const llvm_gpu_kernel *k)
{
    uint32_t header = mod_shader_header(task_of(e)->rank);
    uint32_t bytes = header + (k->shader->inline_block ? (task_of(e)->block_bytes + 7) / 8 * 8 : 8);
    uint32_t least = k->shader->local_fixed ? k->shader->local : 1;
    text signature = { 0 };

    llvm_block_begin(e, k->done);
    llvm_line(e, "ret void");
    text_add(&signature, "; task %s\ndefine %s void @s%u(", task_of(e)->name, e->gpu->kernel,
             k->number);
    text_add(&signature, e->gpu->params, bytes);
    text_add(&signature, ") #0");
    text_add(&signature, e->gpu->threads, least, k->shader->local);
    llvm_func_end(e, text_get(&signature));
    if (signature.status != SLIP_OK && e->status == SLIP_OK)
        e->status = signature.status;
    text_finish(&signature);
}

/* ---- iterations ---- */

void llvm_gpu_range(llvm_emit *e)
{
    param_load(e, "%first", "i64", 0);
    param_load(e, "%end", "i64", 8);
}

static void indices(llvm_emit *e, const char *prefix)
{
    for (uint32_t k = 0; k < task_of(e)->rank; k++)
        llvm_index_at(e, llvm_name(e, "%%%si%u", prefix, k), k, llvm_name(e, "%%%sc%u", prefix, k));
}

void llvm_gpu_indices(llvm_emit *e, const char *prefix, const char *flat)
{
    uint32_t rank = task_of(e)->rank, at = MOD_SHADER_HEADER_BYTES;
    char left[LLVM_NAME];

    llvm_keep(left, flat);
    for (uint32_t k = rank; k-- > 1; at += 8) {
        const char *magic = llvm_temp(e), *shift = llvm_temp(e), *both = llvm_temp(e);
        param_load(e, magic, "i32", at);
        param_load(e, shift, "i32", at + 4);
        llvm_line(e, "%s = call { i64, i64 } @slip.divide(i64 %s, i64 %%n%u, i32 %s, i32 %s)", both,
                  left, k, magic, shift);
        llvm_line(e, "%%%sc%u = extractvalue { i64, i64 } %s, 1", prefix, k, both);
        llvm_keep(left, llvm_temp(e));
        llvm_line(e, "%s = extractvalue { i64, i64 } %s, 0", left, both);
    }
    llvm_line(e, "%%%sc0 = add i64 %s, 0", prefix, left);
    indices(e, prefix);
}

static void plain(llvm_emit *e, llvm_gpu_kernel *k)
{
    uint32_t run = llvm_block_new(e);

    llvm_axes(e);
    llvm_gpu_range(e);
    llvm_line(e, "%%thread = call i64 @slip.invocation()");
    llvm_line(e, "%%flat = add i64 %%first, %%thread");
    llvm_line(e, "%%inside = icmp slt i64 %%flat, %%end");
    llvm_branch_if(e, "%inside", run, k->done);
    llvm_block_begin(e, run);
    llvm_gpu_indices(e, "", "%flat");
    llvm_task_body(e, "", llvm_block_new(e));
}

/* ---- strided tasks ---- */

static void bound(llvm_emit *e, const char *dst, uint32_t axis, uint32_t cell, uint32_t offset)
{
    scalar_type type = task_of(e)->axes[axis].type;
    const char *value = llvm_temp(e);

    if (cell == MOD_NONE) {
        llvm_block_load(e, dst, "i64", 16 * axis + offset);
        return;
    }
    cell_load(e, value, type, cell);
    llvm_convert(e, dst, scalar_types[type].is_signed ? SCALAR_i64 : SCALAR_u64, type, value);
}

/* %lo<k> and %n<k>: max(hi - lo, 0) of an axis with a bound in a cell, else what the block says. */
static void bounds(llvm_emit *e)
{
    for (uint32_t k = 0; k < task_of(e)->rank; k++) {
        const mod_axis *a = &task_of(e)->axes[k];
        bool in_cell = a->lo_cell != MOD_NONE || a->hi_cell != MOD_NONE;
        const char *hi = in_cell ? llvm_name(e, "%%hi%u", k) : llvm_name(e, "%%n%u", k);
        bound(e, llvm_name(e, "%%lo%u", k), k, a->lo_cell, 0);
        bound(e, hi, k, a->hi_cell, 8);
        if (!in_cell)
            continue;
        const char *some = llvm_temp(e), *wide = llvm_temp(e);
        llvm_line(e, "%s = icmp %s i64 %%lo%u, %%hi%u", some,
                  scalar_types[a->type].is_signed ? "slt" : "ult", k, k);
        llvm_line(e, "%s = sub i64 %%hi%u, %%lo%u", wide, k, k);
        llvm_line(e, "%%n%u = select i1 %s, i64 %s, i64 0", k, some, wide);
    }
    llvm_line(e, "%%total0 = add i64 %%n0, 0");
    for (uint32_t k = 1; k < task_of(e)->rank; k++)
        llvm_line(e, "%%total%u = mul i64 %%total%u, %%n%u", k, k - 1, k);
}

/* A number of iterations as coordinates %<stem><axis>, by divisions: no count is 0 here. */
static void split(llvm_emit *e, const char *stem, const char *flat)
{
    char left[LLVM_NAME];

    llvm_keep(left, flat);
    for (uint32_t k = task_of(e)->rank; k-- > 1;) {
        const char *q = llvm_temp(e), *product = llvm_temp(e);
        llvm_line(e, "%s = udiv i64 %s, %%n%u", q, left, k);
        llvm_line(e, "%s = mul i64 %s, %%n%u", product, q, k);
        llvm_line(e, "%%%s%u = sub i64 %s, %s", stem, k, left, product);
        llvm_keep(left, q);
    }
    llvm_line(e, "%%%s0 = add i64 %s, 0", stem, left);
}

/* All coordinates by their steps, with a carry where one has come past its count. */
static void advance(llvm_emit *e)
{
    char carry[LLVM_NAME] = "0";

    for (uint32_t k = task_of(e)->rank; k-- > 0;) {
        const char *next = llvm_temp(e), *sum = llvm_temp(e);
        llvm_line(e, "%s = add i64 %%c%u, %%step%u", next, k, k);
        llvm_line(e, "%s = add i64 %s, %s", sum, next, carry);
        if (k == 0) {
            llvm_line(e, "%%c0.next = add i64 %s, 0", sum);
            continue;
        }
        const char *past = llvm_temp(e), *less = llvm_temp(e);
        llvm_line(e, "%s = icmp uge i64 %s, %%n%u", past, sum, k);
        llvm_line(e, "%s = sub i64 %s, %%n%u", less, sum, k);
        llvm_line(e, "%%c%u.next = select i1 %s, i64 %s, i64 %s", k, past, less, sum);
        llvm_keep(carry, llvm_temp(e));
        llvm_line(e, "%s = zext i1 %s to i64", carry, past);
    }
}

static void strided(llvm_emit *e, llvm_gpu_kernel *k)
{
    uint32_t rank = task_of(e)->rank, enter = llvm_block_new(e), head = llvm_block_new(e),
             body = llvm_block_new(e), latch = llvm_block_new(e);

    bounds(e);
    llvm_line(e, "%%thread = call i64 @slip.invocation()");
    llvm_line(e, "%%some = icmp slt i64 %%thread, %%total%u", rank - 1);
    llvm_branch_if(e, "%some", enter, k->done);
    llvm_block_begin(e, enter);
    llvm_line(e, "%%grid = call i64 @slip.grid()");
    split(e, "at", "%thread");
    split(e, "step", "%grid");
    llvm_block_begin(e, head);
    llvm_line(e, "%%walked = phi i64 [ %%thread, %%x%u ], [ %%walked.next, %%x%u ]", enter, latch);
    for (uint32_t a = 0; a < rank; a++)
        llvm_line(e, "%%c%u = phi i64 [ %%at%u, %%x%u ], [ %%c%u.next, %%x%u ]", a, a, enter, a,
                  latch);
    llvm_line(e, "%%more = icmp slt i64 %%walked, %%total%u", rank - 1);
    llvm_branch_if(e, "%more", body, k->done);
    llvm_block_begin(e, body);
    indices(e, "");
    llvm_task_body(e, "", latch);
    advance(e);
    llvm_line(e, "%%walked.next = add i64 %%walked, %%grid");
    llvm_branch(e, head);
}

void llvm_gpu_task(llvm_emit *e, const ir_func *f, const mod_shader *shader, uint32_t number)
{
    llvm_gpu_kernel k = { .shader = shader, .number = number };

    llvm_gpu_begin(e, &k, f);
    if (e->status != SLIP_OK)
        return;
    if (f->task->task->rank == 0)
        llvm_task_body(e, "", llvm_block_new(e));
    else if (shader->strided)
        strided(e, &k);
    else
        plain(e, &k);
    llvm_gpu_end(e, &k);
}
