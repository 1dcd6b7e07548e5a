/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target_test.c - the targets as a whole: names, refusals, texts, and compiles on several threads
 * at once.
 */
#include "target/code_run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "driver/cpu_math.h"
#include "support/check.h"
#include "target/maths.h"

/* Two tasks: one calls erff and reduces, one is plain. */
static const char source[] =
    "module\n"
    "task void a {\n  info 0 cells 2 {\n    task \"a\" block 40 predicate none partials 8 at 32\n"
    "    axis i32 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "    reduce add f32 cell 0\n  }\n  %i = param i32\n  %x = param ptr.global f32\n"
    "  %cells = param ptr.global u8\n  %w = convert i64 %i\n  %p = offset ptr.global f32 %x, %w\n"
    "  %v = load f32 %p\n  %s = math f32 erf %v\n  reduce 0 %s\n}\n"
    "task void b {\n  info 1 cells none {\n    task \"b\" block 32 predicate none partials 0 at "
    "none\n"
    "    axis i64 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "  }\n  %i = param i64\n  %x = param ptr.global f64\n  %k = param f64\n"
    "  %p = offset ptr.global f64 %x, %i\n  %v = load f64 %p\n  %m = mul f64 %v, %k\n"
    "  store %p, %m\n}\n";

/* One task with a fused multiply and add. */
static const char fusing[] =
    "module\n"
    "task void a {\n  info 0 cells none {\n    task \"a\" block 32 predicate none partials 0 at "
    "none\n"
    "    axis i64 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n    arg slot 3 at 24 bytes 8\n"
    "  }\n  %i = param i64\n  %x = param ptr.global f64\n  %k = param f64\n"
    "  %p = offset ptr.global f64 %x, %i\n  %v = load f64 %p\n  %m = fma f64 %v, %k, %v\n"
    "  store %p, %m\n}\n";

static void each_target_has_its_name_and_no_other_is_found(void)
{
    for (int k = 0; k < MOD_TARGET_COUNT; k++) {
        const char *name = target_rows[k].name;
        CHECK_EQ_I64(target_rows[k].id, k);
        CHECK(target_named(name, strlen(name)) == &target_rows[k]);
        CHECK(target_named(name, strlen(name) - 1) == NULL);
    }
    CHECK(target_named("cpu", 3) == NULL);
}

static void fused_modules_are_refused_where_there_is_no_fused_multiply_and_add(void)
{
    target_options options = { .optimize = 2 };
    mod_code made = { 0 };
    code c;

    code_compile(&c, source, MOD_TARGET_CPU_X86_64_V2, NULL);
    c.module->fma = true;
    CHECK_STATUS(target_compile(c.module, 2, MOD_TARGET_CPU_X86_64_V2, &options, &c.arena, &made),
                 SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(fail_last()->message, "cpu-x86-64-v2 has no fused multiply and add");
    CHECK(made.bytes == NULL);
    CHECK_STATUS(target_compile(c.module, 2, MOD_TARGET_CPU_X86_64_V3, &options, &c.arena, &made),
                 SLIP_OK);
    code_finish(&c);
}

static void images_say_where_tasks_and_imports_are(void)
{
    for (int which = 0; which < TARGET_CPU_COUNT; which++) {
        code c;
        code_compile(&c, source, (mod_target)which, NULL);
        CHECK_EQ_I64(c.image.target, which);
        CHECK_EQ_U64(c.image.symbol_count, 2);
        CHECK(c.image.symbols[0].main < c.image.size && c.image.symbols[1].main < c.image.size);
        CHECK(c.image.symbols[0].finish < c.image.size);
        CHECK_EQ_U64(c.image.symbols[1].finish, MOD_NONE);
        CHECK_EQ_U64(c.image.imports_offset % 65536, 0);
        CHECK(c.image.imports_offset >= c.image.size);
        CHECK_EQ_U64(c.image.import_count, 1);
        CHECK_TEXT(c.image.imports[0], "erff");
        code_finish(&c);
    }
}

static void every_import_has_a_function_in_the_runtime(void)
{
    for (uint32_t k = 0; k < MATHS_IMPORT_COUNT; k++) {
        bool imported = k == MATHS_FMA || maths_rows[k].way == MATHS_IMPORT;
        CHECK_EQ_I64(cpu_math_named(maths_import_name(k, SCALAR_f32)) != NULL, imported);
        CHECK_EQ_I64(cpu_math_named(maths_import_name(k, SCALAR_f64)) != NULL, imported);
    }
    CHECK(cpu_math_named("system") == NULL);
}

typedef struct job {
    const code *c;
    mod_target which;
    mem_arena arena;
    mod_code made;
    slip_status status;
    pthread_t thread;
} job;

static void *compile_one(void *user)
{
    target_options options = { .optimize = 2 };
    job *j = user;

    j->status = target_compile(j->c->module, 2, j->which, &options, &j->arena, &j->made);
    return NULL;
}

static void targets_compile_on_threads_as_they_do_alone(void)
{
    job jobs[TARGET_CPU_COUNT * 2] = { 0 };
    enum { JOBS = TARGET_CPU_COUNT * 2 };
    code c;

    code_compile(&c, source, MOD_TARGET_CPU_X86_64_V2, NULL);
    for (int k = 0; k < JOBS; k++) {
        jobs[k].c = &c;
        jobs[k].which = (mod_target)(k % TARGET_CPU_COUNT);
        CHECK_STATUS(mem_arena_init(&jobs[k].arena), SLIP_OK);
        CHECK_EQ_I64(pthread_create(&jobs[k].thread, NULL, compile_one, &jobs[k]), 0);
    }
    for (int k = 0; k < JOBS; k++)
        pthread_join(jobs[k].thread, NULL);
    for (int k = 0; k < JOBS; k++) {
        code alone;
        CHECK_EQ_I64(jobs[k].status, SLIP_OK);
        code_compile(&alone, source, jobs[k].which, NULL);
        CHECK_EQ_U64(jobs[k].made.size, alone.image.size);
        CHECK(memcmp(jobs[k].made.bytes, alone.image.bytes, alone.image.size) == 0);
        code_finish(&alone);
        mem_arena_finish(&jobs[k].arena);
    }
    code_finish(&c);
}

/* Compiles `ir` for the levels of x86-64 together, and each alone. */
static void same_together_and_alone(const char *ir, uint32_t symbols, bool shares)
{
    static const bool chosen[MOD_TARGET_COUNT] = { true, true, true };
    target_options options = { .optimize = 2, .verify = true };
    target_shared *shared = NULL;
    code c;

    code_compile(&c, ir, MOD_TARGET_CPU_AARCH64, NULL);
    CHECK_STATUS(target_share(c.module, chosen, &options, &c.arena, &shared), SLIP_OK);
    CHECK_EQ_I64(shared != NULL, shares);
    for (uint32_t p = 0; shared && p < target_part_count(shared); p++)
        CHECK_STATUS(target_simplify(shared, p), SLIP_OK);
    for (int t = 0; t < MOD_TARGET_COUNT && shared; t++) {
        mod_code made = { 0 };
        code alone;
        if (!chosen[t])
            continue;
        code_compile(&alone, ir, (mod_target)t, NULL);
        for (uint32_t p = 0; p < target_part_count(shared); p++)
            CHECK_STATUS(target_level(shared, p, (mod_target)t), SLIP_OK);
        CHECK_STATUS(target_link(shared, symbols, (mod_target)t, &c.arena, &made), SLIP_OK);
        CHECK_EQ_I64(made.target, t);
        CHECK_EQ_U64(made.size, alone.image.size);
        CHECK(memcmp(made.bytes, alone.image.bytes, made.size) == 0);
        CHECK_EQ_U64(made.imports_offset, alone.image.imports_offset);
        CHECK_EQ_U64(made.import_count, alone.image.import_count);
        CHECK(memcmp(made.symbols, alone.image.symbols, symbols * sizeof *made.symbols) == 0);
        code_finish(&alone);
    }
    target_shared_free(shared);
    code_finish(&c);
}

static void levels_that_share_have_the_code_they_have_alone(void)
{
    same_together_and_alone(source, 2, true);
}

/* Ten tasks are several parts. */
static void levels_share_each_part_of_a_large_module(void)
{
    text ir = { 0 };

    text_add(&ir, "module\n");
    for (int k = 0; k < 10; k++) {
        text_add(
            &ir,
            "task void t%d {\n  info %d cells none {\n    task \"t%d\" block 24 predicate none "
            "partials 0 at none\n    axis i64 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes "
            "8\n  }\n  %%i = param i64\n  %%x = param ptr.global f64\n"
            "  %%p = offset ptr.global f64 %%x, %%i\n  %%v0 = load f64 %%p\n",
            k, k, k);
        for (int n = 0; n < 50; n++)
            text_add(&ir, "  %%v%d = mul f64 %%v%d, %%v%d\n", n + 1, n, n > k ? n - k : 0);
        text_add(&ir, "  %%e = math f64 erf %%v50\n  store %%p, %%e\n}\n");
    }
    same_together_and_alone(text_get(&ir), 10, true);
    text_finish(&ir);
}

/* Level 2 has no fused multiply and add, and calls a function: no text serves it and the others. */
static void levels_that_differ_outside_reductions_share_nothing(void)
{
    same_together_and_alone(fusing, 1, false);
}

static void levels_share_nothing_at_other_optimisation_levels(void)
{
    static const bool one[MOD_TARGET_COUNT] = { [MOD_TARGET_CPU_X86_64_V3] = true };
    static const bool all[MOD_TARGET_COUNT] = { true, true, true };
    target_options options = { .optimize = 3 };
    target_shared *shared = NULL;
    code c;

    code_compile(&c, source, MOD_TARGET_CPU_AARCH64, NULL);
    CHECK_STATUS(target_share(c.module, all, &options, &c.arena, &shared), SLIP_OK);
    CHECK(shared == NULL);
    CHECK_STATUS(target_share(c.module, one, &options, &c.arena, &shared), SLIP_OK);
    CHECK(shared != NULL);
    target_shared_free(shared);
    code_finish(&c);
}

static void stages_have_texts(void)
{
    target_options options = { .optimize = 2 };
    text out = { 0 };
    code c;

    code_compile(&c, source, MOD_TARGET_CPU_AARCH64, NULL);
    CHECK_STATUS(target_text(c.module, MOD_TARGET_CPU_AARCH64, &options, TARGET_STAGE_LLVM, &out),
                 SLIP_OK);
    CHECK_CONTAINS(text_get(&out), "define hidden void @slip.main.1(");
    CHECK_STATUS(
        target_text(c.module, MOD_TARGET_CPU_AARCH64, &options, TARGET_STAGE_OPTIMIZED, &out),
        SLIP_OK);
    CHECK_CONTAINS(text_get(&out), "<2 x double>");
    CHECK_STATUS(target_text(c.module, MOD_TARGET_CPU_AARCH64, &options, TARGET_STAGE_ASM, &out),
                 SLIP_OK);
    CHECK_CONTAINS(text_get(&out), "slip.finish.0:");
    CHECK_CONTAINS(text_get(&out), "fmul\tv");
    text_finish(&out);
    code_finish(&c);
}

/* Must LLVM inline the function `name`, in a module that calls it `calls` times? */
static bool goes_inline(const char *name, int calls, const target_options *options)
{
    text ir = { 0 }, out = { 0 };
    mem_arena arena = { 0 };
    ir_module *m = NULL;

    text_add(&ir, "module\nhelper f32 %s {\n  %%0 = param f32\n  return %%0\n}\n", name);
    text_add(&ir, "helper f32 user {\n  %%0 = param f32\n");
    for (int k = 0; k < calls; k++)
        text_add(&ir, "  %%%d = call f32 %s %%0\n", k + 1, name);
    text_add(&ir, "  return %%0\n}\n");
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&arena, text_get(&ir), &m), SLIP_OK);
    target_prepare(m);
    CHECK_STATUS(target_text(m, MOD_TARGET_CPU_X86_64_V3, options, TARGET_STAGE_LLVM, &out),
                 SLIP_OK);
    bool found = strstr(text_get(&out), "alwaysinline") != NULL;
    text_finish(&ir);
    text_finish(&out);
    mem_arena_finish(&arena);
    return found;
}

static void library_functions_called_in_few_places_go_there(void)
{
    CHECK(goes_inline("slip.f", 1, &(target_options){ .optimize = 2 }));
    CHECK(goes_inline("slip.f", 4, &(target_options){ .optimize = 2 }));
    CHECK(!goes_inline("slip.f", 5, &(target_options){ .optimize = 2 }));
    CHECK(!goes_inline("f", 1, &(target_options){ .optimize = 2 })); /* LLVM judges those */
    CHECK(!goes_inline("slip.f", 1, &(target_options){ .optimize = 1 }));
    CHECK(!goes_inline("slip.f", 1, &(target_options){ .optimize = 2, .debug = true }));
}

static void every_level_of_optimisation_gives_the_same_result(void)
{
    CODE_EACH_TARGET(which)
    for (uint32_t level = 0; level <= 3; level++) {
        target_options options = { .optimize = level, .debug = level == 1, .verify = true };
        const double k = 0.5;
        int64_t axes[2] = { 0, 100 };
        code c;
        if (which == MOD_TARGET_CPU_AARCH64)
            continue; /* imports */
        code_compile(&c, source, (mod_target)which, &options);
        code_job *j = code_job_new(8192);
        uint64_t block = code_block(j, 32, 1, axes), x = code_put(j, NULL, 800);
        for (int i = 0; i < 100; i++) {
            double v = i;
            memcpy(j->heap + x + 8 * (uint64_t)i, &v, 8);
        }
        code_pointer(j, block + 16, x);
        memcpy(j->heap + block + 24, &k, 8);
        code_add_call(j, 1, 0, block, 0, 100);
        code_run(&c, j);
        for (int i = 0; i < 100; i++) {
            double got;
            memcpy(&got, j->heap + x + 8 * (uint64_t)i, 8);
            CHECK_EQ_F64(got, i * 0.5);
        }
        code_job_free(j);
        code_finish(&c);
    }
}

static const check_case cases[] = {
    CASE(each_target_has_its_name_and_no_other_is_found),
    CASE(fused_modules_are_refused_where_there_is_no_fused_multiply_and_add),
    CASE(images_say_where_tasks_and_imports_are),
    CASE(every_import_has_a_function_in_the_runtime),
    CASE(targets_compile_on_threads_as_they_do_alone),
    CASE(levels_that_share_have_the_code_they_have_alone),
    CASE(levels_share_each_part_of_a_large_module),
    CASE(levels_that_differ_outside_reductions_share_nothing),
    CASE(levels_share_nothing_at_other_optimisation_levels),
    CASE(stages_have_texts),
    CASE(library_functions_called_in_few_places_go_there),
    CASE(every_level_of_optimisation_gives_the_same_result),
};
CHECK_MAIN(cases)
