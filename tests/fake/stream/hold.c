/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold.c - waits of the host that do not end before so many launches have come: for tests in which
 * a thread waits until another has queued.
 */
#define _GNU_SOURCE
#include <time.h>

#include "fake/stream/core.h"
#include "fake/stream/lock.h"
#include "fake/stream/tell.h"

enum { PAUSE_NS = 2000000, MOST_PAUSES = 10000 };

static uint64_t left;

bool hold_on(void)
{
    return left > 0;
}

static bool waits(fake_slot slot)
{
    return slot == FAKE_SLOT_stream_wait || slot == FAKE_SLOT_event_wait ||
           slot == FAKE_SLOT_download;
}

/* Under the lock, which is given back for each pause. */
void hold_enter(fake_slot slot)
{
    struct timespec pause = { 0, PAUSE_NS };

    if (slot == FAKE_SLOT_launch && left > 0)
        left--;
    for (int k = 0; waits(slot) && left > 0; k++) {
        if (k == MOST_PAUSES) {
            fake_report("%s waits for launches, and nobody can queue any", fake_rows[slot].name);
            left = 0;
            return;
        }
        fake_unlock();
        nanosleep(&pause, NULL);
        fake_lock();
    }
}

void slipfake_hold(uint64_t launches)
{
    fake_lock();
    left = launches;
    fake_unlock();
}
