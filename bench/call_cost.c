/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call_cost.c - what a call costs the host, and its parts, on the CPU family.
 *
 * Each row is the best of many batches of one repeated call. The parts are measured where they can
 * be had alone (an indirect call, a lock) and as differences where not (an array more, a scalar
 * more).
 *     SLIPWAY_CPU_THREADS=2 build/bench/call_cost
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <slipway/slipway.h>

#include "call_kernels.slip.h"
#include "need.h"
#include "timing.h"

enum { BATCH = 20000, BATCHES = 60, MOST = 4096, TARGET_NS = 100 };

static slip_stream *stream;
static int32_t memory[8][MOST];
static int32_t n = 1;

static void call_no_task(void)
{
    need(no_task(stream));
}
static void call_one_task(void)
{
    need(one_task(stream, n));
}
static void call_one_array(void)
{
    need(one_array(stream, n, memory[0]));
}
static void call_eight_arrays(void)
{
    need(eight_arrays(stream, n, memory[0], memory[1], memory[2], memory[3], memory[4], memory[5],
                      memory[6], memory[7]));
}
static void call_eight_scalars(void)
{
    need(eight_scalars(stream, n, memory[0], 1, 2, 3, 4, 5, 6, 7, 8));
}
static void call_one_result(void)
{
    int64_t sum;

    need(one_result(stream, n, &sum));
}
static void call_eight_tasks(void)
{
    need(eight_tasks(stream, n, memory[0]));
}

/* The same array moved on by an element each time, so that the last call's findings never hold. */
static void call_moving_array(void)
{
    static int at;

    at = (at + 1) % 64;
    need(one_array(stream, n, memory[0] + at));
}

static void empty(void)
{
}
static void (*volatile indirect)(void) = empty;
static void call_indirect(void)
{
    indirect();
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take_lock(void)
{
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
}

/* The best batch's time per call, so that what else the machine does is left out. */
static double cost_of(void (*call)(void))
{
    double best = 1e18;

    for (int b = 0; b < BATCHES; b++) {
        double from = 1e9 * timing_now();
        for (int k = 0; k < BATCH; k++)
            call();
        double took = (1e9 * timing_now() - from) / BATCH;
        best = took < best ? took : best;
    }
    return best;
}

static void row(const char *what, double ns)
{
    printf("%-46s %8.1f ns\n", what, ns);
}

int main(void)
{
    slip_device *device;

    need(slip_device_open("cpu", &device));
    stream = slip_default(device);

    double no_task_ns = cost_of(call_no_task), one_task_ns = cost_of(call_one_task);
    double array_ns = cost_of(call_one_array), arrays_ns = cost_of(call_eight_arrays);
    double scalars_ns = cost_of(call_eight_scalars), tasks_ns = cost_of(call_eight_tasks);
    row("a call without a task", no_task_ns);
    row("a call, one small task, no arrays", one_task_ns);
    row("a call, one small task, one array", array_ns);
    row("a call, one small task, eight arrays", arrays_ns);
    row("a call, one small task, a result by reduction", cost_of(call_one_result));
    row("a call, eight small tasks in a loop", tasks_ns);
    row("a call whose array is never the last one's", cost_of(call_moving_array));
    printf("parts\n");
    row("  an indirect call", cost_of(call_indirect));
    row("  the lock, taken and given back", cost_of(take_lock));
    row("  look-up: an array more, found as last time", (arrays_ns - array_ns) / 7);
    row("  packing: a scalar more", (scalars_ns - array_ns) / 8);
    row("  a task more", (tasks_ns - array_ns) / 7);
    n = 256;
    row("a call, 256 iterations, one array", cost_of(call_one_array));
    n = 1;
    printf("a call with one small task: %.0f ns, target %d ns: %s\n", one_task_ns, TARGET_NS,
           one_task_ns <= TARGET_NS ? "met" : "missed");
    slip_device_close(device);
    return 0;
}
