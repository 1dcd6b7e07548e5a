/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_task.c - main of a task without reductions: which iterations an invocation runs.
 *
 * The body is a function of its own, called with the indices and the arguments. A plain shader runs
 * at most one iteration an invocation; a strided one (spirv_strided.c) walks on by the whole grid.
 */
#include "target/spirv_wide.h"

/* ---- what all mains begin with ---- */

/* WorkgroupSize is a specialisation constant where the number may be changed (SPIR-V 1.5, 3.21). */
static void declare_size(spirv_emit *e)
{
    spirv_words *w = &e->words[SPIRV_IN_GLOBALS];
    uint32_t number[3] = { spirv_type(e, SPIRV_U32), spirv_new(e), e->shader->local };
    uint32_t size[5] = { spirv_type(e, SPIRV_TRIPLE), spirv_new(e), number[1], spirv_u32(e, 1),
                         spirv_u32(e, 1) };

    spirv_words_put(w, SPIRV_SpecConstant, number, 3);
    spirv_decorate(e, number[1], SPIRV_DECORATE_SPEC_ID, SPEC_LOCAL);
    spirv_words_put(w, SPIRV_SpecConstantComposite, size, 5);
    spirv_decorate(e, size[1], SPIRV_DECORATE_BUILTIN, SPIRV_BUILTIN_WORKGROUP_SIZE);
    e->local_size = number[1];
}

void spirv_main_begin(spirv_emit *e)
{
    spirv_id run, off;

    e->main = spirv_new(e);
    spirv_function_begin(e, e->main, spirv_type(e, SPIRV_VOID), NULL, NULL, 0,
                         spirv_task_row(e)->name);
    if (!e->shader->local_fixed)
        declare_size(e);
    if (spirv_task_row(e)->predicate == MOD_NONE)
        return;
    run = spirv_new(e);
    off = spirv_new(e);
    spirv_id cell = spirv_add_bytes(e, spirv_cells(e), spirv_task_row(e)->predicate);
    spirv_id holds =
        spirv_test(e, SPIRV_INotEqual, spirv_load_at(e, SCALAR_u32, cell, false), spirv_u32(e, 0));
    spirv_branch_if(e, holds, run, off, run);
    spirv_block_begin(e, off);
    spirv_return(e, 0);
    spirv_block_begin(e, run);
}

void spirv_main_end(spirv_emit *e)
{
    if (e->open)
        spirv_return(e, 0);
    spirv_function_end(e);
}

static spirv_id local_size(spirv_emit *e)
{
    return e->local_size ? e->local_size : spirv_u32(e, e->shader->local);
}

static spirv_id part_of(spirv_emit *e, spirv_id triple, uint32_t k)
{
    return spirv_make2(e, SPIRV_CompositeExtract, spirv_type(e, SPIRV_U32), triple, k);
}

spirv_id spirv_group_number(spirv_emit *e)
{
    spirv_id u32 = spirv_type(e, SPIRV_U32);
    spirv_id at = spirv_builtin(e, &e->group, SPIRV_BUILTIN_WORKGROUP_ID, SPIRV_TRIPLE);
    spirv_id of = spirv_builtin(e, &e->group_count, SPIRV_BUILTIN_NUM_WORKGROUPS, SPIRV_TRIPLE);
    spirv_id number = part_of(e, at, 2);

    for (uint32_t k = 2; k-- > 0;) {
        number = spirv_make2(e, SPIRV_IMul, u32, number, part_of(e, of, k));
        number = spirv_make2(e, SPIRV_IAdd, u32, number, part_of(e, at, k));
    }
    return number;
}

spirv_id spirv_lane(spirv_emit *e)
{
    return spirv_builtin(e, &e->lane, SPIRV_BUILTIN_LOCAL_INDEX, SPIRV_U32);
}

/* ---- coordinates ---- */

static spirv_id axis_lo(spirv_emit *e, uint32_t axis)
{
    return spirv_block_u64(e, 16 * axis);
}

/* x / count, by the reciprocal at `at` in the push constants where x is small. */
void spirv_quotient(spirv_emit *e, spirv_id id)
{
    spirv_id u32 = spirv_type(e, SPIRV_U32), u64 = spirv_type(e, SPIRV_U64);
    spirv_id types[4] = { u64, u64, u32, u32 }, in[4];
    spirv_id divides = spirv_new(e), fits = spirv_new(e), merge = spirv_new(e);
    uint32_t members[2] = { u32, u32 };

    spirv_function_begin(e, id, u64, types, in, 4, "quotient");
    spirv_branch_if(e, spirv_test(e, SPIRV_IEqual, in[3], spirv_u32(e, 255)), divides, fits, merge);
    spirv_block_begin(e, divides);
    spirv_return(e, spirv_make2(e, SPIRV_UDiv, u64, in[0], in[1]));
    spirv_block_begin(e, fits);
    spirv_id x = spirv_make1(e, SPIRV_UConvert, u32, in[0]);
    spirv_id both = spirv_make2(e, SPIRV_UMulExtended,
                                spirv_intern(e, SPIRV_TypeStruct, 0, members, 2), x, in[2]);
    spirv_id high = spirv_make2(e, SPIRV_CompositeExtract, u32, both, 1);
    spirv_id power = spirv_test(e, SPIRV_IEqual, in[2], spirv_u32(e, 0));
    spirv_id whole = spirv_make3(e, SPIRV_Select, u32, power, x, high);
    spirv_return(e, spirv_wide(e, spirv_make2(e, SPIRV_ShiftRightLogical, u32, whole, in[3])));
    spirv_block_begin(e, merge);
    spirv_unreachable(e);
    spirv_function_end(e);
}

static spirv_id quotient(spirv_emit *e, spirv_id x, spirv_id count, uint32_t at)
{
    uint32_t operands[5] = { spirv_function_of(e, (spirv_function){ .kind = SPIRV_QUOTIENT }), x,
                             count, spirv_push_u32(e, at), spirv_push_u32(e, at + 4) };

    return spirv_make(e, SPIRV_FunctionCall, spirv_type(e, SPIRV_U64), operands, 5);
}

/* The coordinates of a flat iteration, by the reciprocals. */
void spirv_coordinates(spirv_emit *e, spirv_id flat, spirv_id out[MOD_MAX_AXES])
{
    uint32_t rank = spirv_task_row(e)->rank, at = MOD_SHADER_HEADER_BYTES;

    for (uint32_t k = rank; k-- > 1; at += 8) {
        spirv_id count = spirv_block_u64(e, 16 * k + 8);
        spirv_id q = quotient(e, flat, count, at);
        out[k] = spirv_sub64(e, flat, spirv_mul64(e, q, count));
        flat = q;
    }
    out[0] = flat;
}

/* lo + coordinate, in the axis' type */
static spirv_id index_at(spirv_emit *e, uint32_t axis, spirv_id lo, spirv_id coordinate)
{
    return spirv_convert(e, spirv_task_row(e)->axes[axis].type, SCALAR_u64,
                         spirv_add64(e, lo, coordinate));
}

static spirv_id argument(spirv_emit *e, const mod_arg *arg, const ir_type *type)
{
    scalar_type scalar = type->kind == IR_PTR ? SCALAR_u64 : type->scalar;
    spirv_id value = spirv_block_u64(e, arg->offset);

    if (scalar == SCALAR_u64 || scalar == SCALAR_i64)
        return value;
    if (scalar == SCALAR_bool)
        return spirv_convert(e, SCALAR_bool, SCALAR_u64, value);
    if (scalar == SCALAR_f64)
        return spirv_from_bits(e, scalar, value);
    return spirv_from_bits(e, scalar,
                           spirv_make1(e, SPIRV_UConvert, spirv_type(e, SPIRV_U32), value));
}

/* The arguments of the body behind the indices; the same for every iteration. */
static uint32_t arguments(spirv_emit *e, uint32_t *operands)
{
    const mod_task *task = spirv_task_row(e);
    uint32_t count = 0;

    for (uint32_t k = 0; k < task->arg_count; k++) {
        const ir_type *type = e->task->params[task->rank + k].op->type;
        if (type->kind != IR_PTR || type->space != IR_PARAM_SPACE)
            operands[count++] = argument(e, &task->args[k], type);
    }
    return count;
}

uint32_t *spirv_body_operands(spirv_emit *e, uint32_t *count)
{
    const mod_task *task = spirv_task_row(e);
    uint32_t *operands = arena_new(e->arena, (1 + task->rank + task->arg_count) * sizeof *operands);

    operands[0] = spirv_function_of(e, (spirv_function){ .kind = SPIRV_TASK, .func = e->task });
    *count = 1 + task->rank + arguments(e, operands + 1 + task->rank);
    return operands;
}

/* lo: per axis, 0 to read it from the block */
void spirv_call_body(spirv_emit *e, uint32_t *operands, uint32_t count, const spirv_id *lo,
                     const spirv_id *coordinates)
{
    for (uint32_t k = 0; k < spirv_task_row(e)->rank; k++)
        operands[1 + k] = index_at(e, k, lo ? lo[k] : axis_lo(e, k), coordinates[k]);
    spirv_make(e, SPIRV_FunctionCall, spirv_type(e, SPIRV_VOID), operands, count);
}

void spirv_finish_call(spirv_emit *e, const ir_finish_call *call)
{
    uint32_t *operands = arena_new(e->arena, (1 + call->arg_count) * sizeof *operands);
    const mod_task *task = spirv_task_row(e);

    operands[0] =
        spirv_function_of(e, (spirv_function){ .kind = SPIRV_HELPER, .func = call->func });
    for (uint32_t k = 0; k < call->arg_count; k++)
        operands[1 + k] = argument(e, &task->args[call->args[k]],
                                   e->task->params[task->rank + call->args[k]].op->type);
    spirv_make(e, SPIRV_FunctionCall, spirv_type(e, SPIRV_VOID), operands, 1 + call->arg_count);
}

/* ---- serial and plain tasks ---- */

static void serial(spirv_emit *e)
{
    uint32_t count, *operands = spirv_body_operands(e, &count);

    spirv_call_body(e, operands, count, NULL, NULL);
}

spirv_id spirv_invocation(spirv_emit *e)
{
    spirv_id number = spirv_wide(e, spirv_group_number(e));
    spirv_id first = spirv_mul64(e, number, spirv_wide(e, local_size(e)));

    return spirv_add64(e, first, spirv_wide(e, spirv_lane(e)));
}

spirv_id spirv_invocations(spirv_emit *e)
{
    spirv_id of = spirv_builtin(e, &e->group_count, SPIRV_BUILTIN_NUM_WORKGROUPS, SPIRV_TRIPLE);
    spirv_id grid = spirv_wide(e, local_size(e));

    for (uint32_t k = 0; k < 3; k++)
        grid = spirv_mul64(e, grid, spirv_wide(e, part_of(e, of, k)));
    return grid;
}

static void plain(spirv_emit *e)
{
    spirv_id coordinates[MOD_MAX_AXES], run = spirv_new(e), merge = spirv_new(e);
    spirv_id flat = spirv_add64(e, spirv_push_u64(e, 0), spirv_invocation(e));
    spirv_id inside = spirv_test(e, SPIRV_SLessThan, flat, spirv_push_u64(e, 8));
    uint32_t count, *operands;

    spirv_branch_if(e, inside, run, merge, merge);
    spirv_block_begin(e, run);
    operands = spirv_body_operands(e, &count);
    spirv_coordinates(e, flat, coordinates);
    spirv_call_body(e, operands, count, NULL, coordinates);
    spirv_block_begin(e, merge);
}

void spirv_task_main(spirv_emit *e)
{
    spirv_main_begin(e);
    if (spirv_task_row(e)->rank == 0)
        serial(e);
    else if (e->shader->strided)
        spirv_strided(e);
    else
        plain(e);
    spirv_main_end(e);
}
