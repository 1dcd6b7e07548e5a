/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_clamp_test.c - chosen sums of i32 that are then widened: the value is that of arithmetic
 * that wraps, also where the sum could be made in 64 bits.
 */
#include "target/code_run.h"

#include <string.h>

#include "base/fail.h"
#include "support/check.h"

/* One choice, over all pairs (a, b): condition ? yes : no, where `yes` and `no` are a value and
 * what is added to it. */
typedef struct choice {
    const char *condition; /* IR for %c, from %a, %b and %one, %top, %two */
    bool (*holds)(int32_t a, int32_t b);
    char yes, no; /* 'a' or 'b' */
    int32_t yes_step, no_step;
    bool stays; /* one of the sums cannot wrap where it is chosen */
} choice;

static bool a_lt_b(int32_t a, int32_t b)
{
    return a < b;
}
static bool b_lt_a(int32_t a, int32_t b)
{
    return b < a;
}
static bool a_le_b(int32_t a, int32_t b)
{
    return a <= b;
}
static bool not_a_lt_b(int32_t a, int32_t b)
{
    return !(a < b);
}
static bool two_le_a(int32_t a, int32_t b)
{
    return (void)b, 2 <= a;
}
static bool a_lt_top(int32_t a, int32_t b)
{
    return (void)b, a < INT32_MAX - 1;
}
static bool a_le_low(int32_t a, int32_t b)
{
    return (void)b, a <= INT32_MIN + 1;
}

static const choice choices[] = {
    { "%c = lt bool %a, %b", a_lt_b, 'a', 'b', 1, 0, true }, /* at most b */
    { "%c = lt bool %a, %b", a_lt_b, 'a', 'b', 2, 0, false },
    { "%c = lt bool %a, %b", a_lt_b, 'a', 'b', -1, 0, false },
    { "%c = lt bool %b, %a", b_lt_a, 'a', 'b', -1, 0, true }, /* at least b */
    { "%c = lt bool %b, %a", b_lt_a, 'a', 'b', -1, 1, true }, /* the other arm may wrap */
    { "%c = lt bool %b, %a", b_lt_a, 'a', 'b', -2, 0, false },
    { "%c = le bool %a, %b", a_le_b, 'a', 'b', 1, 0, false }, /* both may be the highest */
    { "%c = le bool %a, %b", a_le_b, 'b', 'a', 1, -1, true }, /* where a is chosen, b < a */
    { "%n = lt bool %a, %b\n  %c = not bool %n", not_a_lt_b, 'b', 'a', 1, 1, true },
    { "%c = le bool %two, %a", two_le_a, 'a', 'b', -2, 0, true },
    { "%c = le bool %two, %a", two_le_a, 'a', 'b', 2, 0, false },
    { "%c = le bool %two, %a", two_le_a, 'a', 'a', INT32_MIN, 0, true },
    { "%c = lt bool %a, %top", a_lt_top, 'a', 'b', 2, 0,
      true }, /* a is the highest less 2 at most */
    { "%c = lt bool %a, %top", a_lt_top, 'a', 'b', 3, 0, false },
    { "%c = le bool %a, %low", a_le_low, 'b', 'a', 0, -2,
      true }, /* a is the lowest and 2 at least */
    { "%c = le bool %a, %low", a_le_low, 'b', 'a', 0, -3, false },
};
enum { CHOICES = sizeof choices / sizeof *choices };

static const int32_t edges[] = {
    INT32_MIN,     INT32_MIN + 1, INT32_MIN + 2, -3,       -2, -1, 0, 1, 2, 3, 1000,
    INT32_MAX - 3, INT32_MAX - 2, INT32_MAX - 1, INT32_MAX
};
enum { EDGES = sizeof edges / sizeof *edges, PAIRS = EDGES * EDGES };

static void task_text(text *ir, const choice *c, uint32_t k)
{
    text_add(ir,
             "task void t%u {\n  info %u cells none {\n"
             "    task \"t%u\" block 40 predicate none partials 0 at none\n"
             "    axis i32 lo 0 none hi 1 none\n    arg slot 2 at 16 bytes 8\n"
             "    arg slot 3 at 24 bytes 8\n    arg slot 4 at 32 bytes 8\n  }\n"
             "  %%i = param i32\n  %%x = param ptr.global i32\n  %%y = param ptr.global i32\n"
             "  %%out = param ptr.global i64\n"
             "  %%w = convert i64 %%i\n  %%p = offset ptr.global i32 %%x, %%w\n"
             "  %%a = load i32 %%p\n  %%q = offset ptr.global i32 %%y, %%w\n"
             "  %%b = load i32 %%q\n  %%two = const i32 2\n  %%top = const i32 2147483646\n"
             "  %%low = const i32 -2147483647\n  %s\n"
             "  %%ys = const i32 %d\n  %%yes = add i32 %%%c, %%ys\n"
             "  %%ns = const i32 %d\n  %%no = sub i32 %%%c, %%ns\n"
             "  %%s = select i32 %%c, %%yes, %%no\n  %%r = convert i64 %%s\n"
             "  %%o = offset ptr.global i64 %%out, %%w\n  store %%o, %%r\n}\n",
             k, k, k, c->condition, c->yes_step, c->yes, (int32_t)(0u - (uint32_t)c->no_step),
             c->no);
}

static int64_t wanted(const choice *c, int32_t a, int32_t b)
{
    bool yes = c->holds(a, b);
    char base = yes ? c->yes : c->no;
    uint32_t sum = (uint32_t)(base == 'a' ? a : b) + (uint32_t)(yes ? c->yes_step : c->no_step);
    int32_t wrapped;

    memcpy(&wrapped, &sum, sizeof wrapped);
    return wrapped;
}

static void chosen_sums_wrap_as_i32_before_they_are_widened(void)
{
    int32_t a[PAIRS], b[PAIRS];
    text ir = { 0 };

    for (int k = 0; k < PAIRS; k++) {
        a[k] = edges[k / EDGES];
        b[k] = edges[k % EDGES];
    }
    text_add(&ir, "module\n");
    for (uint32_t k = 0; k < CHOICES; k++)
        task_text(&ir, &choices[k], k);
    CODE_EACH_TARGET(which)
    {
        uint64_t out[CHOICES];
        code c;
        code_compile(&c, text_get(&ir), (mod_target)which, NULL);
        code_job *j = code_job_new(1 << 16);
        uint64_t x = code_put(j, a, sizeof a), y = code_put(j, b, sizeof b);
        int64_t axis[2] = { 0, PAIRS };
        for (uint32_t k = 0; k < CHOICES; k++) {
            uint64_t block = code_block(j, 40, 1, axis);
            out[k] = code_put(j, NULL, 8 * PAIRS);
            code_pointer(j, block + 16, x);
            code_pointer(j, block + 24, y);
            code_pointer(j, block + 32, out[k]);
            code_add_call(j, k, 0, block, 0, PAIRS);
        }
        code_run(&c, j);
        for (uint32_t k = 0; k < CHOICES; k++)
            for (int i = 0; i < PAIRS; i++) {
                int64_t got;
                memcpy(&got, j->heap + out[k] + 8 * (uint64_t)i, 8);
                CHECK_EQ_I64(got, wanted(&choices[k], a[i], b[i]));
            }
        code_job_free(j);
        code_finish(&c);
    }
    text_finish(&ir);
}

/* The printed text says which sums are made in 64 bits: those that stay, and no other. */
static void only_sums_that_stay_are_made_wide(void)
{
    target_options options = { .optimize = 2 };

    for (uint32_t k = 0; k < CHOICES; k++) {
        text ir = { 0 }, out = { 0 };
        code c;
        text_add(&ir, "module\n");
        task_text(&ir, &choices[k], 0);
        code_compile(&c, text_get(&ir), MOD_TARGET_CPU_X86_64_V2, NULL);
        CHECK_STATUS(
            target_text(c.module, MOD_TARGET_CPU_X86_64_V2, &options, TARGET_STAGE_LLVM, &out),
            SLIP_OK);
        CHECK_EQ_I64(strstr(text_get(&out), "add nsw i64") != NULL, choices[k].stays);
        code_finish(&c);
        text_finish(&ir);
        text_finish(&out);
    }
}

static const check_case cases[] = {
    CASE(chosen_sums_wrap_as_i32_before_they_are_widened),
    CASE(only_sums_that_stay_are_made_wide),
};
CHECK_MAIN(cases)
