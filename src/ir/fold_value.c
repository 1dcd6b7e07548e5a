/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold_value.c - the rules of fold for scalar ops.
 *
 * A rule stands only if it gives the bits that scalar_eval would for every input, apart from which
 * NaN a NaN is. So x + 0.0 stays (it turns -0.0 into 0.0), and x - x of floats stays (infinity).
 */
#include "ir/fold.h"

bool fold_is_const(const ir_op *op, uint64_t bits)
{
    return op->code == IR_const && op->bits == bits;
}

static bool is_comparison(ir_code code)
{
    return code == IR_eq || code == IR_ne || code == IR_lt || code == IR_le;
}

static bool is_scalar_code(ir_code code)
{
    return (int)code < SCALAR_OP_COUNT;
}

ir_op *fold_constants(ir_builder *b, ir_op *op, bool exact)
{
    uint64_t in[3] = { 0 }, result;
    scalar_type type, from;

    if (!is_scalar_code(op->code) || op->type->kind != IR_SCALAR)
        return NULL;
    for (uint32_t i = 0; i < op->in_count; i++) {
        if (op->in[i]->code != IR_const)
            return NULL;
        in[i] = op->in[i]->bits;
    }
    from = op->in[0]->type->scalar;
    type = is_comparison(op->code) ? from : op->type->scalar;
    if (!exact)
        result = scalar_eval((scalar_op)op->code, type, from, in[0], in[1], in[2]);
    else if (!scalar_eval_exact((scalar_op)op->code, type, from, in[0], in[1], in[2], &result))
        return NULL;
    return ir_const(b, op->type->scalar, result);
}

static ir_op *zero_or_one(ir_builder *b, const ir_type *type, uint64_t bits)
{
    return ir_const(b, type->scalar, bits);
}

/* x op x, for integers and bool, where x may be anything. */
static ir_op *fold_same(ir_builder *b, const ir_op *op, ir_op *x)
{
    if (op->code == IR_sub || op->code == IR_xor || op->code == IR_ne || op->code == IR_lt)
        return zero_or_one(b, op->type, 0);
    if (op->code == IR_eq || op->code == IR_le)
        return zero_or_one(b, op->type, 1);
    if (op->code == IR_and || op->code == IR_or || op->code == IR_min || op->code == IR_max)
        return x;
    return NULL;
}

/* x op c, for integers and bool. */
static ir_op *fold_integer(ir_builder *b, const ir_op *op, ir_op *x, uint64_t c)
{
    uint64_t ones = scalar_canonical(x->type->scalar, UINT64_MAX);
    bool is_zero = c == 0, is_one = c == 1, is_ones = c == ones;

    if (is_zero && (op->code == IR_add || op->code == IR_sub || op->code == IR_or ||
                    op->code == IR_xor || op->code == IR_shl || op->code == IR_shr))
        return x;
    if (is_zero && (op->code == IR_mul || op->code == IR_and))
        return zero_or_one(b, op->type, 0);
    if (is_one && (op->code == IR_mul || op->code == IR_div))
        return x;
    if (is_one && op->code == IR_rem)
        return zero_or_one(b, op->type, 0);
    if (is_ones && op->code == IR_and)
        return x;
    if (is_ones && op->code == IR_or)
        return zero_or_one(b, op->type, ones);
    return NULL;
}

/* x op c, for floats: the value of c is exact in both types that it may have. */
static ir_op *fold_float(const ir_op *op, ir_op *x, uint64_t c)
{
    bool narrow = x->type->scalar == SCALAR_f32;
    uint64_t one = narrow ? 0x3f800000 : 0x3ff0000000000000;
    uint64_t minus_zero = narrow ? 0x80000000 : 0x8000000000000000;

    if (c == one && (op->code == IR_mul || op->code == IR_div))
        return x;
    if ((c == minus_zero && op->code == IR_add) || (c == 0 && op->code == IR_sub))
        return x;
    return NULL;
}

/* ne(convert(bool), 0) and eq(..., 0): C's conditions are ints made of comparisons. */
static ir_op *fold_condition(ir_builder *b, const ir_op *op)
{
    ir_op *x = op->in[0];

    if ((op->code != IR_ne && op->code != IR_eq) || !fold_is_const(op->in[1], 0))
        return NULL;
    if (x->code == IR_convert && ir_is_scalar(x->in[0]->type, SCALAR_bool))
        x = x->in[0];
    if (!ir_is_scalar(x->type, SCALAR_bool))
        return NULL;
    return op->code == IR_ne ? x : ir_unary(b, SCALAR_OP_not, x);
}

static ir_op *fold_select(const ir_op *op)
{
    if (op->in[0]->code == IR_const)
        return op->in[0]->bits ? op->in[1] : op->in[2];
    if (op->in[1] == op->in[2])
        return op->in[1];
    if (fold_is_const(op->in[1], 1) && fold_is_const(op->in[2], 0) &&
        ir_is_scalar(op->type, SCALAR_bool))
        return op->in[0];
    return NULL;
}

static bool is_commutative(ir_code code)
{
    return code == IR_add || code == IR_mul || code == IR_and || code == IR_or ||
           code == IR_xor || code == IR_min || code == IR_max || code == IR_eq || code == IR_ne;
}

/* Does an update's operator stand here: old value op something? It stays even where it changes nothing or gives one
 * value, as in `s |= 0` and `s *= 0`: a reduction is known by it. */
static bool is_operator_of_update(const ir_op *op)
{
    const ir_op *owner = op->parent ? op->parent->owner : NULL;

    if (!owner || owner->code != IR_update)
        return false;
    for (uint32_t i = 0; i < op->in_count; i++) {
        const ir_op *x = op->in[i];
        while (x->code == IR_convert)
            x = x->in[0];
        if (x == op->parent->args[0])
            return true;
    }
    return false;
}

ir_op *fold_identity(ir_builder *b, ir_op *op)
{
    const ir_type *type = op->in_count ? op->in[0]->type : op->type;

    if (op->code == IR_select)
        return fold_select(op);
    if (!is_scalar_code(op->code) || type->kind != IR_SCALAR)
        return NULL;
    if ((op->code == IR_neg || op->code == IR_not) && op->in[0]->code == op->code)
        return op->in[0]->in[0];
    if (op->in_count != 2 || is_operator_of_update(op))
        return NULL;
    if (is_commutative(op->code) && op->in[0]->code == IR_const && op->in[1]->code != IR_const) {
        ir_op *constant = op->in[0];
        op->in[0] = op->in[1];
        op->in[1] = constant;
    }
    ir_op *found = fold_condition(b, op);
    if (found)
        return found;
    bool is_float = scalar_types[type->scalar].is_float;
    if (op->in[1]->code == IR_const)
        return is_float ? fold_float(op, op->in[0], op->in[1]->bits)
                        : fold_integer(b, op, op->in[0], op->in[1]->bits);
    if (op->in[0] == op->in[1] && !is_float)
        return fold_same(b, op, op->in[0]);
    return NULL;
}

/* Bits of magnitude that a type holds exactly: for floats the width of the significand. */
static uint32_t precision(scalar_type type)
{
    if (type == SCALAR_bool)
        return 1;
    if (scalar_types[type].is_float)
        return type == SCALAR_f32 ? 24 : 53;
    return 8u * scalar_types[type].bytes - scalar_types[type].is_signed;
}

/* Does `to` hold every value of `from` (but for which NaN)? */
static bool holds(scalar_type to, scalar_type from)
{
    const scalar_type_row *t = &scalar_types[to], *f = &scalar_types[from];

    if (to == from)
        return true;
    if (to == SCALAR_bool || (f->is_float && !t->is_float) || (f->is_signed && !t->is_signed))
        return false;
    return precision(to) >= precision(from);
}

/* convert C (convert B (a of type A)) as one step from A to C, where the value is the same. */
static bool is_one_step(scalar_type a, scalar_type mid, scalar_type to)
{
    bool integers = !scalar_types[a].is_float && scalar_types[mid].is_integer &&
                    scalar_types[to].is_integer;

    if (integers && scalar_types[mid].bytes >= scalar_types[to].bytes)
        return true; /* both wrap to the width of `to` */
    if (!holds(mid, a))
        return false;
    /* From a float an integer saturates, from an integer it wraps: alike only where it fits. */
    return !(scalar_types[mid].is_float && !scalar_types[a].is_float &&
             scalar_types[to].is_integer) ||
           holds(to, a);
}

ir_op *fold_convert(ir_builder *b, ir_op *op)
{
    ir_op *mid = op->in_count ? op->in[0] : NULL;

    if (op->code == IR_bitcast && op->in[0]->type == op->type)
        return mid;
    if (op->code == IR_bitcast && mid->code == IR_bitcast) {
        if (mid->in[0]->type == op->type)
            return mid->in[0];
        if (op->type->kind != IR_SCALAR || mid->in[0]->type->kind != IR_SCALAR)
            return NULL;
        return ir_build(b, IR_bitcast, op->type, &mid->in[0], 1);
    }
    if (op->code != IR_convert)
        return NULL;
    if (mid->type == op->type)
        return mid;
    if (mid->code != IR_convert ||
        !is_one_step(mid->in[0]->type->scalar, mid->type->scalar, op->type->scalar))
        return NULL;
    return ir_convert(b, op->type->scalar, mid->in[0]);
}

static uint64_t widened(uint64_t narrow)
{
    return scalar_eval(SCALAR_OP_convert, SCALAR_f64, SCALAR_f32, narrow, 0, 0);
}

static uint64_t narrowed(uint64_t wide)
{
    return scalar_eval(SCALAR_OP_convert, SCALAR_f32, SCALAR_f64, wide, 0, 0);
}

/* Is `x` of type f64 the value of an f32? */
static bool is_f32(const ir_op *x)
{
    if (x->code == IR_const)
        return widened(narrowed(x->bits)) == x->bits;
    return x->code == IR_convert && ir_is_scalar(x->in[0]->type, SCALAR_f32);
}

ir_op *fold_narrow(ir_builder *b, ir_op *op)
{
    ir_op *wide, *in[2] = { NULL, NULL };

    if (op->code != IR_convert || !ir_is_scalar(op->type, SCALAR_f32) ||
        !ir_is_scalar(op->in[0]->type, SCALAR_f64))
        return NULL;
    wide = op->in[0];
    if (wide->code != IR_add && wide->code != IR_sub && wide->code != IR_mul &&
        wide->code != IR_div && wide->code != IR_sqrt)
        return NULL;
    for (uint32_t i = 0; i < wide->in_count; i++)
        if (!is_f32(wide->in[i]))
            return NULL;
    for (uint32_t i = 0; i < wide->in_count; i++)
        in[i] = wide->in[i]->code == IR_const
                    ? ir_const(b, SCALAR_f32, narrowed(wide->in[i]->bits))
                    : wide->in[i]->in[0];
    return ir_build(b, wide->code, op->type, in, wide->in_count);
}
