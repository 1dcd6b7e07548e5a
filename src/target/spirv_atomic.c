/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spirv_atomic.c - updates that iterations may share: native where one instruction gives C's
 * result, else a loop of compare and exchange. All are relaxed and of device scope (SPIR-V 1.5,
 * 3.27: Device; memory semantics None).
 *
 * Floats compare by their bits, so a NaN or a zero of the other sign cannot loop for ever. 8-bit
 * and 16-bit scalars are exchanged as parts of the aligned word that holds them.
 */
#include "target/spirv_emit.h"

/* Where a scalar is exchanged: a word or 64 bits, of which it is all or a part. */
typedef struct cell {
    scalar_type type;
    spirv_base base;
    spirv_id held;  /* the type of what is exchanged */
    spirv_id ptr;   /* SPIR-V's */
    spirv_id shift; /* of a part, a word; 0: all of it */
} cell;

static cell cell_of(spirv_emit *e, scalar_type type, spirv_id address)
{
    spirv_id u32 = spirv_type(e, SPIRV_U32);
    cell c = { .type = type, .base = spirv_bits_base(type) };

    c.held = spirv_type(e, c.base);
    if (c.base == SPIRV_U64)
        spirv_need(e, MOD_NEED_ATOMIC64);
    if (scalar_types[type].bytes < 4) {
        spirv_id low = spirv_make1(e, SPIRV_UConvert, u32, address);
        low = spirv_make2(e, SPIRV_BitwiseAnd, u32, low, spirv_u32(e, 3));
        c.shift = spirv_make2(e, SPIRV_ShiftLeftLogical, u32, low, spirv_u32(e, 3));
        address = spirv_make2(e, SPIRV_BitwiseAnd, spirv_type(e, SPIRV_U64), address,
                              spirv_u64(e, ~UINT64_C(3)));
    }
    c.ptr = spirv_pointer(e, c.base, address);
    return c;
}

static uint32_t part_mask(const cell *c)
{
    return scalar_types[c->type].bytes == 1 ? 0xff : 0xffff;
}

/* The value in what was seen. */
static spirv_id value_in(spirv_emit *e, const cell *c, spirv_id seen)
{
    if (c->shift) {
        seen = spirv_make2(e, SPIRV_ShiftRightLogical, c->held, seen, c->shift);
        seen = spirv_narrow(e, c->type == SCALAR_bool ? SCALAR_u8 : c->type, seen);
    }
    return spirv_from_bits(e, c->type, seen);
}

/* What was seen, with the value in it. */
static spirv_id with_value(spirv_emit *e, const cell *c, spirv_id seen, spirv_id value)
{
    value = spirv_to_bits(e, c->type, value);
    if (!c->shift)
        return value;
    spirv_id mask =
        spirv_make2(e, SPIRV_ShiftLeftLogical, c->held, spirv_u32(e, part_mask(c)), c->shift);
    spirv_id others =
        spirv_make2(e, SPIRV_BitwiseAnd, c->held, seen, spirv_make1(e, SPIRV_Not, c->held, mask));
    value = spirv_make2(e, SPIRV_BitwiseAnd, c->held, value, spirv_u32(e, part_mask(c)));
    value = spirv_make2(e, SPIRV_ShiftLeftLogical, c->held, value, c->shift);
    return spirv_make2(e, SPIRV_BitwiseOr, c->held, others, value);
}

static spirv_id look(spirv_emit *e, const cell *c)
{
    return spirv_make3(e, SPIRV_AtomicLoad, c->held, c->ptr, spirv_u32(e, SPIRV_SCOPE_DEVICE),
                       spirv_u32(e, 0));
}

static spirv_id exchange_if(spirv_emit *e, const cell *c, spirv_id seen, spirv_id next)
{
    uint32_t operands[6] = {
        c->ptr, spirv_u32(e, SPIRV_SCOPE_DEVICE), spirv_u32(e, 0), spirv_u32(e, 0), next, seen
    };

    return spirv_make(e, SPIRV_AtomicCompareExchange, c->held, operands, 6);
}

spirv_id spirv_load_relaxed(spirv_emit *e, scalar_type type, spirv_id address)
{
    cell c = cell_of(e, type, address);

    return value_in(e, &c, look(e, &c));
}

/* ---- loops of attempts ---- */

typedef struct attempt {
    cell at;
    spirv_id var, seen; /* what memory held when last looked at */
    spirv_own_loop loop;
} attempt;

/* The old value of this attempt. */
static spirv_id attempt_begin(spirv_emit *e, attempt *a, scalar_type type, spirv_id address)
{
    a->at = cell_of(e, type, address);
    a->var = spirv_variable(e, a->at.held, 0);
    uint32_t first[2] = { a->var, look(e, &a->at) };
    spirv_line(e, SPIRV_Store, first, 2);
    spirv_own_loop_begin(e, &a->loop);
    a->seen = spirv_make1(e, SPIRV_Load, a->at.held, a->var);
    return value_in(e, &a->at, a->seen);
}

static void attempt_end(spirv_emit *e, attempt *a, spirv_id value)
{
    spirv_id next = with_value(e, &a->at, a->seen, value);
    uint32_t now[2] = { a->var, exchange_if(e, &a->at, a->seen, next) };

    spirv_line(e, SPIRV_Store, now, 2);
    spirv_own_loop_until(e, &a->loop,
                         spirv_make2(e, SPIRV_IEqual, spirv_type(e, SPIRV_BOOL), now[1], a->seen));
    spirv_own_loop_end(e, &a->loop);
}

/* ---- the ops ---- */

static void update(spirv_emit *e, const ir_op *op)
{
    spirv_place p = spirv_place_of(e, op->in[0]);
    const ir_op *old = op->regions[0]->args[0];
    spirv_id before;
    attempt a;

    if (p.kind == SPIRV_AT_LOCAL) {
        before = spirv_place_load(e, &p);
        spirv_set(e, old, before);
        spirv_place_store(e, &p, spirv_region_value(e, op->regions[0]));
    } else {
        before = attempt_begin(e, &a, op->type->scalar, p.base);
        spirv_set(e, old, before);
        attempt_end(e, &a, spirv_region_value(e, op->regions[0]));
    }
    spirv_set(e, op, before);
}

/* 0 where no instruction gives the language's result. */
static spirv_op native_op(scalar_op op, scalar_type type)
{
    bool is_signed = scalar_types[type].is_signed;

    if (scalar_types[type].bytes < 4)
        return (spirv_op)0;
    if (op == SCALAR_OP_COUNT)
        return SPIRV_AtomicExchange;
    if (scalar_types[type].is_float)
        return (spirv_op)0;
    switch ((int)op) {
    case SCALAR_OP_add:
        return SPIRV_AtomicIAdd;
    case SCALAR_OP_sub:
        return SPIRV_AtomicISub;
    case SCALAR_OP_and:
        return SPIRV_AtomicAnd;
    case SCALAR_OP_or:
        return SPIRV_AtomicOr;
    case SCALAR_OP_xor:
        return SPIRV_AtomicXor;
    case SCALAR_OP_min:
        return is_signed ? SPIRV_AtomicSMin : SPIRV_AtomicUMin;
    case SCALAR_OP_max:
        return is_signed ? SPIRV_AtomicSMax : SPIRV_AtomicUMax;
    }
    return (spirv_op)0;
}

static spirv_id apply(spirv_emit *e, const ir_op *op, spirv_id old, spirv_id value)
{
    scalar_type type = op->type->scalar;

    if (op->scalar == SCALAR_OP_COUNT)
        return value;
    return spirv_scalar(e, op->scalar, type, type, old, value, 0);
}

static void atomic(spirv_emit *e, const ir_op *op)
{
    spirv_place p = spirv_place_of(e, op->in[0]);
    scalar_type type = op->type->scalar;
    spirv_op native = native_op(op->scalar, type);
    spirv_id value = spirv_value(e, op->in[1]), old;
    attempt a;

    if (p.kind == SPIRV_AT_LOCAL) {
        old = spirv_place_load(e, &p);
        spirv_place_store(e, &p, apply(e, op, old, value));
    } else if (native) {
        cell c = cell_of(e, type, p.base);
        uint32_t operands[4] = { c.ptr, spirv_u32(e, SPIRV_SCOPE_DEVICE), spirv_u32(e, 0),
                                 spirv_to_bits(e, type, value) };
        old = value_in(e, &c, spirv_make(e, native, c.held, operands, 4));
    } else {
        old = attempt_begin(e, &a, type, p.base);
        attempt_end(e, &a, apply(e, op, old, value));
    }
    spirv_set(e, op, old);
}

/* The desired value where the old one is as expected, else the old one: in an attempt the latter
 * writes what is there, which no other iteration can tell from not writing. */
static void compare_exchange(spirv_emit *e, const ir_op *op)
{
    spirv_place p = spirv_place_of(e, op->in[0]);
    scalar_type type = op->type->scalar;
    spirv_id expected = spirv_value(e, op->in[1]), desired = spirv_value(e, op->in[2]), old;
    bool is_local = p.kind == SPIRV_AT_LOCAL;
    attempt a;

    if (!is_local && scalar_types[type].bytes >= 4) {
        cell c = cell_of(e, type, p.base);
        spirv_set(e, op, exchange_if(e, &c, expected, desired));
        return;
    }
    old = is_local ? spirv_place_load(e, &p) : attempt_begin(e, &a, type, p.base);
    spirv_id same = spirv_scalar(e, SCALAR_OP_eq, SCALAR_bool, type, old, expected, 0);
    spirv_id next = spirv_scalar(e, SCALAR_OP_select, type, type, same, desired, old);
    if (is_local)
        spirv_place_store(e, &p, next);
    else
        attempt_end(e, &a, next);
    spirv_set(e, op, old);
}

void spirv_atomic(spirv_emit *e, const ir_op *op)
{
    if (op->code == IR_update)
        update(e, op);
    else if (op->code == IR_atomic)
        atomic(e, op);
    else if (op->code == IR_cas)
        compare_exchange(e, op);
}
