/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_threads_test.c - many threads on one device, each with a stream of its own; and one that
 * waits for another's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "driver/vulkan_case.h"
#include "driver/vulkan_instance.h"
#include "support/check.h"

enum { THREADS = 8, ROUNDS = 60, N = 1000 };

typedef struct worker {
    void *self;
    const queue_code *code;
    uint32_t number;
    uint32_t wrong; /* words */
    slip_status status;
} worker;

static slip_status round_of(worker *w, void *stream, const queue_kernel *kernel, uint32_t k)
{
    queue_memory up = { 0 }, device = { 0 }, back = { 0 };
    const uint32_t groups[3] = { (N + 63) / 64, 1, 1 }, add = w->number * 1000 + k;
    uint64_t value = 0;

    SLIP_TRY(vulkan->alloc(w->self, N * 4, QUEUE_MEMORY_UPLOAD, &up));
    SLIP_TRY(vulkan->alloc(w->self, N * 4, QUEUE_MEMORY_DEVICE, &device));
    SLIP_TRY(vulkan->alloc(w->self, N * 4, QUEUE_MEMORY_READBACK, &back));
    for (uint32_t i = 0; i < N; i++)
        ((uint32_t *)(void *)up.host)[i] = i * w->number;
    const vulkan_case_add push = { back.address, device.address, N, add };
    SLIP_TRY(vulkan->copy(stream, &device, 0, &up, 0, N * 4));
    SLIP_TRY(vulkan->barrier(stream, QUEUE_BARRIER_TASKS));
    SLIP_TRY(vulkan->dispatch(stream, kernel, &push, sizeof push, groups));
    SLIP_TRY(vulkan->barrier(stream, QUEUE_BARRIER_HOST));
    SLIP_TRY(vulkan->submit(stream, NULL, 0, &value));
    SLIP_TRY(vulkan->wait(stream, value, k % 3 ? 0 : 50000));
    for (uint32_t i = 0; i < N; i++)
        w->wrong += ((uint32_t *)(void *)back.host)[i] != i * w->number + add;
    vulkan->free(w->self, &up);
    vulkan->free(w->self, &device);
    vulkan->free(w->self, &back);
    return SLIP_OK;
}

static slip_status work(worker *w)
{
    queue_kernel kernel;
    void *stream = NULL;

    SLIP_TRY(vulkan->kernel_new(w->self, w->code, 0, &kernel));
    SLIP_TRY(vulkan->stream_open(w->self, &stream));
    for (uint32_t k = 0; k < ROUNDS; k++)
        SLIP_TRY(round_of(w, stream, &kernel, k));
    vulkan->cache_save(w->self);
    vulkan->stream_close(w->self, stream);
    vulkan->kernel_drop(w->self, &kernel);
    vulkan->trim(w->self);
    return SLIP_OK;
}

static void *run_worker(void *user)
{
    worker *w = user;

    w->status = work(w);
    return NULL;
}

static void threads_with_streams_of_their_own_do_not_disturb_each_other(void)
{
    void *self = vulkan_case_open();
    queue_code code = vulkan_case_shader("add");
    worker workers[THREADS];
    pthread_t threads[THREADS];

    for (uint32_t k = 0; k < THREADS; k++) {
        workers[k] = (worker){ .self = self, .code = &code, .number = k + 1 };
        CHECK(pthread_create(&threads[k], NULL, run_worker, &workers[k]) == 0);
    }
    for (uint32_t k = 0; k < THREADS; k++)
        CHECK(pthread_join(threads[k], NULL) == 0);
    for (uint32_t k = 0; k < THREADS; k++) {
        CHECK_EQ_I64(workers[k].status, SLIP_OK);
        CHECK_EQ_U64(workers[k].wrong, 0);
    }
    vulkan_case_shader_free(&code);
    vulkan_case_close(self);
}

/* ---- waiting for what another thread submits ------------------------------------------------- */

typedef struct watcher {
    void *stream;
    atomic_uint_fast64_t submitted; /* by the other thread */
    atomic_bool done;
    uint64_t waits, backwards;
    slip_status status;
} watcher;

static slip_status watch(watcher *w)
{
    uint64_t last = 0, value = 0;

    while (!atomic_load(&w->done)) {
        SLIP_TRY(vulkan->wait(w->stream, atomic_load(&w->submitted), 0));
        SLIP_TRY(vulkan->reached(w->stream, &value));
        w->backwards += value < last;
        w->waits++;
        last = value;
    }
    return SLIP_OK;
}

static void *run_watcher(void *user)
{
    watcher *w = user;

    w->status = watch(w);
    return NULL;
}

static void any_thread_waits_while_one_records(void)
{
    void *self = vulkan_case_open();
    watcher watchers[2] = { { .status = SLIP_OK } };
    pthread_t threads[2];
    queue_memory memory;
    void *stream = NULL;
    uint64_t value = 0;

    CHECK_STATUS(vulkan->alloc(self, 4096, QUEUE_MEMORY_DEVICE, &memory), SLIP_OK);
    CHECK_STATUS(vulkan->stream_open(self, &stream), SLIP_OK);
    for (int k = 0; k < 2; k++) {
        watchers[k].stream = stream;
        CHECK(pthread_create(&threads[k], NULL, run_watcher, &watchers[k]) == 0);
    }
    for (uint32_t k = 0; k < 1000; k++) {
        CHECK_STATUS(vulkan->zero(stream, &memory, 0, 4096), SLIP_OK);
        CHECK_STATUS(vulkan->barrier(stream, QUEUE_BARRIER_TASKS), SLIP_OK);
        CHECK_STATUS(vulkan->submit(stream, NULL, 0, &value), SLIP_OK);
        for (int w = 0; w < 2; w++)
            atomic_store(&watchers[w].submitted, value);
    }
    CHECK_STATUS(vulkan->wait(stream, value, 0), SLIP_OK);
    for (int k = 0; k < 2; k++)
        atomic_store(&watchers[k].done, true);
    for (int k = 0; k < 2; k++) {
        CHECK(pthread_join(threads[k], NULL) == 0);
        CHECK_EQ_I64(watchers[k].status, SLIP_OK);
        CHECK_EQ_U64(watchers[k].backwards, 0);
    }
    vulkan->stream_close(self, stream);
    vulkan->free(self, &memory);
    vulkan_case_close(self);
}

/* ---- the first call -------------------------------------------------------------------------- */

static void *count_devices(void *user)
{
    *(uint32_t *)user = vulkan->device_count();
    return NULL;
}

static void the_library_is_loaded_once_whoever_asks_first(void)
{
    uint32_t counts[THREADS];
    pthread_t threads[THREADS];

    vulkan_case_begin();
    uint32_t count = vulkan->device_count();
    for (int round = 0; round < 5; round++) {
        vulkan_instance_drop();
        for (int k = 0; k < THREADS; k++)
            CHECK(pthread_create(&threads[k], NULL, count_devices, &counts[k]) == 0);
        for (int k = 0; k < THREADS; k++) {
            CHECK(pthread_join(threads[k], NULL) == 0);
            CHECK_EQ_U64(counts[k], count);
        }
    }
    vulkan_instance_drop();
}

static const check_case cases[] = {
    CASE(threads_with_streams_of_their_own_do_not_disturb_each_other),
    CASE(any_thread_waits_while_one_records),
    CASE(the_library_is_loaded_once_whoever_asks_first),
};

CHECK_MAIN(cases)
