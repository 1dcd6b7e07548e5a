/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_test.c - calls on streams that other code captures into a graph: those that a graph can
 * hold run with it, and the others are refused without the capture suffering.
 */
#include <string.h>

#include "native/native.h"

#include "kernels.slip.h"

enum { N = 5000, BYTES = N * 4, GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 };

/* ---- graphs of the other code ---------------------------------------------------------------- */

static struct {
    int (*begin)(api_stream stream, int mode);
    int (*end)(api_stream stream, void **out);
    int (*make)(void **out, void *graph, unsigned long long flags);
    int (*launch)(void *exec, api_stream stream);
    int (*drop)(void *exec);
    int (*free)(void *graph);
} graph;

#define FIND(slot, cuda, hip)                                                                      \
    do {                                                                                           \
        void *found = native_find(cuda, hip);                                                      \
        memcpy(&graph.slot, &found, sizeof found);                                                 \
    } while (0)

static api_stream stream;
static slip_stream *ours, *own;
static uint32_t *up, *down, *x, *y, *z;

static uint32_t *device_array(void)
{
    void *made = NULL;

    OK(slip_alloc(native.device, BYTES, &made));
    return made;
}

static void begin(void)
{
    native_begin();
    FIND(begin, "cuStreamBeginCapture_v2", "hipStreamBeginCapture");
    FIND(end, "cuStreamEndCapture", "hipStreamEndCapture");
    FIND(make, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags");
    FIND(launch, "cuGraphLaunch", "hipGraphLaunch");
    FIND(drop, "cuGraphExecDestroy", "hipGraphExecDestroy");
    FIND(free, "cuGraphDestroy", "hipGraphDestroy");
    stream = native_stream(false);
    OK(slip_stream_wrap(native.device, stream, &ours));
    OK(slip_stream_create(native.device, &own));
    up = native_pinned(BYTES);
    down = native_pinned(BYTES);
    x = native_memory(BYTES);
    y = device_array();
    z = device_array();
    for (uint32_t i = 0; i < N; i++)
        up[i] = 5 * i + 1;
}

static void end(void)
{
    slip_stream_destroy(own);
    slip_stream_destroy(ours);
    NATIVE(stream_drop, stream);
    slip_free(native.device, y);
    slip_free(native.device, z);
    native_memory_end(x);
    NATIVE(host_free, up);
    NATIVE(host_free, down);
    native_end();
}

static void upload(api_stream on)
{
    NATIVE(upload_queued, native_address(x), up, BYTES, on);
}

static void check_array(const uint32_t *array, uint32_t factor, uint32_t more)
{
    memset(down, 0xee, BYTES);
    NATIVE(download_queued, down, native_address(array), BYTES, stream);
    NATIVE(stream_wait, stream);
    for (uint32_t i = 0; i < N; i++)
        if (down[i] != factor * i + more)
            CHECK_FAIL("element %u is %u, and must be %u", i, down[i], factor * i + more);
}

/* The graph is launched as often as is said, each time with x as uploaded. */
static void *end_capture(void)
{
    void *made = NULL, *exec = NULL;

    CHECK_EQ_I64(graph.end(stream, &made), 0);
    CHECK_EQ_I64(graph.make(&exec, made, 0), 0);
    CHECK_EQ_I64(graph.free(made), 0);
    return exec;
}

/* ---- what can be captured -------------------------------------------------------------------- */

/* x = 3 (5 i + 1) + i = 16 i + 3, y = 16 i + 4, z = 32 i + 6, and x = 3 x + i twice more: 49 i + 9,
 * 148 i + 27. */
static void queue_calls(slip_stream *on)
{
    OK(scale(on, N, x));
    OK(spread(on, N, x, y, z));
    OK(scale(on, N, x));
    OK(scale(on, N, x));
}

static void check_calls(void)
{
    check_array(x, 148, 27);
    check_array(y, 16, 4);
    check_array(z, 32, 6);
}

/* `warm`: the same calls have been made before, else all that they need is made in the capture. */
static void check_capture(int mode, bool warm)
{
    begin();
    if (warm)
        for (int k = 0; k < 4; k++)
            queue_calls(ours);
    NATIVE(fill_queued, native_address(y), 1, BYTES, stream);
    NATIVE(stream_wait, stream);
    CHECK_EQ_I64(graph.begin(stream, mode), 0);
    upload(stream);
    queue_calls(ours);
    void *exec = end_capture();
    check_array(y, 0, 0x01010101); /* nothing has run */
    for (int round = 0; round < 3; round++) {
        NATIVE(fill_queued, native_address(y), 1, BYTES, stream);
        CHECK_EQ_I64(graph.launch(exec, stream), 0);
        check_calls();
    }
    upload(stream);
    queue_calls(ours); /* and now without a graph */
    OK(slip_stream_sync(ours));
    check_calls();
    CHECK_EQ_I64(graph.drop(exec), 0);
    end();
}

static void calls_on_device_memory_run_with_the_graph(void)
{
    for (int mode = GLOBAL; mode <= RELAXED; mode++)
        for (int warm = 0; warm < 2; warm++)
            check_capture(mode, warm);
}

/* The stream is ours, and had been used before its handle was known. */
static void a_stream_of_ours_can_be_captured(void)
{
    void *handle = NULL, *made = NULL, *exec = NULL;

    begin();
    queue_calls(own);
    OK(slip_stream_sync(own));
    OK(slip_stream_native(own, &handle));
    CHECK_EQ_I64(graph.begin(handle, THREAD_LOCAL), 0);
    upload(handle);
    queue_calls(own);
    CHECK_RESULT(rotate(own, N, x), SLIP_ERR_UNSUPPORTED);
    CHECK_EQ_I64(graph.end(handle, &made), 0);
    CHECK_EQ_I64(graph.make(&exec, made, 0), 0);
    for (int round = 0; round < 2; round++) {
        CHECK_EQ_I64(graph.launch(exec, handle), 0);
        OK(slip_stream_sync(own));
        check_calls();
    }
    CHECK_EQ_I64(graph.drop(exec), 0);
    CHECK_EQ_I64(graph.free(made), 0);
    end();
}

/* ---- what cannot ----------------------------------------------------------------------------- */

static void refused(slip_status status, const char *says)
{
    CHECK_RESULT(status, SLIP_ERR_UNSUPPORTED);
    CHECK_CONTAINS(slip_last_error()->message, "being captured");
    CHECK_CONTAINS(slip_last_error()->message, says);
}

static void check_refusals(int mode)
{
    static uint32_t h[N];
    slip_event *event = NULL, *before = NULL;
    uint64_t total = 0;
    void *made = NULL;

    begin();
    OK(slip_event_create(native.device, &event));
    OK(slip_event_create(native.device, &before));
    OK(rotate(ours, N, x));
    OK(slip_event_record(before, own));
    CHECK_EQ_I64(graph.begin(stream, mode), 0);
    upload(stream);
    OK(scale(ours, N, x));
    refused(scale(ours, N, h), "scale needs a copy to the device of `x`");
    refused(copy(ours, N, x, h), "copy needs a copy to the host of `h`");
    refused(rotate(ours, N, x), "rotate needs memory of the launch");
    refused(gather(ours, N, y, x, &total), "gather needs a copy of its result to the host");
    refused(gather(ours, N, y, x, NULL), "gather needs memory of the launch");
    refused(slip_upload(ours, x, h, BYTES), "cannot hold a copy of the host's memory");
    refused(slip_download(ours, h, x, BYTES), "cannot hold a copy to the host's memory");
    refused(slip_stream_sync(ours), "cannot hold ");
    refused(slip_event_record(event, ours), "cannot hold a point that is waited for");
    OK(slip_event_record(before, own));
    OK(scale(own, N, y));
    OK(slip_event_record(before, own));
    OK(slip_event_sync(before));
    slip_free(native.device, z); /* while the stream has no point to go by */
    z = device_array();
    OK(slip_alloc(native.device, BYTES, &made));
    slip_free(native.device, made);
    OK(slip_host_alloc(native.device, BYTES, &made));
    slip_host_free(native.device, made);
    OK(slip_host_register(native.device, h, BYTES));
    OK(slip_host_unregister(native.device, h));
    for (uint32_t i = 0; i < N; i++)
        h[i] = 7 * i;
    OK(scale(own, N, h)); /* another stream is as it always is */
    for (uint32_t i = 0; i < N; i++)
        CHECK_EQ_U64(h[i], 22 * i);
    OK(scale(ours, N, x));
    void *exec = end_capture();
    CHECK_EQ_I64(graph.launch(exec, stream), 0);
    check_array(x, 49, 9);
    OK(slip_event_record(event, ours));
    OK(slip_event_sync(event));
    OK(copy(ours, N, x, h));
    CHECK_EQ_U64(h[N - 1], 49 * (N - 1) + 9);
    CHECK_EQ_I64(graph.drop(exec), 0);
    slip_event_destroy(event);
    slip_event_destroy(before);
    end();
}

static void the_rest_is_refused_and_the_capture_goes_on(void)
{
    for (int mode = GLOBAL; mode <= RELAXED; mode++)
        check_refusals(mode);
}

/* Other code's own mistake: the call says what is the matter, and all works once the capture is
 * over. */
static void a_capture_that_was_broken_refuses_and_ends(void)
{
    void *made = NULL;

    begin();
    queue_calls(ours);
    OK(slip_stream_sync(ours));
    CHECK_EQ_I64(graph.begin(stream, THREAD_LOCAL), 0);
    OK(scale(ours, N, x));
    CHECK(native.api.stream_wait(stream) != 0);
    refused(scale(ours, N, x), "this stream or another of this process is being captured");
    refused(rotate(ours, N, x), "rotate needs memory of the launch");
    CHECK(graph.end(stream, &made) != 0);
    upload(stream);
    queue_calls(ours);
    check_calls();
    end();
}

/* The default stream would be behind a blocking one that is captured: it is asked, and left alone.
 */
static void the_default_stream_is_refused_while_a_blocking_one_is_captured(void)
{
    slip_stream *legacy = NULL;
    void *made = NULL;

    begin();
    api_stream blocking = native_stream(true);
    OK(slip_stream_wrap(native.device, NULL, &legacy));
    OK(rotate(legacy, N, x));
    CHECK_EQ_I64(graph.begin(blocking, THREAD_LOCAL), 0);
    refused(rotate(legacy, N, x), "this stream or another of this process is being captured");
    refused(slip_stream_sync(legacy), "this stream or another of this process");
    CHECK_EQ_I64(graph.end(blocking, &made), 0);
    CHECK_EQ_I64(graph.free(made), 0);
    OK(rotate(legacy, N, x));
    slip_stream_destroy(legacy);
    NATIVE(stream_drop, blocking);
    end();
}

/* What queues nothing leaves nothing to wait for: the refusal is all that happens. */
static void a_refused_default_stream_goes_on_after_the_capture(void)
{
    static uint32_t h[N];
    void *made = NULL;

    begin();
    slip_stream *usual = slip_default(native.device);
    api_stream blocking = native_stream(true);
    OK(rotate(usual, N, x));
    CHECK_EQ_I64(graph.begin(blocking, THREAD_LOCAL), 0);
    refused(rotate(usual, N, x), "another stream of this process is being captured");
    refused(slip_stream_sync(usual), "another stream of this process is being captured");
    refused(slip_download(usual, h, x, sizeof h),
            "another stream of this process is being captured");
    (void)graph.end(blocking, &made); /* the refused calls may have broken it */
    if (made)
        CHECK_EQ_I64(graph.free(made), 0);
    OK(rotate(usual, N, x));
    OK(slip_stream_sync(usual));
    NATIVE(stream_drop, blocking);
    end();
}

static const check_case cases[] = {
    CASE(a_capture_that_was_broken_refuses_and_ends),
    CASE(the_default_stream_is_refused_while_a_blocking_one_is_captured),
    CASE(a_refused_default_stream_goes_on_after_the_capture),
    CASE(calls_on_device_memory_run_with_the_graph),
    CASE(a_stream_of_ours_can_be_captured),
    CASE(the_rest_is_refused_and_the_capture_goes_on),
};
CHECK_MAIN(cases)
