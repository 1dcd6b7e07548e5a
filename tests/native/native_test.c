/* SPDX-License-Identifier: Apache-2.0 */
/*
 * native_test.c - calls on streams that other code owns, and other code's work on ours: each sees
 * what was queued before it. What must come out is worked out by hand.
 *
 * On a look-alike work runs as late as it may, and whatever nothing orders is told.
 */
#include <string.h>

#include "native/native.h"

#include "kernels.slip.h"

enum { N = 200000, BYTES = N * 4 };

static uint32_t *up, *down;

static void begin(void)
{
    native_begin();
    up = native_pinned(BYTES);
    down = native_pinned(BYTES);
    for (uint32_t i = 0; i < N; i++) {
        up[i] = 5 * i + 1;
        down[i] = 0;
    }
}

static void end(void)
{
    NATIVE(host_free, up);
    NATIVE(host_free, down);
    native_end();
}

static slip_stream *wrap(api_stream stream)
{
    slip_stream *made = NULL;

    OK(slip_stream_wrap(native.device, stream, &made));
    CHECK(slip_stream_device(made) == native.device);
    return made;
}

static uint32_t *device_array(void)
{
    void *made = NULL;

    OK(slip_alloc(native.device, BYTES, &made));
    return made;
}

static void check_down(uint32_t factor, uint32_t more)
{
    for (uint32_t i = 0; i < N; i++)
        if (down[i] != factor * i + more)
            CHECK_FAIL("element %u is %u, and must be %u", i, down[i], factor * i + more);
}

/* ---- one stream ------------------------------------------------------------------------------ */

/* 3 (5 i + 1) + i = 16 i + 3, copied; 3 (16 i + 3) + i = 49 i + 9. */
static void check_between(api_stream stream)
{
    uint32_t *x = native_memory(BYTES), *copied = native_pinned(BYTES);
    slip_stream *ours = wrap(stream);

    for (int round = 0; round < 3; round++) {
        NATIVE(upload_queued, native_address(x), up, BYTES, stream);
        OK(scale(ours, N, x));
        NATIVE(download_queued, copied, native_address(x), BYTES, stream);
        OK(scale(ours, N, x));
        NATIVE(download_queued, down, native_address(x), BYTES, stream);
        NATIVE(stream_wait, stream);
        check_down(49, 9);
        for (uint32_t i = 0; i < N; i++)
            CHECK_EQ_U64(copied[i], 16 * i + 3);
    }
    slip_stream_destroy(ours);
    NATIVE(fill_queued, native_address(x), 1, BYTES, stream); /* it is still there */
    NATIVE(download_queued, down, native_address(x), BYTES, stream);
    NATIVE(stream_wait, stream);
    check_down(0, 0x01010101);
    NATIVE(host_free, copied);
    native_memory_end(x);
}

static void calls_are_in_order_with_what_other_code_queues(void)
{
    begin();
    for (int blocking = 0; blocking < 2; blocking++) {
        api_stream stream = native_stream(blocking);
        check_between(stream);
        NATIVE(stream_drop, stream);
    }
    check_between(NULL);
    end();
}

/* Handle 1 is the default stream by another name. */
static void the_default_stream_can_be_wrapped_by_both_its_names(void)
{
    begin();
    uint32_t *x = native_memory(BYTES);
    slip_stream *ours = wrap((api_stream)(uintptr_t)1);
    void *handle = &handle;
    NATIVE(upload_queued, native_address(x), up, BYTES, NULL);
    OK(scale(ours, N, x));
    NATIVE(download_queued, down, native_address(x), BYTES, NULL);
    NATIVE(stream_wait, NULL);
    check_down(16, 3);
    OK(slip_stream_native(ours, &handle));
    CHECK(handle == NULL);
    slip_stream_destroy(ours);
    native_memory_end(x);
    end();
}

/* Sections read what was uploaded before, and what they read is overwritten after: y = 5 i + 2,
 * z = 10 i + 2. */
static void sections_fork_from_other_codes_work_and_join_before_it(void)
{
    begin();
    api_stream stream = native_stream(false);
    slip_stream *ours = wrap(stream);
    uint32_t *x = native_memory(BYTES), *y = device_array(), *z = device_array();
    uint32_t *other = native_pinned(BYTES);
    for (int round = 0; round < 3; round++) {
        NATIVE(upload_queued, native_address(x), up, BYTES, stream);
        OK(spread(ours, N, x, y, z));
        NATIVE(fill_queued, native_address(x), 0, BYTES, stream);
        NATIVE(download_queued, down, native_address(y), BYTES, stream);
        NATIVE(download_queued, other, native_address(z), BYTES, stream);
        NATIVE(stream_wait, stream);
        check_down(5, 2);
        for (uint32_t i = 0; i < N; i++)
            CHECK_EQ_U64(other[i], 10 * i + 2);
    }
    slip_stream_destroy(ours);
    NATIVE(host_free, other);
    slip_free(native.device, y);
    slip_free(native.device, z);
    native_memory_end(x);
    NATIVE(stream_drop, stream);
    end();
}

/* x = (5 i + 1) + i; the sum over i < N of 6 i + 1 is 3 N (N - 1) + N. */
static void arrays_of_the_host_and_results_are_complete_on_return(void)
{
    static uint32_t h[N];
    uint64_t total = 0;

    begin();
    api_stream stream = native_stream(false);
    slip_stream *ours = wrap(stream);
    uint32_t *x = native_memory(BYTES);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < N; i++)
            h[i] = i;
        NATIVE(upload_queued, native_address(x), up, BYTES, stream);
        OK(gather(ours, N, h, x, &total));
        CHECK_EQ_U64(total, (uint64_t)3 * N * (N - 1) + N);
        OK(copy(ours, N, x, h));
        for (uint32_t i = 0; i < N; i++)
            CHECK_EQ_U64(h[i], 6 * i + 1);
        OK(slip_upload(ours, x, h, BYTES));
        NATIVE(download_queued, down, native_address(x), BYTES, stream);
        OK(slip_download(ours, h, x, BYTES));
        CHECK_EQ_U64(h[N - 1], 6 * (N - 1) + 1);
        NATIVE(stream_wait, stream);
        check_down(6, 1);
    }
    slip_stream_destroy(ours);
    native_memory_end(x);
    NATIVE(stream_drop, stream);
    end();
}

/* ---- what counts as the stream's work -------------------------------------------------------- */

/* Nothing of ours is queued: the event and the wait are for other code's work alone. */
static void events_and_waits_stand_for_other_codes_work(void)
{
    slip_event *event = NULL;
    slip_stream *own = NULL;
    bool done = false;

    begin();
    api_stream stream = native_stream(false);
    slip_stream *ours = wrap(stream);
    uint32_t *x = native_memory(BYTES);
    OK(slip_event_create(native.device, &event));
    OK(slip_stream_create(native.device, &own));
    for (int round = 0; round < 3; round++) {
        NATIVE(upload_queued, native_address(x), up, BYTES, stream);
        OK(slip_event_record(event, ours));
        OK(slip_stream_wait(own, event));
        OK(scale(own, N, x));
        OK(slip_event_record(event, own));
        OK(slip_stream_wait(ours, event));
        NATIVE(download_queued, down, native_address(x), BYTES, stream);
        if (round == 0) {
            OK(slip_stream_sync(ours));
        } else if (round == 1) {
            OK(slip_event_record(event, ours));
            OK(slip_event_sync(event));
        } else {
            OK(slip_event_record(event, ours));
            while (!done)
                OK(slip_event_query(event, &done));
        }
        check_down(16, 3);
        memset(down, 0, BYTES);
    }
    slip_stream_destroy(own);
    slip_event_destroy(event);
    slip_stream_destroy(ours);
    native_memory_end(x);
    NATIVE(stream_drop, stream);
    end();
}

/* The memory that is freed goes to nobody before other code's copy of it has ended. */
static void freed_memory_outlives_other_codes_work(void)
{
    slip_stream *own = NULL;

    begin();
    api_stream stream = native_stream(false);
    slip_stream *ours = wrap(stream);
    OK(slip_stream_create(native.device, &own));
    for (int round = 0; round < 4; round++) {
        uint32_t *x = device_array();
        NATIVE(upload_queued, native_address(x), up, BYTES, stream);
        NATIVE(download_queued, down, native_address(x), BYTES, stream);
        slip_free(native.device, x);
        uint32_t *y = device_array(); /* perhaps the same */
        OK(slip_upload(own, y, up + N / 2, BYTES / 2));
        OK(scale(own, N / 2, y));
        NATIVE(stream_wait, stream);
        check_down(5, 1);
        slip_free(native.device, y);
    }
    slip_stream_destroy(own);
    slip_stream_destroy(ours);
    NATIVE(stream_drop, stream);
    end();
}

/* ---- ours, given away ------------------------------------------------------------------------ */

/* The stream is used before its handle is known, so that its plans are those of a stream that
 * nobody else uses. */
static void other_code_may_queue_on_a_stream_of_ours(void)
{
    slip_stream *own = NULL;
    void *handle = NULL;
    slip_stats before, after;

    begin();
    OK(slip_stream_create(native.device, &own));
    uint32_t *x = native_memory(BYTES), *y = device_array(), *z = device_array();
    OK(slip_upload(own, x, up, BYTES));
    OK(spread(own, N, x, y, z));
    OK(slip_stream_sync(own));
    slip_device_stats(native.device, &before);
    OK(slip_stream_native(own, &handle));
    CHECK(handle != NULL);
    NATIVE(upload_queued, native_address(x), up, BYTES, handle);
    OK(spread(own, N, x, y, z));
    slip_device_stats(native.device, &after);
    CHECK_EQ_U64(after.plans, before.plans + 1); /* that of a stream of other code's */
    NATIVE(fill_queued, native_address(x), 0, BYTES, handle);
    NATIVE(download_queued, down, native_address(z), BYTES, handle);
    OK(slip_stream_sync(own));
    check_down(10, 2);
    NATIVE(download_queued, down, native_address(y), BYTES, handle);
    OK(slip_stream_sync(own));
    check_down(5, 2);
    slip_stream_destroy(own);
    native_memory_end(x);
    slip_free(native.device, y);
    slip_free(native.device, z);
    end();
}

/* The same through the default stream, whose handle is NULL. */
static void the_default_streams_handle_is_null(void)
{
    void *handle = &handle;

    begin();
    slip_stream *ours = slip_default(native.device);
    uint32_t *x = native_memory(BYTES);
    OK(slip_stream_native(ours, &handle));
    CHECK(handle == NULL);
    NATIVE(upload_queued, native_address(x), up, BYTES, handle);
    OK(scale(ours, N, x));
    NATIVE(download_queued, down, native_address(x), BYTES, handle);
    OK(slip_stream_sync(ours));
    check_down(16, 3);
    native_memory_end(x);
    end();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void what_cannot_be_wrapped_is_refused(void)
{
    slip_stream *made = NULL;
    void *handle = NULL;

    begin();
    CHECK_STATUS(slip_stream_wrap(NULL, NULL, &made), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_wrap(native.device, NULL, NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_native(NULL, &handle), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_native(slip_default(native.device), NULL), SLIP_ERR_ARGUMENT);
    CHECK_STATUS(slip_stream_wrap(native.device, (void *)(uintptr_t)2, &made),
                 SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "per-thread default stream (handle 2)");
    CHECK(made == NULL && handle == NULL);
    end();
}

static const check_case cases[] = {
    CASE(calls_are_in_order_with_what_other_code_queues),
    CASE(the_default_stream_can_be_wrapped_by_both_its_names),
    CASE(sections_fork_from_other_codes_work_and_join_before_it),
    CASE(arrays_of_the_host_and_results_are_complete_on_return),
    CASE(events_and_waits_stand_for_other_codes_work),
    CASE(freed_memory_outlives_other_codes_work),
    CASE(other_code_may_queue_on_a_stream_of_ours),
    CASE(the_default_streams_handle_is_null),
    CASE(what_cannot_be_wrapped_is_refused),
};
CHECK_MAIN(cases)
