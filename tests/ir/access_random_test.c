/* SPDX-License-Identifier: Apache-2.0 */
/*
 * access_random_test.c - what the access pass proves is true: where it calls an update one
 * iteration's alone, no two iterations have the same index, whatever the arguments.
 *
 * The same random index expressions are built twice: once stored to a log that the interpreter
 * fills, once as updates for the passes. Indices are small, so nothing wraps.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp.h"
#include "ir/pass.h"
#include "ir_case.h"

enum { SEEDS = 4000, LOG = 4096, ROW = 8 };

typedef struct maker {
    ir_builder b;
    uint64_t state;
    ir_op *n, *m, *x, *log, *axes[2], *inner;
    ir_op *base; /* all accesses are this and a little more; NULL: each has its own */
    uint32_t rank;
    bool rows; /* x is [..][ROW] */
} maker;

static uint32_t pick(maker *m, uint32_t below)
{
    m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(m->state >> 33) % below;
}

static ir_op *leaf(maker *m)
{
    switch (pick(m, 7)) {
    case 0:
        return m->n;
    case 1:
        return m->m;
    case 2:
        return ir_const(&m->b, SCALAR_i32, pick(m, 6));
    case 3:
        return m->inner ? ir_load(&m->b, m->inner) : m->axes[0];
    default:
        return m->axes[pick(m, m->rank)];
    }
}

static ir_op *expression(maker *m, uint32_t depth)
{
    static const scalar_op ops[] = { SCALAR_OP_add, SCALAR_OP_add, SCALAR_OP_sub,
                                     SCALAR_OP_mul, SCALAR_OP_mul, SCALAR_OP_div,
                                     SCALAR_OP_rem, SCALAR_OP_xor, SCALAR_OP_and };
    scalar_op op = ops[pick(m, 9)];

    if (depth == 0 || pick(m, 4) == 0)
        return leaf(m);
    ir_op *a = expression(m, depth - 1);
    ir_op *b = op == SCALAR_OP_div || op == SCALAR_OP_rem
                   ? ir_const(&m->b, SCALAR_i32, 1 + pick(m, 4))
                   : expression(m, depth - 1);
    return ir_binary(&m->b, op, a, b);
}

/* row * ROW + column, with the column inside its row, as C demands of x[row][column]. */
static ir_op *index_of(maker *m)
{
    if (m->base) {
        ir_op *little = m->inner && pick(m, 3) ? ir_load(&m->b, m->inner)
                                               : ir_const(&m->b, SCALAR_i32, pick(m, 4));
        ir_op *sum = ir_binary(&m->b, SCALAR_OP_add, m->base, little);
        if (pick(m, 2))
            sum = ir_binary(&m->b, SCALAR_OP_add, sum, ir_const(&m->b, SCALAR_i32, pick(m, 4)));
        return ir_convert(&m->b, SCALAR_i64, sum);
    }
    ir_op *row = ir_convert(&m->b, SCALAR_i64, expression(m, 3));
    if (!m->rows)
        return row;
    ir_op *mask = ir_const(&m->b, SCALAR_i32, ROW - 1);
    ir_op *column = ir_binary(&m->b, SCALAR_OP_and, expression(m, 2), mask);
    ir_op *start = ir_binary(&m->b, SCALAR_OP_mul, row, ir_const_i64(&m->b, ROW));
    return ir_binary(&m->b, SCALAR_OP_add, start, ir_convert(&m->b, SCALAR_i64, column));
}

/* log[++log[0]] = iteration << 32 | index */
static void add_log(maker *m, ir_op *index)
{
    ir_op *wide = ir_convert(&m->b, SCALAR_i64, m->axes[0]);
    ir_op *at = ir_binary(&m->b, SCALAR_OP_add, ir_load(&m->b, m->log), ir_const_i64(&m->b, 1));

    if (m->rank == 2)
        wide = ir_binary(&m->b, SCALAR_OP_add,
                         ir_binary(&m->b, SCALAR_OP_mul, wide, ir_const_i64(&m->b, 100)),
                         ir_convert(&m->b, SCALAR_i64, m->axes[1]));
    ir_op *high = ir_binary(&m->b, SCALAR_OP_shl, wide, ir_const_i64(&m->b, 32));
    ir_op *low = ir_binary(&m->b, SCALAR_OP_and, index, ir_const_i64(&m->b, 0xffffffff));
    ir_store(&m->b, m->log, at);
    ir_store(&m->b, ir_offset(&m->b, m->log, at), ir_binary(&m->b, SCALAR_OP_or, high, low));
}

static void add_update(maker *m, ir_op *index)
{
    ir_op *update = ir_update(&m->b, ir_offset(&m->b, m->x, index));

    ir_enter(&m->b, update, 0);
    ir_yield(&m->b, ir_binary(&m->b, SCALAR_OP_add, update->regions[0]->args[0],
                              ir_const(&m->b, SCALAR_i32, 1)));
    ir_leave(&m->b, update);
}

static void touch(maker *m, bool logged)
{
    ir_op *index = index_of(m);

    if (logged)
        add_log(m, index);
    else
        add_update(m, index);
}

/* for (k = 0; k < end; k++) touch */
static void touch_in_loop(maker *m, bool logged)
{
    ir_op *end = pick(m, 2) ? ir_const(&m->b, SCALAR_i32, 1 + pick(m, 4)) : m->n;
    ir_op *zero = ir_const(&m->b, SCALAR_i32, 0);

    m->inner = ir_var(&m->b, ir_type_scalar(m->b.module, SCALAR_i32), "k");
    ir_store(&m->b, m->inner, zero);
    ir_op *loop = ir_loop(&m->b);
    ir_enter(&m->b, loop, 0);
    ir_op *more = ir_binary(&m->b, SCALAR_OP_lt, ir_load(&m->b, m->inner), end);
    ir_op *test = ir_if(&m->b, ir_unary(&m->b, SCALAR_OP_not, more), ir_type_void(m->b.module));
    ir_enter(&m->b, test, 0);
    ir_break(&m->b, 1);
    ir_leave(&m->b, test);
    touch(m, logged);
    ir_enter(&m->b, loop, 1);
    ir_op *step =
        ir_binary(&m->b, SCALAR_OP_add, ir_load(&m->b, m->inner), ir_const(&m->b, SCALAR_i32, 1));
    ir_store(&m->b, m->inner, step);
    ir_leave(&m->b, loop);
    m->inner = NULL;
}

static ir_region *constant_extent(ir_module *module, int64_t value)
{
    ir_region *r = ir_region_new(module, NULL);
    ir_builder b = { .module = module, .region = r };

    ir_yield(&b, ir_const_i64(&b, value));
    return r;
}

static ir_module *make(mem_arena *arena, uint64_t seed, bool logged)
{
    ir_module *module = ir_module_new(arena);
    maker m = { .state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) };
    const ir_type *i32 = ir_type_scalar(module, SCALAR_i32);
    ir_func *k = ir_func_new(module, IR_KERNEL, "k", ir_type_void(module));
    ir_op *bounds[4];

    m.rows = pick(&m, 3) == 0;
    m.rank = 1 + (pick(&m, 3) == 0);
    m.n = ir_param_add(module, k, "n", i32)->op;
    m.m = ir_param_add(module, k, "m", i32)->op;
    ir_param *x = ir_param_add(module, k, "x", ir_type_ptr(module, IR_GLOBAL, i32));
    x->is_array = true;
    x->rank = 1 + m.rows;
    for (uint32_t d = 0; d < x->rank; d++)
        x->extents[d] = constant_extent(module, d + 1 == x->rank && m.rows ? ROW : 1000);
    m.x = x->op;
    const ir_type *i64 = ir_type_scalar(module, SCALAR_i64);
    ir_param *log = ir_param_add(module, k, "log", ir_type_ptr(module, IR_GLOBAL, i64));
    log->is_array = true;
    m.log = log->op;
    m.b = (ir_builder){ .module = module, .func = k, .region = k->body };
    for (uint32_t a = 0; a < m.rank; a++) {
        uint32_t way = pick(&m, 4);
        bounds[2 * a] = ir_const(&m.b, SCALAR_i32, pick(&m, 4) == 0);
        bounds[2 * a + 1] = way == 0 ? m.n : way == 1 ? m.m : ir_const(&m.b, SCALAR_i32, 4 + way);
    }
    ir_op *task = ir_task(&m.b, bounds, m.rank);
    ir_enter(&m.b, task, 0);
    for (uint32_t a = 0; a < m.rank; a++)
        m.axes[a] = task->regions[0]->args[a];
    if (!m.rows && pick(&m, 3) == 0) {
        ir_op *times = pick(&m, 4) ? ir_const(&m.b, SCALAR_i32, 1 + pick(&m, 4)) : m.n;
        m.base = ir_binary(&m.b, SCALAR_OP_mul, m.axes[0], times);
        if (m.rank == 2)
            m.base = ir_binary(&m.b, SCALAR_OP_add, m.base, m.axes[1]);
    }
    for (uint32_t count = 1 + pick(&m, 2); count; count--)
        if (pick(&m, 3) == 0)
            touch_in_loop(&m, logged);
        else
            touch(&m, logged);
    ir_leave(&m.b, task);
    ir_return(&m.b, NULL);
    return module;
}

/* Do two iterations of one run meet at an index? */
static bool iterations_meet(const int64_t *log)
{
    for (int64_t a = 1; a <= log[0]; a++)
        for (int64_t b = a + 1; b <= log[0]; b++)
            if ((int32_t)log[a] == (int32_t)log[b] && log[a] >> 32 != log[b] >> 32)
                return true;
    return false;
}

static bool meet_for_some_arguments(uint64_t seed)
{
    static const uint64_t values[] = { 0, 1, 2, 3, 5 };
    static int64_t log[LOG];
    ir_case_module c = { 0 };
    bool meet = false;

    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    c.module = make(&c.arena, seed, true);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    for (int k = 0; k < 25; k++) {
        interp in = { .steps = 400000 };
        uint64_t args[4] = { values[k % 5], values[k / 5], 0, (uint64_t)(uintptr_t)log };
        log[0] = 0;
        interp_run(&in, case_func(&c, "k"), args);
        CHECK(in.failed == NULL && log[0] < LOG);
        interp_finish(&in);
        meet = meet || iterations_meet(log);
    }
    case_finish(&c);
    return meet;
}

static bool is_no_atomic(ir_op *op, void *user)
{
    (void)user;
    return op->code != IR_update && op->code != IR_atomic;
}

static bool called_exclusive(uint64_t seed)
{
    static const char *const order[] = { "launch", "access", "atomics" };
    ir_case_module c = { 0 };
    mod_module *module = NULL;
    bool all_plain = true;

    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    c.module = make(&c.arena, seed, false);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    diag_list diags = { .arena = &c.arena };
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(ir_run_pass(order[i], c.module, &diags, &module), SLIP_OK);
    for (ir_func *f = c.module->funcs; f; f = f->next)
        all_plain = all_plain && ir_walk(f->body, is_no_atomic, NULL);
    case_finish(&c);
    return all_plain;
}

static void no_two_iterations_meet_where_an_update_is_plain(void)
{
    uint32_t exclusive = 0, apart = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool meet = meet_for_some_arguments(seed), plain = called_exclusive(seed);
        if (plain && meet)
            CHECK_FAIL("seed %llu: iterations meet, and the update is plain",
                       (unsigned long long)seed);
        exclusive += plain;
        apart += !meet;
    }
    CHECK(exclusive > apart / 4); /* and it proves much of what there is to prove */
    CHECK(exclusive > SEEDS / 20);
}

static const check_case cases[] = {
    CASE(no_two_iterations_meet_where_an_update_is_plain),
};
CHECK_MAIN(cases)
