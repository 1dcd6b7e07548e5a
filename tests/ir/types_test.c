/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types_test.c - equal types are one, structs are known by name, lists keep their order.
 */
#include <string.h>

#include "ir_case.h"

static ir_case_module made;

static ir_module *start(void)
{
    made = (ir_case_module){ 0 };
    CHECK_STATUS(mem_arena_init(&made.arena), SLIP_OK);
    return made.module = ir_module_new(&made.arena);
}

static void equal_types_are_one_pointer(void)
{
    ir_module *m = start();
    const ir_type *f32 = ir_type_scalar(m, SCALAR_f32), *i32 = ir_type_scalar(m, SCALAR_i32);

    CHECK(f32 != i32);
    CHECK(ir_type_scalar(m, SCALAR_f32) == f32);
    CHECK(ir_type_void(m) == ir_type_void(m) && ir_type_void(m) != f32);
    CHECK(ir_type_ptr(m, IR_GLOBAL, f32) == ir_type_ptr(m, IR_GLOBAL, f32));
    CHECK(ir_type_ptr(m, IR_GLOBAL, f32) != ir_type_ptr(m, IR_LOCAL, f32));
    CHECK(ir_type_ptr(m, IR_GLOBAL, f32) != ir_type_ptr(m, IR_GLOBAL, i32));
    CHECK(ir_type_array(m, f32, 3) == ir_type_array(m, f32, 3));
    CHECK(ir_type_array(m, f32, 3) != ir_type_array(m, f32, 4));
    case_finish(&made);
}

static void sizes_are_those_of_c(void)
{
    ir_module *m = start();
    const ir_type *f64 = ir_type_scalar(m, SCALAR_f64);

    CHECK_EQ_U64(f64->size, 8);
    CHECK_EQ_U64(ir_type_scalar(m, SCALAR_bool)->size, 1);
    CHECK_EQ_U64(ir_type_void(m)->size, 0);
    CHECK_EQ_U64(ir_type_ptr(m, IR_LOCAL, f64)->size, 8);
    CHECK_EQ_U64(ir_type_array(m, ir_type_array(m, f64, 3), 5)->size, 120);
    CHECK_EQ_U64(ir_type_array(m, f64, 5)->align, 8);
    CHECK_EQ_U64(ir_type_array(m, f64, UINT64_MAX / 4)->size, UINT64_MAX);
    case_finish(&made);
}

static void a_struct_is_known_by_name_and_must_be_equal(void)
{
    ir_module *m = start();
    ir_field fields[2] = { { "a", ir_type_scalar(m, SCALAR_i32), 0 },
                           { "b", ir_type_scalar(m, SCALAR_f32), 4 } };
    const ir_type *pair = ir_type_struct(m, "pair", fields, 2, 8, 4);

    CHECK(ir_type_struct(m, "pair", fields, 2, 8, 4) == pair);
    CHECK(ir_type_struct(m, "other", fields, 2, 8, 4) != pair);
    CHECK(ir_type_struct(m, "pair", fields, 1, 8, 4) == NULL);
    CHECK(ir_type_struct(m, "pair", fields, 2, 12, 4) == NULL);
    fields[1].offset = 0;
    CHECK(ir_type_struct(m, "pair", fields, 2, 8, 4) == NULL);
    CHECK_EQ_U64(pair->fields[1].offset, 4); /* a copy was kept */
    fields[1] = (ir_field){ "c", fields[1].type, 4 };
    CHECK(ir_type_struct(m, "pair", fields, 2, 8, 4) == NULL);
    case_finish(&made);
}

static void names_are_copied_and_files_are_listed_once(void)
{
    ir_module *m = start();
    char name[] = "heat.c";

    CHECK_EQ_U64(ir_file(m, name), 0);
    name[0] = 'b';
    CHECK_EQ_U64(ir_file(m, name), 1);
    CHECK_EQ_U64(ir_file(m, "heat.c"), 0);
    for (int i = 0; i < 40; i++)
        CHECK_EQ_U64(ir_file(m, arena_text(&made.arena, "f%d.c", i)), 2 + i);
    CHECK_TEXT(m->files[1], "beat.c");
    ir_func *f = ir_func_new(m, IR_HELPER, name, ir_type_void(m));
    ir_param *p = ir_param_add(m, f, name, ir_type_scalar(m, SCALAR_i32));
    name[0] = 'x';
    CHECK_TEXT(f->name, "beat.c");
    CHECK_TEXT(p->op->name, "beat.c");
    case_finish(&made);
}

static void functions_and_tables_keep_the_order_of_making(void)
{
    ir_module *m = start();
    const ir_type *u8 = ir_type_scalar(m, SCALAR_u8);
    ir_func *a = ir_func_new(m, IR_HELPER, "a", u8), *b = ir_func_new(m, IR_HELPER, "b", u8);
    ir_func *c = ir_func_new(m, IR_HELPER, "c", u8);
    const ir_table *t = ir_table_new(m, "t", u8, "\x07"), *u = ir_table_new(m, "u", u8, "\x08");

    CHECK(m->tables == t && t->next == u && u->next == NULL);
    CHECK_EQ_U64(t->data[0], 7);
    ir_func_remove(m, b);
    CHECK(m->funcs == a && a->next == c && m->last_func == c);
    ir_func_remove(m, c);
    CHECK(m->last_func == a && a->next == NULL);
    ir_func_remove(m, a);
    CHECK(m->funcs == NULL && m->last_func == NULL);
    b = ir_func_new(m, IR_KERNEL, "d", u8);
    CHECK(m->funcs == b && m->last_func == b);
    case_finish(&made);
}

static const check_case cases[] = {
    CASE(equal_types_are_one_pointer),
    CASE(sizes_are_those_of_c),
    CASE(a_struct_is_known_by_name_and_must_be_equal),
    CASE(names_are_copied_and_files_are_listed_once),
    CASE(functions_and_tables_keep_the_order_of_making),
};
CHECK_MAIN(cases)
