/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_reduce.c - reductions by the fixed tree of LANGUAGE rule 7: the bits of the CPU's.
 *
 * main: one group of 64 threads for each block of 1,024 iterations. A thread is a lane: it folds
 * the parts of its 16 iterations in rising order; lanes are halved, the first time through group
 * memory, then between threads; lane 0 stores the block's result. finish: one group of 16 times 64
 * threads, which fold as many blocks of results at once, in place, level by level, until one result
 * is left, and the cell takes it. Must never reassociate within a lane.
 */
#include "target/llvm_gpu.h"

#include "target/llvm_parts.h"
#include "target/llvm_walk.h"

enum { LANES = MOD_REDUCE_LANES, BLOCK = MOD_REDUCE_BLOCK, AT_ONCE = MOD_STREAM_FINISH / LANES };

static llvm_folding folding(const llvm_emit *e, uint32_t r)
{
    return llvm_folding_of(&llvm_reduce_task(e)->reduces[r]);
}

static const char *held(const llvm_emit *e, uint32_t r)
{
    return llvm_scalar_name(folding(e, r).type);
}

/* ---- the lanes of a group ---- */

static const char *far_word(llvm_emit *e, const char *word, uint32_t by)
{
    const char *far = llvm_temp(e);

    llvm_line(e, "%s = call i32 @slip.down(i32 %s, i32 %u)", far, word, by);
    return far;
}

static const char *cast(llvm_emit *e, const char *how, const char *from, const char *value,
                        const char *to)
{
    const char *made = llvm_temp(e);

    llvm_line(e, "%s = %s %s %s to %s", made, how, from, value, to);
    return made;
}

static const char *far_pair(llvm_emit *e, const char *whole, uint32_t by)
{
    const char *upper = llvm_temp(e), *placed = llvm_temp(e), *both = llvm_temp(e);

    llvm_line(e, "%s = lshr i64 %s, 32", upper, whole);
    const char *low = far_word(e, cast(e, "trunc", "i64", whole, "i32"), by);
    const char *high = far_word(e, cast(e, "trunc", "i64", upper, "i32"), by);
    low = cast(e, "zext", "i32", low, "i64");
    high = cast(e, "zext", "i32", high, "i64");
    llvm_line(e, "%s = shl i64 %s, 32", placed, high);
    llvm_line(e, "%s = or i64 %s, %s", both, placed, low);
    return both;
}

/* The value of the lane `by` further on, through words of 32 bits. */
static const char *far_value(llvm_emit *e, scalar_type type, const char *value, uint32_t by)
{
    uint32_t bits = 8u * scalar_types[type].bytes;
    const char *name = llvm_scalar_name(type), *whole = llvm_name(e, "i%u", bits);

    value = scalar_types[type].is_float ? cast(e, "bitcast", name, value, whole) : value;
    if (bits == 64)
        value = far_pair(e, value, by);
    else if (bits == 32)
        value = far_word(e, value, by);
    else
        value =
            cast(e, "trunc", "i32", far_word(e, cast(e, "zext", whole, value, "i32"), by), whole);
    return scalar_types[type].is_float ? cast(e, "bitcast", whole, value, name) : value;
}

static const char *fold_name(llvm_emit *e, llvm_folding f, uint32_t threads)
{
    e->uses_fold[f.op][f.type] = true;
    return llvm_name(e, "@slip.fold.%s.%s.%u", scalar_ops[f.op].name, scalar_types[f.type].name,
                     threads);
}

/* fold(value): l = l op l + 32, then l + 16 ... l + 1, of each 64 threads of a group. The first of
 * them gets the result; all call. */
static void fold_function(llvm_emit *e, llvm_folding f, uint32_t threads)
{
    const char *type = llvm_scalar_name(f.type);
    char sum[LLVM_NAME];

    llvm_func_begin(e, NULL);
    llvm_line(e, "%%t = call i32 @slip.thread()");
    llvm_line(e,
              "%%mine = getelementptr inbounds [%u x %s], ptr addrspace(%d) @slip.lanes.%s.%u, "
              "i32 0, i32 %%t",
              threads, type, LLVM_GROUP_SPACE, scalar_types[f.type].name, threads);
    llvm_line(e, "store %s %%value, ptr addrspace(%d) %%mine", type, LLVM_GROUP_SPACE);
    llvm_line(e, "call void @slip.barrier()");
    llvm_line(e, "%%o = xor i32 %%t, %d", LANES / 2);
    llvm_line(e,
              "%%other = getelementptr inbounds [%u x %s], ptr addrspace(%d) @slip.lanes.%s.%u, "
              "i32 0, i32 %%o",
              threads, type, LLVM_GROUP_SPACE, scalar_types[f.type].name, threads);
    llvm_line(e, "%%far = load %s, ptr addrspace(%d) %%other", type, LLVM_GROUP_SPACE);
    llvm_line(e, "call void @slip.barrier()"); /* the lanes are used again */
    llvm_fold_line(e, "%half", f, 1, "%value", "%far");
    llvm_keep(sum, "%half");
    for (uint32_t by = LANES / 4; by > 0; by /= 2) {
        const char *joined = llvm_name(e, "%%sum%u", by);
        llvm_fold_line(e, joined, f, 1, sum, far_value(e, f.type, sum, by));
        llvm_keep(sum, joined);
    }
    llvm_line(e, "ret %s %s", type, sum);
    llvm_func_end(e, llvm_name(e, "define internal %s %s(%s %%value) convergent #0", type,
                               fold_name(e, f, threads), type));
}

void llvm_gpu_folds(llvm_emit *e)
{
    for (int type = 0; type < SCALAR_TYPE_COUNT; type++) {
        bool some = false;
        for (int op = 0; op < SCALAR_OP_COUNT; op++) {
            llvm_folding f = { (scalar_op)op, (scalar_type)type };
            if (!e->uses_fold[op][type])
                continue;
            some = true;
            fold_function(e, f, LANES);
            fold_function(e, f, MOD_STREAM_FINISH);
        }
        for (uint32_t threads = LANES; some && threads <= MOD_STREAM_FINISH;
             threads *= MOD_STREAM_FINISH / LANES)
            text_add(&e->top,
                     "\n@slip.lanes.%s.%u = internal addrspace(%d) global [%u x %s] poison, "
                     "align 8\n",
                     scalar_types[type].name, threads, LLVM_GROUP_SPACE, threads,
                     llvm_scalar_name((scalar_type)type));
    }
}

/* ---- sums of a lane: %sum<r> ---- */

static void sums_new(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_alloca(e, llvm_name(e, "%%sum%u", r), held(e, r), 0);
}

static void sums_reset(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_line(e, "store %s %s, ptr %%sum%u", held(e, r), llvm_fold_identity(e, folding(e, r)),
                  r);
}

static void sum_takes(llvm_emit *e, uint32_t r, const char *value)
{
    const char *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = load %s, ptr %%sum%u", old, held(e, r), r);
    llvm_fold_line(e, joined, folding(e, r), 1, old, value);
    llvm_line(e, "store %s %s, ptr %%sum%u", held(e, r), joined, r);
}

/* %total<r>, on the first lane; all lanes call. */
static void sums_fold(llvm_emit *e, uint32_t threads)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *mine = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%sum%u", mine, held(e, r), r);
        llvm_line(e, "%%total%u = call %s %s(%s %s)", r, held(e, r),
                  fold_name(e, folding(e, r), threads), held(e, r), mine);
    }
}

/* ---- main ---- */

/* One iteration: its parts start at the identity, and join the lane's sums. */
static void iteration(llvm_emit *e, const char *prefix, const char *flat, uint32_t end)
{
    llvm_parts_reset(e, prefix);
    llvm_gpu_indices(e, prefix, flat);
    llvm_task_body(e, prefix, end);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *part = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%%spart%u", part, held(e, r), prefix, r);
        sum_takes(e, r, part);
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
    sums_new(e);
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
    sums_reset(e);
    llvm_line(e, "%%left = sub nsw i64 %%end, %%base");
    llvm_line(e, "%%is.whole = icmp sge i64 %%left, %d", BLOCK);
    llvm_branch_if(e, "%is.whole", whole, last);
    whole_block(e, whole, fold);
    last_block(e, last, fold);
    llvm_block_begin(e, fold);
    sums_fold(e, LANES);
    llvm_line(e, "%%leads = icmp eq i32 %%lane, 0");
    llvm_branch_if(e, "%leads", store, k.done);
    llvm_block_begin(e, store);
    llvm_line(e, "%%block.index = lshr i64 %%base, 10");
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_store_partial(e, r, "%block.index", llvm_name(e, "%%total%u", r));
    llvm_gpu_end(e, &k);
}

_Static_assert(BLOCK == 1 << 10 && LANES == 1 << 6, "blocks and lanes are found by shifts");

/* ---- finish ---- */

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
        llvm_line(e, "%s = load %s, ptr %s, align 8", value, held(e, r), ptr);
        sum_takes(e, r, value);
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
    sums_reset(e);
    results(e);
    sums_fold(e, MOD_STREAM_FINISH);
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

void llvm_gpu_reduce_finish(llvm_emit *e, const ir_func *f, const mod_shader *shader,
                            uint32_t number)
{
    llvm_gpu_kernel k = { .shader = shader, .number = number };
    uint32_t run, take;

    if (e->status != SLIP_OK)
        return;
    llvm_gpu_begin(e, &k, f);
    if (e->status != SLIP_OK || !llvm_reduce_fits(e))
        return;
    run = llvm_block_new(e);
    take = llvm_block_new(e);
    llvm_block_pointer(e, "%partials", llvm_reduce_task(e)->partial_offset);
    sums_new(e);
    llvm_gpu_range(e);
    llvm_line(e, "%%any = icmp sgt i64 %%end, 0");
    llvm_branch_if(e, "%any", run, k.done);
    llvm_block_begin(e, run);
    llvm_line(e, "%%t.narrow = call i32 @slip.thread()");
    llvm_line(e, "%%t = zext i32 %%t.narrow to i64");
    llvm_line(e, "%%team = lshr i64 %%t, 6");
    llvm_line(e, "%%lane = and i64 %%t, %d", LANES - 1);
    llvm_line(e, "%%leads = icmp eq i64 %%lane, 0");
    levels(e);
    llvm_line(e, "%%is.first = icmp eq i64 %%t, 0");
    llvm_branch_if(e, "%is.first", take, k.done);
    llvm_block_begin(e, take);
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *ptr = llvm_temp(e);
        char value[LLVM_NAME];
        llvm_keep(value, llvm_temp(e));
        llvm_line(e, "%s = getelementptr inbounds i8, ptr %%partials, i64 %u", ptr, 8 * r);
        llvm_line(e, "%s = load %s, ptr %s, align 8", value, held(e, r), ptr);
        llvm_cell_takes(e, r, value);
    }
    llvm_gpu_end(e, &k);
}
