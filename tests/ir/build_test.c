/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_test.c - the builder: types it gives, where the cursor stands, what it copies.
 */
#include <string.h>

#include "ir_case.h"

static ir_builder start(ir_case_module *c)
{
    case_load(c, "module\nhelper void f {\n  %i = param i32 as i\n  %x = param f32 as x\n}\n", true);
    ir_func *f = case_func(c, "f");
    return (ir_builder){ .module = c->module, .func = f, .region = f->body };
}

static void ops_get_the_types_of_their_inputs(void)
{
    ir_case_module c;
    ir_builder b = start(&c);
    ir_op *i = b.func->params[0].op, *x = b.func->params[1].op;

    CHECK(ir_is_scalar(ir_binary(&b, SCALAR_OP_lt, x, x)->type, SCALAR_bool));
    CHECK(ir_binary(&b, SCALAR_OP_add, x, x)->type == x->type);
    CHECK(ir_convert(&b, SCALAR_i32, i) == i);
    CHECK(ir_is_scalar(ir_convert(&b, SCALAR_u8, i)->type, SCALAR_u8));
    CHECK(ir_bitcast(&b, SCALAR_f32, x) == x);
    CHECK_EQ_U64(ir_const(&b, SCALAR_i8, 0x1ff)->bits, UINT64_MAX);
    CHECK(ir_call(&b, b.func, (ir_op *[]){ i, x }, 2)->type->kind == IR_VOID);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    case_finish(&c);
}

static void pointers_step_into_aggregates(void)
{
    ir_case_module c;
    ir_builder b = start(&c);
    const ir_type *i32 = b.func->params[0].op->type;
    ir_field fields[1] = { { "q", ir_type_array(c.module, i32, 3), 0 } };
    const ir_type *s = ir_type_struct(c.module, "s", fields, 1, 12, 4);
    ir_op *var = ir_var(&b, s, "v"), *one = ir_const_i64(&b, 1);
    ir_op *element = ir_index(&b, ir_field_ref(&b, var, 0), one);

    CHECK(element->type == ir_type_ptr(c.module, IR_LOCAL, i32));
    CHECK(ir_offset(&b, element, one)->type == element->type);
    CHECK(ir_load(&b, element)->type == i32);
    ir_store(&b, element, ir_load(&b, element));
    ir_copy(&b, var, var);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    case_finish(&c);
}

static void the_cursor_goes_in_and_out(void)
{
    ir_case_module c;
    ir_builder b = start(&c);
    ir_op *last = ir_return(&b, NULL), *block;

    b.before = last;
    block = ir_block(&b);
    ir_enter(&b, block, 0);
    ir_break(&b, 1);
    ir_leave(&b, block);
    ir_const_i64(&b, 1);
    b.region = b.func->body;
    b.before = block;
    ir_const_i64(&b, 2);
    ir_const_i64(&b, 3);
    CHECK_TEXT(case_print(&c), "module\n\nhelper void f {\n  %0 = param i32 as i\n"
                               "  %1 = param f32 as x\n  %2 = const i64 2\n  %3 = const i64 3\n"
                               "  block {\n    break 1\n  }\n  %4 = const i64 1\n  return\n}\n");
    ir_move_before(b.func->body->first, b.func->body, last);
    CHECK(last->prev->bits == 2 && b.func->body->first->bits == 3);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    case_finish(&c);
}

static void cases_bounds_and_names_are_copied(void)
{
    ir_case_module c;
    ir_builder b = start(&c);
    uint64_t values[2] = { 1, 2 };
    ir_case rows[1] = { { values, 2 } };
    ir_op *i = b.func->params[0].op, *bounds[4] = { i, i, i, i };
    char name[] = "v";

    ir_op *pick = ir_switch(&b, i, rows, 1), *task;
    ir_op *var = ir_var(&b, i->type, name);
    values[0] = 9;
    rows[0].count = 0;
    name[0] = 'w';
    CHECK_EQ_U64(pick->region_count, 2);
    CHECK_EQ_U64(pick->cases[0].count, 2);
    CHECK_EQ_U64(pick->cases[0].values[0], 1);
    CHECK_TEXT(var->name, "v");
    task = ir_task(&b, bounds, 2);
    bounds[0] = NULL;
    CHECK(task->in[0] == i && task->regions[0]->arg_count == 2);
    CHECK(task->regions[0]->args[1]->index == 1 && task->regions[0]->args[1]->type == i->type);
    case_finish(&c);
}

static const check_case cases[] = {
    CASE(ops_get_the_types_of_their_inputs),
    CASE(pointers_step_into_aggregates),
    CASE(the_cursor_goes_in_and_out),
    CASE(cases_bounds_and_names_are_copied),
};
CHECK_MAIN(cases)
