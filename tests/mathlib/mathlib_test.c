/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mathlib_test.c - the library's texts are whole, and linking gives a module what it calls, once.
 */
#include "mathlib/mathlib.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

static ir_module *parsed(mem_arena *arena, const char *source)
{
    ir_module *m = NULL;

    CHECK_STATUS(mem_arena_init(arena), SLIP_OK);
    CHECK_STATUS(ir_parse(arena, source, &m), SLIP_OK);
    return m;
}

static uint32_t count_funcs(const ir_module *m)
{
    uint32_t count = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        count++;
    return count;
}

static uint32_t count_tables(const ir_module *m)
{
    uint32_t count = 0;

    for (const ir_table *t = m->tables; t; t = t->next)
        count++;
    return count;
}

/* All in one module: no two texts define the same thing. */
static void every_function_can_be_added_and_verified(void)
{
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, "module\n");
    uint32_t added = 0;

    for (const mathlib_row *row = mathlib_rows; row->name; row++) {
        ir_func *f = NULL;
        if (strncmp(row->text, "helper ", 7) != 0)
            continue;
        CHECK_STATUS(mathlib_function(m, row->name + strlen("slip."), &f), SLIP_OK);
        CHECK_TEXT(f->name, row->name);
        added++;
    }
    CHECK(added >= 2 * 35); /* f32 and f64 of each */
    CHECK_EQ_U64(count_funcs(m), added);
    CHECK_STATUS(ir_verify(m), SLIP_OK);
    mem_arena_finish(&arena);
}

static void every_math_operation_of_the_library_has_both_types(void)
{
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, "module\n");

    for (int k = 0; k < IR_MATH_COUNT; k++) {
        char name[40];
        ir_func *f = NULL;
        if (!mathlib_has((ir_math)k))
            continue;
        snprintf(name, sizeof name, "%s", ir_maths[k].name);
        CHECK_STATUS(mathlib_function(m, name, &f), SLIP_OK);
        CHECK(ir_is_scalar(f->result, SCALAR_f64));
        CHECK_EQ_U64(f->param_count, ir_maths[k].operands);
        snprintf(name, sizeof name, "%sf", ir_maths[k].name);
        CHECK_STATUS(mathlib_function(m, name, &f), SLIP_OK);
        CHECK(ir_is_scalar(f->result, SCALAR_f32));
        CHECK_EQ_U64(f->param_count, ir_maths[k].operands);
    }
    mem_arena_finish(&arena);
}

static void math_operations_become_calls_of_one_function_each(void)
{
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, "module\n"
                                  "helper f64 twice {\n"
                                  "  %0 = param f64\n"
                                  "  %1 = math f64 sin %0\n"
                                  "  %2 = math f64 sin %1\n"
                                  "  %3 = math f64 cos %2\n"
                                  "  %4 = math f64 round %3\n"
                                  "  return %4\n"
                                  "}\n");
    text out = { 0 };

    CHECK_STATUS(mathlib_link(m), SLIP_OK);
    CHECK_STATUS(ir_verify(m), SLIP_OK);
    CHECK_EQ_U64(count_funcs(m), 3);
    CHECK_EQ_U64(count_tables(m), 1); /* the digits of 2/pi serve both */
    ir_print_func(&out, m, m->funcs);
    CHECK_TEXT(text_get(&out), "helper f64 twice {\n"
                               "  %0 = param f64\n"
                               "  %1 = call f64 slip.sin %0\n"
                               "  %2 = call f64 slip.sin %1\n"
                               "  %3 = call f64 slip.cos %2\n"
                               "  %4 = math f64 round %3\n"
                               "  return %4\n"
                               "}\n");
    text_finish(&out);
    mem_arena_finish(&arena);
}

static void a_module_without_math_stays_as_it_is(void)
{
    static const char source[] = "module\n\nhelper f32 same {\n  %0 = param f32\n  return %0\n}\n";
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, source);
    text out = { 0 };

    CHECK_STATUS(mathlib_link(m), SLIP_OK);
    ir_print(&out, m);
    CHECK_TEXT(text_get(&out), source);
    text_finish(&out);
    mem_arena_finish(&arena);
}

static uint32_t count_shader_only(const ir_module *m)
{
    uint32_t count = 0;

    for (const ir_func *f = m->funcs; f; f = f->next)
        count += f->shader_only;
    return count;
}

static void what_a_device_may_have_wrong_gets_functions_in_its_stead(void)
{
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, "module\n"
                                  "helper f32 both {\n"
                                  "  %0 = param f32\n"
                                  "  %1 = math f32 rsqrt %0\n"
                                  "  %2 = math f32 fmod %1, %0\n"
                                  "  %3 = rem f32 %2, %0\n"
                                  "  return %3\n"
                                  "}\n");

    CHECK_STATUS(mathlib_link(m), SLIP_OK);
    CHECK_EQ_U64(count_funcs(m), 2);
    CHECK_STATUS(mathlib_link_soft(m), SLIP_OK);
    CHECK_STATUS(ir_verify(m), SLIP_OK);
    CHECK_EQ_U64(count_funcs(m), 9); /* three for division, four for root; fmodf is called too */
    CHECK_EQ_U64(count_shader_only(m), 7);
    CHECK_STATUS(mathlib_link_soft(m), SLIP_OK); /* nothing more: those do not count */
    CHECK_EQ_U64(count_funcs(m), 9);
    CHECK_EQ_U64(count_shader_only(m), 7);
    mem_arena_finish(&arena);
}

static void what_the_library_lacks_is_not_found(void)
{
    mem_arena arena = { 0 };
    ir_module *m = parsed(&arena, "module\n");
    ir_func *f = NULL;

    CHECK_STATUS(mathlib_function(m, "sinl", &f), SLIP_ERR_NOT_FOUND);
    CHECK(f == NULL);
    CHECK_EQ_U64(count_funcs(m), 0);
    mem_arena_finish(&arena);
}

static const check_case cases[] = {
    CASE(every_function_can_be_added_and_verified),
    CASE(every_math_operation_of_the_library_has_both_types),
    CASE(math_operations_become_calls_of_one_function_each),
    CASE(a_module_without_math_stays_as_it_is),
    CASE(what_a_device_may_have_wrong_gets_functions_in_its_stead),
    CASE(what_the_library_lacks_is_not_found),
};
CHECK_MAIN(cases)
