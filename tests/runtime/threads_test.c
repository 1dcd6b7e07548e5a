/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads_test.c - eight threads at once: own streams, one shared stream, first calls, and memory
 * that is freed while others call. Meant for the thread sanitizer, and right without it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "module/write.h"
#include "runtime/hand.h"
#include "support/check.h"

enum { THREADS = 8, ROUNDS = 60 };

typedef struct worker {
    const hand_device *on;
    slip_device *device;
    slip_embedded *module;
    pthread_barrier_t *start;
    int index;
    int wrong;      /* what went otherwise than it should */
    char note[256]; /* the first of it */
} worker;

static void expect(worker *w, bool claim, const char *what)
{
    if (!claim && w->wrong++ == 0)
        snprintf(w->note, sizeof w->note, "thread %d: %s: %.200s", w->index, what,
                 slip_last_error()->message);
}

/* Runs `body` in THREADS threads that begin together. */
static void run_all(worker *workers, void *(*body)(void *))
{
    pthread_t threads[THREADS];
    pthread_barrier_t start;

    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        workers[i].index = i;
        workers[i].start = &start;
        CHECK_EQ_I64(pthread_create(&threads[i], NULL, body, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++)
        CHECK_TEXT(workers[i].note, "");
}

static slip_status add(slip_stream *stream, slip_entry *entry, float *x, int32_t n, float a)
{
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, entry, args, 3, NULL, 0);
}

static slip_status sum(slip_stream *stream, slip_entry *entry, const int32_t *x, int64_t n,
                       int64_t *out)
{
    slip_arg args[] = { { &n, sizeof n }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, entry, args, 2, out, sizeof *out);
}

/* Different sizes and arrays on every thread and in every round. */
static void work_on(worker *w, slip_stream *stream)
{
    enum { MOST = 3000 };
    float *x = calloc(MOST, sizeof *x);
    int32_t *y = calloc(MOST, sizeof *y);

    for (int i = 0; i < MOST; i++)
        y[i] = w->index;
    for (int round = 0; round < ROUNDS; round++) {
        int32_t n = 1 + (round * 97 + w->index * 13) % MOST;
        int64_t got = -1;
        memset(x, 0, MOST * sizeof *x);
        expect(w, add(stream, hand_entry(w->on, HAND_ADD), x, n, (float)(w->index + 1)) == SLIP_OK,
               "add");
        expect(w, x[n - 1] == (float)(w->index + 1) && (n == MOST || x[n] == 0), "add's values");
        expect(w, sum(stream, hand_entry(w->on, HAND_SUM), y, n, &got) == SLIP_OK, "sum");
        expect(w, got == (int64_t)n * w->index, "sum's value");
    }
    free(x);
    free(y);
}

static void *own_stream(void *data)
{
    worker *w = data;
    slip_stream *stream = NULL;

    pthread_barrier_wait(w->start);
    expect(w, slip_stream_create(w->on->device, &stream) == SLIP_OK, "stream");
    work_on(w, stream);
    slip_stream_destroy(stream);
    return NULL;
}

static void *shared_stream(void *data)
{
    worker *w = data;

    pthread_barrier_wait(w->start);
    work_on(w, w->on->stream);
    return NULL;
}

static void each_thread_on_its_own_stream_sees_its_own_arguments(void)
{
    hand_device on;
    worker workers[THREADS];
    slip_stats stats;

    memset(workers, 0, sizeof workers);
    hand_open(&on);
    for (int i = 0; i < THREADS; i++)
        workers[i].on = &on;
    run_all(workers, own_stream);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 2 * THREADS * ROUNDS);
    hand_close(&on);
}

static void all_threads_on_the_default_stream_see_their_own_arguments(void)
{
    hand_device on;
    worker workers[THREADS];
    slip_stats stats;

    memset(workers, 0, sizeof workers);
    hand_open(&on);
    for (int i = 0; i < THREADS; i++)
        workers[i].on = &on;
    run_all(workers, shared_stream);
    slip_device_stats(on.device, &stats);
    CHECK_EQ_U64(stats.calls, 2 * THREADS * ROUNDS);
    hand_close(&on);
}

/* ---- first calls ----------------------------------------------------------------------------- */

static void *first_call(void *data)
{
    worker *w = data;
    slip_device *device = NULL;
    slip_site site = { w->module, HAND_ADD, NULL };
    float x[2] = { 0 };
    uint64_t args[] = { 2, 0x3f800000, (uint64_t)(uintptr_t)x };

    pthread_barrier_wait(w->start);
    expect(w, slip_call(slip_default(w->device), &site, args, NULL) == SLIP_OK, "shared device");
    expect(w, device_open_with(hand_family(), 0, &device) == SLIP_OK, "open");
    expect(w, slip_call(slip_default(device), &site, args, NULL) == SLIP_OK, "own device");
    expect(w, x[1] == 2.0f, "values");
    slip_device_close(device);
    return NULL;
}

static void the_first_call_of_the_process_may_come_from_all_threads_at_once(void)
{
    worker workers[THREADS];
    text file = { 0 };
    slip_device *device = NULL;

    memset(workers, 0, sizeof workers);
    CHECK_STATUS(mod_write(hand_module(), &file), SLIP_OK);
    slip_embedded module = { file.data, file.bytes, NULL };
    CHECK_STATUS(device_open_with(hand_family(), 0, &device), SLIP_OK);
    for (int i = 0; i < THREADS; i++) {
        workers[i].module = &module;
        workers[i].device = device;
    }
    run_all(workers, first_call);
    CHECK(device->modules != NULL && device->modules->next == NULL); /* loaded by all, kept once */
    slip_device_close(device);
    text_finish(&file);
    CHECK_EQ_U64(mem_live(), 0);
}

/* ---- memory and modules come and go ---------------------------------------------------------- */

/* Even threads call; odd ones make and free memory, streams and modules meanwhile. */
static void *come_and_go(void *data)
{
    worker *w = data;
    float kept[64] = { 0 };

    pthread_barrier_wait(w->start);
    if (w->index % 2 == 0) {
        work_on(w, w->on->stream);
        return NULL;
    }
    for (int round = 0; round < ROUNDS; round++) {
        slip_stream *stream = NULL;
        slip_module *module = NULL;
        void *memory = NULL;
        slip_stats stats;
        expect(w, slip_alloc(w->on->device, 256, &memory) == SLIP_OK, "alloc");
        expect(w, slip_stream_create(w->on->device, &stream) == SLIP_OK, "stream");
        expect(w, add(w->on->stream, hand_entry(w->on, HAND_ADD), memory, 64, 1) == SLIP_OK,
               "resident");
        expect(w, slip_keep(w->on->device, kept, sizeof kept) == SLIP_OK, "keep");
        expect(w, add(stream, hand_entry(w->on, HAND_ADD), kept, 64, 1) == SLIP_OK, "kept");
        expect(w, slip_fetch(stream, kept) == SLIP_OK, "fetch");
        expect(w, kept[63] == (float)(round + 1), "kept values");
        expect(w, slip_unkeep(w->on->device, kept) == SLIP_OK, "unkeep");
        slip_free(w->on->device, memory);
        expect(w, module_adopt(w->on->device, hand_module(), &module) == SLIP_OK, "load");
        expect(w, add(stream, slip_module_entry(module, HAND_ADD), kept, 1, 0) == SLIP_OK,
               "loaded");
        slip_stream_destroy(stream);
        slip_module_unload(module);
        slip_device_stats(w->on->device, &stats);
        expect(w, slip_device_sync(w->on->device) == SLIP_OK, "sync");
        expect(w, slip_device_trim(w->on->device) == SLIP_OK, "trim");
    }
    return NULL;
}

static void memory_streams_and_modules_come_and_go_while_others_call(void)
{
    hand_device on;
    worker workers[THREADS];

    memset(workers, 0, sizeof workers);
    hand_open(&on);
    for (int i = 0; i < THREADS; i++)
        workers[i].on = &on;
    run_all(workers, come_and_go);
    hand_close(&on);
}

/* Freed while a task on another thread still writes to it: the memory goes back when the call
 * has ended. */
static void *free_during_call(void *data)
{
    worker *w = data;
    int32_t pause_us = 100000;
    static void *shared[THREADS];

    if (w->index == 0)
        expect(w, slip_alloc(w->on->device, 8, &shared[0]) == SLIP_OK, "alloc");
    if (w->index == 0)
        memset(shared[0], 0, 8);
    pthread_barrier_wait(w->start);
    slip_arg args[] = { { &pause_us, 4 }, { shared[0], 8 } };
    if (w->index == 1)
        expect(w,
               slip_launch(w->on->stream, hand_entry(w->on, HAND_SLOW), args, 2, NULL, 0) ==
                   SLIP_OK,
               "slow");
    if (w->index == 0) {
        struct timespec short_while = { 0, 1000000 };
        for (int k = 0; k < 10000 && atomic_load(&hand_slow_begun) == 0; k++)
            nanosleep(&short_while, NULL);
        expect(w, atomic_load(&hand_slow_begun) == 1, "the slow task has begun");
        slip_free(w->on->device, shared[0]);
    }
    return NULL;
}

static void memory_freed_during_a_call_lasts_until_the_call_ends(void)
{
    hand_device on;
    worker workers[THREADS];

    memset(workers, 0, sizeof workers);
    hand_open(&on);
    atomic_store(&hand_slow_begun, 0);
    for (int i = 0; i < THREADS; i++)
        workers[i].on = &on;
    run_all(workers, free_during_call); /* the address sanitizer sees a write to freed memory */
    CHECK_STATUS(slip_device_sync(on.device), SLIP_OK);
    CHECK(on.device->retired == NULL);
    hand_close(&on);
}

/* A busy stream that never idles must not hold freed memory back for ever. */
static void *keep_busy(void *data)
{
    worker *w = data;
    float x[4] = { 0 };

    pthread_barrier_wait(w->start);
    if (w->index != 0) {
        for (int i = 0; i < 400; i++)
            expect(w, add(w->on->stream, hand_entry(w->on, HAND_ADD), x, 4, 1) == SLIP_OK, "add");
        return NULL;
    }
    for (int i = 0; i < 100; i++) {
        void *memory = NULL;
        expect(w, slip_alloc(w->on->device, 1 << 12, &memory) == SLIP_OK, "alloc");
        slip_free(w->on->device, memory);
    }
    return NULL;
}

static void memory_goes_back_although_a_stream_is_always_busy(void)
{
    hand_device on;
    worker workers[THREADS];

    memset(workers, 0, sizeof workers);
    hand_open(&on);
    for (int i = 0; i < THREADS; i++)
        workers[i].on = &on;
    run_all(workers, keep_busy);
    CHECK_STATUS(slip_device_sync(on.device), SLIP_OK);
    CHECK(on.device->retired == NULL);
    hand_close(&on);
}

static const check_case cases[] = {
    CASE(the_first_call_of_the_process_may_come_from_all_threads_at_once),
    CASE(each_thread_on_its_own_stream_sees_its_own_arguments),
    CASE(all_threads_on_the_default_stream_see_their_own_arguments),
    CASE(memory_streams_and_modules_come_and_go_while_others_call),
    CASE(memory_freed_during_a_call_lasts_until_the_call_ends),
    CASE(memory_goes_back_although_a_stream_is_always_busy),
};

CHECK_MAIN(cases)
