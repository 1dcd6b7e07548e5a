/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retire.c - eras: each retired item gets the next number; each stream the last number it is known
 * to have passed.
 *
 * A stream has passed an era when it has passed a mark that was taken under its lock after the era
 * began: a call that could still see the item had the lock before. Where the lock cannot be had,
 * whoever has it takes the mark when giving it back. Must never wait for a stream.
 */
#include "runtime/retire.h"

#include "base/fail.h"
#include "base/mem.h"

/* The stream's lock is held. A mark that cannot be had is asked for again by the next sweep, and
 * nobody is told. */
static bool take_mark(slip_stream *stream, uint64_t *out)
{
    bool clean = fail_last()->code == SLIP_OK;

    if (stream->family->mark(stream->self, out) == SLIP_OK)
        return true;
    if (clean)
        fail_clear();
    return false;
}

/* A mark can be seen before the era that it is for: whoever reads an era and then a mark has that
 * era's or a later one. */
static void note(slip_stream *stream, uint64_t era, uint64_t mark)
{
    atomic_store_explicit(&stream->noted_mark, mark, memory_order_relaxed);
    atomic_store_explicit(&stream->noted_era, era, memory_order_release);
}

void retire_note(slip_stream *stream)
{
    uint64_t era = atomic_load_explicit(&stream->wanted_era, memory_order_acquire), mark = 0;

    atomic_store_explicit(&stream->wanted_era, 0, memory_order_relaxed);
    if (take_mark(stream, &mark))
        note(stream, era, mark);
}

/* False where the last mark noted is still ahead. */
static bool pass_noted(slip_stream *stream)
{
    uint64_t era = atomic_load_explicit(&stream->noted_era, memory_order_acquire);

    if (era == 0)
        return true;
    if (!stream->family->passed(stream->self,
                                atomic_load_explicit(&stream->noted_mark, memory_order_relaxed)))
        return false;
    stream->seen_era = era;
    atomic_store_explicit(&stream->noted_era, 0, memory_order_relaxed);
    return true;
}

/* Notes that are lost between this and retire_note are asked for again by the next sweep. */
static void look_at(slip_device *device, slip_stream *stream)
{
    uint64_t mark = 0;

    if (!pass_noted(stream) || stream->seen_era >= device->era)
        return;
    if (pthread_mutex_trylock(&stream->lock) != 0) {
        atomic_store_explicit(&stream->wanted_era, device->era, memory_order_release);
        return;
    }
    atomic_store_explicit(&stream->wanted_era, 0, memory_order_relaxed);
    if (take_mark(stream, &mark)) {
        if (stream->family->passed(stream->self, mark))
            stream->seen_era = device->era;
        else
            note(stream, device->era, mark);
    }
    pthread_mutex_unlock(&stream->lock);
}

/* Eras only grow along the list, so that nothing is looked at that has to stay. */
static void drop_until(slip_device *device, uint64_t era)
{
    while (device->retired && device->retired->era <= era) {
        retired *item = device->retired;
        device->retired = item->next;
        item->drop(device, item);
    }
}

void retire_sweep(slip_device *device)
{
    uint64_t passed = device->era;

    if (!device->retired)
        return;
    for (slip_stream *stream = device->streams; stream; stream = stream->next) {
        look_at(device, stream);
        if (stream->seen_era < passed)
            passed = stream->seen_era;
    }
    drop_until(device, passed);
}

void retire(slip_device *device, retired *item, void (*drop)(slip_device *, retired *))
{
    item->era = ++device->era;
    item->drop = drop;
    item->next = NULL;
    if (device->retired)
        device->newest_retired->next = item;
    else
        device->retired = item;
    device->newest_retired = item;
}

void retire_all(slip_device *device)
{
    drop_until(device, UINT64_MAX);
}
