/* SPDX-License-Identifier: Apache-2.0 */
/* random_program.c - see random_program.h. */
#include "launch/random_program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/random_task.h"
#include "support/check.h"

enum { ARRAYS = 3, SCRATCHES = 2, TRACE = 4000 };
_Static_assert(ARRAYS + SCRATCHES <= RANDOM_TOUCHED, "a task may touch all");

static uint64_t state;

uint32_t random_pick(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % below);
}

/* ---- programs ---------------------------------------------------------------------------------
 */

typedef struct made {
    case_kernel *k;
    uint32_t arrays[ARRAYS + SCRATCHES]; /* slots */
    uint32_t zero, one;
    uint32_t device_cell; /* number of device loops so far */
    int64_t trace[TRACE]; /* tasks of `work` in serial order */
    int trace_count;
    bool in_device; /* what is made is predicated */
    uint32_t cell;  /* where that loop's cells lie */
    /* per task: */
    int64_t flags[CASE_MOST][ARRAYS + SCRATCHES];
    int touched[CASE_MOST][ARRAYS + SCRATCHES], touched_count[CASE_MOST];
} made;

/* The task that `t` is, by its accesses to one array more. */
static void add_access(made *m, uint32_t t, uint32_t at, uint32_t flags)
{
    case_kernel *k = m->k;
    int c = m->touched_count[t]++;

    case_arg(k, t, m->arrays[at]);
    case_arg(k, t, case_const(k, flags));
    /* numbered as module.h does: parameters, then scratch */
    case_touches(k, t, at < ARRAYS ? m->arrays[at] : k->entry.param_count + at - ARRAYS, flags);
    m->flags[t][c] = flags;
    m->touched[t][c] = (int)at;
    if (at < ARRAYS)
        k->params[m->arrays[at]].access |= flags;
}

static void run_it(made *m, uint32_t t)
{
    case_node(m->k, MOD_TASK, t);
    if (m->trace_count < TRACE)
        m->trace[m->trace_count++] = t;
}

/* Scratch begins with known values. */
static void fill_scratch(made *m, uint32_t at)
{
    uint32_t t = case_task(m->k, "fill", 0, NULL, random_task);

    case_arg(m->k, t, case_const(m->k, t));
    case_arg(m->k, t, m->one);
    add_access(m, t, at, MOD_WRITE | MOD_COVERS);
    run_it(m, t);
}

static void add_task(made *m)
{
    case_kernel *k = m->k;
    uint32_t t = case_task(k, "work", 0, NULL, random_task), count = 1 + random_pick(2),
             first = random_pick(5);
    char *name = malloc(16);

    CHECK(name != NULL);
    snprintf(name, 16, "work%u", t);
    k->tasks[t].name = name;
    case_arg(k, t, case_const(k, t));
    case_arg(k, t, case_const(k, count));
    for (uint32_t c = 0; c < count; c++) {
        static const uint32_t some[] = { MOD_READ, MOD_WRITE, MOD_READ | MOD_WRITE };
        add_access(m, t, (first + c) % 5, some[random_pick(3)]);
    }
    if (m->in_device)
        k->tasks[t].predicate = m->cell;
    run_it(m, t);
}

static void add_some(made *m, int depth, bool in_sections);

/* What came since `from` happens `times` in all. */
static void repeat_trace(made *m, int from, int times)
{
    int length = m->trace_count - from;

    if (times == 0)
        m->trace_count = from;
    for (int k = 1; k < times && m->trace_count + length <= TRACE; k++) {
        memcpy(m->trace + m->trace_count, m->trace + from, (size_t)length * sizeof m->trace[0]);
        m->trace_count += length;
    }
}

static uint32_t add_eval(made *m, scalar_op op, uint32_t dst, uint32_t a, uint32_t b)
{
    uint32_t at = m->k->instr_count;

    case_instr(m->k, op, SCALAR_i64, dst, a, b);
    return case_node(m->k, MOD_EVAL, at);
}

static void add_loop(made *m, int depth, bool in_sections)
{
    int times = (int)random_pick(4), from = m->trace_count;
    uint32_t i = case_variable(m->k), go = case_variable(m->k);
    uint32_t limit = case_const(m->k, (uint64_t)times);

    add_eval(m, SCALAR_OP_or, i, m->zero, m->zero);
    uint32_t loop = case_node(m->k, MOD_LOOP, 0);
    add_eval(m, SCALAR_OP_lt, go, i, limit);
    m->k->nodes[case_node(m->k, MOD_BREAK, 0)].cond = go;
    add_some(m, depth + 1, in_sections);
    add_eval(m, SCALAR_OP_add, i, i, m->one);
    case_end(m->k, loop);
    repeat_trace(m, from, times);
}

static void add_if(made *m, int depth, bool in_sections)
{
    bool way = random_pick(2);
    uint32_t node = case_node(m->k, MOD_IF, 0);
    int from = m->trace_count;

    m->k->nodes[node].cond = way ? m->one : m->zero;
    add_some(m, depth + 1, in_sections);
    if (!way)
        m->trace_count = from;
    from = m->trace_count;
    m->k->nodes[node].other = m->k->entry.node_count;
    if (random_pick(2))
        add_some(m, depth + 1, in_sections);
    if (way)
        m->trace_count = from;
    case_end(m->k, node);
}

static void add_sections(made *m, int depth)
{
    uint32_t sections = case_node(m->k, MOD_SECTIONS, 0);

    for (uint32_t s = 0, n = 1 + random_pick(3); s < n; s++) {
        uint32_t section = case_node(m->k, MOD_SECTION, 0);
        add_some(m, depth + 1, true);
        case_end(m->k, section);
    }
    case_end(m->k, sections);
}

static uint32_t cell_task(made *m, const char *name, case_body does, uint32_t flags)
{
    uint32_t t = case_task(m->k, name, 0, NULL, does);

    case_arg(m->k, t, m->k->entry.cells_slot);
    case_touches(m->k, t, case_cells(m->k), flags);
    return t;
}

/* One at most: its cells are at the start. */
static void add_device_loop(made *m, int depth, bool in_sections)
{
    int times = 1 + (int)random_pick(6), from = m->trace_count;
    uint32_t start = cell_task(m, "start", random_start, MOD_WRITE);

    m->device_cell++;
    case_arg(m->k, start, case_const(m->k, (uint64_t)times));
    case_node(m->k, MOD_TASK, start);
    uint32_t loop = case_node(m->k, MOD_DEVICE_LOOP, 0);
    m->in_device = true;
    add_some(m, depth + 1, in_sections);
    m->in_device = false;
    uint32_t test = cell_task(m, "test", random_test, MOD_READ | MOD_WRITE);
    m->k->tasks[test].predicate = 0;
    case_node(m->k, MOD_TASK, test);
    case_end(m->k, loop);
    repeat_trace(m, from, times);
}

static void add_some(made *m, int depth, bool in_sections)
{
    for (uint32_t i = 0, n = 1 + random_pick(3); i < n; i++) {
        uint32_t kind = depth < 3 && m->k->entry.task_count < 20 ? random_pick(10) : 9;
        if (kind == 0)
            add_loop(m, depth, in_sections);
        else if (kind == 1)
            add_if(m, depth, in_sections);
        else if (kind <= 3 && !in_sections)
            add_sections(m, depth);
        else if (kind == 4 && !m->in_device && m->device_cell == 0)
            add_device_loop(m, depth, in_sections);
        else
            add_task(m);
    }
}

static void make_program(made *m, case_kernel *k)
{
    static const char *const names[] = { "a", "b", "c" };

    memset(m, 0, sizeof *m);
    case_begin(k, "random", RANDOM_CELL_BYTES);
    m->k = k;
    for (int a = 0; a < ARRAYS; a++)
        m->arrays[a] = case_array(k, names[a], 0);
    m->zero = case_const(k, 0);
    m->one = case_const(k, 1);
    uint32_t words = case_const(k, RANDOM_WORDS);
    for (int s = 0; s < SCRATCHES; s++) {
        m->arrays[ARRAYS + s] = case_scratch(k, s ? "t" : "s", words);
        case_node(k, MOD_TAKE, (uint32_t)s);
    }
    for (int s = 0; s < SCRATCHES; s++)
        fill_scratch(m, (uint32_t)(ARRAYS + s));
    add_some(m, 0, false);
    for (int a = 0; a < ARRAYS; a++) {
        k->params[m->arrays[a]].is_const = !(k->params[m->arrays[a]].access & MOD_WRITE);
        k->params[m->arrays[a]].access |=
            random_pick(2) ? MOD_SINGLE : 0; /* the planner's to believe */
    }
}

static void forget_names(case_kernel *k)
{
    for (uint32_t t = 0; t < k->entry.task_count; t++)
        if (strncmp(k->tasks[t].name, "work", 4) == 0)
            free((void *)(uintptr_t)k->tasks[t].name);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static int32_t arrays[ARRAYS + SCRATCHES][RANDOM_WORDS], expected[ARRAYS + SCRATCHES][RANDOM_WORDS];

static void run_plain(const made *m)
{
    for (int i = 0; i < m->trace_count; i++) {
        int64_t t = m->trace[i];
        int32_t *touched[ARRAYS + SCRATCHES];
        for (int c = 0; c < m->touched_count[t]; c++)
            touched[c] = expected[m->touched[t][c]];
        random_work(t, touched, m->flags[t], m->touched_count[t]);
    }
}

static launch_memory memories[ARRAYS];

/* Homes: h host, p pinned, d device. */
static void give(case_run *run, const char *homes, bool small, case_given *given)
{
    for (int a = 0; a < ARRAYS; a++) {
        launch_memory_kind kind = homes[a] == 'p' ? LAUNCH_MEMORY_PINNED : LAUNCH_MEMORY_DEVICE;
        memories[a] = (launch_memory){ 0 };
        if (homes[a] != 'h')
            CHECK_STATUS(run->family->memory_new(run->device, RANDOM_WORDS * 4, kind, &memories[a]),
                         SLIP_OK);
        given[a] = homes[a] == 'h'   ? given_host(arrays[a], RANDOM_WORDS)
                   : homes[a] == 'p' ? given_pinned(&memories[a], RANDOM_WORDS)
                                     : given_device(&memories[a], RANDOM_WORDS);
        given[a].small = small;
    }
}

static void move_arrays(case_run *run, const char *homes, bool in)
{
    for (int a = 0; a < ARRAYS; a++) {
        if (homes[a] == 'd' && in)
            CHECK_STATUS(
                run->family->copy_up(run->stream, &memories[a], 0, arrays[a], RANDOM_WORDS * 4),
                SLIP_OK);
        else if (homes[a] == 'd')
            CHECK_STATUS(run->family->copy_down(run->stream, arrays[a], &memories[a], 0,
                                                RANDOM_WORDS * 4, NULL),
                         SLIP_OK);
        else if (homes[a] == 'p')
            memcpy(in ? (void *)memories[a].host : arrays[a],
                   in ? arrays[a] : (void *)memories[a].host, RANDOM_WORDS * 4);
    }
}

static void call_often(case_run *run, case_kernel *kernel, const made *m, const case_given *given)
{
    for (int calls = 0; calls < 4; calls++) {
        CHECK_STATUS(case_call(run, kernel, given, NULL), SLIP_OK);
        run_plain(m);
    }
}

static void check_program(const random_driver *driver, uint64_t seed, random_counts *counts)
{
    static const char *const homes[] = { "hhh", "ddd", "hdh", "ppp", "hpd", "dhh" };
    static case_kernel kernel;
    static made m;
    case_given given[ARRAYS];
    case_run run;

    state = seed * 0x9e3779b97f4a7c15u + 1;
    make_program(&m, &kernel);
    if (m.trace_count > TRACE / 2) { /* it may have been cut */
        forget_names(&kernel);
        return;
    }
    const char *where = homes[random_pick(6)];
    driver->open(&run, seed);
    run.conservative = random_pick(8) == 0;
    give(&run, where, random_pick(2), given);
    for (int a = 0; a < ARRAYS; a++)
        for (int i = 0; i < RANDOM_WORDS; i++)
            arrays[a][i] = (int32_t)(seed * 31 + (uint64_t)(a * 1000 + i));
    memcpy(expected, arrays, sizeof expected);
    move_arrays(&run, where, true);
    call_often(&run, &kernel, &m, given);
    move_arrays(&run, where, false);
    for (int a = 0; a < ARRAYS; a++)
        if (memcmp(arrays[a], expected[a], sizeof arrays[a]) != 0)
            CHECK_FAIL("seed %" PRIu64 ", %s: array %d differs; %s", seed, where, a,
                       driver->wrong());
    if (driver->wrong()[0])
        CHECK_FAIL("seed %" PRIu64 ", %s: %s", seed, where, driver->wrong());
    counts->programs++;
    counts->tasks += atomic_load(&run.counts.tasks);
    counts->host_waits += atomic_load(&run.counts.host_waits);
    for (int a = 0; a < ARRAYS; a++)
        run.family->memory_drop(run.device, &memories[a]);
    driver->close(&run);
    forget_names(&kernel);
}

void random_programs(const random_driver *driver, uint64_t rounds)
{
    const char *wanted = getenv("SLIPWAY_RANDOM_ROUNDS");
    uint64_t most = wanted ? strtoull(wanted, NULL, 10) : rounds;
    random_counts counts = { 0 };

    for (uint64_t seed = 1; seed <= most; seed++)
        check_program(driver, seed, &counts);
    printf("%" PRIu64 " programs, %" PRIu64 " tasks, %" PRIu64 " host waits\n", counts.programs,
           counts.tasks, counts.host_waits);
    CHECK(counts.programs > most / 4);
}
