/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loops.c - the examples' loops on the CPU family beside clang -O3 -march=native with OpenMP.
 *
 * Both sides run in turns in this process, at the same number of threads, without contraction; the
 * medians' ratio is printed. A turn is many rounds, after a pause: OpenMP's idle threads spin for 0.2 s,
 * on the cores that the other side would use. Run it on a quiet machine:
 *     SLIPWAY_CPU_THREADS=2 OMP_NUM_THREADS=2 build/bench/loops
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "heat.slip.h"
#include "loops.h"
#include "mandelbrot.slip.h"
#include "nbody.slip.h"
#include "need.h"
#include "saxpy.slip.h"
#include "timing.h"

enum { MOST_ROUNDS = 201, TURNS = 4 };

static slip_stream *stream;

typedef struct data {
    int32_t n, steps;
    float *a, *b, *c;
    int32_t *count;
} data;

static void ours_saxpy(data *d) { need(saxpy(stream, d->n, 0.5f, d->a, d->b)); }
static void theirs_saxpy(data *d) { rival_saxpy(d->n, 0.5f, d->a, d->b); }
static void ours_heat(data *d) { need(heat(stream, d->n, d->steps, 0.25f, d->a)); }
static void theirs_heat(data *d) { rival_heat(d->n, d->steps, 0.25f, d->a, d->c); }
static void ours_nbody(data *d) { need(nbody(stream, d->n, d->steps, 1e-3f, 0.1f, d->c, d->a, d->b)); }
static void theirs_nbody(data *d)
{
    rival_nbody(d->n, d->steps, 1e-3f, 0.1f, d->c, (float(*)[3])(void *)d->a, (float(*)[3])(void *)d->b);
}
static void ours_mandelbrot(data *d)
{
    need(mandelbrot(stream, d->n, d->n, d->steps, -0.5, 0, 3, d->count));
}
static void theirs_mandelbrot(data *d) { rival_mandelbrot(d->n, d->n, d->steps, -0.5, 0, 3, d->count); }

typedef struct loop {
    const char *name;
    int32_t n, steps, rounds;
    void (*ours)(data *), (*theirs)(data *);
} loop;

static void fill(data *d, int32_t floats)
{
    for (int32_t i = 0; i < floats; ++i) {
        d->a[i] = (float)(i * 7919 % 1000) * 1e-3f;
        d->b[i] = (float)(i * 104729 % 1000) * 1e-3f;
        d->c[i] = 1.0f / (float)(1 + i % 16);
    }
}

/* Rounds in a row, after two that are not measured. */
static void take_turn(void (*side)(data *), data *d, double *times, int rounds)
{
    struct timespec pause = { 0, 300000000 };

    nanosleep(&pause, NULL);
    side(d);
    side(d);
    for (int r = 0; r < rounds; ++r) {
        double from = timing_now();
        side(d);
        times[r] = timing_now() - from;
    }
}

static void run(const loop *l)
{
    static double ours[MOST_ROUNDS], theirs[MOST_ROUNDS];
    int32_t floats = l->n * 3 < 4096 ? 4096 : l->n * 3;
    size_t bytes = (size_t)floats * sizeof(float);
    size_t points = l->ours == ours_mandelbrot ? (size_t)l->n * (size_t)l->n : 1;
    data d = { .n = l->n,
               .steps = l->steps,
               .a = aligned_alloc(64, bytes),
               .b = aligned_alloc(64, bytes),
               .c = aligned_alloc(64, bytes),
               .count = malloc(points * sizeof(int32_t)) };

    if (!d.a || !d.b || !d.c || !d.count)
        exit(1);
    fill(&d, floats);
    for (int turn = 0; turn < TURNS; ++turn) {
        int first = l->rounds * turn / TURNS, last = l->rounds * (turn + 1) / TURNS;
        take_turn(l->ours, &d, ours + first, last - first);
        take_turn(l->theirs, &d, theirs + first, last - first);
    }
    double mine = timing_median(ours, l->rounds), other = timing_median(theirs, l->rounds);
    printf("%-26s %10.1f us %10.1f us   %.3f\n", l->name, mine * 1e6, other * 1e6, mine / other);
    free(d.a);
    free(d.b);
    free(d.c);
    free(d.count);
}

int main(void)
{
    static const loop loops[] = {
        { "saxpy 16 K", 16384, 0, 201, ours_saxpy, theirs_saxpy },
        { "saxpy 1 M", 1 << 20, 0, 201, ours_saxpy, theirs_saxpy },
        { "saxpy 16 M", 1 << 24, 0, 21, ours_saxpy, theirs_saxpy },
        { "heat 64 K x 100", 65536, 100, 101, ours_heat, theirs_heat },
        { "heat 1 M x 20", 1 << 20, 20, 41, ours_heat, theirs_heat },
        { "nbody 2 K", 2048, 1, 41, ours_nbody, theirs_nbody },
        { "nbody 8 K", 8192, 1, 7, ours_nbody, theirs_nbody },
        { "mandelbrot 512 x 512, 256", 512, 256, 21, ours_mandelbrot, theirs_mandelbrot },
    };
    slip_device *device;

    need(slip_device_open("cpu", &device));
    stream = slip_default(device);
    printf("%-26s %13s %13s   ratio (strict, same threads)\n", "median time", "slipway", "clang OpenMP");
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; ++i)
        run(&loops[i]);
    slip_device_close(device);
    return 0;
}
