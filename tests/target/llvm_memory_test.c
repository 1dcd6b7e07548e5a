/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_memory_test.c - variables, structs, tables, copies, fills, switches and helpers, against
 * values worked out by hand.
 */
#include "target/code_run.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* A task over %i (i32, 0 .. n - 1) with pointers %x and %y, whose types and body are given. */
static void task_text(text *ir, const char *before, const char *x_type, const char *y_type,
                      const char *body)
{
    text_add(ir,
             "module\n%s\ntask void t {\n  info 0 cells none {\n"
             "    task \"t\" block 32 predicate none partials 0 at none\n"
             "    axis i32 lo 0 none hi 1 none\n    arg slot 0 at 16 bytes 8\n"
             "    arg slot 1 at 24 bytes 8\n  }\n"
             "  %%i = param i32\n  %%x = param ptr.global %s\n  %%y = param ptr.global %s\n"
             "  %%w = convert i64 %%i\n%s}\n",
             before, x_type, y_type, body);
}

typedef struct arrays {
    const void *x;
    uint64_t x_bytes;
    const void *y; /* its first contents */
    uint64_t y_bytes;
    int64_t n;
} arrays;

/* Runs on one target; out gets y. */
static void run_task_at(const char *ir, mod_target which, uint32_t optimize, const arrays *a,
                        void *out)
{
    target_options options = { .optimize = optimize, .verify = true };
    int64_t axes[2] = { 0, a->n };
    code c;

    code_compile(&c, ir, which, &options);
    code_job *j = code_job_new(a->x_bytes + a->y_bytes + 4096);
    uint64_t block = code_block(j, 32, 1, axes);
    uint64_t x = code_put(j, a->x, a->x_bytes), y = code_put(j, a->y, a->y_bytes);
    code_pointer(j, block + 16, x);
    code_pointer(j, block + 24, y);
    code_add_call(j, 0, 0, block, 0, a->n / 2);
    code_add_call(j, 0, 0, block, a->n / 2, a->n);
    code_run(&c, j);
    memcpy(out, j->heap + y, a->y_bytes);
    code_job_free(j);
    code_finish(&c);
}

static void run_task(const char *ir, mod_target which, const arrays *a, void *out)
{
    run_task_at(ir, which, 2, a, out);
}

enum { N = 301 };

static void bools_are_stored_as_0_or_1_and_any_byte_but_0_is_true(void)
{
    text ir = { 0 };
    uint8_t x[N], y[N], got[N];

    task_text(&ir, "", "bool", "bool",
              "  %p = offset ptr.global bool %x, %w\n  %v = load bool %p\n"
              "  %q = offset ptr.global bool %y, %w\n  store %q, %v\n");
    for (int i = 0; i < N; i++) {
        x[i] = (uint8_t)i;
        y[i] = 77;
    }
    CODE_EACH_TARGET(which)
    {
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, N, y, N, N }, got);
        for (int i = 0; i < N; i++)
            CHECK_EQ_I64(got[i], (uint8_t)i != 0);
    }
    text_finish(&ir);
}

/* struct body { f32 at[3]; u8 tag; f64 mass; } copied through a local, changed on the way. */
typedef struct body {
    float at[3];
    uint8_t tag;
    double mass;
} body;

#define BODY_                                                                                      \
    "struct body size 24 align 8 {\n  at 0 [3 x f32] as at\n  at 12 u8 as tag\n  at 16 f64 as "    \
    "mass\n}\n"

static void structs_are_copied_and_changed_by_member(void)
{
    text ir = { 0 };
    body x[N], got[N], none[N];

    task_text(
        &ir, BODY_, "struct body", "struct body",
        "  %p = offset ptr.global struct body %x, %w\n"
        "  %q = offset ptr.global struct body %y, %w\n"
        "  %b = var ptr.local struct body\n  copy %b, %p\n"
        "  %a = field ptr.local [3 x f32] 0 %b\n  %three = const i64 3\n"
        "  %k = rem i64 %w, %three\n  %e = index ptr.local f32 %a, %k\n"
        "  %v = load f32 %e\n  %two = const f32 2.0\n  %d = mul f32 %v, %two\n  store %e, %d\n"
        "  %m = field ptr.local f64 2 %b\n  %mv = load f64 %m\n  %mn = neg f64 %mv\n"
        "  store %m, %mn\n  copy %q, %b\n");
    memset(none, 0, sizeof none);
    for (int i = 0; i < N; i++) {
        memset(&x[i], 0, sizeof x[i]);
        x[i] = (body){ { (float)i, (float)i + 0.25f, (float)i + 0.5f }, (uint8_t)i, i * 0.125 };
    }
    CODE_EACH_TARGET(which)
    {
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, sizeof x, none, sizeof none, N },
                 got);
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++)
                CHECK_EQ_F64(got[i].at[k], x[i].at[k] * (i % 3 == k ? 2 : 1));
            CHECK_EQ_I64(got[i].tag, (uint8_t)i);
            CHECK_EQ_F64(got[i].mass, -(i * 0.125));
        }
    }
    text_finish(&ir);
}

/* A local array of 600 i32 (too long for leaves and for inline copies): filled, written at a
 * run-time index, copied whole, read elsewhere. */
static void long_aggregates_are_copied_and_filled(void)
{
    text ir = { 0 };
    int32_t x[N], got[N], none[N] = { 0 };

    task_text(&ir, "", "i32", "i32",
              "  %a = var ptr.local [600 x i32]\n  %b = var ptr.local [600 x i32]\n"
              "  %byte = const u8 1\n  fill 2400 %a, %byte\n"
              "  %p = offset ptr.global i32 %x, %w\n  %v = load i32 %p\n"
              "  %e = index ptr.local i32 %a, %w\n  store %e, %v\n  copy %b, %a\n"
              "  %one = const i64 1\n  %w1 = add i64 %w, %one\n"
              "  %f = index ptr.local i32 %b, %w\n  %g = index ptr.local i32 %b, %w1\n"
              "  %fv = load i32 %f\n  %gv = load i32 %g\n  %s = sub i32 %fv, %gv\n"
              "  %q = offset ptr.global i32 %y, %w\n  store %q, %s\n");
    for (int i = 0; i < N; i++)
        x[i] = i * i;
    CODE_EACH_TARGET(which)
    for (uint32_t level = 0; level <= 3; level++) { /* each may call another memory function */
        run_task_at(text_get(&ir), (mod_target)which, level,
                    &(arrays){ x, sizeof x, none, sizeof none, N }, got);
        for (int i = 0; i < N; i++)
            CHECK_EQ_I64(got[i], i * i - 0x01010101);
    }
    text_finish(&ir);
}

static void a_big_table_is_read_at_a_run_time_index(void)
{
    text ir = { 0 }, table = { 0 };
    int32_t x[N], none[N] = { 0 }, got[N];

    text_add(&table, "table big [2000 x i32] {");
    for (int i = 0; i < 2000; i++)
        text_add(&table, " %d", i * 37 % 1999);
    text_add(&table, " }\n");
    task_text(&ir, text_get(&table), "i32", "i32",
              "  %p = offset ptr.global i32 %x, %w\n  %v = load i32 %p\n  %k = convert i64 %v\n"
              "  %t = table ptr.table [2000 x i32] big\n  %e = index ptr.table i32 %t, %k\n"
              "  %r = load i32 %e\n  %q = offset ptr.global i32 %y, %w\n  store %q, %r\n");
    for (int i = 0; i < N; i++)
        x[i] = i * 997 % 2000;
    CODE_EACH_TARGET(which)
    {
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, sizeof x, none, sizeof none, N },
                 got);
        for (int i = 0; i < N; i++)
            CHECK_EQ_I64(got[i], x[i] * 37 % 1999);
    }
    text_finish(&ir);
    text_finish(&table);
}

/* Enough cases for a jump table, which is constants inside the image. */
static void a_switch_of_many_cases_takes_the_right_one(void)
{
    text ir = { 0 }, body_text = { 0 };
    int32_t x[N], none[N] = { 0 }, got[N];

    text_add(&body_text, "  %%p = offset ptr.global i32 %%x, %%w\n  %%v = load i32 %%p\n"
                         "  %%q = offset ptr.global i32 %%y, %%w\n  switch %%v");
    for (int k = 0; k < 12; k++)
        text_add(&body_text,
                 " case %d, %d {\n    %%c%d = const i32 %d\n    %%d%d = %s i32 %%v, %%c%d\n"
                 "    store %%q, %%d%d\n  }",
                 k, -k - 1, k, k * k + 3, k, k % 3 ? "add" : "mul", k, k);
    text_add(&body_text, " default {\n    store %%q, %%i\n  }\n");
    task_text(&ir, "", "i32", "i32", text_get(&body_text));
    for (int i = 0; i < N; i++)
        x[i] = i % 40 - 20;
    CODE_EACH_TARGET(which)
    {
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, sizeof x, none, sizeof none, N },
                 got);
        for (int i = 0; i < N; i++) {
            int k = x[i] < 0 ? -x[i] - 1 : x[i];
            int want = k >= 12 ? i : k % 3 ? x[i] + k * k + 3 : x[i] * (k * k + 3);
            CHECK_EQ_I64(got[i], want);
        }
    }
    text_finish(&ir);
    text_finish(&body_text);
}

/* A helper with a result, one that fills a struct, and a loop with continue and two levels of
 * break. */
static void helpers_loops_and_levels_do_as_in_c(void)
{
    text ir = { 0 };
    int32_t x[N], none[N] = { 0 }, got[N];

    task_text(
        &ir,
        BODY_
        "helper i32 triangle {\n  %n = param i32\n  %s = var ptr.local i32\n"
        "  %k = var ptr.local i32\n  %zero = const i32 0\n  %one = const i32 1\n"
        "  %two = const i32 2\n  %five = const i32 5\n  store %s, %zero\n  store %k, %zero\n"
        "  loop {\n    %kv = load i32 %k\n    %in = le bool %kv, %n\n    %out = not bool %in\n"
        "    if %out {\n      break 1\n    }\n    %odd = rem i32 %kv, %two\n"
        "    %is = eq bool %odd, %one\n    if %is {\n      continue 1\n    }\n"
        "    block {\n      %many = lt bool %five, %kv\n      if %many {\n"
        "        %big = const i32 40\n        %huge = lt bool %big, %kv\n        if %huge {\n"
        "          break 2\n        }\n      }\n"
        "      %sv = load i32 %s\n      %sn = add i32 %sv, %kv\n      store %s, %sn\n    }\n"
        "  } next {\n    %kn = load i32 %k\n    %km = add i32 %kn, %one\n    store %k, %km\n  }\n"
        "  %r = load i32 %s\n  return %r\n}\n"
        "helper void fill_in {\n  %b = param ptr.local struct body\n  %v = param i32\n"
        "  %m = field ptr.local f64 2 %b\n  %d = convert f64 %v\n  store %m, %d\n}\n",
        "i32", "i32",
        "  %p = offset ptr.global i32 %x, %w\n  %v = load i32 %p\n"
        "  %b = var ptr.local struct body\n  call fill_in %b, %v\n"
        "  %m = field ptr.local f64 2 %b\n  %d = load f64 %m\n  %n = convert i32 %d\n"
        "  %r = call i32 triangle %n\n  %q = offset ptr.global i32 %y, %w\n  store %q, %r\n");
    for (int i = 0; i < N; i++)
        x[i] = i % 60;
    CODE_EACH_TARGET(which)
    {
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, sizeof x, none, sizeof none, N },
                 got);
        for (int i = 0; i < N; i++) {
            int want = 0;
            for (int k = 0; k <= x[i] && k <= 40; k += 2)
                want += k;
            CHECK_EQ_I64(got[i], want);
        }
    }
    text_finish(&ir);
}

/* What no module holds comes through the table of imports, or in line. */
static void math_functions_are_imported_or_in_line(void)
{
    text ir = { 0 };
    double x[N], none[N] = { 0 }, got[N];

    task_text(
        &ir, "", "f64", "f64",
        "  %p = offset ptr.global f64 %x, %w\n  %v = load f64 %p\n  %s = math f64 erf %v\n"
        "  %two = const f64 2.0\n  %q2 = math f64 fmod %v, %two\n  %a = add f64 %s, %q2\n"
        "  %r = math f64 round %a\n  %f = math f64 fdim %a, %r\n  %c = math f64 copysign %f, %s\n"
        "  %q = offset ptr.global f64 %y, %w\n  store %q, %c\n");
    for (int i = 0; i < N; i++)
        x[i] = i * 0.37 - 50;
    CODE_EACH_CPU(which)
    {
        if (which == MOD_TARGET_CPU_AARCH64)
            continue; /* the program under qemu has no math library */
        run_task(text_get(&ir), (mod_target)which, &(arrays){ x, sizeof x, none, sizeof none, N },
                 got);
        for (int i = 0; i < N; i++) {
            double s = __builtin_erf(x[i]), a = s + __builtin_fmod(x[i], 2.0);
            CHECK_EQ_F64(got[i], __builtin_copysign(__builtin_fdim(a, __builtin_round(a)), s));
        }
    }
    text_finish(&ir);
}

/* An operation of the math library that nobody linked is a fault of ours, not a crash. */
static void an_unlinked_math_function_is_refused(void)
{
    text ir = { 0 }, out = { 0 };
    target_options options = { .optimize = 0 };
    mem_arena arena = { 0 };
    ir_module *m = NULL;

    task_text(&ir, "", "f64", "f64",
              "  %p = offset ptr.global f64 %x, %w\n  %v = load f64 %p\n  %s = math f64 sin %v\n"
              "  %q = offset ptr.global f64 %y, %w\n  store %q, %s\n");
    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(ir_parse(&arena, text_get(&ir), &m), SLIP_OK);
    target_prepare(m);
    CHECK_STATUS(target_text(m, MOD_TARGET_CPU_X86_64_V3, &options, TARGET_STAGE_LLVM, &out),
                 SLIP_ERR_INTERNAL);
    CHECK_CONTAINS(fail_last()->message, "sin is no call of the math library");
    text_finish(&out);
    text_finish(&ir);
    mem_arena_finish(&arena);
}

static const check_case cases[] = {
    CASE(bools_are_stored_as_0_or_1_and_any_byte_but_0_is_true),
    CASE(structs_are_copied_and_changed_by_member),
    CASE(long_aggregates_are_copied_and_filled),
    CASE(a_big_table_is_read_at_a_run_time_index),
    CASE(a_switch_of_many_cases_takes_the_right_one),
    CASE(helpers_loops_and_levels_do_as_in_c),
    CASE(math_functions_are_imported_or_in_line),
    CASE(an_unlinked_math_function_is_refused),
};
CHECK_MAIN(cases)
