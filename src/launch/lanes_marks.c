/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_marks.c - points of streams that somebody asks for.
 *
 * A mark is the number of a call; an event behind it is recorded when the mark is asked for and the
 * call is not known to have ended. A call records none. Marks are used by any thread, under the
 * device's lock, which nobody holds while he waits.
 */
#include "launch/lanes_parts.h"

/* The oldest mark that is at `number` or behind it; NULL: none is, and the call has ended. */
static lanes_mark *mark_at(const lanes_stream *s, uint64_t number)
{
    lanes_mark *mark = s->marks;

    while (mark && mark->number < number)
        mark = mark->next;
    return mark;
}

/* Takes the oldest mark where nobody needs it any more. */
static slip_status take_passed(lanes_stream *s, lanes_mark **out)
{
    lanes_device *d = s->device;
    lanes_mark *oldest = s->marks;
    bool passed = false;

    if (!oldest || oldest->waiting > 0)
        return SLIP_OK;
    SLIP_TRY(lanes_device_told(d, 0, d->driver->event_passed(d->self, oldest->event, &passed)));
    if (!passed)
        return SLIP_OK;
    lanes_ended(s, oldest->number);
    s->marks = oldest->next;
    *out = oldest;
    return SLIP_OK;
}

static slip_status make_mark(lanes_stream *s, lanes_mark **out)
{
    lanes_device *d = s->device;
    lanes_mark *made = s->free_marks;

    if (made) {
        s->free_marks = made->next;
        *out = made;
        return SLIP_OK;
    }
    SLIP_TRY(take_passed(s, out));
    if (*out)
        return SLIP_OK;
    SLIP_TRY(mem_new(sizeof *made, (void **)&made));
    slip_status status = lanes_device_told(d, 0, d->driver->event_new(d->self, &made->event));
    if (status != SLIP_OK)
        mem_free(made);
    else
        *out = made;
    return status;
}

static void append(lanes_stream *s, lanes_mark *mark)
{
    lanes_mark **at = &s->marks;

    while (*at)
        at = &(*at)->next;
    mark->next = NULL;
    *at = mark;
}

/* Under the stream's lock, as calls are numbered. */
static void count_as_call(lanes_stream *s, const char *name)
{
    uint64_t number = lanes_queued(s) + 1;

    loss_remember(&s->calls, number, name);
    atomic_store_explicit(&s->queued, number, memory_order_relaxed);
}

/* Where other code queues too there may be work behind the last mark, which counts as a call. */
static slip_status note_mark(lanes_stream *s)
{
    lanes_device *d = s->device;
    lanes_mark *mark = NULL;

    if (!s->foreign && mark_at(s, lanes_queued(s)))
        return SLIP_OK;
    SLIP_TRY(make_mark(s, &mark));
    slip_status status =
        lanes_device_told(d, 0, d->driver->record(d->self, s->lanes[0].self, mark->event));
    if (status != SLIP_OK) {
        mark->next = s->free_marks;
        s->free_marks = mark;
        return status;
    }
    if (s->foreign)
        count_as_call(s, "work of other code");
    mark->number = lanes_queued(s);
    append(s, mark);
    return SLIP_OK;
}

slip_status lanes_mark_new(void *stream, uint64_t *out)
{
    lanes_stream *s = stream;
    lanes_device *d = s->device;
    stream_guard guard;

    SLIP_TRY(lanes_enter(d, &guard));
    slip_status status = lanes_check_free(s, "a point that is waited for");
    if (status == SLIP_OK && (s->foreign || lanes_known(s) < lanes_queued(s))) {
        pthread_mutex_lock(&d->lock);
        status = note_mark(s);
        pthread_mutex_unlock(&d->lock);
    }
    if (status == SLIP_OK)
        *out = lanes_queued(s);
    lanes_leave(d, &guard);
    return status;
}

/* Entered, under the device's lock. */
static slip_status look_at(lanes_stream *s, uint64_t number)
{
    lanes_device *d = s->device;
    const lanes_mark *mark = mark_at(s, number);
    bool passed = false;

    if (!mark)
        return SLIP_OK;
    SLIP_TRY(lanes_device_told(d, 0, d->driver->event_passed(d->self, mark->event, &passed)));
    if (passed)
        lanes_ended(s, mark->number);
    return SLIP_OK;
}

bool lanes_mark_passed(void *stream, uint64_t mark)
{
    lanes_stream *s = stream;
    lanes_device *d = s->device;
    slip_error before = *fail_last();
    stream_guard guard;

    if (lanes_known(s) >= mark)
        return true;
    if (lanes_enter(d, &guard) == SLIP_OK) {
        pthread_mutex_lock(&d->lock);
        slip_status status = look_at(s, mark);
        pthread_mutex_unlock(&d->lock);
        lanes_leave(d, &guard);
        (void)status; /* whoever needs the mark waits for it, and is told */
    }
    fail_restore(&before);
    return lanes_known(s) >= mark || atomic_load_explicit(&d->lost, memory_order_relaxed);
}

/* The mark stays in the list while it is waited for. */
static slip_status wait_at(lanes_stream *s, uint64_t number)
{
    lanes_device *d = s->device;

    pthread_mutex_lock(&d->lock);
    lanes_mark *mark = mark_at(s, number);
    if (mark)
        mark->waiting++;
    pthread_mutex_unlock(&d->lock);
    if (!mark)
        return SLIP_OK;
    uint64_t from = counters_now();
    slip_status status = lanes_device_told(d, from, d->driver->event_wait(d->self, mark->event));
    pthread_mutex_lock(&d->lock);
    mark->waiting--;
    if (status == SLIP_OK)
        lanes_ended(s, mark->number);
    pthread_mutex_unlock(&d->lock);
    return status;
}

slip_status lanes_mark_wait(void *stream, uint64_t mark)
{
    lanes_stream *s = stream;
    stream_guard guard;

    if (lanes_known(s) >= mark)
        return SLIP_OK;
    SLIP_TRY(lanes_enter(s->device, &guard));
    slip_status status = wait_at(s, mark);
    lanes_leave(s->device, &guard);
    return status;
}

/* Entered. The event is not recorded again while the lock is held. The stream holds work from then
 * on: what is ordered behind it is also behind the other stream's. */
static slip_status order_after(lanes_stream *s, const lanes_stream *other, uint64_t number)
{
    lanes_device *d = s->device;
    slip_status status = SLIP_OK;

    pthread_mutex_lock(&d->lock);
    const lanes_mark *mark = mark_at(other, number);
    if (mark)
        status = lanes_told(s, d->driver->stream_after(d->self, s->lanes[0].self, mark->event));
    if (mark && status == SLIP_OK)
        count_as_call(s, "order behind another stream");
    pthread_mutex_unlock(&d->lock);
    return status;
}

slip_status lanes_mark_after(void *stream, void *other, uint64_t mark)
{
    lanes_stream *s = stream;
    stream_guard guard;

    SLIP_TRY(lanes_enter(s->device, &guard));
    slip_status status = lanes_check_free(s, "order after work outside of it");
    if (status == SLIP_OK && other != stream && lanes_known(other) < mark)
        status = order_after(s, other, mark);
    lanes_leave(s->device, &guard);
    return status;
}
