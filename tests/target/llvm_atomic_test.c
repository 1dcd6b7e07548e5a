/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_atomic_test.c - updates from eight threads at once lose nothing and give each old value
 * once.
 *
 * Sums are of integers (or floats that hold them exactly), so any order gives the same result and
 * one lost update shows.
 */
#include "target/code_run.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { THREADS = 8, EACH = 20000 };

/* `body` updates *%x (type) with %k, a u32 from 1 to 3, and may store to %old[i]. */
static void atomic_text(text *ir, const char *type, const char *body)
{
    text_add(ir,
             "module\ntask void t {\n  info 0 cells none {\n"
             "    task \"t\" block 32 predicate none partials 0 at none\n"
             "    axis i64 lo 0 none hi 1 none\n    arg slot 0 at 16 bytes 8\n"
             "    arg slot 1 at 24 bytes 8\n  }\n"
             "  %%i = param i64\n  %%x = param ptr.global %s\n  %%old = param ptr.global i64\n"
             "  %%three = const i64 3\n  %%one = const i64 1\n  %%r = rem i64 %%i, %%three\n"
             "  %%k = add i64 %%r, %%one\n  %%o = offset ptr.global i64 %%old, %%i\n%s}\n",
             type, body);
}

static code_job *start(uint64_t value, uint64_t *out_x, uint64_t *out_old)
{
    code_job *j = code_job_new(THREADS * EACH * 8 + 4096);
    int64_t axes[2] = { 0, THREADS * EACH };
    uint64_t block = code_block(j, 32, 1, axes);

    *out_x = code_put(j, &value, 8);
    *out_old = code_put(j, NULL, THREADS * EACH * 8);
    code_pointer(j, block + 16, *out_x);
    code_pointer(j, block + 24, *out_old);
    for (int t = 0; t < THREADS; t++)
        code_add_call(j, 0, 0, block, (int64_t)t * EACH, (int64_t)(t + 1) * EACH);
    return j;
}

/* The final bits of *x, from `first`. */
static uint64_t run_updates(const char *type, const char *body, uint64_t first, mod_target which)
{
    uint64_t x, old, got;
    text ir = { 0 };
    code c;

    atomic_text(&ir, type, body);
    code_compile(&c, text_get(&ir), which, NULL);
    code_job *j = start(first, &x, &old);
    code_run_at_once(&c, j);
    memcpy(&got, j->heap + x, 8);
    code_job_free(j);
    code_finish(&c);
    text_finish(&ir);
    return got;
}

/* 1 + 2 + 3 over and over */
static int64_t sum_of_ks(void)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < THREADS * EACH; i++)
        sum += i % 3 + 1;
    return sum;
}

static void added(mod_target which)
{
    static const struct {
        const char *type;
        scalar_type scalar;
    } rows[] = { { "i32", SCALAR_i32 }, { "u64", SCALAR_u64 }, { "f32", SCALAR_f32 },
                 { "f64", SCALAR_f64 }, { "u8", SCALAR_u8 },   { "i16", SCALAR_i16 } };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        scalar_type t = rows[k].scalar;
        text native = { 0 }, update = { 0 };
        text_add(&native, "  %%v = convert %s %%k\n  %%was = atomic %s add %%x, %%v\n",
                 rows[k].type, rows[k].type);
        text_add(&update,
                 "  %%v = convert %s %%k\n  %%was = update %s %%x (%%now %s) {\n"
                 "    %%new = add %s %%now, %%v\n    yield %%new\n  }\n",
                 rows[k].type, rows[k].type, rows[k].type, rows[k].type);
        uint64_t want = scalar_eval(SCALAR_OP_convert, t, SCALAR_i64, (uint64_t)sum_of_ks(), 0, 0);
        CHECK_EQ_U64(scalar_canonical(t, run_updates(rows[k].type, text_get(&native), 0, which)),
                     want);
        CHECK_EQ_U64(scalar_canonical(t, run_updates(rows[k].type, text_get(&update), 0, which)),
                     want);
        text_finish(&native);
        text_finish(&update);
    }
}

static void no_addition_of_any_type_is_lost(void)
{
    CODE_EACH_TARGET(which)
    added((mod_target)which);
}

static uint64_t of_f32(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, 4);
    return bits;
}

static void least_greatest_and_bits_are_right(void)
{
    CODE_EACH_TARGET(which)
    {
        mod_target t = (mod_target)which;
        uint64_t got = run_updates("f32", "  %v = convert f32 %i\n  %w = atomic f32 max %x, %v\n",
                                   of_f32(-1), t);
        CHECK_EQ_U64((uint32_t)got, of_f32(THREADS * EACH - 1));
        got = run_updates("f32",
                          "  %v = convert f32 %i\n  %m = neg f32 %v\n"
                          "  %w = atomic f32 min %x, %m\n",
                          0x7fc00000, t);
        CHECK_EQ_U64((uint32_t)got, of_f32(-(float)(THREADS * EACH - 1)));
        got = run_updates("i32",
                          "  %v = convert i32 %i\n  %m = neg i32 %v\n"
                          "  %w = atomic i32 min %x, %m\n",
                          5, t);
        CHECK_EQ_I64((int32_t)got, -(THREADS * EACH - 1));
        got = run_updates("u32", "  %v = convert u32 %i\n  %w = atomic u32 max %x, %v\n", 5, t);
        CHECK_EQ_U64((uint32_t)got, THREADS * EACH - 1);
        got = run_updates("u64", "  %v = convert u64 %i\n  %w = atomic u64 or %x, %v\n", 0, t);
        CHECK_EQ_U64(got, 0x3ffff); /* every bit below 160000 */
        got = run_updates("bool", "  %v = const bool true\n  %w = atomic bool xor %x, %v\n", 0, t);
        CHECK_EQ_U64(got & 0xff, 0); /* an even count */
    }
}

static int in_order(const void *a, const void *b)
{
    int64_t x, y;

    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return x < y ? -1 : x > y;
}

static void check_old_values(const char *body, mod_target which)
{
    uint64_t x, old;
    text ir = { 0 };
    code c;

    atomic_text(&ir, "i64", body);
    code_compile(&c, text_get(&ir), which, NULL);
    code_job *j = start(0, &x, &old);
    code_run_at_once(&c, j);
    qsort(j->heap + old, THREADS * EACH, 8, in_order);
    for (int64_t i = 0; i < THREADS * EACH; i++) {
        int64_t got;
        memcpy(&got, j->heap + old + 8 * (uint64_t)i, 8);
        CHECK_EQ_I64(got, i);
    }
    code_job_free(j);
    code_finish(&c);
    text_finish(&ir);
}

static void each_old_value_is_given_once(void)
{
    CODE_EACH_TARGET(which)
    {
        check_old_values("  %w = atomic i64 add %x, %one\n  store %o, %w\n", (mod_target)which);
        check_old_values("  %w = update i64 %x (%now i64) {\n    %n = add i64 %now, %one\n"
                         "    yield %n\n  }\n  store %o, %w\n",
                         (mod_target)which);
        /* a loop of compare and exchange in the source, reading with a relaxed load */
        check_old_values("  loop {\n    %seen = load i64 relaxed %x\n    %n = add i64 %seen, %one\n"
                         "    %was = cas i64 %x, %seen, %n\n    %ok = eq bool %was, %seen\n"
                         "    if %ok {\n      store %o, %was\n      break 1\n    }\n  }\n",
                         (mod_target)which);
    }
}

/* x = x < 1000 ? x + 1 : x - 1000, with control flow inside the update. */
static void an_update_may_hold_control_flow(void)
{
    CODE_EACH_TARGET(which)
    {
        uint64_t got =
            run_updates("i32",
                        "  %lim = const i32 1000\n  %one32 = const i32 1\n"
                        "  %w = update i32 %x (%now i32) {\n    %low = lt bool %now, %lim\n"
                        "    %n = if i32 %low {\n      %a = add i32 %now, %one32\n      yield %a\n "
                        "   } else {\n"
                        "      %b = sub i32 %now, %lim\n      yield %b\n    }\n    yield %n\n  }\n",
                        0, (mod_target)which);
        CHECK_EQ_I64((int32_t)got, THREADS * EACH % 1001);
    }
}

/* An update of a variable of the iteration's own needs no atomic. */
static void an_update_of_a_local_variable_is_plain(void)
{
    CODE_EACH_TARGET(which)
    {
        uint64_t got = run_updates(
            "i64",
            "  %v = var ptr.local i64\n  store %v, %k\n  %w = update i64 %v (%now i64) {\n"
            "    %n = mul i64 %now, %three\n    yield %n\n  }\n  %after = load i64 %v\n"
            "  %both = add i64 %w, %after\n  %q = atomic i64 add %x, %both\n",
            0, (mod_target)which);
        CHECK_EQ_I64((int64_t)got, 4 * sum_of_ks());
    }
}

static const check_case cases[] = {
    CASE(no_addition_of_any_type_is_lost),        CASE(least_greatest_and_bits_are_right),
    CASE(each_old_value_is_given_once),           CASE(an_update_may_hold_control_flow),
    CASE(an_update_of_a_local_variable_is_plain),
};
CHECK_MAIN(cases)
