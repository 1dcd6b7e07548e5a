/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_test.c - a module as text: every kind of thing it holds, in full.
 */
#include "module/print.h"

#include "module/whole.h"
#include "support/check.h"

static void the_whole_module_reads_so(void)
{
    whole w;
    text told = { 0 };

    whole_make(&w);
    mod_print(&told, &w.m);
    CHECK_EQ_I64(told.status, SLIP_OK);
    CHECK_GOLDEN("tests/golden/module/whole.txt", text_get(&told));
    text_finish(&told);
}

static void each_target_has_a_name(void)
{
    CHECK_TEXT(mod_target_name(MOD_TARGET_CPU_X86_64_V2), "cpu-x86-64-v2");
    CHECK_TEXT(mod_target_name(MOD_TARGET_CPU_AARCH64), "cpu-aarch64");
    CHECK_TEXT(mod_target_name(MOD_TARGET_PTX), "ptx");
    CHECK_TEXT(mod_target_name(MOD_TARGET_GFX1030), "gfx1030");
}

static void parameters_read_as_in_the_source(void)
{
    static const char *const expected[] = { "i32 n", "P p", "f32 x[n][3]", "const P q[]",
                                            "slip_out u64 y[n]" };
    whole w;

    whole_make(&w);
    for (int i = 0; i < 5; i++) {
        text told = { 0 };
        mod_print_param(&told, &w.params[i]);
        CHECK_TEXT(text_get(&told), expected[i]);
        text_finish(&told);
    }
}

static const check_case cases[] = {
    CASE(the_whole_module_reads_so),
    CASE(each_target_has_a_name),
    CASE(parameters_read_as_in_the_source),
};
CHECK_MAIN(cases)
