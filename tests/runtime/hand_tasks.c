/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_tasks.c - the tasks of hand.h's kernels as C functions, as a compiler would have made them.
 *
 * Each reads its block at fixed places: the axes, then its arguments in the order of the tables in
 * hand_module.c.
 */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "runtime/hand_parts.h"

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

atomic_int hand_slow_begun;

static void slow_task(const void *data, int64_t first, int64_t last)
{
    const uint64_t *arg = data;
    struct timespec pause = { .tv_sec = (time_t)(arg[0] / 1000000),
                              .tv_nsec = (long)(arg[0] % 1000000 * 1000) };

    (void)first;
    (void)last;
    atomic_fetch_add(&hand_slow_begun, 1);
    nanosleep(&pause, NULL);
    __atomic_fetch_add((int64_t *)arg[1], 1, __ATOMIC_RELAXED);
}

const cpu_task hand_functions[HAND_FUNCTIONS] = { add_task,   next_task,   reverse_task, sum_task,
                                                  sum_finish, steps_up,    steps_back,   ones_task,
                                                  one_more,   point_task,  drain_task,   drain_test,
                                                  wide_task,  square_task, slow_task };

mod_symbol hand_symbols[HAND_SYMBOLS] = {
    /* not const: see hand_module.c */
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
