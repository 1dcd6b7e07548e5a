/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue_loss.c - which calls of a stream are not known to have ended, for when the device is lost.
 *
 * A call that returned may be in the open list still: it ends with the next submission.
 */
#include "launch/queue_parts.h"

static _Atomic uint64_t *value_of(queue_stream *s, uint64_t number)
{
    return &s->values[number % LOSS_CALLS];
}

static uint64_t noted(const queue_stream *s)
{
    return atomic_load_explicit(&s->noted, memory_order_relaxed);
}

void queue_call_noted(queue_stream *s, const char *name)
{
    uint64_t number = noted(s) + 1;

    loss_remember(&s->calls, number, name);
    atomic_store_explicit(value_of(s, number), UINT64_MAX, memory_order_relaxed);
    atomic_store_explicit(&s->noted, number, memory_order_relaxed);
}

/* Values only grow: whatever value the next submission has, it is reached when this one's successor
 * is. Of what the loss of the device interrupted nobody knows how far it came. */
void queue_call_ended(queue_stream *s, uint64_t submitted_before, slip_status status)
{
    bool open = s->recorded > 0;

    if (status == SLIP_ERR_LOST)
        return;
    if (!open && s->submitted == submitted_before) {
        atomic_store_explicit(&s->noted, noted(s) - 1, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(value_of(s, noted(s)), s->submitted + open, memory_order_relaxed);
}

void queue_calls_dropped(queue_stream *s)
{
    for (int k = 0; k < LOSS_CALLS; k++)
        if (atomic_load_explicit(&s->values[k], memory_order_relaxed) == s->submitted + 1)
            atomic_store_explicit(&s->values[k], 0, memory_order_relaxed);
}

/* Under the device's lock; its threads may be recording. */
static void list_calls(loss_list *list, queue_stream *s)
{
    uint64_t known = atomic_load_explicit(&s->known, memory_order_acquire), last = noted(s);
    uint64_t first = last < LOSS_CALLS ? 1 : last - LOSS_CALLS + 1;

    loss_list_stream(list);
    for (uint64_t k = first; k <= last; k++) {
        if (atomic_load_explicit(value_of(s, k), memory_order_relaxed) <= known)
            continue;
        if (k == first && first > 1)
            loss_list_before(list, UINT64_MAX);
        loss_list_add(list, loss_name(&s->calls, k));
    }
}

slip_status queue_lost(queue_device *d)
{
    queue_stream *s;
    loss_list list;

    pthread_mutex_lock(&d->lock);
    loss_list_begin(&list);
    for (s = d->streams; s && s->next; s = s->next) /* the newest first */
        continue;
    for (; s; s = s->previous)
        list_calls(&list, s);
    loss_note(&d->loss, &list);
    pthread_mutex_unlock(&d->lock);
    return SLIP_ERR_LOST;
}
