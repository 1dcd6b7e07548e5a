/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry_test.c - what a fork and an exit do to devices that are open.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/hand.h"
#include "support/check.h"

#if defined(__SANITIZE_THREAD__)
enum { RUNS_UNDER_TSAN = 1 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { RUNS_UNDER_TSAN = 1 };
#else
enum { RUNS_UNDER_TSAN = 0 };
#endif
#else
enum { RUNS_UNDER_TSAN = 0 };
#endif

enum { MANY = 1 << 20 };

static float *x;

static slip_status add(const hand_device *on, slip_stream *stream, int32_t n, float a)
{
    slip_arg args[] = { { &n, sizeof n }, { &a, sizeof a }, { x, 4 * (uint64_t)n } };

    return slip_launch(stream, hand_entry(on, HAND_ADD), args, 3, NULL, 0);
}

/* Waits for the child, at most 20 seconds; its exit status, or -1 for any other end. */
static int end_of(pid_t child)
{
    struct timespec pause = { 0, 10000000 };
    int status = 0;

    for (int i = 0; i < 2000; i++) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
}

/* What a child does with a device it got by fork: calls large enough to be shared, on old and
 * new streams. */
static int use_in_child(const hand_device *on)
{
    slip_stream *stream = NULL;
    void *memory = NULL;

    for (int i = 0; i < 5; i++)
        if (add(on, on->stream, MANY, 1) != SLIP_OK)
            return 2;
    if (slip_stream_create(on->device, &stream) != SLIP_OK || add(on, stream, MANY, 1) != SLIP_OK)
        return 3;
    if (slip_alloc(on->device, 64, &memory) != SLIP_OK || slip_device_sync(on->device) != SLIP_OK)
        return 4;
    slip_free(on->device, memory);
    slip_stream_destroy(stream);
    for (int i = 0; i < MANY; i++)
        if (x[i] != 8.0f)
            return 5;
    slip_device_close(on->device);
    return 0;
}

static void a_child_uses_the_device_of_its_parent(void)
{
    hand_device on;

    if (RUNS_UNDER_TSAN)
        check_skip("fork", "the thread sanitizer follows no threads started after a fork");
    setenv("SLIPWAY_CPU_THREADS", "4", 1);
    x = calloc(MANY, sizeof *x);
    hand_open(&on);
    CHECK_STATUS(add(&on, on.stream, MANY, 1), SLIP_OK);
    CHECK_STATUS(add(&on, on.stream, MANY, 1), SLIP_OK);
    /* The workers have started by then: a thread that is starting may hold a lock of the address
     * sanitizer, which nobody gives back in the child. */
    nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        _exit(use_in_child(&on));
    CHECK_EQ_I64(end_of(child), 0);
    CHECK_STATUS(add(&on, on.stream, MANY, 1), SLIP_OK); /* the parent's goes on */
    CHECK_EQ_F64((double)x[MANY - 1], 3.0);
    hand_close(&on);
    free(x);
    unsetenv("SLIPWAY_CPU_THREADS");
}

typedef struct caller {
    const hand_device *on;
    atomic_bool stop;
} caller;

static void *call_on(void *data)
{
    caller *c = data;
    int32_t pause_us = 2000;
    int64_t out = 0;
    slip_arg args[] = { { &pause_us, 4 }, { &out, 8 } };

    while (!atomic_load(&c->stop))
        if (slip_launch(c->on->stream, hand_entry(c->on, HAND_SLOW), args, 2, NULL, 0) != SLIP_OK)
            break;
    return NULL;
}

/* The fork comes while another thread holds the stream's lock; in the child nobody would give it
 * back. */
static void a_child_forked_during_a_call_of_another_thread_can_call(void)
{
    hand_device on;
    caller c = { .on = &on };
    pthread_t thread;

    x = calloc(16, sizeof *x);
    hand_open(&on);
    CHECK_EQ_I64(pthread_create(&thread, NULL, call_on, &c), 0);
    for (int i = 0; i < 20; i++) {
        struct timespec pause = { 0, 1500000 };
        nanosleep(&pause, NULL);
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0)
            _exit(add(&on, on.stream, 16, 1) == SLIP_OK && x[15] == 1.0f ? 0 : 6);
        CHECK_EQ_I64(end_of(child), 0);
    }
    atomic_store(&c.stop, true);
    pthread_join(thread, NULL);
    hand_close(&on);
    free(x);
}

/* No destructor and no atexit handler: leaving with a device open, and with threads of its own,
 * just ends. */
static void a_process_may_exit_with_a_device_open(void)
{
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        hand_device on;
        setenv("SLIPWAY_CPU_THREADS", "4", 1);
        x = calloc(MANY, sizeof *x);
        hand_open(&on);
        if (add(&on, on.stream, MANY, 1) != SLIP_OK)
            _exit(7);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        _exit(0); /* the sanitizers would call what is left a leak */
#else
        exit(0);
#endif
    }
    CHECK_EQ_I64(end_of(child), 0);
}

static const check_case cases[] = {
    CASE(a_child_uses_the_device_of_its_parent),
    CASE(a_child_forked_during_a_call_of_another_thread_can_call),
    CASE(a_process_may_exit_with_a_device_open),
};

CHECK_MAIN(cases)
