/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_cost.c - what a call costs on CUDA, beside the same work done with the driver's own calls
 * (raw.c).
 *
 *     build/bench/launch_cost [DEVICE] [quick]
 *
 * DEVICE is the number of the CUDA device. Both sides run in turns in this process; a row prints
 * the median microseconds of a call and its ratio to the row it is compared with. The raw shapes:
 * "every barrier" and "source" are a round trip before and after the change that this project
 * starts from; "cached" has the memory at hand and parameters by value; "pinned" stages in pinned
 * memory; "mapped" copies nothing. "until return" is the host's time on a device that is idle.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <slipway/slipway.h>

#include "need.h"
#include "scale_kernels.slip.h"
#include "raw.h"
#include "rows.h"

/* What the raw kernels take: as many bytes as a small kernel's arguments have. */
typedef struct args {
    api_address x;
    int32_t n;
    float a;
    int32_t unused[10];
} args;

/* x[i] = x[i] * a + 1, the arguments by value or by address. */
#define PTX_BEGIN                                                                                  \
    "{\n"                                                                                          \
    "    .reg .pred %p; .reg .b32 %a, %b, %c, %n; .reg .f32 %v, %k; .reg .b64 %q, %x, %i;\n"
#define PTX_END                                                                                    \
    "    mov.u32 %a, %ctaid.x; mov.u32 %b, %ntid.x; mov.u32 %c, %tid.x;\n"                         \
    "    mad.lo.u32 %a, %a, %b, %c;\n"                                                             \
    "    setp.ge.s32 %p, %a, %n;\n"                                                                \
    "    @%p ret;\n"                                                                               \
    "    mul.wide.s32 %i, %a, 4; add.s64 %x, %x, %i;\n"                                            \
    "    ld.global.f32 %v, [%x];\n"                                                                \
    "    mul.rn.f32 %v, %v, %k; add.rn.f32 %v, %v, 0f3F800000;\n"                                  \
    "    st.global.f32 [%x], %v;\n"                                                                \
    "    ret;\n"                                                                                   \
    "}\n"

static const char ptx[] =
    ".version 6.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry by_value(.param .align 8 .b8 q[56])\n" PTX_BEGIN
    "    ld.param.u64 %x, [q]; ld.param.s32 %n, [q+8]; ld.param.f32 %k, [q+12];\n" PTX_END
    ".visible .entry by_address(.param .u64 q)\n" PTX_BEGIN "    ld.param.u64 %q, [q];\n"
    "    ld.global.u64 %x, [%q]; ld.global.s32 %n, [%q+8]; ld.global.f32 %k, [%q+12];\n" PTX_END;

typedef struct state {
    raw_device raw;
    api_function by_value, by_address;
    api_address device, mapped, where; /* of `bytes`; of args */
    float *staging;                    /* pinned, at `mapped` */
    slip_device *ours;
    slip_stream *stream; /* explicit */
    float *host, *pinned, *resident, *resident_explicit;
    size_t bytes;
    int tasks;
} state;

/* ---- by hand --------------------------------------------------------------------------------- */

static args args_of(const state *s, api_address x)
{
    return (args){ .x = x, .n = (int32_t)(s->bytes / 4), .a = 0.5f };
}

static uint32_t groups_of(const state *s)
{
    return (uint32_t)(s->bytes / 4 + 255) / 256;
}

static void tasks_by_value(state *s, api_address x, api_stream stream)
{
    args a = args_of(s, x);
    void *params[] = { &a };

    for (int t = 0; t < s->tasks; t++)
        raw_launch(&s->raw, s->by_value, groups_of(s), 256, stream, params);
}

static void tasks_by_address(state *s)
{
    void *params[] = { &s->where };

    for (int t = 0; t < s->tasks; t++)
        raw_launch(&s->raw, s->by_address, groups_of(s), 256, NULL, params);
}

/* The source's shape: memory of the pool, arguments uploaded; every_barrier as before its change.
 */
static void source_trip(state *s, bool every_barrier)
{
    raw_device *d = &s->raw;
    api_address x = 0;

    raw_need(d->alloc_queued(&x, s->bytes, NULL), "cuMemAllocAsync", __FILE__, __LINE__);
    args a = args_of(s, x);
    RAW(d, upload_queued, x, s->host, s->bytes, NULL);
    if (every_barrier)
        RAW(d, stream_wait, NULL);
    RAW(d, upload_queued, s->where, &a, sizeof a, NULL);
    tasks_by_address(s);
    if (every_barrier) {
        RAW(d, stream_wait, NULL);
        RAW(d, download_queued, s->host, x, s->bytes, NULL);
        RAW(d, stream_wait, NULL);
    } else {
        RAW(d, download, s->host, x, s->bytes);
    }
    raw_need(d->free_queued(x, NULL), "cuMemFreeAsync", __FILE__, __LINE__);
}

static void raw_every_barrier(void *s, int k)
{
    (void)k, source_trip(s, true);
}
static void raw_source(void *s, int k)
{
    (void)k, source_trip(s, false);
}

static void raw_cached(void *of, int k)
{
    state *s = of;

    (void)k;
    RAW(&s->raw, upload_queued, s->device, s->host, s->bytes, NULL);
    tasks_by_value(s, s->device, NULL);
    RAW(&s->raw, download, s->host, s->device, s->bytes);
}

static void raw_cached_blocking(void *of, int k)
{
    state *s = of;

    (void)k;
    RAW(&s->raw, upload, s->device, s->host, s->bytes);
    tasks_by_value(s, s->device, NULL);
    RAW(&s->raw, download, s->host, s->device, s->bytes);
}

static void raw_staged(void *of, int k)
{
    state *s = of;

    (void)k;
    memcpy(s->staging, s->host, s->bytes);
    RAW(&s->raw, upload_queued, s->device, s->staging, s->bytes, NULL);
    tasks_by_value(s, s->device, NULL);
    RAW(&s->raw, download_queued, s->staging, s->device, s->bytes, NULL);
    RAW(&s->raw, stream_wait, NULL);
    memcpy(s->host, s->staging, s->bytes);
}

static void raw_mapped(void *of, int k)
{
    state *s = of;

    (void)k;
    memcpy(s->staging, s->host, s->bytes);
    tasks_by_value(s, s->mapped, NULL);
    RAW(&s->raw, stream_wait, NULL);
    memcpy(s->host, s->staging, s->bytes);
}

static void raw_mapped_in_place(void *of, int k)
{
    state *s = of;

    (void)k;
    tasks_by_value(s, s->mapped, NULL);
    RAW(&s->raw, stream_wait, NULL);
}

static void raw_resident(void *s, int k)
{
    (void)k, tasks_by_value(s, ((state *)s)->device, NULL);
}
static void raw_resident_explicit(void *s, int k)
{
    (void)k, tasks_by_value(s, ((state *)s)->device, ((state *)s)->raw.stream);
}

/* ---- by Slipway ------------------------------------------------------------------------------ */

static void ours_on(state *s, slip_stream *stream, float *x)
{
    int32_t n = (int32_t)(s->bytes / 4);

    if (s->tasks == 1)
        need(scale(stream, n, 0.5f, x));
    else
        need(scale_often(stream, n, s->tasks, 0.5f, x));
}

static void ours_host(void *s, int k)
{
    (void)k, ours_on(s, slip_default(((state *)s)->ours), ((state *)s)->host);
}
static void ours_pinned(void *s, int k)
{
    (void)k, ours_on(s, slip_default(((state *)s)->ours), ((state *)s)->pinned);
}
static void ours_resident(void *s, int k)
{
    (void)k, ours_on(s, slip_default(((state *)s)->ours), ((state *)s)->resident);
}
static void ours_resident_explicit(void *s, int k)
{
    (void)k, ours_on(s, ((state *)s)->stream, ((state *)s)->resident_explicit);
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum { EVERY_BARRIER, SOURCE, CACHED, CACHED_BLOCKING, STAGED, MAPPED, MAPPED_IN_PLACE };

static const rows_row trips[] = {
    [EVERY_BARRIER] = { "raw: every barrier", raw_every_barrier, { -1, -1 } },
    [SOURCE] = { "raw: source", raw_source, { -1, -1 } },
    [CACHED] = { "raw: cached", raw_cached, { SOURCE, -1 } },
    [CACHED_BLOCKING] = { "raw: cached, blocking upload", raw_cached_blocking, { CACHED, -1 } },
    [STAGED] = { "raw: pinned", raw_staged, { CACHED, -1 } },
    [MAPPED] = { "raw: mapped", raw_mapped, { CACHED, -1 } },
    [MAPPED_IN_PLACE] = { "raw: mapped, no copy by the host", raw_mapped_in_place, { CACHED, -1 } },
    { "slipway: host array", ours_host, { CACHED, SOURCE } },
    { "slipway: slip_host_alloc", ours_pinned, { CACHED, MAPPED_IN_PLACE } },
};

static const rows_row residents[] = {
    { "raw: default stream", raw_resident, { -1, -1 } },
    { "raw: explicit stream", raw_resident_explicit, { -1, -1 } },
    { "slipway: default stream", ours_resident, { 0, -1 } },
    { "slipway: explicit stream", ours_resident_explicit, { 1, -1 } },
};

enum { TRIPS = sizeof trips / sizeof trips[0], RESIDENTS = sizeof residents / sizeof residents[0] };

static void finish(void *of)
{
    state *s = of;

    raw_idle(&s->raw);
    need(slip_stream_sync(slip_default(s->ours)));
    need(slip_stream_sync(s->stream));
}

/* What `calls` calls of a row move in the counters. */
static void count(state *s, const char *label, const rows_row *r, int calls)
{
    slip_stats before, after;

    slip_device_stats(s->ours, &before);
    for (int k = 0; k < calls; k++)
        r->call(s, k);
    finish(s);
    slip_device_stats(s->ours, &after);
    printf("%s  %-40s a call: %.2f host waits, %.2f submissions, %.2f driver calls; %" PRIu64
           " allocations in all\n",
           label, r->name, (double)(after.host_waits - before.host_waits) / calls,
           (double)(after.submissions - before.submissions) / calls,
           (double)(after.driver_calls - before.driver_calls) / calls,
           after.allocations - before.allocations);
}

static void make_memory(state *s)
{
    s->device = raw_alloc(&s->raw, s->bytes);
    s->staging = raw_pinned(&s->raw, s->bytes, &s->mapped);
    s->host = calloc(1, s->bytes);
    need(slip_host_alloc(s->ours, s->bytes, (void **)&s->pinned));
    need(slip_alloc(s->ours, s->bytes, (void **)&s->resident));
    need(slip_alloc(s->ours, s->bytes, (void **)&s->resident_explicit));
    memset(s->pinned, 0, s->bytes);
    need(slip_upload(slip_default(s->ours), s->resident, s->host, s->bytes));
    need(slip_upload(s->stream, s->resident_explicit, s->host, s->bytes));
}

static void drop_memory(state *s)
{
    slip_host_free(s->ours, s->pinned);
    slip_free(s->ours, s->resident);
    slip_free(s->ours, s->resident_explicit);
    free(s->host);
    RAW(&s->raw, memory_free, s->device);
    RAW(&s->raw, host_free, s->staging);
}

static void calls_of(state *s, size_t bytes, int tasks, int calls)
{
    char label[40], until[60];

    s->bytes = bytes;
    s->tasks = tasks;
    make_memory(s);
    snprintf(label, sizeof label, "%8zu B  %d tasks", bytes, tasks);
    snprintf(until, sizeof until, "%s until return", label);
    rows_run(label, residents, RESIDENTS, calls, finish, s);
    rows_run_return(until, residents, RESIDENTS, calls, finish, s);
    rows_run(label, trips, TRIPS, calls, finish, s);
    count(s, label, &residents[RESIDENTS - 1], calls);
    count(s, label, &trips[TRIPS - 2], calls);
    count(s, label, &trips[TRIPS - 1], calls);
    drop_memory(s);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = { 256, 4096, 65536, 1 << 20 };
    static state s;
    char which[32];
    bool quick = argc > 2 && strcmp(argv[2], "quick") == 0;
    int index = argc > 1 ? atoi(argv[1]) : 0;

    raw_open(&s.raw, index);
    printf("%s, driver %d\n", s.raw.name, s.raw.version);
    api_code code = raw_load_text(&s.raw, ptx);
    s.by_value = raw_function(&s.raw, code, "by_value");
    s.by_address = raw_function(&s.raw, code, "by_address");
    s.where = raw_alloc(&s.raw, sizeof(args));
    snprintf(which, sizeof which, "cuda:%d", index);
    need(slip_device_open(which, &s.ours));
    need(slip_stream_create(s.ours, &s.stream));
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int tasks = 1; tasks <= 8; tasks *= 8)
            calls_of(&s, sizes[k], tasks, quick ? 40 : sizes[k] > 65536 ? 300 : 1500);
    slip_stream_destroy(s.stream);
    slip_device_close(s.ours);
    return 0;
}
