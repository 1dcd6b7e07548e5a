/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_ir.c - random modules for the property tests of the passes: control flow and functions.
 * Loops count to a small bound.
 */
#include "random_parts.h"

static void make_statements(random_maker *m, uint32_t count);

/* The region's statements; what they made is out of scope afterwards. */
static void make_region(random_maker *m, ir_op *op, uint32_t region, ir_op *end_value, bool valued)
{
    random_pool saved = m->in;

    ir_enter(&m->b, op, region);
    m->depth++;
    make_statements(m, 1 + random_pick(m, 5));
    if (valued && end_value)
        ir_yield(&m->b, random_any(m, end_value->type->scalar));
    m->depth--;
    m->in = saved;
    ir_leave(&m->b, op);
}

/* A way out, sometimes, under a condition so that something may follow. */
static void make_leave(random_maker *m)
{
    uint32_t way = random_pick(m, 3), level;

    if (m->levels == 0 && (m->in_task || way != 2))
        return;
    ir_op *branch = ir_if(&m->b, random_any(m, SCALAR_bool), ir_type_void(m->b.module));
    ir_enter(&m->b, branch, random_pick(m, 2));
    if ((way == 2 || m->levels == 0) && !m->in_task) {
        ir_return(&m->b, m->b.func->result->kind == IR_VOID ? NULL : random_any(m, SCALAR_i32));
    } else {
        level = random_pick(m, m->levels); /* from outside */
        if (way == 1 && (m->loop_levels >> level & 1))
            ir_continue(&m->b, m->levels - level);
        else
            ir_break(&m->b, m->levels - level);
    }
    ir_leave(&m->b, branch);
}

static void enter_level(random_maker *m, bool loop)
{
    m->loop_levels = (m->loop_levels & ~(1u << m->levels)) | (uint32_t)loop << m->levels;
    m->levels++;
}

static void make_loop(random_maker *m)
{
    const ir_type *i32 = ir_type_scalar(m->b.module, SCALAR_i32);
    ir_op *var = ir_var(&m->b, i32, "count");
    ir_op *bound = ir_const(&m->b, SCALAR_i32, 1 + random_pick(m, 3));

    ir_store(&m->b, var, ir_const(&m->b, SCALAR_i32, 0));
    ir_op *loop = ir_loop(&m->b);
    enter_level(m, true);
    ir_enter(&m->b, loop, 0);
    ir_op *count = ir_load(&m->b, var);
    ir_op *test = ir_if(&m->b, ir_binary(&m->b, SCALAR_OP_lt, count, bound),
                        ir_type_void(m->b.module));
    ir_enter(&m->b, test, 1);
    ir_break(&m->b, 1);
    random_pool saved = m->in;
    random_offer(m, count);
    make_region(m, loop, 0, NULL, false);
    m->in = saved;
    m->levels--;
    ir_enter(&m->b, loop, 1);
    ir_op *more = ir_binary(&m->b, SCALAR_OP_add, ir_load(&m->b, var),
                            ir_const(&m->b, SCALAR_i32, 1));
    ir_store(&m->b, var, more);
    ir_leave(&m->b, loop);
}

static void make_task(random_maker *m)
{
    ir_op *lo = ir_const(&m->b, SCALAR_i32, 0), *hi = ir_const(&m->b, SCALAR_i32, random_pick(m, 4));
    random_maker outer = *m;

    ir_op *task = ir_task(&m->b, (ir_op *[]){ lo, hi }, 1);
    m->levels = 0;
    m->in_task = true;
    random_offer(m, task->regions[0]->args[0]);
    make_region(m, task, 0, NULL, false);
    outer.state = m->state;
    outer.budget = m->budget;
    outer.b = m->b;
    *m = outer;
}

static void make_structure(random_maker *m)
{
    static const uint64_t values[] = { 0, 1, 7 };
    ir_case rows[2] = { { values, 2 }, { values + 2, 1 } };
    const ir_type *none = ir_type_void(m->b.module);
    ir_op *op, *wanted;

    if (m->depth > 4)
        return;
    switch (random_pick(m, 6)) {
    case 0:
        op = ir_if(&m->b, random_any(m, SCALAR_bool), none);
        make_region(m, op, 0, NULL, false);
        if (random_pick(m, 2))
            make_region(m, op, 1, NULL, false);
        break;
    case 1:
        wanted = random_any(m, random_kinds[random_pick(m, RANDOM_KINDS)]);
        op = ir_if(&m->b, random_any(m, SCALAR_bool), wanted->type);
        make_region(m, op, 0, wanted, true);
        make_region(m, op, 1, wanted, true);
        random_offer(m, op);
        break;
    case 2:
        op = ir_switch(&m->b, random_any(m, SCALAR_i32), rows, 2);
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

static void make_statements(random_maker *m, uint32_t count)
{
    static void (*const makers[])(random_maker *) = {
        random_scalar, random_scalar, random_scalar, random_convert,   random_wide,      random_var,
        random_access, random_access, random_access, make_structure, make_structure, make_leave,
        random_update, random_call,   random_copy,   random_copy,      random_access
    };

    for (; count && m->budget; count--, m->budget--)
        makers[random_pick(m, sizeof makers / sizeof *makers)](m);
}

static void make_func(random_maker *m, ir_func *f, uint32_t statements)
{
    m->b = (ir_builder){ .module = m->b.module, .func = f, .region = f->body };
    m->in = (random_pool){ 0 };
    m->ints = m->floats = NULL;
    m->levels = m->depth = 0;
    m->in_task = false;
    for (uint32_t i = 0; i < f->param_count; i++) {
        ir_op *op = f->params[i].op;
        random_offer(m, op);
        if (op->type->kind == IR_PTR && op->type->space == IR_GLOBAL)
            *(ir_is_scalar(op->type->elem, SCALAR_i32) ? &m->ints : &m->floats) = op;
        else if (op->type->kind == IR_PTR)
            m->in.vars[m->in.var_count++] = op;
    }
    m->budget = 4 * statements;
    make_statements(m, statements);
    if (m->in.var_count && m->in.vars[0]->code == IR_param) /* its struct is always written */
        ir_store(&m->b, ir_field_ref(&m->b, m->in.vars[0], 2 * random_pick(m, 2)), random_any(m, SCALAR_i32));
    ir_return(&m->b, f->result->kind == IR_VOID ? NULL : random_any(m, SCALAR_i32));
}

ir_module *random_module(mem_arena *arena, uint64_t seed)
{
    static const int32_t rows[4] = { 5, -6, 7, 0 };
    ir_module *module = ir_module_new(arena);
    random_maker m = { .b = { .module = module }, .state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) };
    const ir_type *i32 = ir_type_scalar(module, SCALAR_i32);
    const ir_type *f32 = ir_type_scalar(module, SCALAR_f32);
    const ir_type *ints = ir_type_ptr(module, IR_GLOBAL, i32);
    ir_field fields[3] = { { "a", i32, 0 }, { "f", f32, 4 }, { "b", i32, 8 } };

    m.pair = ir_type_struct(module, "pair", fields, 3, 12, 4);
    m.table = ir_table_new(module, "rows", ir_type_array(module, i32, 4), rows);
    ir_func *plain = ir_func_new(module, IR_HELPER, "plain", i32);
    ir_param_add(module, plain, "x", i32);
    ir_param_add(module, plain, "f", f32);
    make_func(&m, plain, 4 + random_pick(&m, 30));
    m.helpers[m.helper_count++] = plain;

    const ir_type *result = random_pick(&m, 2) ? i32 : ir_type_void(module);
    ir_func *pointed = ir_func_new(module, IR_HELPER, "pointed", result);
    ir_param_add(module, pointed, "x", i32);
    ir_param_add(module, pointed, "p", ir_type_ptr(module, IR_LOCAL, m.pair));
    ir_param_add(module, pointed, "u", ints);
    make_func(&m, pointed, 4 + random_pick(&m, 20));
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
