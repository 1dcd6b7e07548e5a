/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_gpu_fold.c - the lanes of a group folded by halving, one function each per operation and
 * type; and the sums of a lane, which they fold.
 *
 * The first half goes through group memory, the rest between threads that run together.
 */
#include "target/llvm_gpu_fold.h"

enum { LANES = MOD_REDUCE_LANES };

llvm_folding llvm_gpu_folding(const llvm_emit *e, uint32_t r)
{
    return llvm_folding_of(&llvm_reduce_task(e)->reduces[r]);
}

const char *llvm_gpu_held(const llvm_emit *e, uint32_t r)
{
    return llvm_scalar_name(llvm_gpu_folding(e, r).type);
}

/* ---- values of other lanes ---- */

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

void llvm_gpu_sums_new(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_alloca(e, llvm_name(e, "%%sum%u", r), llvm_gpu_held(e, r), 0);
}

void llvm_gpu_sums_reset(llvm_emit *e)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++)
        llvm_line(e, "store %s %s, ptr %%sum%u", llvm_gpu_held(e, r),
                  llvm_fold_identity(e, llvm_gpu_folding(e, r)), r);
}

void llvm_gpu_sum_takes(llvm_emit *e, uint32_t r, const char *value)
{
    const char *old = llvm_temp(e), *joined = llvm_temp(e);

    llvm_line(e, "%s = load %s, ptr %%sum%u", old, llvm_gpu_held(e, r), r);
    llvm_fold_line(e, joined, llvm_gpu_folding(e, r), 1, old, value);
    llvm_line(e, "store %s %s, ptr %%sum%u", llvm_gpu_held(e, r), joined, r);
}

void llvm_gpu_sums_fold(llvm_emit *e, uint32_t threads)
{
    for (uint32_t r = 0; r < llvm_reduce_task(e)->reduce_count; r++) {
        const char *mine = llvm_temp(e);
        llvm_line(e, "%s = load %s, ptr %%sum%u", mine, llvm_gpu_held(e, r), r);
        llvm_line(e, "%%total%u = call %s %s(%s %s)", r, llvm_gpu_held(e, r),
                  fold_name(e, llvm_gpu_folding(e, r), threads), llvm_gpu_held(e, r), mine);
    }
}
