/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole.c - see whole.h. What comes out is worked out here element by element, by arithmetic of its
 * own.
 */
#include "fake/stream/whole.h"

#include <string.h>

#include "whole.slip.h"

enum { N = WHOLE_COUNT, BYTES = N * 4, PATTERN = -77, STEPS = 7 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        slip_status try_ = (call);                                                                 \
        if (try_ != SLIP_OK)                                                                       \
            return try_;                                                                           \
    } while (0)

void whole_begin(whole *w)
{
    for (int32_t i = 0; i < N; i++) {
        w->x[i] = i;
        w->a[i] = w->b[i] = PATTERN;
        if (w->pinned)
            w->pinned[i] = i;
    }
    w->total = PATTERN;
    w->rounds = PATTERN;
}

int whole_untouched(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->x[i] != i || w->a[i] != PATTERN || w->b[i] != PATTERN)
            return 0;
    return w->total == PATTERN && w->rounds == PATTERN;
}

slip_status whole_load(whole *w)
{
    return bump(w->stream, 0, w->x);
}

static slip_status make_arrays(whole *w)
{
    if (!w->device_x)
        TRY(slip_alloc(w->device, BYTES, &w->device_x));
    if (!w->device_y)
        TRY(slip_alloc(w->device, BYTES, &w->device_y));
    return SLIP_OK;
}

void whole_drop(whole *w)
{
    if (w->kept && slip_unkeep(w->device, w->x) == SLIP_OK)
        w->kept = 0;
    if (w->registered && slip_host_unregister(w->device, w->x) == SLIP_OK)
        w->registered = 0;
    slip_stream_destroy(w->shared);
    w->shared = NULL;
    slip_event_destroy(w->event);
    slip_free(w->device, w->device_x);
    slip_free(w->device, w->device_y);
    slip_host_free(w->device, w->pinned);
    w->event = NULL;
    w->device_x = w->device_y = NULL;
    w->pinned = NULL;
}

/* ---- one host array in and out ---- */

static slip_status in_and_out(whole *w)
{
    return bump(w->stream, N, w->x);
}

static int x_bumped(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->x[i] != i + 1)
            return 0;
    return 1;
}

/* ---- outputs and a result ---- */

static slip_status outputs(whole *w)
{
    return spread(w->stream, N, w->x, w->a, w->b, &w->total);
}

static int outputs_right(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->a[i] != i + 1 || w->b[i] != 2 * i || w->x[i] != i)
            return 0;
    return w->total == (int64_t)N * (N - 1) / 2;
}

/* ---- scratch in a loop ---- */

static slip_status scratch(whole *w)
{
    return shift(w->stream, N, STEPS, w->x);
}

static int x_shifted(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->x[i] != (i + N - STEPS) % N)
            return 0;
    return 1;
}

/* ---- sections ---- */

static slip_status sections(whole *w)
{
    return parts(w->stream, N, w->x, w->a, w->b, &w->total);
}

static int sections_right(const whole *w)
{
    int64_t total = 0;

    for (int32_t i = 0; i < N; i++) {
        if (w->a[i] != 3 * (N - 1 - i) || w->b[i] != i - 5)
            return 0;
        total += 3 * (N - 1 - i) - (i - 5);
    }
    return w->total == total;
}

/* ---- a loop of the device ---- */

/* N - 1 is 2999: 1499, 749, 374, 187, 93. */
static slip_status device_loop(whole *w)
{
    return settle(w->stream, N, 100, w->x, &w->rounds);
}

static int settled(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->x[i] != i / 32)
            return 0;
    return w->rounds == 5;
}

/* ---- parameters that do not fit a launch ---- */

static slip_status wide(whole *w)
{
    struct wide p;

    for (int32_t k = 0; k < 1000; k++)
        p.add[k] = 1000 * k;
    return widen(w->stream, N, p, w->x);
}

static int widened(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->x[i] != i + 1000 * (i % 1000))
            return 0;
    return 1;
}

/* ---- memory that stays on the device ---- */

static slip_status resident(whole *w)
{
    TRY(make_arrays(w));
    TRY(slip_upload(w->stream, w->device_x, w->x, BYTES));
    TRY(bump(w->stream, N, w->device_x));
    TRY(spread(w->stream, N, w->device_x, w->device_y, w->device_x, NULL));
    TRY(bump(w->stream, N, w->device_y));
    TRY(slip_download(w->stream, w->a, w->device_x, BYTES));
    return slip_download(w->stream, w->b, w->device_y, BYTES);
}

/* spread reads an element before it writes it: x is 2 (i + 1), y is i + 2 + 1. */
static int resident_right(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->a[i] != 2 * (i + 1) || w->b[i] != i + 3)
            return 0;
    return 1;
}

/* ---- pinned memory ---- */

static slip_status pinned(whole *w)
{
    void *made = w->pinned;

    if (!made)
        TRY(slip_host_alloc(w->device, BYTES, &made));
    w->pinned = made;
    for (int32_t i = 0; i < N; i++)
        w->pinned[i] = i;
    TRY(bump(w->stream, N, w->pinned));
    for (int32_t i = 0; i < N; i++)
        w->pinned[i] *= 2;
    TRY(shift(w->stream, N, STEPS, w->pinned));
    memcpy(w->a, w->pinned, BYTES);
    return SLIP_OK;
}

static int pinned_right(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->a[i] != 2 * ((i + N - STEPS) % N + 1))
            return 0;
    return 1;
}

static slip_status registered(whole *w)
{
    if (!w->registered)
        TRY(slip_host_register(w->device, w->x, BYTES));
    w->registered = 1;
    TRY(spread(w->stream, N, w->x, w->a, w->b, &w->total));
    TRY(slip_host_unregister(w->device, w->x));
    w->registered = 0;
    return SLIP_OK;
}

/* ---- a mirror ---- */

static slip_status kept(whole *w)
{
    if (!w->kept)
        TRY(slip_keep(w->device, w->x, BYTES));
    w->kept = 1;
    TRY(slip_push(w->stream, w->x));
    TRY(bump(w->stream, N, w->x));
    TRY(spread(w->stream, N, w->x, w->a, w->b, &w->total));
    TRY(slip_unkeep(w->device, w->x));
    w->kept = 0;
    return SLIP_OK;
}

static int kept_right(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->a[i] != i + 2 || w->b[i] != 2 * (i + 1) || w->x[i] != i)
            return 0;
    return w->total == (int64_t)N * (N + 1) / 2;
}

/* ---- two streams ---- */

static slip_status two_streams(whole *w)
{
    TRY(make_arrays(w));
    if (!w->event)
        TRY(slip_event_create(w->device, &w->event));
    TRY(slip_upload(w->stream, w->device_x, w->x, BYTES));
    TRY(bump(w->stream, N, w->device_x));
    TRY(slip_event_record(w->event, w->stream));
    TRY(slip_stream_wait(w->other, w->event));
    TRY(shift(w->other, N, STEPS, w->device_x));
    TRY(slip_download(w->other, w->a, w->device_x, BYTES));
    return slip_event_sync(w->event);
}

static int two_streams_right(const whole *w)
{
    for (int32_t i = 0; i < N; i++)
        if (w->a[i] != (i + N - STEPS) % N + 1)
            return 0;
    return 1;
}

/* ---- a stream of other code ------------------------------------------------------------------ */

/* The default one, as other code knows it. */
static slip_status shared(whole *w)
{
    if (!w->shared)
        TRY(slip_stream_wrap(w->device, NULL, &w->shared));
    TRY(make_arrays(w));
    if (!w->event)
        TRY(slip_event_create(w->device, &w->event));
    TRY(slip_upload(w->shared, w->device_x, w->x, BYTES));
    TRY(bump(w->shared, N, w->device_x));
    TRY(slip_event_record(w->event, w->shared));
    TRY(slip_stream_wait(w->other, w->event));
    TRY(shift(w->shared, N, 2, w->device_x));
    TRY(slip_stream_sync(w->shared));
    TRY(parts(w->shared, N, w->device_x, w->a, w->b, &w->total));
    slip_stream_destroy(w->shared);
    w->shared = NULL;
    return slip_event_sync(w->event);
}

/* x is bumped and moved on by two: a is three times that from the other end, b that less 5. */
static int shared_right(const whole *w)
{
    int64_t total = 0;

    for (int32_t i = 0; i < N; i++) {
        int32_t a = 3 * ((N - 1 - i + N - 2) % N + 1), b = (i + N - 2) % N + 1 - 5;
        if (w->a[i] != a || w->b[i] != b)
            return 0;
        total += a - b;
    }
    return w->total == total;
}

const whole_scene whole_scenes[] = {
    { "one array in and out", in_and_out, x_bumped, 1, 0 },
    { "outputs and a result", outputs, outputs_right, 1, 0 },
    { "scratch in a loop", scratch, x_shifted, 1, 0 },
    { "sections", sections, sections_right, 1, 0 },
    { "a loop of the device", device_loop, settled, 1, 1 },
    { "wide parameters", wide, widened, 1, 0 },
    { "resident arrays", resident, resident_right, 0, 0 },
    { "pinned memory", pinned, pinned_right, 0, 0 },
    { "registered memory", registered, outputs_right, 0, 0 },
    { "a mirror", kept, kept_right, 0, 0 },
    { "two streams", two_streams, two_streams_right, 0, 0 },
    { "a stream of other code", shared, shared_right, 0, 0 },
};
const int whole_scene_count = sizeof whole_scenes / sizeof *whole_scenes;
