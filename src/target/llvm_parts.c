/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_parts.c - the fast way of a reduction: whole parts of 64 iterations, folded in registers.
 *
 * The lanes are taken in groups that the target's registers hold. A loop of constant length puts a
 * group's values side by side, which LLVM vectorises, and the group as one vector, which LLVM cuts
 * into registers, is folded into the sums. So levels with groups of one size have one text.
 * Must give the bits of the slow way: each lane in rising order, nothing across lanes.
 */
#include "target/llvm_parts.h"

#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES, LEAST_LANES = 8 };

uint32_t llvm_group_lanes(const mod_task *task, const target_row *row)
{
    uint32_t bytes = 0, lanes = LANES;

    for (uint32_t r = 0; r < task->reduce_count; r++)
        bytes += scalar_types[llvm_folding_of(&task->reduces[r]).type].bytes;
    while (lanes > LEAST_LANES && lanes * bytes > row->accumulator_bytes)
        lanes /= 2;
    return lanes;
}

/* The lanes of one part: their values side by side in %f.values<r>. A loop of constant length,
 * counted in the index's own type, so that LLVM sees that the index does not wrap. */
static void lane_loop(llvm_emit *e)
{
    uint32_t axis = llvm_reduce_task(e)->rank - 1;
    scalar_type type = llvm_reduce_task(e)->axes[axis].type;
    bool is_signed = scalar_types[type].is_signed;
    const char *name = llvm_scalar_name(type);
    uint32_t before = e->at_block, body = llvm_block_new(e), end = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, body);
    llvm_line(e, "%%f.lane = phi i64 [ 0, %s ], [ %%f.lane.next, %%x%u ]",
              llvm_block_label(e, before), end);
    llvm_line(e, "%%f.i%u = phi %s [ %%f.start, %s ], [ %%f.i.next, %%x%u ]", axis, name,
              llvm_block_label(e, before), end);
    llvm_parts_reset(e, "f.");
    llvm_task_body(e, "f.", end);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *held = llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type);
        const char *part = llvm_temp(e), *ptr = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%f.part%u", part, held, r);
        llvm_line(e, "%s = getelementptr inbounds %s, ptr %%f.values%u, i64 %%f.lane", ptr, held,
                  r);
        llvm_line(e, "store %s %s, ptr %s" LLVM_SHARED, held, part, ptr);
    }
    llvm_line(e, "%%f.i.next = add %s %s %%f.i%u, 1", is_signed ? "nsw" : "nuw", name, axis);
    llvm_line(e, "%%f.lane.next = add nuw nsw i64 %%f.lane, 1");
    llvm_line(e, "%%f.more = icmp ult i64 %%f.lane.next, %u", e->group);
    llvm_line(e, "br i1 %%f.more, label %%x%u, label %%x%u%s", body, done, llvm_loop_note(e, true));
    e->open = false;
    llvm_block_begin(e, done);
}

/* A line for each reduction: a name of its own is <stem><r>. */
typedef void (*sum_line)(llvm_emit *e, llvm_folding f, uint32_t r);

static void each_sum(llvm_emit *e, sum_line line)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        line(e, llvm_folding_of(&llvm_reduce_task(e)->reduces[r]), r);
}

static const char *sum_type(llvm_emit *e, llvm_folding f)
{
    return llvm_lanes_name(e, f.type, e->group);
}

/* The place of the group at %f.group in the lanes in memory. */
static const char *place_in_lanes(llvm_emit *e, llvm_folding f, uint32_t r)
{
    const char *ptr = llvm_temp(e);

    llvm_line(e, "%s = getelementptr inbounds %s, ptr %%lanes%u, i64 %%f.group", ptr,
              llvm_scalar_name(f.type), r);
    return ptr;
}

static void sum_load(llvm_emit *e, llvm_folding f, uint32_t r)
{
    const char *ptr = place_in_lanes(e, f, r);

    llvm_line(e, "%%f.kept%u = load %s, ptr %s, align 8", r, sum_type(e, f), ptr);
}

static void sum_store(llvm_emit *e, llvm_folding f, uint32_t r)
{
    const char *ptr = place_in_lanes(e, f, r);

    llvm_line(e, "store %s %%f.last%u, ptr %s, align 8", sum_type(e, f), r, ptr);
}

static void sum_start(llvm_emit *e, llvm_folding f, uint32_t r)
{
    llvm_line(e, "%%f.init%u = phi %s [ splat (%s %s), %%x%u ], [ %%f.kept%u, %%x%u ]", r,
              sum_type(e, f), llvm_scalar_name(f.type), llvm_fold_identity(e, f), e->from_new, r,
              e->from_kept);
}

static void sum_phi(llvm_emit *e, llvm_folding f, uint32_t r)
{
    llvm_line(e, "%%f.sum%u = phi %s [ %%f.init%u, %%x%u ], [ %%f.last%u, %%x%u ]", r,
              sum_type(e, f), r, e->from_new, r, e->from_kept);
}

static void sum_fold(llvm_emit *e, llvm_folding f, uint32_t r)
{
    const char *value = llvm_temp(e);

    llvm_line(e, "%s = load %s, ptr %%f.values%u, align 64", value, sum_type(e, f), r);
    llvm_fold_line(e, llvm_name(e, "%%f.last%u", r), f, e->group, llvm_name(e, "%%f.sum%u", r),
                   value);
}

/* for (part = 0; part < %f.parts; part++) sum = sum op values; from the identity where a block
 * starts, else from the lanes in memory. Leaves %f.last<r>. */
static void part_loop(llvm_emit *e)
{
    uint32_t axis = llvm_reduce_task(e)->rank - 1, fresh = llvm_block_new(e),
             kept = llvm_block_new(e);
    uint32_t start = llvm_block_new(e), body = llvm_block_new(e), latch = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, fresh);
    llvm_branch_if(e, "%at.block", start, kept);
    llvm_block_begin(e, kept);
    each_sum(e, sum_load);
    llvm_block_begin(e, start);
    e->from_new = fresh;
    e->from_kept = kept;
    each_sum(e, sum_start);
    llvm_block_begin(e, body);
    e->from_new = start;
    e->from_kept = latch;
    llvm_line(e, "%%f.part = phi i64 [ 0, %%x%u ], [ %%f.part.next, %%x%u ]", start, latch);
    each_sum(e, sum_phi);
    llvm_line(e, "%%f.offset = mul i64 %%f.part, %d", LANES);
    llvm_line(e, "%%f.near = add i64 %%f.offset, %%f.group");
    llvm_line(e, "%%f.col = add i64 %%col, %%f.near");
    llvm_index_at(e, "%f.start", axis, "%f.col");
    lane_loop(e);
    each_sum(e, sum_fold);
    llvm_block_begin(e, latch);
    llvm_line(e, "%%f.part.next = add nuw nsw i64 %%f.part, 1");
    llvm_line(e, "%%f.part.more = icmp ult i64 %%f.part.next, %%f.parts");
    llvm_branch_if(e, "%f.part.more", body, done);
    llvm_block_begin(e, done);
}

/* Fewer than 64 lanes at a time: the groups' sums go to memory first. */
static void grouped(llvm_emit *e, uint32_t ends, uint32_t latch)
{
    uint32_t before = e->at_block, body = llvm_block_new(e), next = llvm_block_new(e),
             done = llvm_block_new(e);

    llvm_block_begin(e, body);
    llvm_line(e, "%%f.group = phi i64 [ 0, %s ], [ %%f.group.next, %%x%u ]",
              llvm_block_label(e, before), next);
    part_loop(e);
    each_sum(e, sum_store);
    llvm_block_begin(e, next);
    llvm_line(e, "%%f.group.next = add nuw nsw i64 %%f.group, %u", e->group);
    llvm_line(e, "%%f.group.more = icmp ult i64 %%f.group.next, %d", LANES);
    llvm_branch_if(e, "%f.group.more", body, done);
    llvm_block_begin(e, done);
    llvm_branch_if(e, "%block.ends", ends, latch);
    llvm_block_begin(e, ends);
    llvm_store_lanes(e, "%block.index");
    llvm_branch(e, latch);
}

static void in_registers(llvm_emit *e, uint32_t ends, uint32_t latch)
{
    uint32_t goes_on = llvm_block_new(e);
    char total[LLVM_NAME];

    llvm_line(e, "%%f.group = add i64 0, 0");
    part_loop(e);
    llvm_branch_if(e, "%block.ends", ends, goes_on);
    llvm_block_begin(e, goes_on);
    each_sum(e, sum_store);
    llvm_branch(e, latch);
    llvm_block_begin(e, ends);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        llvm_keep(total, llvm_temp(e));
        llvm_fold_halve(e, total, llvm_folding_of(&llvm_reduce_task(e)->reduces[r]),
                        llvm_name(e, "%%f.last%u", r));
        llvm_store_partial(e, r, "%block.index", total);
    }
    llvm_branch(e, latch);
}

void llvm_whole_parts(llvm_emit *e, uint32_t latch)
{
    e->group = llvm_group_lanes(llvm_reduce_task(e), e->row);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_entry_line(e, "%%f.values%u = alloca [%u x %s], align 64", r, e->group,
                        llvm_scalar_name(llvm_folding_of(&llvm_reduce_task(e)->reduces[r]).type));
    llvm_outer_indices(e, "f.");
    if (e->group < LANES)
        grouped(e, llvm_block_new(e), latch);
    else
        in_registers(e, llvm_block_new(e), latch);
}
