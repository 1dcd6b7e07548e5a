/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axes_test.c - how far a task goes. Bounds compared as their type, and what is refused, are also
 * run through the CPU's launcher: cpu_stream_test.c.
 */
#include "launch/axes.h"

#include <string.h>

#include "base/fail.h"
#include "support/check.h"

static uint64_t slots[8];
static const mod_module module = { 0 };
static const mod_entry entry = { .name = "k" };
static const program_state program = { &module, &entry, slots, NULL };
static _Alignas(64) uint8_t block[256];

static mod_axis between(uint32_t lo, uint32_t hi)
{
    return (mod_axis){ SCALAR_i64, lo, hi, MOD_NONE, MOD_NONE };
}

static mod_axis in_cells(uint32_t lo, uint32_t hi)
{
    return (mod_axis){ SCALAR_i32, MOD_NONE, MOD_NONE, lo, hi };
}

static axes_place axis(uint32_t k)
{
    axes_place a;

    memcpy(&a, block + 16 * k, sizeof a);
    return a;
}

static void a_total_is_the_product_of_the_counts(void)
{
    mod_task task = { .name = "k:1", .rank = 2, .axes = { between(0, 1), between(2, 3) } };
    int64_t total = -1;

    memcpy(slots, (uint64_t[]){ (uint64_t)-3, 4, 10, 30 }, 32);
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 140);
    CHECK_EQ_I64(axis(0).lo, -3);
    CHECK_EQ_I64(axis(0).count, 7);
    CHECK_EQ_I64(axis(1).lo, 10);
    CHECK_EQ_I64(axis(1).count, 20);
    CHECK(!axes_in_cells(&task));
    slots[3] = 10;
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 0);
}

static void a_serial_task_runs_once(void)
{
    mod_task task = { .name = "k:1" };
    int64_t total = -1;

    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 1);
}

/* Device values are used where the host sees them; else they count as 1, and an axis that is empty
 * still makes the whole empty. */
static void bounds_in_cells_are_known_or_not(void)
{
    mod_task task = { .name = "k:1", .rank = 2, .axes = { between(0, 1), in_cells(4, 8) } };
    int32_t cells[3] = { 99, -2, 5 };
    int64_t total = -1;

    memcpy(slots, (uint64_t[]){ 0, 6 }, 16);
    CHECK(axes_in_cells(&task));
    CHECK_STATUS(axes_find(&program, &task, (uint8_t *)cells, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 42);
    CHECK_EQ_I64(axis(1).lo, -2);
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 6);
    CHECK_EQ_I64(axis(1).lo, 0);
    CHECK_EQ_I64(axis(1).count, 0);
    slots[1] = 0;
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_OK);
    CHECK_EQ_I64(total, 0);
}

static void too_many_iterations_are_refused(void)
{
    mod_task task = { .name = "k:1", .rank = 2, .axes = { between(0, 1), between(0, 2) } };
    int64_t total = 7;

    memcpy(slots, (uint64_t[]){ 0, (uint64_t)1 << 40, (uint64_t)1 << 40 }, 24);
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message,
                   "task k:1 has too many iterations: 1099511627776 * 1099511627776 * 1 (in k)");
    task.rank = 1;
    task.axes[0].type = SCALAR_u64;
    slots[1] = UINT64_MAX;
    CHECK_STATUS(axes_find(&program, &task, NULL, block, &total), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "from 0 to 18446744073709551615");
}

static void arguments_are_slots_and_structs(void)
{
    static const double given[2] = { 1.5, -2.5 };
    const uint64_t args[1] = { (uint64_t)(uintptr_t)given };
    const program_state with = { &module, &entry, slots, args };
    static const mod_arg list[] = { { MOD_FROM_SLOT, 2, 16, 8 }, { MOD_FROM_STRUCT, 0, 32, 16 } };
    mod_task task = { .name = "k:1", .rank = 1, .args = list, .arg_count = 2 };
    double found[2];
    uint64_t slot;

    slots[2] = 0x1234567890abcdef;
    axes_args(&with, &task, block);
    memcpy(&slot, block + 16, 8);
    memcpy(found, block + 32, 16);
    CHECK_EQ_U64(slot, 0x1234567890abcdef);
    CHECK(found[0] == 1.5 && found[1] == -2.5);
}

static void partial_results_go_by_blocks(void)
{
    mod_task task = { .name = "k:1", .partial_bytes = 24 };
    uint64_t bytes = 0;

    CHECK_STATUS(axes_partials(&task, 1, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 24);
    CHECK_STATUS(axes_partials(&task, 1024, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 24);
    CHECK_STATUS(axes_partials(&task, 1025, &bytes), SLIP_OK);
    CHECK_EQ_U64(bytes, 48);
    task.partial_bytes = 1 << 30;
    CHECK_STATUS(axes_partials(&task, INT64_MAX, &bytes), SLIP_ERR_MEMORY);
    CHECK_EQ_U64(bytes, 48);
}

static const check_case cases[] = {
    CASE(a_total_is_the_product_of_the_counts), CASE(a_serial_task_runs_once),
    CASE(bounds_in_cells_are_known_or_not),     CASE(too_many_iterations_are_refused),
    CASE(arguments_are_slots_and_structs),      CASE(partial_results_go_by_blocks),
};
CHECK_MAIN(cases)
