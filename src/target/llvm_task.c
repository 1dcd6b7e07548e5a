/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_task.c - a task's main: the flat range split into rows once, then a loop over each row.
 *
 *     main(block, first, last): iterations first .. last - 1, row-major
 *
 * No iteration divides. The inner loop counts in the index's own type and its bounds are known not
 * to wrap; its note says that iterations do not disturb one another (LANGUAGE rule 2), which is
 * what lets LLVM vectorise without `noalias`.
 */
#include "target/llvm_parts.h"
#include "target/llvm_walk.h"

#include <inttypes.h>

static void load_at(llvm_emit *e, const char *dst, const char *type, uint64_t align,
                    uint32_t offset)
{
    const char *ptr = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%block, i64 %u", ptr, offset);
    llvm_line(e, "%s = load %s, ptr %s, align %" PRIu64 LLVM_FIXED ", !noundef !0", dst, type, ptr,
              align);
}

void llvm_block_load(llvm_emit *e, const char *dst, const char *type, uint32_t offset)
{
    load_at(e, dst, type, 8, offset);
}

void llvm_block_pointer(llvm_emit *e, const char *dst, uint32_t offset)
{
    const char *held = e->gpu ? llvm_temp(e) : dst;

    llvm_block_load(e, held, llvm_global_type(e), offset);
    if (e->gpu)
        llvm_global_cast(e, dst, held);
}

void llvm_task_args(llvm_emit *e)
{
    const mod_task *task = e->func->task->task;

    for (uint32_t k = 0; k < task->arg_count; k++) {
        uint32_t index = task->rank + k;
        const ir_type *type = e->func->params[index].op->type;
        const char *name = llvm_name(e, "%%a%u", index);
        if (type->kind == IR_PTR && type->space == IR_PARAM_SPACE) {
            llvm_line(e, "%s = getelementptr inbounds i8, ptr %%block, i64 %u", name,
                      task->args[k].offset);
        } else if (type->kind == IR_PTR) {
            llvm_block_pointer(e, name, task->args[k].offset);
        } else if (ir_is_scalar(type, SCALAR_bool)) {
            const char *byte = llvm_temp(e);
            load_at(e, byte, "i8", 8, task->args[k].offset);
            llvm_line(e, "%s = icmp ne i8 %s, 0", name, byte);
        } else {
            load_at(e, name, llvm_type_name(type), 8, task->args[k].offset);
        }
    }
}

void llvm_task_body(llvm_emit *e, const char *prefix, uint32_t end)
{
    e->prefix = prefix;
    e->end_block = end;
    llvm_region(e, e->func->body);
    llvm_block_begin(e, end);
    e->end_block = 0;
}

const char *llvm_loop_note(llvm_emit *e, bool wide)
{
    uint32_t n = e->metadata++;

    text_add(&e->meta, "!%u = distinct !{!%u, %s}\n", n, n, wide ? "!2" : "!3, !4");
    return llvm_name(e, ", !llvm.loop !%u", n);
}

void llvm_index_at(llvm_emit *e, const char *dst, uint32_t axis, const char *coordinate)
{
    scalar_type type = e->func->task->task->axes[axis].type;
    const char *sum = e->gpu ? llvm_name(e, "%s.wide", dst) : llvm_temp(e);

    llvm_line(e, "%s = add i64 %%lo%u, %s", sum, axis, coordinate);
    if (scalar_types[type].bytes == 8)
        llvm_line(e, "%s = add i64 %s, 0", dst, sum);
    else
        llvm_line(e, "%s = trunc i64 %s to %s", dst, sum, llvm_scalar_name(type));
}

const char *llvm_wide_index(llvm_emit *e, const ir_op *op)
{
    if (!e->gpu || op->code != IR_param || e->func->kind != IR_TASK ||
        op->index >= e->func->task->task->rank)
        return NULL;
    return llvm_name(e, "%s.wide", llvm_value(e, op));
}

void llvm_outer_indices(llvm_emit *e, const char *prefix)
{
    static const char *const coordinates[MOD_MAX_AXES][2] = { { "", "" },
                                                              { "%row", "" },
                                                              { "%plane", "%row" } };
    uint32_t rank = e->func->task->task->rank;

    for (uint32_t k = 0; k + 1 < rank; k++)
        llvm_index_at(e, llvm_name(e, "%%%si%u", prefix, k), k, coordinates[rank - 1][k]);
}

/* for (i = lo + from; i < lo + from + run; i++) body; in the type of the innermost axis. */
void llvm_row_loop(llvm_emit *e, const char *prefix, const char *from, const char *run,
                   void (*after)(llvm_emit *e, const char *prefix))
{
    uint32_t axis = e->func->task->task->rank - 1;
    scalar_type type = e->func->task->task->axes[axis].type;
    bool is_signed = scalar_types[type].is_signed;
    const char *name = llvm_scalar_name(type), *index = llvm_name(e, "%%%si%u", prefix, axis);
    char start[LLVM_NAME], stop[LLVM_NAME];
    uint32_t head = llvm_block_new(e), body = llvm_block_new(e), latch = llvm_block_new(e),
             done = llvm_block_new(e), before;
    const char *to = llvm_temp(e), *more = llvm_temp(e);

    llvm_keep(start, llvm_temp(e));
    llvm_keep(stop, llvm_temp(e));
    llvm_line(e, "%s = add i64 %s, %s", to, from, run);
    llvm_index_at(e, start, axis, from);
    llvm_index_at(e, stop, axis, to);
    before = e->at_block;
    llvm_block_begin(e, head);
    llvm_line(e, "%s = phi %s [ %s, %s ], [ %%%snext, %%x%u ]", index, name, start,
              llvm_block_label(e, before), prefix, latch);
    llvm_line(e, "%s = icmp %s %s %s, %s", more, is_signed ? "slt" : "ult", name, index, stop);
    llvm_branch_if(e, more, body, done);
    llvm_block_begin(e, body);
    llvm_task_body(e, prefix, latch);
    if (after)
        after(e, prefix);
    llvm_line(e, "%%%snext = add %s %s %%%si%u, 1", prefix, is_signed ? "nsw" : "nuw", name, prefix,
              axis);
    llvm_line(e, "br label %%x%u%s", head, llvm_loop_note(e, after == NULL));
    e->open = false;
    llvm_block_begin(e, done);
}

static void divide(llvm_emit *e, const char *quotient, const char *rest, const char *a,
                   const char *count)
{
    const char *product = llvm_temp(e);

    llvm_line(e, "%s = udiv i64 %s, %s", quotient, a, count);
    llvm_line(e, "%s = mul i64 %s, %s", product, quotient, count);
    llvm_line(e, "%s = sub i64 %s, %s", rest, a, product);
}

void llvm_walk_begin(llvm_emit *e, llvm_walk *w)
{
    uint32_t rank = e->func->task->task->rank, body = llvm_block_new(e);
    const char *more = llvm_temp(e), *left = llvm_temp(e), *room = llvm_temp(e);

    w->head = llvm_block_new(e);
    w->latch = llvm_block_new(e);
    w->done = llvm_block_new(e);
    if (rank == 2)
        divide(e, "%row.first", "%col.first", "%first", "%n1");
    if (rank == 3) {
        divide(e, "%rows.first", "%col.first", "%first", "%n2");
        divide(e, "%plane.first", "%row.first", "%rows.first", "%n1");
    }
    uint32_t before = e->at_block;
    llvm_block_begin(e, w->head);
    llvm_line(e, "%%pos = phi i64 [ %%first, %s ], [ %%pos.next, %%x%u ]",
              llvm_block_label(e, before), w->latch);
    llvm_line(e, "%%col = phi i64 [ %s, %s ], [ %%col.next, %%x%u ]",
              rank == 1 ? "%first" : "%col.first", llvm_block_label(e, before), w->latch);
    if (rank >= 2)
        llvm_line(e, "%%row = phi i64 [ %%row.first, %s ], [ %%row.next, %%x%u ]",
                  llvm_block_label(e, before), w->latch);
    if (rank == 3)
        llvm_line(e, "%%plane = phi i64 [ %%plane.first, %s ], [ %%plane.next, %%x%u ]",
                  llvm_block_label(e, before), w->latch);
    llvm_line(e, "%s = icmp slt i64 %%pos, %%last", more);
    llvm_branch_if(e, more, body, w->done);
    llvm_block_begin(e, body);
    llvm_line(e, "%s = sub i64 %%last, %%pos", left);
    if (rank == 1) {
        llvm_line(e, "%%run = add i64 %s, 0", left);
        return;
    }
    llvm_line(e, "%s = sub i64 %%n%u, %%col", room, rank - 1);
    llvm_line(e, "%%run = call i64 @llvm.smin.i64(i64 %s, i64 %s)", left, room);
}

void llvm_walk_end(llvm_emit *e, llvm_walk *w, const char *run)
{
    uint32_t rank = e->func->task->task->rank;

    llvm_line(e, "%%pos.next = add nsw i64 %%pos, %s", run);
    if (rank == 1) {
        llvm_line(e, "%%col.next = add nsw i64 %%col, %s", run);
    } else {
        llvm_line(e, "%%col.end = add nsw i64 %%col, %s", run);
        llvm_line(e, "%%col.full = icmp eq i64 %%col.end, %%n%u", rank - 1);
        llvm_line(e, "%%col.next = select i1 %%col.full, i64 0, i64 %%col.end");
        llvm_line(e, "%%row.step = zext i1 %%col.full to i64");
        llvm_line(e, "%%row.end = add nsw i64 %%row, %%row.step");
    }
    if (rank == 2)
        llvm_line(e, "%%row.next = add i64 %%row.end, 0");
    if (rank == 3) {
        llvm_line(e, "%%row.full = icmp eq i64 %%row.end, %%n1");
        llvm_line(e, "%%row.next = select i1 %%row.full, i64 0, i64 %%row.end");
        llvm_line(e, "%%plane.step = zext i1 %%row.full to i64");
        llvm_line(e, "%%plane.next = add nsw i64 %%plane, %%plane.step");
    }
    llvm_branch(e, w->head);
    llvm_block_begin(e, w->done);
}

void llvm_axes(llvm_emit *e)
{
    for (uint32_t k = 0; k < e->func->task->task->rank; k++) {
        llvm_block_load(e, llvm_name(e, "%%lo%u", k), "i64", 16 * k);
        if (k) /* the slowest axis' count bounds nothing here */
            llvm_block_load(e, llvm_name(e, "%%n%u", k), "i64", 16 * k + 8);
    }
}

static void rows(llvm_emit *e)
{
    llvm_walk w;

    llvm_walk_begin(e, &w);
    llvm_outer_indices(e, "");
    llvm_row_loop(e, "", "%col", "%run", NULL);
    llvm_block_begin(e, w.latch);
    llvm_walk_end(e, &w, "%run");
}

/* The levels printed for, as bits; with a number of lanes, those that take so many at once. */
static uint32_t levels_with(const llvm_emit *e, const mod_task *task, uint32_t lanes)
{
    uint32_t levels = 0;

    for (uint32_t k = 0; e->rows[k]; k++)
        if (lanes == 0 || llvm_group_lanes(task, e->rows[k]) == lanes)
            levels |= 1u << e->rows[k]->id;
    return levels;
}

/* Once for all levels that take groups of one size. */
static void reduce_mains(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t done = 0, all = levels_with(e, task, 0);

    for (uint32_t k = 0; e->rows[k] && e->status == SLIP_OK; k++) {
        uint32_t alike = levels_with(e, task, llvm_group_lanes(task, e->rows[k]));
        if (alike & done)
            continue;
        done |= alike;
        e->row = e->rows[k];
        e->level = alike == all ? "" : arena_text(e->arena, "%c%u", LLVM_LEVEL_MARK, alike);
        llvm_reduce_main(e, f);
    }
    e->row = e->rows[0];
    e->level = "";
}

static bool well_formed(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;

    if (task->rank > MOD_MAX_AXES || f->param_count != task->rank + task->arg_count)
        e->status =
            SLIP_FAIL(SLIP_ERR_INTERNAL, "task %u has %u parameters for %u axes and %u args",
                      f->task->index, f->param_count, task->rank, task->arg_count);
    return e->status == SLIP_OK;
}

void llvm_task(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t end;

    if (!well_formed(e, f))
        return;
    if (task->reduce_count) {
        reduce_mains(e, f);
        llvm_reduce_finish(e, f);
        return;
    }
    llvm_func_begin(e, f);
    llvm_axes(e);
    llvm_task_args(e);
    if (task->rank == 0) {
        end = llvm_block_new(e);
        llvm_task_body(e, "", end);
    } else if (task->rank == 1) {
        llvm_line(e, "%%run = sub i64 %%last, %%first");
        llvm_row_loop(e, "", "%first", "%run", NULL);
    } else {
        rows(e);
    }
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "main", f->task->index, "", "0"));
}
