/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_cost.c - what a call costs on Vulkan, beside the same work written by hand (raw.c).
 *
 *     build/bench/queue_cost DEVICE SHADERS [quick]
 *
 * DEVICE is the number of the Vulkan device, SHADERS the folder of the compiled shaders. Both sides
 * run in turns in this process; a row prints the median microseconds of a call and its ratio to the
 * row it is compared with. Shapes of a round trip: "source" records and submits the upload and
 * tasks, then the download in a second submission, and waits for the queue; "one submission" does
 * all three in one; "in place" gives tasks host-cached memory and copies nothing.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "heat.slip.h"
#include "need.h"
#include "scale_kernels.slip.h"
#include "nbody.slip.h"
#include "raw.h"
#include "rows.h"
#include "timing.h"

enum { REPEATS = 15 };

typedef struct push_scale {
    VkDeviceAddress x;
    int32_t n;
    float a;
} push_scale;

typedef struct push_heat {
    VkDeviceAddress u, v;
    int32_t n;
    float k;
} push_heat;

typedef struct push_nbody {
    VkDeviceAddress mass, pos, vel;
    int32_t n;
    float dt, soft;
} push_nbody;

typedef struct state {
    raw_device raw;
    raw_pipeline scale, heat, copy, nbody, nbody_exact;
    raw_buffer staging, device; /* of `bytes` */
    slip_device *ours;
    slip_stream *stream;
    float *host, *pinned, *resident;
    size_t bytes;
    int tasks;
} state;

/* ---- round trips and resident calls ---------------------------------------------------------- */

static void record_tasks(state *s, VkCommandBuffer list, raw_buffer where)
{
    push_scale push = { where.address, (int32_t)(s->bytes / 4), 0.5f };

    for (int t = 0; t < s->tasks; t++) {
        if (t)
            raw_barrier(list);
        raw_dispatch(list, s->scale, &push, (uint32_t)(push.n + 255) / 256);
    }
}

static void source_trip(state *s, bool every_barrier)
{
    raw_device *d = &s->raw;

    memcpy(s->staging.host, s->host, s->bytes);
    raw_begin(d->lists[0]);
    raw_copy(d->lists[0], s->staging, s->device, s->bytes);
    raw_barrier(d->lists[0]);
    record_tasks(s, d->lists[0], s->device);
    raw_barrier(d->lists[0]);
    raw_end(d->lists[0]);
    raw_submit(d, d->lists[0]);
    if (every_barrier)
        raw_idle(d);
    raw_begin(d->lists[1]);
    raw_copy(d->lists[1], s->device, s->staging, s->bytes);
    raw_barrier(d->lists[1]);
    raw_end(d->lists[1]);
    raw_submit(d, d->lists[1]);
    raw_idle(d);
    memcpy(s->host, s->staging.host, s->bytes);
}

static void one_submission(state *s, bool copies, void (*submit)(raw_device *, VkCommandBuffer))
{
    VkCommandBuffer list = s->raw.lists[0];

    memcpy(s->staging.host, s->host, s->bytes);
    raw_begin(list);
    if (copies) {
        raw_copy(list, s->staging, s->device, s->bytes);
        raw_barrier(list);
    }
    record_tasks(s, list, copies ? s->device : s->staging);
    raw_barrier(list);
    if (copies) {
        raw_copy(list, s->device, s->staging, s->bytes);
        raw_barrier(list);
    }
    raw_end(list);
    submit(&s->raw, list);
    memcpy(s->host, s->staging.host, s->bytes);
}

static void raw_every_barrier(void *s, int k)
{
    (void)k, source_trip(s, true);
}
static void raw_source(void *s, int k)
{
    (void)k, source_trip(s, false);
}
static void raw_one(void *s, int k)
{
    (void)k, one_submission(s, true, raw_submit_fence);
}
static void raw_one_polled(void *s, int k)
{
    (void)k, one_submission(s, true, raw_submit_timeline);
}
static void raw_in_place(void *s, int k)
{
    (void)k, one_submission(s, false, raw_submit_fence);
}
static void raw_in_place_polled(void *s, int k)
{
    (void)k, one_submission(s, false, raw_submit_timeline);
}

static void raw_resident(void *of, int k)
{
    state *s = of;
    VkCommandBuffer list = s->raw.lists[k % RAW_LISTS];

    raw_begin(list);
    record_tasks(s, list, s->device);
    raw_barrier(list);
    raw_end(list);
    raw_submit(&s->raw, list);
}

static void ours_on(state *s, float *x)
{
    int32_t n = (int32_t)(s->bytes / 4);

    if (s->tasks == 1)
        need(scale(s->stream, n, 0.5f, x));
    else
        need(scale_often(s->stream, n, s->tasks, 0.5f, x));
}

static void ours_host(void *s, int k)
{
    (void)k, ours_on(s, ((state *)s)->host);
}
static void ours_pinned(void *s, int k)
{
    (void)k, ours_on(s, ((state *)s)->pinned);
}
static void ours_resident(void *s, int k)
{
    (void)k, ours_on(s, ((state *)s)->resident);
}

static const rows_row rows[] = {
    { "raw: source before its change", raw_every_barrier, { -1, -1 } },
    { "raw: source fast path", raw_source, { -1, -1 } },
    { "raw: one submission, fence", raw_one, { 1, -1 } },
    { "raw: one submission, timeline polled", raw_one_polled, { 1, -1 } },
    { "raw: in place, fence", raw_in_place, { 1, -1 } },
    { "raw: in place, timeline polled", raw_in_place_polled, { 1, -1 } },
    { "raw: resident, record and submit", raw_resident, { -1, -1 } },
    { "slipway: host array", ours_host, { 1, 3 } },
    { "slipway: slip_host_alloc", ours_pinned, { 1, 5 } },
    { "slipway: resident", ours_resident, { 6, -1 } },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void finish(void *of)
{
    state *s = of;

    raw_idle(&s->raw);
    need(slip_stream_sync(s->stream));
}

static void calls_of(state *s, size_t bytes, int tasks, int calls)
{
    slip_stats before, after;
    char label[40];

    s->bytes = bytes;
    s->tasks = tasks;
    s->staging = raw_buffer_new(&s->raw, bytes, RAW_HOST);
    s->device = raw_buffer_new(&s->raw, bytes, RAW_DEVICE);
    s->host = calloc(1, bytes);
    need(slip_host_alloc(s->ours, bytes, (void **)&s->pinned));
    need(slip_alloc(s->ours, bytes, (void **)&s->resident));
    memset(s->pinned, 0, bytes);
    need(slip_upload(s->stream, s->resident, s->host, bytes));
    snprintf(label, sizeof label, "%8zu B  %d tasks", bytes, tasks);
    rows_run(label, rows, ROWS, calls, finish, s);
    slip_device_stats(s->ours, &before);
    for (int k = 0; k < calls; k++)
        ours_resident(s, k);
    finish(s);
    slip_device_stats(s->ours, &after);
    printf("%8zu B  %d tasks  resident: %.2f submissions a call, %" PRIu64 " allocations\n", bytes,
           tasks, (double)(after.submissions - before.submissions) / calls,
           after.allocations - before.allocations);
    slip_host_free(s->ours, s->pinned);
    slip_free(s->ours, s->resident);
    free(s->host);
}

/* ---- kernels --------------------------------------------------------------------------------- */

typedef struct contest {
    const char *name;
    void (*theirs)(state *s, int n, int steps);
    void (*ours)(state *s, int n, int steps);
} contest;

static raw_buffer a, b, c;           /* the rival's */
static float *our_a, *our_b, *our_c; /* ours */

static void theirs_heat(state *s, int n, int steps)
{
    VkCommandBuffer list = s->raw.lists[0];
    push_heat there = { a.address, b.address, n, 0.25f }, back = { b.address, a.address, n, 0.25f };

    raw_begin(list);
    for (int k = 0; k < steps; k++) {
        raw_dispatch(list, s->heat, &there, (uint32_t)(n + 255) / 256);
        raw_barrier(list);
        raw_dispatch(list, s->copy, &back, (uint32_t)(n + 255) / 256);
        raw_barrier(list);
    }
    raw_end(list);
    raw_submit_fence(&s->raw, list);
}

static void ours_heat(state *s, int n, int steps)
{
    need(heat(s->stream, n, steps, 0.25f, our_a));
    need(slip_stream_sync(s->stream));
}

static void run_nbody(state *s, raw_pipeline shader, int n, int steps)
{
    VkCommandBuffer list = s->raw.lists[0];
    push_nbody push = { c.address, a.address, b.address, n, 1e-3f, 0.1f };

    raw_begin(list);
    for (int k = 0; k < steps; k++) {
        raw_dispatch(list, shader, &push, (uint32_t)(n + 255) / 256);
        raw_barrier(list);
    }
    raw_end(list);
    raw_submit_fence(&s->raw, list);
}

static void theirs_nbody(state *s, int n, int steps)
{
    run_nbody(s, s->nbody, n, steps);
}

static void theirs_nbody_exact(state *s, int n, int steps)
{
    run_nbody(s, s->nbody_exact, n, steps);
}

static void ours_nbody(state *s, int n, int steps)
{
    need(nbody(s->stream, n, steps, 1e-3f, 0.1f, our_c, our_a, our_b));
    need(slip_stream_sync(s->stream));
}

static void fill(state *s, raw_buffer to, float *ours, size_t bytes)
{
    raw_buffer up = raw_buffer_new(&s->raw, bytes, RAW_HOST);
    float *values = up.host;

    for (size_t k = 0; k < bytes / 4; k++)
        values[k] = (float)(k % 1009) / 1009.0f;
    need(slip_upload(s->stream, ours, values, bytes));
    raw_begin(s->raw.lists[0]);
    raw_copy(s->raw.lists[0], up, to, bytes);
    raw_end(s->raw.lists[0]);
    raw_submit_fence(&s->raw, s->raw.lists[0]);
}

static void kernel_contest(state *s, const contest *what, int n, int steps, int repeats)
{
    double theirs[REPEATS], ours[REPEATS];
    size_t bytes = 12 * (size_t)n;

    a = raw_buffer_new(&s->raw, bytes, RAW_DEVICE);
    b = raw_buffer_new(&s->raw, bytes, RAW_DEVICE);
    c = raw_buffer_new(&s->raw, bytes, RAW_DEVICE);
    need(slip_alloc(s->ours, bytes, (void **)&our_a));
    need(slip_alloc(s->ours, bytes, (void **)&our_b));
    need(slip_alloc(s->ours, bytes, (void **)&our_c));
    fill(s, a, our_a, bytes);
    fill(s, b, our_b, bytes);
    fill(s, c, our_c, bytes);
    for (int r = -1; r < repeats; r++) {
        double from = timing_now();
        what->theirs(s, n, steps);
        double middle = timing_now();
        what->ours(s, n, steps);
        if (r >= 0) {
            theirs[r] = 1e6 * (middle - from);
            ours[r] = 1e6 * (timing_now() - middle);
        }
    }
    double theirs_us = timing_median(theirs, repeats), ours_us = timing_median(ours, repeats);
    printf("%-8s n=%d steps=%d  by hand %.1f us, slipway %.1f us: %.3f x (medians of %d)\n",
           what->name, n, steps, theirs_us, ours_us, ours_us / theirs_us, repeats);
    fflush(stdout);
    slip_free(s->ours, our_a);
    slip_free(s->ours, our_b);
    slip_free(s->ours, our_c);
}

static raw_pipeline load(state *s, const char *folder, const char *name, size_t push_bytes)
{
    char path[1024];

    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    return raw_pipeline_new(&s->raw, path, (uint32_t)push_bytes);
}

int main(int argc, char **argv)
{
    static const contest heat_contest = { "heat", theirs_heat, ours_heat },
                         nbody_contest = { "n-body", theirs_nbody, ours_nbody },
                         exact_contest = { "n-body, rounded right by hand too", theirs_nbody_exact,
                                           ours_nbody };
    static const size_t sizes[] = { 256, 4096, 65536, 1 << 20 };
    static state s;
    char which[32];

    if (argc < 3) {
        fprintf(stderr, "usage: queue_cost DEVICE SHADERS [quick]\n");
        return 2;
    }
    bool quick = argc > 3 && strcmp(argv[3], "quick") == 0;
    raw_open(&s.raw, (uint32_t)atoi(argv[1]));
    snprintf(which, sizeof which, "vulkan:%d", atoi(argv[1]));
    need(slip_device_open(which, &s.ours));
    s.stream = slip_default(s.ours);
    printf("%s\n", s.raw.name);
    s.scale = load(&s, argv[2], "scale", sizeof(push_scale));
    s.heat = load(&s, argv[2], "heat", sizeof(push_heat));
    s.copy = load(&s, argv[2], "copy", sizeof(push_heat));
    s.nbody = load(&s, argv[2], "nbody", sizeof(push_nbody));
    s.nbody_exact = load(&s, argv[2], "nbody_exact", sizeof(push_nbody));
    for (size_t k = 0; k < 4; k++)
        for (int tasks = 1; tasks <= 8; tasks *= 8)
            calls_of(&s, sizes[k], tasks, quick ? 40 : sizes[k] > 65536 ? 60 : 300);
    kernel_contest(&s, &heat_contest, quick ? 100000 : 1000000, 100, quick ? 3 : 11);
    kernel_contest(&s, &nbody_contest, quick ? 2000 : 100000, 1, quick ? 3 : 11);
    kernel_contest(&s, &exact_contest, quick ? 2000 : 100000, 1, quick ? 3 : 11);
    if (!quick) {
        kernel_contest(&s, &nbody_contest, 1000000, 1, 3);
        kernel_contest(&s, &exact_contest, 1000000, 1, 3);
    }
    slip_device_close(s.ours);
    return 0;
}
