/* SPDX-License-Identifier: Apache-2.0 */
/*
 * random_launch.c - see random_launch.h.
 *
 * Every loop counts a variable of its own up to at most 3. Expressions are small and mix
 * parameters, variables and, where `device` allows, array elements: so each condition and variable
 * is the host's or the device's by chance.
 */
#include "random_launch.h"

enum { MOST_VARS = 24, MOST_LEVELS = 6 };

typedef struct maker {
    ir_builder b;
    uint64_t state;
    ir_op *n, *m, *x, *y;
    ir_op *vars[MOST_VARS];
    uint32_t var_count, depth, budget;
    bool is_loop[MOST_LEVELS + 1], in_next;
    uint32_t levels;
    bool sections;
} maker;

static uint32_t pick(maker *m, uint32_t below)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->state >> 33) % below;
}

static ir_op *constant(maker *m, int32_t value)
{
    return ir_const(&m->b, SCALAR_i32, (uint64_t)(int64_t)value);
}

static ir_op *element(maker *m, ir_op *array, ir_op *index)
{
    return ir_offset(&m->b, array, ir_convert(&m->b, SCALAR_i64, index));
}

static ir_op *array(maker *m)
{
    return pick(m, 2) ? m->x : m->y;
}

/* A small value; from an array now and then. */
static ir_op *value(maker *m, uint32_t depth)
{
    static const scalar_op ops[] = { SCALAR_OP_add, SCALAR_OP_sub, SCALAR_OP_mul,
                                     SCALAR_OP_xor, SCALAR_OP_min, SCALAR_OP_max };

    if (depth > 0 && pick(m, 2)) {
        ir_op *a = value(m, depth - 1);
        return ir_binary(&m->b, ops[pick(m, 6)], a, value(m, depth - 1));
    }
    switch (pick(m, 8)) {
    case 0:
        return m->n;
    case 1:
        return m->m;
    case 2:
        return constant(m, (int32_t)pick(m, 9) - 4);
    case 3:
        return ir_load(&m->b,
                       element(m, array(m), constant(m, (int32_t)pick(m, RANDOM_LAUNCH_ELEMENTS))));
    default:
        return m->var_count ? ir_load(&m->b, m->vars[pick(m, m->var_count)]) : m->m;
    }
}

static ir_op *condition(maker *m)
{
    ir_op *a = value(m, 1);

    return ir_binary(&m->b, pick(m, 2) ? SCALAR_OP_lt : SCALAR_OP_ne, a,
                     pick(m, 2) ? value(m, 0) : constant(m, (int32_t)pick(m, 5) - 2));
}

/* ---- statements ---------------------------------------------------------------------------- */

static void statements(maker *m, uint32_t count);

static void declare(maker *m)
{
    if (m->var_count == MOST_VARS)
        return;
    ir_op *first = pick(m, 3) ? value(m, 1) : constant(m, 0);
    ir_op *var = ir_var(&m->b, ir_type_scalar(m->b.module, SCALAR_i32), "v");
    ir_store(&m->b, var, first);
    m->vars[m->var_count++] = var;
}

static void assign(maker *m)
{
    if (m->var_count && !m->sections)
        ir_store(&m->b, m->vars[pick(m, m->var_count)], value(m, 2));
}

static void store_element(maker *m)
{
    ir_op *at = element(m, array(m), constant(m, (int32_t)pick(m, RANDOM_LAUNCH_ELEMENTS)));

    ir_store(&m->b, at, value(m, 2));
}

/* `array[i] = f(array[i], captured)`, an update, or a reduction; each right by rule 2. */
static void task(maker *m)
{
    ir_op *captured = value(m, 1), *lo = constant(m, 0), *hi;
    ir_op *a = array(m), *sum = m->var_count ? m->vars[pick(m, m->var_count)] : NULL;
    uint32_t kind = pick(m, 5);

    hi = pick(m, 3) ? constant(m, RANDOM_LAUNCH_ELEMENTS)
                    : ir_binary(&m->b, SCALAR_OP_and, value(m, 0), constant(m, 7));
    ir_op *op = ir_task(&m->b, (ir_op *[]){ lo, hi }, 1);
    ir_enter(&m->b, op, 0);
    ir_op *i = op->regions[0]->args[0];
    if (kind == 0 && sum && !m->sections) {
        ir_op *term = ir_load(&m->b, element(m, a, i));
        ir_op *update = ir_update(&m->b, sum);
        ir_enter(&m->b, update, 0);
        ir_yield(&m->b, ir_binary(&m->b, SCALAR_OP_add, update->regions[0]->args[0], term));
        ir_leave(&m->b, update);
    } else if (kind == 1 && sum && !m->sections) {
        ir_op *test = ir_binary(&m->b, SCALAR_OP_lt, ir_load(&m->b, element(m, a, i)), captured);
        ir_op *chosen = ir_if(&m->b, test, ir_type_void(m->b.module));
        ir_enter(&m->b, chosen, 0);
        ir_store(&m->b, sum, constant(m, 7));
        ir_leave(&m->b, chosen);
    } else if (kind == 2) {
        ir_op *update = ir_update(&m->b, element(m, a, constant(m, (int32_t)pick(m, 8))));
        ir_enter(&m->b, update, 0);
        ir_yield(&m->b, ir_binary(&m->b, SCALAR_OP_add, update->regions[0]->args[0], i));
        ir_leave(&m->b, update);
    } else {
        ir_op *own = ir_load(&m->b, element(m, a, i));
        ir_op *from = sum && pick(m, 2) ? ir_load(&m->b, sum) : captured;
        ir_store(&m->b, element(m, a, i), ir_binary(&m->b, SCALAR_OP_add, own, from));
    }
    ir_leave(&m->b, op);
}

/* Fills a region; what is declared in it is out of sight after. */
static void fill(maker *m, ir_op *op, uint32_t region)
{
    uint32_t vars = m->var_count;

    ir_enter(&m->b, op, region);
    m->depth++;
    statements(m, 1 + pick(m, 4));
    m->depth--;
    m->var_count = vars;
}

static void choice(maker *m)
{
    ir_op *op = ir_if(&m->b, condition(m), ir_type_void(m->b.module));

    fill(m, op, 0);
    if (pick(m, 2))
        fill(m, op, 1);
    ir_leave(&m->b, op);
}

static void loop(maker *m)
{
    ir_op *start = constant(m, 0), *end = constant(m, (int32_t)pick(m, 4));
    if (pick(m, 3) == 0)
        end = ir_binary(&m->b, SCALAR_OP_and, value(m, 0), constant(m, 3));
    ir_op *var = ir_var(&m->b, ir_type_scalar(m->b.module, SCALAR_i32), "c");
    ir_store(&m->b, var, start);
    ir_op *op = ir_loop(&m->b);
    ir_enter(&m->b, op, 0);
    ir_op *more = ir_binary(&m->b, SCALAR_OP_lt, ir_load(&m->b, var), end);
    ir_op *test = ir_if(&m->b, ir_unary(&m->b, SCALAR_OP_not, more), ir_type_void(m->b.module));
    ir_enter(&m->b, test, 0);
    ir_break(&m->b, 1);
    ir_leave(&m->b, test);
    uint32_t vars = m->var_count;
    m->is_loop[m->levels++] = true;
    m->depth++;
    statements(m, 1 + pick(m, 4));
    m->depth--;
    m->levels--;
    m->var_count = vars;
    ir_enter(&m->b, op, 1);
    ir_store(&m->b, var, ir_binary(&m->b, SCALAR_OP_add, ir_load(&m->b, var), constant(m, 1)));
    ir_leave(&m->b, op);
}

static void block(maker *m)
{
    ir_op *op = ir_block(&m->b);

    m->is_loop[m->levels++] = false;
    fill(m, op, 0);
    m->levels--;
    ir_leave(&m->b, op);
}

/* if (c) break k, continue k, or return. */
static void leave(maker *m)
{
    uint32_t kind = pick(m, 3), level;

    if (m->sections || (m->levels == 0 && kind < 2))
        return;
    ir_op *op = ir_if(&m->b, condition(m), ir_type_void(m->b.module));
    ir_enter(&m->b, op, 0);
    if (pick(m, 3) == 0)
        store_element(m);
    if (kind == 2) {
        ir_return(&m->b, value(m, 1));
    } else {
        level = 1 + pick(m, m->levels);
        if (kind == 1 && m->is_loop[m->levels - level])
            ir_continue(&m->b, level);
        else
            ir_break(&m->b, level);
    }
    ir_leave(&m->b, op);
}

static void sections(maker *m)
{
    if (m->sections)
        return;
    ir_op *op = ir_sections(&m->b);
    maker outer = *m;
    ir_op *arrays[2] = { m->x, m->y };
    m->sections = true;
    m->levels = 0;
    for (uint32_t k = 0; k < 2; k++) { /* each has an array of its own */
        ir_enter(&m->b, op, 0);
        ir_op *part = ir_section(&m->b);
        m->x = m->y = arrays[k];
        fill(m, part, 0);
    }
    ir_leave(&m->b, op);
    outer.state = m->state;
    outer.budget = m->budget;
    outer.b = m->b;
    *m = outer;
}

static void statements(maker *m, uint32_t count)
{
    static void (*const simple[])(maker *) = { declare, assign, assign, store_element,
                                               task,    task,   leave };
    static void (*const deep[])(maker *) = { choice, choice, loop, loop, block, sections };

    for (; count && m->budget; count--) {
        m->budget--;
        if (m->depth < 4 && m->levels < MOST_LEVELS && pick(m, 3) == 0)
            deep[pick(m, 6)](m);
        else
            simple[pick(m, 7)](m);
    }
}

ir_module *random_launch(mem_arena *arena, uint64_t seed)
{
    ir_module *module = ir_module_new(arena);
    const ir_type *i32 = ir_type_scalar(module, SCALAR_i32);
    const ir_type *ints = ir_type_ptr(module, IR_GLOBAL, i32);
    maker m = { .state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15), .budget = 60 };
    ir_func *k = ir_func_new(module, IR_KERNEL, "k", i32);

    m.n = ir_param_add(module, k, "n", i32)->op;
    m.m = ir_param_add(module, k, "m", i32)->op;
    for (uint32_t a = 0; a < 2; a++) {
        ir_param *p = ir_param_add(module, k, a ? "y" : "x", ints);
        p->is_array = true;
        *(a ? &m.y : &m.x) = p->op;
    }
    m.b = (ir_builder){ .module = module, .func = k, .region = k->body };
    statements(&m, 12);
    ir_return(&m.b, value(&m, 2));
    return module;
}
