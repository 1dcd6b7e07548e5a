/* SPDX-License-Identifier: Apache-2.0 */
/*
 * math.c - loops over one math function on the CPU family, beside clang -O3 -march=native with the
 * C library's functions. One thread each, in turns, in this process; the ratio of medians is
 * printed. SLIPWAY_CPU_THREADS=1 build/bench/math
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>

#include <slipway/slipway.h>

#include "math_kernels.slip.h"
#include "math_rival.h"
#include "need.h"
#include "timing.h"

enum { COUNT = 8192, ROUNDS = 101 };

static slip_stream *stream;
static float x_f32[COUNT], y_f32[COUNT];
static double x_f64[COUNT], y_f64[COUNT];

#define SIDES_(name)                                                                               \
    static void ours_##name##_f32(void)                                                            \
    {                                                                                              \
        need(name##_f32(stream, COUNT, x_f32, y_f32));                                             \
    }                                                                                              \
    static void ours_##name##_f64(void)                                                            \
    {                                                                                              \
        need(name##_f64(stream, COUNT, x_f64, y_f64));                                             \
    }                                                                                              \
    static void theirs_##name##_f32(void)                                                          \
    {                                                                                              \
        rival_##name##_f32(COUNT, x_f32, y_f32);                                                   \
    }                                                                                              \
    static void theirs_##name##_f64(void)                                                          \
    {                                                                                              \
        rival_##name##_f64(COUNT, x_f64, y_f64);                                                   \
    }
BENCH_MATHS(SIDES_)

typedef struct pair {
    const char *name;
    void (*ours)(void), (*theirs)(void);
} pair;

#define PAIRS_(name)                                                                               \
    { #name " f32", ours_##name##_f32, theirs_##name##_f32 },                                      \
        { #name " f64", ours_##name##_f64, theirs_##name##_f64 },
static const pair pairs[] = { BENCH_MATHS(PAIRS_) };

static double timed(void (*side)(void))
{
    double from = timing_now();

    side();
    return timing_now() - from;
}

static void run(const pair *p)
{
    static double ours[ROUNDS], theirs[ROUNDS];

    p->ours();
    p->theirs();
    for (int r = 0; r < ROUNDS; ++r) {
        ours[r] = timed(p->ours);
        theirs[r] = timed(p->theirs);
    }
    double mine = timing_median(ours, ROUNDS) / COUNT;
    double other = timing_median(theirs, ROUNDS) / COUNT;
    printf("%-10s %8.2f ns %8.2f ns   %.3f\n", p->name, mine * 1e9, other * 1e9, mine / other);
}

int main(void)
{
    slip_device *device;

    for (int i = 0; i < COUNT; ++i) {
        x_f64[i] = 0.01 + (double)(i * 7919L % COUNT) * (20.0 / COUNT);
        x_f32[i] = (float)x_f64[i];
    }
    need(slip_device_open("cpu", &device));
    stream = slip_default(device);
    printf("%-10s %11s %11s   ratio (an element, arguments from 0.01 to 20)\n", "median", "slipway",
           "C library");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        run(&pairs[i]);
    slip_device_close(device);
    return 0;
}
