/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rest.h - what is left of calls for the host once their steps are queued: to wait, and to copy
 * what came back to where the caller wants it. It is done without the stream's lock, so that calls
 * of other threads are queued meanwhile.
 *
 * A rest is taken and filled under the stream's lock, is then its call's alone, and is given back
 * without the lock. What a call reads in its rest is not used again before.
 */
#ifndef SLIPWAY_LAUNCH_REST_H
#define SLIPWAY_LAUNCH_REST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { REST_CALLS = 16 }; /* of a stream at a time; those beyond do it under the lock */

typedef struct rest_copy {
    void *to;
    const void *from; /* NULL: what the driver copies from `address` while the host waits */
    uint64_t address, bytes;
} rest_copy;

typedef struct rest_call {
    _Atomic uint64_t number; /* of the call; 0: this is nobody's */
    uint64_t until;          /* what to wait for, of families that number it */
    rest_copy *copies;
    size_t copy_count, copy_capacity;
} rest_call;

typedef struct rest_calls {
    uint32_t used; /* of them, so far */
    rest_call all[REST_CALLS];
} rest_calls;

/* Under the stream's lock, all but the last three. */

/* NULL: there is none. The number grows from call to call. */
rest_call *rest_take(rest_calls *r, uint64_t number);
slip_status rest_add(rest_call *c, const rest_copy *copy) SLIP_MUST_USE;
/* Into the rest; where there is none, at once. */
slip_status rest_or_copy(rest_call *c, void *to, const void *from, uint64_t bytes) SLIP_MUST_USE;
void rest_finish(rest_calls *r); /* frees what they keep; nobody has one */

/* The least number that a call has which may still read; UINT64_MAX: none does. */
static inline uint64_t rest_oldest(const rest_calls *r)
{
    uint64_t oldest = UINT64_MAX;

    for (uint32_t k = 0; k < r->used; k++) {
        uint64_t number = atomic_load_explicit(&r->all[k].number, memory_order_acquire);
        if (number != 0 && number < oldest)
            oldest = number;
    }
    return oldest;
}

static inline bool rest_any(const rest_calls *r)
{
    return rest_oldest(r) != UINT64_MAX;
}

/* Until no call with that number or an earlier one reads any more: they need no lock for that.
 * UINT64_MAX: all. */
void rest_await(const rest_calls *r, uint64_t number);

/* Of one's own. */
void rest_copy_out(const rest_call *c);
void rest_give(rest_call *c);

#endif
