/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_test.c - field cases about threads, and about processes that fork or end.
 *
 * The children of case 58 start a device each, so that it comes before the cases that start one in
 * this process.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

#include "kernels.slip.h"

enum { CHILD_SECONDS = 60 };

/* What the leak sanitizer is told when it asks: children leave devices open on purpose, or in the
 * hands of their parent. */
SLIP_API int __lsan_is_turned_off(void);
static bool in_child;

int __lsan_is_turned_off(void)
{
    return in_child;
}

/* A child runs the case so that its exit can be seen; gives its exit code, or -1 when it did not
 * end by itself in time. */
static int run_in_child(int (*child)(void))
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        in_child = true;
        alarm(CHILD_SECONDS);
        exit(child());
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void *use_and_leave(void *user)
{
    int32_t a[64] = { 0 };
    slip_device *opened;

    (void)user;
    if (slip_device_open(cases_family(), &opened) != SLIP_OK ||
        iota(slip_default(opened), 64, a) != SLIP_OK)
        return NULL;
    return a[63] == 63 ? (void *)1 : NULL; /* the device is never closed */
}

static int leave_with_a_device_open(void)
{
    pthread_t thread;
    void *right = NULL;

    if (pthread_create(&thread, NULL, use_and_leave, NULL) != 0)
        return 1;
    pthread_join(thread, &right);
    return right ? 7 : 1;
}

static void case_58_a_process_may_end_without_closing(void)
{
    CHECK_EQ_I64(run_in_child(leave_with_a_device_open), 7);
}

/* The array is the device's, so that the call does not wait for what it queued. */
static int leave_with_a_kernel_in_flight(void)
{
    slip_device *opened;
    void *p = NULL;

    if (slip_device_open(cases_family(), &opened) != SLIP_OK ||
        slip_alloc(opened, 65536 * 4, &p) != SLIP_OK ||
        slow_fill(slip_default(opened), 65536, 7, 20000, p) != SLIP_OK)
        return 1;
    return 8;
}

static void case_58_a_process_may_end_with_a_kernel_in_flight(void)
{
    CHECK_EQ_I64(run_in_child(leave_with_a_kernel_in_flight), 8);
}

enum { N59 = 100000 };
static int32_t numbers[N59];

static bool counts_right(void)
{
    for (int round = 0; round < 10; round++) {
        numbers[N59 - 1] = -1;
        if (iota(slip_default(device), N59, numbers) != SLIP_OK || numbers[N59 - 1] != N59 - 1)
            return false;
    }
    return true;
}

/* Refused with a message that has the word fork in it, on a device of before and on a new one. */
static bool refuses_after_fork(void)
{
    slip_device *another = NULL;

    numbers[0] = 5;
    if (iota(slip_default(device), N59, numbers) != SLIP_ERR_UNSUPPORTED || numbers[0] != 5 ||
        !strstr(slip_last_error()->message, "forked"))
        return false;
    return slip_device_open(cases_family(), &another) != SLIP_OK && !another &&
           strstr(slip_last_error()->message, "forked");
}

/* The CPU's devices go with a fork; others stay behind, and the CPU serves. */
static int launch_after_fork(void)
{
    if (strcmp(cases_family(), "cpu") != 0) {
        if (!refuses_after_fork())
            return 1;
        slip_device_close(device);
        if (slip_device_open("cpu", &device) != SLIP_OK)
            return 2;
    }
    /* Past the exit handlers of others: Mesa's waits for threads that only the parent has. */
    _exit(counts_right() ? 9 : 3);
}

static void case_59_a_forked_child_has_the_cpu(void)
{
    device = open_device();
    CHECK(counts_right());
    CHECK_EQ_I64(run_in_child(launch_after_fork), 9);
    CHECK(counts_right()); /* and the parent goes on */
    slip_device_close(device);
}

enum { THREADS = 8, N61 = 1024, ROUNDS61 = 1000 };

static void *launch_many(void *user)
{
    int32_t *a = malloc(N61 * 4);
    slip_stream *on = NULL;
    int64_t sum = 0;

    (void)user;
    if (!a || slip_stream_create(device, &on) != SLIP_OK)
        return (void *)1;
    for (int round = 0; round < ROUNDS61; round++) {
        memset(a, 0xff, N61 * 4);
        if (iota(on, N61, a) != SLIP_OK || total_i32(on, N61, a, &sum) != SLIP_OK || sum != 523776)
            return (void *)1;
    }
    slip_stream_destroy(on);
    free(a);
    return NULL;
}

/* 0 + 1 + ... + 1023 = 523776, in every thread, every time. */
static void case_61_eight_threads_launch_at_once(void)
{
    pthread_t threads[THREADS];
    void *failed = NULL;

    device = open_device();
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_create(&threads[t], NULL, launch_many, NULL) == 0);
    for (int t = 0; t < THREADS; t++) {
        void *one = NULL;
        pthread_join(threads[t], &one);
        if (one)
            failed = one;
    }
    CHECK(failed == NULL);
    slip_device_close(device);
}

static const check_case cases[] = {
    CASE(case_58_a_process_may_end_without_closing),
    CASE(case_58_a_process_may_end_with_a_kernel_in_flight),
    CASE(case_59_a_forked_child_has_the_cpu),
    CASE(case_61_eight_threads_launch_at_once),
};
CHECK_MAIN(cases)
