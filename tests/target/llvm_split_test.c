/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_split_test.c - parts of a module: each task is in one, none is much larger than another,
 * and what they are linked to is what the parts hold.
 */
#include <string.h>

#include "support/check.h"
#include "target/code_run.h"
#include "target/llvm_emit.h"

/* `count` tasks over f64 x[n]: task k stores x[i] times k + 1, `length` times over; every other
 * one calls erf, so that parts name the same import. */
static void print_tasks(text *ir, int count, int length)
{
    text_add(ir, "module\n");
    for (int k = 0; k < count; k++) {
        text_add(
            ir,
            "task void t%d {\n  info %d cells none {\n    task \"t%d\" block 24 predicate none "
            "partials 0 at none\n    axis i64 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes "
            "8\n  }\n  %%i = param i64\n  %%x = param ptr.global f64\n"
            "  %%p = offset ptr.global f64 %%x, %%i\n  %%v0 = load f64 %%p\n",
            k, k, k);
        text_add(ir, "  %%c = const f64 %d\n", k + 1);
        for (int n = 0; n < length; n++)
            text_add(ir, "  %%v%d = mul f64 %%v%d, %%c\n", n + 1, n);
        if (k % 2)
            text_add(ir, "  %%e = math f64 erf %%v%d\n  store %%p, %%e\n}\n", length);
        else
            text_add(ir, "  store %%p, %%v%d\n}\n", length);
    }
}

static void small_modules_are_one_part(void)
{
    const uint8_t *parts = NULL;
    text ir = { 0 };
    code c;

    print_tasks(&ir, 2, 4);
    code_compile(&c, text_get(&ir), MOD_TARGET_CPU_X86_64_V2, NULL);
    CHECK_EQ_U64(llvm_split(c.module, &c.arena, &parts), 1);
    CHECK(parts[0] == 0 && parts[1] == 0);
    code_finish(&c);
    text_finish(&ir);
}

static void large_modules_have_parts_of_one_size(void)
{
    uint32_t held[LLVM_PARTS] = { 0 };
    const uint8_t *parts = NULL;
    text ir = { 0 };
    code c;

    print_tasks(&ir, 16, 60);
    code_compile(&c, text_get(&ir), MOD_TARGET_CPU_X86_64_V2, NULL);
    CHECK_EQ_U64(llvm_split(c.module, &c.arena, &parts), LLVM_PARTS);
    for (int k = 0; k < 16; k++)
        held[parts[k]]++;
    for (int p = 0; p < LLVM_PARTS; p++)
        CHECK_EQ_U64(held[p], 16 / LLVM_PARTS);
    code_finish(&c);
    text_finish(&ir);
}

static void a_task_alone_is_one_part_however_large(void)
{
    const uint8_t *parts = NULL;
    text ir = { 0 };
    code c;

    print_tasks(&ir, 1, 2000);
    code_compile(&c, text_get(&ir), MOD_TARGET_CPU_X86_64_V2, NULL);
    CHECK_EQ_U64(llvm_split(c.module, &c.arena, &parts), 1);
    code_finish(&c);
    text_finish(&ir);
}

/* Each task has an entry point of its own, and the import is there once. */
static void parts_become_one_image(void)
{
    text ir = { 0 };
    code c;

    print_tasks(&ir, 16, 60);
    for (int which = 0; which < TARGET_CPU_COUNT; which++) {
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        CHECK_EQ_U64(c.image.symbol_count, 16);
        for (int k = 0; k < 16; k++)
            for (int j = 0; j < k; j++)
                CHECK(c.image.symbols[k].main != c.image.symbols[j].main);
        CHECK_EQ_U64(c.image.import_count, 1);
        CHECK_TEXT(c.image.imports[0], "erf");
        code_finish(&c);
    }
    text_finish(&ir);
}

static const check_case cases[] = {
    CASE(small_modules_are_one_part),
    CASE(large_modules_have_parts_of_one_size),
    CASE(a_task_alone_is_one_part_however_large),
    CASE(parts_become_one_image),
};
CHECK_MAIN(cases)
