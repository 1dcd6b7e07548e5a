/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_ir.c - random modules for the property tests of the passes.
 *
 * Array indices are masked, loops count to a small bound, variables are stored when they are
 * made. Bits of floats never become integers, so that only the class of a NaN can be seen.
 */
#include "random_ir.h"

#include <string.h>

enum { MOST_VALUES = 64, MOST_VARS = 16, KINDS = 4 };

static const scalar_type kinds[KINDS] = { SCALAR_i32, SCALAR_i64, SCALAR_f32, SCALAR_bool };

typedef struct pool { /* what is in scope; copied on the way into a region */
    ir_op *values[KINDS][MOST_VALUES];
    uint32_t counts[KINDS];
    ir_op *vars[MOST_VARS]; /* pointers to scalars, structs and arrays in local memory */
    uint32_t var_count;
} pool;

typedef struct maker {
    ir_builder b;
    uint64_t state;
    pool in;
    ir_func *helpers[4];
    uint32_t helper_count;
    ir_op *ints, *floats; /* the arrays, NULL in a helper without */
    const ir_type *pair;
    const ir_table *table;
    uint32_t depth, levels, budget; /* levels: loops and blocks around, within the task */
    uint32_t loop_levels;           /* bit k: level k from outside is a loop */
    bool in_task;
} maker;

static uint32_t pick(maker *m, uint32_t below)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 7;
    m->state ^= m->state << 17;
    return (uint32_t)(m->state >> 20) % below;
}

static uint32_t kind_of(const ir_type *type)
{
    uint32_t k = 0;

    while (k < KINDS && !ir_is_scalar(type, kinds[k]))
        k++;
    return k;
}

static void offer(maker *m, ir_op *value)
{
    uint32_t k = kind_of(value->type);

    if (k < KINDS && m->in.counts[k] < MOST_VALUES)
        m->in.values[k][m->in.counts[k]++] = value;
}

static ir_op *make_const(maker *m, scalar_type type)
{
    static const uint64_t ints[] = { 0, 1, 2, 3, 7, 33, UINT64_MAX, 0x80000000, 0x7fffffff };
    static const uint32_t floats[] = { 0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000,
                                       0x7f800000, 0x00000001, 0x4b800001 };

    if (type == SCALAR_f32)
        return ir_const(&m->b, type, floats[pick(m, 8)]);
    return ir_const(&m->b, type, scalar_canonical(type, ints[pick(m, 9)]));
}

static ir_op *any(maker *m, scalar_type type)
{
    uint32_t k = 0;

    while (kinds[k] != type)
        k++;
    if (m->in.counts[k] == 0 || pick(m, 4) == 0)
        return make_const(m, type);
    return m->in.values[k][pick(m, m->in.counts[k])];
}

static ir_op *masked(maker *m, int64_t mask)
{
    return ir_binary(&m->b, SCALAR_OP_and, any(m, SCALAR_i64), ir_const_i64(&m->b, mask));
}

static void make_scalar(maker *m)
{
    scalar_type type = kinds[pick(m, KINDS)];
    scalar_op op = (scalar_op)pick(m, SCALAR_OP_COUNT);

    if (op == SCALAR_OP_convert || op == SCALAR_OP_bitcast || !scalar_allowed(op, type, type))
        return;
    ir_op *a = any(m, type), *c = any(m, type);
    if (op == SCALAR_OP_select)
        offer(m, ir_select(&m->b, any(m, SCALAR_bool), a, c));
    else if (op == SCALAR_OP_fma)
        offer(m, ir_build(&m->b, IR_fma, a->type, (ir_op *[]){ a, c, a }, 3));
    else if (scalar_ops[op].operands == 1)
        offer(m, ir_unary(&m->b, op, a));
    else
        offer(m, ir_binary(&m->b, op, a, c));
}

/* Through one to three types and back to one of the pool's. */
static void make_convert(maker *m)
{
    ir_op *value = any(m, kinds[pick(m, KINDS)]);

    for (uint32_t steps = 1 + pick(m, 3); steps; steps--)
        value = ir_convert(&m->b, (scalar_type)pick(m, SCALAR_TYPE_COUNT), value);
    offer(m, ir_convert(&m->b, kinds[pick(m, KINDS)], value));
}

/* f64 arithmetic on what may or may not be f32 values, rounded to f32. */
static void make_wide(maker *m)
{
    static const scalar_op ops[] = { SCALAR_OP_add, SCALAR_OP_sub, SCALAR_OP_mul, SCALAR_OP_div,
                                     SCALAR_OP_rem };
    static const uint64_t wide[] = { 0x3fe0000000000000, 0x3fb999999999999a, 0x8000000000000000,
                                     0x36a0000000000000, 0x7ff0000000000000 };
    ir_op *a = ir_convert(&m->b, SCALAR_f64, any(m, pick(m, 3) ? SCALAR_f32 : SCALAR_i32));
    ir_op *c = pick(m, 2) ? ir_const(&m->b, SCALAR_f64, wide[pick(m, 5)])
                          : ir_convert(&m->b, SCALAR_f64, any(m, SCALAR_f32));
    ir_op *value = pick(m, 6) ? ir_binary(&m->b, ops[pick(m, 5)], a, c)
                              : ir_unary(&m->b, SCALAR_OP_sqrt, a);

    offer(m, ir_convert(&m->b, SCALAR_f32, value));
}

static ir_op *zeroed(maker *m, const ir_type *type)
{
    ir_op *var = ir_var(&m->b, type, NULL);
    ir_op *fill = ir_build(&m->b, IR_fill, ir_type_void(m->b.module),
                           (ir_op *[]){ var, ir_const(&m->b, SCALAR_u8, 0) }, 2);

    fill->bytes = type->size;
    return var;
}

static void make_var(maker *m)
{
    scalar_type type = kinds[pick(m, KINDS)];
    ir_op *var;

    if (m->in.var_count == MOST_VARS)
        return;
    switch (pick(m, 4)) {
    case 0:
        var = zeroed(m, m->pair);
        break;
    case 1:
        var = zeroed(m, ir_type_array(m->b.module, m->pair, 4));
        break;
    default:
        var = ir_var(&m->b, ir_type_scalar(m->b.module, type), "v");
        ir_store(&m->b, var, any(m, type));
    }
    m->in.vars[m->in.var_count++] = var;
}

/* A pointer to a scalar in some variable: one step per aggregate. NULL if there is none. */
static ir_op *scalar_place(maker *m)
{
    if (m->in.var_count == 0)
        return NULL;
    ir_op *ptr = m->in.vars[pick(m, m->in.var_count)];
    if (ptr->type->elem->kind == IR_ARRAY) {
        ir_op *index = pick(m, 2) ? ir_const_i64(&m->b, pick(m, 4)) : masked(m, 3);
        ptr = ir_index(&m->b, ptr, index);
        if (index->code == IR_const && index->bits < 3 && pick(m, 3) == 0)
            ptr = ir_offset(&m->b, ptr, ir_const_i64(&m->b, 1));
    }
    if (ptr->type->elem->kind == IR_STRUCT)
        ptr = ir_field_ref(&m->b, ptr, pick(m, ptr->type->elem->field_count));
    return ptr;
}

static ir_op *array_place(maker *m)
{
    ir_op *array = pick(m, 2) ? m->ints : m->floats;
    ir_op *ptr = array ? ir_offset(&m->b, array, masked(m, RANDOM_ELEMENTS / 2 - 1)) : NULL;

    return ptr && pick(m, 2) ? ir_offset(&m->b, ptr, masked(m, RANDOM_ELEMENTS / 2)) : ptr;
}

static void make_access(maker *m)
{
    ir_op *ptr = pick(m, 3) ? scalar_place(m) : array_place(m);

    if (pick(m, 8) == 0) {
        ir_op *table = ir_table_ref(&m->b, m->table);
        offer(m, ir_load(&m->b, ir_index(&m->b, table, masked(m, 3))));
    } else if (ptr && pick(m, 2)) {
        offer(m, ir_load(&m->b, ptr));
    } else if (ptr) {
        ir_store(&m->b, ptr, any(m, ptr->type->elem->scalar));
    }
}

static void make_copy(maker *m)
{
    ir_op *structs[MOST_VARS];
    uint32_t count = 0;

    for (uint32_t i = 0; i < m->in.var_count; i++)
        if (m->in.vars[i]->type->elem == m->pair)
            structs[count++] = m->in.vars[i];
    if (count)
        ir_copy(&m->b, structs[pick(m, count)], structs[pick(m, count)]);
}

static void make_update(maker *m)
{
    ir_op *ptr = pick(m, 2) ? scalar_place(m) : array_place(m);

    if (!ptr || ir_is_scalar(ptr->type->elem, SCALAR_bool))
        return;
    ir_op *value = any(m, ptr->type->elem->scalar);
    ir_op *update = ir_update(&m->b, ptr);
    ir_enter(&m->b, update, 0);
    ir_yield(&m->b, ir_binary(&m->b, SCALAR_OP_add, update->regions[0]->args[0], value));
    ir_leave(&m->b, update);
    offer(m, update);
}

static void make_call(maker *m)
{
    ir_op *args[8];

    if (m->helper_count == 0)
        return;
    ir_func *f = m->helpers[pick(m, m->helper_count)];
    for (uint32_t i = 0; i < f->param_count; i++) {
        const ir_type *type = f->params[i].op->type;
        ir_op *arg = NULL;
        if (type->kind == IR_SCALAR)
            arg = any(m, type->scalar);
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
        offer(m, call);
}

static void make_statements(maker *m, uint32_t count);

/* The region's statements; what they made is out of scope afterwards. */
static void make_region(maker *m, ir_op *op, uint32_t region, ir_op *end_value, bool valued)
{
    pool saved = m->in;

    ir_enter(&m->b, op, region);
    m->depth++;
    make_statements(m, 1 + pick(m, 5));
    if (valued && end_value)
        ir_yield(&m->b, any(m, end_value->type->scalar));
    m->depth--;
    m->in = saved;
    ir_leave(&m->b, op);
}

/* A way out, sometimes, under a condition so that something may follow. */
static void make_leave(maker *m)
{
    uint32_t way = pick(m, 3), level;

    if (m->levels == 0 && (m->in_task || way != 2))
        return;
    ir_op *branch = ir_if(&m->b, any(m, SCALAR_bool), ir_type_void(m->b.module));
    ir_enter(&m->b, branch, pick(m, 2));
    if ((way == 2 || m->levels == 0) && !m->in_task) {
        ir_return(&m->b, m->b.func->result->kind == IR_VOID ? NULL : any(m, SCALAR_i32));
    } else {
        level = pick(m, m->levels); /* from outside */
        if (way == 1 && (m->loop_levels >> level & 1))
            ir_continue(&m->b, m->levels - level);
        else
            ir_break(&m->b, m->levels - level);
    }
    ir_leave(&m->b, branch);
}

static void enter_level(maker *m, bool loop)
{
    m->loop_levels = (m->loop_levels & ~(1u << m->levels)) | (uint32_t)loop << m->levels;
    m->levels++;
}

static void make_loop(maker *m)
{
    const ir_type *i32 = ir_type_scalar(m->b.module, SCALAR_i32);
    ir_op *var = ir_var(&m->b, i32, "count");
    ir_op *bound = ir_const(&m->b, SCALAR_i32, 1 + pick(m, 3));

    ir_store(&m->b, var, ir_const(&m->b, SCALAR_i32, 0));
    ir_op *loop = ir_loop(&m->b);
    enter_level(m, true);
    ir_enter(&m->b, loop, 0);
    ir_op *count = ir_load(&m->b, var);
    ir_op *test = ir_if(&m->b, ir_binary(&m->b, SCALAR_OP_lt, count, bound),
                        ir_type_void(m->b.module));
    ir_enter(&m->b, test, 1);
    ir_break(&m->b, 1);
    pool saved = m->in;
    offer(m, count);
    make_region(m, loop, 0, NULL, false);
    m->in = saved;
    m->levels--;
    ir_enter(&m->b, loop, 1);
    ir_op *more = ir_binary(&m->b, SCALAR_OP_add, ir_load(&m->b, var),
                            ir_const(&m->b, SCALAR_i32, 1));
    ir_store(&m->b, var, more);
    ir_leave(&m->b, loop);
}

static void make_task(maker *m)
{
    ir_op *lo = ir_const(&m->b, SCALAR_i32, 0), *hi = ir_const(&m->b, SCALAR_i32, pick(m, 4));
    maker outer = *m;

    ir_op *task = ir_task(&m->b, (ir_op *[]){ lo, hi }, 1);
    m->levels = 0;
    m->in_task = true;
    offer(m, task->regions[0]->args[0]);
    make_region(m, task, 0, NULL, false);
    outer.state = m->state;
    outer.budget = m->budget;
    outer.b = m->b;
    *m = outer;
}

static void make_structure(maker *m)
{
    static const uint64_t values[] = { 0, 1, 7 };
    ir_case rows[2] = { { values, 2 }, { values + 2, 1 } };
    const ir_type *none = ir_type_void(m->b.module);
    ir_op *op, *wanted;

    if (m->depth > 4)
        return;
    switch (pick(m, 6)) {
    case 0:
        op = ir_if(&m->b, any(m, SCALAR_bool), none);
        make_region(m, op, 0, NULL, false);
        if (pick(m, 2))
            make_region(m, op, 1, NULL, false);
        break;
    case 1:
        wanted = any(m, kinds[pick(m, KINDS)]);
        op = ir_if(&m->b, any(m, SCALAR_bool), wanted->type);
        make_region(m, op, 0, wanted, true);
        make_region(m, op, 1, wanted, true);
        offer(m, op);
        break;
    case 2:
        op = ir_switch(&m->b, any(m, SCALAR_i32), rows, 2);
        for (uint32_t k = 0; k < 3; k++)
            make_region(m, op, k, NULL, false);
        break;
    case 3:
        op = ir_block(&m->b);
        enter_level(m, false);
        make_region(m, op, 0, NULL, false);
        m->levels--;
        break;
    case 4:
        make_loop(m);
        break;
    case 5:
        if (m->b.func->kind == IR_KERNEL && !m->in_task)
            make_task(m);
        break;
    }
}

static void make_statements(maker *m, uint32_t count)
{
    static void (*const makers[])(maker *) = {
        make_scalar, make_scalar, make_scalar, make_convert,   make_wide,      make_var,
        make_access, make_access, make_access, make_structure, make_structure, make_leave,
        make_update, make_call,   make_copy,   make_copy,      make_access
    };

    for (; count && m->budget; count--, m->budget--)
        makers[pick(m, sizeof makers / sizeof *makers)](m);
}

static void make_func(maker *m, ir_func *f, uint32_t statements)
{
    m->b = (ir_builder){ .module = m->b.module, .func = f, .region = f->body };
    m->in = (pool){ 0 };
    m->ints = m->floats = NULL;
    m->levels = m->depth = 0;
    m->in_task = false;
    for (uint32_t i = 0; i < f->param_count; i++) {
        ir_op *op = f->params[i].op;
        offer(m, op);
        if (op->type->kind == IR_PTR && op->type->space == IR_GLOBAL)
            *(ir_is_scalar(op->type->elem, SCALAR_i32) ? &m->ints : &m->floats) = op;
        else if (op->type->kind == IR_PTR)
            m->in.vars[m->in.var_count++] = op;
    }
    m->budget = 4 * statements;
    make_statements(m, statements);
    if (m->in.var_count && m->in.vars[0]->code == IR_param) /* its struct is always written */
        ir_store(&m->b, ir_field_ref(&m->b, m->in.vars[0], 2 * pick(m, 2)), any(m, SCALAR_i32));
    ir_return(&m->b, f->result->kind == IR_VOID ? NULL : any(m, SCALAR_i32));
}

ir_module *random_module(mem_arena *arena, uint64_t seed)
{
    static const int32_t rows[4] = { 5, -6, 7, 0 };
    ir_module *module = ir_module_new(arena);
    maker m = { .b = { .module = module }, .state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) };
    const ir_type *i32 = ir_type_scalar(module, SCALAR_i32);
    const ir_type *f32 = ir_type_scalar(module, SCALAR_f32);
    const ir_type *ints = ir_type_ptr(module, IR_GLOBAL, i32);
    ir_field fields[3] = { { "a", i32, 0 }, { "f", f32, 4 }, { "b", i32, 8 } };

    m.pair = ir_type_struct(module, "pair", fields, 3, 12, 4);
    m.table = ir_table_new(module, "rows", ir_type_array(module, i32, 4), rows);
    ir_func *plain = ir_func_new(module, IR_HELPER, "plain", i32);
    ir_param_add(module, plain, "x", i32);
    ir_param_add(module, plain, "f", f32);
    make_func(&m, plain, 4 + pick(&m, 30));
    m.helpers[m.helper_count++] = plain;

    const ir_type *result = pick(&m, 2) ? i32 : ir_type_void(module);
    ir_func *pointed = ir_func_new(module, IR_HELPER, "pointed", result);
    ir_param_add(module, pointed, "x", i32);
    ir_param_add(module, pointed, "p", ir_type_ptr(module, IR_LOCAL, m.pair));
    ir_param_add(module, pointed, "u", ints);
    make_func(&m, pointed, 4 + pick(&m, 20));
    m.helpers[m.helper_count++] = pointed;

    ir_func *kernel = ir_func_new(module, IR_KERNEL, "k", i32);
    ir_param_add(module, kernel, "x", i32);
    ir_param_add(module, kernel, "n", ir_type_scalar(module, SCALAR_i64));
    ir_param_add(module, kernel, "f", f32);
    ir_param_add(module, kernel, "u", ints);
    ir_param_add(module, kernel, "v", ir_type_ptr(module, IR_GLOBAL, f32));
    make_func(&m, kernel, 30);
    return module;
}
