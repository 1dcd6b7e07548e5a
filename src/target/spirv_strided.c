/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_strided.c - an invocation that walks on by the whole grid. Coordinates are stepped with
 * carries, so that only the first ones are divided (LANGUAGE rule 9).
 */
#include "target/spirv_wide.h"

typedef struct strides {
    spirv_id lo[MOD_MAX_AXES], count[MOD_MAX_AXES];
    spirv_id step[MOD_MAX_AXES]; /* of the coordinates, for one walk of the grid */
    spirv_id vars[MOD_MAX_AXES]; /* the coordinates */
} strides;

static spirv_id bound(spirv_emit *e, uint32_t axis, uint32_t cell, uint32_t offset)
{
    scalar_type type = spirv_task_row(e)->axes[axis].type;
    scalar_type whole = scalar_types[type].is_signed ? SCALAR_i64 : SCALAR_u64;

    if (cell == MOD_NONE)
        return spirv_block_u64(e, 16 * axis + offset);
    spirv_id value = spirv_load_at(e, type, spirv_add_bytes(e, spirv_cells(e), cell), false);
    return spirv_convert(e, whole, type, value);
}

/* max(hi - lo, 0) of an axis with a bound in a cell; else what the block says. */
static spirv_id count_of(spirv_emit *e, uint32_t axis, spirv_id lo)
{
    const mod_axis *a = &spirv_task_row(e)->axes[axis];
    bool is_signed = scalar_types[a->type].is_signed;
    spirv_id hi = bound(e, axis, a->hi_cell, 8);

    if (a->lo_cell == MOD_NONE && a->hi_cell == MOD_NONE)
        return hi;
    spirv_id some = spirv_test(e, is_signed ? SPIRV_SLessThan : SPIRV_ULessThan, lo, hi);
    return spirv_make3(e, SPIRV_Select, spirv_type(e, SPIRV_U64), some, spirv_sub64(e, hi, lo),
                       spirv_u64(e, 0));
}

/* Bounds of the axes; the total. */
static spirv_id bounds(spirv_emit *e, strides *s)
{
    spirv_id total = 0;

    for (uint32_t k = 0; k < spirv_task_row(e)->rank; k++) {
        s->lo[k] = bound(e, k, spirv_task_row(e)->axes[k].lo_cell, 0);
        s->count[k] = count_of(e, k, s->lo[k]);
        total = total ? spirv_mul64(e, total, s->count[k]) : s->count[k];
    }
    return total;
}

/* A number of iterations as coordinates, by divisions. */
static void split(spirv_emit *e, const strides *s, spirv_id flat, spirv_id out[MOD_MAX_AXES])
{
    for (uint32_t k = spirv_task_row(e)->rank; k-- > 1;) {
        spirv_id q = spirv_integer(e, SCALAR_OP_div, SCALAR_u64, flat, s->count[k]);
        out[k] = spirv_sub64(e, flat, spirv_mul64(e, q, s->count[k]));
        flat = q;
    }
    out[0] = flat;
}

static void store(spirv_emit *e, spirv_id var, spirv_id value)
{
    uint32_t operands[2] = { var, value };

    spirv_line(e, SPIRV_Store, operands, 2);
}

static spirv_id load(spirv_emit *e, spirv_id var)
{
    return spirv_make1(e, SPIRV_Load, spirv_type(e, SPIRV_U64), var);
}

/* All coordinates by their steps, with a carry where one has come past its count. */
static void advance(spirv_emit *e, const strides *s, const spirv_id *now)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), carry = 0;

    for (uint32_t k = spirv_task_row(e)->rank; k-- > 0;) {
        spirv_id next = spirv_add64(e, now[k], s->step[k]);
        if (carry)
            next = spirv_add64(e, next, carry);
        if (k > 0) {
            spirv_id past = spirv_test(e, SPIRV_UGreaterThanEqual, next, s->count[k]);
            carry = spirv_make3(e, SPIRV_Select, u64, past, spirv_u64(e, 1), spirv_u64(e, 0));
            next = spirv_make3(e, SPIRV_Select, u64, past, spirv_sub64(e, next, s->count[k]), next);
        }
        store(e, s->vars[k], next);
    }
}

void spirv_strided(spirv_emit *e)
{
    spirv_id u64 = spirv_type(e, SPIRV_U64), now[MOD_MAX_AXES], at[MOD_MAX_AXES];
    uint32_t rank = spirv_task_row(e)->rank, count, *operands;
    spirv_own_loop loop;
    strides s = { 0 };

    spirv_id total = bounds(e, &s), flat = spirv_invocation(e);
    spirv_id grid = spirv_invocations(e);
    operands = spirv_body_operands(e, &count);
    split(e, &s, flat, at);
    split(e, &s, grid, s.step);
    spirv_id walked = spirv_variable(e, u64, 0);
    store(e, walked, flat);
    for (uint32_t k = 0; k < rank; k++) {
        s.vars[k] = spirv_variable(e, u64, 0);
        store(e, s.vars[k], at[k]);
    }
    spirv_own_loop_begin(e, &loop);
    spirv_id pos = load(e, walked);
    spirv_own_loop_until(e, &loop, spirv_test(e, SPIRV_SGreaterThanEqual, pos, total));
    for (uint32_t k = 0; k < rank; k++)
        now[k] = load(e, s.vars[k]);
    spirv_call_body(e, operands, count, s.lo, now);
    advance(e, &s, now);
    store(e, walked, spirv_add64(e, pos, grid));
    spirv_own_loop_end(e, &loop);
}
