/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_helper.c - the thread that sends what calls left in the open list, when no call comes
 * after.
 *
 * It sleeps until what was submitted before has ended. A stream that defers nothing has none. Once
 * the process has begun to exit it calls no driver any more: those are being taken down.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "launch/queue_parts.h"

static atomic_bool exiting;
static atomic_int busy; /* helpers that submit */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Calls nothing of a driver's, but lets a helper come out of one. */
static void begin_exit(void)
{
    struct timespec pause = { 0, 1000000 };

    atomic_store(&exiting, true);
    for (int k = 0; k < 1000 && atomic_load(&busy) > 0; k++)
        nanosleep(&pause, NULL);
}

static void note_exit(void)
{
    atexit(begin_exit);
}

static bool enter_driver(void)
{
    atomic_fetch_add(&busy, 1);
    if (!atomic_load(&exiting))
        return true;
    atomic_fetch_sub(&busy, 1);
    return false;
}

static void leave_driver(void)
{
    atomic_fetch_sub(&busy, 1);
}

/* The stream's lock is held. A failure is kept for the next call that can tell it. */
static slip_status submit_deferred(queue_stream *s)
{
    uint32_t calls = s->deferred;

    fail_clear();
    if (!enter_driver())
        return SLIP_OK;
    slip_status status = queue_submit(s);
    if (status != SLIP_OK) {
        s->lost = *fail_last();
        if (calls == 0)
            s->lost.code = SLIP_OK;
    }
    leave_driver();
    return status;
}

static void *run(void *stream)
{
    queue_stream *s = stream;

    pthread_mutex_lock(&s->lock);
    while (!s->closing && !atomic_load(&exiting)) {
        if (s->deferred == 0) {
            pthread_cond_wait(&s->work, &s->lock);
            continue;
        }
        uint64_t value = s->submitted;
        pthread_mutex_unlock(&s->lock);
        fail_clear();
        slip_status status = queue_wait(s, value, NULL);
        pthread_mutex_lock(&s->lock);
        if (s->deferred > 0 && (s->submitted == value || status != SLIP_OK))
            status = submit_deferred(s);
        if (status == SLIP_ERR_LOST) {
            pthread_mutex_unlock(&s->lock);
            (void)queue_lost(s->device);
            pthread_mutex_lock(&s->lock);
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static bool start(queue_stream *s)
{
    sigset_t all, before;

    pthread_once(&once, note_exit);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->has_helper = pthread_create(&s->helper, NULL, run, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s->has_helper;
}

bool queue_helper_wake(queue_stream *s)
{
    if (!s->has_helper && !start(s))
        return false;
    pthread_cond_signal(&s->work);
    return true;
}

void queue_helper_stop(queue_stream *s)
{
    pthread_mutex_lock(&s->lock);
    bool has = s->has_helper;
    s->closing = true;
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
    if (has)
        pthread_join(s->helper, NULL);
}

void queue_helper_after_fork(queue_stream *s)
{
    atomic_store(&busy, 0);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->work, NULL);
    s->has_helper = false;
}
