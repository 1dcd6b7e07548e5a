/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_value.c - values, variables and accesses of random modules.
 *
 * Array indices are masked, variables are stored when they are made. Bits of floats never become
 * integers, so that only the class of a NaN can be seen.
 */
#include "random_parts.h"

const scalar_type random_kinds[RANDOM_KINDS] = { SCALAR_i32, SCALAR_i64, SCALAR_f32, SCALAR_bool };

uint32_t random_pick(random_maker *m, uint32_t below)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)(m->state >> 20) % below;
}

static uint32_t kind_of(const ir_type *type)
{
    uint32_t k = 0;

    while (k < RANDOM_KINDS && !ir_is_scalar(type, random_kinds[k]))
        k++;
    return k;
}

void random_offer(random_maker *m, ir_op *value)
{
    uint32_t k = kind_of(value->type);

    if (k < RANDOM_KINDS && m->in.counts[k] < RANDOM_MOST_VALUES)
        m->in.values[k][m->in.counts[k]++] = value;
}

static ir_op *make_const(random_maker *m, scalar_type type)
{
    static const uint64_t ints[] = { 0, 1, 2, 3, 7, 33, UINT64_MAX, 0x80000000, 0x7fffffff };
    static const uint32_t floats[] = { 0,          0x80000000, 0x3f800000, 0xbf800000,
                                       0x3f000000, 0x7f800000, 0x00000001, 0x4b800001 };

    if (type == SCALAR_f32)
        return ir_const(&m->b, type, floats[random_pick(m, 8)]);
    return ir_const(&m->b, type, scalar_canonical(type, ints[random_pick(m, 9)]));
}

ir_op *random_any(random_maker *m, scalar_type type)
{
    uint32_t k = 0;

    while (random_kinds[k] != type)
        k++;
    if (m->in.counts[k] == 0 || random_pick(m, 4) == 0)
        return make_const(m, type);
    return m->in.values[k][random_pick(m, m->in.counts[k])];
}

static ir_op *masked(random_maker *m, int64_t mask)
{
    return ir_binary(&m->b, SCALAR_OP_and, random_any(m, SCALAR_i64), ir_const_i64(&m->b, mask));
}

void random_scalar(random_maker *m)
{
    scalar_type type = random_kinds[random_pick(m, RANDOM_KINDS)];
    scalar_op op = (scalar_op)random_pick(m, SCALAR_OP_COUNT);

    if (op == SCALAR_OP_convert || op == SCALAR_OP_bitcast || !scalar_allowed(op, type, type))
        return;
    ir_op *a = random_any(m, type), *c = random_any(m, type);
    if (op == SCALAR_OP_select)
        random_offer(m, ir_select(&m->b, random_any(m, SCALAR_bool), a, c));
    else if (op == SCALAR_OP_fma)
        random_offer(m, ir_build(&m->b, IR_fma, a->type, (ir_op *[]){ a, c, a }, 3));
    else if (scalar_ops[op].operands == 1)
        random_offer(m, ir_unary(&m->b, op, a));
    else
        random_offer(m, ir_binary(&m->b, op, a, c));
}

/* Through one to three types and back to one of the pool's. */
void random_convert(random_maker *m)
{
    ir_op *value = random_any(m, random_kinds[random_pick(m, RANDOM_KINDS)]);

    for (uint32_t steps = 1 + random_pick(m, 3); steps; steps--)
        value = ir_convert(&m->b, (scalar_type)random_pick(m, SCALAR_TYPE_COUNT), value);
    random_offer(m, ir_convert(&m->b, random_kinds[random_pick(m, RANDOM_KINDS)], value));
}

/* f64 arithmetic on what may or may not be f32 values, rounded to f32. */
void random_wide(random_maker *m)
{
    static const scalar_op ops[] = { SCALAR_OP_add, SCALAR_OP_sub, SCALAR_OP_mul, SCALAR_OP_div,
                                     SCALAR_OP_rem };
    static const uint64_t wide[] = { 0x3fe0000000000000, 0x3fb999999999999a, 0x8000000000000000,
                                     0x36a0000000000000, 0x7ff0000000000000 };
    ir_op *a =
        ir_convert(&m->b, SCALAR_f64, random_any(m, random_pick(m, 3) ? SCALAR_f32 : SCALAR_i32));
    ir_op *c = random_pick(m, 2) ? ir_const(&m->b, SCALAR_f64, wide[random_pick(m, 5)])
                                 : ir_convert(&m->b, SCALAR_f64, random_any(m, SCALAR_f32));
    ir_op *value = random_pick(m, 6) ? ir_binary(&m->b, ops[random_pick(m, 5)], a, c)
                                     : ir_unary(&m->b, SCALAR_OP_sqrt, a);

    random_offer(m, ir_convert(&m->b, SCALAR_f32, value));
}

static ir_op *zeroed(random_maker *m, const ir_type *type)
{
    ir_op *var = ir_var(&m->b, type, NULL);
    ir_op *fill = ir_build(&m->b, IR_fill, ir_type_void(m->b.module),
                           (ir_op *[]){ var, ir_const(&m->b, SCALAR_u8, 0) }, 2);

    fill->bytes = type->size;
    return var;
}

void random_var(random_maker *m)
{
    scalar_type type = random_kinds[random_pick(m, RANDOM_KINDS)];
    ir_op *var;

    if (m->in.var_count == RANDOM_MOST_VARS)
        return;
    switch (random_pick(m, 4)) {
    case 0:
        var = zeroed(m, m->pair);
        break;
    case 1:
        var = zeroed(m, ir_type_array(m->b.module, m->pair, 4));
        break;
    default:
        var = ir_var(&m->b, ir_type_scalar(m->b.module, type), "v");
        ir_store(&m->b, var, random_any(m, type));
    }
    m->in.vars[m->in.var_count++] = var;
}

/* A pointer to a scalar in some variable: one step per aggregate. NULL if there is none. */
static ir_op *scalar_place(random_maker *m)
{
    if (m->in.var_count == 0)
        return NULL;
    ir_op *ptr = m->in.vars[random_pick(m, m->in.var_count)];
    if (ptr->type->elem->kind == IR_ARRAY) {
        ir_op *index = random_pick(m, 2) ? ir_const_i64(&m->b, random_pick(m, 4)) : masked(m, 3);
        ptr = ir_index(&m->b, ptr, index);
        if (index->code == IR_const && index->bits < 3 && random_pick(m, 3) == 0)
            ptr = ir_offset(&m->b, ptr, ir_const_i64(&m->b, 1));
    }
    if (ptr->type->elem->kind == IR_STRUCT)
        ptr = ir_field_ref(&m->b, ptr, random_pick(m, ptr->type->elem->field_count));
    return ptr;
}

static ir_op *array_place(random_maker *m)
{
    ir_op *array = random_pick(m, 2) ? m->ints : m->floats;
    ir_op *ptr = array ? ir_offset(&m->b, array, masked(m, RANDOM_ELEMENTS / 2 - 1)) : NULL;

    return ptr && random_pick(m, 2) ? ir_offset(&m->b, ptr, masked(m, RANDOM_ELEMENTS / 2)) : ptr;
}

void random_access(random_maker *m)
{
    ir_op *ptr = random_pick(m, 3) ? scalar_place(m) : array_place(m);

    if (random_pick(m, 8) == 0) {
        ir_op *table = ir_table_ref(&m->b, m->table);
        random_offer(m, ir_load(&m->b, ir_index(&m->b, table, masked(m, 3))));
    } else if (ptr && random_pick(m, 2)) {
        random_offer(m, ir_load(&m->b, ptr));
    } else if (ptr) {
        ir_store(&m->b, ptr, random_any(m, ptr->type->elem->scalar));
    }
}

void random_copy(random_maker *m)
{
    ir_op *structs[RANDOM_MOST_VARS];
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->in.var_count; i++)
        if (m->in.vars[i]->type->elem == m->pair)
            structs[count++] = m->in.vars[i];
    if (count)
        ir_copy(&m->b, structs[random_pick(m, count)], structs[random_pick(m, count)]);
}

void random_update(random_maker *m)
{
    ir_op *ptr = random_pick(m, 2) ? scalar_place(m) : array_place(m);

    if (!ptr || ir_is_scalar(ptr->type->elem, SCALAR_bool))
        return;
    ir_op *value = random_any(m, ptr->type->elem->scalar);
    ir_op *update = ir_update(&m->b, ptr);
    ir_enter(&m->b, update, 0);
    ir_yield(&m->b, ir_binary(&m->b, SCALAR_OP_add, update->regions[0]->args[0], value));
    ir_leave(&m->b, update);
    random_offer(m, update);
}

void random_call(random_maker *m)
{
    ir_op *args[8];

    if (m->helper_count == 0)
        return;
    ir_func *f = m->helpers[random_pick(m, m->helper_count)];
    for (uint32_t i = 0; i < f->param_count; i++) {
        const ir_type *type = f->params[i].op->type;
        ir_op *arg = NULL;
        if (type->kind == IR_SCALAR)
            arg = random_any(m, type->scalar);
        else if (type->space == IR_GLOBAL)
            arg = m->ints;
        else
            for (uint32_t k = 0; k < m->in.var_count; k++)
                if (m->in.vars[k]->type == type)
                    arg = m->in.vars[k];
        if (!arg)
            return;
        args[i] = arg;
    }
    ir_op *call = ir_call(&m->b, f, args, f->param_count);
    if (call->type->kind != IR_VOID)
        random_offer(m, call);
}
