/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_test.c - each pass, and all of them, keep what random modules do; and the pass table.
 */
#include <stdio.h>
#include <string.h>

#include "interp.h"
#include "ir/pass.h"
#include "ir_case.h"
#include "random_ir.h"

enum { SEEDS = 150 };

typedef struct run_result {
    uint64_t value;
    int32_t ints[RANDOM_ELEMENTS];
    uint32_t floats[RANDOM_ELEMENTS];
    const char *failed;
} run_result;

static run_result run_kernel(const ir_case_module *c, uint64_t seed)
{
    run_result r = { 0 };
    interp in = { .steps = 2000000 };
    uint64_t args[5] = { scalar_canonical(SCALAR_i32, seed * 7 - 3), seed, 0x3fc00000,
                         (uint64_t)(uintptr_t)r.ints, (uint64_t)(uintptr_t)r.floats };

    for (int i = 0; i < RANDOM_ELEMENTS; i++) {
        r.ints[i] = i * 3 - 5;
        r.floats[i] = i % 2 ? 0x3f800000u + (uint32_t)i * 0x123456 : 0xbf000000;
    }
    r.value = interp_run(&in, case_func(c, "k"), args);
    r.failed = in.failed;
    interp_finish(&in);
    for (int i = 0; i < RANDOM_ELEMENTS; i++) /* every NaN is one */
        if ((r.floats[i] & 0x7fffffff) > 0x7f800000)
            r.floats[i] = 0x7fc00000;
    return r;
}

static void check_same(const run_result *a, const run_result *b, uint64_t seed, const char *pass)
{
    CHECK(a->failed == NULL && b->failed == NULL);
    if (a->value != b->value || memcmp(a->ints, b->ints, sizeof a->ints) != 0 ||
        memcmp(a->floats, b->floats, sizeof a->floats) != 0)
        CHECK_FAIL("seed %llu: %s changed the result", (unsigned long long)seed, pass);
}

/* Runs the pass once and again on the module of the seed; true if the first run changed it. */
static bool try_pass(uint64_t seed, const char *pass)
{
    ir_case_module c = { 0 };
    text before = { 0 }, after = { 0 };

    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    c.module = random_module(&c.arena, seed);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    run_result wanted = run_kernel(&c, seed);
    text_add(&before, "%s", case_print(&c));

    CHECK_STATUS(ir_run_pass(pass, c.module, NULL, NULL), SLIP_OK);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    run_result got = run_kernel(&c, seed);
    check_same(&wanted, &got, seed, pass);
    text_add(&after, "%s", case_print(&c));
    bool changed = strcmp(text_get(&before), text_get(&after)) != 0;

    CHECK_STATUS(ir_run_pass(pass, c.module, NULL, NULL), SLIP_OK);
    CHECK_TEXT(case_print(&c), text_get(&after));
    text_finish(&before);
    text_finish(&after);
    case_finish(&c);
    return changed;
}

static void keeps_results(const char *pass)
{
    int changed = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        changed += try_pass(seed, pass);
    CHECK(changed > SEEDS / 3); /* else the modules hold too little for this pass */
}

static void inline_keeps_results(void)
{
    keeps_results("inline");
}

static void fold_keeps_results(void)
{
    keeps_results("fold");
}

static void promote_keeps_results(void)
{
    keeps_results("promote");
}

static void dce_keeps_results(void)
{
    keeps_results("dce");
}

static void passes_after_one_another_keep_results(void)
{
    static const char *const order[] = { "inline", "fold", "promote", "fold", "promote", "dce" };

    for (uint64_t seed = SEEDS; seed < 2 * SEEDS; seed++) {
        ir_case_module c = { 0 };
        CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
        c.module = random_module(&c.arena, seed);
        run_result wanted = run_kernel(&c, seed);
        for (int i = 0; i < 6; i++) {
            CHECK_STATUS(ir_run_pass(order[i], c.module, NULL, NULL), SLIP_OK);
            CHECK_STATUS(ir_verify(c.module), SLIP_OK);
            run_result got = run_kernel(&c, seed);
            check_same(&wanted, &got, seed, order[i]);
        }
        case_finish(&c);
    }
}

static void random_modules_print_and_parse_to_themselves(void)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        ir_case_module c = { 0 };
        ir_module *again;
        text second = { 0 };
        CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
        c.module = random_module(&c.arena, seed);
        CHECK_STATUS(ir_parse(&c.arena, case_print(&c), &again), SLIP_OK);
        ir_print(&second, again);
        CHECK_TEXT(text_get(&second), case_print(&c));
        text_finish(&second);
        case_finish(&c);
    }
}

static void an_unknown_pass_is_refused_with_the_list(void)
{
    ir_case_module c;

    case_load(&c, "module\n", true);
    CHECK_STATUS(ir_run_pass("unroll", c.module, NULL, NULL), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message,
                   "no pass is called unroll; there are inline, fold, promote");
    case_finish(&c);
}

static const check_case cases[] = {
    CASE(inline_keeps_results),
    CASE(fold_keeps_results),
    CASE(promote_keeps_results),
    CASE(dce_keeps_results),
    CASE(passes_after_one_another_keep_results),
    CASE(random_modules_print_and_parse_to_themselves),
    CASE(an_unknown_pass_is_refused_with_the_list),
};
CHECK_MAIN(cases)
