/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_scalar.c - the scalar operations with the language's exact values (base/scalar.h).
 *
 * Integer arithmetic carries no nsw or nuw, and floats no fast-math flag: what C leaves open has
 * a value here. No operation may become a call that the image would have to import by itself.
 */
#include "target/llvm_emit.h"

#include <string.h>

const char *llvm_lanes_name(llvm_emit *e, scalar_type type, uint32_t lanes)
{
    if (lanes == 1)
        return llvm_scalar_name(type);
    return llvm_name(e, "<%u x %s>", lanes, llvm_scalar_name(type));
}

uint64_t llvm_identity(scalar_op op, scalar_type type)
{
    bool is_float = scalar_types[type].is_float, is_signed = scalar_types[type].is_signed;
    uint32_t width = 8u * scalar_types[type].bytes;
    uint64_t highest = UINT64_MAX >> (64 - width + (is_signed ? 1 : 0));

    if (is_float) {
        uint64_t nan = type == SCALAR_f32 ? 0x7fc00000 : 0x7ff8000000000000;
        uint64_t one = type == SCALAR_f32 ? 0x3f800000 : 0x3ff0000000000000;
        uint64_t minus_zero = type == SCALAR_f32 ? 0x80000000 : 0x8000000000000000;
        return op == SCALAR_OP_add ? minus_zero : op == SCALAR_OP_mul ? one : nan;
    }
    if (op == SCALAR_OP_mul)
        return 1;
    if (op == SCALAR_OP_and)
        return type == SCALAR_bool ? 1 : scalar_canonical(type, UINT64_MAX);
    if (op == SCALAR_OP_min)
        return highest;
    if (op == SCALAR_OP_max)
        return is_signed ? ~highest : 0;
    return 0; /* add or xor */
}

/* A two-operand instruction of one name. */
static void plain(llvm_emit *e, const char *dst, const char *name, llvm_scalar_op what,
                  const char *a, const char *b)
{
    llvm_line(e, "%s = %s %s %s, %s", dst, name, llvm_lanes_name(e, what.type, what.lanes), a, b);
}

/* "llvm.smin.v8i32" */
static void intrinsic(llvm_emit *e, const char *dst, const char *name, llvm_scalar_op what,
                      const char *a, const char *b)
{
    const char *type = llvm_lanes_name(e, what.type, what.lanes);
    const char *scalar = what.type == SCALAR_f32   ? "f32"
                         : what.type == SCALAR_f64 ? "f64"
                                                   : llvm_scalar_name(what.type);
    const char *suffix = what.lanes == 1 ? scalar : llvm_name(e, "v%u%s", what.lanes, scalar);

    if (b)
        llvm_line(e, "%s = call %s @%s.%s(%s %s, %s %s)", dst, type, name, suffix, type, a, type,
                  b);
    else
        llvm_line(e, "%s = call %s @%s.%s(%s %s)", dst, type, name, suffix, type, a);
}

/*
 * min: a < b ? a : b, then where they are equal the zeros' signs are joined, then a NaN in b loses.
 * (A NaN in a has lost in the first step.) max the same with > and the other zero.
 */
static void float_min_max(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a,
                          const char *b)
{
    bool least = what.op == SCALAR_OP_min;
    scalar_type bits = what.type == SCALAR_f32 ? SCALAR_i32 : SCALAR_i64;
    const char *type = llvm_lanes_name(e, what.type, what.lanes);
    const char *whole = llvm_lanes_name(e, bits, what.lanes);
    const char *flag = llvm_lanes_name(e, SCALAR_bool, what.lanes);
    const char *first = llvm_temp(e), *picked = llvm_temp(e), *same = llvm_temp(e);
    const char *ia = llvm_temp(e), *ib = llvm_temp(e), *joined = llvm_temp(e);
    const char *zero = llvm_temp(e), *known = llvm_temp(e), *lost = llvm_temp(e);

    llvm_line(e, "%s = fcmp %s %s %s, %s", first, least ? "olt" : "ogt", type, a, b);
    llvm_line(e, "%s = select %s %s, %s %s, %s %s", picked, flag, first, type, a, type, b);
    llvm_line(e, "%s = fcmp oeq %s %s, %s", same, type, a, b);
    llvm_line(e, "%s = bitcast %s %s to %s", ia, type, a, whole);
    llvm_line(e, "%s = bitcast %s %s to %s", ib, type, b, whole);
    llvm_line(e, "%s = %s %s %s, %s", joined, least ? "or" : "and", whole, ia, ib);
    llvm_line(e, "%s = bitcast %s %s to %s", zero, whole, joined, type);
    llvm_line(e, "%s = select %s %s, %s %s, %s %s", known, flag, same, type, zero, type, picked);
    llvm_line(e, "%s = fcmp uno %s %s, %s", lost, type, b, b);
    llvm_line(e, "%s = select %s %s, %s %s, %s %s", dst, flag, lost, type, a, type, known);
}

static void min_max(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a,
                    const char *b)
{
    bool least = what.op == SCALAR_OP_min, is_signed = scalar_types[what.type].is_signed;

    if (scalar_types[what.type].is_float)
        float_min_max(e, dst, what, a, b);
    else
        intrinsic(e, dst,
                  is_signed ? (least ? "llvm.smin" : "llvm.smax")
                            : (least ? "llvm.umin" : "llvm.umax"),
                  what, a, b);
}

/* x / 0 is 0, x % 0 is x, MIN / -1 wraps, MIN % -1 is 0: the divisor is made harmless, the result
 * chosen. */
static void int_div_rem(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a,
                        const char *b)
{
    const char *type = llvm_scalar_name(what.type);
    bool is_signed = scalar_types[what.type].is_signed, is_div = what.op == SCALAR_OP_div;
    const char *none = llvm_temp(e), *safe = llvm_temp(e), *raw = llvm_temp(e);

    llvm_line(e, "%s = icmp eq %s %s, 0", none, type, b);
    if (!is_signed) {
        llvm_line(e, "%s = select i1 %s, %s 1, %s %s", safe, none, type, type, b);
        llvm_line(e, "%s = %s %s %s, %s", raw, is_div ? "udiv" : "urem", type, a, safe);
    } else {
        const char *minus = llvm_temp(e), *odd = llvm_temp(e);
        llvm_line(e, "%s = icmp eq %s %s, -1", minus, type, b);
        llvm_line(e, "%s = or i1 %s, %s", odd, none, minus);
        llvm_line(e, "%s = select i1 %s, %s 1, %s %s", safe, odd, type, type, b);
        if (is_div) {
            const char *quotient = llvm_temp(e), *negated = llvm_temp(e);
            llvm_line(e, "%s = sdiv %s %s, %s", quotient, type, a, safe);
            llvm_line(e, "%s = sub %s 0, %s", negated, type, a);
            llvm_line(e, "%s = select i1 %s, %s %s, %s %s", raw, minus, type, negated, type,
                      quotient);
        } else {
            llvm_line(e, "%s = srem %s %s, %s", raw, type, a, safe);
        }
    }
    llvm_line(e, "%s = select i1 %s, %s %s, %s %s", dst, none, type, is_div ? "0" : a, type, raw);
}

static void div_rem(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a,
                    const char *b)
{
    if (!scalar_types[what.type].is_float) {
        int_div_rem(e, dst, what, a, b);
    } else if (what.op == SCALAR_OP_div) {
        plain(e, dst, "fdiv", what, a, b);
    } else {
        const char *operands[3] = { a, b, NULL };
        llvm_import_call(e, dst, MATHS_FMOD, what.type, 2, operands);
    }
}

static void shift(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a, const char *b)
{
    const char *count = llvm_temp(e), *type = llvm_scalar_name(what.type);
    const char *name = what.op == SCALAR_OP_shl            ? "shl"
                       : scalar_types[what.type].is_signed ? "ashr"
                                                           : "lshr";

    llvm_line(e, "%s = and %s %s, %u", count, type, b, 8u * scalar_types[what.type].bytes - 1);
    plain(e, dst, name, what, a, count);
}

static void compare(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a,
                    const char *b)
{
    static const char *const of_floats[4] = { "oeq", "une", "olt", "ole" };
    static const char *const of_signed[4] = { "eq", "ne", "slt", "sle" };
    static const char *const of_unsigned[4] = { "eq", "ne", "ult", "ule" };
    const scalar_type_row *row = &scalar_types[what.from];
    const char *const *names = row->is_float ? of_floats : row->is_signed ? of_signed : of_unsigned;

    llvm_line(e, "%s = %s %s %s %s, %s", dst, row->is_float ? "fcmp" : "icmp",
              names[what.op - SCALAR_OP_eq], llvm_scalar_name(what.from), a, b);
}

static void fused(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a, const char *b,
                  const char *c)
{
    const char *type = llvm_scalar_name(what.type);
    const char *operands[3] = { a, b, c };

    for (uint32_t k = 0; e->rows[k]; k++)
        e->levels_differ |= e->rows[k]->has_fma != e->row->has_fma;
    if (e->row->has_fma)
        llvm_line(e, "%s = call %s @llvm.fma.%s(%s %s, %s %s, %s %s)", dst, type,
                  what.type == SCALAR_f32 ? "f32" : "f64", type, a, type, b, type, c);
    else
        llvm_import_call(e, dst, MATHS_FMA, what.type, 3, operands);
}

static void negate(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a)
{
    const char *type = llvm_scalar_name(what.type);

    if (scalar_types[what.type].is_float)
        llvm_line(e, "%s = fneg %s %s", dst, type, a);
    else
        llvm_line(e, "%s = sub %s 0, %s", dst, type, a);
}

static void absolute(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a)
{
    const char *type = llvm_scalar_name(what.type);

    if (scalar_types[what.type].is_float)
        intrinsic(e, dst, "llvm.fabs", what, a, NULL);
    else if (scalar_types[what.type].is_signed)
        llvm_line(e, "%s = call %s @llvm.abs.%s(%s %s, i1 false)", dst, type, type, type, a);
    else
        llvm_line(e, "%s = add %s %s, 0", dst, type, a);
}

void llvm_scalar(llvm_emit *e, const char *dst, llvm_scalar_op what, const char *a, const char *b,
                 const char *c)
{
    bool is_float = scalar_types[what.type].is_float;

    switch (what.op) {
    case SCALAR_OP_add:
        plain(e, dst, is_float ? "fadd" : "add", what, a, b);
        break;
    case SCALAR_OP_sub:
        plain(e, dst, is_float ? "fsub" : "sub", what, a, b);
        break;
    case SCALAR_OP_mul:
        plain(e, dst, is_float ? "fmul" : "mul", what, a, b);
        break;
    case SCALAR_OP_div:
    case SCALAR_OP_rem:
        div_rem(e, dst, what, a, b);
        break;
    case SCALAR_OP_min:
    case SCALAR_OP_max:
        min_max(e, dst, what, a, b);
        break;
    case SCALAR_OP_and:
        plain(e, dst, "and", what, a, b);
        break;
    case SCALAR_OP_or:
        plain(e, dst, "or", what, a, b);
        break;
    case SCALAR_OP_xor:
        plain(e, dst, "xor", what, a, b);
        break;
    case SCALAR_OP_shl:
    case SCALAR_OP_shr:
        shift(e, dst, what, a, b);
        break;
    case SCALAR_OP_eq:
    case SCALAR_OP_ne:
    case SCALAR_OP_lt:
    case SCALAR_OP_le:
        compare(e, dst, what, a, b);
        break;
    case SCALAR_OP_neg:
        negate(e, dst, what, a);
        break;
    case SCALAR_OP_not:
        plain(e, dst, "xor", what, a, what.type == SCALAR_bool ? "true" : "-1");
        break;
    case SCALAR_OP_abs:
        absolute(e, dst, what, a);
        break;
    case SCALAR_OP_sqrt:
        intrinsic(e, dst, "llvm.sqrt", what, a, NULL);
        break;
    case SCALAR_OP_floor:
        intrinsic(e, dst, "llvm.floor", what, a, NULL);
        break;
    case SCALAR_OP_ceil:
        intrinsic(e, dst, "llvm.ceil", what, a, NULL);
        break;
    case SCALAR_OP_trunc:
        intrinsic(e, dst, "llvm.trunc", what, a, NULL);
        break;
    case SCALAR_OP_rint:
        intrinsic(e, dst, "llvm.roundeven", what, a, NULL);
        break;
    case SCALAR_OP_convert:
        llvm_convert(e, dst, what.type, what.from, a);
        break;
    case SCALAR_OP_bitcast:
        llvm_line(e, "%s = bitcast %s %s to %s", dst, llvm_scalar_name(what.from), a,
                  llvm_scalar_name(what.type));
        break;
    case SCALAR_OP_select:
        llvm_line(e, "%s = select i1 %s, %s %s, %s %s", dst, a, llvm_scalar_name(what.type), b,
                  llvm_scalar_name(what.type), c);
        break;
    case SCALAR_OP_fma:
        fused(e, dst, what, a, b, c);
        break;
    case SCALAR_OP_COUNT:
        break;
    }
}
