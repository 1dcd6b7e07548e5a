/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loss.h - what is told of a lost device: the calls that were queued and are not known to have
 * ended, among which is the one that failed, and not always the one that was told.
 */
#ifndef SLIPWAY_LAUNCH_LOSS_H
#define SLIPWAY_LAUNCH_LOSS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"

enum { LOSS_CALLS = 32 }; /* of a stream that are remembered */

/* The names of a stream's last calls, each at its number modulo LOSS_CALLS. They hold while the
 * device is open. Written under the stream's lock; any thread reads. */
typedef struct loss_calls {
    _Atomic(const char *) names[LOSS_CALLS];
} loss_calls;

static inline void loss_remember(loss_calls *calls, uint64_t number, const char *name)
{
    atomic_store_explicit(&calls->names[number % LOSS_CALLS], name, memory_order_relaxed);
}

static inline const char *loss_name(const loss_calls *calls, uint64_t number)
{
    return atomic_load_explicit(&calls->names[number % LOSS_CALLS], memory_order_relaxed);
}

/* A device's: what every call gives, once it is whole. */
typedef struct loss {
    atomic_bool whole;
    slip_error record;
} loss;

/* Names put together, as far as a record has room; those alike that follow each other as one. */
typedef struct loss_list {
    char text[sizeof((slip_error *)0)->message];
    size_t used, room;
    const char *last; /* not in the text yet, with how often it came; NULL: none */
    uint64_t times, omitted;
    bool other_stream; /* what comes next is of another than what came before */
} loss_list;

/* As much as fits the record that stands on this thread. */
void loss_list_begin(loss_list *list);
void loss_list_stream(loss_list *list); /* a stream's calls follow, the oldest first */
/* Calls before the ones named; UINT64_MAX: nobody knows how many. */
void loss_list_before(loss_list *list, uint64_t count);
void loss_list_add(loss_list *list, const char *name);
/* Notes the list on the record that stands, and keeps that where it says what lost the device; one
 * that is kept is told instead. One thread at a time. */
void loss_note(loss *l, loss_list *list);

/* The record that was kept; without one that the device is lost, and no more. */
slip_status loss_tell(const loss *l) SLIP_MUST_USE;

static inline bool loss_whole(const loss *l)
{
    return atomic_load_explicit(&l->whole, memory_order_acquire);
}

#endif
