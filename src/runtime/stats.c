/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats.c - the counters of a device: the sum over its streams, living and destroyed.
 *
 * Reset notes the sum as the new zero, so that nobody writes a counter but the stream's own call.
 */
#include "runtime/objects.h"

/* The device's lock is held. */
static slip_stats sum_of(slip_device *device)
{
    slip_stats sum = { 0 };

    counters_sum(&sum, &device->own);
    if (device->family->counts)
        counters_sum(&sum, device->family->counts(device->self));
    for (slip_stream *stream = device->streams; stream; stream = stream->next)
        counters_sum(&sum, &stream->counts);
    return sum;
}

void slip_device_stats(slip_device *device, slip_stats *out)
{
    if (out)
        *out = (slip_stats){ 0 };
    if (!out || !device)
        return;
    pthread_mutex_lock(&device->lock);
    slip_stats sum = sum_of(device);
#define SINCE_RESET_(name, text) out->name = sum.name - device->zero.name;
    SLIP_STATS_ROWS(SINCE_RESET_)
#undef SINCE_RESET_
    pthread_mutex_unlock(&device->lock);
}

void slip_device_stats_reset(slip_device *device)
{
    if (!device)
        return;
    pthread_mutex_lock(&device->lock);
    device->zero = sum_of(device);
    pthread_mutex_unlock(&device->lock);
}
