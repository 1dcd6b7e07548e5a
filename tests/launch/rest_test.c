/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rest_test.c - what a call does when its steps are queued: other calls of its stream, begun and
 * ended meanwhile, take nothing from it, and nobody waits for its lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "launch/lanes_parts.h"
#include "launch/queue_case.h"
#include "launch/stream_case.h"
#include "support/check.h"

enum { COUNT = 700, BYTES = COUNT * 4, KINDS = 3, MOST_JOBS = 40, THREADS = 6, ROUNDS = 40 };

static case_run run, second;
static case_kernel kernels[KINDS];

/* ---- a call and what must come of it --------------------------------------------------------- */

typedef struct job {
    int kind; /* 0: y comes back alone; 1: r and y; 2: a result */
    int32_t x[COUNT], y[COUNT], r[COUNT], want_y[COUNT], want_r[COUNT];
    int64_t result, want;
} job;

static void job_begin(job *j, int kind, int32_t from)
{
    *j = (job){ .kind = kind, .result = -1 };
    for (int32_t i = 0; i < COUNT; i++) {
        j->x[i] = from + 3 * i;
        j->y[i] = 7 * from - i;
        j->r[i] = -5;
        j->want_y[i] = kind == 0 ? 2 * j->x[i] + j->y[i] : kind == 1 ? 3 * j->y[i] + 1 : j->y[i];
        j->want_r[i] = kind == 1 ? j->x[i] + 5 : -5;
        j->want += j->x[i];
    }
    j->want = kind == 2 ? j->want : -1;
}

static slip_status job_call(job *j, case_run *on)
{
    case_given saxpy[] = { given_number(COUNT), given_number(2), given_host(j->x, COUNT),
                           given_host(j->y, COUNT) };
    case_given pair[] = { given_number(COUNT), given_number(COUNT), given_host(j->x, COUNT),
                          given_host(j->r, COUNT), given_host(j->y, COUNT) };
    case_given sum[] = { given_number(COUNT), given_host(j->x, COUNT) };

    return case_call(on, &kernels[j->kind],
                     j->kind == 0   ? saxpy
                     : j->kind == 1 ? pair
                                    : sum,
                     j->kind == 2 ? &j->result : NULL);
}

static bool job_right(const job *j)
{
    return memcmp(j->y, j->want_y, BYTES) == 0 && memcmp(j->r, j->want_r, BYTES) == 0 &&
           j->result == j->want;
}

static void make_kernels(void)
{
    kernel_saxpy(&kernels[0]);
    kernel_pair(&kernels[1]);
    kernel_sum(&kernels[2]);
}

/* ---- calls within calls ---------------------------------------------------------------------- */

static job jobs[MOST_JOBS];
static int depth, deepest, after;

/* While a call has its rest, others come and end: one in which this goes on, and one more. */
static void nest(case_run *on)
{
    if (depth < deepest) {
        job *j = &jobs[depth++];
        job_begin(j, (depth + after) % KINDS, depth);
        CHECK_STATUS(job_call(j, on), SLIP_OK);
    } else if (after-- > 0) {
        job j;
        job_begin(&j, after % KINDS, 100 + after);
        CHECK_STATUS(job_call(&j, on), SLIP_OK);
        CHECK(job_right(&j));
    }
}

static void nest_calls(case_run *on, int most)
{
    for (deepest = 1; deepest <= most; deepest++)
        for (int first = 0; first < KINDS; first++) {
            depth = 0;
            after = 4 + first;
            on->around = NULL;
            on->between = nest;
            nest(on);
            on->between = NULL;
            for (int k = 0; k < depth; k++)
                if (!job_right(&jobs[k]))
                    CHECK_FAIL("call %d of %d gets what is another's", k, deepest);
        }
}

/* By the facts of both drivers, on the default stream, where copies may be the driver's own, and on
 * another. Beyond REST_CALLS the wait is made under the lock. */
static void calls_within_calls_of_a_stream_keep_what_is_theirs(void)
{
    for (uint32_t k = 0; k < CASE_SETTINGS / 2; k++) {
        stream_case_open(&run, stream_case_settings(k));
        make_kernels();
        nest_calls(&run, k == 3 ? REST_CALLS + 3 : 4);
        stream_case_second(&run, &second);
        nest_calls(&second, k == 4 ? REST_CALLS + 3 : 4);
        stream_case_end_second(&second);
        stream_case_close(&run);
    }
}

#ifndef SLIP_TEST_SMALL /* where there is one slot, a call waits for the others to give it back */
static void calls_within_calls_of_a_queue_keep_what_is_theirs(void)
{
    for (uint32_t k = 0; k < 8; k++) {
        case_open(&run, (fake_queue_settings){
                            .seed = k + 1, .device_mapped = k % 2, .eager = k / 2 % 2 });
        make_kernels();
        nest_calls(&run, k == 3 ? REST_CALLS + 3 : 4);
        case_close(&run);
    }
}
#endif

/* ---- one by one ------------------------------------------------------------------------------ */

static void nobody_waits_for_a_rest_that_is_over(void)
{
    rest_calls r = { 0 };

    CHECK_EQ_U64(rest_oldest(&r), UINT64_MAX);
    rest_await(&r, UINT64_MAX);
    rest_call *first = rest_take(&r, 5), *second_rest = rest_take(&r, 7);
    CHECK(first && second_rest && first != second_rest);
    CHECK_EQ_U64(rest_oldest(&r), 5);
    rest_await(&r, 4);
    rest_give(first);
    CHECK_EQ_U64(rest_oldest(&r), 7);
    rest_await(&r, 6);
    for (uint64_t k = 1; k < REST_CALLS; k++)
        CHECK(rest_take(&r, 7 + k) != NULL);
    CHECK(rest_take(&r, 50) == NULL);
    for (uint32_t k = 0; k < REST_CALLS; k++)
        rest_give(&r.all[k]);
    rest_await(&r, UINT64_MAX); /* also where it is asked for what was there a moment ago */
    rest_await(&r, 7);
    rest_finish(&r);
}

/* ---- copies, and waiting for the stream ------------------------------------------------------ */

static void other_calls(case_run *on)
{
    for (int k = 0; k < 2 * KINDS; k++) {
        job j;
        job_begin(&j, k % KINDS, 50 + k);
        CHECK_STATUS(job_call(&j, on), SLIP_OK);
        CHECK(job_right(&j));
    }
}

/* A copy, and a wait for the stream, of which a rest is left: calls come and end meanwhile. */
static void rest_of_copies(case_run *on)
{
    static int32_t x[COUNT], y[COUNT];
    launch_memory memory = { 0 };
    void *first = NULL, *second_rest = NULL, *sync = NULL;

    on->around = NULL;
    for (int32_t i = 0; i < COUNT; i++) {
        x[i] = 11 * i;
        y[i] = -1;
    }
    CHECK_STATUS(on->family->memory_new(on->device, BYTES, LAUNCH_MEMORY_DEVICE, &memory), SLIP_OK);
    CHECK_STATUS(on->family->copy_up(on->stream, &memory, 0, x, BYTES), SLIP_OK);
    CHECK_STATUS(on->family->copy_down(on->stream, y, &memory, 0, BYTES / 2, &first), SLIP_OK);
    CHECK_STATUS(on->family->copy_down(on->stream, y + COUNT / 2, &memory, BYTES / 2, BYTES / 2,
                                       &second_rest),
                 SLIP_OK);
    CHECK(first && second_rest && y[0] == -1);
    CHECK_STATUS(on->family->stream_sync(on->stream, &sync), SLIP_OK);
    CHECK(sync != NULL);
    other_calls(on);
    CHECK(y[0] == -1 && y[COUNT - 1] == -1);
    CHECK_STATUS(on->family->finish(on->stream, second_rest), SLIP_OK);
    CHECK_STATUS(on->family->finish(on->stream, first), SLIP_OK);
    CHECK_STATUS(on->family->finish(on->stream, sync), SLIP_OK);
    CHECK(memcmp(x, y, BYTES) == 0);
    on->family->memory_drop(on->device, &memory);
}

static void copies_of_a_stream_leave_a_rest(void)
{
    for (uint32_t k = 0; k < CASE_SETTINGS / 2; k++) {
        stream_case_open(&run, stream_case_settings(k));
        make_kernels();
        rest_of_copies(&run);
        stream_case_second(&run, &second);
        rest_of_copies(&second);
        stream_case_end_second(&second);
        stream_case_close(&run);
    }
}

#ifndef SLIP_TEST_SMALL
static void copies_of_a_queue_leave_a_rest(void)
{
    for (uint32_t k = 0; k < 6; k++) {
        case_open(&run, (fake_queue_settings){ .seed = k + 1, .device_mapped = k % 2 });
        make_kernels();
        rest_of_copies(&run);
        case_close(&run);
    }
}
#endif

/* ---- threads --------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the runtime's, of the stream */
static atomic_int queued;

static void unlock(case_run *on)
{
    (void)on;
    atomic_fetch_add(&queued, 1);
    pthread_mutex_unlock(&lock);
}

typedef struct caller {
    pthread_t thread;
    job job;
    int index, rounds;
    const char *wrong;
} caller;

static bool take_lock(void)
{
    struct timespec end;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 20;
    return pthread_mutex_timedlock(&lock, &end) == 0;
}

static void *call(void *user)
{
    caller *me = user;

    for (int round = 0; round < me->rounds && !me->wrong; round++) {
        job_begin(&me->job, (me->index + round) % KINDS, 10 * me->index + round);
        if (!take_lock()) {
            me->wrong = "the lock is held while another call waits";
            break;
        }
        if (job_call(&me->job, &run) != SLIP_OK)
            me->wrong = "the call failed";
        else if (!job_right(&me->job))
            me->wrong = "the values are another's";
    }
    return NULL;
}

static void start_all(caller *callers, int rounds)
{
    run.around = NULL;
    run.between = unlock;
    atomic_store(&queued, 0);
    for (int k = 0; k < THREADS; k++) {
        callers[k] = (caller){ .index = k, .rounds = rounds };
        CHECK_EQ_I64(pthread_create(&callers[k].thread, NULL, call, &callers[k]), 0);
    }
}

static void join_all(caller *callers)
{
    for (int k = 0; k < THREADS; k++)
        pthread_join(callers[k].thread, NULL);
    for (int k = 0; k < THREADS; k++)
        CHECK_TEXT(callers[k].wrong ? callers[k].wrong : "", "");
    run.between = NULL;
}

static void all_call(void)
{
    static caller callers[THREADS];

    start_all(callers, ROUNDS);
    join_all(callers);
}

/* Nothing ends before all have queued what is theirs. */
static void all_get_through(void (*hold)(bool held))
{
    static caller callers[THREADS];
    struct timespec pause = { 0, 1000000 };

    hold(true);
    start_all(callers, 1);
    for (int k = 0; k < 10000 && atomic_load(&queued) < THREADS; k++)
        nanosleep(&pause, NULL);
    int got_through = atomic_load(&queued);
    hold(false);
    join_all(callers);
    CHECK_EQ_I64(got_through, THREADS);
}

/* Once each, so that what is taken from the driver the first time is there. */
static void warm(void)
{
    job j;

    make_kernels();
    for (int kind = 0; kind < KINDS; kind++) {
        job_begin(&j, kind, kind);
        CHECK_STATUS(job_call(&j, &run), SLIP_OK);
        CHECK(job_right(&j));
    }
}

static void threads_queue_on_a_stream_while_others_wait(void)
{
    for (uint32_t k = 0; k < CASE_SETTINGS / 2; k++) {
        stream_case_open(&run, stream_case_settings(k));
        warm();
        all_get_through(fake_stream_hold);
        all_call();
        stream_case_close(&run);
    }
}

static void threads_queue_on_a_queue_while_others_wait(void)
{
    for (uint32_t k = 0; k < 4; k++) {
        case_open(&run, (fake_queue_settings){ .seed = k + 1, .device_mapped = k % 2 });
        warm();
#ifndef SLIP_TEST_SMALL
        all_get_through(fake_queue_hold);
#endif
        all_call();
        case_close(&run);
    }
}

/* Rings of one slot: who has none waits for those that copy out of theirs. */
static void threads_share_one_slot(void)
{
    for (uint32_t k = CASE_SETTINGS / 2; k < CASE_SETTINGS; k++) {
        stream_case_open_kth(&run, k);
        warm();
        all_call();
        stream_case_close(&run);
    }
}

static const check_case cases[] = {
    CASE(nobody_waits_for_a_rest_that_is_over),
    CASE(calls_within_calls_of_a_stream_keep_what_is_theirs),
    CASE(threads_queue_on_a_stream_while_others_wait),
    CASE(threads_share_one_slot),
    CASE(threads_queue_on_a_queue_while_others_wait),
    CASE(copies_of_a_stream_leave_a_rest),
#ifndef SLIP_TEST_SMALL
    CASE(calls_within_calls_of_a_queue_keep_what_is_theirs),
    CASE(copies_of_a_queue_leave_a_rest),
#endif
};
CHECK_MAIN(cases)
