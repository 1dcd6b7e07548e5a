/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_reduce.c - reductions by the fixed tree of LANGUAGE rule 7: the bits of the CPU's.
 *
 * main: one workgroup of 64 lanes for each block of 1,024 iterations. A lane folds the parts of its
 * 16 iterations in rising order; lanes are halved in workgroup memory; lane 0 stores the block's
 * result. finish: one workgroup folds levels of block results, in place, until one is left, and the
 * cell takes it. Must never reassociate within a lane.
 */
#include "target/spirv_wide.h"

enum { LANES = MOD_REDUCE_LANES, BLOCK = MOD_REDUCE_BLOCK };

static spirv_id held(spirv_emit *e, const mod_reduce *r)
{
    return spirv_type(e, spirv_base_of(r->type));
}

static spirv_id identity(spirv_emit *e, const mod_reduce *r)
{
    return spirv_const(e, r->type, spirv_identity(r->op, r->type));
}

static spirv_id fold2(spirv_emit *e, const mod_reduce *r, spirv_id a, spirv_id b)
{
    return spirv_scalar(e, r->op, r->type, r->type, a, b, 0);
}

static void store(spirv_emit *e, spirv_id var, spirv_id value)
{
    uint32_t operands[2] = { var, value };

    spirv_line(e, SPIRV_Store, operands, 2);
}

/* ---- in the body: the parts of one iteration, private variables ---- */

static void declare_parts(spirv_emit *e)
{
    e->parts = arena_new(e->arena, spirv_task_row(e)->reduce_count * sizeof *e->parts);
    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++)
        e->parts[r] = spirv_global(e, SPIRV_PRIVATE, held(e, &spirv_task_row(e)->reduces[r]), 0);
}

void spirv_reduce_op(spirv_emit *e, const ir_op *op)
{
    if (!e->parts || op->index >= spirv_task_row(e)->reduce_count || e->func->kind != IR_TASK) {
        spirv_wrong(e, "a reduction that does not exist");
        return;
    }
    const mod_reduce *r = &spirv_task_row(e)->reduces[op->index];
    spirv_id old = spirv_make1(e, SPIRV_Load, held(e, r), e->parts[op->index]);
    store(e, e->parts[op->index], fold2(e, r, old, spirv_value(e, op->in[0])));
}

/* ---- the lanes of a workgroup ---- */

static void barrier(spirv_emit *e, uint32_t memory)
{
    uint32_t operands[3] = { spirv_u32(e, SPIRV_SCOPE_WORKGROUP),
                             spirv_u32(e, SPIRV_SCOPE_WORKGROUP),
                             spirv_u32(e, SPIRV_ACQUIRE_RELEASE | memory) };

    spirv_line(e, SPIRV_ControlBarrier, operands, 3);
}

static spirv_id lane_ptr(spirv_emit *e, spirv_base base, spirv_id lane)
{
    spirv_id type = spirv_type_ptr(e, SPIRV_WORKGROUP, spirv_type(e, base));

    if (e->lanes[base] == 0) {
        uint32_t shape[2] = { spirv_type(e, base), spirv_u32(e, LANES) };
        e->lanes[base] =
            spirv_global(e, SPIRV_WORKGROUP, spirv_intern(e, SPIRV_TypeArray, 0, shape, 2), 0);
    }
    return spirv_make2(e, SPIRV_AccessChain, type, e->lanes[base], lane);
}

/* fold(value): l = l op l + 32, then l + 16 ... l + 1. Lane 0 gets the result; all lanes call. */
void spirv_fold(spirv_emit *e, const spirv_function *f)
{
    mod_reduce row = { .op = f->op, .type = f->type };
    spirv_base base = spirv_bits_base(f->type);
    spirv_id type = held(e, &row), whole = spirv_type(e, base), value;

    spirv_function_begin(e, f->id, type, &type, &value, 1, "fold");
    spirv_id lane = spirv_lane(e);
    store(e, lane_ptr(e, base, lane), spirv_to_bits(e, f->type, value));
    for (uint32_t half = LANES / 2; half > 0; half /= 2) {
        spirv_id yes = spirv_new(e), merge = spirv_new(e);
        barrier(e, SPIRV_WORKGROUP_MEMORY);
        spirv_branch_if(e, spirv_test(e, SPIRV_ULessThan, lane, spirv_u32(e, half)), yes, merge,
                        merge);
        spirv_block_begin(e, yes);
        spirv_id mine = lane_ptr(e, base, lane);
        spirv_id other = lane_ptr(
            e, base,
            spirv_make2(e, SPIRV_IAdd, spirv_type(e, SPIRV_U32), lane, spirv_u32(e, half)));
        spirv_id a = spirv_from_bits(e, f->type, spirv_make1(e, SPIRV_Load, whole, mine));
        spirv_id b = spirv_from_bits(e, f->type, spirv_make1(e, SPIRV_Load, whole, other));
        store(e, mine, spirv_to_bits(e, f->type, fold2(e, &row, a, b)));
        spirv_block_begin(e, merge);
    }
    barrier(e, SPIRV_WORKGROUP_MEMORY);
    spirv_id last = spirv_make1(e, SPIRV_Load, whole, lane_ptr(e, base, spirv_u32(e, 0)));
    barrier(e, SPIRV_WORKGROUP_MEMORY); /* the lanes are used again */
    spirv_return(e, spirv_from_bits(e, f->type, last));
    spirv_function_end(e);
}

static spirv_id fold_lanes(spirv_emit *e, const mod_reduce *r, spirv_id value)
{
    spirv_id f =
        spirv_function_of(e, (spirv_function){ .kind = SPIRV_FOLD, .op = r->op, .type = r->type });

    return spirv_make2(e, SPIRV_FunctionCall, held(e, r), f, value);
}

/* ---- block results: 8 bytes each, the value's bits in the low ones ---- */

/* The address of result r of a block. */
static spirv_id result_at(spirv_emit *e, spirv_id partials, spirv_id block, uint32_t r)
{
    spirv_id bytes =
        spirv_mul64(e, block, spirv_u64(e, 8 * (uint64_t)spirv_task_row(e)->reduce_count));

    return spirv_add_bytes(e, spirv_add64(e, partials, bytes), 8 * (uint64_t)r);
}

/* 8-bit and 16-bit results are stored as words: no narrow storage is needed for them. */
static scalar_type stored_type(scalar_type type)
{
    return spirv_bits_base(type) == SPIRV_U64 ? SCALAR_u64 : SCALAR_u32;
}

static void store_result(spirv_emit *e, const mod_reduce *r, spirv_id address, spirv_id value)
{
    spirv_store_at(e, stored_type(r->type), address, spirv_to_bits(e, r->type, value), true);
}

static spirv_id load_result(spirv_emit *e, const mod_reduce *r, spirv_id address)
{
    return spirv_from_bits(e, r->type, spirv_load_at(e, stored_type(r->type), address, true));
}

/* Runs what follows, up to lane_zero_end, on lane 0 alone. */
static spirv_id lane_zero_begin(spirv_emit *e, spirv_id lane)
{
    spirv_id yes = spirv_new(e), merge = spirv_new(e);

    spirv_branch_if(e, spirv_test(e, SPIRV_IEqual, lane, spirv_u32(e, 0)), yes, merge, merge);
    spirv_block_begin(e, yes);
    return merge;
}

/* ---- main ---- */

typedef struct lane_sums {
    spirv_id *vars, *values;
} lane_sums;

static lane_sums sums_new(spirv_emit *e)
{
    uint32_t count = spirv_task_row(e)->reduce_count;
    lane_sums s = { arena_new(e->arena, count * sizeof *s.vars),
                    arena_new(e->arena, count * sizeof *s.values) };

    for (uint32_t r = 0; r < count; r++)
        s.vars[r] = spirv_variable(e, held(e, &spirv_task_row(e)->reduces[r]), 0);
    return s;
}

/* One iteration: its parts start at the identity, and join the lane's sums. */
static void iteration(spirv_emit *e, const lane_sums *s, spirv_id flat, uint32_t *operands,
                      uint32_t count)
{
    spirv_id coordinates[MOD_MAX_AXES];

    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++)
        store(e, e->parts[r], identity(e, &spirv_task_row(e)->reduces[r]));
    spirv_coordinates(e, flat, coordinates);
    spirv_call_body(e, operands, count, NULL, coordinates);
    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++) {
        const mod_reduce *row = &spirv_task_row(e)->reduces[r];
        spirv_id sum = spirv_make1(e, SPIRV_Load, held(e, row), s->vars[r]);
        spirv_id part = spirv_make1(e, SPIRV_Load, held(e, row), e->parts[r]);
        store(e, s->vars[r], fold2(e, row, sum, part));
    }
}

static void lane_iterations(spirv_emit *e, const lane_sums *s, spirv_id base, spirv_id end)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), at = spirv_variable(e, u64, 0);
    spirv_id stop = spirv_add64(e, base, spirv_u64(e, BLOCK)), lane = spirv_lane(e);
    uint32_t count, *operands = spirv_body_operands(e, &count);
    spirv_own_loop loop;

    stop = spirv_make3(e, SPIRV_Select, u64, spirv_test(e, SPIRV_SLessThan, stop, end), stop, end);
    store(e, at, spirv_add64(e, base, spirv_wide(e, lane)));
    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++)
        store(e, s->vars[r], identity(e, &spirv_task_row(e)->reduces[r]));
    spirv_own_loop_begin(e, &loop);
    spirv_id flat = spirv_make1(e, SPIRV_Load, u64, at);
    spirv_own_loop_until(e, &loop, spirv_test(e, SPIRV_SGreaterThanEqual, flat, stop));
    iteration(e, s, flat, operands, count);
    store(e, at, spirv_add64(e, flat, spirv_u64(e, LANES)));
    spirv_own_loop_end(e, &loop);
}

static bool facts_fit(spirv_emit *e)
{
    const mod_task *task = spirv_task_row(e);

    if (task->rank > 0 && task->partial_offset != MOD_NONE &&
        task->partial_bytes == 8 * task->reduce_count)
        return true;
    e->status = SLIP_FAIL(
        SLIP_ERR_INTERNAL, "task %u reduces %u values over %u axes with %u bytes of partials",
        e->task->task->index, task->reduce_count, task->rank, task->partial_bytes);
    return false;
}

void spirv_reduce_main(spirv_emit *e)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), run = spirv_new(e), merge = spirv_new(e);

    spirv_main_begin(e);
    if (!facts_fit(e))
        return;
    declare_parts(e);
    lane_sums s = sums_new(e);
    spirv_id blocks =
        spirv_make2(e, SPIRV_IMul, u64, spirv_wide(e, spirv_group_number(e)), spirv_u64(e, BLOCK));
    spirv_id base = spirv_add64(e, spirv_push_u64(e, 0), blocks), end = spirv_push_u64(e, 8);
    spirv_branch_if(e, spirv_test(e, SPIRV_SLessThan, base, end), run, merge, merge);
    spirv_block_begin(e, run);
    lane_iterations(e, &s, base, end);
    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++) {
        const mod_reduce *row = &spirv_task_row(e)->reduces[r];
        spirv_id sum = spirv_make1(e, SPIRV_Load, held(e, row), s.vars[r]);
        s.values[r] = fold_lanes(e, row, sum);
    }
    spirv_id after = lane_zero_begin(e, spirv_lane(e));
    spirv_id partials = spirv_block_u64(e, spirv_task_row(e)->partial_offset);
    spirv_id block = spirv_make2(e, SPIRV_ShiftRightLogical, u64, base, spirv_u32(e, 10));
    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++)
        store_result(e, &spirv_task_row(e)->reduces[r], result_at(e, partials, block, r),
                     s.values[r]);
    spirv_block_begin(e, after);
    spirv_block_begin(e, merge);
    spirv_main_end(e);
}

_Static_assert(BLOCK == 1 << 10, "blocks are found by a shift");

/* ---- finish ---- */

/* Blocks that hold `count` things. */
static spirv_id blocks_of(spirv_emit *e, spirv_id count)
{
    return spirv_make2(e, SPIRV_ShiftRightLogical, spirv_type(e, SPIRV_U64),
                       spirv_add64(e, count, spirv_u64(e, BLOCK - 1)), spirv_u32(e, 10));
}

typedef struct level {
    spirv_id partials, lane, count; /* of results on this level */
    lane_sums sums;
} level;

/* This lane's results of group g, in rising order; then all lanes'; result g of the next level. */
static void level_group(spirv_emit *e, const level *l, spirv_id g)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), at = spirv_variable(e, u64, 0);
    uint32_t reductions = spirv_task_row(e)->reduce_count;
    spirv_id base = spirv_make2(e, SPIRV_ShiftLeftLogical, u64, g, spirv_u32(e, 10));
    spirv_id stop = spirv_add64(e, base, spirv_u64(e, BLOCK));
    spirv_own_loop loop;

    stop = spirv_make3(e, SPIRV_Select, u64, spirv_test(e, SPIRV_SLessThan, stop, l->count), stop,
                       l->count);
    store(e, at, spirv_add64(e, base, spirv_wide(e, l->lane)));
    for (uint32_t r = 0; r < reductions; r++)
        store(e, l->sums.vars[r], identity(e, &spirv_task_row(e)->reduces[r]));
    spirv_own_loop_begin(e, &loop);
    spirv_id k = spirv_make1(e, SPIRV_Load, u64, at);
    spirv_own_loop_until(e, &loop, spirv_test(e, SPIRV_SGreaterThanEqual, k, stop));
    for (uint32_t r = 0; r < reductions; r++) {
        const mod_reduce *row = &spirv_task_row(e)->reduces[r];
        spirv_id sum = spirv_make1(e, SPIRV_Load, held(e, row), l->sums.vars[r]);
        spirv_id result = load_result(e, row, result_at(e, l->partials, k, r));
        store(e, l->sums.vars[r], fold2(e, row, sum, result));
    }
    store(e, at, spirv_add64(e, k, spirv_u64(e, LANES)));
    spirv_own_loop_end(e, &loop);
    for (uint32_t r = 0; r < reductions; r++) {
        const mod_reduce *row = &spirv_task_row(e)->reduces[r];
        spirv_id sum = spirv_make1(e, SPIRV_Load, held(e, row), l->sums.vars[r]);
        l->sums.values[r] = fold_lanes(e, row, sum);
    }
    spirv_id after = lane_zero_begin(e, l->lane);
    for (uint32_t r = 0; r < reductions; r++)
        store_result(e, &spirv_task_row(e)->reduces[r], result_at(e, l->partials, g, r),
                     l->sums.values[r]);
    spirv_block_begin(e, after);
}

/* All groups of a level, one after another: a result is written where only this group reads. */
static void one_level(spirv_emit *e, const level *l, spirv_id groups)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), var = spirv_variable(e, u64, 0);
    spirv_own_loop loop;

    store(e, var, spirv_u64(e, 0));
    spirv_own_loop_begin(e, &loop);
    spirv_id g = spirv_make1(e, SPIRV_Load, u64, var);
    spirv_own_loop_until(e, &loop, spirv_test(e, SPIRV_SGreaterThanEqual, g, groups));
    level_group(e, l, g);
    store(e, var, spirv_add64(e, g, spirv_u64(e, 1)));
    spirv_own_loop_end(e, &loop);
    barrier(e, SPIRV_UNIFORM_MEMORY); /* the next level reads what lane 0 wrote */
}

/* cell = cell op the one result left */
static void cells_take(spirv_emit *e, const level *l)
{
    spirv_id cells = spirv_cells(e);

    for (uint32_t r = 0; r < spirv_task_row(e)->reduce_count; r++) {
        const mod_reduce *row = &spirv_task_row(e)->reduces[r];
        spirv_id cell = spirv_add_bytes(e, cells, row->cell);
        spirv_id result = load_result(e, row, spirv_add_bytes(e, l->partials, 8 * (uint64_t)r));
        spirv_id old = spirv_load_at(e, row->type, cell, false);
        spirv_store_at(e, row->type, cell, fold2(e, row, old, result), false);
    }
}

/* By one invocation: what stands before the fold, the cells take theirs, what stands behind. */
static void take_all(spirv_emit *e, const level *l, spirv_id any)
{
    const ir_finish_call *calls = e->task->task->calls;
    spirv_id after = lane_zero_begin(e, l->lane), fold = spirv_new(e), merge = spirv_new(e);

    if (calls[IR_FINISH_HEAD].func)
        spirv_finish_call(e, &calls[IR_FINISH_HEAD]);
    spirv_branch_if(e, any, fold, merge, merge);
    spirv_block_begin(e, fold);
    cells_take(e, l);
    spirv_block_begin(e, merge);
    if (calls[IR_FINISH_TAIL].func)
        spirv_finish_call(e, &calls[IR_FINISH_TAIL]);
    spirv_block_begin(e, after);
}

void spirv_reduce_finish(spirv_emit *e)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), var;
    spirv_own_loop loop;
    level l = { 0 };

    spirv_main_begin(e);
    if (!facts_fit(e))
        return;
    l.sums = sums_new(e);
    l.lane = spirv_lane(e);
    var = spirv_variable(e, u64, 0);
    spirv_id total = spirv_push_u64(e, 8);
    spirv_id any = spirv_test(e, SPIRV_SGreaterThan, total, spirv_u64(e, 0));
    l.partials = spirv_block_u64(e, spirv_task_row(e)->partial_offset);
    store(e, var, blocks_of(e, total));
    spirv_own_loop_begin(e, &loop);
    l.count = spirv_make1(e, SPIRV_Load, u64, var);
    spirv_own_loop_until(e, &loop, spirv_test(e, SPIRV_SLessThanEqual, l.count, spirv_u64(e, 1)));
    spirv_id groups = blocks_of(e, l.count);
    one_level(e, &l, groups);
    store(e, var, groups);
    spirv_own_loop_end(e, &loop);
    take_all(e, &l, any);
    spirv_main_end(e);
}
