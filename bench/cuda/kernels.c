/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c - the code of slipc's kernels for CUDA beside the same tasks compiled by nvcc -O3
 * (rivals/), on arrays that stay on the device and are so large that the time is the kernels'.
 *
 *     build/bench/cuda_kernels DEVICE RIVALS [quick]
 *
 * DEVICE is the number of the CUDA device, RIVALS the folder of the compiled rivals: kernels.sh
 * says it. Both sides run in turns in this process, from the same numbers; whether they end on the
 * same bits is said.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "heat.slip.h"
#include "matvec.slip.h"
#include "nbody.slip.h"
#include "need.h"
#include "raw.h"
#include "saxpy.slip.h"
#include "timing.h"

enum { REPEATS = 11, LOCAL = 256, ARRAYS = 3 };

typedef struct state {
    raw_device raw;
    const char *rivals;
    slip_device *ours;
    slip_stream *stream;
    api_address theirs[ARRAYS];
    float *mine[ARRAYS];
    int n, m, steps;
    api_function f[2]; /* of the contest's rival */
} state;

typedef struct contest {
    const char *name, *file, *functions[2]; /* the second NULL: there is one */
    int n, m, steps;                        /* m: columns, or 1 */
    int result;                             /* the array that holds it */
    void (*theirs)(state *s);
    void (*ours)(state *s);
} contest;

static void launch(state *s, int which, int threads, void **params)
{
    raw_launch(&s->raw, s->f[which], (uint32_t)(threads + LOCAL - 1) / LOCAL, LOCAL, NULL, params);
}

/* ---- contests -------------------------------------------------------------------------------- */

static float quarter = 0.25f, dt = 1e-3f, soft = 0.1f;

static void their_saxpy(state *s)
{
    void *params[] = { &s->n, &quarter, &s->theirs[0], &s->theirs[1] };

    for (int k = 0; k < s->steps; k++)
        launch(s, 0, s->n, params);
}

static void our_saxpy(state *s)
{
    for (int k = 0; k < s->steps; k++)
        need(saxpy(s->stream, s->n, quarter, s->mine[0], s->mine[1]));
}

static void their_heat(state *s)
{
    void *there[] = { &s->n, &quarter, &s->theirs[0], &s->theirs[1] };
    void *back[] = { &s->n, &s->theirs[1], &s->theirs[0] };

    for (int k = 0; k < s->steps; k++) {
        launch(s, 0, s->n, there);
        launch(s, 1, s->n, back);
    }
}

static void our_heat(state *s)
{
    need(heat(s->stream, s->n, s->steps, quarter, s->mine[0]));
}

static void their_nbody(state *s)
{
    void *pull[] = { &s->n, &dt, &soft, &s->theirs[2], &s->theirs[0], &s->theirs[1] };
    void *move[] = { &s->n, &dt, &s->theirs[1], &s->theirs[0] };

    for (int k = 0; k < s->steps; k++) {
        launch(s, 0, s->n, pull);
        launch(s, 1, 3 * s->n, move);
    }
}

static void our_nbody(state *s)
{
    need(nbody(s->stream, s->n, s->steps, dt, soft, s->mine[2], s->mine[0], s->mine[1]));
}

static void their_matvec(state *s)
{
    void *params[] = { &s->n, &s->m, &s->theirs[0], &s->theirs[1], &s->theirs[2] };

    for (int k = 0; k < s->steps; k++)
        launch(s, 0, s->n, params);
}

static void our_matvec(state *s)
{
    for (int k = 0; k < s->steps; k++)
        need(matvec(s->stream, s->n, s->m, s->mine[0], s->mine[1], s->mine[2]));
}

static const contest contests[] = {
    { "saxpy", "saxpy.cubin", { "saxpy" }, 1 << 26, 1, 10, 1, their_saxpy, our_saxpy },
    { "heat", "heat.cubin", { "heat_step", "heat_copy" }, 1 << 26, 1, 10, 0, their_heat, our_heat },
    { "n-body",
      "nbody.cubin",
      { "nbody_pull", "nbody_move" },
      1 << 15,
      3,
      4,
      0,
      their_nbody,
      our_nbody },
    { "matrix-vector", "matvec.cubin", { "matvec" }, 1 << 14, 1 << 14, 4, 2, their_matvec,
      our_matvec },
};

/* ---- running them ---------------------------------------------------------------------------- */

static void fill(state *s, int array, size_t bytes, float *values)
{
    for (size_t k = 0; k < bytes / 4; k++)
        values[k] = (float)((k + 17 * (size_t)array) % 1009) / 1009.0f;
    RAW(&s->raw, upload, s->theirs[array], values, bytes);
    need(slip_upload(s->stream, s->mine[array], values, bytes));
}

/* Microseconds. */
static double time_side(state *s, void (*side)(state *s))
{
    double from = timing_now();

    side(s);
    raw_idle(&s->raw);
    need(slip_stream_sync(s->stream));
    return 1e6 * (timing_now() - from);
}

static bool same_bits(state *s, int array, size_t bytes, float *values)
{
    float *other = malloc(bytes);

    if (!other)
        exit(1);
    RAW(&s->raw, download, values, s->theirs[array], bytes);
    need(slip_download(s->stream, other, s->mine[array], bytes));
    bool same = memcmp(values, other, bytes) == 0;
    free(other);
    return same;
}

static void run(state *s, const contest *c, bool quick)
{
    double theirs[REPEATS], ours[REPEATS];
    int shrink = quick ? 16 : 1;

    s->n = c->n / shrink;
    s->m = c->m;
    s->steps = c->steps;
    size_t bytes = (size_t)s->n * (size_t)s->m * 4;
    float *values = malloc(bytes);
    if (!values)
        exit(1);
    api_code code = raw_load_file(&s->raw, s->rivals, c->file);
    for (int f = 0; f < 2 && c->functions[f]; f++)
        s->f[f] = raw_function(&s->raw, code, c->functions[f]);
    for (int k = 0; k < ARRAYS; k++) {
        s->theirs[k] = raw_alloc(&s->raw, bytes);
        need(slip_alloc(s->ours, bytes, (void **)&s->mine[k]));
        fill(s, k, bytes, values);
    }
    for (int r = -1; r < REPEATS; r++) {
        double t = time_side(s, c->theirs), o = time_side(s, c->ours);
        if (r >= 0) {
            theirs[r] = t;
            ours[r] = o;
        }
    }
    double their_us = timing_median(theirs, REPEATS), our_us = timing_median(ours, REPEATS);
    printf("%-14s n=%d m=%d steps=%d  nvcc %.1f us (%.1f ..), slipc %.1f us (%.1f ..): %.3f x "
           "(medians of %d), %s bits\n",
           c->name, s->n, s->m, s->steps, their_us, theirs[0], our_us, ours[0], our_us / their_us,
           REPEATS, same_bits(s, c->result, bytes, values) ? "same" : "DIFFERENT");
    fflush(stdout);
    for (int k = 0; k < ARRAYS; k++) {
        RAW(&s->raw, memory_free, s->theirs[k]);
        slip_free(s->ours, s->mine[k]);
    }
    RAW(&s->raw, code_unload, code);
    free(values);
}

int main(int argc, char **argv)
{
    static state s;
    char which[32];

    if (argc < 3) {
        fprintf(stderr, "usage: cuda_kernels DEVICE RIVALS [quick]\n");
        return 2;
    }
    raw_open(&s.raw, atoi(argv[1]));
    s.rivals = argv[2];
    snprintf(which, sizeof which, "cuda:%d", atoi(argv[1]));
    need(slip_device_open(which, &s.ours));
    s.stream = slip_default(s.ours);
    printf("%s, driver %d, rivals in %s\n", s.raw.name, s.raw.version, s.rivals);
    for (size_t k = 0; k < sizeof contests / sizeof contests[0]; k++)
        run(&s, &contests[k], argc > 3 && strcmp(argv[3], "quick") == 0);
    slip_device_close(s.ours);
    return 0;
}
