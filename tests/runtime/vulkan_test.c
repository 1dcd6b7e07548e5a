/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vulkan_test.c - memory, streams and events of a real Vulkan device, through the public functions.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hand.h"
#include "support/check.h"

enum { BYTES = 300000 };

static slip_device *open_one(void)
{
    slip_device *device = NULL;

    if (slip_device_open("vulkan:0", &device) != SLIP_OK)
        check_skip("vulkan", slip_last_error()->message);
    return device;
}

static void fill(uint8_t *bytes, size_t count, uint32_t seed)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
}

static uint8_t sent[BYTES], got[BYTES], kept[BYTES];

static void what_goes_up_comes_down_from_any_place(void)
{
    static const size_t places[][2] = { { 0, BYTES }, { 0, 1 },     { 1, 7 },
                                        { 4095, 2 },  { 3, 70001 }, { BYTES - 1, 1 } };
    slip_device *device = open_one();
    slip_stream *stream = slip_default(device);
    void *memory = NULL, *native = NULL;

    CHECK_STATUS(slip_alloc(device, BYTES, &memory), SLIP_OK);
    CHECK_STATUS(slip_native(device, memory, &native), SLIP_OK);
    CHECK(native != NULL && native != memory);
    for (uint32_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        size_t at = places[k][0], count = places[k][1];
        fill(sent + at, count, k);
        CHECK_STATUS(slip_upload(stream, (uint8_t *)memory + at, sent + at, count), SLIP_OK);
    }
    memset(got, 0, sizeof got);
    CHECK_STATUS(slip_download(stream, got, memory, BYTES), SLIP_OK);
    CHECK(memcmp(got, sent, BYTES) == 0);
    slip_free(device, memory);
    slip_device_close(device);
}

static void kept_and_pinned_memory_hold_what_was_put_there(void)
{
    slip_device *device = open_one();
    slip_stream *stream = slip_default(device);
    void *pinned = NULL;

    fill(kept, BYTES, 7);
    memcpy(sent, kept, BYTES);
    CHECK_STATUS(slip_keep(device, kept, BYTES), SLIP_OK);
    memset(kept, 0, BYTES);
    CHECK_STATUS(slip_fetch(stream, kept + 5), SLIP_OK);
    CHECK(memcmp(kept, sent, BYTES) == 0);
    fill(kept, BYTES, 8);
    memcpy(sent, kept, BYTES);
    CHECK_STATUS(slip_push(stream, kept), SLIP_OK);
    memset(kept, 0, BYTES);
    CHECK_STATUS(slip_fetch(stream, kept), SLIP_OK);
    CHECK(memcmp(kept, sent, BYTES) == 0);
    CHECK_STATUS(slip_unkeep(device, kept), SLIP_OK);
    CHECK_STATUS(slip_host_alloc(device, BYTES, &pinned), SLIP_OK);
    memcpy(pinned, sent, BYTES);
    CHECK(memcmp(pinned, sent, BYTES) == 0);
    slip_host_free(device, pinned);
    slip_device_close(device);
}

/* Reading there would be a fault. */
static void addresses_of_another_device_or_of_none_are_refused(void)
{
    slip_device *device = open_one(), *other = open_one();
    void *memory = NULL, *own = NULL;

    CHECK_STATUS(slip_alloc(other, BYTES, &memory), SLIP_OK);
    CHECK_STATUS(slip_alloc(device, BYTES, &own), SLIP_OK);
    CHECK_STATUS(slip_upload(slip_default(device), own, memory, BYTES), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "another device");
    CHECK_STATUS(slip_keep(device, memory, BYTES), SLIP_ERR_ARGUMENT);
    slip_free(other, memory);
    CHECK_STATUS(slip_upload(slip_default(device), own, memory, BYTES), SLIP_ERR_ARGUMENT);
    CHECK_CONTAINS(slip_last_error()->message, "slip_free has given back");
    slip_free(device, own);
    slip_device_close(other);
    slip_device_close(device);
}

static void events_and_streams_end_in_order(void)
{
    slip_device *device = open_one();
    slip_stream *other = NULL;
    slip_event *first = NULL, *second = NULL;
    void *memory = NULL;
    double seconds = -1;
    bool done = false;

    CHECK_STATUS(slip_stream_create(device, &other), SLIP_OK);
    CHECK_STATUS(slip_event_create(device, &first), SLIP_OK);
    CHECK_STATUS(slip_event_create(device, &second), SLIP_OK);
    CHECK_STATUS(slip_alloc(device, BYTES, &memory), SLIP_OK);
    CHECK_STATUS(slip_event_record(first, slip_default(device)), SLIP_OK);
    for (uint32_t k = 0; k < 20; k++) {
        fill(sent, BYTES, k);
        CHECK_STATUS(slip_upload(slip_default(device), memory, sent, BYTES), SLIP_OK);
        CHECK_STATUS(slip_event_record(second, slip_default(device)), SLIP_OK);
        CHECK_STATUS(slip_stream_wait(other, second), SLIP_OK);
        CHECK_STATUS(slip_download(other, got, memory, BYTES), SLIP_OK);
        CHECK(memcmp(got, sent, BYTES) == 0);
        CHECK_STATUS(slip_event_record(second, other), SLIP_OK);
        CHECK_STATUS(slip_stream_wait(slip_default(device), second), SLIP_OK);
    }
    CHECK_STATUS(slip_event_sync(second), SLIP_OK);
    CHECK_STATUS(slip_event_query(second, &done), SLIP_OK);
    CHECK(done);
    CHECK_STATUS(slip_event_elapsed(first, second, &seconds), SLIP_OK);
    CHECK(seconds >= 0 && seconds < 100);
    CHECK_STATUS(slip_event_record(second, other), SLIP_OK);
    slip_free(device, memory);
    slip_stream_destroy(other);
    CHECK_STATUS(slip_event_query(second, &done), SLIP_OK);
    CHECK(done);
    slip_event_destroy(first);
    slip_event_destroy(second);
    CHECK_STATUS(slip_device_sync(device), SLIP_OK);
    slip_device_close(device);
}

static void a_module_without_code_for_the_device_is_refused(void)
{
    slip_device *device = open_one();
    slip_module *module = NULL;

    CHECK_STATUS(module_adopt(device, hand_module(), &module), SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "the module holds code for cpu-");
    CHECK_CONTAINS(slip_last_error()->message, "; vulkan:0 takes spirv");
    CHECK(module == NULL);
    slip_device_close(device);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

enum { THREADS = 4, ROUNDS = 30, PART = 5000 };

typedef struct worker {
    slip_device *device;
    uint32_t seed;
    bool right;
} worker;

static void *work(void *data)
{
    worker *w = data;
    uint8_t *from = malloc(PART), *to = malloc(PART);
    slip_stream *own = NULL;

    w->right = from && to && slip_stream_create(w->device, &own) == SLIP_OK;
    for (uint32_t k = 0; w->right && k < ROUNDS; k++) {
        slip_stream *stream = k % 3 == 0 ? slip_default(w->device) : own;
        slip_event *event = NULL;
        void *memory = NULL;
        fill(from, PART, w->seed + k);
        w->right = slip_alloc(w->device, PART, &memory) == SLIP_OK &&
                   slip_upload(stream, memory, from, PART) == SLIP_OK &&
                   slip_event_create(w->device, &event) == SLIP_OK &&
                   slip_event_record(event, stream) == SLIP_OK &&
                   slip_stream_wait(own, event) == SLIP_OK &&
                   slip_download(own, to, memory, PART) == SLIP_OK && memcmp(from, to, PART) == 0 &&
                   slip_event_sync(event) == SLIP_OK &&
                   (k % 8 != 0 || slip_device_sync(w->device) == SLIP_OK);
        slip_free(w->device, memory);
        slip_event_destroy(event);
    }
    slip_stream_destroy(own);
    free(from);
    free(to);
    return NULL;
}

static void threads_share_a_device_and_have_streams_of_their_own(void)
{
    slip_device *device = open_one();
    pthread_t threads[THREADS];
    worker workers[THREADS];

    for (uint32_t k = 0; k < THREADS; k++) {
        workers[k] = (worker){ .device = device, .seed = 1000 * k };
        CHECK_EQ_I64(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (uint32_t k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        CHECK(workers[k].right);
    }
    slip_device_close(device);
}

static const check_case cases[] = {
    CASE(what_goes_up_comes_down_from_any_place),
    CASE(kept_and_pinned_memory_hold_what_was_put_there),
    CASE(addresses_of_another_device_or_of_none_are_refused),
    CASE(events_and_streams_end_in_order),
    CASE(a_module_without_code_for_the_device_is_refused),
    CASE(threads_share_a_device_and_have_streams_of_their_own),
};

CHECK_MAIN(cases)
