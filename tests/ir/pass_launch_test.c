/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pass_launch_test.c - kernels as tasks and programs do what they did as kernels; goldens of both.
 * (What is refused: tests/compile/refusals_test.c.)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/pass.h"
#include "launch_case.h"
#include "launch_run.h"
#include "module/read.h"
#include "random_launch.h"

enum { SEEDS = 2000 };

typedef struct outcome {
    int32_t x[RANDOM_LAUNCH_ELEMENTS], y[RANDOM_LAUNCH_ELEMENTS];
    int32_t value;
} outcome;

static void start(outcome *o, uint64_t seed, uint64_t args[4])
{
    for (int i = 0; i < RANDOM_LAUNCH_ELEMENTS; i++) {
        o->x[i] = (int32_t)((seed * 31 + (uint64_t)i * 7) % 9) - 4;
        o->y[i] = (int32_t)((seed * 17 + (uint64_t)i * 5) % 7) - 3;
    }
    args[0] = seed % 9;
    args[1] = scalar_canonical(SCALAR_i32, seed % 5 - 2);
    args[2] = (uint64_t)(uintptr_t)o->x;
    args[3] = (uint64_t)(uintptr_t)o->y;
}

static const char *run_whole(ir_case_module *c, uint64_t seed, outcome *o)
{
    interp in = { .steps = 4000000 };
    uint64_t args[4];

    start(o, seed, args);
    o->value = (int32_t)interp_run(&in, case_func(c, "k"), args);
    const char *failed = in.failed;
    interp_finish(&in);
    return failed;
}

static void run_parts(ir_case_module *c, const mod_module *module, uint64_t seed,
                      const outcome *wanted, const char *after)
{
    launch_run run = { .module = module, .ir = c->module, .steps = 200000 };
    outcome o;
    uint64_t args[4];

    start(&o, seed, args);
    o.value = (int32_t)launch_run_entry(&run, 0, args, NULL);
    if (run.refused)
        return; /* a bound overflowed: rule 14 */
    if (run.failed)
        CHECK_FAIL("seed %llu, after %s: %s", (unsigned long long)seed, after, run.failed);
    if (memcmp(&o, wanted, sizeof o) != 0)
        CHECK_FAIL("seed %llu: %s changed the result", (unsigned long long)seed, after);
}

/* True where the kernel was taken. */
static bool try_seed(uint64_t seed, bool promoted)
{
    static const char *const order[] = { "launch", "access", "atomics" };
    ir_case_module c = { 0 };
    outcome wanted = { 0 };
    mod_module *module = NULL;
    bool taken = true;

    CHECK_STATUS(mem_arena_init(&c.arena), SLIP_OK);
    c.module = random_launch(&c.arena, seed);
    CHECK_STATUS(ir_verify(c.module), SLIP_OK);
    diag_list diags = { .arena = &c.arena };
    if (promoted)
        for (int k = 0; k < 2; k++) {
            CHECK_STATUS(ir_run_pass(k ? "dce" : "promote", c.module, &diags, NULL), SLIP_OK);
            CHECK_STATUS(ir_verify(c.module), SLIP_OK);
        }
    taken = run_whole(&c, seed, &wanted) == NULL;
    for (int i = 0; i < 3 && taken; i++) {
        fail_clear();
        slip_status status = ir_run_pass(order[i], c.module, &diags, &module);
        taken = status == SLIP_OK;
        if (!taken)
            CHECK_STATUS(SLIP_FAIL(SLIP_ERR_COMPILE, "refused"), status);
        if (!taken)
            break;
        CHECK_STATUS(ir_verify(c.module), SLIP_OK);
        CHECK_STATUS(mod_check(module), SLIP_OK);
        run_parts(&c, module, seed, &wanted, order[i]);
    }
    case_finish(&c);
    return taken;
}

static void random_kernels_do_as_tasks_what_they_did(void)
{
    uint32_t taken = 0;

    for (uint64_t seed = 0; seed < SEEDS; seed++)
        taken += try_seed(seed, seed % 2);
    CHECK(taken > SEEDS / 2); /* else most are refused, and little is tried */
}

static void programs_and_tasks_of_small_kernels(void)
{
    static const char *const passes[] = { "launch", NULL };

    launch_goldens("tests/golden/launch", ".txt", 13, passes,
                   LAUNCH_SHOW_PROGRAM | LAUNCH_SHOW_TASKS);
}

/* The exact instructions of `m ? n / m : 1` and the like: refused where the arm that is taken does
 * not fit. */
static bool extents_refused(uint64_t n, uint64_t m)
{
    static float x[64], y[64];
    ir_case_module c;
    mod_module *module = NULL;
    uint64_t args[4] = { n, m, (uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)y };

    case_load_file(&c, "tests/golden/launch/extents.ir", true);
    diag_list diags = { .arena = &c.arena };
    CHECK_STATUS(pass_launch(c.module, &diags, &module), SLIP_OK);
    launch_run run = { .module = module, .ir = c.module, .steps = 1000 };
    launch_run_entry(&run, 0, args, NULL);
    CHECK(!run.failed || run.refused);
    case_finish(&c);
    return run.refused;
}

static void an_extent_is_exact_where_it_is_taken(void)
{
    CHECK(!extents_refused(20, 0));          /* n / m is not asked for */
    CHECK(!extents_refused(100000, 100000)); /* nor n * m * 2, which overflows */
    CHECK(extents_refused(1000000, 30000));  /* here it is */
    CHECK(!extents_refused(40, 10));
}

static const check_case cases[] = {
    CASE(an_extent_is_exact_where_it_is_taken),
    CASE(programs_and_tasks_of_small_kernels),
    CASE(random_kernels_do_as_tasks_what_they_did),
};
CHECK_MAIN(cases)
