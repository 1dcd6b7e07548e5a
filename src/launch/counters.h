/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counters.h - what a stream has done, counted where it is done.
 *
 * Written under the stream's lock, read by anyone at any time: relaxed atomics that one thread at
 * a time adds to, so that a repeated call pays for no locked instruction. A stream's
 * host_blocked_ns is also added to without the lock: always by counters_add_shared.
 */
#ifndef SLIPWAY_LAUNCH_COUNTERS_H
#define SLIPWAY_LAUNCH_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <slipway/slipway.h>

typedef struct counters {
#define COUNTERS_FIELD_(name, text) _Atomic uint64_t name;
    SLIP_STATS_ROWS(COUNTERS_FIELD_)
#undef COUNTERS_FIELD_
} counters;

static inline void counters_add(_Atomic uint64_t *counter, uint64_t more)
{
    uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, now + more, memory_order_relaxed);
}

/* A copy to the device (up) or from it. */
static inline void counters_add_copy(counters *c, bool up, uint64_t bytes)
{
    counters_add(up ? &c->uploads : &c->downloads, 1);
    counters_add(up ? &c->upload_bytes : &c->download_bytes, bytes);
}

/* counters_add where threads add at a time that hold no lock in common. */
static inline void counters_add_shared(_Atomic uint64_t *counter, uint64_t more)
{
    atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

/* Adds what `from` holds to *sum. */
void counters_sum(slip_stats *sum, const counters *from);
/* Nanoseconds of the monotonic clock. */
uint64_t counters_now(void);

#endif
