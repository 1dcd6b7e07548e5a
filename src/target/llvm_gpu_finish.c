/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_finish.c - reductions by the fixed tree of LANGUAGE rule 7, the bits of the CPU's:
 * finish.
 *
 * One group of 16 times 64 threads folds as many blocks of results at once, in place, level by
 * level, until one result is left, and the cell takes it.
 */
#include "target/llvm_gpu_fold.h"
#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES, BLOCK = MOD_REDUCE_BLOCK, AT_ONCE = MOD_STREAM_FINISH / LANES };
_Static_assert(BLOCK == 1 << 10 && LANES == 1 << 6, "blocks and lanes are found by shifts");

/* This lane's results of block %g of the level, in rising order: %base + lane, + 64, ... below
 * %stop. */
static void results(llvm_emit *e)
{
    uint32_t before = e->at_block, head = llvm_block_new(e), body = llvm_block_new(e),
             done = llvm_block_new(e);
    uint32_t bytes = 8 * llvm_reduce_task(e)->reduce_count;

    llvm_block_begin(e, head);
    llvm_line(e, "%%k = phi i64 [ %%k.first, %s ], [ %%k.next, %%x%u ]",
              llvm_block_label(e, before), body);
    llvm_line(e, "%%k.more = icmp slt i64 %%k, %%stop");
    llvm_branch_if(e, "%k.more", body, done);
    llvm_block_begin(e, body);
    llvm_line(e, "%%k.place = mul i64 %%k, %u", bytes);
    llvm_line(e, "%%k.ptr = getelementptr inbounds i8, ptr %%partials, i64 %%k.place");
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *ptr = llvm_temp(e), *value = llvm_temp(e);
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %%k.ptr, i64 %u", ptr, 8 * r);
        llvm_line(e, "%s = load %s, ptr %s, align 8", value, llvm_gpu_held(e, r), ptr);
        llvm_gpu_sum_takes(e, r, value);
    }
    llvm_line(e, "%%k.next = add nsw i64 %%k, %d", LANES);
    llvm_branch(e, head);
    llvm_block_begin(e, done);
}

/* 16 blocks of a level at once. Before a result is written all 16 have been read, by the barriers
 * of a fold, and later ones lie further on. */
static void blocks(llvm_emit *e)
{
    uint32_t before = e->at_block, head = llvm_block_new(e), body = llvm_block_new(e),
             store = llvm_block_new(e), next = llvm_block_new(e), done = llvm_block_new(e);

    llvm_block_begin(e, head);
    llvm_line(e, "%%round = phi i64 [ 0, %s ], [ %%round.next, %%x%u ]",
              llvm_block_label(e, before), next);
    llvm_line(e, "%%round.more = icmp slt i64 %%round, %%count.next");
    llvm_branch_if(e, "%round.more", body, done);
    llvm_block_begin(e, body);
    llvm_line(e, "%%g = add i64 %%round, %%team");
    llvm_line(e, "%%base = shl i64 %%g, 10");
    llvm_line(e, "%%full = add i64 %%base, %d", BLOCK);
    llvm_line(e, "%%stop = call i64 @llvm.smin.i64(i64 %%full, i64 %%count)");
    llvm_line(e, "%%k.first = add i64 %%base, %%lane");
    llvm_gpu_sums_reset(e);
    results(e);
    llvm_gpu_sums_fold(e, MOD_STREAM_FINISH);
    llvm_line(e, "%%is.block = icmp slt i64 %%g, %%count.next");
    llvm_line(e, "%%stores = and i1 %%is.block, %%leads");
    llvm_branch_if(e, "%stores", store, next);
    llvm_block_begin(e, store);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_store_partial(e, r, "%g", llvm_name(e, "%%total%u", r));
    llvm_branch(e, next);
    llvm_block_begin(e, next);
    llvm_line(e, "%%round.next = add nsw i64 %%round, %d", AT_ONCE);
    llvm_branch(e, head);
    llvm_block_begin(e, done);
}

/* Level by level: a thousandth as many results each time, until one is left. */
static void levels(llvm_emit *e)
{
    uint32_t before, head = llvm_block_new(e), enter = llvm_block_new(e), latch = llvm_block_new(e),
                     done = llvm_block_new(e);

    llvm_line(e, "%%round.first = add i64 %%end, %d", BLOCK - 1);
    llvm_line(e, "%%count.first = lshr i64 %%round.first, 10");
    before = e->at_block;
    llvm_block_begin(e, head);
    llvm_line(e, "%%count = phi i64 [ %%count.first, %s ], [ %%count.next, %%x%u ]",
              llvm_block_label(e, before), latch);
    llvm_line(e, "%%many = icmp sgt i64 %%count, 1");
    llvm_branch_if(e, "%many", enter, done);
    llvm_block_begin(e, enter);
    llvm_line(e, "%%rounded = add i64 %%count, %d", BLOCK - 1);
    llvm_line(e, "%%count.next = lshr i64 %%rounded, 10");
    blocks(e);
    llvm_block_begin(e, latch);
    llvm_line(e, "call void @slip.barrier()"); /* the next level reads what others wrote */
    llvm_branch(e, head);
    llvm_block_begin(e, done);
}

/* By one thread: what stands before the fold, the cells take what is left, what stands behind. */
static void cells_take(llvm_emit *e, uint32_t done)
{
    uint32_t leads = llvm_block_new(e), fold = llvm_block_new(e), tail = llvm_block_new(e);

    llvm_branch_if(e, "%is.first", leads, done);
    llvm_block_begin(e, leads);
    llvm_finish_call(e, IR_FINISH_HEAD);
    llvm_branch_if(e, "%any", fold, tail);
    llvm_block_begin(e, fold);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *ptr = llvm_temp(e);
        char value[LLVM_NAME];
        llvm_keep(value, llvm_temp(e));
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %u", ptr, 8 * r);
        llvm_line(e, "%s = load %s, ptr %s, align 8", value, llvm_gpu_held(e, r), ptr);
        llvm_cell_takes(e, r, value);
    }
    llvm_block_begin(e, tail);
    llvm_finish_call(e, IR_FINISH_TAIL);
}

void llvm_gpu_reduce_finish(llvm_emit *e, const ir_func *f, const mod_shader *shader,
                            uint32_t number)
{
    llvm_gpu_kernel k = { .shader = shader, .number = number };

    if (e->status != SLIP_OK)
        return;
    llvm_gpu_begin(e, &k, f);
    if (e->status != SLIP_OK || !llvm_reduce_fits(e))
        return;
    llvm_block_pointer(e, "%partials", llvm_reduce_task(e)->partial_offset);
    llvm_gpu_sums_new(e);
    llvm_gpu_range(e);
    llvm_line(e, "%%t.narrow = call i32 @slip.thread()");
    llvm_line(e, "%%t = zext i32 %%t.narrow to i64");
    llvm_line(e, "%%is.first = icmp eq i64 %%t, 0");
    llvm_line(e, "%%any = icmp sgt i64 %%end, 0");
    llvm_line(e, "%%team = lshr i64 %%t, 6");
    llvm_line(e, "%%lane = and i64 %%t, %d", LANES - 1);
    llvm_line(e, "%%leads = icmp eq i64 %%lane, 0");
    levels(e);
    cells_take(e, k.done);
    llvm_gpu_end(e, &k);
}
