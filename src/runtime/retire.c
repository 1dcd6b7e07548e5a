/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retire.c - eras: each retired item gets the next number; each stream the last number it is known
 * to have passed.
 *
 * A stream has passed an era when its lock could be had after the era began, or when the lock was
 * given back twice since: whoever had it when the era began has ended then. Must never wait for a
 * stream.
 */
#include "runtime/retire.h"

#include "base/mem.h"

static void look_at(slip_device *device, slip_stream *stream)
{
    if (pthread_mutex_trylock(&stream->lock) == 0) {
        pthread_mutex_unlock(&stream->lock);
        stream->seen_era = device->era;
        stream->noted_era = 0;
        return;
    }
    uint64_t uses = atomic_load_explicit(&stream->uses, memory_order_acquire);
    if (stream->noted_era != 0 && uses < stream->noted_uses + 2)
        return;
    if (stream->noted_era != 0)
        stream->seen_era = stream->noted_era;
    stream->noted_era = device->era;
    stream->noted_uses = uses;
}

static void drop_until(slip_device *device, uint64_t era)
{
    for (retired **at = &device->retired; *at;) {
        retired *item = *at;
        if (item->era > era) {
            at = &item->next;
            continue;
        }
        *at = item->next;
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
    item->next = device->retired;
    device->retired = item;
    retire_sweep(device);
}

void retire_all(slip_device *device)
{
    drop_until(device, UINT64_MAX);
}
