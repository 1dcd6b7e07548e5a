/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_reduce.c - reductions by the fixed tree of LANGUAGE rule 7, the bits of the CPU's: main.
 *
 * One group of 64 threads for each block of 1,024 iterations. A thread is a lane: it folds the
 * parts of its 16 iterations in rising order; lanes are halved; lane 0 stores the block's result.
 * Must never reassociate within a lane.
 */
#include "target/llvm_gpu_fold.h"
#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES, BLOCK = MOD_REDUCE_BLOCK };
_Static_assert(BLOCK == 1 << 10, "blocks are found by shifts");

/* One iteration: its parts start at the identity, and join the lane's sums. */
static void iteration(llvm_emit *e, const char *prefix, const char *flat, uint32_t end)
{
    llvm_parts_reset(e, prefix);
    llvm_gpu_indices(e, prefix, flat);
    llvm_task_body(e, prefix, end);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *part = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%%spart%u", part, llvm_gpu_held(e, r), prefix, r);
        llvm_gpu_sum_takes(e, r, part);
    }
}

/* A whole block: 16 iterations a lane. LLVM sees how many, and makes their loads at once. */
static void whole_block(llvm_emit *e, uint32_t start, uint32_t done)
{
    uint32_t body = llvm_block_new(e), end = llvm_block_new(e);

    llvm_block_begin(e, start);
    llvm_block_begin(e, body);
    llvm_line(e, "%%f.pass = phi i64 [ 0, %%x%u ], [ %%f.pass.next, %%x%u ]", start, end);
    llvm_line(e, "%%f.far = mul nuw nsw i64 %%f.pass, %d", LANES);
    llvm_line(e, "%%f.flat = add nsw i64 %%flat.first, %%f.far");
    iteration(e, "f.", "%f.flat", end);
    llvm_line(e, "%%f.pass.next = add nuw nsw i64 %%f.pass, 1");
    llvm_line(e, "%%f.more = icmp ult i64 %%f.pass.next, %d", BLOCK / LANES);
    llvm_branch_if(e, "%f.more", body, done);
}

/* The last block: up to %end. */
static void last_block(llvm_emit *e, uint32_t start, uint32_t done)
{
    uint32_t head = llvm_block_new(e), body = llvm_block_new(e), end = llvm_block_new(e);

    llvm_block_begin(e, start);
    llvm_block_begin(e, head);
    llvm_line(e, "%%l.flat = phi i64 [ %%flat.first, %%x%u ], [ %%l.flat.next, %%x%u ]", start,
              end);
    llvm_line(e, "%%l.more = icmp slt i64 %%l.flat, %%end");
    llvm_branch_if(e, "%l.more", body, done);
    llvm_block_begin(e, body);
    iteration(e, "l.", "%l.flat", end);
    llvm_line(e, "%%l.flat.next = add nsw i64 %%l.flat, %d", LANES);
    llvm_branch(e, head);
}

void llvm_gpu_reduce_main(llvm_emit *e, const ir_func *f, const mod_shader *shader, uint32_t number)
{
    llvm_gpu_kernel k = { .shader = shader, .number = number };
    uint32_t run, whole, last, fold, store;

    llvm_gpu_begin(e, &k, f);
    if (e->status != SLIP_OK || !llvm_reduce_fits(e))
        return;
    run = llvm_block_new(e);
    whole = llvm_block_new(e);
    last = llvm_block_new(e);
    fold = llvm_block_new(e);
    store = llvm_block_new(e);
    llvm_axes(e);
    llvm_block_pointer(e, "%partials", llvm_reduce_task(e)->partial_offset);
    llvm_parts_new(e, "f.");
    llvm_parts_new(e, "l.");
    llvm_gpu_sums_new(e);
    llvm_gpu_range(e);
    llvm_line(e, "%%block.number = call i64 @slip.block()");
    llvm_line(e, "%%before = mul i64 %%block.number, %d", BLOCK);
    llvm_line(e, "%%base = add i64 %%first, %%before");
    llvm_line(e, "%%some = icmp slt i64 %%base, %%end");
    llvm_branch_if(e, "%some", run, k.done);
    llvm_block_begin(e, run);
    llvm_line(e, "%%lane = call i32 @slip.thread()");
    llvm_line(e, "%%lane.wide = zext i32 %%lane to i64");
    llvm_line(e, "%%flat.first = add i64 %%base, %%lane.wide");
    llvm_gpu_sums_reset(e);
    llvm_line(e, "%%left = sub nsw i64 %%end, %%base");
    llvm_line(e, "%%is.whole = icmp sge i64 %%left, %d", BLOCK);
    llvm_branch_if(e, "%is.whole", whole, last);
    whole_block(e, whole, fold);
    last_block(e, last, fold);
    llvm_block_begin(e, fold);
    llvm_gpu_sums_fold(e, LANES);
    llvm_line(e, "%%leads = icmp eq i32 %%lane, 0");
    llvm_branch_if(e, "%leads", store, k.done);
    llvm_block_begin(e, store);
    llvm_line(e, "%%block.index = lshr i64 %%base, 10");
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_store_partial(e, r, "%block.index", llvm_name(e, "%%total%u", r));
    llvm_gpu_end(e, &k);
}
