/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu_stream_test.c - control flow, predicates, device bounds, scratch and reductions, by programs
 * whose tasks write down that they ran.
 *
 * The program is planned for the cpu family and performed; the order of tasks is compared as text.
 */
#include "launch/cpu_stream.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/mem.h"
#include "support/check.h"

/* ---- a program under test -------------------------------------------------------------------- */

enum { TASKS = 6, SLOTS = 16, CELLS = 64 };

static char order[256]; /* "0 1 1 2": tasks as they ran */

/* The block of a task that takes slot 0 .. 2 behind its axes: which task it is lies in the
 * driver's kernel. */
static slip_status run_log(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    size_t used = strlen(order);

    (void)self;
    (void)total;
    snprintf(order + used, sizeof order - used, "%s%u", used ? " " : "",
             (unsigned)atomic_load(&kernel->cost));
    if (kernel->main)
        kernel->main(block, 0, total);
    return SLIP_OK;
}

typedef struct program {
    mod_module module;
    mod_entry entry;
    mod_task tasks[TASKS];
    cpu_kernel kernels[TASKS];
    uint64_t slots[SLOTS];
    cpu_driver driver;
    counters counts;
    cpu_stream stream;
} program;

static void set_up(program *p, const mod_node *nodes, uint32_t node_count, const mod_instr *instrs)
{
    memset(p, 0, sizeof *p);
    p->driver = cpu_driver_table;
    p->driver.run = run_log;
    cpu_stream_init(&p->stream, &p->driver, NULL, &p->counts);
    p->entry = (mod_entry){ .name = "k",
                            .nodes = nodes,
                            .node_count = node_count,
                            .instrs = instrs,
                            .slot_count = SLOTS,
                            .tasks = p->tasks,
                            .task_count = TASKS,
                            .cells_bytes = CELLS,
                            .cells_slot = SLOTS - 1 };
    for (uint32_t t = 0; t < TASKS; t++) {
        p->tasks[t] = (mod_task){
            .name = "k:1", .block_bytes = 8, .predicate = MOD_NONE, .partial_offset = MOD_NONE
        };
        atomic_store(&p->kernels[t].cost, t);
    }
    order[0] = '\0';
}

static slip_status perform(program *p)
{
    plan_shape shape = { .stream = PLAN_DEFAULT_STREAM };
    mem_arena arena = { 0 };
    plan *made = NULL;
    flow_op *ops = NULL;

    CHECK_STATUS(mem_arena_init(&arena), SLIP_OK);
    CHECK_STATUS(plan_make(&arena, &p->entry, &shape, plan_facts_named("cpu"), &made), SLIP_OK);
    CHECK_STATUS(cpu_ops_make(made, &p->entry, &ops), SLIP_OK);
    mem_arena_finish(&arena);
    launch_call call = { .program = {
                             .module = &p->module, .entry = &p->entry, .slots = p->slots } };
    fail_clear();
    slip_status status = cpu_stream_perform(&p->stream, &call, ops, p->kernels);
    mem_free(ops);
    return status;
}

static void tear_down(program *p)
{
    cpu_stream_finish(&p->stream);
    CHECK_EQ_U64(mem_live(), 0);
}

static void check_order(program *p, const mod_node *nodes, uint32_t node_count,
                        const mod_instr *instrs, uint64_t slot0, const char *expected)
{
    set_up(p, nodes, node_count, instrs);
    p->slots[0] = slot0;
    p->slots[1] = 1;
    CHECK_STATUS(perform(p), SLIP_OK);
    CHECK_TEXT(order, expected);
    tear_down(p);
}

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define TASK(k, task) [k] = { .kind = MOD_TASK, .first = task, .end = k + 1 }
#define EVAL(k, instr) [k] = { .kind = MOD_EVAL, .first = instr, .count = 1, .end = k + 1 }

static program p;

/* slot 0: n, 1: one, 2: i, 3: condition, 4: another, 5: k */
static const mod_instr counting[] = {
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 3, .a = 2, .b = 0 },  /* 0: c = i < n */
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 2, .a = 2, .b = 1 }, /* 1: i++ */
    { .op = SCALAR_OP_eq, .type = SCALAR_i32, .dst = 4, .a = 2, .b = 1 },  /* 2: d = i == 1 */
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 3, .a = 5, .b = 2 },  /* 3: c = k < i */
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 5, .a = 5, .b = 1 }, /* 4: k++ */
    { .op = SCALAR_OP_sub, .type = SCALAR_i32, .dst = 5, .a = 1, .b = 1 }, /* 5: k = 0 */
};

static void tasks_run_in_the_order_of_the_program(void)
{
    static const mod_node nodes[] = { TASK(0, 2), TASK(1, 0), TASK(2, 2) };

    check_order(&p, nodes, COUNT(nodes), NULL, 0, "2 0 2");
    check_order(&p, nodes, 0, NULL, 0, "");
}

static void an_if_runs_one_of_its_parts(void)
{
    static const mod_node both[] = { { .kind = MOD_IF, .cond = 0, .other = 3, .end = 4 },
                                     TASK(1, 0),
                                     TASK(2, 1),
                                     TASK(3, 2),
                                     TASK(4, 3) };
    static const mod_node only_then[] = { { .kind = MOD_IF, .cond = 0, .other = 2, .end = 2 },
                                          TASK(1, 0),
                                          TASK(2, 3) };
    static const mod_node only_else[] = { { .kind = MOD_IF, .cond = 0, .other = 1, .end = 2 },
                                          TASK(1, 0),
                                          TASK(2, 3) };
    static const mod_node neither[] = { { .kind = MOD_IF, .cond = 0, .other = 1, .end = 1 },
                                        TASK(1, 3) };

    check_order(&p, both, COUNT(both), NULL, 1, "0 1 3");
    check_order(&p, both, COUNT(both), NULL, 0, "2 3");
    check_order(&p, only_then, COUNT(only_then), NULL, 1, "0 3");
    check_order(&p, only_then, COUNT(only_then), NULL, 0, "3");
    check_order(&p, only_else, COUNT(only_else), NULL, 1, "3");
    check_order(&p, only_else, COUNT(only_else), NULL, 0, "0 3");
    check_order(&p, neither, COUNT(neither), NULL, 1, "3");
}

static void a_loop_runs_until_it_is_left(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 5 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      TASK(3, 0),
                                      EVAL(4, 1),
                                      TASK(5, 1) };

    check_order(&p, nodes, COUNT(nodes), counting, 3, "0 0 0 1");
    check_order(&p, nodes, COUNT(nodes), counting, 0, "1");
}

/* for (i = 0; i < n; i++) { t0; if (i == 1) continue; t1 }  with the step at node 8 */
static void continue_goes_on_with_the_step_of_its_loop(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      TASK(3, 0),
                                      EVAL(4, 2),
                                      { .kind = MOD_IF, .cond = 4, .other = 7, .end = 7 },
                                      { .kind = MOD_CONTINUE, .other = 8, .end = 7 },
                                      TASK(7, 1),
                                      EVAL(8, 1),
                                      TASK(9, 2) };

    check_order(&p, nodes, COUNT(nodes), counting, 3, "0 1 0 0 1 2");
}

/* A loop without a step part: continue goes to its end, where it begins again. The if is its
 * last child. */
static void continue_without_a_step_begins_the_next_round(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      EVAL(3, 1),
                                      TASK(4, 0),
                                      EVAL(5, 2),
                                      { .kind = MOD_IF, .cond = 4, .other = 8, .end = 9 },
                                      { .kind = MOD_CONTINUE, .other = 9, .end = 8 },
                                      TASK(8, 1),
                                      TASK(9, 2) };

    check_order(&p, nodes, COUNT(nodes), counting, 3, "0 0 1 0 1 2");
}

/* for (i...) for (k = 0; k < i; k++) t0: the inner break leaves the inner loop only */
static void break_leaves_the_innermost_loop(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 11 },
                                      EVAL(1, 0),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 3 },
                                      EVAL(3, 5),
                                      { .kind = MOD_LOOP, .end = 9 },
                                      EVAL(5, 3),
                                      { .kind = MOD_BREAK, .cond = 3, .end = 7 },
                                      TASK(7, 0),
                                      EVAL(8, 4),
                                      TASK(9, 1),
                                      EVAL(10, 1),
                                      TASK(11, 2) };

    check_order(&p, nodes, COUNT(nodes), counting, 4, "1 0 1 0 0 1 0 0 0 1 2");
}

static void break_without_a_condition_always_leaves(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 4 },
                                      TASK(1, 0),
                                      { .kind = MOD_BREAK, .cond = MOD_NONE, .end = 3 },
                                      TASK(3, 1),
                                      TASK(4, 2) };

    check_order(&p, nodes, COUNT(nodes), NULL, 0, "0 2");
}

static void return_ends_the_launch_from_inside_loops(void)
{
    static const mod_node nodes[] = { { .kind = MOD_LOOP, .end = 7 },
                                      EVAL(1, 1),
                                      EVAL(2, 2),
                                      TASK(3, 0),
                                      { .kind = MOD_IF, .cond = 4, .other = 5, .end = 6 },
                                      { .kind = MOD_RETURN, .end = 6 },
                                      TASK(6, 1),
                                      TASK(7, 2) };

    check_order(&p, nodes, COUNT(nodes), counting, 0, "0 1 0");
}

static void sections_run_in_source_order(void)
{
    static const mod_node nodes[] = { { .kind = MOD_SECTIONS, .end = 6 },
                                      { .kind = MOD_SECTION, .end = 4 },
                                      TASK(2, 0),
                                      TASK(3, 1),
                                      { .kind = MOD_SECTION, .end = 6 },
                                      TASK(5, 2),
                                      TASK(6, 3) };

    check_order(&p, nodes, COUNT(nodes), NULL, 0, "0 1 2 3");
}

/* ---- what tasks read ------------------------------------------------------------------------- */

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

static const mod_arg cells_arg[] = { { MOD_FROM_SLOT, SLOTS - 1, 0, 8 } };

static void a_predicated_task_runs_only_while_its_cell_is_set(void)
{
    static const mod_node nodes[] = { TASK(0, 0), TASK(1, 1), TASK(2, 0) };

    set_up(&p, nodes, COUNT(nodes), NULL);
    p.tasks[0].predicate = 0; /* cells start zeroed */
    p.tasks[1].args = cells_arg;
    p.tasks[1].arg_count = 1;
    p.kernels[1].main = set_cell_0;
    CHECK_STATUS(perform(&p), SLIP_OK);
    CHECK_TEXT(order, "1 0");
    order[0] = '\0';
    CHECK_STATUS(perform(&p), SLIP_OK); /* zeroed again */
    CHECK_TEXT(order, "1 0");
    CHECK_EQ_U64(atomic_load(&p.counts.tasks), 4);
    tear_down(&p);
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

    set_up(&p, nodes, COUNT(nodes), NULL);
    p.tasks[1].rank = 2;
    p.tasks[1].axes[0] = (mod_axis){ SCALAR_i64, MOD_NONE, MOD_NONE, 8, 16 };
    p.tasks[1].axes[1] = (mod_axis){ SCALAR_i32, 0, 1, MOD_NONE, MOD_NONE };
    p.slots[0] = (uint64_t)-1;
    p.slots[1] = 2;
    p.kernels[1].main = note_axes;
    p.tasks[0].args = cells_arg;
    p.tasks[0].arg_count = 1;
    p.kernels[0].main = set_bounds;
    CHECK_STATUS(perform(&p), SLIP_OK);
    CHECK_TEXT(order, "0 1"); /* the first run has 0 .. 0 */
    CHECK_EQ_I64(seen_axes[0], -4);
    CHECK_EQ_I64(seen_axes[1], 10);
    CHECK_EQ_I64(seen_axes[2], -1);
    CHECK_EQ_I64(seen_axes[3], 3);
    CHECK_EQ_I64(seen_axes[5], 30);
    tear_down(&p);
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
        set_up(&p, nodes, COUNT(nodes), NULL);
        p.tasks[0].rank = 1;
        p.tasks[0].axes[0] = (mod_axis){ rows[k].type, 0, 1, MOD_NONE, MOD_NONE };
        p.slots[0] = rows[k].lo;
        p.slots[1] = rows[k].hi;
        p.kernels[0].main = note_axes;
        CHECK_STATUS(perform(&p), SLIP_OK);
        CHECK_TEXT(order, rows[k].count ? "0" : "");
        if (rows[k].count)
            CHECK_EQ_I64(seen_axes[1], rows[k].count);
        tear_down(&p);
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

    set_up(&p, nodes, COUNT(nodes), counting);
    p.entry.scratch = scratch;
    p.entry.scratch_count = 1;
    p.slots[0] = 3;
    p.slots[1] = 1;
    p.slots[7] = 100000;
    p.tasks[0].args = scratch_arg;
    p.tasks[0].arg_count = 1;
    p.kernels[0].main = note_scratch;
    scratch_count = 0;
    CHECK_STATUS(perform(&p), SLIP_OK);
    CHECK_TEXT(order, "0 0 0");
    CHECK(scratch_seen[0] == scratch_seen[1] && scratch_seen[1] == scratch_seen[2]);
    memset((void *)(uintptr_t)p.slots[6], 1, 800000);
    p.slots[2] = 0;
    p.slots[7] = (uint64_t)-1;
    CHECK_STATUS(perform(&p), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(fail_last()->message, "an extent of `t` is negative: -1");
    p.slots[2] = 0;
    p.slots[7] = (uint64_t)1 << 50;
    CHECK_STATUS(perform(&p), SLIP_ERR_MEMORY);
    CHECK_CONTAINS(fail_last()->message, "while taking memory for `t`");
    tear_down(&p);
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

    set_up(&p, nodes, COUNT(nodes), counting);
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
    CHECK_STATUS(perform(&p), SLIP_OK);
    CHECK_EQ_I64(partials_count, 5);
    for (int k = 0; k < 5; k++) {
        CHECK_EQ_U64((uintptr_t)partials_seen[k] % 64, 0);
        CHECK(partials_seen[k] == partials_seen[0]);
    }
    tear_down(&p);
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

    set_up(&p, nodes, COUNT(nodes), NULL);
    p.driver.run = refuse_run;
    CHECK_STATUS(perform(&p), SLIP_ERR_DEVICE);
    CHECK_TEXT(fail_last()->message, "no; while running task k:1");
    CHECK_EQ_U64(atomic_load(&p.counts.tasks), 1);
    tear_down(&p);
}

static const check_case cases[] = {
    CASE(tasks_run_in_the_order_of_the_program),
    CASE(an_if_runs_one_of_its_parts),
    CASE(a_loop_runs_until_it_is_left),
    CASE(continue_goes_on_with_the_step_of_its_loop),
    CASE(continue_without_a_step_begins_the_next_round),
    CASE(break_leaves_the_innermost_loop),
    CASE(break_without_a_condition_always_leaves),
    CASE(return_ends_the_launch_from_inside_loops),
    CASE(sections_run_in_source_order),
    CASE(a_predicated_task_runs_only_while_its_cell_is_set),
    CASE(bounds_may_be_device_values),
    CASE(bounds_compare_as_their_type),
    CASE(scratch_is_taken_once_a_launch_and_sized_by_its_extents),
    CASE(partial_results_of_a_task_are_given_back_when_it_ends),
    CASE(a_task_that_fails_ends_the_launch_and_is_named),
};

CHECK_MAIN(cases)
