/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_reduce.c - reductions by the fixed tree of LANGUAGE rule 7.
 *
 * Iteration k is in block k / 1024, lane k % 64; a lane folds its parts in rising k; lanes are
 * halved. As many whole parts (64 iterations of one row that start at lane 0) as there are take the fast
 * way: groups of lanes in vector registers. The rest, fewer than 64 at each end of a row, folds into
 * lanes in memory one by one. Both give the same bits. Must never reassociate within a lane.
 */
#include "target/llvm_fold.h"
#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES, PARTS = MOD_REDUCE_BLOCK / MOD_REDUCE_LANES };

static const mod_task *task_of(const llvm_emit *e)
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
    if (e->func->kind != IR_TASK || op->index >= task_of(e)->reduce_count) {
        if (e->status == SLIP_OK)
            e->status = SLIP_FAIL(SLIP_ERR_INTERNAL, "reduction %u does not exist in %s",
                                  op->index, e->func->name);
        return;
    }
    llvm_folding f = llvm_folding_of(&task_of(e)->reduces[op->index]);
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

    if (op->code == IR_reduce && op->index < task_of(e)->reduce_count)
        e->reduce_uses[op->index]++;
    return true;
}

static void parts_new(llvm_emit *e, const char *prefix)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%%spart%u = alloca %s", prefix, r,
                        llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type));
}

static void parts_reset(llvm_emit *e, const char *prefix)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const mod_reduce *row = &task_of(e)->reduces[r];
        llvm_line(e, "store %s %s, ptr %%%spart%u", llvm_scalar_name(llvm_folding_of(row).type),
                  llvm_fold_identity(e, llvm_folding_of(row)), prefix, r);
    }
}

/* ---- lanes in memory: %lanes<r> ---- */

static void lanes_new(llvm_emit *e)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%lanes%u = alloca [%d x %s], align 64", r, LANES,
                        llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type));
}

static void lanes_reset(llvm_emit *e)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const mod_reduce *row = &task_of(e)->reduces[r];
        const char *type = llvm_scalar_name(llvm_folding_of(row).type);
        llvm_line(e, "store <%d x %s> splat (%s %s), ptr %%lanes%u, align 64", LANES, type, type,
                  llvm_fold_identity(e, llvm_folding_of(row)), r);
    }
}

/* lanes[lane] = lanes[lane] op value */
static void lane_fold(llvm_emit *e, uint32_t r, const char *lane, const char *value,
                      const char *suffix)
{
    llvm_folding f = llvm_folding_of(&task_of(e)->reduces[r]);
    const char *type = llvm_scalar_name(f.type);
    const char *ptr = llvm_temp(e), *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %s", ptr, type, r, lane);
    llvm_line(e, "%s = load %s, ptr %s%s", old, type, ptr, suffix);
    llvm_fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s%s", type, joined, ptr, suffix);
}

/* partials[block * count + r] = value */
static void store_partial(llvm_emit *e, uint32_t r, const char *block, const char *value)
{
    const char *type = llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type);
    const char *slot = llvm_temp(e), *place = llvm_temp(e), *ptr = llvm_temp(e);

    llvm_line(e, "%s = mul i64 %s, %u", slot, block, 8 * task_of(e)->reduce_count);
    llvm_line(e, "%s = add i64 %s, %u", place, slot, 8 * r);
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %s", ptr, place);
    llvm_line(e, "store %s %s, ptr %s, align 8", type, value, ptr);
}

static void store_lanes(llvm_emit *e, const char *block)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        char total[LLVM_NAME];
        llvm_keep(total, llvm_temp(e));
        llvm_fold_lanes(e, total, llvm_folding_of(&task_of(e)->reduces[r]),
                        llvm_name(e, "%%lanes%u", r));
        store_partial(e, r, block, total);
    }
}

/* ---- a piece of a block, at most up to the next 64 iterations or the row's end ---- */

/* Lane of an iteration of the slow way: the lane of the piece's start and what was walked since. */
static void fold_slow(llvm_emit *e, const char *prefix)
{
    uint32_t axis = task_of(e)->rank - 1;
    scalar_type type = task_of(e)->axes[axis].type;
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
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *part = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%%spart%u", part,
                  llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type), prefix, r);
        lane_fold(e, r, lane, part, LLVM_SHARED);
    }
    parts_reset(e, prefix);
}

static void slow_way(llvm_emit *e, uint32_t latch)
{
    uint32_t axis = task_of(e)->rank - 1;
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
    parts_reset(e, "s.");
    llvm_row_loop(e, "s.", "%col", "%walked", fold_slow);
    llvm_branch_if(e, "%block.ends", ends, latch);
    llvm_block_begin(e, ends);
    store_lanes(e, "%block.index");
    llvm_branch(e, latch);
}

/* ---- whole parts ---- */

static uint32_t group_lanes(const llvm_emit *e)
{
    uint32_t bytes = 0, lanes = LANES;

    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        bytes += scalar_types[llvm_folding_of(&task_of(e)->reduces[r]).type].bytes;
    while (lanes > 8 && lanes * bytes > e->row->accumulator_bytes)
        lanes /= 2;
    return lanes;
}

/* The lanes of one part: their values side by side in %f.values<r>. A loop of constant length, counted in
 * the index's own type, so that LLVM sees that the index does not wrap. */
static void lane_loop(llvm_emit *e, uint32_t group)
{
    uint32_t axis = task_of(e)->rank - 1;
    scalar_type type = task_of(e)->axes[axis].type;
    bool is_signed = scalar_types[type].is_signed;
    const char *name = llvm_scalar_name(type);
    uint32_t before = e->at_block, body = llvm_block_new(e), end = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, body);
    llvm_line(e, "%%f.lane = phi i64 [ 0, %s ], [ %%f.lane.next, %%x%u ]",
              llvm_block_label(e, before), end);
    llvm_line(e, "%%f.i%u = phi %s [ %%f.start, %s ], [ %%f.i.next, %%x%u ]", axis, name,
              llvm_block_label(e, before), end);
    parts_reset(e, "f.");
    llvm_task_body(e, "f.", end);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        const char *held = llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type);
        const char *part = llvm_temp(e), *ptr = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%f.part%u", part, held, r);
        llvm_line(e, "%s = getelementptr inbounds %s, ptr %%f.values%u, i64 %%f.lane", ptr, held, r);
        llvm_line(e, "store %s %s, ptr %s" LLVM_SHARED, held, part, ptr);
    }
    llvm_line(e, "%%f.i.next = add %s %s %%f.i%u, 1", is_signed ? "nsw" : "nuw", name, axis);
    llvm_line(e, "%%f.lane.next = add nuw nsw i64 %%f.lane, 1");
    llvm_line(e, "%%f.more = icmp ult i64 %%f.lane.next, %u", group);
    llvm_line(e, "br i1 %%f.more, label %%x%u, label %%x%u%s", body, done, llvm_loop_note(e, true));
    e->open = false;
    llvm_block_begin(e, done);
}

/* Prints `format` with (r, p) of every vector of a group; a name for one is <stem><r>.<p>. */
typedef void (*piece_line)(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p);

/* Lanes of one piece: a register's, or all of a group that is narrower than one. */
static uint32_t piece_width(const llvm_emit *e, llvm_folding f)
{
    uint32_t width = llvm_fold_width(e, f);

    return width < e->group ? width : e->group;
}

static void each_piece(llvm_emit *e, uint32_t group, piece_line line)
{
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        llvm_folding f = llvm_folding_of(&task_of(e)->reduces[r]);
        for (uint32_t p = 0; p < group / piece_width(e, f); p++)
            line(e, f, r, p);
    }
}

static const char *piece_type(llvm_emit *e, llvm_folding f)
{
    return llvm_lanes_name(e, f.type, piece_width(e, f));
}

/* The place of a piece of the group at %f.group in the lanes in memory. */
static const char *piece_in_lanes(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    const char *lane = llvm_temp(e), *ptr = llvm_temp(e);

    llvm_line(e, "%s = add i64 %%f.group, %u", lane, p * piece_width(e, f));
    llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %s", ptr,
              llvm_scalar_name(f.type), r, lane);
    return ptr;
}

static void piece_load(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    const char *ptr = piece_in_lanes(e, f, r, p);

    llvm_line(e, "%%f.kept%u.%u = load %s, ptr %s, align 8", r, p, piece_type(e, f), ptr);
}

static void piece_store(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    const char *ptr = piece_in_lanes(e, f, r, p);

    llvm_line(e, "store %s %%f.last%u.%u, ptr %s, align 8", piece_type(e, f), r, p, ptr);
}

static void piece_start(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    llvm_line(e, "%%f.init%u.%u = phi %s [ splat (%s %s), %%x%u ], [ %%f.kept%u.%u, %%x%u ]", r, p,
              piece_type(e, f), llvm_scalar_name(f.type), llvm_fold_identity(e, f), e->from_new, r, p,
              e->from_kept);
}

static void piece_sum(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    llvm_line(e, "%%f.sum%u.%u = phi %s [ %%f.init%u.%u, %%x%u ], [ %%f.last%u.%u, %%x%u ]", r, p,
              piece_type(e, f), r, p, e->from_new, r, p, e->from_kept);
}

static void piece_fold(llvm_emit *e, llvm_folding f, uint32_t r, uint32_t p)
{
    const char *value = llvm_temp(e);

    llvm_fold_piece(e, value, f, piece_width(e, f), llvm_name(e, "%%f.values%u", r), p);
    llvm_fold_line(e, llvm_name(e, "%%f.last%u.%u", r, p), f, piece_width(e, f),
                   llvm_name(e, "%%f.sum%u.%u", r, p), value);
}

/* for (part = 0; part < %f.parts; part++) sum = sum op values; from the identity where a block starts, else from
 * the lanes in memory. Leaves %f.last<r>.<p>. */
static void part_loop(llvm_emit *e, uint32_t group)
{
    uint32_t axis = task_of(e)->rank - 1, fresh = llvm_block_new(e), kept = llvm_block_new(e);
    uint32_t start = llvm_block_new(e), body = llvm_block_new(e), latch = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, fresh);
    llvm_branch_if(e, "%at.block", start, kept);
    llvm_block_begin(e, kept);
    each_piece(e, group, piece_load);
    llvm_block_begin(e, start);
    e->from_new = fresh;
    e->from_kept = kept;
    each_piece(e, group, piece_start);
    llvm_block_begin(e, body);
    e->from_new = start;
    e->from_kept = latch;
    llvm_line(e, "%%f.part = phi i64 [ 0, %%x%u ], [ %%f.part.next, %%x%u ]", start, latch);
    each_piece(e, group, piece_sum);
    llvm_line(e, "%%f.offset = mul i64 %%f.part, %d", LANES);
    llvm_line(e, "%%f.near = add i64 %%f.offset, %%f.group");
    llvm_line(e, "%%f.col = add i64 %%col, %%f.near");
    llvm_index_at(e, "%f.start", axis, "%f.col");
    lane_loop(e, group);
    each_piece(e, group, piece_fold);
    llvm_block_begin(e, latch);
    llvm_line(e, "%%f.part.next = add nuw nsw i64 %%f.part, 1");
    llvm_line(e, "%%f.part.more = icmp ult i64 %%f.part.next, %%f.parts");
    llvm_branch_if(e, "%f.part.more", body, done);
    llvm_block_begin(e, done);
}

/* Fewer than 64 lanes at a time: the groups' sums go to memory first. */
static void grouped(llvm_emit *e, uint32_t group, uint32_t ends, uint32_t latch)
{
    uint32_t before = e->at_block, body = llvm_block_new(e), next = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, body);
    llvm_line(e, "%%f.group = phi i64 [ 0, %s ], [ %%f.group.next, %%x%u ]",
              llvm_block_label(e, before), next);
    part_loop(e, group);
    each_piece(e, group, piece_store);
    llvm_block_begin(e, next);
    llvm_line(e, "%%f.group.next = add nuw nsw i64 %%f.group, %u", group);
    llvm_line(e, "%%f.group.more = icmp ult i64 %%f.group.next, %d", LANES);
    llvm_branch_if(e, "%f.group.more", body, done);
    llvm_block_begin(e, done);
    llvm_branch_if(e, "%block.ends", ends, latch);
    llvm_block_begin(e, ends);
    store_lanes(e, "%block.index");
    llvm_branch(e, latch);
}

static void in_registers(llvm_emit *e, uint32_t ends, uint32_t latch)
{
    uint32_t goes_on = llvm_block_new(e);
    char total[LLVM_NAME];

    llvm_line(e, "%%f.group = add i64 0, 0");
    part_loop(e, LANES);
    llvm_branch_if(e, "%block.ends", ends, goes_on);
    llvm_block_begin(e, goes_on);
    each_piece(e, LANES, piece_store);
    llvm_branch(e, latch);
    llvm_block_begin(e, ends);
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++) {
        llvm_keep(total, llvm_temp(e));
        llvm_fold_halve(e, total, llvm_folding_of(&task_of(e)->reduces[r]),
                        llvm_name(e, "%%f.last%u.", r));
        store_partial(e, r, "%block.index", total);
    }
    llvm_branch(e, latch);
}

static void fast_way(llvm_emit *e, uint32_t latch)
{
    uint32_t group = group_lanes(e);

    e->group = group;
    for (uint32_t r = 0; r < task_of(e)->reduce_count; r++)
        llvm_entry_line(e, "%%f.values%u = alloca [%u x %s], align 64", r, group,
                        llvm_scalar_name(llvm_folding_of(&task_of(e)->reduces[r]).type));
    llvm_outer_indices(e, "f.");
    if (group < LANES)
        grouped(e, group, llvm_block_new(e), latch);
    else
        in_registers(e, llvm_block_new(e), latch);
}

/* ---- the two entry points ---- */

/* What the next step of the walk takes: whole parts, or what is left of a part, of the row or of the range. */
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
    _Static_assert(MOD_REDUCE_BLOCK == 1024 && MOD_REDUCE_LANES == 64 && PARTS == 16,
                   "the lines hold these numbers");

    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        llvm_line(e, "%s", lines[k]);
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
    llvm_branch_if(e, "%fast", fast, slow);
    llvm_block_begin(e, fast);
    fast_way(e, w.latch);
    llvm_block_begin(e, slow);
    slow_way(e, w.latch);
    llvm_block_begin(e, w.latch);
    llvm_walk_end(e, &w, "%walked");
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "main", f->task->index, "0"));
}

/* cell = cell op what is left of reduction r's block results */
static void finish_cell(llvm_emit *e, uint32_t r)
{
    const mod_reduce *row = &task_of(e)->reduces[r];
    llvm_folding f = llvm_folding_of(row);
    const char *type = llvm_scalar_name(f.type), *ptr = llvm_temp(e), *cell = llvm_temp(e);
    char value[LLVM_NAME];

    llvm_keep(value, llvm_temp(e));
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %u", ptr, 8 * r);
    llvm_fold_levels(e, value, f, ptr, 8 * task_of(e)->reduce_count);
    llvm_line(e, "%s = getelementptr inbounds i8, ptr %%a%u, i64 %u", cell,
              e->func->task->cells_param, row->cell);
    const char *old = llvm_temp(e), *joined = llvm_temp(e);
    if (row->type == SCALAR_bool) {
        const char *truth = llvm_temp(e), *byte = llvm_temp(e);
        llvm_line(e, "%s = load i8, ptr %s", byte, cell);
        llvm_line(e, "%s = icmp ne i8 %s, 0", truth, byte);
        llvm_line(e, "%s = zext i1 %s to i8", old, truth);
    } else {
        llvm_line(e, "%s = load %s, ptr %s, align %u", old, type, cell,
                  scalar_types[f.type].bytes);
    }
    llvm_fold_line(e, joined, f, 1, old, value);
    llvm_line(e, "store %s %s, ptr %s, align %u", type, joined, cell, scalar_types[f.type].bytes);
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
    llvm_block_load(e, "%partials", "ptr", task->partial_offset);
    llvm_line(e, "%%any = icmp sgt i64 %%last, 0");
    llvm_branch_if(e, "%any", start, done);
    llvm_block_begin(e, start);
    for (uint32_t r = 0; r < task->reduce_count; r++)
        finish_cell(e, r);
    llvm_branch(e, done);
    llvm_block_begin(e, done);
    llvm_line(e, "ret void");
    llvm_func_end(e, llvm_name(e, LLVM_ENTRY, "finish", f->task->index, "2"));
}
