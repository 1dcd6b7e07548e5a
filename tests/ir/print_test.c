/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_test.c - print after parse gives the same text, for every op and every kind of item.
 */
#include <stdlib.h>
#include <string.h>

#include "ir_case.h"

static void every_kind_of_line_comes_back_as_it_was(void)
{
    ir_case_module c;
    size_t bytes;
    char *source = check_read("tests/golden/ir/all.ir", &bytes);

    case_load(&c, source, false);
    CHECK_TEXT(case_print(&c), source);
    case_finish(&c);
    free(source);
}

static bool note_code(ir_op *op, void *user)
{
    ((bool *)user)[op->code] = true;
    return true;
}

static void the_golden_holds_every_op(void)
{
    ir_case_module c;
    bool seen[IR_CODE_COUNT] = { 0 };

    case_load_file(&c, "tests/golden/ir/all.ir", false);
    for (ir_func *f = c.module->funcs; f; f = f->next)
        ir_walk_func(f, note_code, seen);
    for (int k = 0; k < IR_CODE_COUNT; k++)
        if (!seen[k] && k != IR_param && k != IR_arg)
            CHECK_FAIL("op %s is missing", ir_codes[k].name);
    case_finish(&c);
}

static void bits_and_names_are_kept(void)
{
    ir_case_module c;
    const ir_table *table;
    float third;

    case_load_file(&c, "tests/golden/ir/all.ir", false);
    CHECK_TEXT(c.module->files[1], "dir with space/\"odd\"\x01\\.h");
    CHECK(c.module->fma);
    table = c.module->tables->next;
    memcpy(&third, table->data + 8, sizeof third);
    CHECK_EQ_F64(third, 3.0);
    CHECK_EQ_U64(table->data[24], 1); /* bool true behind the struct of 24 bytes */
    CHECK_EQ_I64((int8_t)table->data[25], -128);
    CHECK_EQ_U64(table->type->size, 64);
    CHECK_TEXT(case_func(&c, "heat")->params[0].name, "n");
    CHECK_EQ_U64(case_func(&c, "heat")->params[2].rank, 2);
    CHECK_EQ_U64(case_func(&c, "heat")->place.line, 10);
    CHECK_EQ_U64(case_func(&c, "heat:12")->task->task->accesses[1].flags,
                 MOD_READ | MOD_WRITE | MOD_UPDATE | MOD_COVERS);
    CHECK_EQ_U64(case_func(&c, "heat:12")->task->task->axes[1].lo_cell, 8);
    CHECK_EQ_U64(case_func(&c, "heat:12")->task->task->axes[1].hi, 5);
    case_finish(&c);
}

static void what_the_builder_makes_prints_as_it_reads(void)
{
    mem_arena arena = { 0 };
    text out = { 0 };

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    ir_module *m = ir_module_new(&arena);
    ir_func *f = ir_func_new(m, IR_HELPER, "twice", ir_type_scalar(m, SCALAR_i32));
    ir_op *x = ir_param_add(m, f, "x", ir_type_scalar(m, SCALAR_i32))->op;
    ir_builder b = { .module = m, .func = f, .region = f->body };
    b.place = (ir_place){ ir_file(m, "a.c"), 3, 4 };
    ir_op *var = ir_var(&b, x->type, "t");
    ir_op *loop = ir_loop(&b);
    ir_enter(&b, loop, 0);
    ir_store(&b, var, ir_binary(&b, SCALAR_OP_add, x, x));
    ir_break(&b, 1);
    ir_leave(&b, loop);
    ir_return(&b, ir_load(&b, var));
    CHECK_STATUS(ir_verify(m), SLIP_OK);
    ir_print_func(&out, m, f);
    CHECK_TEXT(text_get(&out), "helper i32 twice {\n"
                               "  %0 = param i32 as x\n"
                               "  %1 = var ptr.local i32 as t @0:3:4\n"
                               "  loop @0:3:4 {\n"
                               "    %2 = add i32 %0, %0 @0:3:4\n"
                               "    store %1, %2 @0:3:4\n"
                               "    break 1 @0:3:4\n"
                               "  }\n"
                               "  %3 = load i32 %1 @0:3:4\n"
                               "  return %3 @0:3:4\n"
                               "}\n");
    text_finish(&out);
    mem_arena_finish(&arena);
}

static const check_case cases[] = {
    CASE(every_kind_of_line_comes_back_as_it_was),
    CASE(the_golden_holds_every_op),
    CASE(bits_and_names_are_kept),
    CASE(what_the_builder_makes_prints_as_it_reads),
};
CHECK_MAIN(cases)
