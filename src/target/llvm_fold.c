/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_fold.c - folding 64 lanes by halving, and levels of block results, one function each per
 * operation and type.
 *
 * The 64 lanes are one vector here: each level of a processor cuts it into its own registers, so
 * that l += l + 32 pairs whole registers as long as there are several and only the last is
 * shuffled. The functions are small and rarely called: they are kept out of line and not vectorised
 * further.
 */
#include "target/llvm_fold.h"

enum { LANES = MOD_REDUCE_LANES, BLOCK = MOD_REDUCE_BLOCK };

llvm_folding llvm_folding_of(const mod_reduce *r)
{
    if (r->type != SCALAR_bool)
        return (llvm_folding){ r->op, r->type };
    if (r->op == SCALAR_OP_mul || r->op == SCALAR_OP_min)
        return (llvm_folding){ SCALAR_OP_and, SCALAR_u8 };
    if (r->op == SCALAR_OP_add || r->op == SCALAR_OP_max)
        return (llvm_folding){ SCALAR_OP_or, SCALAR_u8 };
    return (llvm_folding){ r->op, SCALAR_u8 };
}

const char *llvm_fold_identity(llvm_emit *e, llvm_folding f)
{
    return llvm_const(e, f.type, llvm_identity(f.op, f.type));
}

void llvm_fold_line(llvm_emit *e, const char *dst, llvm_folding f, uint32_t lanes, const char *a,
                    const char *b)
{
    llvm_scalar(e, dst, (llvm_scalar_op){ f.op, f.type, f.type, lanes }, a, b, NULL);
}

/* dst = lanes [from, from + half) of a vector of 2 * half. */
static void half_of(llvm_emit *e, const char *dst, llvm_folding f, uint32_t half, uint32_t from,
                    const char *vector)
{
    const char *type = llvm_scalar_name(f.type);

    if (half == 1) {
        llvm_line(e, "%s = extractelement <2 x %s> %s, i64 %u", dst, type, vector, from);
        return;
    }
    text_add(&e->body, "  %s = shufflevector <%u x %s> %s, <%u x %s> poison, <%u x i32> <", dst,
             2 * half, type, vector, 2 * half, type, half);
    for (uint32_t k = 0; k < half; k++)
        text_add(&e->body, "%si32 %u", k ? ", " : "", from + k);
    text_add(&e->body, ">\n");
}

void llvm_fold_halve(llvm_emit *e, const char *dst, llvm_folding f, const char *lanes)
{
    char now[LLVM_NAME], made[LLVM_NAME];

    llvm_keep(now, lanes);
    for (uint32_t half = LANES / 2; half >= 1; half /= 2) {
        const char *low = llvm_temp(e), *high = llvm_temp(e);
        llvm_keep(made, half == 1 ? dst : llvm_temp(e));
        half_of(e, low, f, half, 0, now);
        half_of(e, high, f, half, half, now);
        llvm_fold_line(e, made, f, half, low, high);
        llvm_keep(now, made);
    }
}

static const char *function_name(llvm_emit *e, const char *what, llvm_folding f)
{
    e->uses_fold[f.op][f.type] = true;
    return llvm_name(e, "@slip.%s.%s.%s", what, scalar_ops[f.op].name, scalar_types[f.type].name);
}

void llvm_fold_lanes(llvm_emit *e, const char *dst, llvm_folding f, const char *lanes)
{
    llvm_line(e, "%s = call fastcc %s %s(ptr %s)", dst, llvm_scalar_name(f.type),
              function_name(e, "halve", f), lanes);
}

void llvm_fold_levels(llvm_emit *e, const char *dst, llvm_folding f, const char *ptr,
                      uint32_t stride)
{
    llvm_line(e, "%s = call fastcc %s %s(ptr %s, i64 %u, i64 %%last)", dst,
              llvm_scalar_name(f.type), function_name(e, "levels", f), ptr, stride);
}

static void halve_function(llvm_emit *e, llvm_folding f)
{
    char total[LLVM_NAME];

    llvm_func_begin(e, NULL);
    llvm_line(e, "%%in = load %s, ptr %%lanes, align 64", llvm_lanes_name(e, f.type, LANES));
    llvm_keep(total, llvm_temp(e));
    llvm_fold_halve(e, total, f, "%in");
    llvm_line(e, "ret %s %s", llvm_scalar_name(f.type), total);
    llvm_func_end(e, llvm_name(e, "define internal fastcc %s %s(ptr noalias readonly %%lanes) #3",
                               llvm_scalar_name(f.type), function_name(e, "halve", f)));
}

/* lanes[k % 64] op= result k, for the results [1024 g, 1024 (g + 1)) below count. */
static void level_block(llvm_emit *e, llvm_folding f)
{
    uint32_t before, head = llvm_block_new(e), body = llvm_block_new(e), done = llvm_block_new(e);
    const char *type = llvm_scalar_name(f.type);

    llvm_line(e, "%%k.first = mul i64 %%g, %d", BLOCK);
    llvm_line(e, "%%k.full = add i64 %%k.first, %d", BLOCK);
    llvm_line(e, "%%k.end = call i64 @llvm.smin.i64(i64 %%k.full, i64 %%count)");
    llvm_line(e, "store <%d x %s> splat (%s %s), ptr %%lanes, align 64", LANES, type, type,
              llvm_fold_identity(e, f));
    before = e->at_block;
    llvm_block_begin(e, head);
    llvm_line(e, "%%k = phi i64 [ %%k.first, %s ], [ %%k.next, %%x%u ]",
              llvm_block_label(e, before), body);
    llvm_line(e, "%%k.more = icmp slt i64 %%k, %%k.end");
    llvm_branch_if(e, "%k.more", body, done);
    llvm_block_begin(e, body);
    llvm_line(e, "%%lane = and i64 %%k, %d", LANES - 1);
    llvm_line(e, "%%k.place = mul i64 %%k, %%stride");
    llvm_line(e, "%%k.ptr = getelementptr inbounds i8, ptr %%results, i64 %%k.place");
    llvm_line(e, "%%value = load %s, ptr %%k.ptr, align 8", type);
    llvm_line(e, "%%lane.ptr = getelementptr inbounds %s, ptr %%lanes, i64 %%lane", type);
    llvm_line(e, "%%old = load %s, ptr %%lane.ptr", type);
    llvm_fold_line(e, "%new", f, 1, "%old", "%value");
    llvm_line(e, "store %s %%new, ptr %%lane.ptr", type);
    llvm_line(e, "%%k.next = add nuw nsw i64 %%k, 1");
    llvm_branch(e, head);
    llvm_block_begin(e, done);
    llvm_fold_lanes(e, "%total", f, "%lanes");
    llvm_line(e, "%%g.place = mul i64 %%g, %%stride");
    llvm_line(e, "%%g.ptr = getelementptr inbounds i8, ptr %%results, i64 %%g.place");
    llvm_line(e, "store %s %%total, ptr %%g.ptr, align 8", type);
}

/* A level turns `count` results into a thousandth as many, in place: a block is read before its
 * result is written, and lies further on. */
static void levels_function(llvm_emit *e, llvm_folding f)
{
    const char *type = llvm_scalar_name(f.type);
    uint32_t level, enter, groups, body, next, latch, result;

    llvm_func_begin(e, NULL);
    level = llvm_block_new(e);
    enter = llvm_block_new(e);
    groups = llvm_block_new(e);
    body = llvm_block_new(e);
    next = llvm_block_new(e);
    latch = llvm_block_new(e);
    result = llvm_block_new(e);
    llvm_line(e, "%%lanes = alloca [%d x %s], align 64", LANES, type);
    llvm_line(e, "%%round.first = add i64 %%iterations, %d", BLOCK - 1);
    llvm_line(e, "%%count.first = lshr i64 %%round.first, 10");
    llvm_block_begin(e, level);
    llvm_line(e, "%%count = phi i64 [ %%count.first, %%entry ], [ %%count.next, %%x%u ]", latch);
    llvm_line(e, "%%many = icmp sgt i64 %%count, 1");
    llvm_branch_if(e, "%many", enter, result);
    llvm_block_begin(e, enter);
    llvm_line(e, "%%round = add i64 %%count, %d", BLOCK - 1);
    llvm_line(e, "%%count.next = lshr i64 %%round, 10");
    llvm_block_begin(e, groups);
    llvm_line(e, "%%g = phi i64 [ 0, %%x%u ], [ %%g.next, %%x%u ]", enter, next);
    llvm_line(e, "%%g.more = icmp slt i64 %%g, %%count.next");
    llvm_branch_if(e, "%g.more", body, latch);
    llvm_block_begin(e, body);
    level_block(e, f);
    llvm_block_begin(e, next);
    llvm_line(e, "%%g.next = add nuw nsw i64 %%g, 1");
    llvm_branch(e, groups);
    llvm_block_begin(e, latch);
    llvm_branch(e, level);
    llvm_block_begin(e, result);
    llvm_line(e, "%%last.value = load %s, ptr %%results, align 8", type);
    llvm_line(e, "ret %s %%last.value", type);
    llvm_func_end(e, llvm_name(e,
                               "define internal fastcc %s %s(ptr %%results, i64 %%stride, i64 "
                               "%%iterations) #3",
                               type, function_name(e, "levels", f)));
}

void llvm_fold_functions(llvm_emit *e)
{
    for (int op = 0; op < SCALAR_OP_COUNT; op++)
        for (int type = 0; type < SCALAR_TYPE_COUNT; type++)
            if (e->uses_fold[op][type]) {
                halve_function(e, (llvm_folding){ (scalar_op)op, (scalar_type)type });
                levels_function(e, (llvm_folding){ (scalar_op)op, (scalar_type)type });
            }
}
