/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_zero.c - sums, products and quotients with a zero that is known before the shader runs:
 * drivers are fond of dropping them, whatever NoContraction says.
 *
 * Mesa 22.3's llvmpipe takes x + 0 for x, 0 - x for -x and x * 0 for 0, NaN or not, where it has
 * found out that an operand is 0: a constant, or what a loop that it unrolled starts with. What is
 * 0 here is done by integers. What a driver may find out is hidden from it, unless the device's
 * self-test says that it may (base/numerics.h, ZEROS).
 */
#include "target/spirv_float.h"

enum { MOST_LEVELS = 8 };

/* ---- known here ------------------------------------------------------------------------------ */

/* 0 or -0, known when the shader is made. */
static bool is_zero_const(const spirv_emit *e, const spirv_float *f, spirv_id id, bool *minus)
{
    uint64_t bits;

    if (!spirv_const_bits(e, id, &bits) || (bits & (f->sign - 1)) != 0)
        return false;
    *minus = bits != 0;
    return true;
}

/* A zero times a, or divided by a: of the sign of both, or a NaN. */
static spirv_id signed_zero(spirv_emit *e, const spirv_float *f, spirv_id a, bool minus,
                            bool divides)
{
    spirv_id flag = spirv_type(e, SPIRV_BOOL), bits = spirv_to_whole(e, f, a);
    spirv_id size = spirv_masked(e, f, bits, f->sign - 1), none;
    spirv_id zero = spirv_masked(e, f, bits, f->sign);

    if (minus)
        zero = spirv_whole2(e, f, SPIRV_BitwiseXor, zero, spirv_whole(e, f, f->sign));
    if (divides)
        none = spirv_make2(e, SPIRV_LogicalOr, flag, spirv_whole_is_nan(e, f, bits),
                           spirv_make2(e, SPIRV_IEqual, flag, size, spirv_whole(e, f, 0)));
    else
        none = spirv_make2(e, SPIRV_UGreaterThanEqual, flag, size, spirv_whole(e, f, f->infinity));
    return spirv_to_float(
        e, f, spirv_make3(e, SPIRV_Select, f->whole, none, spirv_whole(e, f, f->nan), zero));
}

/* x + 0, which is x but for -0. */
static spirv_id plus_zero(spirv_emit *e, const spirv_float *f, spirv_id x)
{
    spirv_id odd = spirv_make2(e, SPIRV_IEqual, spirv_type(e, SPIRV_BOOL), spirv_to_whole(e, f, x),
                               spirv_whole(e, f, f->sign));

    return spirv_make3(e, SPIRV_Select, f->type, odd, spirv_const(e, f->scalar, 0), x);
}

static spirv_id negated(spirv_emit *e, const spirv_float *f, spirv_id x)
{
    return spirv_to_float(
        e, f,
        spirv_whole2(e, f, SPIRV_BitwiseXor, spirv_to_whole(e, f, x), spirv_whole(e, f, f->sign)));
}

spirv_id spirv_with_zero(spirv_emit *e, scalar_op op, const spirv_float *f, const spirv_id *in)
{
    bool minus;

    for (int k = 0; k < 2; k++) {
        spirv_id other = in[1 - k];
        if (!is_zero_const(e, f, in[k], &minus))
            continue;
        switch ((int)op) {
        case SCALAR_OP_add:
            return minus ? other : plus_zero(e, f, other);
        case SCALAR_OP_sub:
            if (k == 1)
                return minus ? plus_zero(e, f, other) : other;
            other = negated(e, f, other);
            return minus ? other : plus_zero(e, f, other);
        case SCALAR_OP_mul:
            return signed_zero(e, f, other, minus, false);
        case SCALAR_OP_div:
            return k == 0 ? signed_zero(e, f, other, minus, true) : 0;
        }
    }
    return 0;
}

/* ---- known to the driver --------------------------------------------------------------------- */

/* 0 that no driver can see through, unless it may. Made at the function's start. The top bit of
 * `first` is 0 (module.h). */
static spirv_id unseen_zero(spirv_emit *e, numeric may)
{
    const spirv_id word = spirv_type(e, SPIRV_U32);

    if (e->unseen[may] == 0) {
        const spirv_words body = spirv_start_begin(e);
        spirv_id zero =
            spirv_make2(e, SPIRV_ShiftRightLogical, word, spirv_push_u32(e, 4), spirv_u32(e, 31));
        e->unseen[may] =
            spirv_make3(e, SPIRV_Select, word, spirv_numeric(e, may), spirv_u32(e, 0), zero);
        spirv_start_end(e, body);
    }
    return e->unseen[may];
}

spirv_id spirv_unseen(spirv_emit *e, scalar_type type, numeric may, spirv_id a)
{
    const spirv_float f = spirv_float_of(e, type);
    spirv_id zero = unseen_zero(e, may);

    if (f.width == 64)
        zero = spirv_make1(e, SPIRV_UConvert, f.whole, zero);
    return spirv_to_float(e, &f,
                          spirv_whole2(e, &f, SPIRV_BitwiseXor, spirv_to_whole(e, &f, a), zero));
}

static bool all_may_be_known(const spirv_emit *e, const ir_op *op, uint32_t levels);

/* A variable of one float: what is stored to it is hidden (spirv_hidden_in). */
static bool is_float_var(const ir_op *ptr)
{
    const ir_type *type = ptr->code == IR_var ? ptr->type->elem : NULL;

    return type && type->kind == IR_SCALAR && scalar_types[type->scalar].is_float;
}

/* Can a driver that inlines and unrolls find out that the value is 0? Not if a load from an array
 * or a task's argument goes into it, but by way of a choice. */
static bool may_be_known(const spirv_emit *e, const ir_op *op, uint32_t levels)
{
    if (levels == 0)
        return true;
    switch ((int)op->code) {
    case IR_const:
        return true; /* of a value that is made of it */
    case IR_param:
        return e->func->kind != IR_TASK;
    case IR_arg:
    case IR_atomic:
    case IR_update:
    case IR_cas:
        return false;
    case IR_load: /* of a table: where its index is known */
        return (op->in[0]->type->space == IR_LOCAL && !is_float_var(op->in[0])) ||
               (op->in[0]->type->space == IR_TABLE_SPACE && may_be_known(e, op->in[0], levels - 1));
    case IR_select:
        return may_be_known(e, op->in[1], levels - 1) || may_be_known(e, op->in[2], levels - 1);
    case IR_if:
    case IR_call:
    case IR_undef:
        return true;
    }
    if ((ir_codes[op->code].flags & (IR_PURE | IR_PLACE)) == 0)
        return true;
    /* integers: one operand that is known may be enough, as in 0 >> x */
    bool any = op->in_count > 0 && op->type->kind == IR_SCALAR &&
               !scalar_types[op->type->scalar].is_float &&
               !scalar_types[op->in[0]->type->scalar].is_float;
    for (uint32_t k = 0; any && k < op->in_count; k++)
        if (may_be_known(e, op->in[k], levels - 1))
            return true;
    return !any && all_may_be_known(e, op, levels - 1);
}

static bool all_may_be_known(const spirv_emit *e, const ir_op *op, uint32_t levels)
{
    for (uint32_t k = 0; k < op->in_count; k++)
        if (!may_be_known(e, op->in[k], levels))
            return false;
    return true;
}

spirv_id spirv_hidden(spirv_emit *e, const ir_op *value, spirv_id id)
{
    uint64_t bits;

    if (spirv_const_bits(e, id, &bits) || spirv_refines(e) || !may_be_known(e, value, MOST_LEVELS))
        return id;
    return spirv_unseen(e, value->type->scalar, NUMERIC_ZEROS, id);
}

spirv_id spirv_hidden_in(spirv_emit *e, const ir_op *ptr, const ir_op *value, spirv_id id)
{
    uint64_t bits;

    if (!is_float_var(ptr) || spirv_refines(e) ||
        (!spirv_const_bits(e, id, &bits) && !may_be_known(e, value, MOST_LEVELS)))
        return id;
    return spirv_unseen(e, value->type->scalar, NUMERIC_ZEROS, id);
}
