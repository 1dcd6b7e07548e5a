/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads_test.c - eight threads on a look-alike's device, each on a stream of its own, and all
 * sometimes on the default one: what each gets is right, and nothing is unordered.
 *
 *     SLIPFAKE_ROUNDS  how often each thread runs every scene; 3
 *
 * The look-alike's lock is invisible to TSan, so that what it says is of the launcher.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/stream/look_control.h"
#include "fake/stream/whole.h"
#include "support/check.h"

enum { THREADS = 8 };

typedef struct worker {
    pthread_t thread;
    slip_device *device;
    int index, rounds;
    unsigned calls;
    char failure[400];
} worker;

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

static void *work(void *user)
{
    worker *me = user;
    whole *w = calloc(1, sizeof *w);
    slip_stream *own = NULL;

    w->device = me->device;
    if (slip_stream_create(me->device, &own) != SLIP_OK ||
        slip_stream_create(me->device, &w->other) != SLIP_OK)
        fail(me, "streams", slip_last_error()->message);
    for (int r = 0; r < me->rounds && !me->failure[0]; r++)
        for (int s = 0; s < whole_scene_count && !me->failure[0]; s++) {
            int scene = (s + me->index) % whole_scene_count;
            w->stream = (r + s + me->index) % 4 == 0 ? slip_default(me->device) : own;
            run_scene(me, w, &whole_scenes[scene]);
        }
    whole_drop(w);
    slip_stream_destroy(own);
    slip_stream_destroy(w->other);
    free(w);
    return NULL;
}

static void threads_on_streams_of_their_own_get_what_is_theirs(void)
{
    const char *rounds = getenv("SLIPFAKE_ROUNDS");
    static worker workers[THREADS];
    slip_device *device = NULL;
    char last[512] = "";
    unsigned calls = 0;

    control_begin("random", 5);
    CHECK_RESULT(slip_device_open(getenv("SLIPWAY_TEST_FAMILY"), &device), SLIP_OK);
    for (int k = 0; k < THREADS; k++) {
        workers[k] = (worker){ .device = device, .index = k, .rounds = rounds ? atoi(rounds) : 3 };
        CHECK(pthread_create(&workers[k].thread, NULL, work, &workers[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(workers[k].thread, NULL);
    for (int k = 0; k < THREADS; k++) {
        if (workers[k].failure[0])
            CHECK_FAIL("%s", workers[k].failure);
        calls += workers[k].calls;
    }
    slip_device_close(device);
    if (control.reports(last, sizeof last) != 0)
        CHECK_FAIL("%s", last);
    printf("%d threads, %u scenes\n", THREADS, calls);
}

static const check_case cases[] = { CASE(threads_on_streams_of_their_own_get_what_is_theirs) };
CHECK_MAIN(cases)
