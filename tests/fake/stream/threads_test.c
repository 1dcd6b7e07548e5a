/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads_test.c - eight threads on one device: each on a stream of its own and sometimes on the
 * default one, all on one stream, and one that queues while another waits. What each gets is right,
 * and nothing is unordered.
 *
 *     SLIPWAY_SOAK_SECONDS  how long threads go on; without it each runs every scene three times
 *
 * On a look-alike's device, whose lock is invisible to TSan, so that what that says is of the
 * launcher; with SLIPWAY_REQUIRE=cuda, which takes a real device, the cases that a look-alike must
 * steer are left out.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake/stream/look_control.h"
#include "fake/stream/whole.h"
#include "support/check.h"

enum { THREADS = 8, ROUNDS = 3 };

typedef struct worker {
    pthread_t thread;
    slip_device *device;
    slip_stream *shared;     /* the one stream of all; NULL: streams of their own */
    const whole_scene *only; /* NULL: all scenes */
    int index;
    double seconds; /* 0: ROUNDS */
    unsigned calls;
    char failure[400];
} worker;

static worker workers[THREADS];
static slip_device *device;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(worker *me, const char *scene, const char *why)
{
    if (!me->failure[0])
        snprintf(me->failure, sizeof me->failure, "thread %d: %s: %s", me->index, scene, why);
}

static void run_scene(worker *me, whole *w, const whole_scene *scene)
{
    whole_begin(w);
    if (scene->call(w) != SLIP_OK)
        fail(me, scene->name, slip_last_error()->message);
    else if (!scene->right(w))
        fail(me, scene->name, "wrong");
    me->calls++;
}

static void run_rounds(worker *me, whole *w, slip_stream *own)
{
    double end = now() + me->seconds;

    for (int r = 0; !me->failure[0] && (me->seconds > 0 ? now() < end : r < ROUNDS); r++)
        for (int s = 0; s < whole_scene_count && !me->failure[0]; s++) {
            int scene = (s + me->index) % whole_scene_count;
            w->stream = me->shared                     ? me->shared
                        : (r + s + me->index) % 4 == 0 ? slip_default(me->device)
                                                       : own;
            run_scene(me, w, &whole_scenes[scene]);
        }
}

static void *work(void *user)
{
    worker *me = user;
    whole *w = calloc(1, sizeof *w);
    slip_stream *own = NULL;

    w->device = me->device;
    if (slip_stream_create(me->device, &own) != SLIP_OK ||
        slip_stream_create(me->device, &w->other) != SLIP_OK)
        fail(me, "streams", slip_last_error()->message);
    else if (me->only) {
        w->stream = me->shared;
        run_scene(me, w, me->only);
    } else {
        run_rounds(me, w, own);
    }
    whole_drop(w);
    slip_stream_destroy(own);
    slip_stream_destroy(w->other);
    free(w);
    return NULL;
}

/* So many workers like `model`; how many scenes they ran. */
static unsigned run_workers(int count, worker model)
{
    unsigned calls = 0;

    for (int k = 0; k < count; k++) {
        workers[k] = model;
        workers[k].index = k;
        workers[k].device = device;
        CHECK(pthread_create(&workers[k].thread, NULL, work, &workers[k]) == 0);
    }
    for (int k = 0; k < count; k++)
        pthread_join(workers[k].thread, NULL);
    for (int k = 0; k < count; k++) {
        if (workers[k].failure[0])
            CHECK_FAIL("%s", workers[k].failure);
        calls += workers[k].calls;
    }
    return calls;
}

/* ---- the device ------------------------------------------------------------------------------ */

static const char *family(void)
{
    const char *name = getenv("SLIPWAY_TEST_FAMILY");

    return name ? name : "cuda";
}

static bool is_look_alike(void)
{
    return getenv("SLIPWAY_CUDA_LIBRARY") || getenv("SLIPWAY_HIP_LIBRARY");
}

static void open_device(const char *schedule, uint64_t seed)
{
    if (is_look_alike())
        control_begin(schedule, seed);
    CHECK_RESULT(slip_device_open(family(), &device), SLIP_OK);
}

static void close_device(void)
{
    char last[512] = "";

    slip_device_close(device);
    if (is_look_alike() && control.reports(last, sizeof last) != 0)
        CHECK_FAIL("%s", last);
}

static double soak_seconds(void)
{
    const char *text = getenv("SLIPWAY_SOAK_SECONDS");

    return text ? atof(text) : 0;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void threads_on_streams_of_their_own_get_what_is_theirs(void)
{
    open_device("random", 5);
    unsigned calls = run_workers(THREADS, (worker){ .seconds = soak_seconds() });
    close_device();
    printf("%d threads on streams of their own, %u scenes, all right\n", THREADS, calls);
}

static void threads_on_one_stream_get_what_is_theirs(void)
{
    unsigned calls = 0;

    for (int explicitly = 0; explicitly < 2; explicitly++) {
        slip_stream *stream = NULL;
        open_device("random", 6 + (uint64_t)explicitly);
        if (explicitly)
            CHECK_RESULT(slip_stream_create(device, &stream), SLIP_OK);
        calls += run_workers(THREADS, (worker){ .shared = stream ? stream : slip_default(device),
                                                .seconds = soak_seconds() / 2 });
        slip_stream_destroy(stream);
        close_device();
    }
    printf("%d threads on one stream, %u scenes, all right\n", THREADS, calls);
}

/* How many launches a scene makes on a stream on which it has been before. */
static uint64_t launches_of(const whole_scene *scene, slip_stream *stream)
{
    uint64_t before = 0;

    for (int k = 0; k < 2; k++) {
        before = control.count(LOOK_TASKS);
        run_workers(1, (worker){ .shared = stream, .only = scene });
    }
    return control.count(LOOK_TASKS) - before;
}

/* No wait ends before both threads have queued all they launch: the one that came first waits, and
 * the lock of the stream is not held meanwhile. Not where the host must look at what the device has
 * computed before it can go on, since another's steps may not come between. */
static void a_thread_queues_while_another_waits_on_the_same_stream(void)
{
    if (!is_look_alike())
        check_skip("look-alike", "no wait of a real device can be told when to end");
#if defined(SLIP_TEST_SMALL)
    check_skip("usual sizes", "in a ring of one slot the second call waits for the first's");
#endif
    for (int s = 0; s < whole_scene_count; s++)
        for (int explicitly = 0; explicitly < 2; explicitly++) {
            const whole_scene *scene = &whole_scenes[s];
            slip_stream *stream = NULL;
            if (!scene->one_call || scene->polls)
                continue;
            open_device("lazy", 7);
            if (explicitly)
                CHECK_RESULT(slip_stream_create(device, &stream), SLIP_OK);
            slip_stream *on = stream ? stream : slip_default(device);
            uint64_t each = launches_of(scene, on);
            CHECK(each > 0);
            for (int round = 0; round < 3; round++) {
                control.hold(2 * each);
                run_workers(2, (worker){ .shared = on, .only = scene });
            }
            slip_stream_destroy(stream);
            close_device();
        }
}

static const check_case cases[] = {
    CASE(threads_on_streams_of_their_own_get_what_is_theirs),
    CASE(threads_on_one_stream_get_what_is_theirs),
    CASE(a_thread_queues_while_another_waits_on_the_same_stream),
};
CHECK_MAIN(cases)
