/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_test.c - calls by a list of arguments: what reaches the tasks, and what comes back.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cpu_driver.h"
#include "runtime/hand.h"
#include "support/check.h"

static void a_kernel_without_tasks_returns(void)
{
    hand_device on;
    hand_open(&on);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_NOTHING), NULL, 0, NULL, 0), SLIP_OK);
    hand_close(&on);
}

static void scalars_and_arrays_reach_the_task(void)
{
    hand_device on;
    float x[100], a = 1.5f;
    int32_t n = 90;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    for (int i = 0; i < 100; i++)
        x[i] = (float)i;
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    for (int i = 0; i < 100; i++)
        CHECK_EQ_F64((double)x[i], i < 90 ? i + 1.5 : i);
    hand_close(&on);
}

static void a_struct_is_passed_by_value_and_its_member_is_an_extent(void)
{
    hand_device on;
    struct {
        float a;
        int32_t n;
    } p = { 2.0f, 3 };
    float x[4] = { 0 };
    slip_arg args[] = { ARG(p), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_POINT, args), SLIP_OK);
    CHECK_EQ_F64((double)x[2], 2.0);
    CHECK_EQ_F64((double)x[3], 0.0);
    hand_close(&on);
}

static void a_sum_folds_all_blocks_into_the_result(void)
{
    enum { MOST = 100000 };
    static int32_t x[MOST];
    static const int64_t sizes[] = { 0, 1, 1023, 1024, 1025, 5000, MOST };
    hand_device on;

    hand_open(&on);
    for (int32_t i = 0; i < MOST; i++)
        x[i] = 3 * i - 7;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int64_t n = sizes[k], got = -1;
        slip_arg args[] = { ARG(n), ARRAY_ARG(x) };
        CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, sizeof got),
                     SLIP_OK);
        CHECK_EQ_I64(got, 3 * n * (n - 1) / 2 - 7 * n);
    }
    hand_close(&on);
}

static void a_result_not_wanted_is_another_plan_of_the_same_kernel(void)
{
    hand_device on;
    int32_t x[3] = { 1, 2, 3 };
    int64_t n = 3, got = 0;
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_SUM, args), SLIP_OK);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), args, 2, &got, sizeof got),
                 SLIP_OK);
    CHECK_EQ_I64(got, 6);
    CHECK_STATUS(LAUNCH(&on, HAND_SUM, args), SLIP_OK);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.plans, 2);
    hand_close(&on);
}

static void a_host_decided_loop_runs_its_steps_over_scratch(void)
{
    hand_device on;
    float u[50] = { 0 };
    int32_t n = 50, k = 7;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    for (int i = 0; i < 50; i++)
        CHECK_EQ_F64((double)u[i], 7.0 * i);
    k = 0;
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    CHECK_EQ_F64((double)u[49], 343.0);
    slip_stats stats;
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.tasks, 14);
    CHECK_EQ_U64(stats.host_waits, 0);
    hand_close(&on);
}

static void a_device_loop_ends_when_its_cell_is_zero(void)
{
    hand_device on;
    int32_t n = 2, x[2] = { 5, 9 };
    slip_arg args[] = { ARG(n), ARRAY_ARG(x) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_DRAIN, args), SLIP_OK);
    CHECK_EQ_I64(x[0], 0);
    CHECK_EQ_I64(x[1], 4);
    CHECK_STATUS(LAUNCH(&on, HAND_DRAIN, args), SLIP_OK); /* the body runs once before the test */
    CHECK_EQ_I64(x[0], -1);
    hand_close(&on);
}

static void empty_and_inverted_ranges_run_nothing(void)
{
    hand_device on;
    int64_t out = 0;
    static const int64_t ranges[][2] = {
        { 0, 0 }, { 5, 5 }, { 9, 2 }, { 0, -3 }, { INT64_MAX, INT64_MIN }
    };

    hand_open(&on);
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        int64_t lo = ranges[k][0], hi = ranges[k][1];
        slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };
        CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_OK);
    }
    CHECK_EQ_I64(out, 0);
    hand_close(&on);
}

static void ranges_above_32_bits_run_whole(void)
{
    hand_device on;
    int64_t out = 0, lo = -5, hi = ((int64_t)1 << 33) + 7;
    slip_arg args[] = { ARG(lo), ARG(hi), ARG(out) };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_WIDE, args), SLIP_OK);
    CHECK_EQ_I64(out, ((int64_t)1 << 33) + 12);
    lo = (int64_t)1 << 17;
    hi = (int64_t)1 << 18;
    CHECK_STATUS(LAUNCH(&on, HAND_SQUARE, args), SLIP_OK);
    CHECK_EQ_I64(out, ((int64_t)1 << 33) + 12 + ((int64_t)1 << 35));
    hand_close(&on);
}

static void empty_arrays_succeed_also_as_null(void)
{
    hand_device on;
    int32_t n = 0;
    float a = 1;
    slip_arg args[] = { ARG(n), ARG(a), { NULL, 0 } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    args[2].data = &a;
    CHECK_STATUS(LAUNCH(&on, HAND_ADD, args), SLIP_OK);
    CHECK_EQ_F64((double)a, 1.0);
    hand_close(&on);
}

static void an_array_of_unknown_extent_must_be_known_memory(void)
{
    hand_device on;
    int32_t n = 4;
    float host[4] = { 0 };
    void *memory = NULL;
    slip_arg args[] = { ARG(n), { host, sizeof host } };

    hand_open(&on);
    CHECK_STATUS(LAUNCH(&on, HAND_OPEN, args),
                 SLIP_OK); /* a list of arguments says how large it is */
    CHECK_EQ_F64((double)host[3], 1.0);
    CHECK_STATUS(slip_alloc(on.device, sizeof host, &memory), SLIP_OK);
    memcpy(memory, host, sizeof host);
    args[1] = (slip_arg){ memory, sizeof host };
    CHECK_STATUS(LAUNCH(&on, HAND_OPEN, args), SLIP_OK);
    CHECK_EQ_F64((double)((float *)memory)[3], 2.0);
    slip_free(on.device, memory);
    hand_close(&on);
}

/* Called through a pointer, or the compiler would move it past a change of the mode. */
static double third(void)
{
    volatile double one = 1, three = 3;

    return one / three;
}

static double (*volatile one_third)(void) = third;

/* The first calls are by a plan, those after them are kept launches made again. */
static void tasks_run_in_the_default_floating_point_mode(void)
{
    hand_device on;
    float x[1], a = 0x1p-24f; /* a tie: 1 to even, up to 1 + 2^-23 */
    int32_t n = 1;
    slip_arg args[] = { ARG(n), ARG(a), ARRAY_ARG(x) };

    hand_open(&on);
    for (int call = 0; call < 6; call++) {
        x[0] = 1.0f;
        hand_calls = 0;
        hand_fail_at = call == 4; /* also where the task is refused */
        CHECK_EQ_I64(fesetround(FE_UPWARD), 0);
        slip_status status = LAUNCH(&on, HAND_ADD, args);
        double after = one_third(); /* computed: fegetround may look at another unit's mode */
        fesetround(FE_TONEAREST);
        hand_fail_at = 0;
        CHECK_EQ_I64(status, call == 4 ? SLIP_ERR_DEVICE : SLIP_OK);
        CHECK_EQ_F64(after, 0x1.5555555555556p-2);
        CHECK_EQ_F64((double)x[0], 1.0);
    }
    hand_close(&on);
}

/* ---- as many arrays as a block has room for -------------------------------------------------- */

enum { ARRAYS = 512 };

static void many_task(const void *block, int64_t first, int64_t last)
{
    (void)first;
    (void)last;
    for (int64_t k = 0; k < ARRAYS; k++) {
        int32_t *x;
        memcpy(&x, (const uint8_t *)block + 8 * k, sizeof x);
        x[0] += (int32_t)k + 1;
    }
}

/* A kernel of 512 arrays of one i32, each of which gets its number added. Static: it is large. */
static slip_module *load_many(const hand_device *on)
{
    static mod_param params[ARRAYS];
    static mod_arg args[ARRAYS];
    static mod_access accesses[ARRAYS];
    static const cpu_task functions[] = { many_task };
    static const mod_symbol symbols[] = { { 0, MOD_NONE } };
    static const mod_const consts[] = { { ARRAYS, 1 } };
    static const mod_node nodes[] = { { .kind = MOD_TASK, .first = 0, .end = 1 } };
    static mod_task task = { .name = "many:1",
                             .args = args,
                             .arg_count = ARRAYS,
                             .block_bytes = 8 * ARRAYS,
                             .predicate = MOD_NONE,
                             .partial_offset = MOD_NONE,
                             .accesses = accesses,
                             .access_count = ARRAYS };
    static const mod_entry entry = { .name = "many",
                                     .params = params,
                                     .param_count = ARRAYS,
                                     .nodes = nodes,
                                     .node_count = 1,
                                     .consts = consts,
                                     .const_count = 1,
                                     .slot_count = ARRAYS + 1,
                                     .cells_slot = MOD_NONE,
                                     .tasks = &task,
                                     .task_count = 1 };
    static mod_code code;
    static mod_module module;
    slip_module *made = NULL;

    for (uint32_t k = 0; k < ARRAYS; k++) {
        params[k] = (mod_param){ .name = "x",
                                 .kind = MOD_ARRAY,
                                 .scalar = SCALAR_i32,
                                 .bytes = 4,
                                 .align = 4,
                                 .rank = 1,
                                 .extents = { ARRAYS },
                                 .access = MOD_READ | MOD_WRITE };
        args[k] = (mod_arg){ MOD_FROM_SLOT, k, 8 * k, 8 };
        accesses[k] = (mod_access){ .array = k, .flags = MOD_READ | MOD_WRITE };
    }
    module = *hand_module();
    code = module.codes[0];
    code.bytes = (const uint8_t *)functions;
    code.symbols = symbols;
    code.symbol_count = 1;
    module.codes = &code;
    module.symbol_count = 1;
    module.entries = &entry;
    module.entry_count = 1;
    CHECK_STATUS(module_adopt(on->device, &module, &made), SLIP_OK);
    return made;
}

static void five_hundred_and_twelve_arrays_each_get_their_own(void)
{
    hand_device on;
    static int32_t x[ARRAYS];
    static slip_arg args[ARRAYS];

    hand_open(&on);
    slip_module *module = load_many(&on);
    memset(x, 0, sizeof x);
    for (uint32_t k = 0; k < ARRAYS; k++)
        args[k] =
            (slip_arg){ &x[(k * 37) % ARRAYS], sizeof x[0] }; /* not in the order of addresses */
    for (int round = 0; round < 3; round++)
        CHECK_STATUS(slip_launch(on.stream, slip_module_entry(module, 0), args, ARRAYS, NULL, 0),
                     SLIP_OK);
    for (uint32_t k = 0; k < ARRAYS; k++)
        CHECK_EQ_I64(x[(k * 37) % ARRAYS], 3 * ((int64_t)k + 1));
    args[7] = args[300]; /* the same array twice, in one task that says nothing against it */
    CHECK_STATUS(slip_launch(on.stream, slip_module_entry(module, 0), args, ARRAYS, NULL, 0),
                 SLIP_OK);
    CHECK_EQ_I64(x[(300 * 37) % ARRAYS], 4 * 301 + 8);
    hand_close(&on);
}

static void the_conservative_policy_gives_the_same_results(void)
{
    hand_device on;
    float u[50] = { 0 };
    int32_t n = 50, k = 7, x[4] = { 1, 2, 3, 4 };
    int64_t count = 4, got = 0;
    slip_arg args[] = { ARG(n), ARG(k), ARRAY_ARG(u) }, more[] = { ARG(count), ARRAY_ARG(x) };

    setenv("SLIPWAY_SYNC", "conservative", 1);
    hand_open(&on);
    unsetenv("SLIPWAY_SYNC");
    CHECK_EQ_I64(slip_device_get_sync(on.device), SLIP_SYNC_CONSERVATIVE);
    CHECK_STATUS(LAUNCH(&on, HAND_STEPS, args), SLIP_OK);
    CHECK_EQ_F64((double)u[49], 343.0);
    CHECK_STATUS(slip_launch(on.stream, hand_entry(&on, HAND_SUM), more, 2, &got, sizeof got),
                 SLIP_OK);
    CHECK_EQ_I64(got, 10);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(a_kernel_without_tasks_returns),
    CASE(scalars_and_arrays_reach_the_task),
    CASE(a_struct_is_passed_by_value_and_its_member_is_an_extent),
    CASE(a_sum_folds_all_blocks_into_the_result),
    CASE(a_result_not_wanted_is_another_plan_of_the_same_kernel),
    CASE(a_host_decided_loop_runs_its_steps_over_scratch),
    CASE(a_device_loop_ends_when_its_cell_is_zero),
    CASE(empty_and_inverted_ranges_run_nothing),
    CASE(ranges_above_32_bits_run_whole),
    CASE(empty_arrays_succeed_also_as_null),
    CASE(an_array_of_unknown_extent_must_be_known_memory),
    CASE(tasks_run_in_the_default_floating_point_mode),
    CASE(five_hundred_and_twelve_arrays_each_get_their_own),
    CASE(the_conservative_policy_gives_the_same_results),
};

CHECK_MAIN(cases)
