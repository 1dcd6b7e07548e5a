/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.c - the kernels of hand.h: their signatures and programs as tables, their tasks as C
 * functions.
 */
#define _GNU_SOURCE
#include "runtime/hand.h"

#include <string.h>
#include <time.h>

#include "support/check.h"

/* ---- the driver ------------------------------------------------------------------------------ */

uint32_t hand_fail_at, hand_calls;

static slip_status may_fail(const char *what)
{
    if (hand_fail_at != 0 && ++hand_calls == hand_fail_at)
        return SLIP_FAIL(SLIP_ERR_DEVICE, "%s was made to fail", what);
    return SLIP_OK;
}

static slip_status open_device(uint32_t index, void **out)
{
    SLIP_TRY(may_fail("open"));
    return cpu_driver_table.open(index, out);
}

/* Contents are undefined: fresh memory is filled with a pattern. */
static slip_status alloc(void *self, uint64_t bytes, void **out)
{
    SLIP_TRY(may_fail("alloc"));
    SLIP_TRY(cpu_driver_table.alloc(self, bytes, out));
    if (bytes < 1 << 24)
        memset(*out, 0xa5, bytes);
    return SLIP_OK;
}

static slip_status code_load(void *self, const drv_code *code, void **out)
{
    (void)self;
    SLIP_TRY(may_fail("code_load"));
    memcpy(out, &code->bytes, sizeof *out);
    return SLIP_OK;
}

static void code_drop(void *self, void *loaded)
{
    (void)self;
    (void)loaded;
}

/* The array may have been copied to any address. */
static cpu_task function_at(const void *loaded, uint32_t index)
{
    cpu_task function;

    memcpy(&function, (const uint8_t *)loaded + index * sizeof function, sizeof function);
    return function;
}

static slip_status kernel_get(void *self, void *loaded, uint32_t main, uint32_t finish,
                              cpu_kernel *out)
{
    (void)self;
    SLIP_TRY(may_fail("kernel_get"));
    out->main = function_at(loaded, main);
    out->finish = finish == DRV_NO_SYMBOL ? NULL : function_at(loaded, finish);
    return SLIP_OK;
}

static slip_status run(void *self, cpu_kernel *kernel, const void *block, int64_t total)
{
    SLIP_TRY(may_fail("run"));
    return cpu_driver_table.run(self, kernel, block, total);
}

const cpu_driver *hand_driver(void)
{
    static cpu_driver made;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    if (!made.name) {
        made = cpu_driver_table;
        made.open = open_device;
        made.alloc = alloc;
        made.code_load = code_load;
        made.code_drop = code_drop;
        made.kernel_get = kernel_get;
        made.run = run;
    }
    pthread_mutex_unlock(&lock);
    return &made;
}

/* ---- the tasks' code ------------------------------------------------------------------------- */

/* Every task's block: two axes' room, then slots in the order of its args. */
typedef struct block {
    int64_t lo, count;
    uint64_t arg[4];
} block;

typedef struct block2 {
    int64_t lo0, count0, lo1, count1;
    uint64_t arg[2];
} block2;

static float f32_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof value);
    return value;
}

static void add_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    float *x = (float *)b->arg[1], a = f32_of(b->arg[0]);

    for (int64_t i = first; i < last; i++)
        x[b->lo + i] += a;
}

static void next_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    const float *x = (const float *)b->arg[0];
    float *y = (float *)b->arg[1];

    for (int64_t i = first; i < last; i++)
        y[b->lo + i] = x[b->lo + i] + 1;
}

static void reverse_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    const float *x = (const float *)b->arg[0];
    float *y = (float *)b->arg[1];

    for (int64_t i = first; i < last; i++)
        y[b->count - 1 - i] = x[i];
}

/* args: x, partials; the cells' address */
static void sum_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    const int32_t *x = (const int32_t *)b->arg[0];
    int64_t *partials = (int64_t *)b->arg[1];

    for (int64_t from = first; from < last; from += MOD_REDUCE_BLOCK) {
        int64_t sum = 0, to = last - from < MOD_REDUCE_BLOCK ? last : from + MOD_REDUCE_BLOCK;
        for (int64_t i = from; i < to; i++)
            sum += x[b->lo + i];
        partials[from / MOD_REDUCE_BLOCK] = sum;
    }
}

static void sum_finish(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    const int64_t *partials = (const int64_t *)b->arg[1];
    int64_t *cell = (int64_t *)(b->arg[2] + 8);

    for (int64_t k = first; k < (last - 1) / MOD_REDUCE_BLOCK + 1; k++)
        *cell += partials[k];
}

static void steps_up(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    const float *u = (const float *)b->arg[0];
    float *t = (float *)b->arg[1];

    for (int64_t i = first; i < last; i++)
        t[i] = u[i] + (float)i;
}

static void steps_back(const void *data, int64_t first, int64_t last)
{
    const block *b = data;

    memcpy((float *)b->arg[0] + first, (const float *)b->arg[1] + first,
           (size_t)(last - first) * sizeof(float));
}

static void ones_task(const void *data, int64_t first, int64_t last)
{
    const block2 *b = data;
    float *x = (float *)b->arg[0];

    for (int64_t i = first; i < last; i++)
        x[i] = 1;
}

static void one_more(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    float *x = (float *)b->arg[0];

    for (int64_t i = first; i < last; i++)
        x[b->lo + i] += 1;
}

/* args: the struct's bytes, x */
static void point_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    float *x = (float *)b->arg[1], a = f32_of(b->arg[0]);

    for (int64_t i = first; i < last; i++)
        x[i] += a;
}

static void drain_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;
    int32_t *x = (int32_t *)b->arg[0];

    for (int64_t i = first; i < last; i++)
        x[b->lo + i]--;
}

static void drain_test(const void *data, int64_t first, int64_t last)
{
    const uint64_t *arg = data;
    const int32_t *x = (const int32_t *)arg[0];
    int32_t *cell = (int32_t *)arg[1];

    (void)first;
    (void)last;
    *cell = x[0] > 0;
}

static void wide_task(const void *data, int64_t first, int64_t last)
{
    const block *b = data;

    __atomic_fetch_add((int64_t *)b->arg[0], last - first, __ATOMIC_RELAXED);
}

static void square_task(const void *data, int64_t first, int64_t last)
{
    const block2 *b = data;

    __atomic_fetch_add((int64_t *)b->arg[0], last - first, __ATOMIC_RELAXED);
}

static void slow_task(const void *data, int64_t first, int64_t last)
{
    const uint64_t *arg = data;
    struct timespec pause = { .tv_sec = (time_t)(arg[0] / 1000000),
                              .tv_nsec = (long)(arg[0] % 1000000 * 1000) };

    (void)first;
    (void)last;
    nanosleep(&pause, NULL);
    __atomic_fetch_add((int64_t *)arg[1], 1, __ATOMIC_RELAXED);
}

static const cpu_task functions[] = {
    add_task, next_task,  reverse_task, sum_task,   sum_finish, steps_up,    steps_back, ones_task,
    one_more, point_task, drain_task,   drain_test, wide_task,  square_task, slow_task
};

static mod_symbol symbols[] = {
    { 0, MOD_NONE },  /* 0 add */
    { 1, MOD_NONE },  /* 1 next */
    { 2, MOD_NONE },  /* 2 reverse */
    { 3, 4 },         /* 3 sum */
    { 5, MOD_NONE },  /* 4 steps up */
    { 6, MOD_NONE },  /* 5 steps back */
    { 7, MOD_NONE },  /* 6 area */
    { 8, MOD_NONE },  /* 7 open */
    { 9, MOD_NONE },  /* 8 point */
    { 10, MOD_NONE }, /* 9 drain */
    { 11, MOD_NONE }, /* 10 drain's test */
    { 12, MOD_NONE }, /* 11 wide */
    { 13, MOD_NONE }, /* 12 square */
    { 8, MOD_NONE },  /* 13 both, x */
    { 8, MOD_NONE },  /* 14 both, y */
    { 14, MOD_NONE }, /* 15 slow */
};

/* ---- the tables ------------------------------------------------------------------------------ */

/* Not const: writing a module visits every field. */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define SCALAR(name_, type_, bytes_)                                                               \
    {                                                                                              \
        .name = name_, .kind = MOD_SCALAR, .scalar = type_, .bytes = bytes_, .align = bytes_       \
    }
#define ARRAY(name_, type_, bytes_, slot_, text_, access_, line_)                                  \
    {                                                                                              \
        .name = name_, .kind = MOD_ARRAY, .scalar = type_, .bytes = bytes_, .align = bytes_,       \
        .rank = 1, .extents = { slot_ }, .extent_text = { text_ }, .access = access_, .place = {   \
            0,                                                                                     \
            line_,                                                                                 \
            1                                                                                      \
        }                                                                                          \
    }
#define SLOT(slot_, offset_)                                                                       \
    {                                                                                              \
        MOD_FROM_SLOT, slot_, offset_, 8                                                           \
    }
#define NO_CELLS .lo_cell = MOD_NONE, .hi_cell = MOD_NONE
#define AXIS(type_, lo_, hi_)                                                                      \
    {                                                                                              \
        .type = type_, .lo = lo_, .hi = hi_, NO_CELLS                                              \
    }
#define ARGS(array) .args = array, .arg_count = COUNT(array)
#define PLAIN .predicate = MOD_NONE, .partial_offset = MOD_NONE
#define RW (MOD_READ | MOD_WRITE)
#define ACCESSES(array) .accesses = array, .access_count = COUNT(array)
#define WIDEN(dst_, a_, text_)                                                                     \
    {                                                                                              \
        .op = SCALAR_OP_convert, .type = SCALAR_i64, .from = SCALAR_i32, .exact = true,            \
        .dst = dst_, .a = a_, .text = text_                                                        \
    }

static mod_node one_task[] = { { .kind = MOD_TASK, .first = 0, .end = 1 } };
static mod_node two_tasks[] = { { .kind = MOD_TASK, .first = 0, .end = 1 },
                                { .kind = MOD_TASK, .first = 1, .end = 2 } };

/* add: n, a, x; 3 zero, 4 extent */
static mod_param add_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("a", SCALAR_f32, 4),
                                  ARRAY("x", SCALAR_f32, 4, 4, "n", RW, 3) };
static mod_instr add_instrs[] = { WIDEN(4, 0, "n") };
static mod_const zero_3[] = { { 3, 0 } };
static mod_arg add_args[] = { SLOT(1, 16), SLOT(2, 24) };
static mod_access touch_2[] = { { 2, RW } };
static mod_task add_tasks[] = { { .name = "add:3",
                                  .rank = 1,
                                  .axes = { AXIS(SCALAR_i32, 3, 0) },
                                  ARGS(add_args),
                                  .block_bytes = 32,
                                  PLAIN,
                                  ACCESSES(touch_2) } };

/* next, reverse: n, x, y; 3 zero, 4 extent */
static mod_param next_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 4, "n", MOD_READ, 7),
                                   ARRAY("y", SCALAR_f32, 4, 4, "n", MOD_WRITE, 7) };
static mod_arg next_args[] = { SLOT(1, 16), SLOT(2, 24) };
static mod_access next_touch[] = { { 1, MOD_READ }, { 2, MOD_WRITE } };
static mod_apart next_apart[] = { { 1, 2, true, { 0, 8, 5 } } };
static mod_task next_tasks[] = { { .name = "next:8",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(next_args),
                                   .block_bytes = 32,
                                   PLAIN,
                                   ACCESSES(next_touch),
                                   .aparts = next_apart,
                                   .apart_count = 1 } };
static mod_apart reverse_apart[] = { { 1, 2, false, { 0, 12, 5 } } };
static mod_task reverse_tasks[] = { { .name = "reverse:12",
                                      .rank = 1,
                                      .axes = { AXIS(SCALAR_i32, 3, 0) },
                                      ARGS(next_args),
                                      .block_bytes = 32,
                                      PLAIN,
                                      ACCESSES(next_touch),
                                      .aparts = reverse_apart,
                                      .apart_count = 1 } };

/* sum: n, x; 2 zero, 3 cells. The result is at byte 8 of the cells. */
static mod_param sum_params[] = { SCALAR("n", SCALAR_i64, 8),
                                  ARRAY("x", SCALAR_i32, 4, 0, "n", MOD_READ, 15) };
static mod_const zero_2[] = { { 2, 0 } };
static mod_arg sum_args[] = { SLOT(1, 16), SLOT(3, 32) };
static mod_access sum_touch[] = { { 1, MOD_READ }, { 2, MOD_READ | MOD_WRITE } };
static mod_reduce sum_reduce[] = { { SCALAR_OP_add, SCALAR_i64, 8 } };
static mod_task sum_tasks[] = { { .name = "sum:16",
                                  .rank = 1,
                                  .axes = { AXIS(SCALAR_i64, 2, 0) },
                                  ARGS(sum_args),
                                  .block_bytes = 40,
                                  .predicate = MOD_NONE,
                                  .reduces = sum_reduce,
                                  .reduce_count = 1,
                                  .partial_bytes = 8,
                                  .partial_offset = 24,
                                  ACCESSES(sum_touch) } };

/* steps: n, k, u; 3 zero, 4 extent, 5 t, 6 s, 7 condition, 8 one */
static mod_param steps_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("k", SCALAR_i32, 4),
                                    ARRAY("u", SCALAR_f32, 4, 4, "n", RW, 20) };
static mod_instr steps_instrs[] = {
    WIDEN(4, 0, "n"),
    { .op = MOD_OP_MOVE, .type = SCALAR_i32, .dst = 6, .a = 3 },
    { .op = SCALAR_OP_lt, .type = SCALAR_i32, .dst = 7, .a = 6, .b = 1 },
    { .op = SCALAR_OP_add, .type = SCALAR_i32, .dst = 6, .a = 6, .b = 8 },
};
static mod_node steps_nodes[] = {
    { .kind = MOD_TAKE, .first = 0, .end = 1 },
    { .kind = MOD_EVAL, .first = 1, .count = 1, .end = 2 },
    { .kind = MOD_LOOP, .end = 8 },
    { .kind = MOD_EVAL, .first = 2, .count = 1, .end = 4 },
    { .kind = MOD_BREAK, .cond = 7, .end = 5 },
    { .kind = MOD_TASK, .first = 0, .end = 6 },
    { .kind = MOD_TASK, .first = 1, .end = 7 },
    { .kind = MOD_EVAL, .first = 3, .count = 1, .end = 8 },
};
static mod_const steps_consts[] = { { 3, 0 }, { 8, 1 } };
static mod_scratch steps_scratch[] = { { .name = "t",
                                         .slot = 5,
                                         .bytes = 4,
                                         .align = 4,
                                         .rank = 1,
                                         .extents = { 4 },
                                         .place = { 0, 21, 5 } } };
static mod_arg steps_args[] = { SLOT(2, 16), SLOT(5, 24) };
static mod_access up_touch[] = { { 2, MOD_READ }, { 3, MOD_WRITE } };
static mod_access back_touch[] = { { 2, MOD_WRITE }, { 3, MOD_READ } };
static mod_task steps_tasks[] = { { .name = "steps:23",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 3, 0) },
                                    ARGS(steps_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(up_touch) },
                                  { .name = "steps:24",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 3, 0) },
                                    ARGS(steps_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(back_touch) } };

/* area: n, m, x; 3 zero, 4 n * m, 5 extent, 6 and 7 axes */
static mod_param area_params[] = { SCALAR("n", SCALAR_i32, 4), SCALAR("m", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 5, "n * m", MOD_WRITE, 30) };
static mod_instr area_instrs[] = {
    { .op = SCALAR_OP_mul,
      .type = SCALAR_i32,
      .exact = true,
      .dst = 4,
      .a = 0,
      .b = 1,
      .text = "n * m",
      .place = { 0, 30, 40 } },
    WIDEN(5, 4, "n * m"),
};
static mod_arg area_args[] = { SLOT(2, 32) };
static mod_access area_touch[] = { { 2, MOD_WRITE } };
static mod_task area_tasks[] = { { .name = "area:31",
                                   .rank = 2,
                                   .axes = { AXIS(SCALAR_i32, 3, 0), AXIS(SCALAR_i32, 3, 1) },
                                   ARGS(area_args),
                                   .block_bytes = 40,
                                   PLAIN,
                                   ACCESSES(area_touch) } };

/* open: n, x; 2 zero */
static mod_param open_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   { .name = "x",
                                     .kind = MOD_ARRAY,
                                     .scalar = SCALAR_f32,
                                     .bytes = 4,
                                     .align = 4,
                                     .access = RW,
                                     .place = { 0, 35, 1 } } };
static mod_arg open_args[] = { SLOT(1, 16) };
static mod_access open_touch[] = { { 1, RW } };
static mod_task open_tasks[] = { { .name = "open:36",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 2, 0) },
                                   ARGS(open_args),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(open_touch) } };

/* point: p, x; 2 zero, 3 p.n, 4 extent */
static mod_param point_params[] = {
    { .name = "p", .kind = MOD_STRUCT, .struct_name = "P", .bytes = 8, .align = 4 },
    ARRAY("x", SCALAR_f32, 4, 4, "p.n", RW, 40)
};
static mod_instr point_instrs[] = {
    { .op = MOD_OP_MEMBER, .type = SCALAR_i32, .dst = 3, .a = 0, .b = 4 }, WIDEN(4, 3, "p.n")
};
static mod_arg point_args[] = { { MOD_FROM_STRUCT, 0, 16, 8 }, SLOT(1, 24) };
static mod_task point_tasks[] = { { .name = "point:41",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 2, 3) },
                                    ARGS(point_args),
                                    .block_bytes = 32,
                                    PLAIN,
                                    ACCESSES(open_touch) } };

/* drain: n, x; 2 zero, 3 extent, 4 cells. Byte 0 of the cells: the condition. */
static mod_param drain_params[] = { SCALAR("n", SCALAR_i32, 4),
                                    ARRAY("x", SCALAR_i32, 4, 3, "n", RW, 50) };
static mod_instr drain_instrs[] = { WIDEN(3, 0, "n") };
static mod_node drain_nodes[] = { { .kind = MOD_DEVICE_LOOP, .first = 0, .end = 3 },
                                  { .kind = MOD_TASK, .first = 0, .end = 2 },
                                  { .kind = MOD_TASK, .first = 1, .end = 3 } };
static mod_arg drain_args[] = { SLOT(1, 16) };
static mod_arg drain_test_args[] = { SLOT(1, 0), SLOT(4, 8) };
static mod_access drain_touch[] = { { 1, MOD_READ }, { 2, MOD_WRITE } };
static mod_task drain_tasks[] = { { .name = "drain:51",
                                    .rank = 1,
                                    .axes = { AXIS(SCALAR_i32, 2, 0) },
                                    ARGS(drain_args),
                                    .block_bytes = 24,
                                    PLAIN,
                                    ACCESSES(open_touch) },
                                  { .name = "drain:52",
                                    .rank = 0,
                                    ARGS(drain_test_args),
                                    .block_bytes = 16,
                                    PLAIN,
                                    ACCESSES(drain_touch) } };

/* wide: lo, hi, out; 3 one. square: h, w, out; 3 one, 4 zero */
static mod_param wide_params[] = { SCALAR("lo", SCALAR_i64, 8), SCALAR("hi", SCALAR_i64, 8),
                                   ARRAY("out", SCALAR_i64, 8, 3, "1", RW, 60) };
static mod_const one_3[] = { { 3, 1 }, { 4, 0 } };
static mod_arg wide_args[] = { SLOT(2, 16) };
static mod_arg square_args[] = { SLOT(2, 32) };
static mod_access wide_touch[] = { { 2, RW | MOD_UPDATE } };
static mod_task wide_tasks[] = { { .name = "wide:61",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i64, 0, 1) },
                                   ARGS(wide_args),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(wide_touch),
                                   .place = { 0, 61, 5 } } };
static mod_task square_tasks[] = { { .name = "square:66",
                                     .rank = 2,
                                     .axes = { AXIS(SCALAR_i64, 4, 0), AXIS(SCALAR_i64, 4, 1) },
                                     ARGS(square_args),
                                     .block_bytes = 40,
                                     PLAIN,
                                     ACCESSES(wide_touch),
                                     .place = { 0, 66, 5 } } };

/* both: n, x, y; 3 zero, 4 extent */
static mod_param both_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("x", SCALAR_f32, 4, 4, "n", RW, 70),
                                   ARRAY("y", SCALAR_f32, 4, 4, "n", RW, 70) };
static mod_arg both_x[] = { SLOT(1, 16) }, both_y[] = { SLOT(2, 16) };
static mod_task both_tasks[] = { { .name = "both:71",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(both_x),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(open_touch) },
                                 { .name = "both:72",
                                   .rank = 1,
                                   .axes = { AXIS(SCALAR_i32, 3, 0) },
                                   ARGS(both_y),
                                   .block_bytes = 24,
                                   PLAIN,
                                   ACCESSES(touch_2) } };

/* slow: n, out; 2 one */
static mod_param slow_params[] = { SCALAR("n", SCALAR_i32, 4),
                                   ARRAY("out", SCALAR_i64, 8, 2, "1", RW, 80) };
static mod_const one_2[] = { { 2, 1 } };
static mod_arg slow_args[] = { SLOT(0, 0), SLOT(1, 8) };
static mod_task slow_tasks[] = { { .name = "slow:81",
                                   .rank = 0,
                                   ARGS(slow_args),
                                   .block_bytes = 16,
                                   PLAIN,
                                   ACCESSES(open_touch) } };

#define ENTRY(name_, first_, slots_, ...)                                                          \
    {                                                                                              \
        .name = #name_, .params = name_##_params, .param_count = COUNT(name_##_params),            \
        .tasks = name_##_tasks, .task_count = COUNT(name_##_tasks), .first_symbol = first_,        \
        .slot_count = slots_, __VA_ARGS__                                                          \
    }
#define INSTRS(array, extents)                                                                     \
    .instrs = array, .instr_count = COUNT(array), .extent_instrs = extents
#define NODES(array) .nodes = array, .node_count = COUNT(array)
#define CONSTS(array) .consts = array, .const_count = COUNT(array)
#define BARE .cells_slot = MOD_NONE

static mod_entry entries[HAND_KERNELS] = {
    [HAND_NOTHING] = { .name = "nothing", .cells_slot = MOD_NONE },
    [HAND_ADD] = ENTRY(add, 0, 5, INSTRS(add_instrs, 1), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_NEXT] = ENTRY(next, 1, 5, INSTRS(add_instrs, 1), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_REVERSE] = { .name = "reverse",
                       .params = next_params,
                       .param_count = 3,
                       .tasks = reverse_tasks,
                       .task_count = 1,
                       .first_symbol = 2,
                       .slot_count = 5,
                       INSTRS(add_instrs, 1),
                       NODES(one_task),
                       CONSTS(zero_3),
                       BARE },
    [HAND_SUM] =
        ENTRY(sum, 3, 4, NODES(one_task), CONSTS(zero_2), .cells_bytes = 16, .cells_slot = 3,
              .result = { .kind = MOD_SCALAR_RESULT, .scalar = SCALAR_i64, .bytes = 8, .cell = 8 }),
    [HAND_STEPS] = ENTRY(steps, 4, 9, INSTRS(steps_instrs, 1), NODES(steps_nodes),
                         CONSTS(steps_consts), .scratch = steps_scratch, .scratch_count = 1, BARE),
    [HAND_AREA] = ENTRY(area, 6, 6, INSTRS(area_instrs, 2), NODES(one_task), CONSTS(zero_3), BARE),
    [HAND_OPEN] = ENTRY(open, 7, 3, NODES(one_task), CONSTS(zero_2), BARE),
    [HAND_POINT] =
        ENTRY(point, 8, 5, INSTRS(point_instrs, 2), NODES(one_task), CONSTS(zero_2), BARE),
    [HAND_DRAIN] = ENTRY(drain, 9, 5, INSTRS(drain_instrs, 1), NODES(drain_nodes), CONSTS(zero_2),
                         .cells_bytes = 8, .cells_slot = 4),
    [HAND_WIDE] = ENTRY(wide, 11, 5, NODES(one_task), CONSTS(one_3), BARE),
    [HAND_SQUARE] = { .name = "square",
                      .params = wide_params,
                      .param_count = 3,
                      .tasks = square_tasks,
                      .task_count = 1,
                      .first_symbol = 12,
                      .slot_count = 5,
                      NODES(one_task),
                      CONSTS(one_3),
                      BARE },
    [HAND_BOTH] = ENTRY(both, 13, 5, INSTRS(add_instrs, 1), NODES(two_tasks), CONSTS(zero_3), BARE),
    [HAND_SLOW] = ENTRY(slow, 15, 3, NODES(one_task), CONSTS(one_2), BARE),
};

static const char *files[] = { "hand.c" };

#if defined(__x86_64__)
#define HAND_TARGET MOD_TARGET_CPU_X86_64_V2
#else
#define HAND_TARGET MOD_TARGET_CPU_AARCH64
#endif

static mod_code codes[] = { { .target = HAND_TARGET,
                              .bytes = (const uint8_t *)functions,
                              .size = sizeof functions,
                              .imports_offset = 65536,
                              .symbols = symbols,
                              .symbol_count = COUNT(symbols) } };

static mod_module module = { .producer = "hand",
                             .options = "",
                             .files = files,
                             .file_count = 1,
                             .entries = entries,
                             .entry_count = HAND_KERNELS,
                             .codes = codes,
                             .code_count = 1,
                             .symbol_count = COUNT(symbols),
                             .header_text = "" };

const mod_module *hand_module(void)
{
    return &module;
}

void hand_open(hand_device *out)
{
    CHECK_RESULT(device_open_with(hand_driver(), 0, &out->device), SLIP_OK);
    out->stream = slip_default(out->device);
    CHECK_RESULT(module_adopt(out->device, &module, &out->module), SLIP_OK);
}

slip_entry *hand_entry(const hand_device *on, hand_kernel kernel)
{
    return slip_module_entry(on->module, (uint32_t)kernel);
}

void hand_close(hand_device *on)
{
    slip_device_close(on->device);
    CHECK_EQ_U64(mem_live(), 0);
}
