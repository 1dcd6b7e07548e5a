/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_stream.c - a stream's open list, its submissions, and waiting for them.
 *
 * What a call recorded is sent at once where nothing is pending on the stream; behind pending work
 * it may wait for company, and is sent by whatever asks about the stream, or by the helper.
 */
#include <inttypes.h>
#include <string.h>

#include "launch/queue_parts.h"

/* ---- recording ------------------------------------------------------------------------------- */

static slip_status called(queue_stream *s, slip_status status)
{
    counters_add(&s->counts->driver_calls, 1);
    return queue_seen(s->device, status);
}

slip_status queue_recorded(queue_stream *s, slip_status status)
{
    s->recorded += status == SLIP_OK;
    return called(s, status);
}

slip_status queue_copy(queue_stream *s, const queue_place *to, uint64_t to_offset,
                       const queue_place *from, uint64_t from_offset, uint64_t bytes)
{
    return queue_recorded(s,
                          s->device->driver->copy(s->self, to->memory, to->offset + to_offset,
                                                  from->memory, from->offset + from_offset, bytes));
}

slip_status queue_barrier(queue_stream *s)
{
    if (s->recorded == 0 && queue_reached(s, s->submitted))
        return SLIP_OK;
    return queue_recorded(s, s->device->driver->barrier(s->self, QUEUE_BARRIER_TASKS));
}

static void forget_list(queue_stream *s)
{
    s->recorded = s->tasks = s->deferred = 0;
}

void queue_discard(queue_stream *s)
{
    if (s->recorded > 0)
        s->device->driver->discard(s->self);
    queue_blocks_discarded(s);
    forget_list(s);
}

/* ---- submitting ------------------------------------------------------------------------------ */

slip_status queue_submit(queue_stream *s)
{
    uint64_t value = 0;

    if (s->recorded == 0 && s->after_count == 0)
        return SLIP_OK;
    slip_status status =
        called(s, s->device->driver->submit(s->self, s->after, s->after_count, &value));
    if (status != SLIP_OK) {
        if (s->deferred > 0)
            fail_note("while submitting it with %" PRIu32 " earlier calls, which are lost too",
                      s->deferred);
        if (status != SLIP_ERR_LOST)
            queue_calls_dropped(s);
        queue_discard(s);
        return status;
    }
    counters_add(&s->counts->submissions, 1);
    s->submitted = value;
    if (s->after_count > 0)
        s->after_value = value;
    s->after_count = 0;
    queue_blocks_submitted(s, value);
    forget_list(s);
    return SLIP_OK;
}

slip_status queue_submit_later(queue_stream *s)
{
    if (s->recorded == 0)
        return SLIP_OK;
    if (s->deferred + 1 >= QUEUE_MOST_DEFERRED || queue_reached(s, s->submitted) ||
        !queue_helper_wake(s))
        return queue_submit(s);
    s->deferred++;
    return SLIP_OK;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void raise_to(_Atomic uint64_t *at, uint64_t value)
{
    uint64_t now = atomic_load_explicit(at, memory_order_relaxed);

    while (now < value && !atomic_compare_exchange_weak_explicit(
                              at, &now, value, memory_order_release, memory_order_relaxed))
        continue;
}

bool queue_reached(queue_stream *s, uint64_t value)
{
    uint64_t now = 0;

    if (atomic_load_explicit(&s->known, memory_order_acquire) >= value)
        return true;
    bool clean = fail_last()->code == SLIP_OK;
    if (queue_seen(s->device, s->device->driver->reached(s->self, &now)) != SLIP_OK) {
        if (clean)
            fail_clear(); /* whoever needs the value waits for it, and is told */
        return false;
    }
    raise_to(&s->known, now);
    return now >= value;
}

/* A value that was only seen reached is waited for all the same: the wait is what lets the host
 * read (Vulkan: vkGetSemaphoreCounterValue makes no memory visible). */
slip_status queue_wait(queue_stream *s, uint64_t value, counters *counts)
{
    uint64_t from = counts ? counters_now() : 0;

    if (atomic_load_explicit(&s->waited, memory_order_acquire) >= value)
        return SLIP_OK;
    slip_status status =
        queue_seen(s->device, s->device->driver->wait(s->self, value, QUEUE_SPIN_NS));
    if (counts) {
        counters_add(&counts->driver_calls, 1);
        counters_add(&counts->host_waits, 1);
        counters_add_shared(&counts->host_blocked_ns, counters_now() - from);
    }
    if (status == SLIP_OK) {
        raise_to(&s->known, value);
        raise_to(&s->waited, value);
    }
    return status;
}

slip_status queue_drain(queue_stream *s)
{
    return queue_wait(s, s->submitted, s->counts);
}

void queue_end(queue_stream *s)
{
    slip_status status = queue_drain(s);

    (void)status;
}

slip_status queue_tell_lost(queue_stream *s)
{
    slip_error lost = s->lost;

    if (atomic_load_explicit(&s->device->lost, memory_order_relaxed))
        return loss_tell(&s->device->loss);
    if (lost.code == SLIP_OK)
        return SLIP_OK;
    s->lost.code = SLIP_OK;
    return SLIP_FAIL(lost.code, "earlier calls on this stream did not run: %s", lost.message);
}

/* ---- slots of the launcher ------------------------------------------------------------------- */

/* The rest is that of the last call. */
slip_status queue_stream_sync(void *stream, void **out_rest)
{
    queue_stream *s = stream;
    queue_call c = { .stream = s };

    pthread_mutex_lock(&s->lock);
    bool leaves = out_rest && s->call > 0 && s->lost.code == SLIP_OK;
    slip_status status = queue_submit(s);
    if (status == SLIP_OK)
        status = leaves ? queue_last_wait(&c) : queue_drain(s);
    if (status == SLIP_OK)
        status = queue_tell_lost(s);
    queue_keep_rest(&c, status, out_rest);
    pthread_mutex_unlock(&s->lock);
    return queue_told(s->device, status);
}

slip_status queue_stream_mark(void *stream, uint64_t *out)
{
    queue_stream *s = stream;

    pthread_mutex_lock(&s->lock);
    slip_status status = queue_submit(s);
    if (status == SLIP_OK)
        status = queue_tell_lost(s);
    if (status == SLIP_OK)
        *out = s->submitted;
    pthread_mutex_unlock(&s->lock);
    return queue_told(s->device, status);
}

bool queue_stream_passed(void *stream, uint64_t mark)
{
    queue_stream *s = stream;

    return queue_reached(s, mark) || atomic_load_explicit(&s->device->lost, memory_order_relaxed);
}

slip_status queue_mark_wait(void *stream, uint64_t mark)
{
    queue_stream *s = stream;

    return queue_told(s->device, queue_wait(s, mark, NULL));
}

static bool raise_point(queue_stream *s, const queue_point *point)
{
    for (uint32_t k = 0; k < s->after_count; k++)
        if (s->after[k].stream == point->stream) {
            if (s->after[k].value < point->value)
                s->after[k].value = point->value;
            return true;
        }
    return false;
}

static slip_status add_point(queue_stream *s, const queue_point *point)
{
    if (raise_point(s, point))
        return SLIP_OK;
    if (s->after_count == QUEUE_MOST_AFTER)
        SLIP_TRY(queue_submit(s));
    s->after[s->after_count++] = *point;
    return SLIP_OK;
}

slip_status queue_stream_after(void *stream, void *other, uint64_t mark)
{
    queue_stream *s = stream;
    queue_point point = { ((queue_stream *)other)->self, mark };
    slip_status status = SLIP_OK;

    if (other == stream)
        return SLIP_OK;
    pthread_mutex_lock(&s->lock);
    if (s->recorded > 0) /* what is recorded already does not wait for the point */
        status = queue_submit(s);
    if (status == SLIP_OK)
        status = add_point(s, &point);
    pthread_mutex_unlock(&s->lock);
    return queue_told(s->device, status);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void link_stream(queue_stream *s)
{
    queue_device *device = s->device;

    pthread_mutex_lock(&device->lock);
    s->next = device->streams;
    if (s->next)
        s->next->previous = s;
    device->streams = s;
    pthread_mutex_unlock(&device->lock);
}

static void unlink_stream(queue_stream *s)
{
    queue_device *device = s->device;

    pthread_mutex_lock(&device->lock);
    if (s->next)
        s->next->previous = s->previous;
    if (s->previous)
        s->previous->next = s->next;
    else
        device->streams = s->next;
    pthread_mutex_unlock(&device->lock);
}

slip_status queue_stream_open(void *device, bool is_default, counters *counts, void **out)
{
    queue_device *d = device;
    queue_stream *made = NULL;

    (void)is_default; /* streams of a queue are alike */
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = d->driver->stream_open(d->self, &made->self);
    if (status != SLIP_OK) {
        mem_free(made);
        return status;
    }
    made->device = d;
    made->counts = counts;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work, NULL);
    link_stream(made);
    *out = made;
    return SLIP_OK;
}

/* `gone` has ended: nothing need wait for it any more. */
static void forget_point(queue_stream *s, const queue_stream *gone)
{
    for (uint32_t k = 0; k < s->after_count; k++)
        if (s->after[k].stream == gone->self)
            s->after[k--] = s->after[--s->after_count];
}

/* A timeline must outlive what waits for it, also where that has nothing left to wait for
 * (Vulkan: VUID-vkDestroySemaphore-semaphore-01137). */
static void part_from_others(queue_stream *gone)
{
    bool clean = fail_last()->code == SLIP_OK;

    pthread_mutex_lock(&gone->device->lock);
    for (queue_stream *s = gone->device->streams; s; s = s->next) {
        if (s == gone)
            continue;
        pthread_mutex_lock(&s->lock);
        forget_point(s, gone);
        uint64_t value = s->after_value;
        pthread_mutex_unlock(&s->lock);
        if (!queue_reached(s, value) && queue_wait(s, value, NULL) != SLIP_OK && clean)
            fail_clear();
    }
    pthread_mutex_unlock(&gone->device->lock);
}

static void free_stream(queue_stream *s)
{
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    rest_finish(&s->rests);
    mem_free(s->classes);
    mem_free(s->loops);
    mem_free(s->taken);
    mem_free(s);
}

void queue_stream_close(void *stream)
{
    queue_stream *s = stream;
    bool clean = fail_last()->code == SLIP_OK;

    if (!s)
        return;
    if (!s->device->forked)
        rest_await(&s->rests, UINT64_MAX);
    pthread_mutex_lock(&s->lock);
    if (!s->device->forked && (queue_submit(s) != SLIP_OK || queue_drain(s) != SLIP_OK) && clean)
        fail_clear(); /* the device is lost, and nothing of it runs any more */
    pthread_mutex_unlock(&s->lock);
    queue_helper_stop(s);
    if (!s->device->forked)
        part_from_others(s);
    unlink_stream(s);
    queue_blocks_finish(s);
    if (!s->device->forked)
        s->device->driver->stream_close(s->device->self, s->self);
    free_stream(s);
}
