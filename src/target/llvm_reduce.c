/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_reduce.c - reductions by the fixed tree of LANGUAGE rule 7.
 *
 * Iteration k is in block k / 1024, lane k % 64; a lane folds its parts in rising k; lanes are
 * halved. A block that lies in one row takes the fast way: groups of lanes in vector registers,
 * sixteen parts each. Other pieces fold into lanes in memory. Both give the same bits, on every
 * target. Must never reassociate within a lane.
 */
#include "target/llvm_walk.h"

#include <inttypes.h>

enum { LANES = MOD_REDUCE_LANES, PARTS = MOD_REDUCE_BLOCK / MOD_REDUCE_LANES };

typedef struct folding {
    scalar_op op;
    scalar_type type; /* bool is folded as u8, 0 or 1 */
} folding;

static folding folding_of(const mod_reduce *r)
{
    if (r->type != SCALAR_bool)
        return (folding){ r->op, r->type };
    if (r->op == SCALAR_OP_mul || r->op == SCALAR_OP_min)
        return (folding){ SCALAR_OP_and, SCALAR_u8 };
    if (r->op == SCALAR_OP_add || r->op == SCALAR_OP_max)
        return (folding){ SCALAR_OP_or, SCALAR_u8 };
    return (folding){ r->op, SCALAR_u8 };
}

static const mod_task *task_of(const llvm_emit *e)
{
    return e->func->task->task;
}

static const char *identity(llvm_emit *e, const mod_reduce *r)
{
    folding f = folding_of(r);

    if (r->type == SCALAR_bool)
        return f.op == SCALAR_OP_and ? "1" : "0";
    return llvm_const(e, f.type, llvm_identity(f.op, f.type));
}

/* dst = a op b; lanes may be 1. */
static void fold_line(llvm_emit *e, const char *dst, folding f, uint32_t lanes, const char *a,
                      const char *b)
{
    llvm_scalar(e, dst, (llvm_scalar_op){ f.op, f.type, f.type, lanes }, a, b, NULL);
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
    if (e->func->kind != IR_TASK || op->index >= task_of(e)->reduce_count) {
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "reduction %u does not exist in %s",
                                  op->index, e->func->name);
        return;
    }
    folding f = folding_of(&task_of(e)->reduces[op->index]);
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
        fold_line(e, joined, f, 1, old, value);
        value = joined;
    }
    llvm_line(e, "store %s %s, ptr %s", type, value, part);
}

static bool count_use(ir_op *op, void *user)
{
    llvm_emit *e = user;

    if (op->code == IR_reduce && op->index < task_of(e)->reduce_count)
        e->reduce_uses[op->index]++;
    return true;
}

static void parts_new(llvm_emit *e, const char *prefix)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%%spart%u = alloca %s", prefix, r,
                        llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type));
}

static void parts_reset(llvm_emit *e, const char *prefix)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const mod_reduce *row = &task_of(e)->reduces[r];
        llvm_line(e, "store %s %s, ptr %%%spart%u", llvm_scalar_name(folding_of(row).type),
                  identity(e, row), prefix, r);
    }
}

/* ---- lanes in memory: %lanes<r> ---- */

static void lanes_new(llvm_emit *e)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%lanes%u = alloca [%d x %s], align 64", r, LANES,
                        llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type));
}

static void lanes_reset(llvm_emit *e)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const mod_reduce *row = &task_of(e)->reduces[r];
        const char *type = llvm_scalar_name(folding_of(row).type);
        llvm_line(e, "store <%d x %s> splat (%s %s), ptr %%lanes%u, align 64", LANES, type, type,
                  identity(e, row), r);
    }
}

/* lanes[lane] = lanes[lane] op value */
static void lane_fold(llvm_emit *e, uint32_t r, const char *lane, const char *value,
                      const char *suffix)
{
    folding f = folding_of(&task_of(e)->reduces[r]);
    const char *type = llvm_scalar_name(f.type);
    const char *ptr = llvm_temp(e), *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %s", ptr, type, r, lane);
    llvm_line(e, "%s = load %s, ptr %s%s", old, type, ptr, suffix);
    fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s%s", type, joined, ptr, suffix);
}

/* dst = the halving of the 64 lanes in vector `from`. */
static void halve(llvm_emit *e, const char *dst, folding f, const char *from)
{
    char now[LLVM_NAME];
    const char *type = llvm_scalar_name(f.type);

    llvm_keep(now, from);
    for (uint32_t half = LANES / 2; half >= 1; half /= 2) {
        const char *low = llvm_temp(e), *high = llvm_temp(e), *next = llvm_temp(e);
        if (half == 1) {
            llvm_line(e, "%s = extractelement <2 x %s> %s, i64 0", low, type, now);
            llvm_line(e, "%s = extractelement <2 x %s> %s, i64 1", high, type, now);
            fold_line(e, dst, f, 1, low, high);
            return;
        }
        for (uint32_t side = 0; side < 2; side++) {
            text_add(&e->body, "  %s = shufflevector <%u x %s> %s, <%u x %s> poison, <%u x i32> <",
                     side ? high : low, 2 * half, type, now, 2 * half, type, half);
            for (uint32_t k = 0; k < half; k++)
                text_add(&e->body, "%si32 %u", k ? ", " : "", side * half + k);
            text_add(&e->body, ">\n");
        }
        fold_line(e, next, f, half, low, high);
        llvm_keep(now, next);
    }
}

/* partials[index * count + r] = the fold of vector `from`. */
static void store_partial(llvm_emit *e, uint32_t r, const char *index, const char *from)
{
    folding f = folding_of(&task_of(e)->reduces[r]);
    const char *total = llvm_temp(e), *slot = llvm_temp(e), *ptr = llvm_temp(e);
    char kept[LLVM_NAME], kept_ptr[LLVM_NAME];

    llvm_line(e, "%s = mul i64 %s, %u", slot, index, task_of(e)->reduce_count);
    llvm_line(e, "%s = getelementptr inbounds [8 x i8], ptr %%partials, i64 %s", ptr, slot);
    llvm_keep(kept, total);
    llvm_keep(kept_ptr, llvm_temp(e));
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %s, i64 %u", kept_ptr, ptr, 8 * r);
    halve(e, kept, f, from);
    llvm_line(e, "store %s %s, ptr %s, align 8", llvm_scalar_name(f.type), kept, kept_ptr);
}

static void store_lanes(llvm_emit *e, const char *index)
{
    char kept[LLVM_NAME];

    llvm_keep(kept, index);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *all = llvm_temp(e);
        llvm_line(e, "%s = load <%d x %s>, ptr %%lanes%u, align 64", all, LANES,
                  llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type), r);
        store_partial(e, r, kept, all);
    }
}

/* ---- a piece of a block, at most up to the next 64 iterations or the row's end ---- */

/* Lane of an iteration of the slow way: the lane of the piece's start and what was walked since. */
static void fold_slow(llvm_emit *e, const char *prefix)
{
    uint32_t axis = task_of(e)->rank - 1;
    scalar_type type = task_of(e)->axes[axis].type;
    const char *lane = llvm_temp(e), *wide = llvm_name(e, "%%%si%u", prefix, axis);

    if (scalar_types[type].bytes != 8) {
        wide = llvm_temp(e);
        llvm_line(e, "%s = %s %s %%%si%u to i64", wide,
                  scalar_types[type].is_signed ? "sext" : "zext", llvm_scalar_name(type), prefix,
                  axis);
    }
    llvm_line(e, "%s = add i64 %s, %%s.shift", lane, wide);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *part = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%%spart%u", part,
                  llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type), prefix, r);
        lane_fold(e, r, lane, part, LLVM_SHARED);
    }
    parts_reset(e, prefix);
}

static void slow_way(llvm_emit *e, uint32_t latch)
{
    uint32_t axis = task_of(e)->rank - 1;
    uint32_t fresh = llvm_block_new(e), go = llvm_block_new(e), ends = llvm_block_new(e);
    const char *base = llvm_temp(e), *over = llvm_temp(e);
    const char *full = llvm_temp(e), *last = llvm_temp(e), *block = llvm_temp(e);

    llvm_branch_if(e, "%at.block", fresh, go);
    llvm_block_begin(e, fresh);
    lanes_reset(e);
    llvm_block_begin(e, go);
    /* lane = index + shift, for every index of the piece */
    llvm_line(e, "%s = add i64 %%lo%u, %%col", base, axis);
    llvm_line(e, "%%s.shift = sub i64 %%s.lane, %s", base);
    llvm_line(e, "%%s.end = add i64 %%pos, %%s.run");
    llvm_line(e, "%s = and i64 %%s.end, %d", over, MOD_REDUCE_BLOCK - 1);
    llvm_line(e, "%s = icmp eq i64 %s, 0", full, over);
    llvm_line(e, "%s = icmp eq i64 %%s.end, %%last", last);
    llvm_line(e, "%%s.ends = or i1 %s, %s", full, last);
    llvm_line(e, "%s = lshr i64 %%pos, 10", block);
    llvm_line(e, "%%s.block = add i64 %s, 0", block);
    llvm_outer_indices(e, "s.");
    parts_reset(e, "s.");
    llvm_row_loop(e, "s.", "%col", "%s.run", fold_slow);
    llvm_branch_if(e, "%s.ends", ends, latch);
    llvm_block_begin(e, ends);
    store_lanes(e, "%s.block");
    llvm_branch(e, latch);
}

/* ---- a whole block in one row ---- */

static uint32_t group_lanes(const llvm_emit *e)
{
    uint32_t bytes = 0, lanes = LANES;

    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        bytes += scalar_types[folding_of(&task_of(e)->reduces[r]).type].bytes;
    while (lanes > 8 && lanes * bytes > e->row->accumulator_bytes)
        lanes /= 2;
    return lanes;
}

/* The lanes of one part: their values side by side in %f.values<r>. A loop of constant length. */
static void lane_loop(llvm_emit *e, uint32_t group)
{
    uint32_t axis = task_of(e)->rank - 1;
    scalar_type type = task_of(e)->axes[axis].type;
    bool is_signed = scalar_types[type].is_signed;
    const char *name = llvm_scalar_name(type);
    uint32_t before = e->at_block, head = llvm_block_new(e), body = llvm_block_new(e),
             end = llvm_block_new(e), done = llvm_block_new(e);

    llvm_block_begin(e, head);
    llvm_line(e, "%%f.lane = phi i64 [ 0, %s ], [ %%f.lane.next, %%x%u ]",
              llvm_block_label(e, before), end);
    llvm_line(e, "%%f.more = icmp ult i64 %%f.lane, %u", group);
    llvm_branch_if(e, "%f.more", body, done);
    llvm_block_begin(e, body);
    if (scalar_types[type].bytes == 8)
        llvm_line(e, "%%f.step = add i64 %%f.lane, 0");
    else
        llvm_line(e, "%%f.step = trunc i64 %%f.lane to %s", name);
    llvm_line(e, "%%f.i%u = add %s %s %%f.start, %%f.step", axis, is_signed ? "nsw" : "nuw", name);
    parts_reset(e, "f.");
    llvm_task_body(e, "f.", end);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *held = llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type);
        const char *part = llvm_temp(e), *ptr = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%f.part%u", part, held, r);
        llvm_line(e, "%s = getelementptr inbounds %s, ptr %%f.values%u, i64 %%f.lane", ptr, held, r);
        llvm_line(e, "store %s %s, ptr %s" LLVM_SHARED, held, part, ptr);
    }
    llvm_line(e, "%%f.lane.next = add nuw nsw i64 %%f.lane, 1");
    llvm_line(e, "br label %%x%u%s", head, llvm_loop_note(e));
    e->open = false;
    llvm_block_begin(e, done);
}

/* for (part = 0; part < 16; part++) sums = sums op values; leaves %f.sums<r>. */
static void part_loop(llvm_emit *e, uint32_t group)
{
    uint32_t axis = task_of(e)->rank - 1, before = e->at_block;
    uint32_t head = llvm_block_new(e), body = llvm_block_new(e), latch = llvm_block_new(e),
             done = llvm_block_new(e);
    const char *more = llvm_temp(e), *offset = llvm_temp(e), *near = llvm_temp(e);

    llvm_block_begin(e, head);
    llvm_line(e, "%%f.part = phi i64 [ 0, %s ], [ %%f.part.next, %%x%u ]",
              llvm_block_label(e, before), latch);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const mod_reduce *row = &task_of(e)->reduces[r];
        const char *type = llvm_scalar_name(folding_of(row).type);
        llvm_line(e, "%%f.sums%u = phi <%u x %s> [ splat (%s %s), %s ], [ %%f.next%u, %%x%u ]", r,
                  group, type, type, identity(e, row), llvm_block_label(e, before), r, latch);
    }
    llvm_line(e, "%s = icmp ult i64 %%f.part, %d", more, PARTS);
    llvm_branch_if(e, more, body, done);
    llvm_block_begin(e, body);
    llvm_line(e, "%s = mul i64 %%f.part, %d", offset, LANES);
    llvm_line(e, "%s = add i64 %s, %%f.group", near, offset);
    llvm_line(e, "%%f.col = add i64 %%col, %s", near);
    llvm_index_at(e, "%f.start", axis, "%f.col");
    lane_loop(e, group);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        folding f = folding_of(&task_of(e)->reduces[r]);
        const char *values = llvm_temp(e);
        llvm_line(e, "%s = load <%u x %s>, ptr %%f.values%u, align 64", values, group,
                  llvm_scalar_name(f.type), r);
        fold_line(e, llvm_name(e, "%%f.next%u", r), f, group, llvm_name(e, "%%f.sums%u", r),
                  values);
    }
    llvm_block_begin(e, latch);
    llvm_line(e, "%%f.part.next = add nuw nsw i64 %%f.part, 1");
    llvm_branch(e, head);
    llvm_block_begin(e, done);
}

static void grouped(llvm_emit *e, uint32_t group)
{
    uint32_t before = e->at_block, head = llvm_block_new(e), body = llvm_block_new(e),
             latch = llvm_block_new(e), done = llvm_block_new(e);
    const char *more = llvm_temp(e);

    llvm_block_begin(e, head);
    llvm_line(e, "%%f.group = phi i64 [ 0, %s ], [ %%f.group.next, %%x%u ]",
              llvm_block_label(e, before), latch);
    llvm_line(e, "%s = icmp ult i64 %%f.group, %d", more, LANES);
    llvm_branch_if(e, more, body, done);
    llvm_block_begin(e, body);
    part_loop(e, group);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *type = llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type);
        const char *ptr = llvm_temp(e);
        llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %%f.group", ptr, type, r);
        llvm_line(e, "store <%u x %s> %%f.sums%u, ptr %s, align 8", group, type, r, ptr);
    }
    llvm_block_begin(e, latch);
    llvm_line(e, "%%f.group.next = add nuw nsw i64 %%f.group, %u", group);
    llvm_branch(e, head);
    llvm_block_begin(e, done);
    store_lanes(e, "%f.block");
}

static void fast_way(llvm_emit *e, uint32_t latch)
{
    uint32_t group = group_lanes(e);

    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%f.values%u = alloca [%u x %s], align 64", r, group,
                        llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type));
    llvm_line(e, "%%f.block = lshr i64 %%pos, 10");
    llvm_outer_indices(e, "f.");
    if (group < LANES) {
        grouped(e, group);
    } else {
        llvm_line(e, "%%f.group = add i64 0, 0");
        part_loop(e, group);
        for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
            store_partial(e, r, "%f.block", llvm_name(e, "%%f.sums%u", r));
    }
    llvm_branch(e, latch);
}

/* ---- the two entry points ---- */

/* What the next step of the walk takes: a whole block, or what is left of 64 lanes, row or range. */
static void pieces(llvm_emit *e)
{
    const char *place = llvm_temp(e), *whole = llvm_temp(e), *left = llvm_temp(e);

    llvm_line(e, "%s = and i64 %%pos, %d", place, MOD_REDUCE_BLOCK - 1);
    llvm_line(e, "%%at.block = icmp eq i64 %s, 0", place);
    llvm_line(e, "%s = icmp sge i64 %%run, %d", whole, MOD_REDUCE_BLOCK);
    llvm_line(e, "%%whole.block = and i1 %%at.block, %s", whole);
    llvm_line(e, "%%s.lane = and i64 %%pos, %d", LANES - 1);
    llvm_line(e, "%s = sub i64 %d, %%s.lane", left, LANES);
    llvm_line(e, "%%s.run = call i64 @llvm.smin.i64(i64 %%run, i64 %s)", left);
    llvm_line(e, "%%walked = select i1 %%whole.block, i64 %d, i64 %%s.run", MOD_REDUCE_BLOCK);
}

static bool facts_fit(llvm_emit *e)
{
    const mod_task *task = task_of(e);

    if (task->rank == 0 || task->partial_offset == MOD_NONE ||
        task->partial_bytes != 8 * task->reduce_count || e->func->task->cells_param == MOD_NONE ||
        e->func->task->cells_param < task->rank ||
        e->func->task->cells_param >= e->func->param_count) {
        e->status = SLIP_FAIL(SLIP_ERR_INTERNAL,
                              "task %u reduces %u values over %u axes with %u bytes of partials",
                              e->func->task->index, task->reduce_count, task->rank,
                              task->partial_bytes);
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
    if (!facts_fit(e))
        return;
    e->reduce_uses = arena_new(e->arena, sizeof(uint32_t) * task->reduce_count);
    ir_walk(f->body, count_use, e);
    llvm_axes(e);
    llvm_task_args(e);
    llvm_block_load(e, "%partials", "ptr", task->partial_offset);
    lanes_new(e);
    parts_new(e, "f.");
    parts_new(e, "s.");

    llvm_walk_begin(e, &w);
    fast = llvm_block_new(e);
    slow = llvm_block_new(e);
    pieces(e);
    llvm_branch_if(e, "%whole.block", fast, slow);
    llvm_block_begin(e, fast);
    fast_way(e, w.latch);
    llvm_block_begin(e, slow);
    slow_way(e, w.latch);
    llvm_block_begin(e, w.latch);
    llvm_walk_end(e, &w, "%walked");
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "main", f->task->index));
}

/* lanes[k % 64] op= partials[k] for k in [from, from + 1024) below count: one block of a level. */
static void finish_block(llvm_emit *e, const char *group)
{
    uint32_t before, head = llvm_block_new(e), body = llvm_block_new(e), done = llvm_block_new(e);
    const char *end = llvm_temp(e), *more = llvm_temp(e), *lane = llvm_temp(e);
    const char *slot = llvm_temp(e);

    llvm_line(e, "%%k.first = mul i64 %s, %d", group, MOD_REDUCE_BLOCK);
    llvm_line(e, "%s = add i64 %%k.first, %d", end, MOD_REDUCE_BLOCK);
    llvm_line(e, "%%k.end = call i64 @llvm.smin.i64(i64 %s, i64 %%count)", end);
    lanes_reset(e);
    before = e->at_block;
    llvm_block_begin(e, head);
    llvm_line(e, "%%k = phi i64 [ %%k.first, %s ], [ %%k.next, %%x%u ]",
              llvm_block_label(e, before), body);
    llvm_line(e, "%s = icmp slt i64 %%k, %%k.end", more);
    llvm_branch_if(e, more, body, done);
    llvm_block_begin(e, body);
    llvm_line(e, "%s = and i64 %%k, %d", lane, LANES - 1);
    llvm_line(e, "%s = mul i64 %%k, %u", slot, 8 * task_of(e)->reduce_count);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *at = llvm_temp(e), *ptr = llvm_temp(e), *value = llvm_temp(e);
        llvm_line(e, "%s = add i64 %s, %u", at, slot, 8 * r);
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %s", ptr, at);
        llvm_line(e, "%s = load %s, ptr %s, align 8", value,
                  llvm_scalar_name(folding_of(&task_of(e)->reduces[r]).type), ptr);
        lane_fold(e, r, lane, value, "");
    }
    llvm_line(e, "%%k.next = add nuw nsw i64 %%k, 1");
    llvm_branch(e, head);
    llvm_block_begin(e, done);
    store_lanes(e, group);
}

/* A level turns `count` block results into a thousandth as many, in place: a block is read before its
 * result is written, and lies further on. */
static void finish_levels(llvm_emit *e, uint32_t result)
{
    uint32_t before = e->at_block, level = llvm_block_new(e), groups = llvm_block_new(e),
             body = llvm_block_new(e), next = llvm_block_new(e), latch = llvm_block_new(e),
             enter = llvm_block_new(e);
    const char *rounded = llvm_temp(e), *many = llvm_temp(e), *more = llvm_temp(e);

    llvm_block_begin(e, level);
    llvm_line(e, "%%count = phi i64 [ %%count.first, %s ], [ %%count.next, %%x%u ]",
              llvm_block_label(e, before), latch);
    llvm_line(e, "%s = icmp sgt i64 %%count, 1", many);
    llvm_branch_if(e, many, enter, result);
    llvm_block_begin(e, enter);
    llvm_line(e, "%s = add i64 %%count, %d", rounded, MOD_REDUCE_BLOCK - 1);
    llvm_line(e, "%%count.next = lshr i64 %s, 10", rounded);
    llvm_block_begin(e, groups);
    llvm_line(e, "%%g = phi i64 [ 0, %%x%u ], [ %%g.next, %%x%u ]", enter, next);
    llvm_line(e, "%s = icmp slt i64 %%g, %%count.next", more);
    llvm_branch_if(e, more, body, latch);
    llvm_block_begin(e, body);
    finish_block(e, "%g");
    llvm_block_begin(e, next);
    llvm_line(e, "%%g.next = add nuw nsw i64 %%g, 1");
    llvm_branch(e, groups);
    llvm_block_begin(e, latch);
    llvm_branch(e, level);
}

/* cell = cell op the one block result left */
static void finish_cell(llvm_emit *e, uint32_t r)
{
    const mod_reduce *row = &task_of(e)->reduces[r];
    folding f = folding_of(row);
    const char *type = llvm_scalar_name(f.type), *ptr = llvm_temp(e), *cell = llvm_temp(e);
    const char *value = llvm_temp(e), *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %u", ptr, 8 * r);
    llvm_line(e, "%s = load %s, ptr %s, align 8", value, type, ptr);
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%a%u, i64 %u", cell,
              e->func->task->cells_param, row->cell);
    if (row->type == SCALAR_bool) {
        const char *truth = llvm_temp(e);
        const char *byte = llvm_temp(e);
        llvm_line(e, "%s = load i8, ptr %s", byte, cell);
        llvm_line(e, "%s = icmp ne i8 %s, 0", truth, byte);
        llvm_line(e, "%s = zext i1 %s to i8", old, truth);
    } else {
        llvm_line(e, "%s = load %s, ptr %s, align %u", old, type, cell,
                  scalar_types[f.type].bytes);
    }
    fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s, align %u", type, joined, cell, scalar_types[f.type].bytes);
}

void llvm_reduce_finish(llvm_emit *e, const ir_func *f)
{
    const mod_task *task = f->task->task;
    uint32_t start, result, done;
    const char *any, *rounded;

    if (e->status != SLIP_OK)
        return;
    llvm_func_begin(e, f);
    start = llvm_block_new(e);
    result = llvm_block_new(e);
    done = llvm_block_new(e);
    any = llvm_temp(e);
    rounded = llvm_temp(e);
    llvm_task_args(e);
    llvm_block_load(e, "%partials", "ptr", task->partial_offset);
    lanes_new(e);
    llvm_line(e, "%s = icmp sgt i64 %%last, 0", any);
    llvm_branch_if(e, any, start, done);
    llvm_block_begin(e, start);
    llvm_line(e, "%s = add i64 %%last, %d", rounded, MOD_REDUCE_BLOCK - 1);
    llvm_line(e, "%%count.first = lshr i64 %s, 10", rounded);
    finish_levels(e, result);
    llvm_block_begin(e, result);
    for (uint32_t r = 0; r < task->reduce_count; r++)
        finish_cell(e, r);
    llvm_branch(e, done);
    llvm_block_begin(e, done);
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "finish", f->task->index));
}
