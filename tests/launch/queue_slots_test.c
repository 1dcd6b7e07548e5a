/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_slots_test.c - memory of calls: whoever comes next finds a slot filled by what comes
 * before only when that has ended, however many submissions it took.
 *
 * Both kernels add x to y again and again. x is in a slot, y on the device, so that no call waits
 * for its own end, and the slot of the next call's x is any that is thought to be free.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "launch/queue_case.h"
#include "launch/queue_parts.h"
#include "support/check.h"

enum { COUNT = 40, BYTES = COUNT * 4, SEEDS = 12, CALLS = 12 };

static case_kernel kernel;
static case_run run;
static launch_memory memory;
static int32_t x[COUNT], y[COUNT], want[COUNT];

/* ---- kernels --------------------------------------------------------------------------------- */

static void add(const uint8_t *block, int64_t first, int64_t last)
{
    const int32_t *from = case_pointer(block, 1, 0);
    int32_t *to = case_pointer(block, 1, 1);

    fake_reads(from + first, (uint64_t)(last - first) * sizeof *from);
    fake_writes(to + first, (uint64_t)(last - first) * sizeof *to);
    plain_saxpy(last - first, 1, from + first, to + first);
}

static uint32_t add_task(case_kernel *k, const char *name)
{
    uint32_t n = 0, from = 2, to = 3, t = case_task(k, name, 1, &n, add);

    case_arg(k, t, from);
    case_arg(k, t, to);
    case_touches(k, t, from, MOD_READ);
    case_touches(k, t, to, MOD_READ | MOD_WRITE);
    return t;
}

/* (n, times, const x[n], y[n]) */
static void begin_kernel(case_kernel *k, const char *name, uint32_t cells_bytes)
{
    case_begin(k, name, cells_bytes);
    case_scalar(k, "n");
    case_scalar(k, "times");
    case_array(k, "x", MOD_READ);
    case_array(k, "y", MOD_READ | MOD_WRITE);
}

/* y += x, `times` times: a loop of the host */
static void kernel_often(case_kernel *k)
{
    begin_kernel(k, "often", 0);
    uint32_t s = case_variable(k), go = case_variable(k), zero = case_const(k, 0),
             one = case_const(k, 1), times = 1;
    uint32_t task = add_task(k, "often:1");
    case_instr(k, SCALAR_OP_or, SCALAR_i64, s, zero, zero);
    case_instr(k, SCALAR_OP_lt, SCALAR_i64, go, s, times);
    case_instr(k, SCALAR_OP_add, SCALAR_i64, s, s, one);
    case_node(k, MOD_EVAL, 0);
    uint32_t loop = case_node(k, MOD_LOOP, 0);
    case_node(k, MOD_EVAL, 1);
    k->nodes[case_node(k, MOD_BREAK, 0)].cond = go;
    case_node(k, MOD_TASK, task);
    case_node(k, MOD_EVAL, 2);
    case_end(k, loop);
}

static void set_go(const uint8_t *block, int64_t go)
{
    int32_t *cell = case_pointer(block, 0, 0);

    fake_writes(cell, sizeof *cell);
    *cell = (int32_t)go;
}

static void go_on(const uint8_t *block, int64_t first, int64_t last)
{
    (void)first;
    (void)last;
    set_go(block, 1);
}

static void stop(const uint8_t *block, int64_t first, int64_t last)
{
    (void)first;
    (void)last;
    set_go(block, 0);
}

static uint32_t cell_task(case_kernel *k, const char *name, case_body body)
{
    uint32_t t = case_task(k, name, 0, NULL, body);

    case_arg(k, t, k->entry.cells_slot);
    case_touches(k, t, case_cells(k), MOD_WRITE);
    return t;
}

/* do { y += x } while (the device says so: no); y += x; the cell is written once more */
static void kernel_after_loop(case_kernel *k)
{
    begin_kernel(k, "after_loop", 4);
    uint32_t start = cell_task(k, "after_loop:1", go_on), body = add_task(k, "after_loop:2"),
             test = cell_task(k, "after_loop:3", stop), after = add_task(k, "after_loop:4"),
             last = cell_task(k, "after_loop:5", go_on);
    k->tasks[body].predicate = k->tasks[test].predicate = 0;
    case_touches(k, body, case_cells(k), MOD_READ);
    case_node(k, MOD_TASK, start);
    uint32_t loop = case_node(k, MOD_DEVICE_LOOP, 0);
    case_node(k, MOD_TASK, body);
    case_node(k, MOD_TASK, test);
    case_end(k, loop);
    case_node(k, MOD_TASK, after);
    case_node(k, MOD_TASK, last);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void begin(uint64_t seed)
{
    case_open(&run, (fake_queue_settings){ .seed = seed, .device_mapped = seed % 4 != 0 });
    CHECK_STATUS(case_launcher.memory_new(run.device, BYTES, LAUNCH_MEMORY_DEVICE, &memory),
                 SLIP_OK);
    memset(y, 0, sizeof y);
    CHECK_STATUS(case_launcher.copy_up(run.stream, &memory, 0, y, BYTES), SLIP_OK);
    memset(want, 0, sizeof want);
}

/* `times` times x more in want, once the call has run */
static void call(int32_t number, int64_t times, int64_t added)
{
    case_given given[] = { given_number(COUNT), given_number(times), given_host(x, COUNT),
                           given_device(&memory, COUNT) };

    for (int32_t i = 0; i < COUNT; i++)
        x[i] = i ^ (number * 77 + 1);
    plain_saxpy(COUNT, added, x, want);
    CHECK_STATUS(case_call(&run, &kernel, given, NULL), SLIP_OK);
}

static void end(void)
{
    memset(x, 0, sizeof x);
    CHECK_STATUS(case_launcher.copy_down(run.stream, y, &memory, 0, BYTES, NULL), SLIP_OK);
    CHECK(memcmp(y, want, sizeof want) == 0);
    case_launcher.memory_drop(run.device, &memory);
    case_close(&run);
}

/* What comes after the host has looked at a loop's condition is in a second submission. */
static void a_slot_is_the_calls_until_its_last_submission_has_ended(void)
{
    kernel_after_loop(&kernel);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        begin(seed);
        for (int32_t k = 0; k < CALLS; k++)
            call(k, 0, 2);
        end();
    }
}

static void *let_go(void *unused)
{
    struct timespec t = { 0, 100000000 };

    nanosleep(&t, NULL); /* by then a call that waits for nothing has ended */
    fake_queue_hold(false);
    return unused;
}

/* More tasks than a submission takes: the rest is held back behind them, and they end first. */
static void a_slot_is_kept_for_what_is_held_back(void)
{
    kernel_often(&kernel);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        pthread_t later;
        begin(seed);
        call(1, 1, 1);
        CHECK_STATUS(case_launcher.stream_sync(run.stream, NULL), SLIP_OK);
        queue_stream *s = run.stream;
        uint64_t before = s->submitted;
        fake_queue_hold(true);
        call(2, QUEUE_MOST_TASKS + 3, QUEUE_MOST_TASKS + 3);
        CHECK_EQ_U64(s->submitted, before + 1);
        CHECK_EQ_U64(s->deferred, 1);
        fake_queue_run_one();
        CHECK(queue_reached(s, before + 1));
        CHECK(pthread_create(&later, NULL, let_go, NULL) == 0);
        call(3, 1, 1);
        pthread_join(later, NULL);
        end();
    }
}

static const check_case cases[] = {
    CASE(a_slot_is_the_calls_until_its_last_submission_has_ended),
    CASE(a_slot_is_kept_for_what_is_held_back),
};
CHECK_MAIN(cases)
