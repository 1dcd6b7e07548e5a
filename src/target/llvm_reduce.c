/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_reduce.c - reductions by the fixed tree of LANGUAGE rule 7.
 *
 * Iteration k is in block k / 1024, lane k % 64; a lane folds its parts in rising k; lanes are
 * halved. As many whole parts (64 iterations of one row that start at lane 0) as there are take the
 * fast way (llvm_parts.c). The rest, fewer than 64 at each end of a row, folds into lanes in memory
 * one by one. Both give the same bits. Must never reassociate within a lane.
 */
#include "target/llvm_parts.h"
#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES };

const mod_task *llvm_reduce_task(const llvm_emit *e)
{
    return e->func->task->task;
}

/* ---- in the body ---- */

static bool repeats(const ir_op *op)
{
    for (const ir_region *r = op->parent; r && r->owner; r = r->owner->parent)
        if (r->owner->code == IR_loop || r->owner->code == IR_update)
            return true;
    return false;
}

void llvm_reduce_op(llvm_emit *e, const ir_op *op)
{
    if (e->func->kind != IR_TASK || op->index >= llvm_reduce_task(e)->reduce_count) {
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "reduction %u does not exist in %s", op->index,
                                  e->func->name);
        return;
    }
    llvm_folding f = llvm_folding_of(&llvm_reduce_task(e)->reduces[op->index]);
    const char *part = llvm_name(e, "%%%spart%u", e->prefix, op->index);
    const char *value = llvm_value(e, op->in[0]), *type = llvm_scalar_name(f.type);

    if (op->in[0]->type->scalar == SCALAR_bool) {
        const char *byte = llvm_temp(e);
        llvm_line(e, "%s = zext i1 %s to i8", byte, value);
        value = byte;
    }
    if (e->reduce_uses[op->index] != 1 || repeats(op)) {
        const char *old = llvm_temp(e), *joined = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %s", old, type, part);
        llvm_fold_line(e, joined, f, 1, old, value);
        value = joined;
    }
    llvm_line(e, "store %s %s, ptr %s", type, value, part);
}

static bool count_use(ir_op *op, void *user)
{
    llvm_emit *e = user;

    if (op->code == IR_reduce && op->index < llvm_reduce_task(e)->reduce_count)
        e->reduce_uses[op->index]++;
    return true;
}

void llvm_parts_new(llvm_emit *e, const char *prefix)
{
    e->reduce_uses = arena_new(e->arena, sizeof(uint32_t) * llvm_reduce_task(e)->reduce_count);
    ir_walk(e->func->body, count_use, e);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_alloca(e, llvm_name(e, "%%%spart%u", prefix, r),
                    llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type), 0);
}

void llvm_parts_reset(llvm_emit *e, const char *prefix)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const mod_reduce *row = &llvm_reduce_task(e)->reduces[r];
        llvm_line(e, "store %s %s, ptr %%%spart%u", llvm_scalar_name(llvm_folding_of(row).type),
                  llvm_fold_identity(e, llvm_folding_of(row)), prefix, r);
    }
}

/* ---- lanes in memory: %lanes<r> ---- */

static void lanes_new(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_entry_line(e, "%%lanes%u = alloca [%d x %s], align 64", r, LANES,
                        llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type));
}

static void lanes_reset(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const mod_reduce *row = &llvm_reduce_task(e)->reduces[r];
        const char *type = llvm_scalar_name(llvm_folding_of(row).type);
        llvm_line(e, "store <%d x %s> splat (%s %s), ptr %%lanes%u, align 64", LANES, type, type,
                  llvm_fold_identity(e, llvm_folding_of(row)), r);
    }
}

/* lanes[lane] = lanes[lane] op value */
static void lane_fold(llvm_emit *e, uint32_t r, const char *lane, const char *value,
                      const char *suffix)
{
    llvm_folding f = llvm_folding_of(&llvm_reduce_task(e)->reduces[r]);
    const char *type = llvm_scalar_name(f.type);
    const char *ptr = llvm_temp(e), *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %s", ptr, type, r, lane);
    llvm_line(e, "%s = load %s, ptr %s%s", old, type, ptr, suffix);
    llvm_fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s%s", type, joined, ptr, suffix);
}

/* partials[block * count + r] = value */
void llvm_store_partial(llvm_emit *e, uint32_t r, const char *block, const char *value)
{
    const char *type = llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type);
    const char *slot = llvm_temp(e), *place = llvm_temp(e), *ptr = llvm_temp(e);

    llvm_line(e, "%s = mul i64 %s, %u", slot, block, 8 * llvm_reduce_task(e)->reduce_count);
    llvm_line(e, "%s = add i64 %s, %u", place, slot, 8 * r);
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %s", ptr, place);
    llvm_line(e, "store %s %s, ptr %s, align 8", type, value, ptr);
}

void llvm_store_lanes(llvm_emit *e, const char *block)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        char total[LLVM_NAME];
        llvm_keep(total, llvm_temp(e));
        llvm_fold_lanes(e, total, llvm_folding_of(&llvm_reduce_task(e)->reduces[r]),
                        llvm_name(e, "%%lanes%u", r));
        llvm_store_partial(e, r, block, total);
    }
}

/* ---- a piece of a block, at most up to the next 64 iterations or the row's end ---- */

/* Lane of an iteration of the slow way: the lane of the piece's start and what was walked since. */
static void fold_slow(llvm_emit *e, const char *prefix)
{
    uint32_t axis = llvm_reduce_task(e)->rank - 1;
    scalar_type type = llvm_reduce_task(e)->axes[axis].type;
    const char *wide = llvm_name(e, "%%%si%u", prefix, axis);
    char lane[LLVM_NAME]; /* outlives the ring of names where many are reduced */

    llvm_keep(lane, llvm_temp(e));

    if (scalar_types[type].bytes != 8) {
        wide = llvm_temp(e);
        llvm_line(e, "%s = %s %s %%%si%u to i64", wide,
                  scalar_types[type].is_signed ? "sext" : "zext", llvm_scalar_name(type), prefix,
                  axis);
    }
    llvm_line(e, "%s = add i64 %s, %%s.shift", lane, wide);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *part = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%%spart%u", part,
                  llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type), prefix,
                  r);
        lane_fold(e, r, lane, part, LLVM_SHARED);
    }
    llvm_parts_reset(e, prefix);
}

static void slow_way(llvm_emit *e, uint32_t latch)
{
    uint32_t axis = llvm_reduce_task(e)->rank - 1;
    uint32_t fresh = llvm_block_new(e), go = llvm_block_new(e), ends = llvm_block_new(e);
    const char *base = llvm_temp(e);

    llvm_branch_if(e, "%at.block", fresh, go);
    llvm_block_begin(e, fresh);
    lanes_reset(e);
    llvm_block_begin(e, go);
    /* lane = index + shift, for every index of the piece */
    llvm_line(e, "%s = add i64 %%lo%u, %%col", base, axis);
    llvm_line(e, "%%s.shift = sub i64 %%lane.first, %s", base);
    llvm_outer_indices(e, "s.");
    llvm_parts_reset(e, "s.");
    llvm_row_loop(e, "s.", "%col", "%walked", fold_slow);
    llvm_branch_if(e, "%block.ends", ends, latch);
    llvm_block_begin(e, ends);
    llvm_store_lanes(e, "%block.index");
    llvm_branch(e, latch);
}

/* ---- the two entry points ---- */

/* What the next step of the walk takes: whole parts, or what is left of a part, of the row or of
 * the range. */
static void pieces(llvm_emit *e)
{
    static const char *const lines[] = {
        "%place = and i64 %pos, 1023",
        "%at.block = icmp eq i64 %place, 0",
        "%block.index = lshr i64 %pos, 10",
        "%lane.first = and i64 %pos, 63",
        "%aligned = icmp eq i64 %lane.first, 0",
        "%parts.run = lshr i64 %run, 6",
        "%part.first = lshr i64 %place, 6",
        "%parts.block = sub i64 16, %part.first",
        "%f.parts = call i64 @llvm.smin.i64(i64 %parts.run, i64 %parts.block)",
        "%some = icmp sgt i64 %f.parts, 0",
        "%fast = and i1 %aligned, %some",
        "%lanes.left = sub i64 64, %lane.first",
        "%s.run = call i64 @llvm.smin.i64(i64 %run, i64 %lanes.left)",
        "%f.run = shl i64 %f.parts, 6",
        "%walked = select i1 %fast, i64 %f.run, i64 %s.run",
        "%step.end = add i64 %pos, %walked",
        "%past = and i64 %step.end, 1023",
        "%block.full = icmp eq i64 %past, 0",
        "%range.ends = icmp eq i64 %step.end, %last",
        "%block.ends = or i1 %block.full, %range.ends",
    };
    _Static_assert(MOD_REDUCE_BLOCK == 1024 && MOD_REDUCE_LANES == 64,
                   "the lines hold these numbers");

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        llvm_line(e, "%s", lines[k]);
}

bool llvm_reduce_fits(llvm_emit *e)
{
    const mod_task *task = llvm_reduce_task(e);

    if (task->rank == 0 || task->partial_offset == MOD_NONE ||
        task->partial_bytes != 8 * task->reduce_count || e->func->task->cells_param == MOD_NONE ||
        e->func->task->cells_param < task->rank ||
        e->func->task->cells_param >= e->func->param_count) {
        e->status = SLIP_FAIL(
            SLIP_ERR_INTERNAL, "task %u reduces %u values over %u axes with %u bytes of partials",
            e->func->task->index, task->reduce_count, task->rank, task->partial_bytes);
        return false;
    }
    return true;
}

void llvm_reduce_main(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t fast, slow;
    llvm_walk w;

    llvm_func_begin(e, f);
    if (!llvm_reduce_fits(e))
        return;
    llvm_axes(e);
    llvm_task_args(e);
    llvm_block_pointer(e, "%partials", task->partial_offset);
    lanes_new(e);
    llvm_parts_new(e, "f.");
    llvm_parts_new(e, "s.");

    llvm_walk_begin(e, &w);
    fast = llvm_block_new(e);
    slow = llvm_block_new(e);
    pieces(e);
    llvm_branch_if(e, "%fast", fast, slow);
    llvm_block_begin(e, fast);
    llvm_whole_parts(e, w.latch);
    llvm_block_begin(e, slow);
    slow_way(e, w.latch);
    llvm_block_begin(e, w.latch);
    llvm_walk_end(e, &w, "%walked");
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "main", f->task->index, e->level, "0"));
}

void llvm_cell_takes(llvm_emit *e, uint32_t r, const char *value)
{
    const mod_reduce *row = &llvm_reduce_task(e)->reduces[r];
    llvm_folding f = llvm_folding_of(row);
    const char *type = llvm_scalar_name(f.type), *cell = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%a%u, i64 %u", cell,
              e->func->task->cells_param, row->cell);
    const char *old = llvm_temp(e), *joined = llvm_temp(e);
    if (row->type == SCALAR_bool) {
        const char *truth = llvm_temp(e), *byte = llvm_temp(e);
        llvm_line(e, "%s = load i8, ptr %s", byte, cell);
        llvm_line(e, "%s = icmp ne i8 %s, 0", truth, byte);
        llvm_line(e, "%s = zext i1 %s to i8", old, truth);
    } else {
        llvm_line(e, "%s = load %s, ptr %s, align %u", old, type, cell, scalar_types[f.type].bytes);
    }
    llvm_fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s, align %u", type, joined, cell, scalar_types[f.type].bytes);
}

/* cell = cell op what is left of reduction r's block results */
static void finish_cell(llvm_emit *e, uint32_t r)
{
    const char *ptr = llvm_temp(e);
    char value[LLVM_NAME];

    llvm_keep(value, llvm_temp(e));
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %u", ptr, 8 * r);
    llvm_fold_levels(e, value, llvm_folding_of(&llvm_reduce_task(e)->reduces[r]), ptr,
                     8 * llvm_reduce_task(e)->reduce_count);
    llvm_cell_takes(e, r, value);
}

void llvm_finish_call(llvm_emit *e, ir_finish which)
{
    const ir_finish_call *part = &e->func->task->calls[which];
    text call = { 0 };

    if (!part->func)
        return;
    text_add(&call, "call fastcc void %s(", llvm_quoted(e, "helper.", part->func->name));
    for (uint32_t k = 0; k < part->arg_count; k++) {
        uint32_t at = llvm_reduce_task(e)->rank + part->args[k];
        text_add(&call, "%s%s %%a%u", k ? ", " : "", llvm_type_name(e->func->params[at].op->type),
                 at);
    }
    llvm_line(e, "%s)", text_get(&call));
    if (call.status != SLIP_OK && e->status == SLIP_OK)
        e->status = call.status;
    text_finish(&call);
}

void llvm_reduce_finish(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t start, done;

    if (e->status != SLIP_OK)
        return;
    llvm_func_begin(e, f);
    start = llvm_block_new(e);
    done = llvm_block_new(e);
    llvm_task_args(e);
    llvm_block_pointer(e, "%partials", task->partial_offset);
    llvm_finish_call(e, IR_FINISH_HEAD);
    llvm_line(e, "%%any = icmp sgt i64 %%last, 0");
    llvm_branch_if(e, "%any", start, done);
    llvm_block_begin(e, start);
    for (uint32_t r = 0; r < task->reduce_count; r++)
        finish_cell(e, r);
    llvm_branch(e, done);
    llvm_block_begin(e, done);
    llvm_finish_call(e, IR_FINISH_TAIL);
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "finish", f->task->index, "", "2"));
}
