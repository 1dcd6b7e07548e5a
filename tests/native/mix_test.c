/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mix_test.c - other code's work and ours on one stream, step by step as a seed draws them: what
 * comes out is what the steps give one after another.
 */
#include <stdio.h>
#include <string.h>

#include "native/native.h"

#include "kernels.slip.h"

enum { N = 700, BYTES = N * 4, ARRAYS = 3, STEPS = 120, SEEDS = 40 };

/* Pinned memory of the other code: each step has a part of its own. */
typedef struct part {
    uint32_t *pinned;
    bool comes_back;
    uint32_t want[N];
} part;

typedef struct mix {
    uint64_t random;
    api_stream stream; /* where other code queues */
    slip_stream *ours; /* the same */
    slip_stream *own;
    slip_event *event;
    uint32_t *x[ARRAYS];
    uint32_t want[ARRAYS][N];
    uint32_t *pinned;
    part parts[STEPS];
    uint32_t part_count;
} mix;

static mix m;

static uint32_t draw(uint32_t below)
{
    m.random = m.random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m.random >> 33) % below;
}

static part *new_part(void)
{
    part *p = &m.parts[m.part_count];

    p->pinned = m.pinned + (size_t)m.part_count++ * N;
    p->comes_back = false;
    return p;
}

/* ---- other code ------------------------------------------------------------------------------ */

static void other_uploads(uint32_t a)
{
    part *p = new_part();

    for (uint32_t i = 0; i < N; i++)
        p->pinned[i] = m.want[a][i] = draw(1u << 31);
    NATIVE(upload_queued, native_address(m.x[a]), p->pinned, BYTES, m.stream);
}

static void other_downloads(uint32_t a)
{
    part *p = new_part();

    p->comes_back = true;
    memcpy(p->want, m.want[a], BYTES);
    NATIVE(download_queued, p->pinned, native_address(m.x[a]), BYTES, m.stream);
}

static void other_fills(uint32_t a)
{
    uint32_t value = draw(256);

    for (uint32_t i = 0; i < N; i++)
        m.want[a][i] = 0x01010101u * value;
    NATIVE(fill_queued, native_address(m.x[a]), (unsigned char)value, BYTES, m.stream);
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void scale_wanted(uint32_t a)
{
    for (uint32_t i = 0; i < N; i++)
        m.want[a][i] = 3 * m.want[a][i] + i;
}

static void we_scale(uint32_t a)
{
    OK(scale(m.ours, N, m.x[a]));
    scale_wanted(a);
}

static void we_spread(uint32_t a)
{
    uint32_t y = (a + 1) % ARRAYS, z = (a + 2) % ARRAYS;

    OK(spread(m.ours, N, m.x[a], m.x[y], m.x[z]));
    for (uint32_t i = 0; i < N; i++) {
        m.want[y][i] = m.want[a][i] + 1;
        m.want[z][i] = 2 * m.want[a][i];
    }
}

static void we_rotate(uint32_t a)
{
    uint32_t last = m.want[a][N - 1];

    OK(rotate(m.ours, N, m.x[a]));
    memmove(m.want[a] + 1, m.want[a], BYTES - 4);
    m.want[a][0] = last;
}

static void we_gather(uint32_t a)
{
    uint32_t h[N];
    uint64_t total = 0, want = 0;

    for (uint32_t i = 0; i < N; i++) {
        h[i] = draw(1000);
        m.want[a][i] += h[i];
        want += m.want[a][i];
    }
    OK(gather(m.ours, N, h, m.x[a], &total));
    CHECK_EQ_U64(total, want);
}

static void we_copy(uint32_t a)
{
    uint32_t h[N];

    OK(copy(m.ours, N, m.x[a], h));
    CHECK(memcmp(h, m.want[a], BYTES) == 0);
}

/* On a stream of our own, between two events. */
static void we_go_elsewhere(uint32_t a)
{
    OK(slip_event_record(m.event, m.ours));
    OK(slip_stream_wait(m.own, m.event));
    OK(scale(m.own, N, m.x[a]));
    OK(slip_event_record(m.event, m.own));
    OK(slip_stream_wait(m.ours, m.event));
    scale_wanted(a);
}

static void we_wait(uint32_t a)
{
    if (a == 0) {
        OK(slip_stream_sync(m.ours));
    } else {
        OK(slip_event_record(m.event, m.ours));
        OK(slip_event_sync(m.event));
    }
    for (uint32_t k = 0; k < m.part_count; k++)
        if (m.parts[k].comes_back)
            CHECK(memcmp(m.parts[k].pinned, m.parts[k].want, BYTES) == 0);
}

/* The last array is ours; what was queued on it may be under way. */
static void we_free(uint32_t a)
{
    void *made = NULL;

    (void)a;
    slip_free(native.device, m.x[ARRAYS - 1]);
    OK(slip_alloc(native.device, BYTES, &made));
    m.x[ARRAYS - 1] = made;
    other_fills(ARRAYS - 1);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void (*const steps[])(uint32_t a) = {
    other_uploads, other_downloads, other_fills,     we_scale, we_spread, we_rotate,
    we_gather,     we_copy,         we_go_elsewhere, we_wait,  we_free,   other_downloads,
};

static void begin(uint64_t seed)
{
    void *made = NULL;

    m.random = seed;
    m.part_count = 0;
    for (int a = 0; a < ARRAYS - 1; a++)
        m.x[a] = native_memory(BYTES);
    OK(slip_alloc(native.device, BYTES, &made));
    m.x[ARRAYS - 1] = made;
    m.pinned = native_pinned((size_t)STEPS * BYTES);
    OK(slip_stream_create(native.device, &m.own));
    OK(slip_event_create(native.device, &m.event));
    for (uint32_t a = 0; a < ARRAYS; a++)
        other_fills(a);
}

static void end(void)
{
    we_wait(0);
    slip_event_destroy(m.event);
    slip_stream_destroy(m.own);
    for (int a = 0; a < ARRAYS - 1; a++)
        native_memory_end(m.x[a]);
    slip_free(native.device, m.x[ARRAYS - 1]);
    NATIVE(host_free, m.pinned);
}

static void run(uint64_t seed)
{
    begin(seed);
    while (m.part_count < STEPS - 2)
        steps[draw(sizeof steps / sizeof *steps)](draw(ARRAYS));
    end();
}

static void a_wrapped_stream_is_as_if_one_step_came_after_another(void)
{
    native_begin();
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        m.stream = seed % 5 == 4 ? NULL : native_stream(seed % 2);
        OK(slip_stream_wrap(native.device, m.stream, &m.ours));
        run(seed);
        slip_stream_destroy(m.ours);
        if (m.stream)
            NATIVE(stream_drop, m.stream);
    }
    native_end();
}

static void a_stream_given_away_is_as_if_one_step_came_after_another(void)
{
    native_begin();
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        void *handle = NULL;
        OK(slip_stream_create(native.device, &m.ours));
        OK(slip_stream_native(m.ours, &handle));
        m.stream = handle;
        run(1000 + seed);
        slip_stream_destroy(m.ours);
    }
    native_end();
}

static const check_case cases[] = {
    CASE(a_wrapped_stream_is_as_if_one_step_came_after_another),
    CASE(a_stream_given_away_is_as_if_one_step_came_after_another),
};
CHECK_MAIN(cases)
