/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream_task_test.c - what the tasks of the cpu stream read: predicates, device bounds,
 * scratch, partial results; and one that fails.
 */
#include <string.h>

#include "base/fail.h"
#include "launch/cpu_program.h"
#include "support/check.h"

static cpu_program p;

static void set_cell_0(const void *block, int64_t first, int64_t last)
{
    (void)block;
    (void)first;
    (void)last;
    int32_t one = 1;
    uint64_t address;
    memcpy(&address, block, sizeof address);
    memcpy((void *)(uintptr_t)address, &one, sizeof one);
}

static const mod_arg cells_arg[] = { { MOD_FROM_SLOT, CPU_SLOTS - 1, 0, 8 } };

static void a_predicated_task_runs_only_while_its_cell_is_set(void)
{
    static const mod_node nodes[] = { TASK(0, 0), TASK(1, 1), TASK(2, 0) };

    cpu_program_begin(&p, nodes, COUNT(nodes), NULL);
    p.tasks[0].predicate = 0; /* cells start zeroed */
    p.tasks[1].args = cells_arg;
    p.tasks[1].arg_count = 1;
    p.kernels[1].main = set_cell_0;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_OK);
    CHECK_TEXT(cpu_order, "1 0");
    cpu_order[0] = '\0';
    CHECK_STATUS(cpu_program_perform(&p), SLIP_OK); /* zeroed again */
    CHECK_TEXT(cpu_order, "1 0");
    CHECK_EQ_U64(atomic_load(&p.counts.tasks), 4);
    cpu_program_end(&p);
}

static int64_t seen_axes[6];

static void note_axes(const void *block, int64_t first, int64_t last)
{
    (void)first;
    memcpy(seen_axes, block, sizeof seen_axes);
    seen_axes[5] = last;
}

/* Cells 8 and 16 hold bounds of an i64 axis; written by a first task. */
static void set_bounds(const void *block, int64_t first, int64_t last)
{
    uint64_t address;
    int64_t bounds[2] = { -4, 6 };

    (void)first;
    (void)last;
    memcpy(&address, block, sizeof address);
    memcpy((uint8_t *)(uintptr_t)address + 8, bounds, sizeof bounds);
}

static void bounds_may_be_device_values(void)
{
    static const mod_node nodes[] = { TASK(0, 1), TASK(1, 0), TASK(2, 1) };

    cpu_program_begin(&p, nodes, COUNT(nodes), NULL);
    p.tasks[1].rank = 2;
    p.tasks[1].axes[0] = (mod_axis){ SCALAR_i64, MOD_NONE, MOD_NONE, 8, 16 };
    p.tasks[1].axes[1] = (mod_axis){ SCALAR_i32, 0, 1, MOD_NONE, MOD_NONE };
    p.slots[0] = (uint64_t)-1;
    p.slots[1] = 2;
    p.kernels[1].main = note_axes;
    p.tasks[0].args = cells_arg;
    p.tasks[0].arg_count = 1;
    p.kernels[0].main = set_bounds;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_OK);
    CHECK_TEXT(cpu_order, "0 1"); /* the first run has 0 .. 0 */
    CHECK_EQ_I64(seen_axes[0], -4);
    CHECK_EQ_I64(seen_axes[1], 10);
    CHECK_EQ_I64(seen_axes[2], -1);
    CHECK_EQ_I64(seen_axes[3], 3);
    CHECK_EQ_I64(seen_axes[5], 30);
    cpu_program_end(&p);
}

static void bounds_compare_as_their_type(void)
{
    static const mod_node nodes[] = { TASK(0, 0) };
    static const struct {
        scalar_type type;
        uint64_t lo, hi;
        int64_t count;
    } rows[] = {
        { SCALAR_u64, 1, UINT64_MAX / 2, INT64_MAX - 1 },
        { SCALAR_u64, UINT64_MAX - 5, UINT64_MAX, 5 },
        { SCALAR_i64, UINT64_MAX - 5, UINT64_MAX, 5 },
        { SCALAR_i64, (uint64_t)-3, 4, 7 },
        { SCALAR_u32, 0, UINT32_MAX, UINT32_MAX },
        { SCALAR_u64, (uint64_t)-3, 4, 0 },
        { SCALAR_i64, 4, (uint64_t)-3, 0 },
    };

    for (size_t k = 0; k < COUNT(rows); k++) {
        cpu_program_begin(&p, nodes, COUNT(nodes), NULL);
        p.tasks[0].rank = 1;
        p.tasks[0].axes[0] = (mod_axis){ rows[k].type, 0, 1, MOD_NONE, MOD_NONE };
        p.slots[0] = rows[k].lo;
        p.slots[1] = rows[k].hi;
        p.kernels[0].main = note_axes;
        CHECK_STATUS(cpu_program_perform(&p), SLIP_OK);
        CHECK_TEXT(cpu_order, rows[k].count ? "0" : "");
        if (rows[k].count)
            CHECK_EQ_I64(seen_axes[1], rows[k].count);
        cpu_program_end(&p);
    }
}

static uint64_t scratch_seen[8];
static int scratch_count;

static void note_scratch(const void *block, int64_t first, int64_t last)
{
    (void)first;
    (void)last;
    memcpy(&scratch_seen[scratch_count++], block, sizeof scratch_seen[0]);
}

static void scratch_is_taken_once_a_launch_and_sized_by_its_extents(void)
{
    static const mod_arg scratch_arg[] = { { MOD_FROM_SLOT, 6, 0, 8 } };
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 6 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      { .kind = MOD_TAKE, .first = 0, .end = 4 },
                                      TASK(4, 0),
                                      EVAL(5, 1) };
    static const mod_scratch scratch[] = { { .name = "t",
                                             .slot = 6,
                                             .bytes = 8,
                                             .align = 8,
                                             .rank = 1,
                                             .extents = { 7 },
                                             .place = { 0, 9, 1 } } };

    cpu_program_begin(&p, nodes, COUNT(nodes), cpu_counting);
    p.entry.scratch = scratch;
    p.entry.scratch_count = 1;
    p.slots[0] = 3;
    p.slots[1] = 1;
    p.slots[7] = 100000;
    p.tasks[0].args = scratch_arg;
    p.tasks[0].arg_count = 1;
    p.kernels[0].main = note_scratch;
    scratch_count = 0;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_OK);
    CHECK_TEXT(cpu_order, "0 0 0");
    CHECK(scratch_seen[0] == scratch_seen[1] && scratch_seen[1] == scratch_seen[2]);
    memset((void *)(uintptr_t)p.slots[6], 1, 800000);
    p.slots[2] = 0;
    p.slots[7] = (uint64_t)-1;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "an extent of `t` is negative: -1");
    p.slots[2] = 0;
    p.slots[7] = (uint64_t)1 << 50;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "while taking memory for `t`");
    cpu_program_end(&p);
}

/* Three sums in one launch, each over more than one block: each takes its partial results anew,
 * at an aligned place that holds one result a block. */
static uint8_t *partials_seen[8];
static int partials_count;

static void note_partials(const void *block, int64_t first, int64_t last)
{
    uint64_t address;

    (void)first;
    memcpy(&address, (const uint8_t *)block + 16, sizeof address);
    memset((void *)(uintptr_t)address, 1, (size_t)((last - 1) / MOD_REDUCE_BLOCK + 1) * 8);
    partials_seen[partials_count++] = (uint8_t *)(uintptr_t)address;
}

static void partial_results_of_a_task_are_given_back_when_it_ends(void)
{
    static const mod_node nodes[] = { { .kind = MOD_TAKE, .first = 0, .end = 1 },
                                      { .kind = MOD_LOOP, .end = 6 },
                                      EVAL(2, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 4 },
                                      TASK(4, 0),
                                      EVAL(5, 1) };
    static const mod_scratch scratch[] = {
        { .name = "t", .slot = 6, .bytes = 8, .align = 8, .rank = 1, .extents = { 7 } }
    };
    static const mod_reduce reduce[] = { { SCALAR_OP_add, SCALAR_i64, 0 } };

    cpu_program_begin(&p, nodes, COUNT(nodes), cpu_counting);
    p.entry.scratch = scratch;
    p.entry.scratch_count = 1;
    p.tasks[0].rank = 1;
    p.tasks[0].axes[0] = (mod_axis){ SCALAR_i64, 8, 9, MOD_NONE, MOD_NONE };
    p.tasks[0].reduces = reduce;
    p.tasks[0].reduce_count = 1;
    p.tasks[0].partial_bytes = 8;
    p.tasks[0].partial_offset = 16;
    p.kernels[0].main = note_partials;
    p.slots[0] = 5;
    p.slots[1] = 1;
    p.slots[7] = 16;
    p.slots[9] = 100 * MOD_REDUCE_BLOCK + 1;
    partials_count = 0;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_OK);
    CHECK_EQ_I64(partials_count, 5);
    for (int k = 0; k < 5; k++) {
        CHECK_EQ_U64((uintptr_t)partials_seen[k] % 64, 0);
        CHECK(partials_seen[k] == partials_seen[0]);
    }
    cpu_program_end(&p);
}

static slip_status refuse_run(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    (void)self;
    (void)kernel;
    (void)block;
    (void)total;
    return SLIP_FAIL(SLIP_ERR_DEVICE, "no");
}

static void a_task_that_fails_ends_the_launch_and_is_named(void)
{
    static const mod_node nodes[] = { TASK(0, 0), TASK(1, 1) };

    cpu_program_begin(&p, nodes, COUNT(nodes), NULL);
    p.driver.run = refuse_run;
    CHECK_STATUS(cpu_program_perform(&p), SLIP_ERR_DEVICE);
    CHECK_TEXT(fail_last()->message, "no; while running task k:1");
    CHECK_EQ_U64(atomic_load(&p.counts.tasks), 1);
    cpu_program_end(&p);
}

static const check_case cases[] = {
    CASE(a_predicated_task_runs_only_while_its_cell_is_set),
    CASE(bounds_may_be_device_values),
    CASE(bounds_compare_as_their_type),
    CASE(scratch_is_taken_once_a_launch_and_sized_by_its_extents),
    CASE(partial_results_of_a_task_are_given_back_when_it_ends),
    CASE(a_task_that_fails_ends_the_launch_and_is_named),
};

CHECK_MAIN(cases)
